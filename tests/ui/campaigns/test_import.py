"""Import of files with ratings: questions about columns, conflicts, the report, and undoing an import."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, ItemRole, Ratings
from qe_desktop.formats.ratings import write_ratings
from qe_desktop.i18n import messages
from qe_desktop.project.store.rating_imports import EventConflict, ImportResult
from qe_desktop.ratings.rating_file_merge import RatingConflict
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_dialogs import ColumnMappingDialog
from qe_desktop.ui.campaigns.campaign_page import PROGRESS
from qe_desktop.ui.campaigns.import_report_dialog import ImportReportDialog, import_summary
from qe_desktop.ui.widgets.labels import Label
from tests.timeouts import PATIENCE

from .conftest import SYSTEMS, OwnerPagesDriver, adequacy_fluency


def test_import_report_lists_files_and_conflicts(environment: Any, driver: OwnerPagesDriver, tmp_path: Path) -> None:
    environment.open()
    ratings = adequacy_fluency(10)
    write_ratings(ratings, tmp_path / "one.tsv", "long")
    values = np.array(ratings.scores.value)
    values[:4] = np.where(values[:4] > 2, 1, 5)
    write_ratings(replace(ratings, scores=replace(ratings.scores, value=values)), tmp_path / "two.tsv", "long")
    (tmp_path / "three.txt").write_text("nothing of the kind\n", encoding="utf-8")
    report = driver.read(*(tmp_path / name for name in ("one.tsv", "two.tsv", "three.txt")))
    assert isinstance(report, ImportReportDialog)
    rows = report.files.table.rows
    assert [row[0].text for row in rows] == ["one.tsv", "two.tsv", "three.txt"]
    assert rows[0][1].text == f"{len(ratings.scores):,}"
    assert rows[1][4].text == "4"
    assert "three.txt: The file is not in a supported rating format" in report.notes.text()
    listed = report.conflicts.table.rows
    assert len(listed) == 4
    assert listed[0][0].text == "Ana"
    assert listed[0][3].text != listed[0][4].text
    report.accept()
    assert driver.pages.service.view.title == "Ratings from files"
    driver.show(RESULTS)
    assert set(driver.systems()) == set(SYSTEMS), "names in a file are not hidden"
    log = driver.show(PROGRESS).content
    assert "conflicts: 4" in log.log.table.rows[0][3].text
    log.log.cell_activated.emit(log.log.table.index(0, 0))
    assert "Ana, segment" in log.entry.text.toPlainText()
    log.entry.accept()


def test_table_without_known_columns_asks_for_a_column_mapping(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    project = environment.open()
    text = "segment,Ada,Ben,age\n1,61,33,34\n2,70,20,51\n"
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_ratings(adequacy_fluency(3), tmp_path / "sure.tsv", "long")
    question = driver.read(*(tmp_path / name for name in ("one.csv", "two.csv", "sure.tsv")))
    assert isinstance(question, ColumnMappingDialog)
    assert question.raters == ("Ada", "Ben", "age")
    items = [question.columns.topLevelItem(index) for index in range(4)]
    assert [item.text(1) for item in items] == ["segment", "rater", "rater", "rater"]
    assert items[3].text(2).split() == ["34", "51"]
    for item in items[1:]:
        item.setCheckState(0, Qt.CheckState.Unchecked)
    assert not question.import_button.isEnabled()
    for item in items[1:3]:
        item.setCheckState(0, Qt.CheckState.Checked)
    question.import_button.click()
    driver.settle()
    question = driver.pages.files.dialog
    assert isinstance(question, ColumnMappingDialog), "each table is asked about"
    question.reject()
    driver.settle()
    report = driver.pages.files.dialog
    assert isinstance(report, ImportReportDialog)
    assert [row[0].text for row in report.files.table.rows] == ["sure.tsv", "one.csv", "two.csv"]
    assert report.files.table.rows[1][1].text == "4"
    assert "two.csv: Skipped at your request" in report.notes.text()
    assert 'one.csv: column not read: "age"' in report.notes.text()
    assert {"Ada", "Ben"} <= set(project.ratings().scores.raters)


def test_question_stays_open_when_another_import_ends(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    """Regression: the end of another import closed the question, and its file was reported as skipped."""
    environment.open()
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("segment,Ada,Ben\n1,61,33\n2,70,20\n", encoding="utf-8")
    question = driver.read(tmp_path / "one.csv")
    assert driver.read(tmp_path / "two.csv") is question
    assert question.isVisible()
    question.import_button.click()
    driver.settle()
    second = driver.pages.files.dialog
    assert isinstance(second, ColumnMappingDialog)
    assert second.error.path.name == "two.csv"
    second.import_button.click()
    driver.settle()
    report = driver.pages.files.dialog
    assert isinstance(report, ImportReportDialog)
    assert [row[0].text for row in report.files.table.rows] == ["one.csv", "two.csv"]
    report.accept()


def test_report_stays_open_when_another_import_ends(environment: Any, driver: OwnerPagesDriver, tmp_path: Path) -> None:
    """Regression: the report of the second import replaced the unread report of the first."""
    environment.open()
    for number, name in enumerate(("one.tsv", "two.tsv", "three.tsv"), 3):
        write_ratings(adequacy_fluency(number), tmp_path / name, "long")
    first = driver.read(tmp_path / "one.tsv")
    assert driver.read(tmp_path / "two.tsv") is first
    assert driver.read(tmp_path / "three.tsv") is first
    assert first.isVisible()
    assert [row[0].text for row in first.files.table.rows] == ["one.tsv"]
    first.accept()
    driver.settle()
    second = driver.pages.files.dialog
    assert isinstance(second, ImportReportDialog)
    assert second.isVisible()
    assert [row[0].text for row in second.files.table.rows] == ["two.tsv", "three.tsv"]
    second.accept()
    assert driver.pages.files.dialog is None


def test_report_of_an_import_waits_for_the_export_dialog(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    environment.open()
    driver.campaign()
    driver.pages.files.ask_export()
    form = driver.pages.files.dialog
    write_ratings(adequacy_fluency(3), tmp_path / "one.tsv", "long")
    assert driver.read(tmp_path / "one.tsv") is form
    form.reject()
    driver.settle()
    report = driver.pages.files.dialog
    assert isinstance(report, ImportReportDialog)
    report.accept()


def test_conflicts_are_shown_in_the_ui_language_and_copied_in_english(
    environment: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    translations = {
        ("no value", ""): ("nic",),
        ("segment {segment}, {system}", ""): ("segment nr {segment}, {system}",),
    }
    monkeypatch.setattr(messages, "_language", messages.Language("pl", translations, lambda number: 0))
    conflicts = (
        RatingConflict("Ana", "3", "MT", "adequacy", ItemRole.SYSTEM, (("/here", 4.0), ("/in/b.tsv", 2.5))),
        RatingConflict("Ana", "4", "MT", "rank", ItemRole.BAD, (("/here", 1.0), ("/in/b.tsv", -1.0))),
        EventConflict("Ana", 4, "skip", None, "unclear", "/in/c.jsonl"),
    )
    report = ImportReportDialog([ImportResult("/in/b.tsv", 1, conflicts=conflicts)], [], environment.settings)
    qtbot.addWidget(report)
    shown = [[cell.text for cell in row] for row in report.conflicts.table.rows]
    assert shown[0] == ["Ana", "segment nr 3, MT", "Adequacy", "4", "2.5", "b.tsv"]
    assert shown[2][3] == "nic"
    report.copy.click()
    assert QGuiApplication.clipboard().text().splitlines() == [
        "rater\titem\tfield\tfirst\tsecond\tsecond file",
        "Ana\tsegment 3, MT\tAdequacy\t4\t2.5\tb.tsv",
        "Ana\tsegment 4, MT (degraded)\trank\t1\t-1\tb.tsv",
        "Ana\tsegment 5\tskip\tno value\tunclear\tc.jsonl",
    ]


def test_import_can_be_undone_from_its_report(environment: Any, driver: OwnerPagesDriver, tmp_path: Path) -> None:
    project = environment.open()
    write_ratings(adequacy_fluency(6), tmp_path / "one.tsv", "long")
    report = driver.read(tmp_path / "one.tsv")
    assert [title for _, title in driver.pages.service.choices] == ["Ratings from files"]
    assert report.undo_button.isVisibleTo(report)
    report.undo_button.click()
    driver.settle()
    assert driver.pages.service.choices == ()
    assert len(project.ratings().scores) == 0
    assert [row.what for row in project.audit()][-2:] == ["ratings imported", "import taken back"]


def test_import_of_comments_only_is_reported_and_undone(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    project = environment.open()
    (tmp_path / "none.csv").write_text("rater,segment,system,scale,score\nAda,1,A,adequacy,nan\n", encoding="utf-8")
    (tmp_path / "c.jsonl").write_text('{"rater": "Ada", "segment": "1", "comment": "hm"}\n', encoding="utf-8")
    report = driver.read(tmp_path / "none.csv")
    assert "Nothing new was added." in " ".join(label.text() for label in report.findChildren(Label))
    assert not report.undo_button.isVisibleTo(report)
    report.accept()
    report = driver.read(tmp_path / "none.csv", tmp_path / "c.jsonl")
    assert "No ratings added." in " ".join(label.text() for label in report.findChildren(Label))
    report.undo_button.click()
    driver.settle()
    assert project.ratings().comments == ()
    assert environment.failures == []


def test_files_imported_before_the_import_is_cancelled_are_reported(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: these imports were not reported and could not be undone in the window."""
    project = environment.open()
    for name in ("one.tsv", "two.tsv"):
        write_ratings(adequacy_fluency(6), tmp_path / name, "long")
    begun, continues = threading.Event(), threading.Event()

    def import_slowly(*arguments: Any, **options: Any) -> list[ImportResult]:
        begun.set()
        assert continues.wait(PATIENCE)
        return import_ratings(*arguments, **options)

    import_ratings = project.import_ratings
    monkeypatch.setattr(project, "import_ratings", import_slowly)
    driver.pages.service.import_files([str(tmp_path / name) for name in ("one.tsv", "two.tsv")])
    environment.qtbot.waitUntil(begun.is_set)
    (job,) = [job for job in environment.jobs.running_jobs() if job.name == "Importing ratings"]
    environment.jobs.cancel(job)
    continues.set()
    environment.qtbot.waitUntil(lambda: driver.pages.files.dialog is not None)
    driver.settle()
    report = driver.pages.files.dialog
    assert isinstance(report, ImportReportDialog)
    assert [row[0].text for row in report.files.table.rows] == ["one.tsv", "two.tsv"]
    assert "Skipped at your request" in report.notes.text()
    assert driver.pages.service.view.title == "Ratings from files"
    report.undo_button.click()
    driver.settle()
    assert len(project.ratings().scores) == 0


