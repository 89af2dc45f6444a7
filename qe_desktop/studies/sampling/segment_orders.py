"""Random orders of the wrong segments from which data sets are cut, and the shares of errors that orders can reach.

The paper samples from the pool of all wrong segments of all systems. A random order of segments, each with a randomly
selected system, is equivalent to a sample from the pool in which repeated segments are skipped. The pool has K items
for a segment, one for each system with a wrong tag in the segment, and each of them is equally likely to be sampled
first. Items sorted by random exponential keys are in random order. The smallest of the K keys of a segment, which is
the key of its first item, is distributed as an exponential key divided by K.
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
"""Number of standard deviations by which orders sampled with replacement must be expected to exceed a share."""
SHARE_BISECTIONS = 20
"""Number of steps of the search for the highest share that orders sampled with replacement reach."""
MAX_ORDER_FACTOR = 32
"""Maximum length of orders sampled with replacement, as a multiple of the number of segments."""


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

        Results for a seed depend on this number and on the sequence of calls of the random generator in `draw`.
        """
        return max(1, min(64, (1 << 17) // self.length))

    def draw(self, generator: np.random.Generator) -> NDArray[np.int32]:
        """Return a block of random orders as indices of items in the pool, shape (block, length)."""
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
    result = _sample_with_replacement(pool, options) if options.repeated else _sample_without_replacement(pool, options)
    if isinstance(result, SampleOrders):
        return result
    reached = f"{math.floor(10_000 * result) / 100:.2f}"
    message = tr(
        "an error rate of {share} % is not possible; samples of these systems' errors reach only {reached} %",
        share=format_share(highest), reached=reached,
    )  # fmt: skip
    hint, command_hint = tr("Use lower error rates, or systems with more errors."), ""
    if options.mixing == "one":
        command_hint = tr("Use lower error rates, systems with more errors, or --mixing many.")
    raise QeError(message, hint=hint, command_hint=command_hint)


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
    lengths = np.asarray([_required_draws(pool, group, share) if len(group) else 0 for group in items], np.int64)
    systems = np.flatnonzero(lengths)
    if not len(systems):
        return max(_reachable_share(pool, group, share) for group in items if len(group))
    is_one_system = options.mixing == "one"
    return SampleOrders(
        pool, systems, int(lengths.max()), begins, counts, listed, is_single_system=is_one_system, repeated=True
    )


def _reachable_share(pool: ErrorPool, items: Ints, unreachable: float) -> float:
    """Return approximately the highest share below `unreachable` that has a number of draws (`_required_draws`)."""
    reachable = 0.0
    for _ in range(SHARE_BISECTIONS):
        middle = (reachable + unreachable) / 2
        if _required_draws(pool, items, middle):
            reachable = middle
        else:
            unreachable = middle
    return reachable


def _required_draws(pool: ErrorPool, items: Ints, share: float) -> int:
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
