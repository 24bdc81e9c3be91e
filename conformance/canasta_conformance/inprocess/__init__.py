"""The reference as an engine under test: it answers the same requests as any other, in the same process."""
