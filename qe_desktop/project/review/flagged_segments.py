"""Which words and segments are doubtful: what the systems call BAD, at their thresholds as they are now."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, ReviewStatus, TagColumn, View

WEAK_SUSPICION, STRONG_SUSPICION = 1, 2
"""One or few of several systems call a word BAD; most of them do, of two both."""
FINISHED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.LOCKED)
"""What needs nobody any longer."""
_UNFINISHED = np.ones(256, bool)
_UNFINISHED[list(FINISHED_STATUSES)] = False


def suspecting_layers(view: View, kind: Kind) -> list[LayerKey]:
    """Whose tags of a kind make words doubtful: those of all systems; where there are none, the gold's."""
    keys = view.tracks(kind)
    systems = [key for key in keys if key.provenance is Provenance.SYSTEM]
    return systems or [key for key in keys if key.provenance is Provenance.GOLD]


def suspecting_tags(view: View) -> list[TagColumn]:
    """The tags of words and gaps that make segments doubtful; the same columns as long as they stay as they are."""
    return [view.tags(key) for kind in (Kind.WORDS, Kind.GAPS) for key in suspecting_layers(view, kind)]


def suspect_segments(view: View) -> NDArray[np.bool_]:
    """Which segments have a word or a gap that is doubtful, whatever their status, shape (segments,)."""
    found = np.zeros(view.corpus.size, bool)
    for tags in suspecting_tags(view):
        found |= tags.bad_segments()
    return found


def unfinished_segments(view: View) -> NDArray[np.bool_]:
    """Which segments nobody has confirmed or rejected, and are not locked, shape (segments,)."""
    return _UNFINISHED[view.statuses()]


def segments_with_notes(view: View) -> NDArray[np.bool_]:
    """Which segments have a note, of a person or of their file, shape (segments,)."""
    job = view.corpus.job
    found = np.zeros(view.corpus.size, bool) if job is None else job.noted.copy()
    found[list(view.review.notes)] = True
    return found


def word_suspicion(view: View, segment: int) -> NDArray[np.uint8]:
    """How doubtful each word of a segment's MT is: 0, `WEAK` or `STRONG`, shape (places,); of no places without tags.

    One system that calls a word BAD is strong where there is no other.
    """
    tags = [view.segment_tags(key, segment) for key in suspecting_layers(view, Kind.WORDS)]
    if not tags:
        return np.zeros(0, np.uint8)
    votes = np.sum(tags, axis=0, dtype=np.int64)
    return np.where(2 * votes > len(tags), STRONG_SUSPICION, WEAK_SUSPICION).astype(np.uint8) * (votes > 0)
