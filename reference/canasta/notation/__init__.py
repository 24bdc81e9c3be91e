"""The notation CGN and the text of positions: reading, writing, JSON. It is syntax and knows no rule set."""
