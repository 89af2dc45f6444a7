"""Scores of segments against gold scores: HTER, direct assessment, post-edit time, or what else one number says."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import (
    WILLIAMS_TESTS,
    Families,
    FamilyRowsMap,
    Level,
    OnProgress,
    ScoreChart,
    ScoringObstacle,
    Selection,
    select_segments,
)
from qe_desktop.levels.sentences.charts import SENTENCE_CHARTS
from qe_desktop.levels.sentences.scored_segments import scored_segments, scores_in_scored_segments
from qe_desktop.metrics import SENTENCE_METRICS, Metric
from qe_desktop.metrics.scores.correlation import CORRELATIONS, GoldNumbers, SystemNumbers


@dataclass(frozen=True, eq=False, kw_only=True)
class SentenceLevel(Level):
    """One number a segment. `divided` says whose numbers were divided by the tokens of the MT, where any were."""

    name: str = "sentences"
    group: str = "sentences"
    title: str = tr("sentences")
    heading: str = tr("Sentences")
    items: str = tr("scores", "of segments")
    items_heading: str = tr("Scores", "of segments")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: SENTENCE_METRICS)
    shown: tuple[str, ...] = ("Pearson", "Spearman", "MAE", "RMSE")
    tested: tuple[str, ...] = ("Pearson",)
    main: str = "Pearson"
    beside: str = "MAE"
    tests: tuple[str, ...] = (*WILLIAMS_TESTS, "randomisation", "bootstrap")
    untested: Mapping[str, str] = field(default_factory=dict)
    divided: tuple[str, ...] = ()
    pictures: tuple[ScoreChart, ...] = SENTENCE_CHARTS

    # --- what there is

    def references(self, view: View) -> list[LayerKey]:
        """Gold scores: several may stand beside each other, such as HTER and post-edit time; then HTER of what people
        post-edit here.
        """
        return [*(layer.key for layer in view.corpus.find(Provenance.GOLD, Kind.SCORES)), *view.scores_that_follow()]

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """The scores of systems."""
        return [layer.key for layer in view.corpus.find(Provenance.SYSTEM, Kind.SCORES)]

    def kept(self, taken: Selection) -> NDArray[np.bool_] | None:
        """Those that the gold has a score for."""
        return scored_segments(taken)

    def size(self, taken: Selection) -> int:
        """A score a segment."""
        kept = self.kept(taken)
        return taken.view.corpus.size if kept is None else int(kept.sum())

    def is_moved(self, taken: Selection, layers: Collection[LayerKey]) -> bool:
        """Another HTER moves the mean that all are held against."""
        return taken.reference in layers

    def usual_test(self, metrics: Sequence[Metric], unit: str) -> str:
        """Williams' for correlations (Graham 2015), two-tailed; randomisation for errors and for whole documents."""
        correlations = all(metric.family.name in CORRELATIONS for metric in metrics)
        return WILLIAMS_TESTS[0] if correlations and unit == "segment" else "randomisation"

    # --- counting

    def rows(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> FamilyRowsMap:
        """The rows of the families, from all scores."""
        gold = GoldNumbers(scores_in_scored_segments(taken, taken.reference))
        found: dict[str, list[NDArray[np.float64]]] = {family.name: [] for family in families}
        for place, key in enumerate(taken.subjects):
            numbers = SystemNumbers(scores_in_scored_segments(taken, key), gold)
            for family in families:
                found[family.name].append(family.rows(numbers))
            if watch is not None:
                watch((place + 1) / len(taken.subjects))
        kept = self.kept(taken)
        return {
            family.name: select_segments(np.stack(found[family.name]), kept)
            if taken.subjects
            else np.zeros((0, taken.view.corpus.size, len(family.columns)))
            for family in families
        }

    def identical(self, taken: Selection) -> NDArray[np.bool_]:
        """Which subjects gave the same scores throughout."""
        codes: dict[bytes, int] = {}
        scores = [scores_in_scored_segments(taken, key).tobytes() for key in taken.subjects]
        code = np.asarray([codes.setdefault(one, len(codes)) for one in scores], int)
        return np.asarray(code[:, None] == code[None, :])

    # --- in words

    def against(self, reference: LayerKey) -> str:
        """What the gold scores are; the name of a file that says no more is that they are scores."""
        if reference.name in (Provenance.GOLD.value, Kind.SCORES.value):
            return tr("gold scores")
        return _SCORE_LABELS.get(reference.name) or super().against(reference)

    def described(self, taken: Selection) -> str:
        """How many segments."""
        return tr("{n:,} {n:segment|segments}", "", self.size(taken))

    def signature(self, taken: Selection) -> Mapping[str, str]:
        """What the conventions are."""
        rates = {"per-token": "+".join(self.divided)} if self.divided else {}
        return {"gold": taken.reference.name, **rates, "ties": "mean rank", "undefined": "null"}

    def without_reference(self) -> ScoringObstacle:
        """Add gold."""
        return ScoringObstacle(
            tr("There are no gold scores"),
            tr(
                "Correlations say how well systems tell good translations from bad ones. Add a file with one gold "
                "number a segment, such as HTER or direct assessments."
            ),
        )

    def without_subjects(self) -> ScoringObstacle:
        """Add systems."""
        return ScoringObstacle(
            tr("There are no scores of systems yet"),
            tr("The gold is open. Add the scores of one system to see how it correlates, of two or more to compare."),
        )


_SCORE_LABELS = {"hter": "HTER", "ter": "TER", "da": tr("direct assessments"), "mqm": "MQM", "z": tr("z-scores")}
"""What scores are called that files name by their endings."""


SENTENCES = SentenceLevel()
