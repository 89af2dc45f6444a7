"""Texts with numbers say “1 segment”: with 1 in every placeholder, no number is followed by a plural."""

from __future__ import annotations

import re
import string
from pathlib import Path

from qe_desktop.i18n.messages import tr
from tests.wording.source_texts import sources

PROGRAM = Path(__file__).parents[2] / "qe_desktop"
NOUNS = (
    "segment|rating|judgement|item|event|conflict|pair|edit|layer|document|tag|score|comment|visit|bootstrap|line|word|"
    "system|file|rater|campaign|draw|round|repetition|time|key|row|column|number|value|text|translation|gap"
)
PLURAL_AFTER_ONE = re.compile(
    rf"(?<![\w.,–+])1 (?:pairwise |skipped |rated |source |different |language |best )?(?:{NOUNS})s\b"
)
NO_PLURAL = r"(?:\w+ss|is|was|has|does|as|vs|this|less|plus|means|across|always|holds|needs)\b"
"""Words that end in s without being plurals."""
LIMITS_AND_SEVERAL = re.compile(
    r"longer than \{n:,\} characters|larger than \{n:,\} bytes|has \{n:,\} (?:bytes|characters)|other bytes identical"
    r"|probably \{n\} (?:interleaved )?references|this table has \{n\} gold columns|an item with \{n\} outputs"
    r"|equal bins"
    r"|\{n:,\} (?:resamples|bootstrap resamples|bootstrap runs|data sets)|\{n:,\} trials suffice|\{orders:,\} orders"
    r"|\{n:,\} ranks|in \{n:,\} places|\{number:,\} belongs"
    r"|none of the \{n:,\} bilingual files"
)
"""Limits, options that are never 1, texts only used for several, and verbs."""
ANY_PLURAL_AFTER_ONE = re.compile(rf"(?<![\w.,–+/])1 (?:[a-zA-Z][\w-]* )?(?!{NO_PLURAL})[a-z][\w-]*s\b")
NEVER_ONE = re.compile(
    r"more than \{|at most|at the least|\{metrics?\} scores|fewer than \{|at least \{|all \{n:,\} scores"
    r"|cannot hold \{n:,\}|all \{n\} "
    r"|\{n\} training items|to \{n\} ratings|(?:segments|pairs|translations) is plotted"
    r"|[Tt]he test needs \{n\}|Only \{n\} systems"
    r"|\{n:,\} rounds of drawing|\{n:,\} rounds suffice|\{part\} repetitions|belong to \{n:,\} documents"
    r"|of \{documents:,\} documents|Of \{n:,\} tags, |as if from \{n\} references|\{size:,\} texts each"
    r"|specified \{n:,\} times"
    r"|must have 1 to|\{n\} times in a row|\{n\} (?:raters|systems) are named|\{n:,\} times an output was"
    r"|\{n\} systems, \{answers\}|\{message\} \(\{n\} times\)|\{drawn\} of \{n\} systems"
    r"|holds? \{n\} (?:texts|references)|numbers, not one|has items for these|\{name\} for raters"
    r"|\{speed\} source words|\{value\} times as often|by \{errors\} times|\{times:g\} times"
    r"|has (?:words|scores) already|has scores of \{"
    r"|Mean \{scale\} over"
    r"|The first \{n\} items are training"
)
"""Limits, and texts only used for several items; a single item has its own sentence."""


def _with_counts_of_one(text: str) -> str:
    """Return the text with 1 in every placeholder that certainly takes a count, and a sign in the others."""
    places: dict[str, object] = {}
    for _, name, written, _ in string.Formatter().parse(text):
        if name is not None:
            count = name == "n" or written == "," or "|" in (written or "")
            places[name] = 1 if count or places.get(name) == 1 else 0.5 if written else "…"
            if written and written[-1] == "d":
                places[name] = 0
    return str(tr(text, "", **places)) if places else text


def _with_numbers_of_one(text: str) -> str:
    """Return the text with 1 in every placeholder that takes a number, and a word in the others."""
    places: dict[str, object] = {}
    for _, name, written, _ in string.Formatter().parse(text):
        if name is not None:
            number = name == "n" or written in (",", "") or "|" in (written or "")
            places[name] = 1 if number and places.get(name, 1) == 1 else places.get(name, 1.0)
            if written and "|" not in written and written not in (",",):
                places[name] = 1.0 if written[-1] in "fge%" else 1
    return str(tr(text, "", **places)) if places else text


def _has_plural_after_one(text: str) -> bool:
    return not LIMITS_AND_SEVERAL.search(text) and ANY_PLURAL_AFTER_ONE.search(_with_counts_of_one(text)) is not None


FORMAT = re.compile(r"(?:[^{}]|\{\w+(?::[^{}\"]*)?\})*")
"""Excludes texts without placeholders that have literal braces."""


def test_number_one_is_not_followed_by_a_plural() -> None:
    texts = [
        (source.path.name, text)
        for source in sources(PROGRAM)
        for text, _ in source.texts_with_comments()
        if FORMAT.fullmatch(text) and not NEVER_ONE.search(text) and "{time:%" not in text
    ]
    assert len(texts) > 1000
    assert [
        (name, text)
        for name, text in texts
        if PLURAL_AFTER_ONE.search(_with_numbers_of_one(text)) or _has_plural_after_one(text)
    ] == []


def test_plural_form_depends_on_the_number() -> None:
    text = "{n:,} rated {n:output|outputs} across all systems."
    assert tr(text, "", 1) == "1 rated output across all systems."
    assert tr(text, "", 2) == "2 rated outputs across all systems."


def test_missing_plural_forms_are_detected() -> None:
    assert _has_plural_after_one("the row has {n} cells, but the first row has {width}")
    assert _has_plural_after_one("repeats: {n:,} repeated ratings by the same rater")
    assert not _has_plural_after_one("the row has {n} {n:cell|cells}, but the first row has {width}")
