"""Live tags and HTER of post-edits: equal to a full recount, on reviewed segments only, for the MT's tokens."""

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


def make_session(mt: tuple[str, ...] = MT) -> Session:
    column = TextColumn.of(mt)
    counts = column.token_counts()
    tags = TagColumn.of([[index % 2 for index in range(count)] for count in counts])
    layers = {SYSTEM: Layer(SYSTEM, tags, "S.tags"), SCORED: Layer(SCORED, np.arange(len(mt), dtype=float), "S.hter")}
    return Session(Corpus("small", len(mt), {TextRole.MT: column, TextRole.SOURCE: column}, layers), person="me")


def test_a_post_edit_is_a_layer_and_without_gold_the_reference() -> None:
    session, changes = make_session(), list[SessionChange]()
    session.subscribe(changes.append)
    session.reviewing.set({0: {TARGET: "the black dog sat"}})
    view = session.view
    assert view.reference(Kind.WORDS) == WORDS
    assert view.tag_layers(Kind.WORDS) == [WORDS, SYSTEM]
    assert changes[-1].affects_all_views
    assert set(changes[-1].post_edit_layers) == {WORDS, GAPS, HTER}
    assert view.segment_tags(WORDS, 0).tolist() == [0, 1, 0]
    assert view.segment_tags(GAPS, 0).tolist() == [0, 1, 0, 0]
    assert view.scores(HTER)[0] == pytest.approx(2 / 4)
    assert np.isnan(view.scores(HTER)[1:]).all()
    session.reviewing.set({1: {STATUS: ReviewStatus.CONFIRMED}})
    assert not changes[-1].affects_all_views
    reviewed = session.view.scored_segments(WORDS)
    assert reviewed is not None
    assert reviewed.tolist() == [True, True, False, False]
    assert session.view.scores(HTER)[1] == 0
    assert view.scored_segments(WORDS) is not reviewed, "a view stays as it was"
    session.undo()
    session.undo()
    assert session.view.tag_layers(Kind.WORDS) == [SYSTEM]
    assert changes[-1].affects_all_views


def test_tags_of_a_post_edit_cannot_be_edited() -> None:
    session = make_session()
    session.reviewing.set({0: {TARGET: "a cat sat"}})
    with pytest.raises(QeError, match="computed from the post-edit"):
        session.apply(Edit(WORDS, 0, (0,), (1,)))


def test_annotation_layer_of_the_user_replaces_tags_of_the_post_edit() -> None:
    session = make_session()
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    assert WORDS in session.view.tag_layers(Kind.WORDS)
    mine = session.add_person("me", Kind.WORDS, copy_of=SYSTEM)
    assert session.view.tag_layers(Kind.WORDS) == [mine, SYSTEM]
    session.undo()
    assert session.view.tag_layers(Kind.WORDS) == [WORDS, SYSTEM]


def test_rejected_segments_are_not_post_edits() -> None:
    session = make_session()
    session.reviewing.set({0: {TARGET: "a cat sat", STATUS: ReviewStatus.REJECTED}, 1: {TARGET: "on it"}})
    reviewed = session.view.scored_segments(WORDS)
    assert reviewed is not None
    assert reviewed.tolist() == [False, True, False, False]


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


def fill_caches(view: View) -> None:
    view.statuses()
    for key in (WORDS, GAPS):
        if view.is_derived(key):
            view.tags(key)
            view.scored_segments(key)
            view.scores(HTER)


@given(_EDITS)
@settings(max_examples=60, deadline=None)
def test_live_scores_equal_a_full_recount(edits: list[tuple[str, int, str | ReviewStatus | None]]) -> None:
    session = make_session()
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    level = tag_level(Kind.WORDS)
    live = LiveScores(level)
    assert live.start(session.view)
    live.finish(live.count(), session.view)

    def follow(change: SessionChange) -> None:
        if change.affects_all_views:
            live.start(session.view)
            if live.layers:
                live.finish(live.count(), session.view)
        else:
            live.update(change, session.view)

    session.subscribe(follow)
    for what, segment, value in edits:
        # fill the view's caches, which later views update instead of recomputing
        fill_caches(session.view)
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
    for name, rows in totals.items():
        np.testing.assert_allclose(live.totals[name], rows, atol=1e-9)
    reviewed_mask = session.view.scored_segments(scoring.reference)
    assert reviewed_mask is not None
    assert scoring.segments == reviewed_mask.sum()
    assert reviewed_mask.tolist() == [session.view.is_reviewed(scoring.reference, number) for number in range(4)]
    reviewed = np.flatnonzero(reviewed_mask).tolist()
    texts = [
        TextColumn.of([text[number] for number in reviewed])
        for text in (MT, [session.view.target(n) for n in range(4)])
    ]
    if reviewed:
        assert session.view.tags(WORDS).select_segments(reviewed_mask) == compare_post_edits(*texts).words
        np.testing.assert_array_equal(session.view.scores(HTER)[reviewed_mask], segment_hter(*texts))


