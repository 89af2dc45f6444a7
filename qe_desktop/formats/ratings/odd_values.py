"""What stands in a file of ratings and can be no rating: it is left out and named, and the rest is read.

A rater who writes 007 or 1e105 must not keep everybody else's ratings from being read, and must not move them either.
"""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import side_by_side, tr

NAMED = 3
"""How many are named; the others are counted."""


class OddValue(ValueError):
    """A number that cannot be a rating, or a time that cannot be one; it is left out."""


class OddValues:
    """Counts what is left out, and remembers the first ones with their lines.

    `note` says how many are left out, and names the first ones.
    """

    def __init__(self, note: Callable[[int, str], str]) -> None:
        self._note = note
        self._count = 0
        self._first: list[str] = []

    def __len__(self) -> int:
        return self._count

    def count(self, times: int) -> None:
        """So many more, of which no more is said."""
        self._count += times

    def add(self, said: str, line: int) -> None:
        """One more, in this line."""
        self._count += 1
        if len(self._first) < NAMED:
            self._first.append(tr("{text} (line {line:,})", text=shown(said), line=line))

    def notes(self) -> tuple[str, ...]:
        """In words what was left out; nothing where nothing was."""
        if not self._count:
            return ()
        named = side_by_side(", ", self._first)
        return (self._note(self._count, named if self._count <= len(self._first) else _and_more(named)),)


def _and_more(named: str) -> str:
    return tr("{named} and more", named=named)


def odd_rating() -> OddValues:
    """Collects values that are no ratings."""
    return OddValues(
        lambda n, named: tr(
            "{n:,} {n:value that is no rating|values that are no ratings} left out: {named}", "", n, named=named
        )
    )


def odd_time() -> OddValues:
    """Collects times that are none."""
    return OddValues(
        lambda n, named: tr(
            "{n:,} {n:time that no calendar has|times that no calendar has} left out: {named}", "", n, named=named
        )
    )
