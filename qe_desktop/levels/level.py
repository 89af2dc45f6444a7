"""Interface of scoring levels: subjects and references, metrics and tests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, QeError, View
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Family, Metric
from qe_desktop.metrics.text.tokenization import Tokenization

if TYPE_CHECKING:
    from qe_desktop.levels.chart_model import Panels  # charts are imported on first use


FamilyRowsMap = Mapping[str, NDArray[Any]]
"""Rows of statistics, keyed by the name of the metric family, shape (subjects, segments, columns) each."""
Families = Sequence[Family[Any]]
WILLIAMS_TESTS = ("williams-two-tailed", "williams")
"""Tests of differences between correlations, the default test first."""
MAX_FLOAT64_SEGMENTS = 100_000
"""Number of segments above which rows are stored in single precision; sums remain in double precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """View, a reference layer and the layers scored against this reference. Immutable, thread-safe."""

    view: View
    reference: LayerKey
    subjects: tuple[LayerKey, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ChartRequest(Selection):
    """Selection of all subjects, and the index of the subject to plot (`chosen`).

    `totals` are the sums of the rows over all segments, keyed by family name, shape (subjects, columns) each. `number`
    formats a score. `order` contains the indices of the subjects in the order of the score table; if it is empty, the
    order is that of `subjects`.
    """

    chosen: int
    totals: Mapping[str, Floats]
    number: Callable[[float], str]
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """Chart of scores: its id, title, description and factory.

    `make_panels` returns the panels, or a message that says why there are none; it is thread-safe. If `is_live`, the
    chart needs only the totals, so it is updated after every edit.
    """

    name: str
    title: str
    description: str
    make_panels: Callable[[ChartRequest], Panels | str]
    is_live: bool = False


@dataclass(frozen=True, slots=True)
class ScoringObstacle:
    """Obstacle that prevents scoring, and how to remove it."""

    title: str
    text: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Level(ABC):
    """Level at which scores are computed, such as words or sentences. Subclasses define how rows are computed.

    `name` is the id of the level. Levels with the same `group` share metrics, columns and a command (`qe-desktop score
    GROUP`). `title` names the scored units (“words”), `items` the scored values (“tags”); `heading` and `items_heading`
    are these names in sentence case. `shown_metrics` are the metrics with a column by default, and `tested_metrics`
    the metrics tested by default. `main_metric` and `companion_metric` are shown in a narrow view. `tests` are the
    names of the applicable tests, the default first; `untested_reasons` says why other tests do not apply. `positive`
    is the positive class, if any. `tags` is the kind of tags that are edited at this level, if any. `charts` are charts
    of the scores.
    """

    name: str
    group: str
    title: str
    heading: str
    items: str
    items_heading: str
    metrics: Mapping[str, Metric]
    shown_metrics: tuple[str, ...]
    tested_metrics: tuple[str, ...]
    main_metric: str
    companion_metric: str
    tests: tuple[str, ...]
    untested_reasons: Mapping[str, str]
    positive: str = ""
    tags: Kind | None = None
    charts: tuple[ScoreChart, ...] = ()

    def of_view(self, view: View) -> Level:
        """Return the level adapted to the data of a view, which may add metrics.

        The same object is returned for the same view as long as its metrics do not change.
        """
        return self

    def with_tokenization(self, tokenization: Tokenization) -> Level:
        """Return a level with `tokenization`, or this level if it already has this tokenization or scores no texts."""
        return self

    @property
    def tokenization(self) -> Tokenization | None:
        """Return the tokenization that the user selected; None if none was selected or no texts are scored."""
        return None

    @property
    def tokenizer(self) -> str:
        """Return the sacreBLEU name of the tokenizer; empty if no texts are scored."""
        return ""

    @property
    def remarks(self) -> list[str]:
        """Return notes on how scores are computed, as sentences."""
        return []

    # --- contents

    @abstractmethod
    def references(self, view: View) -> list[LayerKey]:
        """Return the reference layers of a view, the default first."""

    @abstractmethod
    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """Return the layers that can be scored against a reference."""

    def has_data(self, view: View) -> bool:
        """Return whether the view has a reference of this level."""
        return bool(self.references(view))

    def lacks_subjects(self, view: View) -> bool:
        """Return whether the view has a reference of this level but nothing to score against it."""
        reference = self.reference(view)
        return reference is not None and not self.subjects(view, reference)

    def can_be_tagged(self, view: View) -> bool:
        """Return whether the user could create tags of this level for the texts in the view."""
        return False

    def reference(self, view: View, chosen: LayerKey | None = None) -> LayerKey | None:
        """Return `chosen` if it is a reference of the view, else the default reference; None if there is none."""
        references = self.references(view)
        return chosen if chosen in references else next(iter(references), None)

    def scored_segments(self, selection: Selection) -> NDArray[np.bool_] | None:
        """Return the mask of the scored segments, shape (segments,); None if all are scored.

        Rows of the other segments are zeros, and tests do not resample or permute them.
        """
        return None

    def resampling_order(self, selection: Selection) -> Ints | None:
        """Return the order in which `Scoring.intervals` resamples segments, as indices into the scored segments.

        None means the order of the corpus.
        """
        return None

    @abstractmethod
    def size(self, selection: Selection) -> int:
        """Return the number of scored items, such as tags, per subject."""

    def default_test(self, metrics: Sequence[Metric], unit: str) -> str:
        """Return the default test for these metrics; `unit` is the resampling unit."""
        return self.tests[0]

    def resolve_test(self, test: str | None, metrics: Sequence[Metric], unit: str) -> str:
        """Return `test`, or the default test if `test` is None. Raises QeError if the test is not in `tests`."""
        if test is None:
            return self.default_test(metrics, unit)
        if test not in self.tests:
            message = self.untested_reasons.get(test) or tr("there is no test “{name}”", name=test)
            raise QeError(message, hint=tr("Use one of {names}.", names=", ".join(self.tests)))
        return test

    # --- computation

    @abstractmethod
    def rows(self, selection: Selection, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Return the rows of the metric families by family name, shape (subjects, segments, columns) each.

        `on_progress` may raise an exception to stop the computation. Raises QeError if a tokenizer cannot be used.
        """

    def totals(
        self, selection: Selection, families: Families, on_progress: OnProgress | None = None
    ) -> dict[str, Floats]:
        """Return the sums of the rows over all segments, keyed by family name, shape (subjects, columns) each."""
        return {
            name: family_rows.sum(axis=1, dtype=np.float64)
            for name, family_rows in self.rows(selection, families, on_progress).items()
        }

    def rows_at(
        self, selection: Selection, families: Families, view_segments: Sequence[tuple[View, int]]
    ) -> FamilyRowsMap:
        """Return the rows of the segments in `view_segments`, in this order.

        The rows of each segment are computed in the view that is paired with it.
        """
        views = list({id(view): view for view, _ in view_segments}.values())
        rows = {id(view): self.rows(replace(selection, view=view), families) for view in views}
        return {
            family.name: np.stack([rows[id(view)][family.name][:, segment] for view, segment in view_segments], axis=1)
            for family in families
        }

    def affected_segments(
        self, scored: Collection[LayerKey], layer: LayerKey, segments: Sequence[int]
    ) -> Sequence[int]:
        """Return the segments whose rows change if `segments` of a layer are edited; `scored` are all scored layers."""
        return segments if layer in scored else ()

    def affects_all_segments(self, selection: Selection, layers: Collection[LayerKey]) -> bool:
        """Return whether editing any of these layers changes the rows of all segments."""
        return False

    @abstractmethod
    def identical_subjects(self, selection: Selection) -> NDArray[np.bool_]:
        """Return which pairs of subjects have identical output, shape (subjects, subjects)."""

    def gold_bytes(self, selection: Selection) -> bytes:
        """Return bytes that identify the gold, so that the golds of different corpora can be compared."""
        layer = selection.view.corpus.layers.get(selection.reference)
        if layer is None or layer.key.kind is Kind.SCORES:
            scores = selection.reference.kind is Kind.SCORES
            return (
                selection.view.scores(selection.reference)
                if scores
                else selection.view.tags(selection.reference).values
            ).tobytes()
        column = layer.column
        return (column if isinstance(column, np.ndarray) else column.values).tobytes()

    # --- texts

    def other_names(self, view: View) -> dict[str, list[str]]:
        """Return texts that state under which other names subjects were scored or rated, keyed by subject name."""
        return {}

    def reference_name(self, reference: LayerKey) -> str:
        """Return the name of the reference as used in sentences."""
        return reference.display_name

    @abstractmethod
    def data_summary(self, selection: Selection) -> str:
        """Return a description of the amount of scored data, such as `1,000 segments, 16,000 tags`."""

    def summary(self, selection: Selection) -> str:
        """Return the data summary, followed by notes on the reference, if any."""
        return self.data_summary(selection)

    def headline(self, selection: Selection) -> str:
        """Return the summary, preceded by the heading of the level and the name of the reference."""
        reference, summary = self.reference_name(selection.reference), self.summary(selection)
        return tr("{items} against {reference}: {summary}", items=self.heading, reference=reference, summary=summary)

    def report_summary(self, selection: Selection) -> str:
        """Return the summary for the title of a report that does not name the reference elsewhere."""
        return self.summary(selection)

    @abstractmethod
    def signature(self, selection: Selection) -> Mapping[str, str]:
        """Return the settings needed to reproduce the scores, keyed by setting."""

    @abstractmethod
    def explain_missing_reference(self) -> ScoringObstacle:
        """Return the message shown if there is no reference."""

    @abstractmethod
    def explain_missing_subjects(self) -> ScoringObstacle:
        """Return the message shown if there are no subjects."""


def equal_pairs(digests: Iterable[bytes]) -> NDArray[np.bool_]:
    """Return which pairs of n byte strings are equal, shape (n, n)."""
    codes: dict[bytes, int] = {}
    code = np.asarray([codes.setdefault(digest, len(codes)) for digest in digests], np.int64)
    return np.asarray(code[:, None] == code[None, :])


def expand_segments(rows: NDArray[Any], is_scored: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Expand rows of scored segments to all segments; the rows of unscored segments are zeros.

    `rows` have shape (subjects, scored segments, columns). They are returned unchanged if `is_scored` is None.
    """
    if is_scored is None:
        return rows
    selected = np.zeros((len(rows), len(is_scored), rows.shape[2]), rows.dtype)
    selected[:, is_scored] = rows
    return selected


def scored_segments(selection: Selection) -> NDArray[np.bool_] | None:
    """Return the mask of the segments with a gold score, shape (segments,); None if all segments have one."""
    is_scored: NDArray[np.bool_] = ~np.isnan(selection.view.scores(selection.reference))
    return None if is_scored.all() else is_scored


def scores_in_scored_segments(selection: Selection, key: LayerKey) -> Scores:
    """Return the scores of a layer in the scored segments, shape (scored segments,)."""
    is_scored, scores = scored_segments(selection), selection.view.scores(key)
    return scores if is_scored is None else scores[is_scored]
