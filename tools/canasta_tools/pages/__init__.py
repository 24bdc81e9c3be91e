"""The generated pages of the reference documentation, each made from the data or the code that it describes."""
