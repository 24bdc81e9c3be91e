"""The translations of the books: which texts there are, the catalogues that hold them, and what must hold of each."""
