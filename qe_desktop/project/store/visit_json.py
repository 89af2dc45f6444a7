"""What was recorded on a segment as JSON and back: in a project's cells, and in the spool."""

from __future__ import annotations

from typing import Any

from qe_desktop.corpus.highlighted import NOTHING, Highlighted, Stretch
from qe_desktop.project.visits import KeyKind, Typed, Visit

_NUMBERS = ("opened", "closed", "seconds", "pauses", "away", "limit", "gaps_300", "gaps_1000")
_TEXTS = ("before", "after")


def visit_out(visit: Visit) -> dict[str, Any]:
    """A visit as what JSON can hold; keys are counts by what they do."""
    return {
        **{name: getattr(visit, name) for name in (*_NUMBERS, *_TEXTS)},
        "keys": [[kind.value, count] for kind, count in visit.keys],
        "typed": [[one.after, one.place, one.removed, one.inserted] for one in visit.typed],
        "shown": _shown_out(visit.shown),
    }


def visit_in(held: Any) -> Visit:
    """The visit that `visit_out` wrote, now or when it kept one name alone (`marks`) of what was shown. KeyError,
    ValueError or TypeError for anything else.
    """
    return Visit(
        **{name: held[name] for name in (*_NUMBERS, *_TEXTS)},
        keys=tuple((KeyKind(kind), count) for kind, count in held["keys"]),
        typed=tuple(Typed(*one) for one in held["typed"]),
        shown=_shown_in(held["shown"]) if "shown" in held else _of_name(held["marks"]),
    )


def _shown_out(shown: Highlighted) -> list[Any]:
    stretches = shown.stretches
    places = None if stretches is None else [[one.start, one.end, one.strong] for one in stretches]
    return [list(shown.names), shown.agreement, places]


def _shown_in(held: Any) -> Highlighted:
    names, agreement, places = held
    return Highlighted(tuple(names), agreement, None if places is None else tuple(Stretch(*one) for one in places))


def _of_name(name: Any) -> Highlighted:
    return Highlighted((name,), stretches=None) if name else NOTHING
