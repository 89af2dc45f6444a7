"""Random swap masks and resampling weights that depend on the seed alone, not on threads or chunks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

ROUNDS_PER_BLOCK = 128
"""Rounds drawn from one generator. Part of what a seed means: changing it changes all results within their error."""


def round_blocks(rounds: int) -> Iterator[tuple[int, int]]:
    """The blocks (number, rounds in it) that make up `rounds`."""
    return (
        (number, min(ROUNDS_PER_BLOCK, rounds - first))
        for number, first in enumerate(range(0, rounds, ROUNDS_PER_BLOCK))
    )


def swap_bits(seed: int, block: int, rounds: int, units: int) -> NDArray[np.uint8]:
    """Fair coin flips of one block, packed eight to a byte, shape (rounds, ceil(units / 8))."""
    width = -(-units // 8)
    # the bytes that Generator.bytes gives, in half the time
    drawn = np.random.SFC64([seed, block]).random_raw(-(-rounds * width // 8))
    return drawn.astype("<u8", copy=False).view(np.uint8)[: rounds * width].reshape(rounds, width)


def unpack_flips(bits: NDArray[np.uint8], first: int, last: int) -> NDArray[np.float32]:
    """The flips of units `first` (a multiple of 8) to `last` as 0 and 1, shape (rounds, last - first)."""
    return np.unpackbits(bits[:, first // 8 :], axis=1, count=last - first).astype(np.float32)


def enumerated_bits(block: int, rounds: int, units: int) -> NDArray[np.uint8]:
    """Masks number `block` · BLOCK and following of all 2^units, packed as `swap_bits` packs them."""
    numbers = np.arange(block * ROUNDS_PER_BLOCK, block * ROUNDS_PER_BLOCK + rounds, dtype=np.uint64)[:, None]
    return np.packbits((numbers >> np.arange(units, dtype=np.uint64)) & np.uint64(1) == 1, axis=1)


def resampling_weights(seed: int, block: int, rounds: int, units: int) -> NDArray[np.float64]:
    """How often each unit is drawn when as many are drawn with replacement, shape (rounds, units)."""
    generator = np.random.Generator(np.random.SFC64([seed, block, 1]))
    drawn = generator.integers(0, units, (rounds, units), dtype=np.int64)
    drawn += np.arange(rounds)[:, None] * units
    return np.bincount(drawn.ravel(), minlength=rounds * units).reshape(rounds, units).astype(np.float64)
