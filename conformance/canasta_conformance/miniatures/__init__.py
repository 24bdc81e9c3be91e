"""Miniatures: engines that are wrong in one known way each, by which suite and runner show that they notice."""
