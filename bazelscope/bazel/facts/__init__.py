"""What differs between the releases of Bazel, as named facts, stage by stage."""

from __future__ import annotations

from bazelscope.bazel.facts.analysis import AnalysisFacts
from bazelscope.bazel.facts.compile import CompileFacts
from bazelscope.bazel.facts.fact import Fact, between, since, until
from bazelscope.bazel.facts.flags import FlagFacts
from bazelscope.bazel.facts.loading import LoadingFacts
from bazelscope.bazel.facts.query import QueryFacts

__all__ = [
    "AnalysisFacts",
    "CompileFacts",
    "Fact",
    "FlagFacts",
    "LoadingFacts",
    "QueryFacts",
    "between",
    "since",
    "until",
]
