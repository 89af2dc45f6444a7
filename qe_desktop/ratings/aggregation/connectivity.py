"""Connectivity of systems by judgements: which can be compared, and where a strength would be infinite."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import join_localized, join_names, tr

MAX_LISTED_SYSTEMS = 8
"""Maximum number of systems to list by name."""


def reachability(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a path leads from the row's system to the column's, itself included; `edges` has shape (n, n)."""
    paths = np.asarray(edges, bool) | np.eye(len(edges), dtype=bool)
    while True:
        # exact in float32 for far more systems than a campaign has, and runs on BLAS
        longer = (paths.astype(np.float32) @ paths.astype(np.float32)) > 0
        if np.array_equal(longer, paths):
            return paths
        paths = longer


def equivalence_classes(together: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """Return the classes of an equivalence, shape (n, n), as indices; the largest first, then by first member."""
    first = np.argmax(together, axis=1) if len(together) else np.zeros(0, np.int64)
    classes = [np.flatnonzero(first == member) for member in np.unique(first)]
    return sorted(classes, key=lambda places: (-len(places), int(places[0])))


def name_list(names: Sequence[str]) -> str:
    """Return names joined for a sentence: "A, B and C"; for long lists, the first few and the number of others."""
    others = len(names) - MAX_LISTED_SYSTEMS
    if others > 0:
        return tr("{names} and {n:,} {n:other|others}", "", others, names=", ".join(names[:MAX_LISTED_SYSTEMS]))
    return join_names(names)


def disconnected_note(systems: Sequence[str], compared: NDArray[np.bool_], *, without_ties: bool = False) -> str:
    """Return a note on systems that no chain of comparisons connects with the others; empty if all are connected.

    `compared`, shape (n, n), is symmetric; `without_ties` means that ties are not comparisons in it.
    """
    groups = equivalence_classes(reachability(compared))
    if len(groups) < 2:
        return ""
    if len(groups[0]) == 1:
        some = tr("No two systems were compared, ignoring ties.")
        return some if without_ties else tr("No two systems were compared.")
    sentences = []
    single = [systems[int(places[0])] for places in groups if len(places) == 1]
    several = [name_list([systems[int(place)] for place in places]) for places in groups if len(places) > 1]
    if single:
        names, n = name_list(single), len(single)
        sentences.append(
            tr("{names} {n:was|were} never compared with another system, ignoring ties.", "", n, names=names)
            if without_ties
            else tr("{names} {n:was|were} never compared with another system.", "", n, names=names)
        )
    if len(several) > 1:
        groups_named = join_localized("; ", several)
        sentences.append(
            tr("These groups were only compared within themselves, ignoring ties: {groups}.", groups=groups_named)
            if without_ties
            else tr("These groups were only compared within themselves: {groups}.", groups=groups_named)
        )
    return join_localized(" ", sentences)
