"""Random swap masks and resampling weights that depend only on the seed, not on threads or blocks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats

ROUNDS_PER_BLOCK = 128
"""Number of rounds per random generator. Changing this number changes results within their Monte Carlo error."""


def round_blocks(rounds: int) -> Iterator[tuple[int, int]]:
    """Yield the index and the number of rounds of each block; the numbers of rounds add up to `rounds`."""
    return (
        (number, min(ROUNDS_PER_BLOCK, rounds - first))
        for number, first in enumerate(range(0, rounds, ROUNDS_PER_BLOCK))
    )


def swap_bits(seed: int, block: int, rounds: int, units: int) -> NDArray[np.uint8]:
    """Return random bits of a block, one per round and unit, packed eight per byte, shape (rounds, ceil(units / 8))."""
    width = -(-units // 8)
    # the same bytes as Generator.bytes, in half the time
    words = np.random.SFC64([seed, block]).random_raw(-(-rounds * width // 8))
    return words.astype("<u8", copy=False).view(np.uint8)[: rounds * width].reshape(rounds, width)


def unpack_flips(bits: NDArray[np.uint8], first: int, last: int) -> NDArray[np.uint8]:
    """Return the bits of units `first` to `last` - 1 as 0 or 1, shape (rounds, last - first).

    `bits` are packed as in `swap_bits`; `first` must be a multiple of 8.
    """
    return np.unpackbits(bits[:, first // 8 :], axis=1, count=last - first)


def enumerated_bits(block: int, rounds: int, units: int) -> NDArray[np.uint8]:
    """Return the masks of one block of the enumeration of all 2^`units` masks, packed as in `swap_bits`."""
    numbers = np.arange(block * ROUNDS_PER_BLOCK, block * ROUNDS_PER_BLOCK + rounds, dtype=np.uint64)[:, None]
    return np.packbits((numbers >> np.arange(units, dtype=np.uint64)) & np.uint64(1) == 1, axis=1)


def resampling_weights(seed: int, first: int, rounds: int, units: int) -> Floats:
    """Return how often each unit is sampled in `rounds` bootstrap resamples, starting at index `first`.

    The result has shape (rounds, units). Each resample has its own generator, so the weights of a resample do not
    depend on the number of resamples.
    """
    indices = np.empty((rounds, units), np.int64)
    for row in range(rounds):
        generator = np.random.Generator(np.random.SFC64([seed, first + row, 1]))
        indices[row] = generator.integers(0, units, units)
    indices += np.arange(rounds)[:, None] * units
    return np.bincount(indices.ravel(), minlength=rounds * units).reshape(rounds, units).astype(np.float64)
