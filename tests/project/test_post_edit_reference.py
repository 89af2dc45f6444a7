"""Scores of systems against the user's post-edit in a corpus that also has gold tags."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, ReviewStatus, TagColumn, TextColumn, TextRole
from qe_desktop.levels import tag_level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.project import LiveScores, ReviewField, Session
from qe_desktop.project.review.post_edit_layers import post_edit_keys

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
SYSTEMS = [LayerKey(Provenance.SYSTEM, name, Kind.WORDS) for name in ("A", "B")]
WORDS, GAPS, _ = post_edit_keys("me")
MT = ("the cat sat", "on the mat", "it was flat and so on", "a b c d")
LEVEL = tag_level(Kind.WORDS)


@pytest.fixture
def session() -> Session:
    column, draw = TextColumn.of(MT), np.random.default_rng(3)
    layers = {}
    for key in (GOLD, *SYSTEMS):
        tags = TagColumn.of([draw.integers(0, 2, count).tolist() for count in column.token_counts()])
        layers[key] = Layer(key, tags, f"{key.name}.tags")
    return Session(Corpus("small", len(MT), {TextRole.MT: column, TextRole.SOURCE: column}, layers), person="me")


def scores(live: LiveScores) -> dict[str, list[float]]:
    return {metric.name: np.nan_to_num(live.scores(metric), nan=-9.0).tolist() for metric in WORD_METRICS.values()}


def test_gold_stays_the_default_reference_and_a_post_edit_can_be_selected(session):
    assert LEVEL.references(session.view) == [GOLD]
    session.reviewing.set({0: {ReviewField.TARGET: "the dog sat"}})
    view = session.view
    assert LEVEL.references(view) == [GOLD, WORDS]
    assert LEVEL.reference(view) == GOLD
    assert LEVEL.reference(view, WORDS) == WORDS
    assert tag_level(Kind.GAPS).references(view) == [GAPS]
    assert tag_level(Kind.SOURCE).references(view) == []
    session.undo()
    assert LEVEL.reference(session.view, WORDS) == GOLD


def test_gold_and_post_edit_are_not_scored_as_systems(session):
    session.reviewing.set({0: {ReviewField.TARGET: "the dog sat"}})
    assert LEVEL.subjects(session.view, GOLD) == SYSTEMS
    assert LEVEL.subjects(session.view, WORDS) == SYSTEMS
    mine = session.add_person("me", Kind.WORDS, copy_of=SYSTEMS[0])
    assert LEVEL.subjects(session.view, GOLD) == [mine, *SYSTEMS]


def test_scores_against_a_post_edit_cover_only_its_segments_and_follow_edits(session):
    session.reviewing.set({0: {ReviewField.TARGET: "the dog sat"}, 3: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    live = LiveScores(LEVEL)
    assert live.start(session.view, WORDS)
    live.finish(live.count(), session.view)
    session.subscribe(lambda change: live.update(change, session.view))
    steps = [
        {1: {ReviewField.TARGET: "on a mat"}},
        {3: {ReviewField.STATUS: ReviewStatus.REJECTED}},
        {0: {ReviewField.TARGET: "cat sat"}, 2: {ReviewField.STATUS: ReviewStatus.CONFIRMED}},
    ]
    expected_segments = [{0, 3}, {0, 1, 3}, {0, 1}, {0, 1, 2}]
    for step, segments in enumerate(expected_segments):
        view = session.view
        assert set(np.flatnonzero(view.scored_segments(WORDS)).tolist()) == segments
        scoring = Scoring.of(LEVEL, view, WORDS)
        # computed by hand from the tags of these segments
        reference = np.concatenate([view.segment_tags(WORDS, segment) for segment in sorted(segments)])
        assert LEVEL.size(scoring) == len(reference)
        for position, key in enumerate(SYSTEMS):
            tags = np.concatenate([view.segment_tags(key, segment) for segment in sorted(segments)])
            hits = int((tags & reference).sum())
            expected = 2 * hits / (tags.sum() + reference.sum()) if tags.sum() + reference.sum() else -9.0
            assert scores(live)["F1-BAD"][position] == pytest.approx(expected)
        assert "gold" not in LEVEL.report_summary(scoring)
        if step < len(steps):
            session.reviewing.set(steps[step])


def test_post_editing_does_not_change_scores_against_gold(session):
    live = LiveScores(LEVEL)
    live.start(session.view)
    live.finish(live.count(), session.view)
    before = scores(live)
    session.subscribe(lambda change: live.update(change, session.view))
    session.reviewing.set({0: {ReviewField.TARGET: "the dog sat"}, 1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    assert scores(live) == before
    assert live.reference == GOLD
