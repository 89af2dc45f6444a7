"""Segment scores against gold scores: HTER, direct assessment, post-edit time or any other number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import (
    WILLIAMS_TESTS,
    ChartRequest,
    Families,
    FamilyRowsMap,
    Level,
    ScoreChart,
    ScoringObstacle,
    Selection,
    equal_pairs,
    expand_segments,
    scored_segments,
    scores_in_scored_segments,
)
from qe_desktop.metrics import SENTENCE_METRICS, Metric
from qe_desktop.metrics.correlation import CORRELATIONS, GoldNumbers, SystemNumbers

if TYPE_CHECKING:
    from qe_desktop.levels.chart_model import Panels


def _system_vs_gold(request: ChartRequest) -> Panels | str:
    # charts are imported on demand, by the window only
    from qe_desktop.levels.sentences.gold_panels import system_vs_gold_panels

    return system_vs_gold_panels(request)


def _rescaling_gain(request: ChartRequest) -> Panels | str:
    from qe_desktop.levels.sentences.system_panels import rescaling_panels

    return rescaling_panels(request)


def _system_correlations(request: ChartRequest) -> Panels | str:
    from qe_desktop.levels.sentences.system_panels import between_systems_panels

    return between_systems_panels(request)


SENTENCE_CHARTS = (
    ScoreChart(
        "beside-gold", tr("System vs. gold"),
        tr("The selected system's scores against the gold, segment by segment, and the distributions of both."),
        _system_vs_gold,
    ),
    ScoreChart(
        "if-rescaled", tr("Rescaled"),
        tr(
            "The errors that each system would have if its scores had the mean and half the standard deviation of the "
            "gold. Graham 2015 halves the standard deviation to show that scores close to the mean have small errors, "
            "although r does not change."
        ),
        _rescaling_gain,
    ),
    ScoreChart(
        "between-systems", tr("Between systems"),
        tr("The correlations between the scores of systems."),
        _system_correlations,
    ),
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class SentenceLevel(Level):
    """Level with one number per segment; `divided` are the names of scores divided by the number of MT tokens."""

    name: str = "sentences"
    group: str = "sentences"
    title: str = tr("sentences")
    heading: str = tr("Sentences")
    items: str = tr("scores", "of segments")
    items_heading: str = tr("Scores", "of segments")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: SENTENCE_METRICS)
    shown_metrics: tuple[str, ...] = ("Pearson", "Spearman", "MAE", "RMSE")
    tested_metrics: tuple[str, ...] = ("Pearson",)
    main_metric: str = "Pearson"
    companion_metric: str = "MAE"
    tests: tuple[str, ...] = (*WILLIAMS_TESTS, "randomisation", "bootstrap")
    untested_reasons: Mapping[str, str] = field(default_factory=dict)
    divided: tuple[str, ...] = ()
    charts: tuple[ScoreChart, ...] = SENTENCE_CHARTS

    # --- contents

    def references(self, view: View) -> list[LayerKey]:
        """Return the gold scores, such as HTER or post-edit time, then the HTER of post-edits made in the program."""
        return [*(layer.key for layer in view.corpus.find(Provenance.GOLD, Kind.SCORES)), *view.derived_scores()]

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """Return the score layers of systems."""
        return [layer.key for layer in view.corpus.find(Provenance.SYSTEM, Kind.SCORES)]

    def scored_segments(self, selection: Selection) -> NDArray[np.bool_] | None:
        """Return the mask of the segments with a gold score, shape (segments,); None if all segments have one."""
        return scored_segments(selection)

    def size(self, selection: Selection) -> int:
        """Return the number of scored segments."""
        is_scored = self.scored_segments(selection)
        return selection.view.corpus.size if is_scored is None else int(is_scored.sum())

    def affects_all_segments(self, selection: Selection, layers: Collection[LayerKey]) -> bool:
        """Return whether `layers` contain the reference, whose mean affects the rows of all segments."""
        return selection.reference in layers

    def default_test(self, metrics: Sequence[Metric], unit: str) -> str:
        """Return the default test for these metrics and this resampling unit.

        It is the two-sided Williams test (Graham 2015) if all metrics are correlations and the unit is the segment,
        else randomization.
        """
        correlations = all(metric.family.name in CORRELATIONS for metric in metrics)
        return WILLIAMS_TESTS[0] if correlations and unit == "segment" else "randomisation"

    # --- computation

    def rows(self, selection: Selection, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Return the rows of the families, computed from all scored segments."""
        gold = GoldNumbers(scores_in_scored_segments(selection, selection.reference))
        by_family: dict[str, list[Floats]] = {family.name: [] for family in families}
        for index, key in enumerate(selection.subjects):
            numbers = SystemNumbers(scores_in_scored_segments(selection, key), gold)
            for family in families:
                by_family[family.name].append(family.rows(numbers))
            if on_progress is not None:
                on_progress((index + 1) / len(selection.subjects))
        is_scored = self.scored_segments(selection)
        return {
            family.name: expand_segments(np.stack(by_family[family.name]), is_scored)
            if selection.subjects
            else np.zeros((0, selection.view.corpus.size, len(family.columns)))
            for family in families
        }

    def identical_subjects(self, selection: Selection) -> NDArray[np.bool_]:
        """Return which pairs of subjects have identical scores, shape (subjects, subjects)."""
        return equal_pairs(scores_in_scored_segments(selection, key).tobytes() for key in selection.subjects)

    # --- texts

    def reference_name(self, reference: LayerKey) -> str:
        """Return “gold scores” if the name of the layer is generic, else the name of the measure or of the layer."""
        if reference.name in (Provenance.GOLD.value, Kind.SCORES.value):
            return tr("gold scores")
        return _SCORE_LABELS.get(reference.name) or super().reference_name(reference)

    def data_summary(self, selection: Selection) -> str:
        """Return a text with the number of scored segments."""
        return tr("{n:,} {n:segment|segments}", "", self.size(selection))

    def signature(self, selection: Selection) -> Mapping[str, str]:
        """Return the settings needed to reproduce the scores, keyed by setting.

        They are the name of the gold, the names of the scores divided by MT token counts, and the rules for ties and
        undefined values.
        """
        rates = {"per-token": "+".join(self.divided)} if self.divided else {}
        return {"gold": selection.reference.name, **rates, "ties": "mean rank", "undefined": "null"}

    def explain_missing_reference(self) -> ScoringObstacle:
        """Return a message that suggests adding gold scores."""
        return ScoringObstacle(
            tr("There are no gold scores"),
            tr(
                "Correlations show how well systems predict translation quality. Add a file with one gold "
                "score per segment, such as HTER or a direct assessment score."
            ),
        )

    def explain_missing_subjects(self) -> ScoringObstacle:
        """Return a message that suggests adding scores of systems."""
        return ScoringObstacle(
            tr("There are no scores of systems yet"),
            tr("Add the scores of one system to see its correlation with the gold, or of several to compare them."),
        )


_SCORE_LABELS = {"hter": "HTER", "ter": "TER", "da": tr("direct assessments"), "mqm": "MQM", "z": tr("z-scores")}
"""Display names of measures, keyed by the file extension of their scores."""


SENTENCES = SentenceLevel()
