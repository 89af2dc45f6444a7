"""What was counted of single segments, kept by the texts it was counted of, so that one edit counts one segment anew.

What is kept hangs on its key alone, which holds all that goes into it: nothing here can be out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Generic, TypeVar

from qe_desktop.metrics.counting import ShareWatch

MOST = 100_000
"""Segments of which something is kept at the most."""
BLOCK = 1024
"""Segments counted in one go: what is stopped in between has these at least."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Known(Generic[Key, Value]):
    """Values of the keys that were asked for last. Several threads may ask at once."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._values: dict[Key, Value] = {}

    def of(
        self, keys: Sequence[Key], count: Callable[[list[Key]], Sequence[Value]], watch: ShareWatch | None = None
    ) -> list[Value]:
        """The value of each key; `count` gives those of some that are not known, each for itself.

        `watch` hears the share done, and may raise to stop. What is not among the keys is forgotten.
        """
        before = self._values
        found = {key: before[key] for key in keys if key in before}
        missing = [key for key in dict.fromkeys(keys) if key not in found]
        try:
            for first in range(0, len(missing), BLOCK):
                block = missing[first : first + BLOCK]
                found.update(zip(block, count(block), strict=True))
                if watch is not None:
                    watch(min(1.0, (first + BLOCK) / len(missing)))
        finally:
            self._values = found if len(found) <= self._most else dict(islice(found.items(), self._most))
        return [found[key] for key in keys]
