"""Post-editing study: statistics, highlights, and segments that could have been skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.significance import BootstrapWeights
from qe_desktop.significance.score_intervals import default_interval_rounds
from qe_desktop.studies.post_editing.highlights import HighlightStatistics, highlight_statistics
from qe_desktop.studies.post_editing.recorded_work import RecordedVisit
from qe_desktop.studies.post_editing.reviewed_segments import (
    Pair,
    RecentCache,
    ReviewedEdits,
    ReviewedSegments,
    SegmentEdits,
    count_reviewed_edits,
)
from qe_desktop.studies.post_editing.segment_statistics import (
    PersonTotals,
    SegmentStatistics,
    person_totals,
    segment_statistics,
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
