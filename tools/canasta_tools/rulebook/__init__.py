"""The rulebooks: pages for people, made from the same rule sets that are executed."""
