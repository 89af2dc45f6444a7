"""One source that is translated in several ways."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from qe_desktop.highlights.checks.check import Check, Found, Others, Pair, Pairs
from qe_desktop.highlights.sides import Span
from qe_desktop.outgoing import elided
from qe_desktop.wording import tr

LONG = 80
"""Letters of another translation that a reason shows."""
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w+|[^\w\s]|\s+")


def _find(pairs: Pairs) -> Iterator[tuple[int, Found]]:
    by_source: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if has_letters(pair.source):
            # codes are part of what is translated: other codes may need other words
            by_source[" ".join((pair.source_line or pair.source).split())].append(pair)
    for same in by_source.values():
        if len(same) < 2:
            continue
        texts = Counter(" ".join(pair.mt.split()) for pair in same)
        if len(texts) < 2:
            continue
        # of two that are as frequent, the first
        usual = max(texts, key=texts.__getitem__)
        first = next(pair for pair in same if " ".join(pair.mt.split()) == usual)
        for pair in same:
            if " ".join(pair.mt.split()) != usual:
                yield pair.segment, _said(pair, first.segment, first.mt)


def _at(pair: Pair, others: Others) -> Iterator[Found]:
    usual = others.usual(pair.segment, pair.mt) if has_letters(pair.source) else None
    if usual is not None:
        yield _said(pair, *usual)


def _said(pair: Pair, segment: int, text: str) -> Found:
    shown = elided(" ".join(text.split()), LONG)
    reason = tr(
        "segment {number:,} has the same source, translated as “{text}”", number=segment + 1, text=shown
    )  # fmt: skip
    return Found(differing(pair.mt, text), reason)


def has_letters(text: str) -> bool:
    """Whether there is anything to translate in a text."""
    return _LETTER.search(text) is not None


def differing(text: str, other: str) -> Span:
    """The span of a text between what both begin with and what both end with, in whole words."""
    words, others = _WORD.findall(text), _WORD.findall(other)
    head = 0
    while head < min(len(words), len(others)) and words[head] == others[head]:
        head += 1
    tail = 0
    while tail < min(len(words), len(others)) - head and words[-1 - tail] == others[-1 - tail]:
        tail += 1
    low = sum(map(len, words[:head]))
    return low, max(low, len(text) - sum(map(len, words[len(words) - tail :])))


CHECK = Check(
    "consistency",
    tr("One source, several translations"),
    tr("What differs from the most frequent translation of the same source."),
    _find,
    _at,
)
