"""What was recorded on a segment as JSON and back: in a project's cells, and in the spool."""

from __future__ import annotations

from typing import Any

from qe_desktop.project.visits import KeyKind, Typed, Visit

_NUMBERS = ("opened", "closed", "seconds", "pauses", "away", "limit", "gaps_300", "gaps_1000")
_TEXTS = ("marks", "before", "after")


def visit_out(visit: Visit) -> dict[str, Any]:
    """A visit as what JSON can hold; keys are counts by what they do."""
    return {
        **{name: getattr(visit, name) for name in (*_NUMBERS, *_TEXTS)},
        "keys": [[kind.value, count] for kind, count in visit.keys],
        "typed": [[one.after, one.place, one.removed, one.inserted] for one in visit.typed],
    }


def visit_in(held: Any) -> Visit:
    """The visit that `visit_out` wrote. KeyError, ValueError or TypeError for anything else."""
    return Visit(
        **{name: held[name] for name in (*_NUMBERS, *_TEXTS)},
        keys=tuple((KeyKind(kind), count) for kind, count in held["keys"]),
        typed=tuple(Typed(*one) for one in held["typed"]),
    )
