"""Scoring of a level's subjects against a reference, and groups of levels that share a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Documents, Layer, LayerKey, Provenance, QeError, View
from qe_desktop.corpus.columns import Floats, count_split_documents
from qe_desktop.corpus.layers import Column, Scores
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Families, FamilyRowsMap, Level, Selection
from qe_desktop.metrics import Metric, metric_families

if TYPE_CHECKING:
    from qe_desktop.significance import Comparison, FamilyRows, SegmentInfluence, SignificanceOptions
    from qe_desktop.significance.randomization import OnRounds  # not imported at run time: scores need no tests


@dataclass(frozen=True, slots=True, eq=False)
class Scoring(Selection):
    """Selection with the level at which it is scored."""

    level: Level

    @classmethod
    def of(cls, level: Level, view: View, chosen: LayerKey | None = None) -> Scoring | None:
        """Return the scoring of all subjects against a reference; None if there is no reference.

        The reference is `chosen`, or the default one if `chosen` is not a reference of the view.
        """
        level = level.of_view(view)
        reference = level.reference(view, chosen)
        return None if reference is None else cls(view, reference, tuple(level.subjects(view, reference)), level)

    @classmethod
    def from_columns(
        cls, level: Level, reference: LayerKey, gold: Column | Scores, systems: Mapping[str, Column | Scores]
    ) -> Scoring:
        """Create a corpus from a gold column and system columns of the same size; return the scoring of these systems.

        All columns must be of the kind `reference.kind`.
        """
        layers = {reference: Layer(reference, gold)}
        for name, column in systems.items():
            key = LayerKey(Provenance.SYSTEM, name, reference.kind)
            layers[key] = Layer(key, column)
        subjects = tuple(key for key in layers if key != reference)
        return cls(View(Corpus("", len(gold), layers=layers)), reference, subjects, level)

    def require_two_subjects(self) -> None:
        """Raise QeError unless there are at least two subjects to compare."""
        if len(self.subjects) < 2:
            raise QeError(tr("a comparison needs at least two systems"), hint=tr("Add another system."))

    def with_documents(self, documents: Documents) -> Scoring:
        """Return a scoring of the same segments with other documents."""
        return replace(self, view=View(replace(self.view.corpus, documents=documents)))

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the subjects; if two are equal, annotators' names get the suffix “(annotator)”."""
        names = tuple(key.name for key in self.subjects)
        return names if len(set(names)) == len(names) else tuple(key.display_name for key in self.subjects)

    @property
    def segments(self) -> int:
        """Return the number of scored segments."""
        is_scored = self.level.scored_segments(self)
        return self.view.corpus.size if is_scored is None else int(is_scored.sum())

    @property
    def size(self) -> int:
        """Return the number of scored items, such as tags, per subject."""
        return self.level.size(self)

    @property
    def documents(self) -> NDArray[Any] | None:
        """Return the document index of each scored segment, shape (segments,); None if there are no documents."""
        documents, is_scored = self.view.corpus.documents, self.level.scored_segments(self)
        if documents is None:
            return None
        return documents.of_segment if is_scored is None else documents.of_segment[is_scored]

    @property
    def split_documents(self) -> int:
        """Return the number of documents if permuting or resampling segments would split any of them, else 0."""
        return count_split_documents(self.documents)

    def rows(self, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Return the rows of the metric families by family name, shape (subjects, segments, columns) each."""
        return self.level.rows(self, families, on_progress)

    def rows_at(self, families: Families, view_segments: Sequence[tuple[View, int]]) -> FamilyRowsMap:
        """Return the rows of the segments in `view_segments`, in this order.

        The rows of each segment are computed in the view that is paired with it. They are keyed by family name and have
        shape (subjects, segments, columns) each.
        """
        return self.level.rows_at(self, families, view_segments)

    def totals(self, families: Families, on_progress: OnProgress | None = None) -> dict[str, Floats]:
        """Return the sums of the rows over all segments, keyed by family name, shape (subjects, columns) each."""
        return self.level.totals(self, families, on_progress)

    def scores(self, metrics: Sequence[Metric]) -> Floats:
        """Return the scores, shape (subjects, metrics), NaN if undefined."""
        totals = self.totals(metric_families(metrics))
        return np.stack([metric.score(totals[metric.family.name]) for metric in metrics], axis=-1)

    def family_rows(self, metrics: Sequence[Metric], on_progress: OnProgress | None = None) -> list[FamilyRows]:
        """Return the rows of the scored segments for tests of these metrics, one object per metric family."""
        from qe_desktop.significance import group_by_family

        rows, is_scored = self.rows(metric_families(metrics), on_progress), self.level.scored_segments(self)
        return group_by_family(
            metrics,
            rows if is_scored is None else {name: family_rows[:, is_scored] for name, family_rows in rows.items()},
        )

    def compare_rows(
        self,
        rows: Sequence[FamilyRows],
        metrics: Sequence[Metric],
        options: SignificanceOptions,
        on_progress: OnRounds | None = None,
    ) -> Comparison:
        """Compare the subjects by rows from `family_rows`; `options.unit` is the resampling unit.

        Raises QeError if the test is unknown, needs more segments, or cannot test a metric or use the resampling unit,
        or if the resampling unit is the document and the corpus has no documents.
        """
        from qe_desktop.significance import compare_rows

        comparison = compare_rows(self.names, rows, metrics, options, documents=self.documents, on_progress=on_progress)
        split = self.split_documents if options.unit == "segment" else 0
        return replace(comparison, identical=self.level.identical_subjects(self), split_documents=split)

    def compare(
        self,
        metrics: Sequence[Metric],
        options: SignificanceOptions | None = None,
        on_progress: OnRounds | None = None,
    ) -> Comparison:
        """Compare the subjects by these metrics. Raises QeError under the same conditions as `compare_rows`."""
        from qe_desktop.significance import SignificanceOptions

        return self.compare_rows(self.family_rows(metrics), metrics, options or SignificanceOptions(), on_progress)

    def intervals(
        self,
        rows: Sequence[FamilyRows],
        options: SignificanceOptions,
        on_progress: OnRounds | None = None,
    ) -> dict[str, Floats]:
        """Return 95% confidence intervals of the scores, keyed by metric name, shape (subjects, 2) each.

        Undefined limits are NaN. `rows` come from `family_rows`. Raises QeError if the resampling unit is the document
        and the corpus has no documents.
        """
        from qe_desktop.significance import score_intervals, sum_by_unit

        order = self.level.resampling_order(self) if options.unit == "segment" else None
        if order is not None:
            rows = [replace(family, rows=family.rows[:, order]) for family in rows]
        units = sum_by_unit(rows, options.unit, self.documents)
        return score_intervals(
            units,
            method=options.interval_method,
            rounds=options.interval_rounds,
            seed=options.seed,
            on_progress=on_progress,
        )

    def interval_rounds(self, metrics: Sequence[Metric], options: SignificanceOptions) -> int:
        """Return the number of resamples that `intervals` uses; 0 if no interval of these metrics is resampled."""
        from qe_desktop.significance.score_intervals import default_interval_rounds, is_resampled

        if not any(is_resampled(metric, options.interval_method) for metric in metrics):
            return 0
        documents = self.documents if options.unit == "document" else None
        return options.interval_rounds or default_interval_rounds(
            self.segments if documents is None else len(np.unique(documents))
        )

    def compute_influence(self, metric: Metric, on_progress: OnProgress | None = None) -> SegmentInfluence:
        """Return the influence of each segment on the lead of the first subject over the second.

        The scoring must have exactly two subjects.
        """
        from qe_desktop.significance import SegmentInfluence, segment_influence
        from qe_desktop.significance.missing_units import select_shared

        first, second = self.subjects
        rows = self.rows([metric.family], on_progress)[metric.family.name]
        if metric.family.has_missing_rows:
            # the test of two systems leaves out segments that only one of them has
            rows = select_shared(rows)
        return SegmentInfluence((first, second), metric.name, segment_influence(metric, rows), self.level.items)


@dataclass(frozen=True, slots=True, eq=False)
class ReadInputs:
    """Inputs of a command: a scoring, and notes for the user."""

    scoring: Scoring
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelGroup:
    """Command `qe-desktop score NAME` and its levels, the default first.

    `from_python` builds a scoring from a level, a gold and systems as Python values. It raises QeError if the values
    are invalid or do not match. `from_python` is None if there is no Python interface. `get_remarks` returns notes on a
    scoring of data read from folders.
    """

    name: str
    description: str
    levels: tuple[Level, ...]
    from_python: Callable[[Level, Any, Mapping[str, Any]], Scoring] | None = None
    get_remarks: Callable[[Scoring], list[str]] | None = None
