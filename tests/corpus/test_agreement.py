"""Which places are marked where several tagged them."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, View
from qe_desktop.corpus.tag_voting import VotingRule, count_marked, has_several_taggers, segment_marks
from tests.building import tags

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


THREE = (("bbbo", "oo"), ("bboo", "ob"), ("booo", "oo"))


@pytest.mark.parametrize(
    ("agreement", "marks", "counts"),
    [
        (VotingRule.ANY, [2, 1, 1, 0], [3, 1]),
        (VotingRule.MAJORITY, [2, 1, 0, 0], [2, 0]),
        (VotingRule.ALL, [2, 0, 0, 0], [1, 0]),
    ],
)
def test_of_several_systems_agreement_decides(agreement, marks, counts):
    several = view(*THREE)
    assert has_several_taggers(several, WORDS)
    assert segment_marks(several, WORDS, 0, agreement).tolist() == marks
    columns = [several.tags(key) for key in several.tracks(WORDS)]
    assert count_marked(columns, agreement).tolist() == counts
    for segment, count in enumerate(counts):
        assert np.count_nonzero(segment_marks(several, WORDS, segment, agreement)) == count


def test_a_second_system_takes_no_mark_of_the_first_away():
    assert segment_marks(view(("obo", "o"), ("oob", "o")), WORDS, 0).tolist() == [0, 1, 1]
    assert segment_marks(view(("obo", "o"), ("obb", "o")), WORDS, 0).tolist() == [0, 2, 1]


@pytest.mark.parametrize("agreement", VotingRule)
def test_a_reference_or_one_system_alone_is_marked_whatever_was_chosen(agreement):
    assert segment_marks(view(*THREE, gold=("obbo", "oo")), WORDS, 0, agreement).tolist() == [0, 2, 2, 0]
    assert segment_marks(view(("obo",)), WORDS, 0, agreement).tolist() == [0, 2, 0]
    assert not has_several_taggers(view(*THREE, gold=("obbo", "oo")), WORDS)
    assert segment_marks(view(), WORDS, 0, agreement) is None


def test_choices_that_mark_the_same_are_one():
    assert VotingRule.distinct(1) == ()
    assert VotingRule.distinct(2) == (VotingRule.ANY, VotingRule.ALL)
    assert VotingRule.distinct(3) == tuple(VotingRule)
    for systems in (2, 3, 4, 5):
        for one in VotingRule:
            same = one.among(systems)
            assert same in VotingRule.distinct(systems)
            assert same.needed(systems) == one.needed(systems)
