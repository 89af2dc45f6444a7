from __future__ import annotations

import doctest

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop import outgoing
from qe_desktop.corpus import Comment, ItemRole, Pair, Ratings, Score
from qe_desktop.ratings import blinding
from qe_desktop.ratings.blinding import blind_names, renamed
from qe_desktop.ratings.results import results_of
from qe_desktop.report import amounts
from qe_desktop.ui.campaigns.results import agreement_rows, figure_columns, systems_model
from qe_desktop.ui.campaigns.set_up import protocol_cards

from .conftest import QUALITY, adequacy_fluency

NAMES = st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=40)


def test_the_examples_hold() -> None:
    for module in (agreement_rows, amounts, blinding, figure_columns, outgoing, protocol_cards, systems_model):
        assert doctest.testmod(module).failed == 0


@given(NAMES, st.text(), st.integers(0, 9999), st.randoms())
def test_letters_are_stable_and_tell_systems_apart(systems: list[str], uid: str, seed: int, dice: object) -> None:
    names = blind_names(systems, uid, seed)
    shuffled = list(systems)
    dice.shuffle(shuffled)
    assert blind_names(shuffled, uid, seed) == names
    assert set(names) == set(systems)
    assert len(set(names.values())) == len(systems)
    assert "System A" in names.values()


def test_letters_do_not_follow_the_alphabet() -> None:
    orders = {"".join(sorted("abcd", key=blind_names("abcd", f"campaign {number}").get)) for number in range(60)}
    assert len(orders) > 12


def test_renaming_reaches_scores_pairs_and_comments() -> None:
    ratings = Ratings.of(
        [Score("r", "x", "1", "adequacy", 3.0)],
        [Pair("r", "1", "x+y", "z", 1, 2)],
        [Comment("r", "1", "x is bad", ("x", "y"))],
    )
    found = renamed(ratings, {"x": "System B", "y": "System A"})
    assert found.scores.systems == ("System B",)
    assert found.pairs.units == ("System B+System A", "z")
    assert found.comments[0].systems == ("System B", "System A")
    assert renamed(ratings, {}) is ratings


def test_results_do_not_depend_on_what_systems_are_called() -> None:
    ratings = adequacy_fluency(12)
    names = blind_names(QUALITY, "c")
    open_ones, blind = results_of(ratings), results_of(renamed(ratings, names))
    assert [names[one.name] for one in open_ones.systems] == [one.name for one in blind.systems]
    for one, other in zip(open_ones.systems, blind.systems, strict=True):
        assert one.scores is not None
        assert other.scores is not None
        assert one.scores.raw == other.scores.raw
    assert np.array_equal(open_ones.scale_ranking.p, blind.scale_ranking.p, equal_nan=True)
    assert not any(system in str(blind) for system in QUALITY if system != "MT")
    assert ItemRole.BAD in ratings.scores.role