def test_import_that_another_user_undid_does_not_keep_the_others(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    """Regression: undoing stopped at the first import that could not be undone."""
    project = environment.open()
    for number, name in enumerate(("one.tsv", "two.tsv"), 3):
        write_ratings(adequacy_fluency(number), tmp_path / name, "long")
    report = driver.read(tmp_path / "one.tsv", tmp_path / "two.tsv")
    project.withdraw_import(project.imports()[0].uid)
    report.undo_button.click()
    driver.settle()
    assert all(row.is_withdrawn for row in project.imports())
    assert driver.pages.service.choices == ()
    assert ["has already been withdrawn" in failure for failure in environment.failures] == [True]


def test_ratings_of_the_language_pair_of_the_corpus_are_imported(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus], tmp_path: Path
) -> None:
    """Regression: files with several pairs were rejected, and no pair could be selected in the window."""
    table = tmp_path / "all.csv"
    table.write_text("lp,segment,rater1,rater2\nen-DE,1,3,4\nen-fr,1,5,1\nen-de,2,2,2\n", encoding="utf-8")
    project = environment.open(replace(corpus(), language_pair="en-de"))
    report = driver.read(table)
    assert report.files.table.rows[0][1].text == "4"
    assert "only the ratings of en-de were read" in report.notes.text()
    report.accept()
    assert {row.segment for row in project.ratings().scores.rows()} == {"1", "2"}
    other = tmp_path / "other.csv"
    other.write_text("lp,segment,rater1,rater2\nen-cs,1,3,4\nen-fr,1,5,1\n", encoding="utf-8")
    report = driver.read(other)
    # a long reason is shown whole, below the table
    assert report.notes.text().startswith("• The file is for en-cs")
    assert report.notes.isVisible()
    assert report.notes.height() >= report.notes.heightForWidth(report.notes.width())
    report.accept()


