"""Reproducible random numbers from a seed and a secret, identical in all versions."""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats

Item = TypeVar("Item")
Uint64s = NDArray[np.uint64]
SECRET_BYTES = 32
"""Length of a secret: 256 bits."""
_WORDS_PER_BLOCK = 8
"""Number of 64-bit words per block of the keyed stream."""


def new_secret() -> bytes:
    """Return a secret for a new campaign, from the random source of the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


class _ByteStream(Protocol):
    def random_raw(self, size: int) -> Uint64s: ...


class _KeyedStream:
    """BLAKE2b over a counter, keyed by a secret: past output does not predict future output."""

    def __init__(self, secret: bytes, seed: int, purpose: Sequence[str | int]) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        serialized_purpose = json.dumps([str(part) for part in (seed, *purpose)]).encode()
        self._key = blake2b(serialized_purpose, key=secret, person=b"qe draws").digest()
        self._blocks = count()
        self._unused_words = np.zeros(0, np.uint64)

    def random_raw(self, size: int) -> Uint64s:
        """Return the next words, shape (size,)."""
        missing_words = max(0, size - len(self._unused_words))
        new_bytes = b"".join(
            blake2b(next(self._blocks).to_bytes(8, "little"), key=self._key).digest()
            for _ in range(-(-missing_words // _WORDS_PER_BLOCK))
        )
        words = np.concatenate([self._unused_words, np.frombuffer(new_bytes, "<u8").astype(np.uint64)])
        self._unused_words = words[size:]
        return words[:size]


class RandomStream:
    """Stream of random numbers for one purpose.

    A stream with a `secret` cannot be reproduced without the secret. A stream without a secret, as in the first
    campaigns, depends on the seed alone. It uses only the raw bits of PCG64, which numpy guarantees to be stable (NEP
    19). Streams of different purposes are independent. Raises ValueError if there is a secret that does not have
    `SECRET_BYTES` bytes.
    """

    def __init__(self, seed: int, *purpose: str | int, secret: bytes = b"") -> None:
        if secret:
            self._bits: _ByteStream = _KeyedStream(secret, seed, purpose)
        else:
            purpose_hashes = [zlib.crc32(str(part).encode()) for part in purpose]
            self._bits = np.random.PCG64(np.random.SeedSequence([seed, *purpose_hashes]))

    def randbelow(self, count: int) -> int:
        """Return a whole number 0..count-1, uniformly distributed."""
        return int(self._bits.random_raw(1)[0]) * count >> 64

    def random(self) -> float:
        """Return a random number x, 0 ≤ x < 1."""
        return float(int(self._bits.random_raw(1)[0]) >> 11) / 2.0**53

    def random_array(self, count: int) -> Floats:
        """Return `count` random numbers x, 0 ≤ x < 1, shape (count,)."""
        raw = np.asarray(self._bits.random_raw(count), np.uint64)
        return (raw >> np.uint64(11)).astype(np.float64) / 2.0**53

    def permutation(self, count: int) -> list[int]:
        """Return 0..count-1 in random order."""
        if count < 2:
            return list(range(count))
        permutation: list[int] = np.argsort(self._bits.random_raw(count), kind="stable").tolist()
        return permutation

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the same objects in random order."""
        return [items[index] for index in self.permutation(len(items))]


@dataclass(frozen=True, slots=True)
class CampaignRandom:
    """Source of a campaign's random numbers: the owner's seed and secret.

    The secret is empty in campaigns created before secrets were introduced.
    """

    seed: int
    secret: bytes = field(default=b"", repr=False)

    def stream(self, *purpose: str | int) -> RandomStream:
        """Return the stream for a purpose."""
        return RandomStream(self.seed, *purpose, secret=self.secret)
