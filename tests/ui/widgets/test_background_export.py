"""Exports of the window: on computing threads, with a note if a replaced file has other hard links."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.formats.atomic_write import write_text
from qe_desktop.report.render.output_formats import OutputFormat
from qe_desktop.ui.jobs import JobRunner, Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.background_export import BackgroundExporter, submit_export
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.image_export import ImageSource, ask_and_save_image
from qe_desktop.ui.widgets.report_export import ReportSource, ask_and_save_report
from qe_desktop.ui.workspace import Workspace

NOTE = "1 other hard link to {} still has the old content."


@pytest.fixture
def workspace(qtbot: QtBot, tmp_path: Path) -> Iterator[Workspace]:
    created = Workspace(Settings(str(tmp_path / "settings.ini")), JobRunner())
    yield created
    assert created.jobs.close()


def add_hard_link(path: Path) -> Path:
    """Create a file with the text "before" and return another hard link to it."""
    path.write_text("before")
    link = path.with_name(f"second-{path.name}")
    link.hardlink_to(path)
    return link


def test_export_runs_on_a_computing_thread(workspace: Workspace, qtbot: QtBot) -> None:
    threads: list[str] = []

    def write(progress: Progress) -> str:
        return threading.current_thread().name

    submit_export(workspace.jobs, "Export", write, lambda thread, notes: threads.append(thread), owner=workspace)
    qtbot.waitUntil(lambda: bool(threads))
    assert threads[0].startswith("qe-desktop-computing")


def test_each_replaced_file_with_hard_links_has_a_note(workspace: Workspace, qtbot: QtBot, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b", "c")]
    links = [add_hard_link(path) for path in paths[:2]]
    results: list[Any] = []

    def write(progress: Progress) -> int:
        for path in paths:
            write_text(path, "after")
        return len(paths)

    submit_export(workspace.jobs, "Export", write, lambda *result: results.append(result), owner=workspace)
    qtbot.waitUntil(lambda: bool(results))
    assert results == [(3, [NOTE.format("a"), NOTE.format("b")])]
    assert [link.read_text() for link in links] == ["before", "before"]
    # the replaced files are separate files now
    submit_export(workspace.jobs, "Export", write, lambda *result: results.append(result), owner=workspace)
    qtbot.waitUntil(lambda: len(results) == 2)
    assert results[1] == (3, [])


def test_message_about_a_table_has_the_note(workspace: Workspace, qtbot: QtBot, tmp_path: Path) -> None:
    exporter = BackgroundExporter(workspace.jobs, workspace.settings, "Export", "scores", QObject(workspace))
    messages: list[str] = []
    paths: list[str] = []
    exporter.file_written.connect(lambda message, path: (messages.append(message), paths.append(path)))
    add_hard_link(tmp_path / "a.tsv")
    for _ in range(2):
        with qtbot.waitSignal(exporter.file_written):
            exporter.save_form(lambda form: "text\n", tmp_path / "a.tsv")
    assert messages == [f"a.tsv written as TSV. {NOTE.format('a.tsv')}", "a.tsv written as TSV"]
    assert paths == [str(tmp_path / "a.tsv")] * 2


def test_save_dialog_begins_in_the_last_folder_with_the_name_of_the_data(
    workspace: Workspace, qtbot: QtBot, tmp_path: Path, monkeypatch: Any
) -> None:
    proposals: list[str] = []

    def cancel(parent: QWidget, title: str, proposed: str, *_: object) -> tuple[str, str]:
        proposals.append(proposed)
        return "", ""

    monkeypatch.setattr(FileDialog, "getSaveFileName", staticmethod(cancel))
    monkeypatch.setattr(Workspace, "corpus", SimpleNamespace(name="news"))
    workspace.settings.last_folder = str(tmp_path)
    window, report = QWidget(), object()
    qtbot.addWidget(window)
    form = OutputFormat("tsv", "tsv", "TSV", "TSV", lambda report: "after\n")
    source: Any = ReportSource("Scores", lambda: report, "scores")  # type: ignore[arg-type, return-value]
    ask_and_save_report(source, form, workspace, window)
    assert proposals == [str(tmp_path / "news.scores.tsv")]


def save_image(workspace: Workspace, window: QWidget) -> None:
    ask_and_save_image(ImageSource("plot", lambda: window), "png", workspace, window)


def save_report(workspace: Workspace, window: QWidget) -> None:
    report: Any = object()
    form = OutputFormat("tsv", "tsv", "TSV", "TSV", lambda report: "after\n")
    ask_and_save_report(ReportSource("table", lambda: report), form, workspace, window)


@pytest.mark.parametrize("save", [save_image, save_report])
def test_replaced_image_or_report_with_hard_links_is_noted(
    save: Callable[[Workspace, QWidget], None], workspace: Workspace, qtbot: QtBot, tmp_path: Path, monkeypatch: Any
) -> None:
    path, window, notes = tmp_path / "a.out", QWidget(), []
    qtbot.addWidget(window)
    workspace.warning_posted.connect(notes.append)
    monkeypatch.setattr(FileDialog, "getSaveFileName", staticmethod(lambda *_: (str(path), "")))
    link = add_hard_link(path)
    messages: list[tuple[str, str]] = []
    workspace.file_written.connect(lambda *message: messages.append(message))
    save(workspace, window)
    assert messages == [(f"a.out written as {'PNG' if save is save_image else 'TSV'}", str(path))]
    assert workspace.settings.last_folder == str(tmp_path)
    assert notes == [NOTE.format("a.out")]
    assert link.read_text() == "before"
    assert path.read_bytes() != b"before"
    save(workspace, window)
    assert len(notes) == 1
