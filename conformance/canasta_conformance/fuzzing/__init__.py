"""Fuzzing: deals played at random on the reference and on any engine, what differs made small, and campaigns of it."""
