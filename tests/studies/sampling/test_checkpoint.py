"""Checkpoints of sampling studies: resuming, refusal of other studies and damaged files, and full disks."""

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
from tests.studies.sampling.small_data_sets import METRICS, sampling_options, small_scoring
from tests.studies.sampling.test_sampling_study import assert_equal_studies, cancel_after

FULL = sampling_options(mode="full", repetitions=12)


def study(path, options=FULL, metrics=METRICS, of=None, **others):
    return study_sampling(of or small_scoring(), metrics, options, resume=path, **others)


def test_interrupted_run_resumes_to_the_same_table(tmp_path):
    path = tmp_path / "sums.json"
    part = study(path, on_progress=cancel_after(5, KeyboardInterrupt()), run=run_in_threads(2))
    assert 5 <= part.completed < 12
    whole = study(path)
    assert whole.stop_reason is None
    assert assert_equal_studies(whole, study_sampling(small_scoring(), METRICS, FULL))
    # a finished run computes nothing more
    assert assert_equal_studies(study(path, run=run_nothing), whole)


def test_cancelled_run_writes_a_checkpoint(tmp_path):
    path = tmp_path / "sums.json"
    with pytest.raises(RuntimeError):
        study(path, on_progress=cancel_after(4, RuntimeError()), run=run_in_threads(1))
    assert json.loads(path.read_text())["added"] == 4


def test_finished_run_can_be_extended_but_not_shortened(tmp_path):
    path = tmp_path / "sums.json"
    study(path, replace(FULL, repetitions=7))
    assert assert_equal_studies(study(path), study_sampling(small_scoring(), METRICS, FULL))
    with pytest.raises(QeError, match="the checkpoint already contains 12 repetitions"):
        study(path, replace(FULL, repetitions=7))


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"seed": 2}, "seed changed from 1 to 2"),
        ({"sizes": (5, 20)}, "sizes changed from 5 20 60 to 5 20"),
        ({"errors": FULL.errors[:2]}, "errors changed from 20 21 25 to 20 21"),
        ({"overshoot": "stop"}, "overshoot changed from keep to stop"),
        ({"mixing": "one"}, "mixing changed from many to one"),
        ({"variances": "unequal"}, "variances changed from equal to unequal"),
    ],
)
def test_checkpoint_of_other_settings_is_refused_naming_the_setting(tmp_path, others, message):
    path = tmp_path / "sums.json"
    study(path)
    before = path.read_bytes()
    with pytest.raises(QeError, match=rf"different settings or data: {re.escape(message)}\."):
        study(path, replace(FULL, **others))
    assert path.read_bytes() == before


def test_checkpoint_of_other_data_or_metrics_is_refused(tmp_path):
    path = tmp_path / "sums.json"
    study(path)
    with pytest.raises(QeError, match=r"different settings or data: the gold or the systems changed\."):
        study(path, of=small_scoring(seed=9))
    with pytest.raises(QeError, match=r"metrics changed from F1-BAD .* to F1-BAD\."):
        study(path, metrics=METRICS[:1])


def test_setting_that_the_checkpoint_lacks_is_named(tmp_path):
    path = tmp_path / "sums.json"
    study(path)
    content = json.loads(path.read_text())
    del content["settings"]["variances"]
    path.write_text(json.dumps(content))
    with pytest.raises(QeError, match=r"different settings or data: variances is missing from the checkpoint\."):
        study(path)


def test_checkpoint_can_be_read_with_another_correction_and_alpha(tmp_path):
    path = tmp_path / "sums.json"
    study(path)
    assert study(path, replace(FULL, correction="holm", alpha=0.01)).completed == 12


def run_nothing(unit, sets, numbers):
    assert not list(numbers)
    yield from ()


def change_value(text: str, name: str, index: int, figure: float) -> str:
    content = json.loads(text)
    content[name][index] = figure
    return json.dumps(content)


