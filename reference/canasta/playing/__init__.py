"""Playing what people wrote: names of seats, positions, turns, worked examples, whole records."""
