"""How ratings spread, beyond the results' figures: values by system, pace, and items that were rated twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, PairRatings, Ratings, ScoreRatings
from qe_desktop.ratings.aggregation.histograms import Bins, bins_of, histograms
from qe_desktop.ratings.aggregation.standardise import Z
from qe_desktop.ratings.aggregation.units import COUNTED, RATED, has_role, in_time, parts, rows_of
from qe_desktop.ratings.aggregation.wins import WinTable, win_table
from qe_desktop.ratings.agreement.intra_rater import rated_twice
from qe_desktop.ratings.scale_results import without_means

Floats = NDArray[np.float64]
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How the ratings of each system spread on one scale.

    `counts` has shape (systems, bins); `quantiles` shape (systems, 5) at `QUANTILES`, NaN for a system without
    ratings. `bins.by_value` says that the scale has few values.
    """

    systems: tuple[str, ...]
    bins: Bins
    counts: NDArray[np.int64]
    quantiles: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Twofold:
    """Items that a rater rated twice, both values: first and again, or whole and damaged; shape (pairs,)."""

    first: Floats
    again: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """By scale and by rater; `paces` are seconds in the order of rating. `wins` is None where nothing was ranked."""

    spreads: Mapping[str, Spread] = field(default_factory=dict)
    paces: Mapping[str, Floats] = field(default_factory=dict)
    repeats: Mapping[tuple[str, str], Twofold] = field(default_factory=dict)
    controls: Mapping[tuple[str, str], Twofold] = field(default_factory=dict)
    wins: WinTable | None = None


def shapes_of(ratings: Ratings, scales: Sequence[str] = ()) -> Shapes:
    """All shapes of a set of ratings, on the scales that the results show (if not given, on all).

    Where only standardised values of a scale are there, these are drawn under its name.
    """
    scores, named = without_means(ratings.scores)
    sources = {scale: scale if scale in scores.scales else Z for scale in scales or scores.scales}
    return Shapes(
        {scale: _spread(scores, source) for scale, source in sources.items() if len(rows_of(scores, source, COUNTED))},
        _paces(named, ratings.pairs),
        _twofold(named, sources, ItemRole.REPEAT),
        _twofold(named, sources, ItemRole.BAD),
        win_table(ratings.pairs) if len(ratings.pairs) else None,
    )


def _spread(scores: ScoreRatings, scale: str) -> Spread:
    rows = rows_of(scores, scale, COUNTED)
    system, values = scores.system[rows].astype(np.int64), scores.value[rows]
    bins = bins_of(values)
    none = np.full(len(QUANTILES), np.nan)
    quantiles = [
        np.quantile(own, QUANTILES) if len(own) else none for own in parts(system, values, len(scores.systems))
    ]
    return Spread(scores.systems, bins, histograms(system, values, len(scores.systems), bins), np.asarray(quantiles))


def _paces(scores: ScoreRatings, pairs: PairRatings) -> dict[str, Floats]:
    """Seconds by rater: of each rating on a scale, and of each ranked screen, once."""
    rated = np.flatnonzero(has_role(scores, RATED) & np.isfinite(scores.seconds))
    rows = _items(scores, in_time(scores, rated))
    # a screen of five systems is ten judgements, but one item
    keys = pairs.rater.astype(np.int64) * max(1, len(pairs.screens)) + pairs.screen
    first = np.sort(np.unique(keys, return_index=True)[1])
    first = first[(has_role(pairs, RATED) & np.isfinite(pairs.seconds))[first]]
    first = first[np.argsort(np.nan_to_num(pairs.started[first]), kind="stable")]
    found: dict[str, list[Floats]] = {}
    for names, rater, seconds in (
        (scores.raters, scores.rater[rows], scores.seconds[rows]),
        (pairs.raters, pairs.rater[first], pairs.seconds[first]),
    ):
        for name, own in zip(names, parts(rater, seconds, len(names)), strict=True):
            if len(own):
                found.setdefault(name, []).append(own)
    return {name: np.concatenate(own) for name, own in found.items()}


def _items(scores: ScoreRatings, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """One row an item: two scales of one screen have its time both."""
    same = np.ones(max(0, len(rows) - 1), bool)
    for column in (scores.rater, scores.system, scores.segment, scores.role, scores.seconds):
        same &= column[rows][1:] == column[rows][:-1]
    return np.asarray(rows[np.concatenate([np.ones(min(1, len(rows)), bool), ~same])], np.int64)


def _twofold(scores: ScoreRatings, sources: Mapping[str, str], role: ItemRole) -> dict[tuple[str, str], Twofold]:
    found: dict[tuple[str, str], Twofold] = {}
    for scale, source in sources.items():
        twice = rated_twice(scores, source, role)
        raters = len(scores.raters)
        firsts, agains = (parts(twice.rater, values, raters) for values in (twice.first, twice.again))
        for rater, first, again in zip(scores.raters, firsts, agains, strict=True):
            if len(first):
                found[rater, scale] = Twofold(first, again)
    return found
