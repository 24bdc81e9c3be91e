"""The sub-commands of `canasta`, one module each; none is imported before it is called."""
