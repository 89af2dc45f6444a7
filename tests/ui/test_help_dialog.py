"""The help dialog: the page of shortcuts and the glossary."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from qe_desktop.levels import all_levels
from qe_desktop.ui.inspect.legend_entries import LegendEntry
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.help_dialog import GLOSSARY, SHORTCUTS, GlossaryPage, HelpDialog
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets.glossary.glossary_term import METRICS, RATINGS, matching_terms, metric_terms
from qe_desktop.ui.widgets.glossary.terms import TERMS, term_meaning


@pytest.fixture
def shell(qtbot, tmp_path) -> Shell:
    window = Shell(Settings(str(tmp_path / "settings.ini")))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


def help_dialog_of(shell: Shell) -> HelpDialog:
    return next(
        widget for widget in QApplication.topLevelWidgets() if isinstance(widget, HelpDialog) and widget.isVisible()
    )


def test_help_commands_open_shortcuts_and_glossary(shell, qtbot):
    shell.commands["help.shortcuts"].trigger()
    dialog = help_dialog_of(shell)
    assert dialog.pages.current == SHORTCUTS
    dialog.toggle_page()
    assert dialog.pages.current == GLOSSARY
    assert dialog.glossary.focusProxy().hasFocus() or dialog.glossary.isVisible()
    dialog.accept()
    shell.commands["help.glossary"].trigger()
    assert help_dialog_of(shell).pages.current == GLOSSARY


def test_open_help_is_shown_again_at_the_requested_page(shell):
    shell.commands["help.shortcuts"].trigger()
    dialog = help_dialog_of(shell)
    shell.commands["help.glossary"].trigger()
    shell.commands["help.about"].trigger()
    shell.commands["help.about"].trigger()
    shown = [widget for widget in shell.findChildren(QDialog) if widget.isVisible()]
    assert dialog in shown
    assert len(shown) == 2
    assert dialog.pages.current == GLOSSARY
    for widget in shown:
        widget.accept()


@pytest.mark.parametrize(
    "text",
    [
        "differential",
        "recall weight",
        "bonferroni",
        "seed of a campaign",
        "adequacy",
        "fluency",
        "correction",
        "median",
        "wmt",
        "inter-annotator",
        "seed",
        "spa",
        "protocol",
        "overlap",
        "quality control",
        "unblind",
        "z",
        "quality estimation",
        "qe system",
        "confirmed",
        "reviewed",
        "rejected",
        "unfinished",
        "pooled hter",
        "bootstrap",
        "gain over random",
        "missed edits",
        "voting",
        "tsv",
        "evaluation",
        "corpus",
        "phr-",
        "msgfmt",
        "positive class",
        "threshold",
    ],
)
def test_terms_of_tests_ratings_and_reviews_are_found(text):
    assert text in matching_terms(TERMS.values(), text)[0].name.casefold()


def test_closing_a_layer_and_the_slider_of_the_threshold_are_found():
    assert matching_terms(TERMS.values(), "close layer")[0].id == "layer"
    assert matching_terms(TERMS.values(), "slider")[0].id == "threshold"


def test_glossary_lists_and_finds_all_terms_and_metrics(qtbot):
    page = GlossaryPage()
    qtbot.addWidget(page)
    page.resize(700, 400)
    page.show()
    names = {metric for level in all_levels() for metric in level.metrics}
    assert {term.name for term in page.listed_terms} >= names | {
        "BAD",
        "gold",
        "≠ (disagreement)",
        "HTER",
        "false alarm",
    }
    QTest.keyClicks(page.focusProxy(), "hter")
    assert page.listed_terms[0].id == "hter"
    page.show_matching("zzz")
    assert page.listed_terms == []
    page.show_matching("")
    bar = page._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    QTest.keyClick(page.focusProxy(), Qt.Key.Key_PageDown)
    assert bar.value() > 0
    QTest.keyClick(page.focusProxy(), Qt.Key.Key_Up)
    QTest.keyClick(page.focusProxy(), Qt.Key.Key_PageUp)
    assert bar.value() == 0


def test_glossary_of_the_rate_area_begins_with_ratings(qtbot):
    page = GlossaryPage(first_group=RATINGS)
    qtbot.addWidget(page)
    groups = list(dict.fromkeys(term.group for term in page.listed_terms))
    assert groups[:2] == [RATINGS, TERMS["bad"].group]
    ids = {term.id for term in TERMS.values() if term.group == RATINGS}
    assert ids >= {"campaign", "direct-assessment", "context", "event", "krippendorff"}


def test_terms_are_unique_sentences():
    assert len({term.name for term in TERMS.values()}) == len(TERMS)
    assert [id for id, term in TERMS.items() if id != term.id or not term.text.endswith(".")] == []
    metrics = metric_terms()
    assert len({term.name for term in metrics}) == len(metrics)
    assert {term.group for term in metrics} == {METRICS}


@pytest.mark.parametrize(
    "setting",
    [
        "overshoot:keep",
        "mixing:many",
        "mode:fast",
        "undefined:null",
        "aggregation:pooled",
        "F1-of-absent-class:0",
        "differentials:ahead",
    ],
)
def test_settings_of_signatures_are_found(setting):
    assert [term.id for term in matching_terms(TERMS.values(), setting)] == ["signature"]


def test_terms_with_a_matching_name_come_first():
    ids = [term.id for term in matching_terms(TERMS.values(), "GOLD")]
    assert ids[0] == "gold"
    assert len(ids) > 3
    assert [term.id for term in matching_terms(TERMS.values(), "striped bar")] == ["false-alarm"]


def test_unknown_term_raises_and_legend_entries_have_a_term():
    with pytest.raises(KeyError):
        term_meaning("nothing")
    assert "term" in LegendEntry.__dataclass_fields__


def test_glossary_states_what_lines_between_clusters_the_error_of_p_and_effects_mean():
    assert "Every system above a line is significantly better than every system below it" in term_meaning("rank-range")
    assert "uncertain" not in term_meaning("rank-range")
    assert "±" in term_meaning("approximate-randomization")
    assert "For means, such as accuracy, the effects add up to the difference" in term_meaning("effect")
