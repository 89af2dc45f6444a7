"""Post-editing page: updates after edits, cell descriptions, copying and export."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind, QeError
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.visits import KeyKind
from qe_desktop.significance import BootstrapWeights
from qe_desktop.studies.post_editing import reviewed_segments
from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
from qe_desktop.studies.post_editing.skipping import Uncertainty, skipping_curve
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.scores import commands as names
from qe_desktop.ui.scores.post_editing.highlight_usefulness import highlight_plot_data
from qe_desktop.ui.scores.post_editing.post_editing_page import describe_study
from qe_desktop.ui.scores.post_editing.post_editing_tables import _skipping_cells, gap_reason
from tests.small_corpora import tags
from tests.studies.post_editing.reviewed_corpus import POST_EDIT, make_corpus, make_layer
from tests.ui.scores.post_editing.conftest import Page


def test_no_corpus_and_no_reviewed_segments_are_reported(page: Page):
    assert page.page.placeholder.title.text() == "Post-editing effort and highlight usefulness"
    page.environment.workspace.open(make_corpus())
    page.wait()
    assert page.page.placeholder.title.text() == "Nothing to compare yet"
    assert "No segment has been reviewed" in page.page.placeholder.text.text()


def test_figures_follow_the_review(page: Page):
    page.environment.workspace.open(make_corpus())
    page.wait()
    page.review(seconds=30.0, pauses=10.0, keys=((KeyKind.LETTER, 12),))
    person, segments, edited, words, time, pauses, *_ = page.texts(page.page.view)[0]
    assert (segments, edited, words, time, pauses) == ("2", "1", "6", "0:30", "0:10")
    assert page.texts(page.page.segments)[0][:4] == ["2", person, "confirmed", "0:30"]
    assert page.page._title.text() == "pumps · 2 of 5 segments edited or confirmed"
    result = page.service.result
    partial = replace(result, study=replace(result.study, reviewed=replace(result.study.reviewed, excluded_count=1)))
    excluded = "1 not included: edited or confirmed earlier, and the file lacks their original MT"
    assert describe_study(partial) == f"pumps · 3 of 5 segments edited or confirmed · {excluded}"
    assert page.page.view.cells.rows[0][1].description == f"{person}: 2 segments included."
    (hter,) = (cell for cell in page.page.view.cells.rows[0] if "HTER" in cell.description)
    assert re.fullmatch(
        r".+: edits per word are \.250 .+ \(mean HTER\), and \.286 over all words \(pooled HTER\)\.", hter.description
    )
    assert (hter.text, hter.second_line) == (".250", "pooled .286")
    # only the word “Stopp” was highlighted and edited
    assert page.texts(page.page.highlights)[0][:3] == ["qe", "16.7", "1.000"]
    while page.environment.workspace.session.undo() is not None:
        pass
    page.wait()
    assert page.service.result is None
    assert page.page._stack.currentWidget() is page.page.placeholder


def test_outdated_figures_are_marked_and_can_be_run_again(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review()
    reviewing = page.environment.workspace.session.reviewing
    reviewing.set({2: {ReviewField.TARGET: "eine Dichtung muss sitzen"}})
    assert page.page._title.text() == "pumps · 2 of 5 segments edited or confirmed · outdated"
    # an edit starts a new run by itself, which is cancelled here
    page.service._timer.stop()
    page.service._run_if_due()
    assert page.service.is_working
    assert page.page.run_again_button.isHidden()
    page.service.cancel()
    page.environment.qtbot.waitUntil(lambda: page.service.state == "waiting")
    assert page.page._title.text().endswith("outdated")
    assert "Post-edits have changed; these values are outdated." in page.page.error.text()
    assert "these results are outdated." in page.controller.current_export().render("json")
    assert page.page.run_again_button.isVisible()
    assert page.page.run_again_button.text() == "Run again"
    page.page.run_again_button.click()
    page.wait()
    assert page.page._title.text() == "pumps · 3 of 5 segments edited or confirmed"
    assert page.page.run_again_button.isHidden()
    assert page.page.error.isHidden()
    assert "outdated" not in page.controller.current_export().render("json")


def test_hidden_page_computes_nothing(page: Page):
    page.area.pages.show_page("systems")
    page.environment.workspace.open(make_corpus())
    page.review()
    assert page.service.result is None
    page.area.pages.show_page(names.POST_EDITING_PAGE)
    page.wait()
    assert page.service.result is not None


def test_every_cell_has_a_description_and_exported_values(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    for view in page.page.table_views():
        assert view.cells.rows
        for row in view.cells.rows:
            for cell, column in zip(row, view.cells.columns, strict=True):
                assert cell.description
                assert len(cell.exact_values) == len(column.exported_headers)


def test_enter_on_a_segment_shows_it_and_on_a_system_its_curve(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    requested: list[int] = []
    page.environment.workspace.segment_requested.connect(requested.append)
    segments = page.page.segments
    segments.cell_activated.emit(segments.cells.index(0, 0))
    assert requested == [1]
    highlights = page.page.highlights
    highlights.cell_activated.emit(highlights.cells.index(0, 0))
    assert page.page.tabs.currentWidget() is page.page.picture
    assert page.service.system == "qe"
    assert not isinstance(page.page.picture.content, str)


def test_details_describe_the_current_tab(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    page.page.tabs.setCurrentWidget(page.page.highlights_tab)
    page.page.highlights.setCurrentIndex(page.page.highlights.cells.index(0, 2))
    assert "of the flagged characters were edited" in page.page.sentence.text_label.text()
    page.page.tabs.setCurrentWidget(page.page.picture)
    assert "characters" not in page.page.description_label.text()


def test_sentence_explains_the_tables_of_all_tabs(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    for view in page.page.table_views()[1:]:
        page.page.tabs.setCurrentWidget(page.page.highlights_tab if view is page.page.highlights else view)
        view.setCurrentIndex(view.cells.index(0, 0))
        assert page.page.sentence.isVisible()
        assert page.page.sentence.text_label.text() == view.cells.rows[0][0].description


def test_times_say_what_they_are(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0, pauses=10.0, away=5.0)
    for view in (page.page.view, page.page.segments):
        sentences = [cell.description for row in view.cells.rows for cell in row]
        assert [sentence.split(": ")[1] for sentence in sentences if "0:" in sentence] == [
            "working time 0:30.", "long pauses of 0:10 in total.", "0:05 in other windows."
        ]  # fmt: skip


def test_tables_follow_the_number_of_decimals(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review()
    hter = len(page.page.view.cells.columns) - 2
    assert len(page.page.view.cells.rows[0][hter].text.partition(".")[2]) == 3
    page.environment.settings.decimals = 4
    assert len(page.page.view.cells.rows[0][hter].text.partition(".")[2]) == 4


def test_few_segments_have_a_caution_and_few_systems_low_charts(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review()
    columns = page.page.highlights.cells.columns
    assert [column.caution for column in columns] == ["", "", *["under 100 segments"] * 5]
    # high enough for one line per system, not as high as the page
    line = page.page.fontMetrics().height()
    assert all(chart.height() <= 10 * line < page.page.tabs.height() for chart in page.page.charts.plots)


def test_first_highlights_are_visible_without_scrolling(page: Page, qtbot: QtBot):
    page.environment.workspace.open(make_corpus())
    page.review()
    view = page.page.highlights
    for height in (800, 560):
        page.area.resize(1200, height)
        qtbot.waitUntil(lambda: view.height() >= view.natural_height())
    assert view.minimumHeight() >= view.natural_height()


@pytest.mark.parametrize(
    ("edited", "reason"), [(False, "no word of the MT was changed or deleted"), (True, "no word in the reviewed")]
)
def test_chart_says_why_a_share_is_undefined(edited: bool, reason: str):
    corpus = make_corpus()
    if edited:
        quiet = make_layer(tags("ooo", "ooo", "oooo", "oo", "oo"), Kind.WORDS)
        corpus = replace(corpus, layers={**corpus.layers, quiet.key: quiet})
    session = Session(corpus, person="ann")
    session.reviewing.set({segment: {ReviewField.STATUS: ReviewStatus.CONFIRMED} for segment in (0, 1, 2)})
    if edited:
        session.reviewing.set({1: {ReviewField.TARGET: POST_EDIT[1]}})
    study = study_post_editing(reviewed_segments.select_reviewed(session.view))
    message = highlight_plot_data(study, 0 if edited else 1, 3)
    assert isinstance(message, str)
    assert reason in message


def test_commands_copy_and_export(page: Page, qtbot: QtBot, tmp_path, monkeypatch):
    window = QMainWindow()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, page.environment.settings)
    commands.add_all(names.POST_EDITING_ACTIONS)
    page.controller.connect_actions(commands)
    assert not commands[names.SAVE_POST_EDITING].isEnabled()
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    assert commands[names.SAVE_POST_EDITING].isEnabled()
    messages: list[str] = []
    page.controller.context.message_posted.connect(messages.append)
    paths: list[str] = []
    page.environment.workspace.file_written.connect(
        lambda message, path: (messages.append(message), paths.append(path))
    )
    monkeypatch.setattr(
        "qe_desktop.ui.scores.post_editing.post_editing_controller.FileDialog.getExistingDirectory",
        lambda *_: str(tmp_path),
    )
    for form, suffix in (("pet", ".per"), ("qe4pe", ".csv"), ("wmt", ".hter")):
        commands[f"{names.EXPORT_POST_EDITS}{form}"].trigger()
        qtbot.waitUntil(lambda suffix=suffix: bool(messages) and suffix in messages[-1])
        assert list(tmp_path.glob(f"*{suffix}"))
        assert paths[-1] == str(tmp_path)
    commands[names.POST_EDITING_COPIES["json"][0]].trigger()
    qtbot.waitUntil(lambda: "JSON" in messages[-1])


def test_export_asks_for_another_folder_if_the_selected_is_missing(page: Page, qtbot: QtBot, tmp_path, monkeypatch):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    (tmp_path / "file").write_text("")
    chosen = [str(tmp_path / "file" / "gone"), str(tmp_path / "there")]
    monkeypatch.setattr(
        "qe_desktop.ui.scores.post_editing.post_editing_controller.FileDialog.getExistingDirectory",
        lambda *_: chosen.pop(0),
    )
    failed: list[QeError] = []
    page.controller.context.failed.connect(failed.append)
    page.controller.ask_folder("pet")
    qtbot.waitUntil(lambda: not chosen and bool(list(tmp_path.glob("there/*.per"))))
    assert ["the folder cannot be created" in error.message for error in failed] == [True]


def test_edit_compares_only_its_segment_and_a_new_corpus_all(page: Page, monkeypatch):
    compared: list[int] = []
    real = reviewed_segments._compare_pairs
    monkeypatch.setattr(reviewed_segments, "_compare_pairs", lambda pairs: compared.append(len(pairs)) or real(pairs))
    page.environment.workspace.open(make_corpus())
    page.review()
    assert sum(compared) == 2
    page.environment.workspace.session.reviewing.set({1: {ReviewField.TARGET: "drücken Sie"}})
    page.wait()
    assert page.service.result.study.reviewed.post_edits[1] == "drücken Sie"
    assert sum(compared) == 3
    page.environment.workspace.open(make_corpus())
    page.review()
    assert sum(compared) == 5


def test_headers_and_tooltips_begin_with_words(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review()
    for view in page.page.table_views()[:3]:
        for column in view.cells.columns:
            assert not re.search(r"P\(|Λ|HTER", column.header + column.tooltip.partition("(")[0]), column.header
    assert all(page.page.tabs.tabToolTip(index) for index in range(page.page.tabs.count()))


def test_headers_of_intervals_name_their_method(page: Page):
    page.environment.workspace.open(make_corpus())
    page.review(seconds=30.0)
    for view in (page.page.highlights, page.page.missed_edits_view):
        abouts = [column.tooltip for column in view.cells.columns if "low" in column.exported_headers]
        assert abouts
        assert all(
            about.endswith(". In brackets: how uncertain the value is (95 % bootstrap interval over segments).")
            for about in abouts
        )


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([np.nan] * 3, "no reviewed segment has a score"),
        ([0.5] * 3, "all reviewed segments are equally uncertain"),
        ([0.1, 0.2, 0.3], "every threshold skips more segments than this column allows"),
    ],
)
def test_dashes_of_missed_edits_have_a_reason(scores: list[float], reason: str):
    curve = skipping_curve("qe", Uncertainty(np.asarray(scores), "scores"), np.ones(3), BootstrapWeights(10, 1))
    assert gap_reason(curve).startswith(f"qe: {reason}")


@pytest.mark.parametrize(("name", "title"), [("percent", "TM match"), ("quality_estimation", "MT quality")])
def test_scores_of_bilingual_files_have_their_titles_in_missed_edits(name: str, title: str):
    curve = skipping_curve(name, Uncertainty(np.arange(3.0), "scores"), np.ones(3), BootstrapWeights(10, 1))
    name_cell = _skipping_cells(curve, 3)[0]
    # exported tables keep the name of the file
    assert (name_cell.text, name_cell.exact_values) == (title, (name,))
