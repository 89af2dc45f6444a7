"""Flagged words and segments: words that systems tag BAD at their current thresholds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, ReviewStatus, TagColumn, View
from qe_desktop.corpus.tag_voting import suspecting_layers

FINISHED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.LOCKED)
"""Statuses that require no further work."""
_UNFINISHED = np.ones(256, bool)
_UNFINISHED[list(FINISHED_STATUSES)] = False


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
