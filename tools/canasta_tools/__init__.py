"""The command line, the rulebook and the tools around the specification."""
