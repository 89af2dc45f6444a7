"""Post-editing study of recorded work: statistics, highlights, and segments that could have been skipped."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.i18n.messages import tr
from qe_desktop.significance import BootstrapWeights
from qe_desktop.significance.score_intervals import default_interval_rounds
from qe_desktop.studies.post_editing.highlights import HighlightStatistics, highlight_statistics
from qe_desktop.studies.post_editing.reviewed_segments import (
    Pair,
    RecentCache,
    ReviewedEdits,
    ReviewedSegments,
    SegmentEdits,
    count_reviewed_edits,
)
from qe_desktop.studies.post_editing.skipping import SkippingCurve, skipping_curve

COMPARING_SHARE = 0.6
"""Fraction of the reported progress that covers the comparison of the MT with the post-edits."""


@dataclass(frozen=True, slots=True, eq=False)
class PostEditingStudy:
    """Results of the study for the reviewed segments. `visits` are the recorded visits to all segments."""

    reviewed: ReviewedSegments
    edited: ReviewedEdits
    visits: tuple[RecordedVisit, ...]
    statistics: tuple[SegmentStatistics, ...]
    totals: tuple[PersonTotals, ...]
    highlights: tuple[HighlightStatistics, ...]
    skipping: tuple[SkippingCurve, ...]
    seed: int
    rounds: int

    @property
    def limits(self) -> tuple[float, ...]:
        """Distinct pause limits of the recorded visits, in seconds, ascending."""
        return tuple(sorted({work.limit for work in self.visits}))


def study_post_editing(
    reviewed: ReviewedSegments,
    works: Sequence[RecordedVisit] = (),
    *,
    systems: Sequence[str] = (),
    seed: int = 1,
    rounds: int | None = None,
    on_progress: OnProgress | None = None,
    cache: RecentCache[Pair, SegmentEdits] | None = None,
) -> PostEditingStudy:
    """Run the study for the named systems, or for all systems if `systems` is empty.

    The same seed gives the same result. Edits in `cache` are not computed again. Raises QeError for an unknown system.
    `on_progress` receives the completed fraction, and may raise to stop.
    """
    names = list(dict.fromkeys([*reviewed.uncertainties, *reviewed.highlights]))
    unknown = [name for name in systems if name not in names]
    if unknown:
        message = tr("no system “{name}”", name=unknown[0])
        hint = tr("Use one of {names}.", names=", ".join(names)) if names else tr("The data have no QE systems.")
        raise QeError(message, hint=hint)
    chosen = [name for name in names if not systems or name in systems]
    interval_rounds = rounds or default_interval_rounds(len(reviewed))
    edited = count_reviewed_edits(
        reviewed, None if on_progress is None else lambda share: on_progress(COMPARING_SHARE * share), cache
    )
    highlights, skipping, draws = [], [], BootstrapWeights(interval_rounds, seed)
    for index, name in enumerate(chosen):
        if name in reviewed.highlights:
            highlights.append(highlight_statistics(name, reviewed.highlights[name], edited, draws))
        if name in reviewed.uncertainties:
            skipping.append(skipping_curve(name, reviewed.uncertainties[name], edited.edits, draws))
        if on_progress is not None:
            on_progress(COMPARING_SHARE + (1 - COMPARING_SHARE) * (index + 1) / len(chosen))
    figures = segment_statistics(reviewed, edited, works)
    return PostEditingStudy(
        reviewed, edited, tuple(works), figures, person_totals(figures, reviewed), tuple(highlights), tuple(skipping),
        seed, interval_rounds,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SegmentStatistics:
    """Work of the post-editor `person` on the segment at index `segment`.

    Times are in seconds: `seconds` excludes `pauses` over the limit and time in other windows (`away`). Times are NaN
    and `keys` is empty if there is no recording (`visits` is 0). `edits` are the numbers of insertions, deletions,
    substitutions and shifts from the MT to the current post-edit; `hter` is the number of edits per word of the
    post-edit, at most 1. `changed` states whether the MT and the post-edit differ, even if only in letter case, which
    does not count as an edit. `edits`, `hter` and `changed` are assigned to the last post-editor. For other
    post-editors, and if the segment is not reviewed (`status` is None), they are empty, NaN and False, respectively.
    """

    segment: int
    person: str
    status: ReviewStatus | None
    visits: int = 0
    seconds: float = math.nan
    pauses: float = math.nan
    away: float = math.nan
    keys: tuple[int, ...] = ()
    gaps_300: int = 0
    gaps_1000: int = 0
    source_words: int = 0
    edits: tuple[int, ...] = ()
    hter: float = math.nan
    changed: bool = False

    @property
    def is_post_edit(self) -> bool:
        """Whether the segment is reviewed and `person` is its last post-editor."""
        return bool(self.edits)


@dataclass(frozen=True, slots=True)
class PersonTotals:
    """Totals of a post-editor, or of all post-editors (`everybody`, with `person` empty).

    `segments` is the number of reviewed segments. In `edited` of them, the post-edit differs from the MT, even if only
    in letter case; `recorded` of them have recorded times. `seconds` is the total working time, including visits to
    segments that are not reviewed. `words_an_hour` is the number of source words per hour, over segments with both a
    post-edit and a time. `hter` is the mean over segments of the HTER, which is at most 1 for each segment. `edit_rate`
    is the pooled HTER: the total number of edits divided by the total number of words of the post-edits. Undefined
    values are NaN. `keys` is empty without recordings; `edits` is empty without post-edits.
    """

    person: str
    segments: int
    edited: int
    recorded: int
    source_words: int
    seconds: float
    pauses: float
    away: float
    words_an_hour: float
    keys: tuple[int, ...]
    edits: tuple[int, ...]
    hter: float
    edit_rate: float
    everybody: bool = False


def segment_statistics(
    reviewed: ReviewedSegments, edited: ReviewedEdits, works: Sequence[RecordedVisit]
) -> tuple[SegmentStatistics, ...]:
    """Return the statistics of each segment for each of its post-editors, sorted by segment.

    Visited segments are included even if they are not reviewed.
    """
    by_pair: defaultdict[tuple[int, str], list[RecordedVisit]] = defaultdict(list)
    for work in works:
        by_pair[work.segment, work.person].append(work)
    place_of = {segment: index for index, segment in enumerate(reviewed.segments.tolist())}
    owners = dict(zip(place_of, reviewed.post_editors, strict=True))
    for pair in owners.items():
        _ = by_pair[pair]
    words, changed = reviewed.source_words, reviewed.changed_mask
    results = []
    for segment, person in sorted(by_pair):
        index = place_of.get(segment)
        is_owner = index is not None and owners[segment] == person
        edits, rate = (
            ((), math.nan) if index is None or not is_owner else (_ints(edited.counts[index]), edited.hter[index])
        )
        row = SegmentStatistics(
            segment,
            person,
            None if index is None else reviewed.statuses[index],
            *_times(by_pair[segment, person]),
            source_words=0 if index is None else int(words[index]),
            edits=edits,
            hter=float(rate),
            changed=is_owner and bool(changed[index]),
        )
        results.append(row)
    return tuple(results)


def _times(works: Sequence[RecordedVisit]) -> tuple[int, float, float, float, tuple[int, ...], int, int]:
    """Return the fields `visits` to `gaps_1000` of `SegmentStatistics` for the visits of a post-editor to a segment."""
    if not works:
        return 0, math.nan, math.nan, math.nan, (), 0, 0
    keys = [[work.keys.get(kind, 0) for kind in KEY_KINDS] for work in works]
    return (
        len(works),
        math.fsum([work.seconds for work in works]),
        math.fsum([work.pauses for work in works]),
        math.fsum([work.away for work in works]),
        tuple(map(sum, zip(*keys, strict=True))),
        sum([work.gaps_300 for work in works]),
        sum([work.gaps_1000 for work in works]),
    )


def person_totals(figures: Sequence[SegmentStatistics], reviewed: ReviewedSegments) -> tuple[PersonTotals, ...]:
    """Return totals by post-editor, in order of first segment; with several post-editors, joint totals come last."""
    lengths = dict(zip(reviewed.segments.tolist(), reviewed.post_edit.token_counts().tolist(), strict=True))
    people = list(dict.fromkeys(figure.person for figure in figures))
    results = [_sum(person, [figure for figure in figures if figure.person == person], lengths) for person in people]
    return (*results, _sum("", figures, lengths, everybody=True)) if len(people) > 1 else tuple(results)


def _sum(
    person: str, figures: Sequence[SegmentStatistics], lengths: dict[int, int], *, everybody: bool = False
) -> PersonTotals:
    post_edits = [figure for figure in figures if figure.is_post_edit]
    times = [figure for figure in figures if figure.visits]
    timed = {row.segment: row for row in post_edits if row.visits}
    hours = math.fsum(row.seconds for row in timed.values()) / 3600
    if everybody:
        # the time of a segment includes the time of other post-editors
        visited = {time.segment for time in times}
        timed = {row.segment: row for row in post_edits if row.segment in visited}
        hours = math.fsum(time.seconds for time in times if time.segment in timed) / 3600
    edits = _ints(np.sum([row.edits for row in post_edits], axis=0)) if post_edits else ()
    length = sum(lengths[row.segment] for row in post_edits)
    return PersonTotals(
        person,
        len(post_edits),
        sum(1 for row in post_edits if row.changed),
        len(timed),
        sum(row.source_words for row in post_edits),
        math.fsum(time.seconds for time in times) if times else math.nan,
        math.fsum(time.pauses for time in times) if times else math.nan,
        math.fsum(time.away for time in times) if times else math.nan,
        sum(row.source_words for row in timed.values()) / hours if hours else math.nan,
        _ints(np.sum([time.keys for time in times], axis=0)) if times else (),
        edits,
        math.fsum(row.hter for row in post_edits) / len(post_edits) if post_edits else math.nan,
        sum(edits) / length if length else math.nan,
        everybody,
    )


def _ints(values: Floats) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


KEY_KINDS = (
    "letter", "digit", "space", "symbol", "navigation", "erase", "copy", "cut", "paste", "undo", "command",
)  # fmt: skip
"""Kinds of keystrokes, as named in projects."""


class RecordedChange(Protocol):
    """Recorded change of the text."""

    @property
    def after(self) -> float:
        """Time of the change, in seconds since the segment was opened."""

    @property
    def place(self) -> int:
        """Character offset of the change in the text."""

    @property
    def removed(self) -> str:
        """Removed text."""

    @property
    def inserted(self) -> str:
        """Inserted text."""


@dataclass(frozen=True, slots=True)
class RecordedVisit:
    """Recorded visit of `person` to the segment at index `segment`.

    `seconds` is the working time. It excludes `pauses`, the total seconds of pauses longer than `limit` seconds, and
    `away`, the seconds in which another window had the focus.

    `gaps_300` and `gaps_1000` are the numbers of pauses of at least 300 ms and at least 1,000 ms between two
    keystrokes, excluding pauses longer than `limit`. `keys` maps each kind of keystroke (`KEY_KINDS`) to a count.
    `opened` is the Unix time at which the segment was opened, and `displayed` are the highlights that were displayed.
    """

    segment: int
    person: str
    seconds: float
    pauses: float = 0.0
    away: float = 0.0
    limit: float = 300.0
    opened: float = 0.0
    gaps_300: int = 0
    gaps_1000: int = 0
    keys: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[RecordedChange, ...] = ()
    displayed: DisplayedHighlights = NO_HIGHLIGHTS
