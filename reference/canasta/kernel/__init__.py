"""The machine that executes any rule set: cards, zones, turns, judging, scores. It knows no game."""
