"""Flagged words and segments: words that systems tag BAD at their current thresholds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, ReviewStatus, TagColumn, View

WEAK_SUSPICION, STRONG_SUSPICION = 1, 2
"""Levels of suspicion: at least one but at most half of the systems tag a word BAD, or more than half do."""
FINISHED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.LOCKED)
"""Statuses that require no further work."""
_UNFINISHED = np.ones(256, bool)
_UNFINISHED[list(FINISHED_STATUSES)] = False


def suspecting_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Return the layers whose tags flag words: those of all systems or, if there are none, the gold layer."""
    keys = view.tracks(kind)
    systems = [key for key in keys if key.provenance is Provenance.SYSTEM]
    return systems or [key for key in keys if key.provenance is Provenance.GOLD]


def suspecting_tags(view: View) -> list[TagColumn]:
    """Return the tag columns of words and gaps that flag segments; unchanged columns are the same objects."""
    return [view.tags(key) for kind in (Kind.WORDS, Kind.GAPS) for key in suspecting_layers(view, kind)]


def suspect_segments(view: View) -> NDArray[np.bool_]:
    """Return the segments with a flagged word or gap, whatever their status, as a mask of shape (segments,)."""
    flagged = np.zeros(view.corpus.size, bool)
    for tags in suspecting_tags(view):
        flagged |= tags.bad_segments()
    return flagged


def unfinished_segments(view: View) -> NDArray[np.bool_]:
    """Return the segments that are not confirmed, rejected or locked, as a mask of shape (segments,)."""
    return _UNFINISHED[view.statuses()]


def segments_with_notes(view: View) -> NDArray[np.bool_]:
    """Return the segments with a note, from the user or the file, as a mask of shape (segments,)."""
    job = view.corpus.job
    with_notes = np.zeros(view.corpus.size, bool) if job is None else job.noted.copy()
    for segment, note in view.review.notes.items():
        # an empty note removes that of the file
        with_notes[segment] = bool(note) or (job is not None and segment in job.notes)
    return with_notes


def word_suspicion(view: View, segment: int) -> NDArray[np.uint8]:
    """Return the suspicion of each MT word: 0, `WEAK_SUSPICION` or `STRONG_SUSPICION`, shape (words,).

    The array is empty if no layer flags words (see `suspecting_layers`). If only one layer does, a BAD tag is strong
    suspicion.
    """
    tags = [view.segment_tags(key, segment) for key in suspecting_layers(view, Kind.WORDS)]
    if not tags:
        return np.zeros(0, np.uint8)
    votes = np.sum(tags, axis=0, dtype=np.int64)
    return np.where(2 * votes > len(tags), STRONG_SUSPICION, WEAK_SUSPICION).astype(np.uint8) * (votes > 0)
