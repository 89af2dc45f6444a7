"""The tests that there are, by name. Each gives p of all pairs of systems from rows or their sums: a new one is a
function and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance.bootstrap import bootstrap_test, resampled_scores
from qe_desktop.significance.missing_units import PairTest, bootstrap_pairs, randomise_pairs
from qe_desktop.significance.randomization import FamilyRows, OnRandomisation, PairTests, randomisation_tests
from qe_desktop.significance.sacrebleu_tests import sacrebleu_bootstrap, sacrebleu_randomisation
from qe_desktop.significance.williams import two_tailed_tests, williams_tests


class RunTest(Protocol):
    """Tests all pairs of systems by all metrics of the families, in their order.

    `observed` (metrics, systems) are the scores, undefined ones as 0. A test in closed form takes no notice of rounds,
    seed and watch, and says that it made 0 rounds.
    """

    def __call__(
        self,
        families: Sequence[FamilyRows],
        observed: NDArray[np.float64],
        *,
        rounds: int,
        seed: int,
        watch: OnRandomisation | None,
    ) -> PairTests:
        """p and its error."""


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """A way to test whether two systems differ: how the command line calls it, and how people do.

    `tails` says which p it is: 2 for a difference in either direction, 1 for that of the system that is ahead. `least`
    is the smallest p that any number of rounds can give with so many units. A `closed` form draws nothing, so
    that neither rounds nor the seed change its p. `caution` is what a reader of all pairs at once must know. `of_pairs`
    is the same test where systems lack some units, each pair by the units that both have; None where it cannot be so.
    """

    name: str
    title: str
    run: RunTest
    least: Callable[[int], float] = field(default=lambda units: 0.0)
    closed: bool = False
    caution: str = ""
    of_pairs: PairTest | None = None
    tails: int = 2


def _run_randomisation(
    families: Sequence[FamilyRows],
    observed: NDArray[np.float64],
    *,
    rounds: int,
    seed: int,
    watch: OnRandomisation | None,
) -> PairTests:
    return randomisation_tests(families, rounds=rounds, seed=seed, watch=watch)


def _run_bootstrap(
    families: Sequence[FamilyRows],
    observed: NDArray[np.float64],
    *,
    rounds: int,
    seed: int,
    watch: OnRandomisation | None,
) -> PairTests:
    return bootstrap_test(resampled_scores(families, rounds=rounds, seed=seed, watch=watch), observed)


def _min_swap_p(units: int) -> float:
    """Of the 2^n swaps of n units, two reach the observed difference at least: all and none."""
    return float(2.0 ** (1 - min(units, 1000)))


NO_RANKING_NOTE = tr(
    "Systems are not to be ranked by their number of wins: the more two of them correlate, the smaller a difference is "
    "significant (Graham 2015, section 5.1)."
)
ONE_TAILED_NOTE = tr(
    "One-tailed for whichever of two systems is ahead, as Graham (2015) has it: where systems do not differ, one pair "
    "in ten has p ≤ .05."
)
SACREBLEU_NOTE = tr(
    "As sacreBLEU has it, systems with the same output differ significantly: rounds that only reach the observed "
    "difference are not counted. Its numbers come with its seed, 12345."
)
SIGNIFICANCE_TESTS: dict[str, SignificanceTest] = {
    one.name: one
    for one in (
        SignificanceTest(
            "randomisation",
            tr("Approximate randomisation, two-tailed"),
            _run_randomisation,
            _min_swap_p,
            of_pairs=randomise_pairs,
        ),
        SignificanceTest("bootstrap", tr("Paired bootstrap, two-tailed"), _run_bootstrap, of_pairs=bootstrap_pairs),
        SignificanceTest(
            "williams-two-tailed",
            tr("Williams test, two-tailed"),
            two_tailed_tests,
            closed=True,
            caution=NO_RANKING_NOTE,
        ),
        SignificanceTest(
            "williams",
            tr("Williams test, one-tailed"),
            williams_tests,
            closed=True,
            caution=join_localized(" ", (ONE_TAILED_NOTE, NO_RANKING_NOTE)),
            tails=1,
        ),
        SignificanceTest(
            "sacrebleu-ar",
            tr("Approximate randomisation as sacreBLEU has it, two-tailed"),
            sacrebleu_randomisation,
            caution=SACREBLEU_NOTE,
        ),
        SignificanceTest(
            "sacrebleu-bs",
            tr("Paired bootstrap as sacreBLEU has it, two-tailed"),
            sacrebleu_bootstrap,
            caution=SACREBLEU_NOTE,
        ),
    )
}


def get_test(name: str) -> SignificanceTest:
    """The test of this name; QeError where there is none."""
    if name not in SIGNIFICANCE_TESTS:
        hint = tr("Choose from {names}.", names=", ".join(SIGNIFICANCE_TESTS))
        raise QeError(tr("there is no test “{name}”", name=name), hint=hint)
    return SIGNIFICANCE_TESTS[name]
