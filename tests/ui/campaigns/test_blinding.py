"""Letters in place of system names, and results that do not depend on the names."""

from __future__ import annotations

import doctest

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop import escaping
from qe_desktop.corpus import Comment, ItemRole, PairwiseJudgement, Ratings, Score
from qe_desktop.ratings import blinding
from qe_desktop.ratings.blinding import blind_names, rename_systems
from qe_desktop.ratings.results.rating_results import RatingOptions, blind_results, build_results
from qe_desktop.report import format_values
from qe_desktop.ui.campaigns import protocol_choice
from qe_desktop.ui.campaigns.results import agreement_table, statistic_columns, systems_table

from .conftest import QUALITY, adequacy_fluency

NAMES = st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=40)


def test_docstring_examples_pass() -> None:
    for module in (
        agreement_table,
        format_values,
        blinding,
        statistic_columns,
        escaping,
        protocol_choice,
        systems_table,
    ):
        assert doctest.testmod(module).failed == 0


@given(NAMES, st.text(), st.integers(0, 9999), st.randoms())
def test_blind_names_are_stable_and_distinct(systems: list[str], uid: str, seed: int, rng: object) -> None:
    names = blind_names(systems, uid, seed)
    shuffled = list(systems)
    rng.shuffle(shuffled)
    assert blind_names(shuffled, uid, seed) == names
    assert set(names) == set(systems)
    assert len(set(names.values())) == len(systems)
    assert "System A" in names.values()


def test_blind_names_do_not_follow_alphabetical_order() -> None:
    orders = {"".join(sorted("abcd", key=blind_names("abcd", f"campaign {number}").get)) for number in range(60)}
    assert len(orders) > 12


def test_renaming_systems_changes_scores_pairs_and_comments() -> None:
    ratings = Ratings.of(
        [Score("r", "x", "1", "adequacy", 3.0)],
        [PairwiseJudgement("r", "1", "x+y", "z", 1, 2)],
        [Comment("r", "1", "x is bad", ("x", "y"))],
    )
    renamed = rename_systems(ratings, {"x": "System B", "y": "System A"})
    assert renamed.scores.systems == ("System B",)
    assert renamed.pairs.units == ("System B+System A", "z")
    assert renamed.comments[0].systems == ("System B", "System A")
    assert rename_systems(ratings, {}) is ratings


def test_notes_of_blind_results_have_the_blind_names_and_are_otherwise_unchanged() -> None:
    rows = [PairwiseJudgement("r", "1", "A", "was", 1, 2), PairwiseJudgement("r", "1", "online-B", "e", 2, 1)]
    names = {"A": "System D", "was": "System C", "online-B": "System B", "e": "System A"}
    results = blind_results(Ratings.of([], rows), names, options=RatingOptions(runs=2, rounds=10))
    assert results.trueskill is not None
    assert results.trueskill.problem == (
        "These groups were not compared with each other: System D and System C; System B and System A."
    )


def test_results_do_not_depend_on_system_names() -> None:
    ratings = adequacy_fluency(12)
    names = blind_names(QUALITY, "c")
    unblinded, blind = build_results(ratings), build_results(rename_systems(ratings, names))
    assert [names[open_system.name] for open_system in unblinded.systems] == [
        open_system.name for open_system in blind.systems
    ]
    for open_system, blind_system in zip(unblinded.systems, blind.systems, strict=True):
        assert open_system.scores is not None
        assert blind_system.scores is not None
        assert open_system.scores.raw == blind_system.scores.raw
    assert np.array_equal(unblinded.scale_ranking.p, blind.scale_ranking.p, equal_nan=True)
    assert not any(system in str(blind) for system in QUALITY if system != "MT")
    assert ItemRole.BAD in ratings.scores.role
