"""Progress of work in several parts, reported as a whole; a callback stops the work by raising."""

from __future__ import annotations

from qe_desktop.significance.randomization import OnRandomization


def subtask(watch: OnRandomization | None, parts: int, place: int) -> OnRandomization | None:
    """Return a progress callback for subtask `place` of `parts` equal subtasks; None if `watch` is None."""
    if watch is None:
        return None
    return lambda done, total: watch(place * total + done, parts * total)
