"""Engines that go wrong on purpose, by which the runner is tried."""
