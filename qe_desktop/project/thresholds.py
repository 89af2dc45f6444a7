"""From probabilities to tags."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import NumberColumn, TagColumn


def tags_at(probabilities: NumberColumn, threshold: float) -> TagColumn:
    """BAD where P(BAD) is above the threshold."""
    return TagColumn((probabilities.values > threshold).astype(np.uint8), probabilities.offsets)
