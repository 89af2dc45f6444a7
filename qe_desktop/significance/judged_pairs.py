"""Two-sided tests of pairs, judged: under a correction and an alpha, whichever of two is worth more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.significance.corrections import Correction, adjusted_matrix
from qe_desktop.significance.sureness import Verdicts


def judged_pairs(p: NDArray[np.float64], worth: NDArray[np.float64], correction: Correction, alpha: float) -> Verdicts:
    """What symmetric p (things, things) say where things are worth so much, shape (things,), more being better.

    NaN stands for what could not be tested; it is no test that a correction counts.
    """
    corrected = adjusted_matrix(p, correction)
    return Verdicts(p, corrected, (corrected <= alpha) & (worth[:, None] > worth[None, :]))
