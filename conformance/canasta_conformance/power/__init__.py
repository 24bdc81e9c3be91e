"""How strong the suite is: what its cases show of each clause, and how many faults put into the rules they notice."""
