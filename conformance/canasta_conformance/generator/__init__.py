"""The suite, made from the rule sets: cases from their examples, the requests of each case, and the rules as data."""

from canasta_conformance.generator.examples import cases
from canasta_conformance.generator.files import suite_files
from canasta_conformance.generator.writing import digest, write

__all__ = ["cases", "digest", "suite_files", "write"]
