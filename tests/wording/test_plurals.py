"""Texts that count say “1 segment”: rendered with 1 in every place, none has a number before a plural."""

from __future__ import annotations

import re
import string
from pathlib import Path

from qe_desktop.i18n.messages import tr
from tests.wording.texts import sources

PROGRAM = Path(__file__).parents[2] / "qe_desktop"
NOUNS = (
    "segment|rating|judgement|item|event|conflict|pair|edit|layer|document|tag|score|comment|visit|bootstrap|line|word|"
    "system|file|rater|campaign|draw|round|repetition|time|key|row|column|number|value|text|translation|gap"
)
ONE = re.compile(rf"(?<![\w.,–+])1 (?:pairwise |skipped |rated |source |different |language |best )?(?:{NOUNS})s\b")
NO_PLURAL = r"(?:\w+ss|is|was|has|does|as|vs|this|less|plus|means|across|always|holds|needs)\b"
"""Words that end in s without being plurals."""
LIMITS_AND_SEVERAL = re.compile(
    r"longer than \{n:,\} characters|larger than \{n:,\} bytes|has \{n:,\} (?:bytes|characters)|other bytes identical"
    r"|probably \{n\} (?:interleaved )?references|this table has \{n\} golds|a screen with \{n\} outputs|equal bins"
    r"|\{n:,\} (?:resamples|bootstrap resamples|bootstrap runs|data sets)|\{n:,\} trials suffice|\{orders:,\} orders"
    r"|\{n:,\} ranks|in \{n:,\} places|\{n:,\} \{n:change waits\||\{number:,\} belongs"
    r"|none of \{n:,\} bilingual files"
)
"""Limits, options that are never 1, texts said of several alone, and verbs."""
ANY = re.compile(rf"(?<![\w.,–+/])1 (?:[a-zA-Z][\w-]* )?(?!{NO_PLURAL})[a-z][\w-]*s\b")
NEVER_ONE = re.compile(
    r"more than \{|at most|at the least|\{metrics?\} scores|fewer than \{|at least \{|all \{n:,\} scores"
    r"|cannot hold \{n:,\}|all \{n\} "
    r"|\{n\} training items|to \{n\} ratings|segments are plotted|pairs are plotted"
    r"|[Tt]he test needs \{n\}|Only \{n\} systems"
    r"|\{n:,\} rounds of drawing|\{n:,\} rounds suffice|\{part\} repetitions|belong to \{n:,\} documents"
    r"|of \{documents:,\} documents|Of \{n:,\} tags, |as if from \{n\} references|\{size:,\} texts each"
    r"|named \{n:,\} times"
    r"|must have 1 to|\{n\} times in a row|\{n\} (?:raters|systems) are named|\{n:,\} times an output was"
    r"|\{n\} systems, \{answers\}|\{message\} \(\{n\} times\)|\{drawn\} of \{n\} systems"
    r"|holds? \{n\} (?:texts|references)|numbers, not one|has items for these|\{name\} for raters"
    r"|\{speed\} source words|\{value\} times as often|by \{errors\} times|\{times:g\} times"
    r"|has (?:words|scores) already|has scores of \{"
    r"|Mean \{scale\} over"
    r"|The first \{n\} items are training"
)
"""Limits, and texts that are said of several alone: the one of them has a sentence of its own."""


def _counted(text: str) -> str:
    """The text with 1 in every place that certainly takes a count, and a sign in the others."""
    places: dict[str, object] = {}
    for _, name, written, _ in string.Formatter().parse(text):
        if name is not None:
            count = name == "n" or written == "," or "|" in (written or "")
            places[name] = 1 if count or places.get(name) == 1 else 0.5 if written else "…"
            if written and written[-1] == "d":
                places[name] = 0
    return str(tr(text, "", **places)) if places else text


def _rendered(text: str) -> str:
    """The text with 1 in every place that takes a number, and a word in the others."""
    places: dict[str, object] = {}
    for _, name, written, _ in string.Formatter().parse(text):
        if name is not None:
            number = name == "n" or written in (",", "") or "|" in (written or "")
            places[name] = 1 if number and places.get(name, 1) == 1 else places.get(name, 1.0)
            if written and "|" not in written and written not in (",",):
                places[name] = 1.0 if written[-1] in "fge%" else 1
    return str(tr(text, "", **places)) if places else text


def _has_any(text: str) -> bool:
    return not LIMITS_AND_SEVERAL.search(text) and ANY.search(_counted(text)) is not None


FORMAT = re.compile(r"(?:[^{}]|\{\w+(?::[^{}\"]*)?\})*")
"""A text without places may have braces that are none."""


def test_one_is_not_followed_by_a_plural() -> None:
    texts = [
        (source.path.name, text)
        for source in sources(PROGRAM)
        for text, _ in source.said()
        if FORMAT.fullmatch(text) and not NEVER_ONE.search(text) and "{time:%" not in text
    ]
    assert len(texts) > 1000
    assert [(name, text) for name, text in texts if ONE.search(_rendered(text)) or _has_any(text)] == []


def test_what_was_wrong_is_right() -> None:
    assert tr("{n:,} rated {n:segment|segments} over all systems.", "", 1) == "1 rated segment over all systems."
    assert tr("{n:,} rated {n:segment|segments} over all systems.", "", 2) == "2 rated segments over all systems."


def test_any_plural_after_one_is_found() -> None:
    assert _has_any("the row has {n} cells, but the first row has {width}")
    assert _has_any("repeats: {n:,} repeated ratings by the same rater")
    assert not _has_any("the row has {n} {n:cell|cells}, but the first row has {width}")
