"""Registry of significance tests.

To add a test, write a function that returns the p-values of all pairs, and add an entry to `SIGNIFICANCE_TESTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance.bootstrap import bootstrap_test, resampled_scores
from qe_desktop.significance.missing_units import PairTest, bootstrap_pairs, randomise_pairs
from qe_desktop.significance.randomization import FamilyRows, OnRounds, PairTests, randomization_tests
from qe_desktop.significance.sacrebleu_tests import (
    sacrebleu_bootstrap,
    sacrebleu_bootstrap_pairs,
    sacrebleu_randomization,
    sacrebleu_randomization_pairs,
)
from qe_desktop.significance.williams import two_tailed_tests, williams_tests


class RunTest(Protocol):
    """Function that tests all pairs of systems by all metrics, in the order in which `families` lists the metrics.

    Parameters
    ----------
    families
        Rows and metrics; all families have the same systems and units.
    observed
        Scores, shape (metrics, systems); 0 if undefined.
    rounds, seed, on_progress
        Number of trials or resamples, random seed and progress callback. A test in closed form ignores all three and
        reports 0 rounds.
    """

    def __call__(
        self,
        families: Sequence[FamilyRows],
        observed: Floats,
        *,
        rounds: int,
        seed: int,
        on_progress: OnRounds | None,
    ) -> PairTests:
        """Return the p-values and their standard errors."""


@dataclass(frozen=True, slots=True)
class SignificanceTest:
    """Significance test of two systems.

    Parameters
    ----------
    name, title
        Command-line name and localized label.
    run
        Function that tests all pairs.
    min_p
        Function that returns the minimum attainable p-value for a number of units.
    is_closed_form
        Whether p-values have a closed form, which uses neither rounds nor seed.
    caution, short_caution
        Localized note shown with the results, and a shorter note without reasons; empty if there is none.
    test_pairs
        Function that tests each pair on the units that both systems share; None if the test does not support missing
        units.
    tails
        2 if the test is two-sided; 1 if it tests whether the system with the higher score is better.
    """

    name: str
    title: str
    run: RunTest
    min_p: Callable[[int], float] = field(default=lambda units: 0.0)
    is_closed_form: bool = False
    caution: str = ""
    short_caution: str = ""
    test_pairs: PairTest | None = None
    tails: int = 2


def _run_randomization(
    families: Sequence[FamilyRows],
    observed: Floats,
    *,
    rounds: int,
    seed: int,
    on_progress: OnRounds | None,
) -> PairTests:
    return randomization_tests(families, rounds=rounds, seed=seed, on_progress=on_progress)


def _run_bootstrap(
    families: Sequence[FamilyRows],
    observed: Floats,
    *,
    rounds: int,
    seed: int,
    on_progress: OnRounds | None,
) -> PairTests:
    scores = resampled_scores(families, rounds=rounds, seed=seed, on_progress=on_progress)
    return bootstrap_test(scores, observed, families[0].rows.shape[1])


def _min_swap_p(units: int) -> float:
    """Return the minimum p-value for n units, 2^(1-n).

    Of the 2^n permutations, at least two reach the observed difference: swapping all units and swapping none.
    """
    return float(2.0 ** (1 - min(units, 1000)))


NO_RANKING_NOTE = tr(
    "Do not rank systems by their number of wins: the more two systems correlate, the smaller"
    " the difference that is significant (Graham 2015, section 5.1)."
)
SHORT_NO_RANKING_NOTE = tr("Do not rank systems by wins.")
ONE_TAILED_NOTE = tr(
    "The test is one-sided for the system with the higher correlation, as in Graham (2015). If systems do not differ, "
    "about one pair in ten has p ≤ .05. P-values are half those of the two-sided test. Discriminative power d and the "
    "number of clusters are therefore at least as high as with that test."
)
SACREBLEU_NOTE = tr(
    "As in sacreBLEU, systems with identical output have the smallest possible p-value, because differences that only "
    "equal the observed difference are not counted. P-values match those of sacreBLEU if the number of trials or "
    "resamples is the same and the seed is 12345."
)
SIGNIFICANCE_TESTS: dict[str, SignificanceTest] = {
    item.name: item
    for item in (
        SignificanceTest(
            "randomisation",
            tr("Approximate randomization, two-sided"),
            _run_randomization,
            _min_swap_p,
            test_pairs=randomise_pairs,
        ),
        SignificanceTest("bootstrap", tr("Paired bootstrap, two-sided"), _run_bootstrap, test_pairs=bootstrap_pairs),
        SignificanceTest(
            "williams-two-tailed",
            tr("Williams test, two-sided"),
            two_tailed_tests,
            is_closed_form=True,
            caution=NO_RANKING_NOTE,
            short_caution=SHORT_NO_RANKING_NOTE,
        ),
        SignificanceTest(
            "williams",
            tr("Williams test, one-sided"),
            williams_tests,
            is_closed_form=True,
            caution=join_localized(" ", (ONE_TAILED_NOTE, NO_RANKING_NOTE)),
            short_caution=join_localized(" ", (tr("One-sided."), SHORT_NO_RANKING_NOTE)),
            tails=1,
        ),
        SignificanceTest(
            "sacrebleu-ar",
            tr("Approximate randomization as in sacreBLEU, two-sided"),
            sacrebleu_randomization,
            caution=SACREBLEU_NOTE,
            short_caution=tr("Identical outputs have the smallest possible p-value."),
            test_pairs=sacrebleu_randomization_pairs,
        ),
        SignificanceTest(
            "sacrebleu-bs",
            tr("Paired bootstrap as in sacreBLEU, two-sided"),
            sacrebleu_bootstrap,
            caution=SACREBLEU_NOTE,
            short_caution=tr("Identical outputs have the smallest possible p-value."),
            test_pairs=sacrebleu_bootstrap_pairs,
        ),
    )
}


def get_test(name: str) -> SignificanceTest:
    """Return a significance test.

    Parameters
    ----------
    name
        Key of `SIGNIFICANCE_TESTS`, such as "randomisation".

    Returns
    -------
    SignificanceTest
        Test with the key `name`.

    Raises
    ------
    QeError
        If the name is unknown.
    """
    if name not in SIGNIFICANCE_TESTS:
        hint = tr("Use one of {names}.", names=", ".join(SIGNIFICANCE_TESTS))
        raise QeError(tr("there is no test “{name}”", name=name), hint=hint)
    return SIGNIFICANCE_TESTS[name]
