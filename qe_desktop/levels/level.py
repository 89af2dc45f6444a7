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
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import Family, Metric
from qe_desktop.metrics.text.tokenization import Tokenization

if TYPE_CHECKING:
    # charts are imported on first use
    from qe_desktop.levels.chart_model import Panels

FamilyRowsMap = Mapping[str, NDArray[Any]]
"""Rows by family name, shape (subjects, segments, columns)."""
Families = Sequence[Family[Any]]
WILLIAMS_TESTS = ("williams-two-tailed", "williams")
"""Tests of differences between correlations, the default first."""
MAX_FLOAT64_SEGMENTS = 100_000
"""Number of segments above which rows are stored in single precision; sums remain in double precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """View, its reference layer and the layers scored against it. Immutable, thread-safe."""

    view: View
    reference: LayerKey
    subjects: tuple[LayerKey, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ChartRequest(Selection):
    """Selection of all subjects, and the index of the subject to plot (`chosen`).

    `totals` are the sums of the rows by family, shape (subjects, columns); `number` formats a score. `order` are the
    indices of the subjects in the order of the table of scores; empty for the order of `subjects`.
    """

    chosen: int
    totals: Mapping[str, Floats]
    number: Callable[[float], str]
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreChart:
    """Chart of scores: its id, title, description and factory.

    `make_panels` returns panels, or the reason why there are none; thread-safe. An `is_live` chart needs only the
    totals, so it is updated with every edit.
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
    """Scoring level as a value. Subclasses define how rows are computed.

    `name` is the id of the level. `group` joins levels that share metrics, columns and a command (`qe-desktop score
    GROUP`). `title` names the scored units (“words”), `items` the scored values (“tags”); `heading` and `items_heading`
    are these names in sentence case. `shown_metrics` are the metrics with a column by default, `tested_metrics` those
    compared by default, `main_metric` and `companion_metric` the two shown in a narrow view. `tests` are the applicable
    tests, the default first; `untested_reasons` explains why others are not. `positive` is the positive class, if any.
    `tags` is the kind of tags that are edited at this level. `charts` are charts of the scores.
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
        """Return the level for a view, whose data may add metrics; the same object while the metrics do not change."""
        return self

    def with_tokenization(self, tokenization: Tokenization) -> Level:
        """Return the level with another tokenization; unchanged if it is the same or no texts are scored."""
        return self

    @property
    def tokenization(self) -> Tokenization | None:
        """Return the tokenization that the user selected; None if it does not apply."""
        return None

    @property
    def tokenizer(self) -> str:
        """Return the tokenizer by its sacreBLEU name; empty if no texts are scored."""
        return ""

    @property
    def remarks(self) -> list[str]:
        """Return notes on how scores are computed, as sentences."""
        return []

    # --- contents

    @abstractmethod
    def references(self, view: View) -> list[LayerKey]:
        """Return the references, the default first."""

    @abstractmethod
    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """Return the layers that can be scored against a reference."""

    def has_data(self, view: View) -> bool:
        """Return whether the view has a reference of this level."""
        return bool(self.references(view))

    def can_be_tagged(self, view: View) -> bool:
        """Return whether the user could create tags of this level for the open texts."""
        return False

    def reference(self, view: View, chosen: LayerKey | None = None) -> LayerKey | None:
        """Return the selected reference if present, else the default; None if there is none."""
        references = self.references(view)
        return chosen if chosen in references else next(iter(references), None)

    def scored_segments(self, selection: Selection) -> NDArray[np.bool_] | None:
        """Return the mask of the scored segments, shape (segments,); None if all are scored.

        Rows of the other segments are zeros, and tests do not resample or permute them.
        """
        return None

    def resampling_order(self, selection: Selection) -> Ints | None:
        """Return the order in which `Scoring.intervals` resamples the scored segments, as their indices.

        None for the order of the corpus.
        """
        return None

    @abstractmethod
    def size(self, selection: Selection) -> int:
        """Return the number of items per subject."""

    def default_test(self, metrics: Sequence[Metric], unit: str) -> str:
        """Return the default test for these metrics; `unit` is the resampling unit."""
        return self.tests[0]

    def resolve_test(self, test: str | None, metrics: Sequence[Metric], unit: str) -> str:
        """Return the named or default test. Raises QeError if the named test does not apply to this level."""
        if test is None:
            return self.default_test(metrics, unit)
        if test not in self.tests:
            message = self.untested_reasons.get(test) or tr("there is no test “{name}”", name=test)
            raise QeError(message, hint=tr("Use one of {names}.", names=", ".join(self.tests)))
        return test

    # --- computation

    @abstractmethod
    def rows(self, selection: Selection, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Rows of the families; `on_progress` may raise to stop. Raises QeError if a tokenizer is unusable."""

    def totals(
        self, selection: Selection, families: Families, on_progress: OnProgress | None = None
    ) -> dict[str, Floats]:
        """Return the sums of the rows over all segments, by family, shape (subjects, columns)."""
        return {
            name: family_rows.sum(axis=1, dtype=np.float64)
            for name, family_rows in self.rows(selection, families, on_progress).items()
        }

    def rows_at(
        self, selection: Selection, families: Families, view_segments: Sequence[tuple[View, int]]
    ) -> FamilyRowsMap:
        """Return the rows of some segments, each computed in its own view, in the order of `view_segments`."""
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
        """Return whether edits of these layers change the rows of all segments."""
        return False

    @abstractmethod
    def identical_subjects(self, selection: Selection) -> NDArray[np.bool_]:
        """Return which subjects have identical output, shape (subjects, subjects)."""

    def gold_bytes(self, selection: Selection) -> bytes:
        """Return bytes that identify the gold, to compare it between corpora."""
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
        """Return texts that state the other names of subjects in score or rating files, by subject name."""
        return {}

    def reference_name(self, reference: LayerKey) -> str:
        """Return the name of the reference as used in sentences."""
        return reference.display_name

    @abstractmethod
    def data_summary(self, selection: Selection) -> str:
        """Return the amount of scored data, such as `1,000 segments, 16,000 tags`."""

    def summary(self, selection: Selection) -> str:
        """Return the amount of scored data, with notes on the reference."""
        return self.data_summary(selection)

    def headline(self, selection: Selection) -> str:
        """Return the summary, preceded by the items and their reference."""
        reference, summary = self.reference_name(selection.reference), self.summary(selection)
        return tr("{items} against {reference}: {summary}", items=self.heading, reference=reference, summary=summary)

    def report_summary(self, selection: Selection) -> str:
        """Return the summary for the title of a report that does not name the reference elsewhere."""
        return self.summary(selection)

    @abstractmethod
    def signature(self, selection: Selection) -> Mapping[str, str]:
        """Return the settings needed to reproduce the numbers."""

    @abstractmethod
    def explain_missing_reference(self) -> ScoringObstacle:
        """Return the message shown if there is no reference."""

    @abstractmethod
    def explain_missing_subjects(self) -> ScoringObstacle:
        """Return the message shown if there are no subjects."""


def equal_pairs(digests: Iterable[bytes]) -> NDArray[np.bool_]:
    """Return which of n byte strings are equal, shape (n, n)."""
    codes: dict[bytes, int] = {}
    code = np.asarray([codes.setdefault(digest, len(codes)) for digest in digests], np.int64)
    return np.asarray(code[:, None] == code[None, :])


def expand_segments(rows: NDArray[Any], is_scored: NDArray[np.bool_] | None) -> NDArray[Any]:
    """Expand rows of scored segments, shape (subjects, scored, columns), to all segments; the others are zeros.

    The rows are unchanged if `is_scored` is None.
    """
    if is_scored is None:
        return rows
    selected = np.zeros((len(rows), len(is_scored), rows.shape[2]), rows.dtype)
    selected[:, is_scored] = rows
    return selected
