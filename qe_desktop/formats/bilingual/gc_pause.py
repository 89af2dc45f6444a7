"""Reading and making columns without looking for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Many small values are made that stay, none of which leads back to itself: looking through them all is in vain."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            # what stays is old at once: it is looked through when all is, and not while the reader waits
            gc.freeze()
            gc.unfreeze()
            gc.enable()
