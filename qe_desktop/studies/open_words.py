"""Numbers of words as a study of thresholds takes them: P(BAD) of the systems that are open."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import Kind, Layer, Provenance
from qe_desktop.levels import Scoring
from qe_desktop.studies.labellings import is_synthetic
from qe_desktop.studies.threshold_study import Data, Numbered


def with_probabilities(scoring: Scoring) -> list[Layer]:
    """P(BAD) of systems' words, of which thresholds make tags; none at a level whose items have no probabilities."""
    if scoring.level.tags is not Kind.WORDS:
        return []
    return list(scoring.view.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES))


def open_data(scoring: Scoring) -> Data:
    """The reference's tags as edited, and P(BAD) of every system that has them, as they are held: in single precision.

    Whatever a person chose as a system's threshold is nothing to it.
    """
    found = with_probabilities(scoring)
    numbers = {layer.key.name: Numbered(layer.numbers.values.astype(np.float64), probabilities=True) for layer in found}
    return Data(
        scoring.view.tags(scoring.reference), {name: one for name, one in numbers.items() if not is_synthetic(name)}
    )
