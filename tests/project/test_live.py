"""A change is followed by counting what it moved once, with the same rows as counting each layer by itself."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, LayerKey, Provenance, TagColumn
from qe_desktop.metrics import rows_of
from qe_desktop.project import Change, Edit, LiveScores, Session, live
from tests.building import corpus_of, noisy, random_tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


def a_session(segments: int = 12, systems: int = 5) -> Session:
    gold = random_tags(np.full(segments, 9), 0.3, 1)
    return Session(corpus_of(gold, {f"s{n}": noisy(gold, 0.2, n + 2) for n in range(systems)}))


def counting(session: Session, monkeypatch) -> tuple[LiveScores, list[int]]:
    """Live scores of a session, and how many columns each call counted from then on."""
    scores = LiveScores(session, Kind.WORDS)
    assert scores.start()
    scores.finish(scores.count())
    calls: list[int] = []

    def counted(families, gold, systems, **options):
        calls.append(len(systems))
        return rows_of(families, gold, systems, **options)

    monkeypatch.setattr(live, "rows_of", counted)
    return scores, calls


def test_an_edit_counts_all_layers_at_once(monkeypatch):
    session = a_session()
    scores, calls = counting(session, monkeypatch)
    change = session.apply(Edit(GOLD, 3, (0,), (1 - int(session.segment_tags(GOLD, 3)[0]),)))
    assert scores.update(change)
    assert calls == [1]


def test_a_change_of_many_segments_counts_them_at_once(monkeypatch):
    session = a_session()
    scores, calls = counting(session, monkeypatch)
    for segment in range(12):
        session.apply(Edit(GOLD, segment, (2,), (1 - int(session.segment_tags(GOLD, segment)[2]),)))
    # a segment that is named twice moves the totals once
    assert scores.update(Change(GOLD, (*range(12), 5)))
    assert calls == [1]
    again = LiveScores(session, Kind.WORDS)
    again.start()
    for name, totals in again.count().items():
        assert np.allclose(scores.totals[name], totals, rtol=0, atol=1e-9), name


@given(st.integers(1, 4), st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(0, 10_000))
def test_what_a_change_moves_is_the_difference_of_the_rows_of_each_layer(systems, lengths, seed):
    states = []
    for state in range(2):
        gold = random_tags(np.array(lengths), 0.4, seed + state)
        states.append((gold, *(noisy(gold, 0.3, seed + 10 * n + state) for n in range(systems))))
    before, after = (rows_of(live.FAMILIES, gold, layers) for gold, *layers in states)
    moved = live._moved(*([list(map(column.__getitem__, range(len(lengths)))) for column in one] for one in states))
    for name, found in moved.items():
        assert np.array_equal(found, (after[name] - before[name]).sum(axis=1)), name


def test_segments_without_words_move_nothing():
    empty = [[TagColumn.of([[]])[0]]] * 3
    assert all(not np.any(found) for found in live._moved(empty, empty).values())
