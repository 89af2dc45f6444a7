"""Selection of the segments with a gold score; the gold is NaN for all other segments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.layers import Scores
from qe_desktop.levels.level import Selection


def scored_segments(selection: Selection) -> NDArray[np.bool_] | None:
    """Return the mask of the segments with a gold score, shape (segments,); None if all segments have one."""
    is_scored: NDArray[np.bool_] = ~np.isnan(selection.view.scores(selection.reference))
    return None if is_scored.all() else is_scored


def scores_in_scored_segments(selection: Selection, key: LayerKey) -> Scores:
    """Return the scores of a layer in the scored segments, shape (scored segments,)."""
    is_scored, scores = scored_segments(selection), selection.view.scores(key)
    return scores if is_scored is None else scores[is_scored]
