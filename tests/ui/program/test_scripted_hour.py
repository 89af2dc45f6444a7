"""Post-editing by a script that presses keys in the real window.

The results in the window equal those of the command line for the saved project, and values counted independently.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import TagColumn, TextColumn
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits
from qe_desktop.ui import icons
from tests.command_line import json_output

ROOT = Path(__file__).parents[3]
SAMPLE = icons.resource_folder() / "samples/en-de"
SYSTEMS = ("cautious", "eager", "strong", "weak")
LIMIT, MINUTES = 300.0, 20
NAVIGATION = {"Left", "Right", "Home", "End", "Up", "Down"}


@pytest.fixture(scope="module")
def output_folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hour")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    script = [sys.executable, str(ROOT / "tools/scripted_hour.py"), str(folder), "--minutes", str(MINUTES)]
    done = subprocess.run(script, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def report(output_folder) -> dict:
    return json.loads((output_folder / "hour.json").read_text())


@pytest.fixture(scope="module")
def study(report) -> dict:
    """Results of the study in the window."""
    return report["window"]["study"]


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text().splitlines()


def kind_of(key: str) -> str:
    if len(key) == 1:
        kinds = {"letter": key.isalpha(), "digit": key.isdigit(), "space": key == " "}
        return next((kind for kind, is_it in kinds.items() if is_it), "symbol")
    name = key.rpartition("Key_")[2]
    return "erase" if name in ("Delete", "Backspace") else "navigation" if name in NAVIGATION else "command"


def recount_visit(steps: list[dict]) -> dict:
    """Times and keystrokes of one visit, counted independently."""
    times = dict.fromkeys(("seconds", "pauses", "away"), 0.0)
    for step_now, step_after in pairwise(steps):
        gap = step_after["at"] - step_now["at"]
        times["away" if step_now["what"] == "out" else "pauses" if gap > LIMIT else "seconds"] += gap
    return {**times, "keys": Counter(kind_of(step["key"]) for step in steps if step["what"] == "key")}


def test_command_line_and_window_give_equal_results(output_folder, study, capsys):
    assert json_output(capsys, "study", "post-editing", output_folder / "hour.qedesk") == study


def test_times_and_keystrokes_equal_those_of_the_script(report, study):
    by_segment = {visit["segment"] - 1: visit for visit in study["segments"]}
    assert len(by_segment) == len(report["done"])
    for visit in report["done"]:
        recorded, counted = by_segment[visit["segment"]], recount_visit(visit["done"])
        for name in ("seconds", "pauses", "away"):
            assert recorded[name] == pytest.approx(counted[name], abs=1e-6), (visit["segment"], name)
        assert {kind: count for kind, count in recorded["keys"].items() if count} == dict(counted["keys"])
    [total] = study["totals"]
    assert total["pauses"] > LIMIT
    assert total["away"] == pytest.approx(95)
    assert total["seconds"] + total["pauses"] + total["away"] == pytest.approx(report["seconds"])


def distance(first: list[str], second: list[str]) -> int:
    """Edit distance: number of insertions, deletions and substitutions."""
    row = list(range(len(second) + 1))
    for first_index, word in enumerate(first, 1):
        before, row = row, [first_index]
        for second_index, second_word in enumerate(second, 1):
            row.append(min(row[-1] + 1, before[second_index] + 1, before[second_index - 1] + (word != second_word)))
    return row[-1]


def test_edits_and_hter_equal_those_of_the_sample(study):
    """Edits are counted without shifts, in the texts that the script types."""
    reviewed = reviewed_of(study)
    for segment in reviewed:
        mt, post_edit = (
            re.findall(r"\w+|[^\w\s]", lines(name)[segment["segment"] - 1].lower())
            for name in ("sample.raw.mt", "sample.raw.pe")
        )
        edit_distance, shifts = distance(mt, post_edit), segment["edits"]["shifts"]
        edits = sum(segment["edits"].values())
        assert edits <= edit_distance if shifts else edits == edit_distance, segment["segment"]
        assert segment["hter"] == pytest.approx(edits / len(post_edit))
    [total] = study["totals"]
    done = [segment["segment"] - 1 for segment in reviewed]
    assert total["segments"] == study["reviewed"] == len(done)
    changed = [number for number in done if lines("sample.raw.mt")[number] != lines("sample.raw.pe")[number]]
    assert total["edited"] == len(changed)
    words = sum(
        sum(any(map(str.isalnum, token)) for token in lines("sample.src")[number].split()) for number in done
    )  # fmt: skip
    assert total["source_words"] == pytest.approx(words, rel=0.02)
    seconds = sum(segment["seconds"] for segment in reviewed)
    assert total["words_an_hour"] == pytest.approx(total["source_words"] / seconds * 3600)
    assert total["hter"] == pytest.approx(sum(segment["hter"] for segment in reviewed) / len(done))


@pytest.fixture(scope="module")
def edited_words() -> TagColumn:
    """Words of the sample's MT that its tokenized post-edits changed."""
    mt, post_edit = (TextColumn.of(lines(name)) for name in ("sample.mt", "sample.pe"))
    return compare_post_edits(mt, post_edit).words


