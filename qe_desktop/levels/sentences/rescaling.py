"""What errors systems would have by knowing no more than the mean and the spread of the gold.

Graham 2015, section 2.2, tables 2 and 3 and figure 2: scores shifted and rescaled to the mean of the gold and half its
standard deviation have a lower MAE and RMSE, though nothing was learnt of any segment and r is as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.metrics.correlation import standard
from qe_desktop.metrics.family import Floats

SHARE = 0.5
"""The share of the gold's standard deviation that scores are rescaled to."""


def rescaled(scores: Floats, gold: Floats, share: float = SHARE) -> Floats:
    """Scores with the mean of the gold and a `share` of its standard deviation, all of shape (segments,).

    (x − mean x) / sd x · share · sd gold + mean gold; NaN throughout where all scores are alike: no scale spreads them.
    """
    if len(scores) == 0 or scores.min() == scores.max():
        return np.full(len(scores), np.nan)
    return np.asarray(standard(scores) * (share * gold.std()) + gold.mean())


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """MAE and RMSE of systems, shape (systems,) each: as they gave their scores, and with these rescaled.

    What is rescaled is NaN for a system whose scores are all alike, and everything is without segments.
    """

    mae: Floats
    rmse: Floats
    rescaled_mae: Floats
    rescaled_rmse: Floats


def errors_if_rescaled(systems: Sequence[Floats], gold: Floats, share: float = SHARE) -> Errors:
    """The errors of systems' scores, shape (segments,) each, and those that the same scores rescaled would have."""
    given = [_errors(scores, gold) for scores in systems]
    would = [_errors(rescaled(scores, gold, share), gold) for scores in systems]
    columns = np.asarray([(*one, *other) for one, other in zip(given, would, strict=True)], float).reshape(-1, 4)
    return Errors(*columns.T)


def _errors(scores: Floats, gold: Floats) -> tuple[float, float]:
    if len(gold) == 0:
        return np.nan, np.nan
    off = scores - gold
    return float(np.abs(off).mean()), float(np.sqrt(np.mean(off**2)))
