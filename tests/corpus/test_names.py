"""Names of systems matched with those of a file: one to one, whatever they are, and the surest first."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import SystemNameMapping
from qe_desktop.corpus.system_matching import (
    ProposedName,
    nearest_name,
    normalize_name,
    propose_systems,
    unmatched_names,
)

NAMES = st.lists(st.text(max_size=12) | st.sampled_from(["A", "a", "Online-A", "online_A.en-de", "B"]), unique=True)
WRITTEN = st.text(st.characters(categories=("Lu", "Ll", "Nd")), min_size=1, max_size=8)


@given(NAMES, NAMES)
def test_proposals_are_one_to_one_and_of_names_that_there_are(file, systems):
    found = propose_systems(file, systems)
    taken = [one.system for one in found.values()]
    assert set(found) <= set(file)
    assert set(taken) <= set(systems)
    assert len(set(taken)) == len(taken)
    for name in set(file) & set(systems):
        assert found[name] == ProposedName(name, guess=False)


@given(NAMES, NAMES, st.randoms())
def test_what_is_no_guess_does_not_depend_on_the_order(file, systems, dice):
    sure = {name: one for name, one in propose_systems(file, systems).items() if not one.guess}
    mixed, others = list(file), list(systems)
    dice.shuffle(mixed)
    dice.shuffle(others)
    assert {name: one for name, one in propose_systems(mixed, others).items() if not one.guess} == sure


@given(NAMES, st.dictionaries(st.text(max_size=3), st.none() | st.text(max_size=3)))
def test_names_are_never_two_onto_one(file, names):
    taken = [name for name in names.values() if name is not None]
    if len(set(taken)) < len(taken):
        with pytest.raises(ValueError, match="two names"):
            SystemNameMapping(names)
        return
    matched = SystemNameMapping(names)
    given_names = [*file, *(name for name in names if name not in file)]
    found = matched.among(given_names)
    assert len(set(found.values())) == len(found)
    assert all(found.get(name) == here for name, here in names.items())
    assert list(matched.renamed({name: name for name in given_names}).values()) == list(found)


@given(WRITTEN)
def test_a_name_is_the_same_however_it_is_written(name):
    ways = [name.upper().lower(), unicodedata.normalize("NFD", name), f"{name}.en-de", f"en-de.{name}", f"_{name}- "]
    for way in ways:
        if normalize_name(way) == normalize_name(name) != "":
            assert propose_systems([way], [name, "entirely other"])[way] == ProposedName(name, guess=False)
    assert normalize_name(f"_{name}- ") == normalize_name(name)


@pytest.mark.parametrize(
    ("file", "systems", "found"),
    [
        (["online_A.en-de"], ["Online-A", "Online-B"], [("Online-A", False)]),
        (["A", "B"], ["Online-B", "Online-A"], [("Online-A", True), ("Online-B", True)]),
        (["Ｎｅｍｏ", "システムA"], ["システムＡ", "NEMO"], [("NEMO", False), ("システムＡ", False)]),
        (["מערכת א.en-he"], ["מערכת-א"], [("מערכת-א", False)]),
        (["one_A", "one-a"], ["One A", "two"], [("One A", True)]),
    ],
)
def test_proposals(file, systems, found):
    answers = propose_systems(file, systems)
    assert [(answers[name].system, answers[name].guess) for name in file if name in answers] == found


def test_nothing_is_proposed_for_what_is_like_nothing():
    assert propose_systems(["xyz"], ["abc"]) == {}
    assert propose_systems(["...", "!"], ["?", "-"]) == {}
    assert nearest_name("onlne-A", ["Online-B", "Online-A", "MT"]) == "Online-A"
    assert nearest_name("xyz", []) == ""


def test_whose_place_was_taken_is_left_out():
    matched = SystemNameMapping({"B": "A"})
    assert matched.among(["A", "B", "C"]) == {"B": "A", "C": "C"}
    assert matched.otherwise(["A", "B", "C"]) == {"A": "B"}
    assert matched.among(["C", "A"]) == {"C": "C", "A": "A"}


def test_what_is_unmatched_is_told_of_both_sides():
    assert unmatched_names(["A", "b", "c"], ["A", "B", "D"], SystemNameMapping()) == (["b", "c"], ["B", "D"])
    assert unmatched_names(["A", "b", "c"], ["A", "B", "D"], SystemNameMapping({"b": "B", "c": None})) == ([], ["D"])
