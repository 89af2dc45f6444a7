"""Runs that go on: from sums that were written, of the same study alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.studies.sampling.running import threads
from qe_desktop.studies.sampling.study import study_sampling
from qe_desktop.studies.sampling.sums import Sums
from tests.studies.sampling.made import METRICS, options, scoring
from tests.studies.sampling.test_study import alike, stopping

FULL = options(mode="full", repetitions=12)


def study(path, asked=FULL, metrics=METRICS, of=None, **others):
    return study_sampling(of or scoring(), metrics, asked, resume=path, **others)


def test_a_run_goes_on_to_the_same_table(tmp_path):
    path = tmp_path / "sums.json"
    part = study(path, watch=stopping(5, KeyboardInterrupt()), run=threads(2))
    assert 5 <= part.made < 12
    whole = study(path)
    assert whole.ended is None
    assert alike(whole, study_sampling(scoring(), METRICS, FULL))
    # nothing is left to do, and nothing is done
    assert alike(study(path, run=idle), whole)


def test_a_run_that_somebody_cancels_goes_on_too(tmp_path):
    path = tmp_path / "sums.json"
    with pytest.raises(RuntimeError):
        study(path, watch=stopping(4, RuntimeError()), run=threads(1))
    assert json.loads(path.read_text())["added"] == 4


def test_a_finished_run_is_made_longer(tmp_path):
    path = tmp_path / "sums.json"
    study(path, replace(FULL, repetitions=7))
    assert alike(study(path), study_sampling(scoring(), METRICS, FULL))
    with pytest.raises(QeError, match="12 repetitions are already in this file"):
        study(path, replace(FULL, repetitions=7))


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"seed": 2}, "seed was 1, and is 2"),
        ({"sizes": (5, 20)}, "sizes was 5 20 60, and is 5 20"),
        ({"errors": FULL.errors[:2]}, "errors was 20 21 25, and is 20 21"),
        ({"overshoot": "stop"}, "overshoot was keep, and is stop"),
        ({"mixing": "one"}, "mixing was many, and is one"),
        ({"variances": "unequal"}, "variances was equal, and is unequal"),
    ],
)
def test_sums_of_other_settings_are_refused_by_name(tmp_path, others, said):
    path = tmp_path / "sums.json"
    study(path)
    before = path.read_bytes()
    with pytest.raises(QeError, match=rf"other settings: {re.escape(said)}\."):
        study(path, replace(FULL, **others))
    assert path.read_bytes() == before


def test_sums_of_other_data_and_metrics_are_refused(tmp_path):
    path = tmp_path / "sums.json"
    study(path)
    with pytest.raises(QeError, match=r"other settings: the gold or the systems\."):
        study(path, of=scoring(seed=9))
    with pytest.raises(QeError, match=r"metrics was F1-BAD .*, and is F1-BAD\."):
        study(path, metrics=METRICS[:1])


def test_corrections_and_alpha_are_no_part_of_the_sums(tmp_path):
    path = tmp_path / "sums.json"
    study(path)
    assert study(path, replace(FULL, correction="holm", alpha=0.01)).made == 12


def idle(unit, sets, numbers):
    assert not list(numbers)
    yield from ()


DAMAGED = {
    "no JSON": lambda text: text[:100],
    "another file": lambda text: "{}",
    "a list": lambda text: "[1]",
    "a text": lambda text: json.dumps("qe-desktop"),
    "deep": lambda text: "[" * 100_000,
    "another version": lambda text: text.replace('"version": 1', '"version": 2'),
    "fewer figures": lambda text: json.dumps({**json.loads(text), "total": [1.0]}),
    "no numbers": lambda text: json.dumps({**json.loads(text), "squares": None}),
    "not finite": lambda text: text.replace('"total": [', '"total": [NaN, ', 1),
    "rows twice": lambda text: json.dumps({**json.loads(text), "waiting": {"3": json.loads(text)["total"]}}),
    "before the first": lambda text: json.dumps({**json.loads(text), "added": -1}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_files_are_refused_in_words(tmp_path, damage):
    path = tmp_path / "sums.json"
    study(path)
    path.write_text(DAMAGED[damage](path.read_text()))
    with pytest.raises(QeError, match=r"holds no sums|are damaged") as refused:
        study(path)
    assert str(path) in refused.value.line()


def test_the_fast_mode_keeps_no_sums(tmp_path):
    with pytest.raises(QeError, match="fast mode takes seconds"):
        study(tmp_path / "sums.json", options())


def test_sums_do_not_depend_on_the_order_in_which_rows_come():
    rows = np.random.default_rng(1).normal(size=(50, 3)) * 10.0 ** np.arange(-20, 30).reshape(50, 1)
    found = []
    for seed in range(3):
        sums = Sums.empty(3)
        for number in np.random.default_rng(seed).permutation(50).tolist():
            sums.add(number, rows[number])
        assert (sums.done, sums.added, sums.waiting) == (50, 50, {})
        found.append(sums.of_all()[0].tolist())
    assert found[0] == found[1] == found[2]


def test_rows_that_wait_are_in_the_sums_of_all_and_not_yet_added():
    sums = Sums.empty(1)
    sums.add(2, np.ones(1))
    sums.add(0, np.ones(1))
    assert (sums.added, sums.done, sums.has(1), sums.has(2)) == (1, 2, False, True)
    assert sums.of_all()[0].tolist() == [2]
    assert sums.total.tolist() == [1]


def test_a_file_that_cannot_be_written_is_said_before_the_work(tmp_path):
    def never(unit, sets, numbers):
        raise AssertionError("it began")
        yield

    with pytest.raises(QeError, match="cannot be written"):
        study(tmp_path / "there is no such folder" / "sums.json", run=never)