def test_imported_ratings_of_several_campaigns_are_shown_separately(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    environment.open()
    environment.rate(environment.campaign(), "Ana")
    rows = [row._replace(campaign="c9") for row in adequacy_fluency(4).scores.rows()]
    write_ratings(Ratings.of(rows), tmp_path / "other.tsv", "long")
    write_ratings(adequacy_fluency(3), tmp_path / "none.tsv", "long")
    driver.read(*(tmp_path / name for name in ("other.tsv", "none.tsv"))).accept()
    service = driver.pages.service
    assert [title for _, title in service.choices] == ["News", "Campaign c9, from files", "Ratings from files"]
    for uid, segments in (("c9", 4), ("files", 3)):
        service.choose(uid)
        driver.settle()
        driver.show(RESULTS)
        assert set(driver.systems()) == set(SYSTEMS)
        ratings = service.source()()
        assert len({row.segment for row in ratings.scores.rows()}) == segments


def test_import_report_names_each_file_once(environment: Any, qtbot: QtBot) -> None:
    notes = ('column not read: "age"', "the file does not name the system; “system” is used")
    first, second = ImportResult("/in/a.csv", 4, notes=notes), ImportResult("/in/b.csv", 2, notes=notes[:1])
    # a copy of a project is imported once for each campaign
    for results, lines in (
        ([first], [f"• {note}" for note in notes]),
        ([first, replace(first, added=1, notes=notes[:1])], [f"• {note}" for note in notes]),
        ([first, second], [f"• a.csv: {notes[0]}; {notes[1]}", f"• b.csv: {notes[0]}"]),
    ):
        report = ImportReportDialog(results, [], environment.settings)
        qtbot.addWidget(report)
        assert report.notes.text().splitlines() == lines


def test_summary_counts_items_if_all_files_contain_items() -> None:
    items, ratings = ImportResult("/in/a.qedesk", 46, items=14), ImportResult("/in/b.csv", 4)
    assert import_summary([items], []) == "14 items added or updated."
    assert import_summary([items, ratings], []) == "50 ratings or events added."
    assert import_summary([ImportResult("/in/a.qedesk", 1, items=1)], []) == "1 item added or updated."