DAMAGED = {
    "no JSON": lambda text: text[:100],
    "another file": lambda text: "{}",
    "a list": lambda text: "[1]",
    "a text": lambda text: json.dumps("qe-desktop"),
    "deep": lambda text: "[" * 100_000,
    "no version": lambda text: text.replace('"version": 2', '"version": "2"'),
    "no settings": lambda text: json.dumps({**json.loads(text), "settings": None}),
    "fewer figures": lambda text: json.dumps({**json.loads(text), "total": [1.0]}),
    "no numbers": lambda text: json.dumps({**json.loads(text), "squares": None}),
    "not finite": lambda text: text.replace('"total": [', '"total": [NaN, ', 1),
    "rows twice": lambda text: json.dumps({**json.loads(text), "waiting": {"3": json.loads(text)["total"]}}),
    "more than any count": lambda text: text.replace('"added": 12', '"added": 1e400'),
    "no rows by number": lambda text: json.dumps({**json.loads(text), "waiting": [1]}),
    "larger than any number": lambda text: text.replace('"total": [', '"total": [1' + "0" * 400 + ", ", 1),
    "another figure": lambda text: change_value(text, "total", 0, -5.0),
    "other squares": lambda text: change_value(text, "squares", 3, 0.0),
    "another count": lambda text: text.replace('"added": 12', '"added": 11'),
    "before the first": lambda text: json.dumps({**json.loads(text), "added": -1}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_checkpoint_is_refused_with_its_path(tmp_path, damage):
    path = tmp_path / "sums.json"
    study(path)
    path.write_text(DAMAGED[damage](path.read_text()))
    with pytest.raises(QeError, match=r"is not a checkpoint|is damaged") as refused:
        study(path)
    assert str(path) in refused.value.line()


@pytest.mark.parametrize("version", [1, 3])
def test_checkpoint_of_another_version_is_refused_as_such(tmp_path, version):
    """Previously, such a file was reported as not being a checkpoint."""
    path = tmp_path / "sums.json"
    study(path)
    content = {**json.loads(path.read_text()), "version": version}
    del content["settings"]
    path.write_text(json.dumps(content))
    with pytest.raises(QeError, match=f"has format version {version}, but this program uses version 2") as refused:
        study(path)
    assert str(path) in refused.value.line()


def test_analytic_mode_refuses_a_checkpoint(tmp_path):
    with pytest.raises(QeError, match="analytic mode cannot be resumed"):
        study(tmp_path / "sums.json", sampling_options())


def test_sums_do_not_depend_on_the_order_in_which_rows_come():
    rows = np.random.default_rng(1).normal(size=(50, 3)) * 10.0 ** np.arange(-20, 30).reshape(50, 1)
    totals = []
    for seed in range(3):
        sums = PartialSums.empty(3)
        for number in np.random.default_rng(seed).permutation(50).tolist():
            sums.add(number, rows[number])
        assert (sums.received_count, sums.added, sums.waiting) == (50, 50, {})
        totals.append(sums.all_sums()[0].tolist())
    assert totals[0] == totals[1] == totals[2]


def test_waiting_rows_count_in_the_totals_but_not_as_added():
    sums = PartialSums.empty(1)
    sums.add(2, np.ones(1))
    sums.add(0, np.ones(1))
    assert (sums.added, sums.received_count, sums.has(1), sums.has(2)) == (1, 2, False, True)
    assert sums.all_sums()[0].tolist() == [2]
    assert sums.leading.total.tolist() == [1]


def test_interrupt_at_any_line_leaves_sums_of_complete_rows():
    """Whichever line of the module is interrupted, the sums are those of the counted rows."""
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
        assert sums.leading.total.tolist() == expected.tolist()
        assert sums.leading.squares.tolist() == sum((row**2 for row in rows[: sums.added]), np.zeros(2)).tolist()
        assert all(number >= sums.added for number in sums.waiting)
    assert at > 20
    assert sums.received_count == 4


def full_disk(monkeypatch, tmp_path, after: int):
    """Let writing the checkpoint succeed `after` times and then fail; return the list of attempts."""
    written = []

    def write(path, sets, sums):
        written.append(sums.received_count)
        if len(written) > after:
            raise QeError("the file cannot be written: No space left on device", place=SourceLocation(str(path)))
        write_sums(path, sets, sums)

    monkeypatch.setattr(studies, "write_sums", write)
    monkeypatch.setattr(studies, "SAVE_INTERVAL_SECONDS", -1.0)
    return written


def test_full_disk_does_not_lose_the_result(tmp_path, monkeypatch):
    written = full_disk(monkeypatch, tmp_path, 3)
    result = study(tmp_path / "sums.json", run=run_in_threads(1))
    assert assert_equal_studies(result, study_sampling(small_scoring(), METRICS, FULL))
    assert "No space left" in result.stop_reason.line()
    assert len(written) == 14
    # a complete run lacks only its checkpoint
    assert not any("early" in note for note in sampling_notes(result))
    content = json.loads((tmp_path / "sums.json").read_text())
    assert content["added"] == 2


def test_full_disk_does_not_hide_the_reason_of_a_cancelled_run(tmp_path, monkeypatch):
    full_disk(monkeypatch, tmp_path, 1)
    with pytest.raises(RuntimeError):
        study(tmp_path / "sums.json", on_progress=cancel_after(4, RuntimeError()), run=run_in_threads(1))
    full_disk(monkeypatch, tmp_path, 1)
    result = study(tmp_path / "others.json", on_progress=cancel_after(4, KeyboardInterrupt()), run=run_in_threads(1))
    assert result.completed == 4
    assert "No space left" in result.stop_reason.line()


def test_unwritable_checkpoint_is_refused_before_the_run(tmp_path):
    def never(unit, sets, numbers):
        raise AssertionError("it began")
        yield

    with pytest.raises(QeError, match="cannot be written"):
        study(tmp_path / "no such folder" / "sums.json", run=never)
