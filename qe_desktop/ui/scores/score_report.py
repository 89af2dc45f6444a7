"""The scores as they are now, as the report that the command line writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.metrics import Metric
from qe_desktop.report import ScoreReport, signature
from qe_desktop.ui.scores.score_keeper import ScoreKeeper


def score_report(scores: ScoreKeeper, layers: Sequence[LayerKey], metrics: Sequence[Metric]) -> ScoreReport | None:
    """Scores of the layers in this order; None before there are any."""
    scoring = scores.scoring()
    if scoring is None or not scores.values:
        return None
    places = [scores.layers.index(layer) for layer in layers]
    values = np.stack([scores.values[metric.name][places] for metric in metrics], axis=-1)
    level, against = scoring.level, scoring.reference.shown
    edited = sum(len(scoring.view.edited_segments(key)) for key in (scoring.reference, *layers))
    cut = level.signature(scoring)
    parts = {**cut, "against": against, "edited-segments": edited}
    return ScoreReport(
        systems=tuple(layer.shown for layer in layers),
        metrics=tuple(metrics),
        values=values,
        segments=scoring.segments,
        items=scoring.size,
        signature=signature(level.group, parts),
        title=level.described(scoring),
        remarks=tuple(level.remarks),
        tokenizer=cut.get("tok", ""),
    )
