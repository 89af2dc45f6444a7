"""Errors of invalid campaign setups."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import EvaluationBasis, Passage
from tests.ratings.campaigns import make_campaign, make_passages, make_setup, make_translations


def design_error(
    protocol: str = "adequacy", *, known=None, texts=None, by_document=False, basis=EvaluationBasis.SOURCE, **changes
):
    """Return the error of a setup of two systems, six segments and two raters with some changes."""
    choices = replace(make_setup(2, 6, 2), **changes)
    with pytest.raises(QeError) as caught:
        design_campaign(
            make_campaign(protocol, basis, by_document=by_document), choices,
            make_passages(6) if known is None else known, texts or make_translations(2, 6),
        )  # fmt: skip
    assert caught.value.hint
    return caught.value.line()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"raters": ()}, "a campaign needs raters"),
        ({"raters": ("a", " ")}, "a rater has no name"),
        ({"raters": ("a", "b", "a")}, "2 raters are named “a”"),
        ({"systems": ()}, "Adequacy needs a system, but none is selected"),
        ({"systems": ("system-1", "system-1")}, "2 systems are named “system-1”"),
        ({"systems": ("system-1", "system-3")}, "there is no translation by “system-3”"),
        ({"segments": ()}, "the campaign has no segments"),
        ({"segments": (0, 6)}, "there is no segment 7. Segments are numbered from 1 to 6"),
        ({"segments": (-1,)}, "there is no segment 0"),
        ({"segments": (0, 3, 3)}, "segment 4 is selected more than once"),
        ({"overlap": 1.5}, "the overlap is 1.5"),
        ({"overlap": float("nan")}, "the overlap is nan"),
        ({"repeats": -0.1}, "the share of repeats is -0.1"),
        ({"controls": 2}, "the share of quality-control items is 2"),
        ({"training": -1}, "-1 training items"),
        ({"seed": -1}, "the seed is -1"),
    ],
)
def test_invalid_setups_are_refused(changes, message):
    assert message in design_error(**changes)


def test_rankings_need_two_systems_and_two_outputs_per_screen():
    assert "Ranking needs at least 2 systems, but only 1 is selected" in design_error("rank", systems=("system-1",))
    assert "Pairwise comparison needs at least 2 systems" in design_error("pairwise", systems=())
    error = design_error("rank", per_screen=1)
    assert "an item with 1 output cannot be ranked. Use at least 2 outputs per item" in error


def test_name_of_a_system_with_a_plus_is_refused_for_rankings():
    texts = {"a+b": ["x"] * 6, "c": ["y"] * 6}
    assert "the system name “a+b” contains “+”" in design_error("rank", systems=("a+b", "c"), texts=texts)
    design_campaign(
        make_campaign("adequacy"), replace(make_setup(0, 6, 1), systems=("a+b", "c")), make_passages(6), texts
    )


def test_missing_translations_are_refused():
    texts = make_translations(2, 6)
    texts["system-2"][4] = " "
    assert "“system-2” has no translation of segment 5. Complete the file" in design_error(texts=texts)
    texts["system-2"][1] = ""
    assert "no translation of segment 2 or of 1 more segment" in design_error(texts=texts)
    texts["system-2"] = ["x"] * 5
    assert "“system-2” has 5 segments, but “system-1” has 6" in design_error(texts=texts)


def test_missing_sources_and_references_are_refused():
    known = make_passages(6)
    known[2] = Passage(2, "", "reference")
    assert "segment 3 has no source to compare with" in design_error(known=known)
    assert "segment 3 has no source to compare with" in design_error(known=known, basis=EvaluationBasis.BOTH)
    known[4] = Passage(4, "source", "")
    assert "segment 5 has no reference to compare with" in design_error(known=known, basis=EvaluationBasis.REFERENCE)
    assert "segment 5 and 1 more segment have no reference" in design_error(
        known=known[:5], basis=EvaluationBasis.REFERENCE
    )
    # fluency alone needs neither source nor reference
    design = design_campaign(make_campaign("fluency"), make_setup(2, 6, 1), [], make_translations(2, 6))
    assert len(design.screens) == 12


def test_whole_documents_need_documents():
    assert "no document information" in design_error(by_document=True)


def test_control_items_need_different_words():
    texts = {"system-1": ["x"] * 6, "system-2": ["y"] * 6}
    assert "cannot create a quality-control item" in design_error(controls=0.5, texts=texts)


def test_unknown_protocol_is_refused():
    assert "there is no protocol “stars”" in design_error("stars")
