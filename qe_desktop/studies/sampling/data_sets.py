"""Data sets with specified error rates, cut from random orders of the wrong segments of all systems.

One order gives a data set for every share: a prefix of the order, which is longer for a larger share.

The paper samples from the pool of all wrong segments of all systems. A random order of segments, each with a randomly
selected system, is equivalent to a sample from the pool in which repeated segments are skipped. The pool has K items
for a segment, one for each system with a wrong tag in the segment, and each of them is equally likely to be sampled
first. Items sorted by random exponential keys are in random order. The smallest of the K keys of a segment, which is
the key of its first item, is distributed as an exponential key divided by K.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, ROUND_FLOOR, Decimal
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.sampling.error_pool import ErrorPool, reachable_share, required_draws
from qe_desktop.studies.sampling.sampling_options import SHARE_DECIMALS, SamplingOptions, format_share

BLOCKS_PER_STEP = 2
"""Maximum number of blocks of random orders cut at once; with larger steps, threads wait less often for each other."""
MAX_SAMPLE_TRIES = 64
"""Maximum number of blocks of random orders; if none yields a data set, the error rates count as unreachable."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledSets:
    """Data sets for every share of errors, cut from random orders.

    `errors` and `tags`, the numbers of wrong tags and of all tags, have shape (sets, shares). `moved` (sets, shares,
    columns) is the sum of each column in `ErrorPool.changing_columns` over a data set minus its sum over the gold.
    `redrawn` is the number of orders discarded because they ended before the highest share.
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
        """Return a generator for `options`, with lower shares if `lowers_errors` is true and `pool` requires them.

        Raises QeError if the pool has too few errors for the highest share.
        """
        options = lower_error_shares(pool, options) if options.lowers_errors else options
        return cls(pool, prepare_orders(pool, options), options)

    def draw(self, generator: np.random.Generator, count: int, check: CheckCancelled | None = None) -> SampledSets:
        """Return `count` data sets for each share; the generator's state determines the result.

        `check` may raise to stop. Raises QeError if almost no random order of the errors reaches the highest share.
        """
        parts: list[SampledSets] = []
        generated = tries = 0
        while generated < count:
            if check is not None:
                check()
            blocks = min(BLOCKS_PER_STEP, -(-(count - generated) // self.orders.block))
            parts.append(self.cut_orders(self.orders.draw(generator, blocks)))
            generated += len(parts[-1].errors)
            tries += blocks
            if not generated and tries >= MAX_SAMPLE_TRIES:
                message = tr("random samples of these systems' errors hardly ever reach the highest error rate")
                hint, command_hint = tr("Use lower rates under “Errors in %”."), tr("Use lower error rates.")
                raise QeError(message, hint=hint, command_hint=command_hint)
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
        errors = _RunningSums.of(self.pool.errors.take(orders))
        is_repeated = _is_repeated(orders, self.pool) if self.orders.repeated else None
        extra_tags = None
        if is_repeated is not None:
            extra_tags = _RunningSums.of(np.where(is_repeated, self.pool.lengths.take(orders), 0))
        cuts = self._cut_indices(errors, extra_tags)
        complete = np.flatnonzero((cuts < orders.shape[1]).all(axis=1))
        redrawn = len(orders) - len(complete)
        if redrawn:
            orders, cuts = orders[complete], cuts[complete]
        wrong = errors.around_cuts(cuts, complete)
        tags = self.pool.tags + (np.zeros_like(wrong) if extra_tags is None else extra_tags.around_cuts(cuts, complete))
        part = self._part(wrong, tags)
        table, table_rows = self.pool.changes, orders
        if is_repeated is not None:
            table = np.concatenate([table, self.pool.repeat_changes])
            table_rows = orders + np.where(is_repeated[complete], np.int32(len(self.pool.changes)), np.int32(0))
        last = np.take_along_axis(table_rows, cuts, 1)
        moved = _sums_before(table, table_rows, cuts) + part[..., None] * table[last]
        errors_of, tags_of = (before + part * (after - before) for before, after in (wrong, tags))
        return SampledSets(errors_of, tags_of, moved, redrawn)

    def _cut_indices(self, errors: _RunningSums, extra_tags: _RunningSums | None) -> Ints:
        """Return the index at which each order reaches each share of errors, shape (orders, shares).

        For an order that does not reach the share, the index is the length of the order.
        """
        orders, length = errors.total.shape
        ratios = self.options.share_ratios
        if extra_tags is None:
            needed = np.asarray([-(-part * self.pool.tags // denominator) for part, denominator in ratios])
            # sums never decrease, and those of an order continue those of the previous one: a single search suffices
            indices = np.searchsorted(errors.total.ravel(), errors.start + needed)
            return np.asarray(np.minimum(indices - np.arange(0, orders * length, length)[:, None], length))
        wrong, tags = errors.of_orders, self.pool.tags + extra_tags.of_orders
        is_reached = [denominator * wrong - part * tags >= 0 for part, denominator in ratios]
        return np.stack([np.where(flags.any(axis=1), flags.argmax(axis=1), length) for flags in is_reached], axis=1)

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


@dataclass(frozen=True, slots=True, eq=False)
class _RunningSums:
    """Running sums along orders: `total` (orders, length) continues over all orders.

    `start` (orders, 1) is the total before each order.
    """

    total: Ints
    start: Ints

    @classmethod
    def of(cls, values: Ints) -> _RunningSums:
        """Return the running sums of `values`, shape (orders, length)."""
        # numpy releases the interpreter lock for sums along the only axis, but not for those along one of several
        total = np.cumsum(values.ravel()).reshape(values.shape)
        return cls(total, np.concatenate([[0], total[:-1, -1]])[:, None])

    @property
    def of_orders(self) -> Ints:
        """Sums that restart in each order, shape (orders, length)."""
        return self.total - self.start

    def around_cuts(self, cuts: Ints, orders: Ints) -> Ints:
        """Return the sums of some orders without and with the item at each cut, shape (2, orders, shares)."""
        rows, start = orders[:, None], self.start[orders]
        before = np.where(cuts > 0, self.total[rows, np.maximum(cuts - 1, 0)], start)
        return np.stack([before, self.total[rows, cuts]]) - start


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


@dataclass(frozen=True, slots=True, eq=False)
class SampleOrders:
    """Sampling frame for orders of `length` items of a pool.

    If each data set uses a single system (`is_single_system`), `systems` are the indices of the systems that have
    enough errors for the highest share. Otherwise, `systems` are the indices of all systems or, if segments are
    `repeated`, a single 0 for the group of all systems. `items` are indices of items in the pool. `begins` and `counts`
    are the starts and lengths of the ranges in `items` from which the items of an order are sampled. For a single
    system without repeated segments, both are empty, and `items` has one entry for each system and segment.
    """

    pool: ErrorPool
    systems: Ints
    length: int
    begins: Ints
    counts: Ints
    items: Ints
    is_single_system: bool
    repeated: bool

    @property
    def block(self) -> int:
        """Number of orders sampled at once.

        Results for a seed depend on this number and on the sequence of calls to the random generator in `draw`.
        """
        return max(1, min(64, (1 << 17) // self.length))

    def draw(self, generator: np.random.Generator, blocks: int = 1) -> NDArray[np.int32]:
        """Return blocks of random orders as indices of items in the pool, shape (blocks × block, length)."""
        if self.repeated:
            return self._with_replacement(generator, blocks)
        keys = np.empty((blocks * self.block, self.length))
        fractions = np.empty((len(keys), 1 if self.is_single_system else self.length))
        for begin in range(0, len(keys), self.block):
            # items sorted by keys are in random order
            generator.standard_exponential(out=keys[begin : begin + self.block])
            generator.random(out=fractions[begin : begin + self.block])
        if self.is_single_system:
            offsets = self.systems[(fractions * len(self.systems)).astype(np.int64)] * self.length
            return np.asarray(self.items[offsets + _sort_carried(keys, np.arange(self.length))], np.int32)
        keys /= self.counts  # distributed as the smallest key of the items of a segment
        fractions *= self.counts
        chosen = fractions.astype(np.int64)
        chosen += self.begins
        return _sort_carried(keys, chosen, self.pool.items)

    def _with_replacement(self, generator: np.random.Generator, blocks: int) -> NDArray[np.int32]:
        fractions = np.empty((blocks * self.block, self.length))
        system_fractions = np.empty((len(fractions), 1))
        for begin in range(0, len(fractions), self.block):
            generator.random(out=system_fractions[begin : begin + self.block])
            generator.random(out=fractions[begin : begin + self.block])
        # all items if systems are mixed, otherwise items of one system
        systems = self.systems[(system_fractions * len(self.systems)).astype(np.int64)]
        chosen = self.begins[systems] + (fractions * self.counts[systems]).astype(np.int64)
        return np.asarray(self.items[chosen], np.int32)


def _sort_carried(keys: Floats, carried: Ints, max_carried: int | None = None) -> NDArray[np.int32]:
    """Return the integers `carried`, sorted by the positive `keys` along the last axis; `keys` is overwritten.

    The integers are at most `max_carried` (default: the length of the last axis). Positive floats have the same order
    as their bit patterns, so the integers are stored in the lowest bits of the keys, and one sort is sufficient.
    """
    bits = int(max_carried if max_carried is not None else keys.shape[-1]).bit_length()
    mask = np.uint64((1 << bits) - 1)
    packed = keys.view(np.uint64)
    packed &= ~mask
    packed |= carried.astype(np.uint64)
    packed.sort(axis=-1)
    packed &= mask
    return packed.astype(np.int32)


def prepare_orders(pool: ErrorPool, options: SamplingOptions) -> SampleOrders:
    """Return the sampling frame. Raises QeError if the pool has too few errors for the highest share in `options`."""
    highest = options.errors[-1]
    result = _orders_or_reached_share(pool, options)
    if isinstance(result, SampleOrders):
        return result
    reached = f"{math.floor(10_000 * result) / 100:.2f}"
    message = tr(
        "an error rate of {share} % is not possible; samples of these systems' errors reach only {reached} %",
        share=format_share(highest), reached=reached,
    )  # fmt: skip
    hint = tr("Use lower rates under “Errors in %”, or systems with more errors.")
    command_hint = tr("Use lower error rates, or systems with more errors.")
    if options.mixing == "one":
        command_hint = tr("Use lower error rates, systems with more errors, or --mixing many.")
    raise QeError(message, hint=hint, command_hint=command_hint)


def _orders_or_reached_share(pool: ErrorPool, options: SamplingOptions) -> SampleOrders | float:
    """Return the sampling frame or, if orders cannot reach the highest share, the share (0 to 1) that they reach."""
    return _sample_with_replacement(pool, options) if options.repeated else _sample_without_replacement(pool, options)


LOWERED_PORTION = Decimal("0.9")
"""Highest share after lowering, as a portion of the share that orders reach; below 1, so that most orders reach it."""


def lower_error_shares(pool: ErrorPool, options: SamplingOptions) -> SamplingOptions:
    """Return `options` with lower shares if samples of the errors in `pool` cannot reach the highest share.

    All shares are lowered by the same amount, so that their differences remain, and the lowest becomes a whole
    percentage. If the errors are too few for that, all shares are divided by the same number. If shares would then be
    0 or equal, `options` is returned unchanged.
    """
    result = _orders_or_reached_share(pool, options)
    if isinstance(result, SampleOrders):
        return options
    top = Decimal(100 * result) * LOWERED_PORTION
    shares, highest = options.errors, options.errors[-1]
    lowest = (top - (highest - shares[0])).to_integral_value(ROUND_FLOOR)
    if lowest >= 1:
        return replace(options, errors=tuple(lowest + (share - shares[0]) for share in shares))
    unit = Decimal(1).scaleb(-SHARE_DECIMALS)
    scaled = tuple((share / highest * top).quantize(unit, ROUND_DOWN) for share in shares)
    return replace(options, errors=scaled) if len(set(scaled)) == len(scaled) and scaled[0] > 0 else options


def _sample_without_replacement(pool: ErrorPool, options: SamplingOptions) -> SampleOrders | float:
    """Return a sampling frame for orders sampled without replacement.

    If such orders cannot reach the highest share in `options`, return the share (0 to 1) that they can reach.
    """
    part, denominator = options.share_ratios[-1]
    make = partial(SampleOrders, pool, is_single_system=options.mixing == "one", repeated=False)
    if options.mixing == "one":
        totals = np.bincount(pool.system, pool.errors[:-1], len(pool.systems)).astype(np.int64)
        systems = np.flatnonzero(totals * denominator >= part * pool.tags)
        if not len(systems):
            return float(totals.max() / pool.tags)
        # the item of each system and segment, or the empty item
        listed = np.full((len(pool.systems), pool.segments), pool.items)
        listed[pool.system, pool.segment] = np.arange(pool.items)
        empty = np.zeros(0, np.int64)
        return make(systems, pool.segments, empty, empty, listed.ravel())
    _, begins, counts = np.unique(pool.segment, return_index=True, return_counts=True)
    # an order has one item per segment, so the expected errors are the sum of means by segment
    expected_errors = float((np.add.reduceat(pool.errors[:-1], begins) / counts).sum())
    if expected_errors * denominator < part * pool.tags:
        return expected_errors / pool.tags
    return make(np.arange(len(pool.systems)), len(begins), begins, counts, np.arange(pool.items))


def _sample_with_replacement(pool: ErrorPool, options: SamplingOptions) -> SampleOrders | float:
    """Return a sampling frame for orders sampled with replacement.

    If such orders cannot reach the highest share in `options`, return the share (0 to 1) that they almost certainly
    reach.
    """
    groups = pool.system if options.mixing == "one" else np.zeros(pool.items, np.int64)
    listed = np.argsort(groups, kind="stable")
    counts = np.bincount(groups, minlength=len(pool.systems) if options.mixing == "one" else 1)
    begins = np.cumsum(counts) - counts
    share = float(options.errors[-1]) / 100
    items = [listed[begin : begin + count] for begin, count in zip(begins.tolist(), counts.tolist(), strict=True)]
    lengths = np.asarray([required_draws(pool, group, share) if len(group) else 0 for group in items], np.int64)
    systems = np.flatnonzero(lengths)
    if not len(systems):
        return max(reachable_share(pool, group, share) for group in items if len(group))
    is_one_system = options.mixing == "one"
    return SampleOrders(
        pool, systems, int(lengths.max()), begins, counts, listed, is_single_system=is_one_system, repeated=True
    )
