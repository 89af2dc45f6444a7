"""Reasons for the flags in a segment, as lines below the texts of the segment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from qe_desktop.corpus import Corpus, Kind, LayerKey, Reasons, TextRole, View
from qe_desktop.corpus.tag_voting import VotingRule, marking_layers, segment_marks
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import shortcut_text

MAX_REASONS = 4
"""Maximum number of lines with reasons; if there are more, an additional line states how many are left out."""
ReasonLookup = Callable[[Corpus, LayerKey, int], Reasons | None]
"""Function that returns the reasons for the BAD tags of a layer in a segment; None if they are unknown."""
_FLAGGED_ROLES = {Kind.WORDS: TextRole.MT, Kind.GAPS: TextRole.MT, Kind.SOURCE: TextRole.SOURCE}


class _Flag(NamedTuple):
    """Run of words or gaps [start, stop) that are flagged for the same reason."""

    start: int
    stop: int
    reason: str


def flag_reasons(view: View, segment: int, agreement: VotingRule, lookup: ReasonLookup) -> tuple[str, ...]:
    """Return the known reasons for flags in a segment as lines: for words, then gaps, then source words, in text order.

    Adjacent words that are flagged for the same reason share a line; identical lines are listed once. If there are more
    than `MAX_REASONS` lines, one more line states how many are left out. Most QE systems state no reasons.
    """
    lines: dict[str, None] = {}
    for kind, role in _FLAGGED_ROLES.items():
        column = view.corpus.text(role)
        tokens = [] if column is None else column.tokens(segment)
        for flag in _flags(view, kind, segment, agreement, lookup):
            lines[_line(flag, kind, tokens)] = None
    reasons = list(lines)
    left_out = len(reasons) - MAX_REASONS
    if left_out > 0:
        return (*reasons[:MAX_REASONS], _more_reasons(left_out))
    return tuple(reasons)


def _more_reasons(number: int) -> str:
    if key := shortcut_text("inspect.explain"):
        return tr("To see {n} more {n:reason|reasons}, hover over a flagged word or press {key}", "", number, key=key)
    return tr("To see {n} more {n:reason|reasons}, hover over a flagged word", "", number)


def _flags(view: View, kind: Kind, segment: int, agreement: VotingRule, lookup: ReasonLookup) -> list[_Flag]:
    """Return the flags of words, gaps or source words (`kind`) with known reasons, sorted by position."""
    marks = segment_marks(view, kind, segment, agreement)
    if marks is None or not marks.any():
        return []
    flags: list[_Flag] = []
    for key in marking_layers(view, kind, segment):
        reasons = lookup(view.corpus, key, segment)
        entries = () if reasons is None else reasons.by_segment.get(segment, ())
        flags += _merge_adjacent((entry.text, entry.position) for entry in entries if marks[entry.position])
    return sorted(flags)


def _merge_adjacent(entries: Iterator[tuple[str, int]]) -> Iterator[_Flag]:
    """Yield one flag for each run of adjacent positions with the same reason; `entries` are (reason, position)."""
    flag: _Flag | None = None
    for reason, index in sorted(entries):
        if flag is not None and (flag.reason, flag.stop) == (reason, index):
            flag = flag._replace(stop=index + 1)
            continue
        if flag is not None:
            yield flag
        flag = _Flag(index, index + 1, reason)
    if flag is not None:
        yield flag


def _line(flag: _Flag, kind: Kind, tokens: list[str]) -> str:
    """Return a line with the flagged words and the reason; a gap or the text end is denoted by the preceding word."""
    if kind is Kind.GAPS or flag.start >= len(tokens):
        before = tokens[min(flag.start, len(tokens)) - 1] if flag.start and tokens else ""
        if before:
            return tr("after “{word}”: {reason}", word=isolate_bidi(before), reason=flag.reason)
        return tr("at the start: {reason}", reason=flag.reason)
    words = isolate_bidi(" ".join(tokens[flag.start : flag.stop]))
    if kind is Kind.SOURCE:
        return tr("source “{words}”: {reason}", words=words, reason=flag.reason)
    return tr("“{words}”: {reason}", words=words, reason=flag.reason)
