"""The study of what was post-edited so far: figures, highlights, and what might have been skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError
from qe_desktop.metrics.counting import ShareWatch
from qe_desktop.significance import Draws
from qe_desktop.significance.score_intervals import usual_rounds
from qe_desktop.studies.post_editing.edited import Compared, Edited, Pair, edited_in
from qe_desktop.studies.post_editing.figures import SegmentFigures, Totals, segment_figures, totals_of
from qe_desktop.studies.post_editing.highlights import Highlights, highlights_beside
from qe_desktop.studies.post_editing.known import Known
from qe_desktop.studies.post_editing.reviewed import Reviewed
from qe_desktop.studies.post_editing.skipping import Skipping, skipping_by
from qe_desktop.studies.post_editing.work import Work
from qe_desktop.wording import tr

COMPARED = 0.6
"""The share of the work that is done when MT and post-edits are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class PostEditingStudy:
    """All of it, over the reviewed segments alone. `works` are those that were given; `limits` are the lengths of
    pauses, in seconds, beyond which they are no work.
    """

    reviewed: Reviewed
    edited: Edited
    works: tuple[Work, ...]
    figures: tuple[SegmentFigures, ...]
    totals: tuple[Totals, ...]
    highlights: tuple[Highlights, ...]
    skipping: tuple[Skipping, ...]
    seed: int
    rounds: int

    @property
    def limits(self) -> tuple[float, ...]:
        """The limits of pauses that were in force, ascending."""
        return tuple(sorted({work.limit for work in self.works}))


def study_post_editing(
    reviewed: Reviewed,
    works: Sequence[Work] = (),
    *,
    systems: Sequence[str] = (),
    seed: int = 1,
    rounds: int | None = None,
    watch: ShareWatch | None = None,
    known: Known[Pair, Compared] | None = None,
) -> PostEditingStudy:
    """Make the study, of these systems or of all. It depends on the seed alone; what is `known` is not compared again.

    QeError for a system that there is not. `watch` hears the share done, and may raise to stop.
    """
    names = list(dict.fromkeys([*reviewed.doubts, *reviewed.highlights]))
    unknown = [name for name in systems if name not in names]
    if unknown:
        message = tr("there is no system “{name}”", name=unknown[0])
        hint = tr("There are {names}.", names=", ".join(names)) if names else tr("There are no systems here.")
        raise QeError(message, hint=hint)
    chosen = [name for name in names if not systems or name in systems]
    made = rounds or usual_rounds(len(reviewed))
    edited = edited_in(reviewed, None if watch is None else lambda share: watch(COMPARED * share), known)
    highlights, skipping, draws = [], [], Draws(made, seed)
    for place, name in enumerate(chosen):
        if name in reviewed.highlights:
            highlights.append(highlights_beside(name, reviewed.highlights[name], edited, draws))
        if name in reviewed.doubts:
            skipping.append(skipping_by(name, reviewed.doubts[name], edited.edits, draws))
        if watch is not None:
            watch(COMPARED + (1 - COMPARED) * (place + 1) / len(chosen))
    figures = segment_figures(reviewed, edited, works)
    return PostEditingStudy(
        reviewed, edited, tuple(works), figures, totals_of(figures, reviewed), tuple(highlights), tuple(skipping),
        seed, made,
    )  # fmt: skip