def test_edited_words_equal_the_tags_of_the_sample(edited_words, study):
    """Except for moved words, of which the sample's tags mark others as changed."""
    moved = {segment["segment"] - 1 for segment in reviewed_of(study) if segment["edits"]["shifts"]}
    for number in (segment["segment"] - 1 for segment in reviewed_of(study)):
        wrong = (edited_words[number] > 0) != np.array(words_tags("sample.tags", number))
        assert wrong.sum() <= (number in moved), number


@pytest.mark.parametrize("system", SYSTEMS)
def test_system_scores_use_the_post_edits_of_reviewed_segments(edited_words, report, study, system):
    right, bad, ok = Counter(), Counter(), Counter()
    for number in (segment["segment"] - 1 for segment in reviewed_of(study)):
        marked = words_tags(f"systems/{system}.tags", number)
        for is_edited, is_marked in zip((edited_words[number] > 0).tolist(), marked, strict=True):
            right[is_edited] += is_edited == is_marked
            bad.update(gold=is_edited, system=is_marked)
            ok.update(gold=not is_edited, system=not is_marked)
    scores = report["window"]["scores"]
    assert scores["segments"] == study["reviewed"]
    f1_bad, f1_ok = (2 * right[kind] / (sums["gold"] + sums["system"]) for kind, sums in ((True, bad), (False, ok)))
    assert scores["systems"][system]["F1-mult"] == pytest.approx(f1_bad * f1_ok)


@pytest.mark.parametrize("system", SYSTEMS)
def test_highlight_precision_recall_and_lift_equal_counted_values(edited_words, study, system):
    both = changed = marked = total = 0
    for number in (segment["segment"] - 1 for segment in reviewed_of(study)):
        words, tags = lines("sample.mt")[number].split(), words_tags(f"systems/{system}.tags", number)
        for word, is_edited, is_marked in zip(words, edited_words[number].tolist(), tags, strict=True):
            both += len(word) * (is_edited and is_marked)
            changed += len(word) * is_edited
            marked += len(word) * is_marked
            total += len(word)
    scores = study["highlights"][system]
    assert scores["precision"] == pytest.approx(both / marked)
    assert scores["recall"] == pytest.approx(both / changed)
    assert scores["lift_e"] == pytest.approx(both / marked / ((changed - both) / (total - marked)))
    assert scores["edited"] == pytest.approx(changed / total)


def words_tags(name: str, number: int) -> list[bool]:
    """Word tags of a line, which may also have the tags of its gaps."""
    tags = [tag == "BAD" for tag in lines(name)[number].split()]
    words = len(lines("sample.mt")[number].split())
    return tags[1::2] if len(tags) == 2 * words + 1 else tags


def reviewed_of(study: dict) -> list[dict]:
    return [segment for segment in study["segments"] if segment["status"] is not None]


@pytest.mark.parametrize("system", SYSTEMS)
def test_missed_edits_by_threshold_equal_counted_values(study, system):
    predicted = [float(line) for line in lines(f"systems/{system}.hter")]
    reviewed = reviewed_of(study)
    edits = {segment["segment"] - 1: sum(segment["edits"].values()) for segment in reviewed}
    curve = study["skipping"][system]
    assert curve["threshold"] == pytest.approx(sorted({predicted[number] for number in edits}))
    for threshold, skipped, through in zip(curve["threshold"], curve["skipped"], curve["through"], strict=True):
        below = [number for number in edits if predicted[number] <= threshold + 1e-9]
        assert skipped == pytest.approx(len(below) / len(edits))
        assert through == pytest.approx(sum(edits[number] for number in below) / sum(edits.values()))
