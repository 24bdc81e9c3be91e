"""Rules about the rules: what this distribution offers to judge other implementations."""
