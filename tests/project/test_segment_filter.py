"""Filters and orders of the segment list."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Documents, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.project import Edit, Session
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, filter_segments, system_difference, take_snapshot
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from tests.small_corpora import corpus_of, tags
from tests.tag_comparison import influence_of_tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
A, B = (LayerKey(Provenance.SYSTEM, name, Kind.WORDS) for name in "ab")


def session() -> Session:
    corpus = corpus_of(
        tags("oobo", "oo", "bbb", "o"), {"a": tags("oobo", "bo", "ooo", "o"), "b": tags("bobo", "oo", "bbo", "o")}
    )
    texts = {
        TextRole.SOURCE: TextColumn.of(["The cat sat here", "Über uns", "one (two) three", "x"]),
        TextRole.MT: TextColumn.of(["Die Katze saß da", "About us", "eins zwei drei", "y"]),
    }
    return Session(replace(corpus, texts=texts, documents=Documents.from_names(["d1", "d1", "d2", "d2"])))


def filtered_segments(query: SegmentQuery, opened: Session | None = None) -> list[int]:
    opened = opened or session()
    return filter_segments(take_snapshot(opened.view, Kind.WORDS, query), query).segments.tolist()


def test_text_search_covers_source_and_mt_and_ignores_case():
    assert filtered_segments(SegmentQuery(text="KATZE")) == [0]
    assert filtered_segments(SegmentQuery(text="über")) == [1]
    assert filtered_segments(SegmentQuery(text="(two)")) == [2]
    assert filtered_segments(SegmentQuery(text="us")) == [1]
    assert filtered_segments(SegmentQuery(text="nothing")) == []


def test_filters_by_bad_tags_disagreement_document_and_edits():
    assert filtered_segments(SegmentQuery(only_bad=True)) == [0, 2]
    assert filtered_segments(SegmentQuery(only_disagreement=True)) == [0, 1, 2]
    assert filtered_segments(SegmentQuery(document="d2")) == [2, 3]
    assert filtered_segments(SegmentQuery(document="d2", only_bad=True)) == [2]
    current = session()
    current.apply(Edit(GOLD, 3, (0,), (1,)))
    assert filtered_segments(SegmentQuery(only_edited=True), current) == [3]
    assert filtered_segments(SegmentQuery(only_bad=True), current) == [0, 2, 3]
    current.undo()
    assert filtered_segments(SegmentQuery(only_edited=True), current) == []


def test_a_list_of_segments_limits_the_other_filters():
    assert filtered_segments(SegmentQuery(listed_segments=(3, 1, 0))) == [0, 1, 3]
    assert filtered_segments(SegmentQuery(listed_segments=(3, 1, 0), document="d1")) == [0, 1]
    assert filtered_segments(SegmentQuery(listed_segments=())) == []


def test_orders_are_stable():
    assert filtered_segments(SegmentQuery(order=SortOrder.DISAGREEMENT)) == [2, 0, 1, 3]
    assert filtered_segments(SegmentQuery(order=SortOrder.LOWEST)) == [2, 1, 0, 3]
    assert filtered_segments(SegmentQuery(order=SortOrder.BAD)) == [2, 0, 1, 3]
    assert filtered_segments(SegmentQuery(order=SortOrder.LONGEST)) == [0, 2, 1, 3]


@pytest.mark.parametrize("metric", ["F1-BAD", "MCC", "phr-F1-mult", "SeqCor"])
def test_difference_order_sorts_by_influence_on_the_metric_difference(metric):
    query = SegmentQuery(order=SortOrder.DIFFERENCE, compared_layers=(A, B), metric=metric, level=WORD_LEVEL)
    snapshot = take_snapshot(session().view, Kind.WORDS, query)
    difference = system_difference(snapshot, query)
    gold, first, second = (layer.tags for layer in session().corpus.layers.values())
    expected = influence_of_tags(WORD_METRICS[metric], gold, first, second)
    assert difference.values.tolist() == expected.tolist()
    assert (difference.metric, difference.systems) == (metric, (A, B))
    assert filter_segments(snapshot, query).segments.tolist() == np.argsort(-np.abs(expected), kind="stable").tolist()


def test_segments_with_equal_accuracy_can_influence_the_difference():
    """Both systems have one of two tags right in the last segment, but they differ in F1-BAD."""
    corpus = corpus_of(tags("oo", "bb", "bo"), {"a": tags("oo", "bb", "bb"), "b": tags("oo", "bb", "oo")})
    query = SegmentQuery(order=SortOrder.DIFFERENCE, compared_layers=(A, B), metric="F1-BAD", level=WORD_LEVEL)
    snapshot = take_snapshot(Session(corpus).view, Kind.WORDS, query)
    assert system_difference(snapshot, query).values[2] > 0
    assert filter_segments(snapshot, query).segments.tolist() == [2, 0, 1]


def test_without_gold_differing_tags_are_counted():
    corpus = session().corpus
    layers = {key: layer for key, layer in corpus.layers.items() if key != GOLD}
    query = SegmentQuery(order=SortOrder.DIFFERENCE, compared_layers=(A, B), metric="MCC", level=WORD_LEVEL)
    difference = system_difference(
        take_snapshot(Session(replace(corpus, layers=layers)).view, Kind.WORDS, query), query
    )
    assert difference.values.tolist() == [1, 1, 2, 0]
    assert difference.metric == ""


def test_an_empty_query_shows_all_segments():
    assert SegmentQuery().shows_all_segments
    assert filtered_segments(SegmentQuery()) == [0, 1, 2, 3]
    assert not SegmentQuery(text="x").shows_all_segments
    assert np.array_equal(
        filter_segments(take_snapshot(session().view, Kind.WORDS, SegmentQuery()), SegmentQuery()).segments,
        np.arange(4),
    )


def test_segments_are_sorted_by_scores_and_prediction_errors():
    gold, system = (LayerKey(whose, "s", Kind.SCORES) for whose in (Provenance.GOLD, Provenance.SYSTEM))
    layers = {
        gold: Layer(gold, np.array([0.5, 0.1, 0.9, 0.4])),
        system: Layer(system, np.array([0.4, 0.8, 0.2, np.nan])),
    }
    current = Session(Corpus("numbers", 4, {}, layers))

    def sorted_segments(order: SortOrder, score: LayerKey, reference: LayerKey | None = None) -> list[int]:
        return filtered_segments(SegmentQuery(order=order, score=score, reference=reference), current)

    assert sorted_segments(SortOrder.SCORE_HIGH, gold) == [2, 0, 3, 1]
    assert sorted_segments(SortOrder.SCORE_LOW, gold) == [1, 3, 0, 2]
    # a segment without a score has no error, and comes last
    assert sorted_segments(SortOrder.ERROR, system, gold) == [1, 2, 0, 3]
    assert sorted_segments(SortOrder.TOO_HIGH, system, gold) == [1, 0, 2, 3]
    assert sorted_segments(SortOrder.TOO_LOW, system, gold) == [2, 0, 1, 3]
    # without gold there are no errors, so the order is that of the corpus
    assert sorted_segments(SortOrder.ERROR, system) == [0, 1, 2, 3]


def test_order_by_rank_gap_omits_unranked_segments():
    gap = RankGap("a", "M", np.array([1.0, np.nan, -4.0, 0.0]), 12)
    query = SegmentQuery(order=SortOrder.RANKS, rank_gap=gap)
    assert query.has_external_order
    assert not query.shows_all_segments
    assert filtered_segments(query) == [2, 0, 3]
    assert filtered_segments(replace(query, only_bad=True)) == [2, 0]


def test_text_search_covers_translations_and_all_references():
    current = session()
    corpus = replace(
        current.corpus,
        translations={"weak": TextColumn.of(["a", "b", "Ein Kater", "d"])},
        references={"A": TextColumn.of(["a", "b", "c", "d"]), "B": TextColumn.of(["a", "ein Hund", "c", "d"])},
    )
    several = Session(corpus)
    assert filtered_segments(SegmentQuery(text="kater"), several) == [2]
    assert filtered_segments(SegmentQuery(text="hund"), several) == [1]
    assert filtered_segments(SegmentQuery(text="katze"), several) == [0]
