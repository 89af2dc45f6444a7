"""Masks of flagged segments, unfinished segments, and segments with notes.

A segment is flagged if enough systems, at their current thresholds, tag one of its words or gaps BAD. If there are no
systems, the gold is used instead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, ReviewStatus, TagColumn, View
from qe_desktop.corpus.tag_voting import DEFAULT_VOTING_RULE, VotingRule, flagging_layers, marked_segments

FINISHED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.LOCKED)
"""Statuses that require no further work."""
_UNFINISHED = np.ones(256, bool)
_UNFINISHED[list(FINISHED_STATUSES)] = False


def flagging_columns(view: View) -> list[list[TagColumn]]:
    """Return the tag columns that flag words and those that flag gaps; the columns are reused until the tags change."""
    return [[view.tags(key) for key in flagging_layers(view, kind)] for kind in (Kind.WORDS, Kind.GAPS)]


def flagged_segments(view: View, agreement: VotingRule = DEFAULT_VOTING_RULE) -> NDArray[np.bool_]:
    """Return the segments in which enough systems flag a word or gap, as a mask of shape (segments,).

    The status of a segment is ignored.
    """
    flagged = np.zeros(view.corpus.size, bool)
    for columns in filter(None, flagging_columns(view)):
        flagged |= marked_segments(columns, agreement)
    return flagged


def unfinished_segments(view: View) -> NDArray[np.bool_]:
    """Return the segments that are not confirmed, rejected or locked, as a mask of shape (segments,)."""
    return _UNFINISHED[view.statuses()]


def segments_with_notes(view: View) -> NDArray[np.bool_]:
    """Return the segments with a note by the user or in the file, as a mask of shape (segments,)."""
    job = view.corpus.job
    with_notes = np.zeros(view.corpus.size, bool) if job is None else job.noted.copy()
    for segment, note in view.review.notes.items():
        # an empty note removes that of the file
        with_notes[segment] = bool(note) or (job is not None and segment in job.notes)
    return with_notes
