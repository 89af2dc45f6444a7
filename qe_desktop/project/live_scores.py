"""Scores updated incrementally: in the totals, the rows of changed segments are replaced by their new rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import LayerKey, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.levels import Level, Scoring
from qe_desktop.metrics import Metric, metric_families
from qe_desktop.project.edits import SessionChange

MAX_INCREMENTAL_SEGMENTS = 20
"""Maximum number of segments in a review change that is applied incrementally; each segment takes milliseconds."""


class LiveScores:
    """Scores of all layers that are scored at a level, kept up to date.

    `start` selects the layers to score. `count` computes their totals, possibly on another thread. `finish` stores the
    totals and applies edits made during the count. After that, `update` applies each change.
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        self.metrics: tuple[Metric, ...] = tuple(level.metrics.values())
        self.totals: dict[str, Floats] | None = None
        self._families = metric_families(self.metrics)
        self._scoring: Scoring | None = None
        self._cached_rows: dict[str, dict[int, Floats]] = {}
        self._pending: set[int] = set()

    @property
    def reference(self) -> LayerKey | None:
        """Reference layer; None if there is none or before `start` is called."""
        return None if self._scoring is None else self._scoring.reference

    @property
    def layers(self) -> list[LayerKey]:
        """Scored layers; empty before `start` is called."""
        return [] if self._scoring is None else list(self._scoring.subjects)

    def scoring(self, view: View) -> Scoring | None:
        """Return the scoring of the same `layers` in a different `view`; None if there are no layers to score."""
        return replace(self._scoring, view=view) if self.layers and self._scoring is not None else None

    def start(self, view: View, reference: LayerKey | None = None) -> bool:
        """Select the layers to score against `reference` (None: default reference); return False if there are none."""
        self._scoring = Scoring.of(self.level, view, reference)
        self.totals = None
        self._cached_rows, self._pending = {family.name: {} for family in self._families}, set()
        return bool(self.layers)

    def count(self, on_progress: OnProgress | None = None) -> dict[str, Floats]:
        """Return the totals of the metric families, by family name; each array has shape (layers, columns)."""
        assert self._scoring is not None
        return self._scoring.totals(self._families, on_progress)

    def finish(self, totals: dict[str, Floats], view: View) -> None:
        """Store the totals returned by `count`, and apply the edits made during the count."""
        self.totals = totals
        self._recount(sorted(self._pending), view)
        self._pending = set()

    def update(self, change: SessionChange, view: View) -> bool:
        """Apply a change that led to `view`; return whether any scores were updated (False before `finish`)."""
        changed = self._affected_segments(change, view)
        if self.totals is None:
            self._pending.update(changed)
            return False
        self._recount(list(dict.fromkeys(changed)), view)
        return bool(changed)

    def needs_recount(self, change: SessionChange) -> bool:
        """Return whether a review change affects all segments, or so many that a full recount is faster."""
        if self._scoring is None or not change.affects_review:
            return False
        return len(change.segments) > MAX_INCREMENTAL_SEGMENTS or self.level.affects_all_segments(
            self._scoring, change.post_edit_layers
        )

    def _affected_segments(self, change: SessionChange, view: View) -> Sequence[int]:
        if self._scoring is None:
            return ()
        scored = (self._scoring.reference, *self._scoring.subjects)
        # reviewed segments may become scored or unscored
        if change.affects_review and not view.is_complete(self._scoring.reference):
            return change.segments
        layers = change.post_edit_layers if change.layer is None else (change.layer, *change.post_edit_layers)
        return [segment for layer in layers for segment in self.level.affected_segments(scored, layer, change.segments)]

    def _recount(self, segments: Sequence[int], view: View) -> None:
        if not segments:
            return
        assert self._scoring is not None
        assert self.totals is not None
        first = [segment for segment in segments if segment not in self._cached_rows[self._families[0].name]]
        positions = [(self._scoring.view, segment) for segment in first] + [(view, segment) for segment in segments]
        for name, rows in self._scoring.rows_at(self._families, positions).items():
            # cache the rows of edited segments: the next edit subtracts them
            cached, after = self._cached_rows[name], rows[:, len(first) :]
            cached.update(zip(first, rows[:, : len(first)].swapaxes(0, 1), strict=True))
            before = np.stack([cached[segment] for segment in segments], axis=1)
            self.totals[name] += (after - before).sum(axis=1)
            cached.update(zip(segments, after.swapaxes(0, 1), strict=True))

    def scores(self, metric: Metric) -> Floats:
        """Return a metric's score of each layer, shape (layers,): NaN if undefined; empty before `finish` is called."""
        if self.totals is None:
            return np.zeros(0)
        return metric.score(self.totals[metric.family.name])
