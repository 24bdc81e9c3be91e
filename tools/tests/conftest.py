"""Calling the command inside the process of the tests, as a shell would."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from canasta_tools.cli import main


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - whatever the command prints
        return json.loads(self.out)


@contextmanager
def standard_input(text: str | bytes) -> Iterator[None]:
    data = text if isinstance(text, bytes) else text.encode()
    old, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = old


class Caller:
    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> Answer:
        self.capsys.readouterr()
        with standard_input(stdin):
            code = main([str(a) for a in arguments])
        out, err = self.capsys.readouterr()
        return Answer(code, out, err)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)
