"""What stands between the command and the runner: choosing cases, running, writing reports, faults as diagnostics."""
