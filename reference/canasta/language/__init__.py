"""The rule language: reading rule files, checking them, and giving their expressions a meaning."""
