"""A journal says the same as the project it is from, whatever raters did, undid and did again."""

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
from qe_desktop.ratings.blinding import collect_ratings
from qe_desktop.ratings.campaign_journal import journal_header, journal_lines
from tests.ratings.campaigns import Ticks, answered, designed, work_of
from tests.ratings.test_work_folding import act, acts

PROTOCOLS = ("adequacy-fluency", "adequacy", "fluency", "rank", "pairwise", "direct-assessment")
DESIGNS = {name: designed(name, 3, 2, 2, same=0.3) for name in PROTOCOLS}
WITH_ALL = {
    name: designed(name, 4, 10, 2, same=0.2, repeats=0.3, controls=0.3, training=2)
    for name in ("adequacy-fluency", "rank", "direct-assessment")
}


def through_a_file(of, events) -> Ratings:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        write_journal(path, journal_lines(of, events), journal_header(of.campaign))
        return read_ratings(path)


def said(ratings: Ratings):
    return (
        sorted(map(repr, ratings.scores.rows())),
        sorted(map(repr, ratings.pairs.rows())),
        sorted(map(repr, ratings.comments)),
    )


@given(st.sampled_from(PROTOCOLS), acts(), acts())
def test_a_journal_folds_as_the_program_does(name, one, other):
    of = DESIGNS[name]
    events = []
    for place, doings in enumerate((one, other)):
        work = work_of(of, f"rater-{place + 1}", ticks=Ticks(1000.0 + place / 3, f"r{place}"))
        for doing in doings:
            # not every protocol lets a rater do all of these
            with contextlib.suppress(QeError):
                act(work, *doing)
        events += work.events
    assert said(through_a_file(of, events)) == said(collect_ratings(of, events))


@pytest.mark.parametrize("name", WITH_ALL)
def test_repeats_control_items_and_training(name):
    of = WITH_ALL[name]

    def answer(screen, field):
        if field == "ranks":
            return tuple(1 + zlib.crc32(uid.encode()) % 3 for uid in screen.outputs)
        return 1 + zlib.crc32((screen.uid + field).encode()) % 5

    events = answered(of, answer)
    whole = collect_ratings(of, events)
    assert len({*whole.scores.role.tolist(), *whole.pairs.role.tolist()}) > 2
    assert said(through_a_file(of, events)) == said(whole)


def test_events_come_back_from_their_lines(tmp_path):
    of = WITH_ALL["adequacy-fluency"]
    events = answered(of, lambda screen, field: 3)
    write_journal(tmp_path / "x", journal_lines(of, events), journal_header(of.campaign))
    found = read_journal(tmp_path / "x")
    again = [
        RatingEvent(line.uid, line.campaign, line.screen, line.rater, line.at, line.field, line.value, line.seconds,
                    RatingAction(line.action), line.refers)
        for line in found.lines
    ]  # fmt: skip
    assert again == events
    assert (found.campaign["campaign"], found.campaign["protocol"]) == ("c1", "adequacy-fluency")
