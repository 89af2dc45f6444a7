"""A rater's work in words: what a screen still needs, and what a judgement was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qe_desktop.answers.events import COMMENT, RANKS, SKIP, RatingEvent, Value
from qe_desktop.ratings.protocols import LETTERS, Protocol
from qe_desktop.ratings.protocols.pairwise import CHOICES

_ANSWERS = {ranks: label for label, ranks in CHOICES}


def missing(protocol: Protocol, outputs: int, values: Mapping[str, Value]) -> list[str]:
    """What a screen of so many outputs still needs, in words."""
    if not protocol.ranks:
        return [f"{name} is not rated" for name in protocol.fields if name not in values]
    ranks = values.get(RANKS)
    held = ranks if isinstance(ranks, tuple) else (0,) * outputs
    without = [LETTERS[place] for place, rank in enumerate(held) if rank == 0]
    if not without:
        return []
    if protocol.outputs[1] == 2 and len(without) == 2:
        return ["no choice between A and B yet"]
    return [f"{listed(without)} {'has' if len(without) == 1 else 'have'} no rank yet"]


def judgement(protocol: Protocol, event: RatingEvent, before: Value) -> str:
    """A judgement in words, such as “fluency 4” or “rank 2 for C”; `before` is what held for its field before."""
    if event.field == COMMENT:
        return "comment"
    if event.field == SKIP:
        return "skip" if event.value else "skip taken back"
    if event.field == RANKS and isinstance(event.value, tuple):
        return _ranks(protocol, event.value, before)
    if event.value is None:
        return f"{event.field} taken away"
    return f"{event.field} {_number(event.value)}"


def _ranks(protocol: Protocol, ranks: tuple[int, ...], before: Value) -> str:
    if protocol.outputs[1] == 2 and ranks in _ANSWERS:
        return _ANSWERS[ranks]
    held = before if isinstance(before, tuple) and len(before) == len(ranks) else (0,) * len(ranks)
    changed = [place for place, rank in enumerate(ranks) if rank != held[place]]
    if len(changed) == 1:
        place = changed[0]
        return f"rank {ranks[place]} for {LETTERS[place]}" if ranks[place] else f"no rank for {LETTERS[place]}"
    return "ranks"


def _number(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float | int) else str(value)


def listed(names: Sequence[str]) -> str:
    """“A”, “A and B”, “A, B and C”."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
