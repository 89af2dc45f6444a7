"""Elided names of systems and metrics remain different from each other."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from qe_desktop.ui.widgets.labels import elide_names

XCOMET = ("XCOMET-XXL-refA", "XCOMET-Ensemble-refA")


@pytest.fixture
def metrics(qtbot) -> QFontMetrics:
    return QFontMetrics(QApplication.font())


def test_names_that_fit_are_whole(metrics):
    assert elide_names((*XCOMET, "BLEU"), metrics, 10_000) == {name: name for name in (*XCOMET, "BLEU")}


def test_a_name_unlike_the_others_is_elided_in_the_middle(metrics):
    width = metrics.horizontalAdvance("BLEURT…refA")
    shown = elide_names(("BLEURT-20-refA", "chrF-refA"), metrics, width)["BLEURT-20-refA"]
    assert shown.startswith("BL")
    assert shown.endswith("refA")
    assert "…" in shown


@pytest.mark.parametrize("room", ["…Ensemble-…", "…Ensemble…", "…Ens…"])
def test_names_remain_different(metrics, room):
    width = metrics.horizontalAdvance(room)
    shown = elide_names(XCOMET, metrics, width)
    assert len(set(shown.values())) == 2
    assert all(metrics.horizontalAdvance(text) <= width for text in shown.values())
    assert "XXL" in shown[XCOMET[0]]
    assert "…E" in shown[XCOMET[1]]


@pytest.mark.parametrize("names", [("ab", "aab", "aaaab"), ("x", "x"), ("system one", "system one more")])
@pytest.mark.parametrize("width", [0, 5, 20, 40])
def test_every_name_has_a_text(metrics, names, width):
    assert list(elide_names(names, metrics, width)) == list(dict.fromkeys(names))
