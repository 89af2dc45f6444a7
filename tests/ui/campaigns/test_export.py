"""Export of ratings and results: every format, blinding, the dialog, and copies for raters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.formats.ratings import read_journal, read_ratings
from qe_desktop.project.store import Project
from qe_desktop.report.rating_exports import available_exports
from qe_desktop.ui.campaigns import campaign_files
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_dialogs import ExportDialog
from qe_desktop.ui.campaigns.campaign_page import PROGRESS
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label

from .conftest import SYSTEMS, OwnerPagesDriver


def test_exports_are_blinded_like_the_view_and_logged(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path, qtbot: QtBot
) -> None:
    project = environment.open()
    design = driver.campaign()
    environment.rate(design, "Ana")
    environment.rate(design, "王芳")
    driver.show(RESULTS)
    view = driver.pages.service.view
    exports = available_exports(view, scored=True, ranked=False)
    names = [export.name for export in exports]
    assert names == ["jsonl", "long", "wide", "journal", "totals", "report"]
    for name, export in zip(names, exports, strict=True):
        with qtbot.waitSignal(environment.workspace.file_written):
            driver.pages.files.export(name, str(tmp_path / name))
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "System A" in text
        delimiters = {mark for mark in (",", "\t") if mark in text.splitlines()[0]}
        assert delimiters == {"csv": {","}, "tsv": {"\t"}}.get(export.suffix, delimiters)
        assert export.suffix not in ("csv", "tsv") or export.suffix.upper() in export.title
        assert not any(system in text for system in SYSTEMS[1:])
    ratings = read_ratings(tmp_path / "jsonl")
    stored = project.ratings(design.campaign.uid)
    assert len(ratings.scores) == len(stored.scores)
    assert ratings.scores.raters == ("Ana", "王芳")
    assert np.allclose(np.sort(ratings.scores.started), np.sort(stored.scores.started))
    journal = read_journal(tmp_path / "journal")
    assert len(journal.lines) == len(project.events(design.campaign.uid))
    assert all(line.rater and line.at for line in journal.lines)
    report = json.loads((tmp_path / "report").read_text(encoding="utf-8"))
    assert sorted(report["systems"]) == ["System A", "System B", "System C"]
    # entries of the log are saved in the background
    assert project.flush()
    logged = [row.details for row in project.audit() if row.what == "ratings exported"]
    assert [details["form"] for details in logged] == names
    assert all(details["blind"] for details in logged)
    driver.pages.service.unblind("")
    driver.settle()
    with qtbot.waitSignal(environment.workspace.file_written):
        driver.pages.files.export("totals", str(tmp_path / "open"))
    assert "online-B" in (tmp_path / "open").read_text(encoding="utf-8")
    (tmp_path / "second").hardlink_to(tmp_path / "open")
    with qtbot.waitSignal(environment.workspace.file_written) as blocker:
        driver.pages.files.export("totals", str(tmp_path / "open"))
    assert blocker.args[0].endswith(". 1 other hard link to open still has the old content.")


def test_export_to_a_missing_folder_is_reported(environment: Any, driver: OwnerPagesDriver, tmp_path: Path) -> None:
    environment.open()
    environment.rate(driver.campaign(), "Ana")
    driver.show(RESULTS)
    driver.pages.files.export("totals", str(tmp_path / "missing" / "totals.tsv"))
    driver.settle()
    assert "Check that the folder exists" in environment.failures[0]


def test_export_dialog_describes_the_selected_format(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    environment.campaign()
    driver.show(PROGRESS)
    driver.refresh()
    button = next(
        push_button
        for push_button in driver.area.findChildren(QPushButton)
        if push_button.text() == "Export…" and push_button.isVisible()
    )
    button.click()
    dialog = driver.pages.files.dialog
    dialog_text = " ".join(label.text() for label in dialog.findChildren(Label) if label.isVisible())
    assert "All ratings and comments, one per line" in dialog_text
    assert "JSON Lines: a text file for programs, with one JSON object per line." in dialog_text
    assert "systems are exported as letters" in dialog_text
    dialog.form.setCurrentIndex(2)
    assert dialog.selected_export().name == "wide"
    dialog.reject()


def test_export_dialog_works_with_the_keyboard_alone(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path, qtbot: QtBot, monkeypatch: Any
) -> None:
    """Regression: the dialog had no default button for the Enter key."""
    environment.open()
    environment.rate(driver.campaign(), "Ana")
    driver.show(RESULTS)
    requested: list[str] = []

    def answer(parent: object, export: Any, view: object, folder: str) -> str:
        requested.append(export.name)
        return str(tmp_path / "out")

    monkeypatch.setattr(campaign_files, "ask_export_path", answer)
    driver.pages.files.ask_export()
    dialog = driver.pages.files.dialog
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(dialog.form.hasFocus)
    with qtbot.waitSignal(environment.workspace.file_written):
        QTest.keyClick(dialog.form, Qt.Key.Key_Down)
        QTest.keyClick(dialog.form, Qt.Key.Key_Return)
    assert requested == ["long"]
    assert driver.pages.files.dialog is None
    assert (tmp_path / "out").exists()
    # if another button has the focus, Enter presses that button
    driver.pages.files.ask_export()
    dialog = driver.pages.files.dialog
    assert isinstance(dialog, ExportDialog)
    cancel = next(button for button in dialog.findChildren(FlatButton) if button.text() == "Cancel")
    cancel.setFocus()
    QTest.keyClick(cancel, Qt.Key.Key_Return)
    assert not dialog.isVisible()
    assert requested == ["long"]


def test_export_dialog_that_was_deleted_by_its_answer_is_forgotten(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: Any
) -> None:
    environment.open()
    environment.rate(driver.campaign(), "Ana")
    driver.show(RESULTS)
    files = driver.pages.files

    def cancel(*_: object) -> str:
        shiboken6.delete(files.dialog)
        return ""

    monkeypatch.setattr(campaign_files, "ask_export_path", cancel)
    for _ in range(2):
        files.ask_export()
        assert isinstance(files.dialog, ExportDialog)
        files.dialog.accepted.emit()
        assert files.dialog is None


def test_proposed_name_of_a_copy_for_raters_has_all_parts_of_the_name_of_the_project(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the part after the last dot was missing."""
    environment.open(name="en-de 2026-11-29 23.19.16")
    driver.campaign()
    proposed: list[str] = []
    monkeypatch.setattr(campaign_files, "ask_project_name", lambda *args: proposed.append(args[-1]) or "")
    driver.pages.files.ask_copy_for_raters()
    assert [Path(path).name for path in proposed] == ["en-de 2026-11-29 23.19.16 for raters.qedesk"]


