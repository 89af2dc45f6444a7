"""Which system of the corpus a name of a file may mean: the same but for how it is written, or else the nearest."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_PAIR = re.compile(r"(?:^[a-z]{2,3}-[a-z]{2,3}(?=[\W_])|(?<=[\W_])[a-z]{2,3}-[a-z]{2,3}$)")
_BETWEEN = re.compile(r"[\W_]+")
NEAR = 45.0
"""How alike two names are at the least, from 0 to 100, of which one is proposed for the other."""
LONGEST = 200
"""Characters of a name that are compared: the rest tells nothing, and files may hold anything."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A system that is proposed for a name; a guess where the two differ in more than how they are written."""

    system: str
    guess: bool


def bare(name: str) -> str:
    """A name without case, forms of letters (NFKC), a language pair at either end, and all that is no letter or digit.

    >>> bare("Online_A.en-de")
    'onlinea'
    """
    return "".join(_words(name))


def _words(name: str) -> list[str]:
    text = unicodedata.normalize("NFKC", name[:LONGEST]).casefold()
    # folding may give what composes again
    text = unicodedata.normalize("NFKC", text)
    return [word for word in _BETWEEN.split(_PAIR.sub("", text)) if word]


def proposed(given: Sequence[str], systems: Sequence[str]) -> dict[str, Proposed]:
    """A system for each of a file's names that one is proposed for: one to one, the surest first.

    First names that are the same, then those that are the same when bare and mean one system alone, then the nearest
    by how alike they are, which are guesses.
    """
    found = {name: Proposed(name, guess=False) for name in given if name in set(systems)}
    rest, free = _rest(given, systems, found)
    called = Counter(map(bare, rest))
    known = Counter(map(bare, free))
    here = {bare(name): name for name in free}
    for name in rest:
        key = bare(name)
        if key and called[key] == known[key] == 1:
            found[name] = Proposed(here[key], guess=False)
    rest, free = _rest(given, systems, found)
    for name, system in _nearest(rest, free):
        found[name] = Proposed(system, guess=True)
    return found


def nearest(name: str, names: Sequence[str]) -> str:
    """The one of these that a name may mean; nothing where none is near."""
    one = proposed([name], names).get(name)
    return "" if one is None else one.system


def _rest(given: Collection[str], systems: Collection[str], found: dict[str, Proposed]) -> tuple[list[str], list[str]]:
    taken = {one.system for one in found.values()}
    rest = [name for name in dict.fromkeys(given) if name not in found]
    return rest, [name for name in dict.fromkeys(systems) if name not in taken]


def _nearest(rest: Sequence[str], free: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs that are near, the most alike first, each name in one of them."""
    rest, free = [name for name in rest if bare(name)], [name for name in free if bare(name)]
    if not rest or not free:
        return []
    alike = _alike([_words(name) for name in rest], [_words(name) for name in free])
    rows: dict[str, str] = {}
    taken: set[int] = set()
    for place in np.argsort(-alike, axis=None, kind="stable").tolist():
        row, column = divmod(place, len(free))
        if alike[row, column] < NEAR:
            break
        if rest[row] not in rows and column not in taken:
            rows[rest[row]] = free[column]
            taken.add(column)
    return list(rows.items())


def _alike(rest: Sequence[Sequence[str]], free: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """How alike names are, from 0 to 100, shape (rest, free): as strings of letters, and by the words they share."""
    # a guess is seldom made, and what compares strings takes its time to be there
    from rapidfuzz import fuzz
    from rapidfuzz.process import cdist

    letters = cdist(["".join(words) for words in rest], ["".join(words) for words in free], scorer=fuzz.ratio)
    words = cdist([" ".join(words) for words in rest], [" ".join(words) for words in free], scorer=fuzz.token_set_ratio)
    return np.asarray((letters.astype(np.float64) + words) / 2)
