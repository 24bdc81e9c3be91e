"""Benchmarks: how fast the project is beside others and beside itself, as ratios of CPU time and never as seconds."""
