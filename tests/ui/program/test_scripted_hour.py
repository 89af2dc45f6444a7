"""Post-editing by a script with real keys in the real window: what the page says is what the command line says of the
saved project, and what counting by hand gives.
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
from tests.commands import answer

ROOT = Path(__file__).parents[3]
SAMPLE = icons.resource_folder() / "samples/en-de"
SYSTEMS = ("cautious", "eager", "strong", "weak")
LIMIT, MINUTES = 300.0, 20
NAVIGATION = {"Left", "Right", "Home", "End", "Up", "Down"}


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("hour")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    script = [sys.executable, str(ROOT / "tools/scripted_hour.py"), str(folder), "--minutes", str(MINUTES)]
    done = subprocess.run(script, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


@pytest.fixture(scope="module")
def hour(out) -> dict:
    return json.loads((out / "hour.json").read_text())


@pytest.fixture(scope="module")
def told(hour) -> dict:
    """What the window said."""
    return hour["window"]["study"]


def lines(name: str) -> list[str]:
    return (SAMPLE / name).read_text().splitlines()


def kind_of(key: str) -> str:
    if len(key) == 1:
        kinds = {"letter": key.isalpha(), "digit": key.isdigit(), "space": key == " "}
        return next((kind for kind, is_it in kinds.items() if is_it), "symbol")
    name = key.rpartition("Key_")[2]
    return "erase" if name in ("Delete", "Backspace") else "navigation" if name in NAVIGATION else "command"


def recounted(steps: list[dict]) -> dict:
    """Times and keys of one visit, added up by hand."""
    times = dict.fromkeys(("seconds", "pauses", "away"), 0.0)
    for one, after in pairwise(steps):
        gap = after["at"] - one["at"]
        times["away" if one["what"] == "out" else "pauses" if gap > LIMIT else "seconds"] += gap
    return {**times, "keys": Counter(kind_of(step["key"]) for step in steps if step["what"] == "key")}


def test_the_command_line_says_of_the_project_what_the_window_said(out, told, capsys):
    assert answer(capsys, "study", "post-editing", out / "hour.qedesk") == told


def test_times_and_keys_are_those_of_the_person(hour, told):
    by_segment = {one["segment"] - 1: one for one in told["segments"]}
    assert len(by_segment) == len(hour["done"])
    for one in hour["done"]:
        said, counted = by_segment[one["segment"]], recounted(one["done"])
        for name in ("seconds", "pauses", "away"):
            assert said[name] == pytest.approx(counted[name], abs=1e-6), (one["segment"], name)
        assert {kind: count for kind, count in said["keys"].items() if count} == dict(counted["keys"])
    [total] = told["totals"]
    assert total["pauses"] > LIMIT
    assert total["away"] == pytest.approx(95)
    assert total["seconds"] + total["pauses"] + total["away"] == pytest.approx(hour["seconds"])


def distance(one: list[str], other: list[str]) -> int:
    """Insertions, deletions and substitutions from one to the other."""
    row = list(range(len(other) + 1))
    for place, word in enumerate(one, 1):
        before, row = row, [place]
        for at, wanted in enumerate(other, 1):
            row.append(min(row[-1] + 1, before[at] + 1, before[at - 1] + (word != wanted)))
    return row[-1]


def test_edits_are_those_of_the_sample(told):
    """Counted without shifts, of the texts that were to be typed."""
    reviewed = reviewed_of(told)
    for one in reviewed:
        mt, post_edit = (
            re.findall(r"\w+|[^\w\s]", lines(name)[one["segment"] - 1].lower())
            for name in ("sample.raw.mt", "sample.raw.pe")
        )
        least, moved = distance(mt, post_edit), one["edits"]["shifts"]
        edits = sum(one["edits"].values())
        assert edits <= least if moved else edits == least, one["segment"]
        assert one["hter"] == pytest.approx(edits / len(post_edit))
    [total] = told["totals"]
    done = [one["segment"] - 1 for one in reviewed]
    assert total["segments"] == told["reviewed"] == len(done)
    changed = [number for number in done if lines("sample.raw.mt")[number] != lines("sample.raw.pe")[number]]
    assert total["edited"] == len(changed)
    words = sum(
        sum(any(map(str.isalnum, token)) for token in lines("sample.src")[number].split()) for number in done
    )  # fmt: skip
    assert total["source_words"] == pytest.approx(words, rel=0.02)
    seconds = sum(one["seconds"] for one in reviewed)
    assert total["words_an_hour"] == pytest.approx(total["source_words"] / seconds * 3600)
    assert total["hter"] == pytest.approx(sum(one["hter"] for one in reviewed) / len(done))


@pytest.fixture(scope="module")
def edited() -> TagColumn:
    """Which words of the sample's MT its tokenised post-edits changed."""
    mt, post_edit = (TextColumn.of(lines(name)) for name in ("sample.mt", "sample.pe"))
    return compare_post_edits(mt, post_edit).words


