"""Tags and HTER of post-edits, live: as counted from scratch, on reviewed segments only, in the tokens there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    QeError,
    ReviewStatus,
    TagColumn,
    TextColumn,
    TextRole,
    View,
)
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.levels import tag_level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.sentences.sentence_level import SENTENCES
from qe_desktop.metrics import WORD_METRICS, metric_families
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter
from qe_desktop.project import Edit, LiveScores, ReviewField, Session, SessionChange
from qe_desktop.project.review.post_edit_layers import PostEdit, post_edit_keys, tag_post_edits

TARGET, STATUS = ReviewField.TARGET, ReviewField.STATUS
WORDS, GAPS, HTER = post_edit_keys("me")
SYSTEM = LayerKey(Provenance.SYSTEM, "S", Kind.WORDS)
SCORED = LayerKey(Provenance.SYSTEM, "S", Kind.SCORES)
MT = ("the cat sat", "on the mat", "it was flat", "")


def opened(mt: tuple[str, ...] = MT) -> Session:
    column = TextColumn.of(mt)
    counts = column.token_counts()
    tags = TagColumn.of([[place % 2 for place in range(count)] for count in counts])
    layers = {SYSTEM: Layer(SYSTEM, tags, "S.tags"), SCORED: Layer(SCORED, np.arange(len(mt), dtype=float), "S.hter")}
    return Session(Corpus("small", len(mt), {TextRole.MT: column, TextRole.SOURCE: column}, layers), person="me")


def test_a_post_edit_is_a_layer_of_its_person_and_the_reference_without_gold() -> None:
    session, told = opened(), list[SessionChange]()
    session.subscribe(told.append)
    session.reviewing.set({0: {TARGET: "the black dog sat"}})
    view = session.view
    assert view.reference(Kind.WORDS) == WORDS
    assert view.tracks(Kind.WORDS) == [WORDS, SYSTEM]
    assert told[-1].layers
    assert set(told[-1].others) == {WORDS, GAPS, HTER}
    assert view.segment_tags(WORDS, 0).tolist() == [0, 1, 0]
    assert view.segment_tags(GAPS, 0).tolist() == [0, 1, 0, 0]
    assert view.scores(HTER)[0] == pytest.approx(2 / 4)
    assert np.isnan(view.scores(HTER)[1:]).all()
    session.reviewing.set({1: {STATUS: ReviewStatus.CONFIRMED}})
    assert not told[-1].layers
    kept = session.view.kept(WORDS)
    assert kept is not None
    assert kept.tolist() == [True, True, False, False]
    assert session.view.scores(HTER)[1] == 0
    assert view.kept(WORDS) is not kept, "a view stays as it was"
    session.undo()
    session.undo()
    assert session.view.tracks(Kind.WORDS) == [SYSTEM]
    assert told[-1].layers


def test_nobody_edits_tags_that_follow_the_text() -> None:
    session = opened()
    session.reviewing.set({0: {TARGET: "a cat sat"}})
    with pytest.raises(QeError, match="follow the text"):
        session.apply(Edit(WORDS, 0, (0,), (1,)))


def test_whoever_tags_the_words_confirms_the_tags_and_not_the_text() -> None:
    session = opened()
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    assert WORDS in session.view.tracks(Kind.WORDS)
    mine = session.add_person("me", Kind.WORDS, copy_of=SYSTEM)
    assert session.view.tracks(Kind.WORDS) == [mine, SYSTEM]
    session.undo()
    assert session.view.tracks(Kind.WORDS) == [WORDS, SYSTEM]


def test_what_is_rejected_is_no_post_edit() -> None:
    session = opened()
    session.reviewing.set({0: {TARGET: "a cat sat", STATUS: ReviewStatus.REJECTED}, 1: {TARGET: "on it"}})
    kept = session.view.kept(WORDS)
    assert kept is not None
    assert kept.tolist() == [False, True, False, False]


_EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("target"), st.integers(0, 3), st.sampled_from(["", "the mat", "cat the sat", "on the mat"])),
        st.tuples(
            st.just("status"), st.integers(0, 3), st.sampled_from([None, ReviewStatus.CONFIRMED, ReviewStatus.REJECTED])
        ),
        st.tuples(st.just("undo"), st.just(0), st.none()),
        st.tuples(st.just("redo"), st.just(0), st.none()),
    ),
    max_size=12,
)


def look_at_all(view: View) -> None:
    view.statuses()
    for key in (WORDS, GAPS):
        if view.follows_text(key):
            view.tags(key)
            view.kept(key)
            view.scores(HTER)


@given(_EDITS)
@settings(max_examples=60, deadline=None)
def test_live_scores_are_those_of_a_full_recount(edits: list[tuple[str, int, str | ReviewStatus | None]]) -> None:
    session = opened()
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    level = tag_level(Kind.WORDS)
    live = LiveScores(level)
    assert live.start(session.view)
    live.finish(live.count(), session.view)

    def follow(change: SessionChange) -> None:
        if change.layers:
            live.start(session.view)
            if live.layers:
                live.finish(live.count(), session.view)
        else:
            live.update(change, session.view)

    session.subscribe(follow)
    for what, segment, value in edits:
        # what was looked up is brought up to date, and not looked up anew
        look_at_all(session.view)
        if what == "target":
            session.reviewing.set({segment: {TARGET: str(value)}})
        elif what == "status":
            session.reviewing.set({segment: {STATUS: value if value is None else int(value)}})
        elif what == "undo":
            session.undo()
        else:
            session.redo()
    scoring = Scoring.of(level, session.view)
    if scoring is None:
        assert live.layers == []
        return
    totals = scoring.totals(metric_families(list(WORD_METRICS.values())))
    assert live.totals is not None
    for name, found in totals.items():
        np.testing.assert_allclose(live.totals[name], found, atol=1e-9)
    kept = session.view.kept(scoring.reference)
    assert kept is not None
    assert scoring.segments == kept.sum()
    assert kept.tolist() == [session.view.is_reviewed(scoring.reference, one) for one in range(4)]
    reviewed = np.flatnonzero(kept).tolist()
    texts = [
        TextColumn.of([text[one] for one in reviewed]) for text in (MT, [session.view.target(n) for n in range(4)])
    ]
    if reviewed:
        assert session.view.tags(WORDS).of_segments(kept) == compare_post_edits(*texts).words
        np.testing.assert_array_equal(session.view.scores(HTER)[kept], segment_hter(*texts))


def test_many_segments_at_once_are_counted_anew() -> None:
    session, told = opened(("the cat sat",) * 50), list[SessionChange]()
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    live = LiveScores(tag_level(Kind.WORDS))
    assert live.start(session.view)
    session.subscribe(told.append)
    session.reviewing.set({one: {TARGET: "the dog sat"} for one in range(1, 4)})
    assert not live.is_moved(told[-1])
    session.reviewing.set({one: {TARGET: "the dog sat"} for one in range(4, 50)})
    assert live.is_moved(told[-1])
    assert session.view.kept(WORDS).all()
    assert session.view.tags(WORDS).values.sum() == 50


def test_tags_of_ones_own_are_followed_as_they_are_looked_at() -> None:
    session = opened()
    key = session.add_person("me", Kind.WORDS, SYSTEM)
    for edit in (Edit(key, 1, (0,), (1,)), Edit(key, 2, (1,), (0,)), Edit(key, 1, (0,), (0,))):
        before = session.view.kept(key)
        session.apply(edit)
        kept = session.view.kept(key)
        assert kept is not before
        assert kept.tolist() == [session.view.is_reviewed(key, one) for one in range(4)]
    assert session.view.kept(key).tolist() == [False, False, True, False]


def test_hter_of_a_review_is_what_sentence_scores_are_held_against() -> None:
    session = opened()
    session.reviewing.set(
        {0: {TARGET: "the dog sat"}, 1: {TARGET: "off the big mat"}, 2: {STATUS: ReviewStatus.CONFIRMED}}
    )
    assert SENTENCES.references(session.view) == [HTER]
    scoring = Scoring.of(SENTENCES, session.view)
    assert scoring is not None
    assert (scoring.segments, scoring.names) == (3, ("S",))
    pearson = scoring.scores([SENTENCES.metrics["Pearson"]])[0, 0]
    assert pearson == pytest.approx(np.corrcoef([0, 1, 2], [1 / 3, 2 / 4, 0])[0, 1])


def test_beside_gold_a_post_edit_is_shown_and_not_scored() -> None:
    session = opened()
    gold = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
    session.extend(session.corpus.with_layer(Layer(gold, session.view.tags(SYSTEM), "gold.tags")))
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    scoring = Scoring.of(tag_level(Kind.WORDS), session.view)
    assert scoring is not None
    assert (scoring.reference, scoring.subjects, scoring.segments) == (gold, (SYSTEM,), len(MT))
    assert WORDS in session.view.tracks(Kind.WORDS)


def test_tags_of_ones_own_count_where_they_were_looked_at() -> None:
    session = opened()
    mine = session.add_person("me", Kind.WORDS, copy_of=SYSTEM)
    level = tag_level(Kind.WORDS)
    scoring = Scoring.of(level, session.view)
    assert scoring is not None
    assert (scoring.segments, scoring.size) == (0, 0)
    session.apply(Edit(mine, 1, (0,), (1,)))
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    scoring = Scoring.of(level, session.view)
    assert scoring is not None
    assert scoring.level.described(scoring) == "2 reviewed segments, 6 tags"
    # in the first all agree, in the second one of three does not
    assert scoring.scores([WORD_METRICS["accuracy"]])[list(scoring.subjects).index(SYSTEM), 0] == pytest.approx(5 / 6)


def test_tags_stand_on_the_tokens_that_a_tokeniser_left() -> None:
    tokens = ("well-known", ",", "&quot;", "he", "&quot;")
    (found,) = tag_post_edits([PostEdit('well-known, "he"', 'well-loved, and "he"', tokens)], word_spans)
    assert found.words.tolist() == [1, 0, 0, 0, 0]
    assert found.gaps.tolist() == [0, 0, 1, 0, 0, 0]


def test_tokens_that_are_none_of_the_text_are_held_against_the_post_edit_themselves() -> None:
    (found,) = tag_post_edits([PostEdit("colour it", "paint it", ("color", "it"))], word_spans)
    assert found.words.tolist() == [1, 0]


def test_codes_and_line_breaks_are_no_words() -> None:
    pair = PostEdit("Press ⟨1⟩Stop⟨/1⟩\u2028twice ⟨⟨", "Press Stop ⟨1⟩⟨/1⟩twice ⟨⟨", ("Press", "Stop", "twice", "⟨"))
    (found,) = tag_post_edits([pair], word_spans)
    assert not found.words.any()
    assert found.hter == 0


def test_tokens_alone_are_cut_at_blanks() -> None:
    session = opened(("a well-known cat", "", "", ""))
    session.reviewing.set({0: {TARGET: "a well-fed cat"}})
    assert session.view.scores(HTER)[0] == pytest.approx(1 / 3)
