"""Validation of events: invalid events of a rater are skipped and never change the results of others."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.answers.event_history import RatingAction, RatingEvent
from qe_desktop.corpus import QeError
from qe_desktop.ratings.aggregation.means import standardise
from qe_desktop.ratings.blinding import collect_ratings
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS, EventValidator, SkippedRows, clean_text, skipped_notes
from qe_desktop.ratings.rater_progress import RaterProfile, rater_progress_counts
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from tests.ratings.campaigns import make_random_design, make_rater_session, simulate_events

ANN, BEN = "rater-1", "rater-2"
DESIGNS = {
    name: make_random_design(name, 3, 6, 2, repeats=0.2, controls=0.2, training=1)
    for name in ("adequacy-fluency", "rank", "pairwise", "direct-assessment")
}
ANSWERS = {"ranks": lambda screen: tuple(1 + (screen.position + n) % 2 for n in range(len(screen.outputs)))}
OPTIONS = RatingOptions(rounds=20, runs=20)
SHARED = {"with_others", "shared", "bins", "histogram"}
"""Fields that compare raters with each other; all other results depend on one rater alone."""
ODD = st.one_of(
    st.none(), st.booleans(), st.floats(), st.integers(-2, 101), st.integers(), st.text(max_size=20),
    st.lists(st.integers(-1, 6), max_size=6).map(tuple), st.floats(1, 5),
    st.sampled_from([1e105, "007", "\ud800", 4.7, "x" * 20_000_000]),
)  # fmt: skip


def valid_events(design: CampaignDesign) -> dict[str, list[RatingEvent]]:
    """Return the events of both raters, all of them valid."""

    def answer(screen, field):
        ranking = ANSWERS.get(field)
        if ranking is not None:
            return ranking(screen)
        scale = 100 if field == "score" else 5
        return 1 + (screen.position * 7 + len(field) + int(screen.uid, 16) % 3) % scale

    events = simulate_events(design, answer)
    return {rater: [event for event in events if event.rater == rater] for rater in (ANN, BEN)}


@st.composite
def arbitrary_events(draw, design: CampaignDesign):
    """Generate events of one rater for any field, item, referred event and time."""
    uids = [screen.uid for screen in design.screens] + ["", "no such"]
    events = valid_events(design)
    known = [event.uid for event in events[BEN]][:20] + [event.uid for event in events[ANN]][:3]
    written = []
    for number in range(draw(st.integers(0, 25))):
        written.append(
            RatingEvent(
                f"odd {number}",
                draw(st.sampled_from([design.campaign.uid] * 9 + ["other"])),
                draw(st.sampled_from(uids)),
                BEN,
                draw(st.one_of(st.floats(), st.floats(1000, 4000), st.just(1e12))),
                draw(st.sampled_from([*design.setup.systems[:1], "fluency", "adequacy", "score", "ranks", "skip",
                                      "comment", "reveal", "seen", "profile", ""])),
                draw(ODD),
                draw(st.one_of(st.floats(), st.floats(0, 100))),
                draw(st.sampled_from(RatingAction)),
                draw(st.sampled_from(["", *known, *(f"odd {index}" for index in range(number))])),
            )
        )  # fmt: skip
    return written


def figures_of(design: CampaignDesign, events: list[RatingEvent], rater: str) -> object:
    """Return all that is reported of one rater alone, bit for bit."""
    ratings = collect_ratings(design, events)
    rows = [row for row in (*ratings.scores.rows(), *ratings.pairs.rows()) if row.rater == rater]
    z = {}
    for scale in ratings.scores.scales:
        standardized = standardise(ratings.scores, scale)
        is_rater = ratings.scores.rater == ratings.scores.raters.index(rater)
        z[scale] = standardized.values[is_rater].tobytes()
    figures = next(
        (
            figures
            for figures in build_results(ratings, options=OPTIONS, trueskill=False).raters
            if figures.name == rater
        ),
        None,
    )
    assert figures is not None
    scale_figures = {
        scale: [repr(getattr(reliability, field.name)) for field in fields(reliability) if field.name not in SHARED]
        for scale, reliability in figures.scales.items()
    }
    counts = (figures.skipped, figures.comments, figures.changed_after_reveal)
    remarks = [text for text in figures.remarks if "other" not in text]
    return (
        repr(rows),
        z,
        scale_figures,
        counts,
        remarks,
        rater_progress_counts(design.campaign, design.screens, events)[rater],
    )


@pytest.mark.parametrize("name", list(DESIGNS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_events_of_one_rater_do_not_change_the_figures_of_another(name, data):
    design = DESIGNS[name]
    events = valid_events(design)
    arbitrary = data.draw(arbitrary_events(design))
    alone = figures_of(design, [*events[ANN], *events[BEN]], ANN)
    assert figures_of(design, [*events[ANN], *events[BEN], *arbitrary], ANN) == alone
    assert figures_of(design, [*arbitrary, *events[ANN]], ANN) == alone
    # the session of the rater still works
    work = make_rater_session(design, BEN, [*events[BEN], *arbitrary])
    assert work.progress()[1] == sum(screen.rater == BEN and not screen.training for screen in design.screens)
    done = [screen for screen in work.screens if not screen.training and not work.missing_answers(screen.uid)]
    assert len(done) >= work.progress()[0] - sum(work.is_skipped(screen.uid) for screen in work.screens)
    assert isinstance(work.undo_text, str)
    assert work.profile is None or work.profile.text()


@pytest.mark.parametrize("index", [0, 1])
def test_undo_affects_only_its_own_item(index):
    """An undo that referred to an event of another item once prevented reading any ratings."""
    design = DESIGNS["direct-assessment"]
    events = valid_events(design)[ANN]
    referred, other = events[index], next(event for event in events if event.screen != events[index].screen)
    stray_events = [
        replace(other, uid=f"odd {action.value}", at=5000.0 + n, action=action, refers=referred.uid, value=None)
        for n, action in enumerate((RatingAction.UNDO, RatingAction.REDO, RatingAction.UNDO))
    ]
    assert (
        collect_ratings(design, [*events, *stray_events]).scores.value.tolist()
        == collect_ratings(design, events).scores.value.tolist()
    )
    own_undo = replace(referred, uid="own", at=6000.0, action=RatingAction.UNDO, refers=referred.uid, value=None)
    assert (
        len(collect_ratings(design, [*events, *stray_events, own_undo]).scores)
        == len(collect_ratings(design, events).scores) - 1
    )
    # a redo on another item has no effect
    stray = replace(other, uid="stray", at=7000.0, action=RatingAction.REDO, refers=referred.uid, value=None)
    assert (
        len(collect_ratings(design, [*events, own_undo, stray]).scores)
        == len(collect_ratings(design, events).scores) - 1
    )


def test_events_written_by_the_program_are_all_valid():
    for design in DESIGNS.values():
        events = [event for rater_events in valid_events(design).values() for event in rater_events]
        assert EventValidator(design.campaign, design.screens).split(events) == (events, ())


def test_skipped_rows_are_noted_by_rater_and_reason():
    skipped = [
        SkippedRows("ann", "one"),
        SkippedRows("ben", "one", 3),
        SkippedRows("ben", "two"),
        SkippedRows("ben", "three"),
        SkippedRows("ben", "four"),
        SkippedRows("x" * 5000 + "\x1b", "one"),
    ]
    notes = skipped_notes(skipped)
    assert notes[0] == "1 invalid row of ann was left out: one"
    assert notes[1] == "6 invalid rows of ben were left out: one (3), two (1), three (1) and 1 more reason"
    assert len(notes[2]) < 200
    assert "\x1b" not in "".join(notes)


@given(st.text())
def test_clean_text_can_be_encoded(text):
    clean = clean_text(text)
    assert clean.encode("utf-8").decode("utf-8") == clean_text(clean) == clean
    assert "\0" not in clean
    if not any(ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 or 0xD800 <= ord(letter) < 0xE000 for letter in text):
        assert clean == text


def test_comment_that_is_too_long_is_refused():
    work = make_rater_session(DESIGNS["rank"], ANN)
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
def test_profile_is_read_from_any_text(text):
    profile = RaterProfile.of(text)
    assert profile.text().encode("utf-8")
    assert all(isinstance(getattr(profile, field.name), str) for field in fields(RaterProfile))


def test_impossible_seconds_are_limited():
    work = make_rater_session(DESIGNS["rank"], ANN)
    uid = work.screens[0].uid
    for seconds, expected in ((-5.0, 0.0), (float("inf"), 0.0), (1e12, 86_400.0), (3.5, 3.5)):
        assert work.leave(uid, seconds).seconds == expected
    assert np.isfinite(work.seconds(uid))
