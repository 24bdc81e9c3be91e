"""Random play on two engines side by side: the reference and the second engine, turn by turn, legal turns and near misses."""
