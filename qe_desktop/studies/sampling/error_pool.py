"""Pool of the wrong segments of all systems; in a data set, rows of wrong segments replace rows of gold segments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import WORD_METRICS, Metric, metric_families
from qe_desktop.metrics.tags.word_f1_mcc import WORDS


@dataclass(frozen=True, slots=True, eq=False)
class ErrorPool:
    """Wrong segments of all systems: one item for each system and wrongly tagged segment, ordered by segment.

    `changes` (items + 1, columns) is the amount by which an item changes the sums of the metric columns listed in
    `changing_columns` when it replaces the gold segment. `repeat_changes` is the amount for an item whose segment is
    already in the data set; it has no rows if segments are not repeated. `errors` and `lengths` (items + 1,) are the
    numbers of wrong tags and of all tags in an item. The last row of these arrays is an empty item, which changes
    nothing. `segment` and `system` (items,) identify an item. `gold` has the sums of the gold's own rows, with the
    columns of all families joined, and `tags` is the number of tags in the gold.
    """

    metrics: tuple[str, ...]
    gold: Floats
    changing_columns: Ints
    changes: Floats
    repeat_changes: Floats
    errors: Ints
    lengths: Ints
    segment: Ints
    system: Ints
    tags: int
    segments: int
    systems: tuple[str, ...]

    @property
    def items(self) -> int:
        """Number of items, without the empty item."""
        return len(self.segment)

    def scores(self, moved: Floats) -> Floats:
        """Return scores (metrics, …) for sums that differ from the sums of the gold by `moved` (…, columns)."""
        totals = np.broadcast_to(self.gold, (*moved.shape[:-1], len(self.gold))).copy()
        totals[..., self.changing_columns] += moved
        metrics = [WORD_METRICS[name] for name in self.metrics]
        parts = _parts(metrics)
        return np.stack([metric.finite_scores(totals[..., parts[metric.family.name]]) for metric in metrics])


def build_error_pool(scoring: Scoring, metrics: Sequence[Metric], *, repeated: bool = False) -> ErrorPool:
    """Build the pool of the wrongly tagged segments of all systems.

    If segments are `repeated`, `changing_columns` also includes the columns that depend only on the gold. Raises
    QeError if the gold has no BAD tag, if no system has errors, or if a metric cannot be computed from single segments.
    """
    for metric in metrics:
        if metric.name not in WORD_METRICS or not metric.family.has_independent_rows:
            message = tr("{metric} cannot be computed from single segments", metric=metric.name)
            raise QeError(message, hint=tr("Use one of {names}.", names=", ".join(WORD_METRICS)))
    if not scoring.view.tags(scoring.reference).values.any():
        message = tr("the gold has no BAD tag, so there is nothing to detect")
        raise QeError(message, hint=tr("Use gold tags that include BAD, or tags of another kind."))
    families = metric_families(metrics)
    counted = families if WORDS in families else [*families, WORDS]
    # the gold's rows are those of a system identical to the gold
    gold = replace(scoring, subjects=(scoring.reference,)).rows(counted)
    rows = scoring.rows(counted)
    wrong = _errors(rows[WORDS.name])
    segment, system = np.nonzero(wrong.T)
    if not len(segment):
        message = tr("no system has a wrong tag, so there are no errors to sample")
        raise QeError(message, hint=tr("Use the systems' own tags, not the gold's."))
    column_masks = [np.full(len(family.columns), repeated) for family in families]
    for flags, family in zip(column_masks, families, strict=True):
        flags[list(family.system_columns)] = True
    moving = np.flatnonzero(np.concatenate(column_masks))
    wholes = np.concatenate([rows[family.name][system, segment] for family in families], axis=-1, dtype=np.float64)
    replaced = np.concatenate([gold[family.name][0] for family in families], axis=-1, dtype=np.float64)
    tags = rows[WORDS.name][0, :, 3].astype(np.int64)
    return ErrorPool(
        metrics=tuple(metric.name for metric in metrics),
        gold=replaced.sum(axis=0),
        changing_columns=moving,
        changes=_append_zeros((wholes - replaced[segment])[:, moving]),
        repeat_changes=_append_zeros(wholes[:, moving]) if repeated else np.zeros((0, len(moving))),
        errors=_append_zeros(wrong[system, segment]),
        lengths=_append_zeros(tags[segment]),
        segment=segment,
        system=system,
        tags=int(tags.sum()),
        segments=len(tags),
        systems=scoring.names,
    )


def _errors(rows: NDArray[np.floating]) -> Ints:
    """Return the number of wrong tags of each system and segment: false alarms and misses."""
    return np.asarray(rows[..., 1] + rows[..., 2] - rows[..., 0], np.int64)


def _append_zeros(values: NDArray[Any]) -> NDArray[Any]:
    # products of sparse matrices would copy an array in another order
    return np.ascontiguousarray(np.concatenate([values, np.zeros((1, *values.shape[1:]), values.dtype)]))


def _parts(metrics: Sequence[Metric]) -> Mapping[str, slice]:
    """Return the slice of each family's columns in the joined columns of all families, by family name."""
    results, begin = {}, 0
    for family in metric_families(metrics):
        results[family.name] = slice(begin, begin + len(family.columns))
        begin += len(family.columns)
    return results


CERTAIN_DEVIATIONS = 6.0
"""Number of standard deviations by which orders sampled with replacement must be expected to exceed a share."""
SHARE_BISECTIONS = 20
"""Number of steps of the search for the highest share that orders sampled with replacement reach."""
MAX_ORDER_FACTOR = 32
"""Maximum length of orders sampled with replacement, as a multiple of the number of segments."""


def reachable_share(pool: ErrorPool, items: Ints, unreachable: float) -> float:
    """Return approximately the highest share below `unreachable` for which `required_draws` finds a number."""
    reachable = 0.0
    for _ in range(SHARE_BISECTIONS):
        middle = (reachable + unreachable) / 2
        if required_draws(pool, items, middle):
            reachable = middle
        else:
            unreachable = middle
    return reachable


def required_draws(pool: ErrorPool, items: Ints, share: float) -> int:
    """Return a number of draws with replacement that almost certainly reaches `share` (0 to 1).

    The result is 0 if the number would exceed the maximum (see `MAX_ORDER_FACTOR`).
    """
    errors, lengths = pool.errors[items], pool.lengths[items]
    surplus = errors - share * lengths
    _, first_indices, counts = np.unique(pool.segment[items], return_index=True, return_counts=True)
    unique_lengths, odds = lengths[first_indices], counts / len(items)
    draws = 16
    while draws <= MAX_ORDER_FACTOR * pool.segments + 16:
        expected_length = float((unique_lengths * (1 - (1 - odds) ** draws)).sum())
        expected = draws * surplus.mean() + share * (expected_length - pool.tags)
        if expected > CERTAIN_DEVIATIONS * math.sqrt(draws) * (surplus.std() + share * lengths.mean()):
            return draws
        draws += max(1, draws // 8)
    return 0
