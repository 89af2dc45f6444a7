"""Where marks of issues go among the text and the codes of a target, so that elements still lie within each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from qe_desktop.formats.bilingual.codes import Code, CodeKind, Content


class Ends(NamedTuple):
    """The codes that begin and end a mark."""

    begin: Code
    end: Code


def marked(content: Content, start: int, end: int, ends: Ends) -> Content | None:
    """A content with a mark around its characters from `start` to `end` (exclusive), as narrow as may be.

    None where the ends are those of an element (`nests`) that would lie across another one. ValueError for places that
    the text does not have.
    """
    runs = _cut_at(content, {start, end})
    befores, behinds = _slots(runs, start), _slots(runs, end)
    pairs = sorted((high - low, low, high) for low in befores for high in behinds if high >= low)
    if not pairs:
        raise ValueError("the text ends before the mark does")
    for _, low, high in pairs:
        if not ends.begin.nests or _is_whole(runs[low:high]):
            return (*runs[:low], ends.begin, *runs[low:high], ends.end, *runs[high:])
    return None


def element_ends(content: Content) -> list[int]:
    """At which characters the elements of a content begin and end."""
    return [at for at, run in _placed(content) if isinstance(run, Code) and run.nests]


def _placed(runs: Sequence[str | Code]) -> Iterator[tuple[int, str | Code]]:
    """Each run with the number of characters before it."""
    at = 0
    for run in runs:
        yield at, run
        if isinstance(run, str):
            at += len(run)


def _cut_at(content: Content, places: set[int]) -> list[str | Code]:
    """The same runs, with those of text cut where they hold one of the places."""
    runs: list[str | Code] = []
    for at, run in _placed(content):
        if isinstance(run, Code):
            runs.append(run)
            continue
        cuts = [0, *sorted(place - at for place in places if 0 < place - at < len(run)), len(run)]
        runs += [run[low:high] for low, high in pairwise(cuts)]
    return runs


def _slots(runs: Sequence[str | Code], place: int) -> list[int]:
    """Between which runs a place among the characters is: before the run of each number given."""
    total = sum(len(run) for run in runs if isinstance(run, str))
    befores = [number for number, (at, _) in enumerate(_placed(runs)) if at == place]
    return [*befores, len(runs)] if total == place else befores


def _is_whole(runs: Sequence[str | Code]) -> bool:
    """Whether every element that begins here ends here, and no other does."""
    depth = 0
    for run in runs:
        if isinstance(run, Code) and run.nests:
            depth += 1 if run.kind is CodeKind.OPEN else -1
            if depth < 0:
                return False
    return depth == 0