def test_edited_words_are_those_of_the_sample(edited, told):
    """But where words were moved, of which the sample's own tags call others changed."""
    moved = {one["segment"] - 1 for one in reviewed_of(told) if one["edits"]["shifts"]}
    for number in (one["segment"] - 1 for one in reviewed_of(told)):
        wrong = (edited[number] > 0) != np.array(words_tags("sample.tags", number))
        assert wrong.sum() <= (number in moved), number


@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_are_scored_against_the_post_edit_of_what_was_reviewed(edited, hour, told, system):
    right, bad, ok = Counter(), Counter(), Counter()
    for number in (one["segment"] - 1 for one in reviewed_of(told)):
        marked = words_tags(f"systems/{system}.tags", number)
        for is_edited, is_marked in zip((edited[number] > 0).tolist(), marked, strict=True):
            right[is_edited] += is_edited == is_marked
            bad.update(gold=is_edited, system=is_marked)
            ok.update(gold=not is_edited, system=not is_marked)
    said = hour["window"]["scores"]
    assert said["segments"] == told["reviewed"]
    f1_bad, f1_ok = (2 * right[kind] / (sums["gold"] + sums["system"]) for kind, sums in ((True, bad), (False, ok)))
    assert said["systems"][system]["F1-mult"] == pytest.approx(f1_bad * f1_ok)


@pytest.mark.parametrize("system", SYSTEMS)
def test_highlights_are_right_where_words_were_edited(edited, told, system):
    both = changed = marked = everything = 0
    for number in (one["segment"] - 1 for one in reviewed_of(told)):
        words, tags = lines("sample.mt")[number].split(), words_tags(f"systems/{system}.tags", number)
        for word, is_edited, is_marked in zip(words, edited[number].tolist(), tags, strict=True):
            both += len(word) * (is_edited and is_marked)
            changed += len(word) * is_edited
            marked += len(word) * is_marked
            everything += len(word)
    said = told["highlights"][system]
    assert said["precision"] == pytest.approx(both / marked)
    assert said["recall"] == pytest.approx(both / changed)
    assert said["lift_e"] == pytest.approx(both / marked / ((changed - both) / (everything - marked)))
    assert said["edited"] == pytest.approx(changed / everything)


def words_tags(name: str, number: int) -> list[bool]:
    """The tags of the words of a line, which has those of its gaps too."""
    tags = [tag == "BAD" for tag in lines(name)[number].split()]
    words = len(lines("sample.mt")[number].split())
    return tags[1::2] if len(tags) == 2 * words + 1 else tags


def reviewed_of(told: dict) -> list[dict]:
    return [one for one in told["segments"] if one["status"] is not None]


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_slips_through_is_in_the_segments_that_are_doubted_least(told, system):
    doubts = [float(line) for line in lines(f"systems/{system}.hter")]
    reviewed = reviewed_of(told)
    edits = {one["segment"] - 1: sum(one["edits"].values()) for one in reviewed}
    said = told["skipping"][system]
    assert said["threshold"] == pytest.approx(sorted({doubts[number] for number in edits}))
    for threshold, skipped, through in zip(said["threshold"], said["skipped"], said["through"], strict=True):
        below = [number for number in edits if doubts[number] <= threshold + 1e-9]
        assert skipped == pytest.approx(len(below) / len(edits))
        assert through == pytest.approx(sum(edits[number] for number in below) / sum(edits.values()))