def test_proposed_name_of_a_copy_for_one_rater_has_the_name_of_the_rater(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.open()
    environment.campaign(raters="Ana/Lea")
    driver.refresh()
    proposed: list[str] = []
    monkeypatch.setattr(campaign_files, "ask_project_name", lambda *args: proposed.append(args[-1]) or "")
    driver.pages.files.ask_copy_for_raters()
    assert [Path(path).name for path in proposed] == ["news for Ana-Lea.qedesk"]


def test_copy_for_raters_is_saved_and_logged(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path, qtbot: QtBot
) -> None:
    project = environment.open()
    driver.campaign()
    with qtbot.waitSignal(environment.workspace.file_written) as blocker:
        driver.pages.files.copy_for_raters(str(tmp_path / "raters.qedesk"))
    path = tmp_path / "raters.qedesk"
    assert blocker.args == [
        "raters.qedesk saved: send it to each rater, then import the files that they return",
        str(path),
    ]
    (tmp_path / "second.qedesk").hardlink_to(tmp_path / "raters.qedesk")
    with qtbot.waitSignal(environment.workspace.file_written) as blocker:
        driver.pages.files.copy_for_raters(str(tmp_path / "raters.qedesk"))
    assert blocker.args[0].endswith("that they return. 1 other hard link to raters.qedesk still has the old content.")
    driver.settle()
    assert project.flush()
    assert project.audit()[-1].what == "copy for raters saved"
    with Project.open(tmp_path / "raters.qedesk", person="Ana") as copy:
        assert [campaign.name for campaign in copy.campaigns()] == ["News"]
