"""The scores as they are now, as the report that the command line writes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.metrics import Metric
from qe_desktop.report import ScoreReport, signature
from qe_desktop.ui.scores.sentences import layer_text
from qe_desktop.ui.scoring import ScoreKeeper


def score_report(scores: ScoreKeeper, layers: Sequence[LayerKey], metrics: Sequence[Metric]) -> ScoreReport | None:
    """Scores of the layers in this order; None before there are any."""
    live, view = scores.live, scores.workspace.view
    if live is None or live.reference is None or view is None or not scores.values:
        return None
    places = [scores.layers.index(layer) for layer in layers]
    values = np.stack([scores.values[metric.name][places] for metric in metrics], axis=-1)
    level, against = live.level, layer_text(live.reference)
    edited = sum(len(view.edited_segments(key)) for key in (live.reference, *layers))
    parts = {**level.signature(view, live.reference), "against": against, "edited-segments": edited}
    return ScoreReport(
        systems=tuple(layer_text(layer) for layer in layers),
        metrics=tuple(metrics),
        values=values,
        segments=view.corpus.size,
        items=level.size(view, live.reference),
        signature=signature(level.group, parts),
        title=level.described(view, live.reference),
    )
