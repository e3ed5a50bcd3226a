"""The sentences about options."""

from __future__ import annotations

from pathlib import Path

from bazelscope.bazel import option_summaries
from bazelscope.bazel.option_table import option_table


def test_each_is_one_sentence_about_an_option_that_some_release_has() -> None:
    path = Path(option_summaries.__file__).with_name("option_summaries.txt")
    lines = path.read_text(encoding="utf-8").splitlines()
    names = [line.partition(": ")[0] for line in lines]
    assert names == sorted(set(names))
    assert len(names) > 400
    known = set(option_table().names)
    for line in lines:
        name, _, sentence = line.partition(": ")
        assert name in known, name
        assert sentence[0].isupper() and sentence.endswith("."), line
        assert len(sentence) <= 150, line
        assert "\t" not in sentence


def test_options_that_stand_for_others_name_them() -> None:
    known = set(option_table().names)
    for name in known:
        for word in option_summaries.summary(name).split():
            option = word.strip("`.,;()").partition("=")[0]
            if option.startswith("--") and not option.endswith("..."):
                plain = option[2:].removeprefix("no")
                assert option[2:] in known or plain in known, (name, option)


def test_an_option_without_a_sentence() -> None:
    assert option_summaries.summary("no_such_option") == ""
