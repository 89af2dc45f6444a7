"""Context manager that pauses garbage collection while many objects are created."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection: parsing creates many long-lived, acyclic objects, and scanning them wastes time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            # moves the new objects to the oldest generation, so that the next collection does not delay the caller
            gc.freeze()
            gc.unfreeze()
            gc.enable()
