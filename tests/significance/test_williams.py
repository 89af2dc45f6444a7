"""Williams test: p-values of R, the pairs of Graham (2015), and undefined cases."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.levels.sentences.sentence_level import SENTENCES
from qe_desktop.metrics import SENTENCE_METRICS
from qe_desktop.significance import SIGNIFICANCE_TESTS
from qe_desktop.significance.williams import williams_p
from tests.significance.simulated_data import correlated_systems


def p_of(case, **options):
    with_gold = np.array([case["r13"], case["r23"]])
    between = np.array([[1, case["r12"]], [case["r12"], 1]])
    return williams_p(with_gold, between, case["n"], **options)[0, 1]


@pytest.mark.published
def test_p_equals_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/significance/williams.json").read_text())["cases"]
    compared = 0
    for case in cases:
        if case["n"] < 4 or case["K"] < 0 or "p_two_sided" not in case or abs(case["r12"]) > 1 - 1e-9:
            continue
        assert p_of(case) == pytest.approx(float(case["p_one_sided_abs_t"]), rel=1e-9, abs=1e-15)
        assert p_of(case, two_tailed=True) == pytest.approx(float(case["p_two_sided"]), rel=1e-9, abs=1e-15)
        compared += 1
    assert compared > 50


@pytest.mark.published
def test_p_of_grahams_pairs_equals_r(data_folder):
    with (data_folder / "graham2015/expected_williams_pairs.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 55
    for row in rows:
        case = {"n": int(row["n"]), "r13": float(row["r_a"]), "r23": float(row["r_b"]), "r12": float(row["r_ab"])}
        assert p_of(case) == pytest.approx(float(row["p_one"]), rel=1e-6)
        assert p_of(case, two_tailed=True) == pytest.approx(float(row["p_two"]), rel=1e-6)


def test_many_systems_are_tested_at_once():
    rng = np.random.default_rng(2)
    values = rng.normal(size=(6, 80)) + rng.normal(size=80)
    r = np.corrcoef(values)
    p = williams_p(r[0, 1:], r[1:, 1:], 80)
    assert p == pytest.approx(p.T)
    assert np.diag(p).tolist() == [1] * 5
    case = {"n": 80, "r13": r[0, 2], "r23": r[0, 4], "r12": r[2, 4]}
    assert p[1, 3] == pytest.approx(p_of(case), rel=1e-12)


def test_perfectly_correlated_systems_do_not_differ():
    assert williams_p(np.array([0.5, 0.5]), np.ones((2, 2)), 10)[0, 1] == 1
    opposite = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert williams_p(np.array([0.5, -0.5]), opposite, 10)[0, 1] == pytest.approx(0.5)


def test_impossible_or_undefined_correlations_are_not_tested():
    impossible = williams_p(np.array([0.9, -0.9]), np.array([[1, 0.9], [0.9, 1]]), 50)
    assert np.isnan(impossible[0, 1])
    undefined = williams_p(np.array([np.nan, 0.5]), np.array([[1, 0.0], [0.0, 1]]), 50)
    assert np.isnan(undefined[0, 1])
    with pytest.raises(QeError, match="4 segments"):
        williams_p(np.array([0.1, 0.2]), np.eye(2), 3)


def test_default_test_has_its_nominal_error_rate():
    default = SENTENCES.default_test([SENTENCE_METRICS["Pearson"]], "segment")
    simulated = 1_000
    counts = {}
    for name in (default, "williams"):
        dice = np.random.default_rng(5)
        counts[name] = 0
        for _ in range(simulated):
            family, observed = correlated_systems(dice, segments=60)
            p = SIGNIFICANCE_TESTS[name].run([family], observed, rounds=0, seed=1, on_progress=None).p
            counts[name] += bool(p[0, 0, 1] <= 0.05)
    assert 0.03 < counts[default] / simulated < 0.07
    # one-sided for the better system: twice the error rate
    assert counts["williams"] / simulated > 0.08
    assert [SIGNIFICANCE_TESTS[name].tails for name in (default, "williams")] == [2, 1]
