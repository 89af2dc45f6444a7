"""Incremental scores: a change is counted in one call, with the same rows as separate counts of each layer."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, LayerKey, Provenance, TagColumn
from qe_desktop.levels.words import WORD_LEVEL, tag_level
from qe_desktop.levels.words.tag_inputs import scoring_of
from qe_desktop.metrics import compute_rows, metric_families
from qe_desktop.project import Edit, LiveScores, Session, SessionChange
from tests.small_corpora import corpus_of, noisy, random_tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


def make_session(segments: int = 12, systems: int = 5) -> Session:
    gold = random_tags(np.full(segments, 9), 0.3, 1)
    return Session(corpus_of(gold, {f"s{n}": noisy(gold, 0.2, n + 2) for n in range(systems)}))


def count_columns(session: Session, monkeypatch) -> tuple[LiveScores, list[int]]:
    """Live scores of a session, and the number of columns that each later call counts."""
    scores = LiveScores(WORD_LEVEL)
    assert scores.start(session.view)
    scores.finish(scores.count(), session.view)
    calls: list[int] = []

    def counted(families, gold, systems, **options):
        calls.append(len(systems))
        return compute_rows(families, gold, systems, **options)

    monkeypatch.setattr(tag_level, "compute_rows", counted)
    return scores, calls


def test_an_edit_counts_all_layers_in_one_call(monkeypatch):
    session = make_session()
    scores, calls = count_columns(session, monkeypatch)
    for index in range(2):
        calls.clear()
        change = session.apply(Edit(GOLD, 3, (index,), (1 - int(session.view.segment_tags(GOLD, 3)[index]),)))
        assert scores.update(change, session.view)
        assert calls == [1]


def test_a_change_of_many_segments_counts_them_in_one_call(monkeypatch):
    session = make_session()
    scores, calls = count_columns(session, monkeypatch)
    for segment in range(12):
        session.apply(Edit(GOLD, segment, (2,), (1 - int(session.view.segment_tags(GOLD, segment)[2]),)))
    # a segment that is listed twice changes the totals once
    assert scores.update(SessionChange(GOLD, (*range(12), 5)), session.view)
    assert calls == [1]
    again = LiveScores(WORD_LEVEL)
    again.start(session.view)
    for name, totals in again.count().items():
        assert np.allclose(scores.totals[name], totals, rtol=0, atol=1e-9), name


@given(st.integers(1, 4), st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 10_000))
def test_rows_of_some_segments_equal_those_of_a_full_count(systems, lengths, seed):
    gold = random_tags(np.array(lengths), 0.4, seed)
    layers = {f"s{n}": noisy(gold, 0.3, seed + 10 * n) for n in range(systems)}
    scoring = scoring_of(WORD_LEVEL, gold, layers)
    families = metric_families(WORD_LEVEL.metrics.values())
    full_rows, some = scoring.rows(families), list(range(len(lengths)))[::-1]
    for name, rows in scoring.rows_at(families, [(scoring.view, segment) for segment in some]).items():
        assert np.array_equal(rows, full_rows[name][:, some]), name


def test_segments_without_words_have_rows_of_zeros():
    empty = TagColumn.of([[], []])
    scoring = scoring_of(WORD_LEVEL, empty, {"a": empty})
    rows_by_family = scoring.rows_at(metric_families(WORD_LEVEL.metrics.values()), [(scoring.view, 1)])
    assert all(rows.shape[:2] == (1, 1) and not np.any(rows) for rows in rows_by_family.values())
