"""A journal gives the same ratings as its project after any ratings, undo and redo."""

from __future__ import annotations

import contextlib
import tempfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.corpus import QeError, Ratings
from qe_desktop.formats.ratings import read_journal, read_ratings, write_journal
from qe_desktop.ratings.blinding import collect_ratings, journal_header, journal_lines
from tests.ratings.campaigns import TickingClock, make_random_design, make_rater_session, simulate_events
from tests.ratings.test_rater_session_replay import act, acts

PROTOCOLS = ("adequacy-fluency", "adequacy", "fluency", "rank", "pairwise", "direct-assessment")
DESIGNS = {name: make_random_design(name, 3, 2, 2, same=0.3) for name in PROTOCOLS}
WITH_ALL = {
    name: make_random_design(name, 4, 10, 2, same=0.2, repeats=0.3, controls=0.3, training=2)
    for name in ("adequacy-fluency", "rank", "direct-assessment")
}


def ratings_from_journal(design, events) -> Ratings:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        write_journal(path, journal_lines(design, events), journal_header(design.campaign))
        return read_ratings(path)


def sorted_contents(ratings: Ratings):
    return (
        sorted(map(repr, ratings.scores.rows())),
        sorted(map(repr, ratings.pairs.rows())),
        sorted(map(repr, ratings.comments)),
    )


@given(st.sampled_from(PROTOCOLS), acts(), acts())
def test_journal_gives_the_ratings_of_the_program(name, first, second):
    design = DESIGNS[name]
    events = []
    for index, actions in enumerate((first, second)):
        work = make_rater_session(design, f"rater-{index + 1}", clock=TickingClock(1000.0 + index / 3, f"r{index}"))
        for action in actions:
            # not every protocol allows every action
            with contextlib.suppress(QeError):
                act(work, *action)
        events += work.events
    assert sorted_contents(ratings_from_journal(design, events)) == sorted_contents(collect_ratings(design, events))


@pytest.mark.parametrize("name", WITH_ALL)
def test_journal_keeps_repeats_control_items_and_training(name):
    design = WITH_ALL[name]

    def answer(screen, field):
        if field == "ranks":
            return tuple(1 + zlib.crc32(uid.encode()) % 3 for uid in screen.outputs)
        return 1 + zlib.crc32((screen.uid + field).encode()) % 5

    events = simulate_events(design, answer)
    whole = collect_ratings(design, events)
    assert len({*whole.scores.role.tolist(), *whole.pairs.role.tolist()}) > 2
    assert sorted_contents(ratings_from_journal(design, events)) == sorted_contents(whole)


def test_events_are_restored_from_their_lines(tmp_path):
    design = WITH_ALL["adequacy-fluency"]
    events = simulate_events(design, lambda screen, field: 3)
    write_journal(tmp_path / "x", journal_lines(design, events), journal_header(design.campaign))
    journal = read_journal(tmp_path / "x")
    restored = [
        RatingEvent(line.uid, line.campaign, line.screen, line.rater, line.at, line.field, line.value, line.seconds,
                    RatingAction(line.action), line.refers)
        for line in journal.lines
    ]  # fmt: skip
    assert restored == events
    assert (journal.campaign["campaign"], journal.campaign["protocol"]) == ("c1", "adequacy-fluency")
