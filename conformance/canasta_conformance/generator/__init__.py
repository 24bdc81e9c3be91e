"""The suite, made from the rule sets: cases from their examples, the requests of each case, and the rules as data."""

from canasta_conformance.generator.examples import cases
from canasta_conformance.generator.files import every_id, suite_files
from canasta_conformance.writing import digest, write

__all__ = ["cases", "digest", "every_id", "suite_files", "write"]
