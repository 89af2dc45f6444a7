"""Matching of system names with the names in a file: one to one for any names, certain matches first."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import SystemNameMapping
from qe_desktop.corpus.system_matching import (
    ProposedName,
    SystemNameDraft,
    nearest_name,
    normalize_name,
    propose_systems,
    unmatched_names,
)

NAMES = st.lists(st.text(max_size=12) | st.sampled_from(["A", "a", "Online-A", "online_A.en-de", "B"]), unique=True)
LETTERS_AND_DIGITS = st.text(st.characters(categories=("Lu", "Ll", "Nd")), min_size=1, max_size=8)


@given(NAMES, NAMES)
def test_proposals_are_one_to_one_and_between_existing_names(file, systems):
    proposals = propose_systems(file, systems)
    proposed = [proposal.system for proposal in proposals.values()]
    assert set(proposals) <= set(file)
    assert set(proposed) <= set(systems)
    assert len(set(proposed)) == len(proposed)
    for name in set(file) & set(systems):
        assert proposals[name] == ProposedName(name, is_guess=False)


@given(NAMES, NAMES, st.randoms())
def test_certain_proposals_do_not_depend_on_the_order(file, systems, dice):
    certain = {name: proposal for name, proposal in propose_systems(file, systems).items() if not proposal.is_guess}
    mixed, mixed_systems = list(file), list(systems)
    dice.shuffle(mixed)
    dice.shuffle(mixed_systems)
    assert {
        name: proposal for name, proposal in propose_systems(mixed, mixed_systems).items() if not proposal.is_guess
    } == certain


@given(NAMES, st.dictionaries(st.text(max_size=3), st.none() | st.text(max_size=3)))
def test_mapping_never_maps_two_names_to_one_system(file, names):
    mapped = [name for name in names.values() if name is not None]
    if len(set(mapped)) < len(mapped):
        with pytest.raises(ValueError, match="two names"):
            SystemNameMapping(names)
        return
    matched = SystemNameMapping(names)
    given_names = [*file, *(name for name in names if name not in file)]
    result = matched.map_names(given_names)
    assert len(set(result.values())) == len(result)
    assert all(result.get(name) == here for name, here in names.items())
    assert list(matched.rename_systems({name: name for name in given_names}).values()) == list(result)


@given(LETTERS_AND_DIGITS)
def test_spelling_variants_of_a_name_match(name):
    variants = [
        name.upper().lower(),
        unicodedata.normalize("NFD", name),
        f"{name}.en-de",
        f"en-de.{name}",
        f"_{name}- ",
    ]
    for variant in variants:
        if normalize_name(variant) == normalize_name(name) != "":
            assert propose_systems([variant], [name, "entirely other"])[variant] == ProposedName(name, is_guess=False)
    assert normalize_name(f"_{name}- ") == normalize_name(name)


@pytest.mark.parametrize(
    ("file", "systems", "expected"),
    [
        (["online_A.en-de"], ["Online-A", "Online-B"], [("Online-A", False)]),
        (["A", "B"], ["Online-B", "Online-A"], [("Online-A", True), ("Online-B", True)]),
        (["Ｎｅｍｏ", "システムA"], ["システムＡ", "NEMO"], [("NEMO", False), ("システムＡ", False)]),
        (["מערכת א.en-he"], ["מערכת-א"], [("מערכת-א", False)]),
        (["one_A", "one-a"], ["One A", "two"], [("One A", True)]),
    ],
)
def test_proposed_systems_and_guesses(file, systems, expected):
    answers = propose_systems(file, systems)
    assert [(answers[name].system, answers[name].is_guess) for name in file if name in answers] == expected


def test_dissimilar_names_have_no_proposals():
    assert propose_systems(["xyz"], ["abc"]) == {}
    assert propose_systems(["...", "!"], ["?", "-"]) == {}
    assert nearest_name("onlne-A", ["Online-B", "Online-A", "MT"]) == "Online-A"
    assert nearest_name("xyz", []) == ""


def test_system_replaced_by_another_name_is_not_matched():
    matched = SystemNameMapping({"B": "A"})
    assert matched.map_names(["A", "B", "C"]) == {"B": "A", "C": "C"}
    assert matched.original_names(["A", "B", "C"]) == {"A": "B"}
    assert matched.map_names(["C", "A"]) == {"C": "C", "A": "A"}


def test_name_that_loses_its_match_is_matched_with_the_system_of_that_name():
    draft = (
        SystemNameDraft.create(("a", "c"), ("a", "b"), SystemNameMapping()).with_match("a", "b").with_match("c", "b")
    )
    assert draft.matches == {"a": "a", "c": "b"}


@given(NAMES, NAMES, st.lists(st.tuples(st.integers(0, 9), st.integers(-1, 9)), max_size=8))
def test_draft_matches_each_name_of_a_system_and_each_system_once(file, systems, steps):
    draft = SystemNameDraft.create(file, systems, SystemNameMapping())
    for name, system in steps:
        if name < len(file) and system < len(systems):
            draft = draft.with_match(file[name], None if system < 0 else systems[system])
    assert {name for name in file if name in systems} <= draft.matches.keys()
    held = [system for system in draft.matches.values() if system is not None]
    assert len(held) == len(set(held))


def test_unmatched_names_of_file_and_systems():
    assert unmatched_names(["A", "b", "c"], ["A", "B", "D"], SystemNameMapping()) == (["b", "c"], ["B", "D"])
    assert unmatched_names(["A", "b", "c"], ["A", "B", "D"], SystemNameMapping({"b": "B", "c": None})) == ([], ["D"])
