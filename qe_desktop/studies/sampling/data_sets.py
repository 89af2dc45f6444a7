"""Data sets with specified error rates, each built from the first segments of a random order of wrong segments.

One order gives a data set for every share; the prefix for a smaller share is part of the prefix for a larger one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.sampling.error_pool import ErrorPool
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.segment_orders import SampleOrders, prepare_orders

MAX_SAMPLE_TRIES = 64
"""Maximum number of blocks of random orders; if none yields a data set, the error rates count as unreachable."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledSets:
    """Data sets for every share of errors, cut from random orders.

    `errors` and `tags`, the numbers of wrong tags and of all tags, have shape (sets, shares). `moved` (sets, shares,
    columns) is the sum of each metric column over a data set minus its sum over the gold. `redrawn` is the number of
    orders discarded because they ended before the highest share.
    """

    errors: Floats
    tags: Floats
    moved: Floats
    redrawn: int


@dataclass(frozen=True, slots=True, eq=False)
class DataSets:
    """Generator of data sets from an error pool."""

    pool: ErrorPool
    orders: SampleOrders
    options: SamplingOptions

    @classmethod
    def of(cls, pool: ErrorPool, options: SamplingOptions) -> DataSets:
        """Return a generator for `options`. Raises QeError if the pool has too few errors for the highest share."""
        return cls(pool, prepare_orders(pool, options), options)

    def draw(self, generator: np.random.Generator, count: int, check: CheckCancelled | None = None) -> SampledSets:
        """Return `count` data sets for each share; the generator's state determines the result.

        `check` may raise to stop. Raises QeError if almost no random order of the errors reaches the highest share.
        """
        parts: list[SampledSets] = []
        generated = 0
        while generated < count:
            if check is not None:
                check()
            parts.append(self.cut_orders(self.orders.draw(generator)))
            generated += len(parts[-1].errors)
            if not generated and len(parts) >= MAX_SAMPLE_TRIES:
                message = tr("random samples of these systems' errors hardly ever reach the highest error rate")
                raise QeError(message, hint=tr("Use lower error rates."))
        errors, tags, moved = (
            np.concatenate([getattr(part, name) for part in parts])[:count] for name in ("errors", "tags", "moved")
        )
        return SampledSets(errors, tags, moved, sum(part.redrawn for part in parts))

    def scores(
        self, generator: np.random.Generator, count: int, check: CheckCancelled | None = None
    ) -> tuple[Floats, int]:
        """Return scores of `count` data sets, shape (metrics, shares, sets), and the number of discarded orders.

        Raises QeError as `draw` does.
        """
        result = self.draw(generator, count, check)
        return np.ascontiguousarray(np.moveaxis(self.pool.scores(result.moved), 1, 2)), result.redrawn

    def cut_orders(self, orders: NDArray[np.int32]) -> SampledSets:
        """Return the data sets cut from `orders` of items, shape (orders, length).

        Orders that do not reach all shares are discarded and counted in `redrawn`.
        """
        errors = np.cumsum(self.pool.errors.take(orders), axis=1)
        is_repeated = _is_repeated(orders, self.pool) if self.orders.repeated else None
        extra_tags = (
            None if is_repeated is None else np.cumsum(np.where(is_repeated, self.pool.lengths.take(orders), 0), axis=1)
        )
        cuts = np.stack([self._cut_indices(errors, extra_tags, *ratio) for ratio in self.options.share_ratios], axis=1)
        complete = np.flatnonzero((cuts < orders.shape[1]).all(axis=1))
        redrawn = len(orders) - len(complete)
        orders, errors, cuts = orders[complete], errors[complete], cuts[complete]
        wrong = _sums_around_cuts(errors, cuts)
        tags = self.pool.tags + (
            np.zeros_like(wrong) if extra_tags is None else _sums_around_cuts(extra_tags[complete], cuts)
        )
        part = self._part(wrong, tags)
        table, table_rows = self.pool.changes, orders
        if is_repeated is not None:
            table = np.concatenate([table, self.pool.repeat_changes])
            table_rows = orders + np.where(is_repeated[complete], np.int32(len(self.pool.changes)), np.int32(0))
        last = np.take_along_axis(table_rows, cuts, 1)
        moved = _sums_before(table, table_rows, cuts) + part[..., None] * table[last]
        errors_of, tags_of = (before + part * (after - before) for before, after in (wrong, tags))
        return SampledSets(errors_of, tags_of, moved, redrawn)

    def _cut_indices(self, errors: Ints, more: Ints | None, part: int, denominator: int) -> Ints:
        """Return the index at which each order reaches the share `part / denominator` of errors, shape (orders,).

        For an order that does not reach the share, the index is the length of the order.
        """
        length = errors.shape[1]
        if more is None:
            # sums never decrease, so with offsets all orders form one ascending row for a single search
            needed = -(-part * self.pool.tags // denominator)
            before = np.arange(len(errors)) * (int(errors[:, -1].max(initial=0)) + needed + 1)
            row = (errors + before[:, None]).ravel()
            return np.asarray(np.searchsorted(row, before + needed) - np.arange(len(errors)) * length)
        is_reached = denominator * errors - part * (self.pool.tags + more) >= 0
        return np.asarray(np.where(is_reached.any(axis=1), is_reached.argmax(axis=1), length))

    def _part(self, wrong: Ints, tags: Ints) -> Floats:
        """Return the fraction of the last segment that each data set includes, shape (sets, shares).

        `wrong` and `tags` have shape (2, sets, shares): sums without the last segment, then sums with it.
        """
        if self.options.overshoot == "keep":
            return np.ones(wrong.shape[1:])
        parts, wholes = np.asarray(self.options.share_ratios, np.int64).T
        before, after = wholes * wrong - parts * tags
        if self.options.overshoot == "stop":
            return np.asarray(after == 0, np.float64)
        return np.asarray(before / (before - after))


def _is_repeated(orders: NDArray[np.int32], pool: ErrorPool) -> NDArray[np.bool_]:
    """Return a mask of the items whose segment occurs earlier in the same order."""
    segments = pool.segment[orders]
    rows = np.arange(len(orders))[:, None]
    positions = np.arange(orders.shape[1])
    first = np.zeros((len(orders), pool.segments), np.int64)
    # the last value of a repeated index must win; copies, because numpy may assign reversed views in any order
    first[rows, segments[:, ::-1].copy()] = np.broadcast_to(positions[::-1], orders.shape).copy()
    return np.asarray(first[rows, segments] != positions)


def _sums_around_cuts(sums: Ints, cuts: Ints) -> Ints:
    """Return running sums without and with the last item of each data set, in this order; shape (2, sets, shares)."""
    after = np.take_along_axis(sums, cuts, 1)
    before = np.where(cuts > 0, np.take_along_axis(sums, np.maximum(cuts - 1, 0), 1), 0)
    return np.stack([before, after])


def _sums_before(table: Floats, table_rows: NDArray[np.int32], cuts: Ints) -> Floats:
    """Return, for each order and cut, the sum of the rows before the cut, shape (orders, shares, columns)."""
    sets, length = table_rows.shape
    if not sets:
        return np.zeros((*cuts.shape, table.shape[1]))
    begins = np.arange(sets)[:, None] * length
    # pieces between cuts are rows of a sparse matrix; the piece after the last cut is one more row, which is dropped
    bounds = np.append(np.concatenate([begins, begins + cuts], axis=1).ravel(), table_rows.size).astype(np.int32)
    chosen = csr_array((np.ones(table_rows.size), table_rows.ravel(), bounds), shape=(len(bounds) - 1, len(table)))
    pieces = np.asarray(chosen @ table).reshape(sets, -1, table.shape[1])
    return np.asarray(pieces[:, :-1].cumsum(axis=1))
