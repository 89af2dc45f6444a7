"""Events are what raters wrote, and may be anything: what is not in order is left out and changes nobody's figures."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.ratings.aggregation.z_scores import standardise
from qe_desktop.ratings.blinding import collect_ratings
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS, EventValidator, SkippedRows, clean_text, skipped_notes
from qe_desktop.ratings.rater_profile import RaterProfile
from qe_desktop.ratings.rater_progress import rater_progress_counts
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from tests.ratings.campaigns import answered, designed, work_of

ANN, BEN = "rater-1", "rater-2"
DESIGNS = {
    name: designed(name, 3, 6, 2, repeats=0.2, controls=0.2, training=1)
    for name in ("adequacy-fluency", "rank", "pairwise", "direct-assessment")
}
ANSWERS = {"ranks": lambda screen: tuple(1 + (screen.position + n) % 2 for n in range(len(screen.outputs)))}
OPTIONS = RatingOptions(rounds=20, runs=20)
"""What compares raters with each other depends on all of them; a rater's own figures do not."""
SHARED = {"with_others", "shared", "bins", "histogram"}
ODD = st.one_of(
    st.none(), st.booleans(), st.floats(), st.integers(-2, 101), st.integers(), st.text(max_size=20),
    st.lists(st.integers(-1, 6), max_size=6).map(tuple), st.floats(1, 5),
    st.sampled_from([1e105, "007", "\ud800", 4.7, "x" * 20_000_000]),
)  # fmt: skip


def said(of: CampaignDesign) -> dict[str, list[RatingEvent]]:
    """What both raters say in earnest."""

    def answer(screen, field):
        made = ANSWERS.get(field)
        if made is not None:
            return made(screen)
        scale = 100 if field == "score" else 5
        return 1 + (screen.position * 7 + len(field) + int(screen.uid, 16) % 3) % scale

    events = answered(of, answer)
    return {rater: [event for event in events if event.rater == rater] for rater in (ANN, BEN)}


@st.composite
def anything_of(draw, of: CampaignDesign):
    """Whatever one rater can write: of all fields, for all items, about all events, at all times."""
    uids = [screen.uid for screen in of.screens] + ["", "no such"]
    events = said(of)
    known = [event.uid for event in events[BEN]][:20] + [event.uid for event in events[ANN]][:3]
    written = []
    for number in range(draw(st.integers(0, 25))):
        written.append(
            RatingEvent(
                f"odd {number}",
                draw(st.sampled_from([of.campaign.uid] * 9 + ["other"])),
                draw(st.sampled_from(uids)),
                BEN,
                draw(st.one_of(st.floats(), st.floats(1000, 4000), st.just(1e12))),
                draw(st.sampled_from([*of.setup.systems[:1], "fluency", "adequacy", "score", "ranks", "skip", "comment",
                                      "reveal", "seen", "profile", ""])),
                draw(ODD),
                draw(st.one_of(st.floats(), st.floats(0, 100))),
                draw(st.sampled_from(RatingAction)),
                draw(st.sampled_from(["", *known, *(f"odd {other}" for other in range(number))])),
            )
        )  # fmt: skip
    return written


def figures_of(of: CampaignDesign, events: list[RatingEvent], rater: str) -> object:
    """All that is reported of one rater alone, to the last bit."""
    ratings = collect_ratings(of, events)
    rows = [row for row in (*ratings.scores.rows(), *ratings.pairs.rows()) if row.rater == rater]
    z = {}
    for scale in ratings.scores.scales:
        found = standardise(ratings.scores, scale)
        mine = ratings.scores.rater == ratings.scores.raters.index(rater)
        z[scale] = found.values[mine].tobytes()
    page = next(
        (page for page in build_results(ratings, options=OPTIONS, trueskill=False).raters if page.name == rater), None
    )
    assert page is not None
    pages = {
        scale: [repr(getattr(held, one.name)) for one in fields(held) if one.name not in SHARED]
        for scale, held in page.scales.items()
    }
    told = (page.skipped, page.comments, page.changed_after_reveal)
    remarks = [text for text in page.remarks if "other" not in text]
    return repr(rows), z, pages, told, remarks, rater_progress_counts(of.campaign, of.screens, events)[rater]


