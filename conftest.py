"""Which tests wait for `make check`: of a test with many cases, `make test` tries some."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put those cases of a test marked `soon` that it does not name among the tests marked `whole`, or as it says.

    Raises:
        UsageError: when a test names a case that it does not have, and all its cases were collected.
    """
    named: dict[str, set[str]] = {}
    for item in items:
        soon = item.get_closest_marker("soon")
        if soon is None:
            continue
        test, _, case = item.nodeid.partition("[")
        left = named.setdefault(test, set(soon.args))
        left.discard(case.removesuffix("]"))
        if case.removesuffix("]") not in soon.args and item.get_closest_marker("deep") is None:
            item.add_marker(soon.kwargs.get("rest", "whole"))
    if any(named.values()) and not any("::" in argument for argument in config.args):
        raise pytest.UsageError(f"cases that there are not: { ({test: left for test, left in named.items() if left}) }")
