"""Strengths of systems from pairwise judgements (Bradley and Terry 1952), by maximum likelihood.

The likelihood has no maximum if the judgements do not connect all systems, or if a difference in strength would be
infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.ratings.aggregation.win_rates import WinTable

MAX_LISTED_SYSTEMS = 8
"""Maximum number of systems that a note lists by name."""


def reachability(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether a path of `edges` leads from row i to column j, for each cell [i, j]; True on the diagonal.

    `edges` and the result have shape (n, n).
    """
    paths = np.asarray(edges, bool) | np.eye(len(edges), dtype=bool)
    while True:
        # float32 uses BLAS, and counts of paths are exact for far more systems than a campaign has
        longer = (paths.astype(np.float32) @ paths.astype(np.float32)) > 0
        if np.array_equal(longer, paths):
            return paths
        paths = longer


def equivalence_classes(is_equivalent: NDArray[np.bool_]) -> list[Ints]:
    """Return the classes of an equivalence relation, shape (n, n), as arrays of indices.

    Larger classes come first; classes of equal size are sorted by their first index.
    """
    first = np.argmax(is_equivalent, axis=1) if len(is_equivalent) else np.zeros(0, np.int64)
    classes = [np.flatnonzero(first == member) for member in np.unique(first)]
    return sorted(classes, key=lambda indices: (-len(indices), int(indices[0])))


def name_list(names: Sequence[str]) -> str:
    """Return names joined for a sentence, such as "A, B and C".

    In lists of more than `MAX_LISTED_SYSTEMS` names, the remaining names are replaced by their number.
    """
    unlisted_count = len(names) - MAX_LISTED_SYSTEMS
    if unlisted_count > 0:
        return tr("{names} and {n:,} {n:other|others}", "", unlisted_count, names=", ".join(names[:MAX_LISTED_SYSTEMS]))
    return join_names(names)


def disconnected_note(systems: Sequence[str], compared: NDArray[np.bool_], *, without_ties: bool = False) -> str:
    """Return a note on systems that no chain of comparisons connects with the others; empty if all are connected.

    `compared`, shape (n, n), is symmetric and tells which pairs of systems were compared. If `without_ties` is true,
    `compared` must be False for pairs with only ties, and the note says that ties are left out.
    """
    groups = equivalence_classes(reachability(compared))
    if len(groups) < 2:
        return ""
    if len(groups[0]) == 1:
        note_without_ties = tr("Apart from ties, no two systems were compared.")
        return note_without_ties if without_ties else tr("No two systems were compared.")
    sentences = []
    single = [systems[int(indices[0])] for indices in groups if len(indices) == 1]
    several = [name_list([systems[int(index)] for index in indices]) for indices in groups if len(indices) > 1]
    if single:
        names, n = name_list(single), len(single)
        sentences.append(
            tr("Apart from ties, {names} {n:was|were} never compared with another system.", "", n, names=names)
            if without_ties
            else tr("{names} {n:was|were} never compared with another system.", "", n, names=names)
        )
    if len(several) > 1:
        groups_named = join_localized("; ", several)
        sentences.append(
            tr("Apart from ties, these groups were not compared with each other: {groups}.", groups=groups_named)
            if without_ties
            else tr("These groups were not compared with each other: {groups}.", groups=groups_named)
        )
    return join_localized(" ", sentences)


Ties = Literal["drop", "half"]
MAX_NEWTON_STEPS = 200
"""Maximum number of Newton steps; usually, a few are enough."""
CONVERGENCE_TOLERANCE = 1e-12
"""Maximum change of a strength in a Newton step that counts as convergence."""


@dataclass(frozen=True, slots=True, eq=False)
class BradleyTerry:
    """Bradley-Terry model: system i beats system j with probability 1 / (1 + exp(s_j - s_i)) for log strengths s.

    `strengths` are the log strengths, shape (systems,), with mean 0; None if the likelihood has no maximum. `problem`
    is then the reason.
    """

    systems: tuple[str, ...]
    strengths: Floats | None
    problem: str = ""


