"""Random orders in which data sets take wrong segments from systems, and the shares of errors that they reach.

The paper samples from all wrong segments of all systems. An order of segments with one system each is equivalent to
sampling from that pool and skipping repeated segments. Of the K items of a segment, each is the first with equal
probability. The key of the first item, the smallest of K exponential keys, is distributed as an exponential key divided
by K.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.sampling.error_pool import ErrorPool
from qe_desktop.studies.sampling.sampling_options import SamplingOptions, format_share

CERTAIN_DEVIATIONS = 6.0
"""Number of standard deviations by which orders with replacement are expected to exceed their share."""
MAX_ORDER_FACTOR = 32
"""Maximum length of orders with replacement, as a multiple of the number of segments."""


@dataclass(frozen=True, slots=True, eq=False)
class SampleOrders:
    """Sampling frame for orders.

    If each data set uses a single system (`is_single_system`), `systems` are the indices of the systems whose errors
    suffice. Otherwise, they are the indices of all systems or, if segments are `repeated`, 0 for the group of all
    systems. `length` is the number of items of an order. `begins` and `counts` define the ranges of items from which
    positions of an order are sampled; `items` are the items.
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
        """Number of orders sampled at once; like the order of random calls in `draw`, it affects seeded results."""
        return max(1, min(64, (1 << 17) // self.length))

    def draw(self, generator: np.random.Generator) -> NDArray[np.int32]:
        """Return the items of a block of random orders, shape (block, length)."""
        if self.repeated:
            return self._with_replacement(generator)
        keys = generator.standard_exponential((self.block, self.length))
        if not self.is_single_system:
            keys /= self.counts
        fractions = generator.random((self.block, 1 if self.is_single_system else self.length))
        if self.is_single_system:
            offsets = self.systems[(fractions * len(self.systems)).astype(np.int64)] * self.length
            return np.asarray(self.items[offsets + _sort_carried(keys, np.arange(self.length))], np.int32)
        fractions *= self.counts
        chosen = fractions.astype(np.int64)
        chosen += self.begins
        return _sort_carried(keys, chosen, self.pool.items)

    def _with_replacement(self, generator: np.random.Generator) -> NDArray[np.int32]:
        # items of one system unless systems are mixed, else all
        systems = self.systems[(generator.random((self.block, 1)) * len(self.systems)).astype(np.int64)]
        fractions = generator.random((self.block, self.length))
        chosen = self.begins[systems] + (fractions * self.counts[systems]).astype(np.int64)
        return np.asarray(self.items[chosen], np.int32)


def _sort_carried(keys: Floats, carried: Ints, max_carried: int | None = None) -> NDArray[np.int32]:
    """Sort the integers `carried`, each at most `max_carried`, by positive keys along the last axis.

    The bits of positive floats sort like the numbers, so the lowest bits can hold the integers in a single sort.
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
    result = _sample_with_replacement(pool, options) if options.repeated else _sample_without_replacement(pool, options)
    if isinstance(result, SampleOrders):
        return result
    reached = f"{math.floor(10_000 * result) / 100:.2f}"
    message = tr(
        "an error rate of {share} % is not possible; the wrong segments of these systems reach only {reached} %",
        share=format_share(highest), reached=reached,
    )  # fmt: skip
    if options.mixing == "one":
        hint = tr("Use lower error rates or systems with more errors, or mix many systems.")
    else:
        hint = tr("Use lower error rates, or systems with more errors.")
    raise QeError(message, hint=hint)


def _sample_without_replacement(pool: ErrorPool, options: SamplingOptions) -> SampleOrders | float:
    """Return a frame for orders without repetition or, if the highest share is out of reach, the share reached."""
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
    """Return a sampling frame for orders with replacement, or the highest possible share if that is too low."""
    groups = pool.system if options.mixing == "one" else np.zeros(pool.items, np.int64)
    listed = np.argsort(groups, kind="stable")
    counts = np.bincount(groups, minlength=len(pool.systems) if options.mixing == "one" else 1)
    begins = np.cumsum(counts) - counts
    share = float(options.errors[-1]) / 100
    lengths = np.zeros(len(counts), np.int64)
    limits = np.zeros(len(counts))
    for group, (begin, count) in enumerate(zip(begins.tolist(), counts.tolist(), strict=True)):
        items = listed[begin : begin + count]
        if count:
            limits[group] = pool.errors[items].sum() / pool.lengths[items].sum()
            lengths[group] = _required_draws(pool, items, share)
    systems = np.flatnonzero(lengths)
    if not len(systems):
        return float(limits.max())
    is_one_system = options.mixing == "one"
    return SampleOrders(
        pool, systems, int(lengths.max()), begins, counts, listed, is_single_system=is_one_system, repeated=True
    )


def _required_draws(pool: ErrorPool, items: Ints, share: float) -> int:
    """Return how many draws with replacement almost certainly reach the share; 0 if more than the maximum."""
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
