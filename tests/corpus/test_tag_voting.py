"""Marked words if several systems tagged them."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, View
from qe_desktop.corpus.tag_voting import VotingRule, has_several_tagging_layers, marking_columns, segment_marks
from tests.small_corpora import tags

WORDS = Kind.WORDS


def view(*systems: tuple[str, ...], gold: tuple[str, ...] = ()) -> View:
    layers = {}
    for number, rows in enumerate(systems):
        key = LayerKey(Provenance.SYSTEM, str(number), WORDS)
        layers[key] = Layer(key, tags(*rows))
    if gold:
        key = LayerKey(Provenance.GOLD, "gold", WORDS)
        layers[key] = Layer(key, tags(*gold))
    size = len(systems[0]) if systems else 1
    return View(Corpus("made", size, {}, layers))


THREE_SYSTEMS = (("bbbo", "oo"), ("bboo", "ob"), ("booo", "oo"))


@pytest.mark.parametrize(
    ("agreement", "marks", "counts"),
    [
        (VotingRule.ANY, [2, 1, 1, 0], [3, 1]),
        (VotingRule.MAJORITY, [2, 1, 0, 0], [2, 0]),
        (VotingRule.ALL, [2, 0, 0, 0], [1, 0]),
    ],
)
def test_voting_rule_decides_the_marks_of_several_systems(agreement, marks, counts):
    several = view(*THREE_SYSTEMS)
    assert has_several_tagging_layers(several, WORDS)
    assert segment_marks(several, WORDS, 0, agreement).tolist() == marks
    columns = marking_columns(several, several.tag_layers(WORDS))
    assert columns.count_marked(agreement).tolist() == counts
    for segment, count in enumerate(counts):
        assert np.count_nonzero(segment_marks(several, WORDS, segment, agreement)) == count


def test_second_system_removes_no_marks_of_the_first():
    assert segment_marks(view(("obo", "o"), ("oob", "o")), WORDS, 0).tolist() == [0, 1, 1]
    assert segment_marks(view(("obo", "o"), ("obb", "o")), WORDS, 0).tolist() == [0, 2, 1]


@pytest.mark.parametrize("agreement", VotingRule)
def test_gold_or_a_single_system_is_marked_with_any_voting_rule(agreement):
    assert segment_marks(view(*THREE_SYSTEMS, gold=("obbo", "oo")), WORDS, 0, agreement).tolist() == [0, 2, 2, 0]
    assert segment_marks(view(("obo",)), WORDS, 0, agreement).tolist() == [0, 2, 0]
    assert not has_several_tagging_layers(view(*THREE_SYSTEMS, gold=("obbo", "oo")), WORDS)
    assert segment_marks(view(), WORDS, 0, agreement) is None


def test_equivalent_voting_rules_are_listed_once():
    assert VotingRule.distinct_rules(1) == ()
    assert VotingRule.distinct_rules(2) == (VotingRule.ANY, VotingRule.ALL)
    assert VotingRule.distinct_rules(3) == tuple(VotingRule)
    for systems in (2, 3, 4, 5):
        for rule in VotingRule:
            same = rule.for_system_count(systems)
            assert same in VotingRule.distinct_rules(systems)
            assert same.required_votes(systems) == rule.required_votes(systems)


@pytest.mark.parametrize("agreement", VotingRule)
@pytest.mark.parametrize("systems", [0, 1, 2, 3])
def test_decisive_layer_adds_full_marks_and_changes_no_others(agreement, systems):
    checks = LayerKey(Provenance.SYSTEM, str(systems), WORDS)
    for rows in (("oooo", "oo"), ("ooob", "ob")):
        every = view(*THREE_SYSTEMS[:systems], rows)
        shown = every.with_corpus(every.corpus, frozenset([checks]))
        before = view(*THREE_SYSTEMS[:systems]) if systems else None
        columns = marking_columns(shown, shown.tag_layers(WORDS))
        assert has_several_tagging_layers(shown, WORDS) is (systems > 1)
        for segment in (0, 1):
            flagged = shown.segment_tags(checks, segment) > 0
            marks = segment_marks(before, WORDS, segment, agreement) if before is not None else np.zeros(len(flagged))
            expected = np.where(flagged, 2, marks).tolist()
            assert segment_marks(shown, WORDS, segment, agreement).tolist() == expected
            assert columns.count_marked(agreement)[segment] == np.count_nonzero(expected)
            assert columns.marked_segments(agreement)[segment] == any(expected)