def fit_bradley_terry(table: WinTable, ties: Ties = "drop") -> BradleyTerry:
    """Fit a Bradley-Terry model by maximum likelihood.

    Ties are left out ("drop") or count as half a win for each of the two systems ("half"). Strengths exist only if a
    path of wins leads from every system to every other system (Ford 1957).
    """
    wins: Floats = np.asarray(table.wins, np.float64)
    if ties == "half":
        wins = wins + table.ties / 2
    problem = _problem(table, wins, ties)
    return BradleyTerry(table.systems, None if problem else _maximize_likelihood(wins), problem)


def _problem(table: WinTable, wins: Floats, ties: Ties) -> str:
    """Return the reason why the likelihood has no maximum; empty if a maximum exists."""
    systems = table.systems
    if len(systems) < 2:
        return tr("At least two systems are needed for a comparison.")
    if not wins.any():
        return tr("No system was judged better than another.")
    without_ties = ties == "drop" and bool(table.ties.any())
    separate = disconnected_note(systems, (wins > 0) | (wins.T > 0), without_ties=without_ties)
    if separate:
        connected = tr("Strengths are defined only if comparisons connect all systems.")
        return join_localized(" ", (separate, connected))
    is_reachable = reachability(wins > 0)
    components = equivalence_classes(is_reachable & is_reachable.T)
    if len(components) == 1:
        return ""
    unbeaten, winless = [], []
    for indices in components:
        names = [systems[int(index)] for index in indices]
        is_other = np.ones(len(systems), bool)
        is_other[indices] = False
        # wins connect components in one direction only, so at least one never loses and at least one never wins
        if not wins[np.ix_(is_other, indices)].any():
            unbeaten.append(
                tr("{system} never lost to any other system.", system=names[0])
                if len(names) == 1
                else tr("{systems} never lost to a system outside this group.", systems=name_list(names))
            )
        elif len(components) > 2 and not wins[np.ix_(indices, is_other)].any():
            winless.append(
                tr("{system} never won against any other system.", system=names[0])
                if len(names) == 1
                else tr("{systems} never won against a system outside this group.", systems=name_list(names))
            )
    return join_localized(" ", [*unbeaten, *winless, tr("Some differences in strength would be infinite.")])


def _maximize_likelihood(wins: Floats) -> Floats:
    """Return the strengths that maximize the log likelihood, which is concave.

    Newton's method is used; a step that lowers the likelihood is halved.
    """
    games = wins + wins.T
    strengths: Floats = np.zeros(len(wins))
    best = _log_likelihood(strengths, wins)
    for _ in range(MAX_NEWTON_STEPS):
        chance = _chances(strengths)
        gradient = (wins - games * chance).sum(1)
        weights = games * chance * chance.T
        step = _newton_step(weights, gradient)
        if np.abs(step).max() <= CONVERGENCE_TOLERANCE:
            break
        new = _log_likelihood(strengths + step, wins)
        # near the maximum the gain is below rounding error, and the full step is correct
        while new < best - CONVERGENCE_TOLERANCE * abs(best) and np.abs(step).max() > CONVERGENCE_TOLERANCE:
            step /= 2
            new = _log_likelihood(strengths + step, wins)
        strengths = strengths + step
        best = new
    strengths -= strengths.mean()
    return strengths


def _newton_step(weights: Floats, gradient: Floats) -> Floats:
    """Return the Newton step, normalized to sum 0.

    Strengths are defined only up to an additive constant, so the last strength is fixed in the equations; the mean of
    the step is then subtracted. Rows and columns are rescaled, so that small counts are not lost in rounding next to
    large ones.
    """
    scale = np.sqrt(np.maximum(weights.sum(1), np.finfo(np.float64).tiny))[:-1]
    curvature = np.eye(len(scale)) - weights[:-1, :-1] / np.outer(scale, scale)
    step: Floats = np.append(np.linalg.lstsq(curvature, gradient[:-1] / scale, rcond=None)[0] / scale, 0.0)
    step -= step.mean()
    return step


def _chances(strengths: Floats) -> Floats:
    return np.asarray(np.exp(_log_chances(strengths)))


def _log_chances(strengths: Floats) -> Floats:
    return np.asarray(-np.logaddexp(0.0, strengths[None, :] - strengths[:, None]))


def _log_likelihood(strengths: Floats, wins: Floats) -> float:
    return float((wins * _log_chances(strengths)).sum())
