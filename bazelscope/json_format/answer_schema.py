"""The JSON Schema of the answers; `scripts/make_answer_schema.py` derives it from their types."""

from importlib import resources


def shipped_schema() -> str:
    """The text of the JSON Schema that is part of the package."""
    return resources.files(__package__).joinpath("answers.schema.json").read_text("utf-8")
