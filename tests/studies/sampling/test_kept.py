"""Runs that go on: from sums that were written, of the same study alone."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.report.sampling import sampling_notes
from qe_desktop.studies.sampling import checkpoint as sums_module
from qe_desktop.studies.sampling import sampling_study as studies
from qe_desktop.studies.sampling.checkpoint import PartialSums, write_sums
from qe_desktop.studies.sampling.executors import run_in_threads
from qe_desktop.studies.sampling.sampling_study import study_sampling
from tests.studies.sampling.made import METRICS, options, scoring
from tests.studies.sampling.test_study import alike, stopping

FULL = options(mode="full", repetitions=12)


def study(path, asked=FULL, metrics=METRICS, of=None, **others):
    return study_sampling(of or scoring(), metrics, asked, resume=path, **others)


def test_a_run_goes_on_to_the_same_table(tmp_path):
    path = tmp_path / "sums.json"
    part = study(path, watch=stopping(5, KeyboardInterrupt()), run=run_in_threads(2))
    assert 5 <= part.made < 12
    whole = study(path)
    assert whole.ended is None
    assert alike(whole, study_sampling(scoring(), METRICS, FULL))
    # nothing is left to do, and nothing is done
    assert alike(study(path, run=idle), whole)


def test_a_run_that_somebody_cancels_goes_on_too(tmp_path):
    path = tmp_path / "sums.json"
    with pytest.raises(RuntimeError):
        study(path, watch=stopping(4, RuntimeError()), run=run_in_threads(1))
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
        ({"seed": 2}, "seed was 1 and is now 2"),
        ({"sizes": (5, 20)}, "sizes was 5 20 60 and is now 5 20"),
        ({"errors": FULL.errors[:2]}, "errors was 20 21 25 and is now 20 21"),
        ({"overshoot": "stop"}, "overshoot was keep and is now stop"),
        ({"mixing": "one"}, "mixing was many and is now one"),
        ({"variances": "unequal"}, "variances was equal and is now unequal"),
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
    with pytest.raises(QeError, match=r"metrics was F1-BAD .* and is now F1-BAD\."):
        study(path, metrics=METRICS[:1])


def test_corrections_and_alpha_are_no_part_of_the_sums(tmp_path):
    path = tmp_path / "sums.json"
    study(path)
    assert study(path, replace(FULL, correction="holm", alpha=0.01)).made == 12


def idle(unit, sets, numbers):
    assert not list(numbers)
    yield from ()


def changed(text: str, name: str, place: int, figure: float) -> str:
    held = json.loads(text)
    held[name][place] = figure
    return json.dumps(held)


DAMAGED = {
    "no JSON": lambda text: text[:100],
    "another file": lambda text: "{}",
    "a list": lambda text: "[1]",
    "a text": lambda text: json.dumps("qe-desktop"),
    "deep": lambda text: "[" * 100_000,
    "another version": lambda text: text.replace('"version": 2', '"version": 1'),
    "fewer figures": lambda text: json.dumps({**json.loads(text), "total": [1.0]}),
    "no numbers": lambda text: json.dumps({**json.loads(text), "squares": None}),
    "not finite": lambda text: text.replace('"total": [', '"total": [NaN, ', 1),
    "rows twice": lambda text: json.dumps({**json.loads(text), "waiting": {"3": json.loads(text)["total"]}}),
    "more than any count": lambda text: text.replace('"added": 12', '"added": 1e400'),
    "no rows by number": lambda text: json.dumps({**json.loads(text), "waiting": [1]}),
    "larger than any number": lambda text: text.replace('"total": [', '"total": [1' + "0" * 400 + ", ", 1),
    "another figure": lambda text: changed(text, "total", 0, -5.0),
    "other squares": lambda text: changed(text, "squares", 3, 0.0),
    "another count": lambda text: text.replace('"added": 12', '"added": 11'),
    "before the first": lambda text: json.dumps({**json.loads(text), "added": -1}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_files_are_refused_in_words(tmp_path, damage):
    path = tmp_path / "sums.json"
    study(path)
    path.write_text(DAMAGED[damage](path.read_text()))
    with pytest.raises(QeError, match=r"is not a checkpoint|are damaged") as refused:
        study(path)
    assert str(path) in refused.value.line()


def test_the_fast_mode_keeps_no_sums(tmp_path):
    with pytest.raises(QeError, match="analytic mode takes seconds"):
        study(tmp_path / "sums.json", options())


def test_sums_do_not_depend_on_the_order_in_which_rows_come():
    rows = np.random.default_rng(1).normal(size=(50, 3)) * 10.0 ** np.arange(-20, 30).reshape(50, 1)
    found = []
    for seed in range(3):
        sums = PartialSums.empty(3)
        for number in np.random.default_rng(seed).permutation(50).tolist():
            sums.add(number, rows[number])
        assert (sums.done, sums.added, sums.waiting) == (50, 50, {})
        found.append(sums.of_all()[0].tolist())
    assert found[0] == found[1] == found[2]


def test_rows_that_wait_are_in_the_sums_of_all_and_not_yet_added():
    sums = PartialSums.empty(1)
    sums.add(2, np.ones(1))
    sums.add(0, np.ones(1))
    assert (sums.added, sums.done, sums.has(1), sums.has(2)) == (1, 2, False, True)
    assert sums.of_all()[0].tolist() == [2]
    assert sums.first.total.tolist() == [1]


def test_an_interrupt_between_any_two_steps_leaves_sums_of_whole_rows():
    """Wherever a line of the module is interrupted: sums are of as many rows as are counted."""
    rows = [np.full(2, number + 1.0) for number in range(4)]

    def interrupted(at: int) -> tuple[PartialSums, bool]:
        sums, left = PartialSums.empty(2), at

        def trace(frame, event, argument):
            nonlocal left
            if frame.f_code.co_filename != sums_module.__file__:
                return None
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            for number in (1, 0, 3, 2):
                sums.add(number, rows[number])
        except KeyboardInterrupt:
            return sums, True
        finally:
            sys.settrace(before)
        return sums, False

    stopped, at = True, 0
    while stopped:
        at += 1
        sums, stopped = interrupted(at)
        expected = sum((rows[number] for number in range(sums.added)), np.zeros(2))
        assert sums.first.total.tolist() == expected.tolist()
        assert sums.first.squares.tolist() == sum((row**2 for row in rows[: sums.added]), np.zeros(2)).tolist()
        assert all(number >= sums.added for number in sums.waiting)
    assert at > 20
    assert sums.done == 4


def full_disk(monkeypatch, tmp_path, after: int):
    """Sums are written so many times, and then there is no room for them."""
    written = []

    def write(path, sets, sums):
        written.append(sums.done)
        if len(written) > after:
            raise QeError("the file cannot be written: No space left on device", place=SourceLocation(str(path)))
        write_sums(path, sets, sums)

    monkeypatch.setattr(studies, "write_sums", write)
    monkeypatch.setattr(studies, "SAVE_INTERVAL_SECONDS", -1.0)
    return written


def test_a_disk_that_becomes_full_takes_no_answer_away(tmp_path, monkeypatch):
    written = full_disk(monkeypatch, tmp_path, 3)
    found = study(tmp_path / "sums.json", run=run_in_threads(1))
    assert alike(found, study_sampling(scoring(), METRICS, FULL))
    assert "No space left" in found.ended.line()
    assert len(written) == 14
    # of a run that is whole nothing is missing but its file
    assert not any("early" in note for note in sampling_notes(found))
    held = json.loads((tmp_path / "sums.json").read_text())
    assert held["added"] == 2


def test_a_full_disk_does_not_hide_why_a_run_was_cancelled(tmp_path, monkeypatch):
    full_disk(monkeypatch, tmp_path, 1)
    with pytest.raises(RuntimeError):
        study(tmp_path / "sums.json", watch=stopping(4, RuntimeError()), run=run_in_threads(1))
    full_disk(monkeypatch, tmp_path, 1)
    found = study(tmp_path / "others.json", watch=stopping(4, KeyboardInterrupt()), run=run_in_threads(1))
    assert found.made == 4
    assert "No space left" in found.ended.line()


def test_a_file_that_cannot_be_written_is_said_before_the_work(tmp_path):
    def never(unit, sets, numbers):
        raise AssertionError("it began")
        yield

    with pytest.raises(QeError, match="cannot be written"):
        study(tmp_path / "no such folder" / "sums.json", run=never)