def test_changes_of_many_segments_require_a_full_recount() -> None:
    session, changes = make_session(("the cat sat",) * 50), list[SessionChange]()
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    live = LiveScores(tag_level(Kind.WORDS))
    assert live.start(session.view)
    session.subscribe(changes.append)
    session.reviewing.set({segment: {TARGET: "the dog sat"} for segment in range(1, 4)})
    assert not live.needs_recount(changes[-1])
    session.reviewing.set({segment: {TARGET: "the dog sat"} for segment in range(4, 50)})
    assert live.needs_recount(changes[-1])
    assert session.view.scored_segments(WORDS).all()
    assert session.view.tags(WORDS).values.sum() == 50


def test_mask_of_reviewed_segments_follows_edits_of_own_tags() -> None:
    session = make_session()
    key = session.add_person("me", Kind.WORDS, SYSTEM)
    for edit in (Edit(key, 1, (0,), (1,)), Edit(key, 2, (1,), (0,)), Edit(key, 1, (0,), (0,))):
        before = session.view.scored_segments(key)
        session.apply(edit)
        reviewed = session.view.scored_segments(key)
        assert reviewed is not before
        assert reviewed.tolist() == [session.view.is_reviewed(key, segment) for segment in range(4)]
    assert session.view.scored_segments(key).tolist() == [False, False, True, False]


def test_sentence_scores_are_compared_with_the_hter_of_post_edits() -> None:
    session = make_session()
    session.reviewing.set(
        {0: {TARGET: "the dog sat"}, 1: {TARGET: "off the big mat"}, 2: {STATUS: ReviewStatus.CONFIRMED}}
    )
    assert SENTENCES.references(session.view) == [HTER]
    scoring = Scoring.of(SENTENCES, session.view)
    assert scoring is not None
    assert (scoring.segments, scoring.names) == (3, ("S",))
    pearson = scoring.scores([SENTENCES.metrics["Pearson"]])[0, 0]
    assert pearson == pytest.approx(np.corrcoef([0, 1, 2], [1 / 3, 2 / 4, 0])[0, 1])


def test_with_gold_a_post_edit_is_displayed_but_not_scored() -> None:
    session = make_session()
    gold = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
    session.extend(session.corpus.with_layer(Layer(gold, session.view.tags(SYSTEM), "gold.tags")))
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    scoring = Scoring.of(tag_level(Kind.WORDS), session.view)
    assert scoring is not None
    assert (scoring.reference, scoring.subjects, scoring.segments) == (gold, (SYSTEM,), len(MT))
    assert WORDS in session.view.tag_layers(Kind.WORDS)


def test_own_tags_are_scored_only_in_reviewed_segments() -> None:
    session = make_session()
    mine = session.add_person("me", Kind.WORDS, copy_of=SYSTEM)
    level = tag_level(Kind.WORDS)
    scoring = Scoring.of(level, session.view)
    assert scoring is not None
    assert (scoring.segments, scoring.size) == (0, 0)
    session.apply(Edit(mine, 1, (0,), (1,)))
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    scoring = Scoring.of(level, session.view)
    assert scoring is not None
    assert scoring.level.data_summary(scoring) == "2 reviewed segments, 6 tags"
    # all tags of the first segment agree, and two of three in the second
    assert scoring.scores([WORD_METRICS["accuracy"]])[list(scoring.subjects).index(SYSTEM), 0] == pytest.approx(5 / 6)


def test_tags_refer_to_tokens_of_a_tokenizer() -> None:
    tokens = ("well-known", ",", "&quot;", "he", "&quot;")
    (tagged,) = tag_post_edits([PostEdit('well-known, "he"', 'well-loved, and "he"', tokens)], word_spans)
    assert tagged.words.tolist() == [1, 0, 0, 0, 0]
    assert tagged.gaps.tolist() == [0, 0, 1, 0, 0, 0]


def test_tokens_that_are_not_in_the_mt_are_compared_with_the_post_edit() -> None:
    (tagged,) = tag_post_edits([PostEdit("colour it", "paint it", ("color", "it"))], word_spans)
    assert tagged.words.tolist() == [1, 0]


def test_inline_codes_and_line_breaks_are_not_words() -> None:
    pair = PostEdit("Press ⟨1⟩Stop⟨/1⟩\u2028twice ⟨⟨", "Press Stop ⟨1⟩⟨/1⟩twice ⟨⟨", ("Press", "Stop", "twice", "⟨"))
    (tagged,) = tag_post_edits([pair], word_spans)
    assert not tagged.words.any()
    assert tagged.hter == 0


def test_post_edit_of_tokens_without_raw_text_is_split_at_spaces() -> None:
    session = make_session(("a well-known cat", "", "", ""))
    session.reviewing.set({0: {TARGET: "a well-fed cat"}})
    assert session.view.scores(HTER)[0] == pytest.approx(1 / 3)


def test_derived_scores_have_no_loaded_tags():
    session = make_session()
    session.reviewing.set({0: {TARGET: "the dog sat"}})
    assert session.view.is_derived(HTER)
    with pytest.raises(QeError, match="no layer named"):
        session.view.initial_tags(HTER)
