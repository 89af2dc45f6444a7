"""Which systems are connected by judgements: what can be compared at all, and where a strength would be infinite."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import join_localized, join_names, tr

MAX_LISTED_SYSTEMS = 8
"""How many systems are named before only their number is given."""


def reachability(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a path leads from the row's system to the column's, itself included; `edges` has shape (n, n)."""
    paths = np.asarray(edges, bool) | np.eye(len(edges), dtype=bool)
    while True:
        # the product of counts is exact in float32 for far more systems than a campaign has, and runs on BLAS
        longer = (paths.astype(np.float32) @ paths.astype(np.float32)) > 0
        if np.array_equal(longer, paths):
            return paths
        paths = longer


def equivalence_classes(together: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The classes of an equivalence, shape (n, n), as places; the largest first, then by their first member."""
    first = np.argmax(together, axis=1) if len(together) else np.zeros(0, np.int64)
    found = [np.flatnonzero(first == member) for member in np.unique(first)]
    return sorted(found, key=lambda places: (-len(places), int(places[0])))


def name_list(names: Sequence[str]) -> str:
    """Names in a sentence: "A, B and C"; of many, the first few and how many others there are."""
    others = len(names) - MAX_LISTED_SYSTEMS
    if others > 0:
        return tr("{names} and {n:,} {n:other|others}", "", others, names=", ".join(names[:MAX_LISTED_SYSTEMS]))
    return join_names(names)


def disconnected_note(systems: Sequence[str], compared: NDArray[np.bool_], *, without_ties: bool = False) -> str:
    """Says which systems no chain of comparisons connects with the others; empty where all are connected.

    `compared`, shape (n, n), is symmetric; `without_ties` says that ties are no comparisons in it.
    """
    found = equivalence_classes(reachability(compared))
    if len(found) < 2:
        return ""
    if len(found[0]) == 1:
        some = tr("No two systems were compared, ties left out.")
        return some if without_ties else tr("No two systems were compared.")
    sentences = []
    single = [systems[int(places[0])] for places in found if len(places) == 1]
    several = [name_list([systems[int(place)] for place in places]) for places in found if len(places) > 1]
    if single:
        names, n = name_list(single), len(single)
        sentences.append(
            tr("{names} {n:was|were} never compared with another system, ties left out.", "", n, names=names)
            if without_ties
            else tr("{names} {n:was|were} never compared with another system.", "", n, names=names)
        )
    if len(several) > 1:
        groups_named = join_localized("; ", several)
        sentences.append(
            tr("These groups were only compared within themselves, ties left out: {groups}.", groups=groups_named)
            if without_ties
            else tr("These groups were only compared within themselves: {groups}.", groups=groups_named)
        )
    return join_localized(" ", sentences)