@pytest.mark.parametrize("name", list(DESIGNS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_nothing_that_one_rater_writes_changes_anothers_figures(name, data):
    of = DESIGNS[name]
    events = said(of)
    odd = data.draw(anything_of(of))
    alone = figures_of(of, [*events[ANN], *events[BEN]], ANN)
    assert figures_of(of, [*events[ANN], *events[BEN], *odd], ANN) == alone
    assert figures_of(of, [*odd, *events[ANN]], ANN) == alone
    # nor does it break what the rater himself sees, and his owner
    work = work_of(of, BEN, [*events[BEN], *odd])
    assert work.progress()[1] == sum(screen.rater == BEN and not screen.training for screen in of.screens)
    done = [screen for screen in work.screens if not screen.training and not work.missing(screen.uid)]
    assert len(done) >= work.progress()[0] - sum(work.is_skipped(screen.uid) for screen in work.screens)
    assert isinstance(work.undo_text, str)
    assert work.profile is None or work.profile.text()


@pytest.mark.parametrize("place", [0, 1])
def test_an_undo_takes_back_what_was_said_of_its_own_item_alone(place):
    """An undo that named another item's event ended the reading of everybody's ratings."""
    of = DESIGNS["direct-assessment"]
    events = said(of)[ANN]
    named, other = events[place], next(event for event in events if event.screen != events[place].screen)
    odd = [
        replace(other, uid=f"odd {action.value}", at=5000.0 + n, action=action, refers=named.uid, value=None)
        for n, action in enumerate((RatingAction.UNDO, RatingAction.REDO, RatingAction.UNDO))
    ]
    assert (
        collect_ratings(of, [*events, *odd]).scores.value.tolist() == collect_ratings(of, events).scores.value.tolist()
    )
    own = replace(named, uid="own", at=6000.0, action=RatingAction.UNDO, refers=named.uid, value=None)
    assert len(collect_ratings(of, [*events, *odd, own]).scores) == len(collect_ratings(of, events).scores) - 1
    # a redo brings it back on its own item only
    stray = replace(other, uid="stray", at=7000.0, action=RatingAction.REDO, refers=named.uid, value=None)
    assert len(collect_ratings(of, [*events, own, stray]).scores) == len(collect_ratings(of, events).scores) - 1


def test_what_the_program_writes_counts_all_of_it():
    for of in DESIGNS.values():
        events = [event for own in said(of).values() for event in own]
        assert EventValidator(of.campaign, of.screens).split(events) == (events, ())


def test_what_was_left_out_is_told_by_rater_and_reason():
    left = [
        SkippedRows("ann", "one"),
        SkippedRows("ben", "one", 3),
        SkippedRows("ben", "two"),
        SkippedRows("ben", "three"),
        SkippedRows("ben", "four"),
        SkippedRows("x" * 5000 + "\x1b", "one"),
    ]
    notes = skipped_notes(left)
    assert notes[0] == "1 row of ann was skipped: one"
    assert notes[1] == "6 rows of ben were skipped: one (3), two (1), three (1) and 1 more reason"
    assert len(notes[2]) < 200
    assert "\x1b" not in "".join(notes)


@given(st.text())
def test_a_clean_text_can_be_written_anywhere(text):
    clean = clean_text(text)
    assert clean.encode("utf-8").decode("utf-8") == clean_text(clean) == clean
    assert "\0" not in clean
    if not any(ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 or 0xD800 <= ord(letter) < 0xE000 for letter in text):
        assert clean == text


def test_a_rater_is_told_of_a_text_that_is_too_long():
    work = work_of(DESIGNS["rank"], ANN)
    uid = work.screens[0].uid
    with pytest.raises(QeError, match="maximum is 10,000"):
        work.comment(uid, "x" * (MAX_TEXT_CHARS + 1))
    assert work.values(uid) == {}
    assert len(str(work.comment(uid, "x" * MAX_TEXT_CHARS).value)) == MAX_TEXT_CHARS
    assert work.comment(uid, "a\r\nb \ud800\0").value == "a\nb \ufffd\ufffd"


@pytest.mark.parametrize(
    "text",
    ["[" * 9999, "1" * 9999, "[]", '"x"', '{"remarks": "\\ud800", "expertise": [[1]]}', "\x00", '{"remarks": 1e999}'],
)
def test_a_profile_is_read_whatever_stands_in_it(text):
    found = RaterProfile.of(text)
    assert found.text().encode("utf-8")
    assert all(isinstance(getattr(found, one.name), str) for one in fields(RaterProfile))


def test_seconds_that_cannot_be_are_not_kept():
    work = work_of(DESIGNS["rank"], ANN)
    uid = work.screens[0].uid
    for seconds, kept in ((-5.0, 0.0), (float("inf"), 0.0), (1e12, 86_400.0), (3.5, 3.5)):
        assert work.leave(uid, seconds).seconds == kept
    assert np.isfinite(work.seconds(uid))
