"""Which places are marked where several tagged them."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, View
from qe_desktop.corpus.agreement import Agreement, are_several, marked_counts, marks_of
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
        (Agreement.ANY, [2, 1, 1, 0], [3, 1]),
        (Agreement.MAJORITY, [2, 1, 0, 0], [2, 0]),
        (Agreement.ALL, [2, 0, 0, 0], [1, 0]),
    ],
)
def test_of_several_systems_agreement_decides(agreement, marks, counts):
    several = view(*THREE)
    assert are_several(several, WORDS)
    assert marks_of(several, WORDS, 0, agreement).tolist() == marks
    columns = [several.tags(key) for key in several.tracks(WORDS)]
    assert marked_counts(columns, agreement).tolist() == counts
    for segment, count in enumerate(counts):
        assert np.count_nonzero(marks_of(several, WORDS, segment, agreement)) == count


def test_a_second_system_takes_no_mark_of_the_first_away():
    assert marks_of(view(("obo", "o"), ("oob", "o")), WORDS, 0).tolist() == [0, 1, 1]
    assert marks_of(view(("obo", "o"), ("obb", "o")), WORDS, 0).tolist() == [0, 2, 1]


@pytest.mark.parametrize("agreement", Agreement)
def test_a_reference_or_one_system_alone_is_marked_whatever_was_chosen(agreement):
    assert marks_of(view(*THREE, gold=("obbo", "oo")), WORDS, 0, agreement).tolist() == [0, 2, 2, 0]
    assert marks_of(view(("obo",)), WORDS, 0, agreement).tolist() == [0, 2, 0]
    assert not are_several(view(*THREE, gold=("obbo", "oo")), WORDS)
    assert marks_of(view(), WORDS, 0, agreement) is None


def test_choices_that_mark_the_same_are_one():
    assert Agreement.distinct(1) == ()
    assert Agreement.distinct(2) == (Agreement.ANY, Agreement.ALL)
    assert Agreement.distinct(3) == tuple(Agreement)
    for systems in (2, 3, 4, 5):
        for one in Agreement:
            same = one.among(systems)
            assert same in Agreement.distinct(systems)
            assert same.needed(systems) == one.needed(systems)
