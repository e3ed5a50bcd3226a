"""Programs in `cases/*.star`, each of which runs, or fails on the line that says so."""

from __future__ import annotations

import pytest

from bazelscope.base.errors import StarlarkError
from tests.unit.starlark.starlark_programs import Case, cases, failure, run


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.name)
def test_case(case: Case) -> None:
    if case.line is None:
        try:
            run(case.text)
        except StarlarkError as error:
            pytest.fail(f"{case.name}: {error}")
        return
    error = failure(case.text)
    assert case.message in error.diagnostic.message
    assert error.diagnostic.span is not None
    assert error.diagnostic.span.line == case.line
