"""Scores that follow every edit: totals, plus the rows of the segments that changed, minus their rows before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import LayerKey, View
from qe_desktop.levels import Level, Scoring
from qe_desktop.levels.level import OnProgress
from qe_desktop.metrics import Metric, metric_families
from qe_desktop.metrics.family import Floats
from qe_desktop.project.edits import SessionChange

MAX_INCREMENTAL_SEGMENTS = 20
"""Segments whose texts changed at once above which nobody waits for their rows: each takes some milliseconds."""


class LiveScores:
    """The scores of all subjects of a level, kept up to date.

    `start` takes what is open; `count` sums its rows and may run on another thread; `finish` takes the sums over and
    catches up with what was edited meanwhile; from then on `update` follows each change.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.metrics: tuple[Metric, ...] = tuple(level.metrics.values())
        self.totals: dict[str, Floats] | None = None
        self._families = metric_families(self.metrics)
        self._begun: Scoring | None = None
        self._counted: dict[str, dict[int, Floats]] = {}
        self._waiting: set[int] = set()

    @property
    def reference(self) -> LayerKey | None:
        """What is scored against; None where there is nothing."""
        return None if self._begun is None else self._begun.reference

    @property
    def layers(self) -> list[LayerKey]:
        """What is scored."""
        return [] if self._begun is None else list(self._begun.subjects)

    def scoring(self, view: View) -> Scoring | None:
        """The same layers, as they are in a view; None where there is nothing to score."""
        return replace(self._begun, view=view) if self.layers and self._begun is not None else None

    def start(self, view: View, chosen: LayerKey | None = None) -> bool:
        """Take what is to be scored, against the reference that was chosen or else the usual one.

        False where there is nothing to score.
        """
        self._begun = Scoring.of(self.level, view, chosen)
        self.totals = None
        self._counted, self._waiting = {family.name: {} for family in self._families}, set()
        return bool(self.layers)

    def count(self, watch: OnProgress | None = None) -> dict[str, Floats]:
        """The totals of what was taken, by family, shape (layers, columns)."""
        assert self._begun is not None
        return self._begun.totals(self._families, watch)

    def finish(self, totals: dict[str, Floats], view: View) -> None:
        """Take over counted totals, and follow the edits made while they were counted."""
        self.totals = totals
        self._recount(sorted(self._waiting), view)
        self._waiting = set()

    def update(self, change: SessionChange, view: View) -> bool:
        """Follow an edit, after which things are as in `view`; True where scores moved."""
        touched = self._touched(change, view)
        if self.totals is None:
            self._waiting.update(touched)
            return False
        self._recount(list(dict.fromkeys(touched)), view)
        return bool(touched)

    def is_moved(self, change: SessionChange) -> bool:
        """Whether a change moves the rows of all segments, or of so many that all are better counted anew."""
        if self._begun is None or not change.review:
            return False
        return len(change.segments) > MAX_INCREMENTAL_SEGMENTS or self.level.is_moved(self._begun, change.others)

    def _touched(self, change: SessionChange, view: View) -> Sequence[int]:
        if self._begun is None:
            return ()
        scored = (self._begun.reference, *self._begun.subjects)
        # what was reviewed may be scored from now on, or not any more
        if change.review and not view.is_whole(self._begun.reference):
            return change.segments
        layers = change.others if change.layer is None else (change.layer, *change.others)
        return [one for layer in layers for one in self.level.touched(scored, layer, change.segments)]

    def _recount(self, segments: Sequence[int], view: View) -> None:
        if not segments:
            return
        assert self._begun is not None
        assert self.totals is not None
        first = [segment for segment in segments if segment not in self._counted[self._families[0].name]]
        places = [(self._begun.view, segment) for segment in first] + [(view, segment) for segment in segments]
        for name, rows in self._begun.rows_at(self._families, places).items():
            # the rows of a segment that was edited are kept, for the next edit takes them away again
            kept, after = self._counted[name], rows[:, len(first) :]
            kept.update(zip(first, rows[:, : len(first)].swapaxes(0, 1), strict=True))
            before = np.stack([kept[segment] for segment in segments], axis=1)
            self.totals[name] += (after - before).sum(axis=1)
            kept.update(zip(segments, after.swapaxes(0, 1), strict=True))

    def scores(self, metric: Metric) -> Floats:
        """The metric of each layer, in the order of `layers`, NaN where undefined; empty before the first count."""
        if self.totals is None:
            return np.zeros(0)
        return metric.score(self.totals[metric.family.name])
