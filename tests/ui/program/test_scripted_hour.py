"""Post-editing by a script with real keys in the real window: what the page says is what the command line says of the
saved project, and what counting by hand gives.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from qe_desktop.ui import icons
from tests.commands import answer

ROOT = Path(__file__).parents[3]
SAMPLE = icons.resources() / "samples/en-de"
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
    for one, after in zip(steps, steps[1:], strict=False):
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


def test_edits_are_those_of_the_sample(told):
    """The sample's own HTER is of its tokenised post-edits, and without shifts; these were typed as text."""
    reviewed, hter = reviewed_of(told), [float(line) for line in lines("sample.hter")]
    for one in reviewed:
        without = hter[one["segment"] - 1]
        if one["edits"]["shifts"]:
            assert one["hter"] <= without, one["segment"]
        else:
            assert one["hter"] == pytest.approx(without, abs=1e-6), one["segment"]
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


@pytest.mark.parametrize("system", ["cautious", "eager", "strong", "weak"])
def test_highlights_are_right_where_words_were_edited(told, system):
    """The sample's gold tags are those of its post-edits."""
    both = edited = highlighted = everything = 0
    for number in (one["segment"] - 1 for one in reviewed_of(told)):
        words = lines("sample.mt")[number].split()
        gold, tags = words_tags("sample.tags", number), words_tags(f"systems/{system}.tags", number)
        for word, is_edited, is_marked in zip(words, gold, tags, strict=True):
            both += len(word) * (is_edited and is_marked)
            edited += len(word) * is_edited
            highlighted += len(word) * is_marked
            everything += len(word)
    said = told["highlights"][system]
    assert said["precision"] == pytest.approx(both / highlighted)
    assert said["recall"] == pytest.approx(both / edited)
    elsewhere = (edited - both) / (everything - highlighted)
    assert said["lift_e"] == pytest.approx(both / highlighted / elsewhere)
    assert said["edited"] == pytest.approx(edited / everything)


def words_tags(name: str, number: int) -> list[bool]:
    """The tags of the words of a line with those of gaps around them."""
    tags = lines(name)[number].split()
    return [
        tag == "BAD" for tag in (tags[1::2] if len(tags) == 2 * len(lines("sample.mt")[number].split()) + 1 else tags)
    ]


def reviewed_of(told: dict) -> list[dict]:
    return [one for one in told["segments"] if one["status"] is not None]


@pytest.mark.parametrize("system", ["cautious", "eager", "strong", "weak"])
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
