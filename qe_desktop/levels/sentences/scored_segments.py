"""Which segments are scored: those that the gold has a score for. It is NaN where it leaves a segment out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.layers import Scores
from qe_desktop.levels.level import Selection


def scored_segments(taken: Selection) -> NDArray[np.bool_] | None:
    """Which segments the gold has a score for, shape (segments,); None where it has one for each."""
    kept: NDArray[np.bool_] = ~np.isnan(taken.view.scores(taken.reference))
    return None if kept.all() else kept


def scores_in_scored_segments(taken: Selection, key: LayerKey) -> Scores:
    """The scores of a layer in the segments that are scored, shape (kept,)."""
    kept, scores = scored_segments(taken), taken.view.scores(key)
    return scores if kept is None else scores[kept]
