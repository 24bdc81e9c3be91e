"""A second engine for Canasta, written by hand from the rule book's sentences.

It shares no code with the reference and reads none of its data. Two programs that were made without each other, from the same
sentences, and that agree over many turns, say something about the sentences; one program that agrees with itself does not.
"""
