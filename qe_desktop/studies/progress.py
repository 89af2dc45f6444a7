"""Telling of long work that has parts: whoever watches hears of one whole, and may stop it by raising."""

from __future__ import annotations

from qe_desktop.significance.randomization import OnRandomisation


def subtask(watch: OnRandomisation | None, parts: int, place: int) -> OnRandomisation | None:
    """One who hears of a part of the work, the one at `place` of so many that take alike, and tells of all of it."""
    if watch is None:
        return None
    return lambda done, total: watch(place * total + done, parts * total)
