"""All metrics page in the whole program, by its commands and keys."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ui import icons
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.program_driver import run_script


@pytest.fixture
def sample_folder(tmp_path):
    """Return a folder with two bundled samples copied as a shared task."""
    task = tmp_path / "task"
    for pair in ("en-de", "en-he"):
        for path in (icons.resource_folder() / "samples" / pair).rglob("*.tags"):
            target = task / pair / path.relative_to(icons.resource_folder() / "samples" / pair)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        for suffix in ("src", "mt"):
            shutil.copy(icons.resource_folder() / f"samples/{pair}/sample.{suffix}", task / pair)
    return task


@pytest.fixture
def dialog(monkeypatch):
    """Return the list of answers to folder dialogs, in order."""
    answers: list[str] = []
    monkeypatch.setattr(FileDialog, "getExistingDirectory", lambda *_: answers.pop(0))
    return answers


def test_status_bar_does_not_describe_the_open_corpus_below_results_of_a_folder(qtbot, sample_folder):
    def script(driver):
        shell, status = driver.shell, driver.shell.status
        driver.wiring.findings.read(sample_folder)
        yield lambda: driver.wiring.findings.folder_service.state == "ready" and not shell.jobs.running_jobs()
        page = driver.wiring.findings.page
        driver.wiring.opener.open_paths([str(sample_folder / "en-de")])
        yield driver.is_open
        shell.show_area("scores")
        for of_folder in (True, False, True):
            shell.commands["scores.page-findings"].trigger()
            page.show_findings(of_folder=of_folder)
            yield lambda: not shell.jobs.running_jobs()
            assert status._counts.isVisible() is not of_folder
            assert status._positive.isVisible() is not of_folder
        shell.commands["scores.page-systems"].trigger()
        assert status._counts.isVisible()

    assert run_script([], script) == 0


def test_folder_command_opens_results_segments_and_back(qtbot, sample_folder, dialog):
    def script(driver):
        shell = driver.shell
        assert "language pair" in shell.commands.text("file.findings")
        assert shell.commands.explanation("file.findings")
        assert [action.id for action in shell.commands.available_actions() if action.id == "file.findings"]
        dialog.append("")
        shell.commands["file.findings"].trigger()
        assert shell.areas.current == ""
        assert not shell.commands["scores.save-findings"].isEnabled()
        dialog.append(str(sample_folder))
        shell.commands["file.findings"].trigger()
        assert shell.areas.current == "scores"
        folder = driver.wiring.findings.folder_service
        yield lambda: folder.state == "ready"
        page = driver.wiring.findings.page
        yield lambda: not shell.jobs.running_jobs()
        assert page.displayed_service is folder
        assert shell.commands["scores.save-findings"].isEnabled()
        assert "average" in page.bar._pair.toolTip()
        assert "no clusters" in page.bar._pair.toolTip()
        page.set_pair_order("en-de")
        assert "no clusters" not in page.bar._pair.toolTip()
        assert {pair.name for pair in folder.result.findings.pairs} == {"en-de", "en-he"}
        page.view.setFocus()
        page.view.setCurrentIndex(page.view.cells.index(0, 2))
        for _ in range(2):
            QTest.keyClick(page.view, Qt.Key.Key_Return)
        yield driver.is_open
        assert shell.areas.current == "inspect"
        assert driver.workspace.corpus.language_pair == folder.result.findings.pairs[0].name
        inspect = shell.area("inspect")
        yield lambda: inspect.model.list_state is not None and inspect.model.list_state.difference is not None
        between = [key.name for key in inspect.filters.query.compared_layers]
        assert between[0] == page.view.cells.rows[0][0].text
        assert inspect.filters.query.metric == folder.metric
        assert str(sample_folder / "en-de") in shell.settings.existing_recent_paths()
        shell.commands["view.area-scores"].trigger()
        shell.commands["scores.page-systems"].trigger()
        assert shell.area("scores").pages.current == "systems"
        shell.commands["scores.page-findings"].trigger()
        assert page.isVisible()
        page.show_findings(of_folder=False)
        yield lambda: driver.wiring.findings.session_service.state == "ready"
        assert page.view.cells.rowCount() == len(driver.wiring.scores.layers)

    assert run_script([], script) == 0


def test_segments_are_compared_even_if_inspect_was_not_built(qtbot, sample_folder):
    def script(driver):
        shell, findings = driver.shell, driver.wiring.findings
        findings.read(sample_folder)
        yield lambda: findings.folder_service.state == "ready" and not shell.jobs.running_jobs()
        findings.folder_service.set_metric("MCC")
        view = findings.page.view
        view.setCurrentIndex(view.cells.index(1, 2))
        assert not shell.areas.is_built("inspect")
        for _ in range(2):
            QTest.keyClick(view, Qt.Key.Key_Return)
        yield driver.is_open
        filters = shell.area("inspect").filters
        assert filters.query.metric == driver.wiring.comparison.metric == "MCC"
        assert filters.query.compared_layers is not None

    assert run_script([], script) == 0


@pytest.mark.published
def test_wmt22_results_equal_those_published(qtbot, data_folder):
    published = json.loads((data_folder / "wmt22_word/published_results.json").read_text())
    teams = {"NJUNLP": "NJUQE", "Papago": "papago", "Organisers": "OrganizersBaselines"}

    def script(driver):
        driver.shell.settings.decimals = 4
        driver.shell.show_area("scores")
        findings = driver.wiring.findings
        findings.read(Path(data_folder / "wmt22_word"))
        yield lambda: findings.folder_service.state == "ready"
        findings.folder_service.set_metric("MCC")
        view = findings.page.view
        pairs = [column.header for column in view.cells.columns][2:]
        names = [row[0].text for row in view.cells.rows]
        shown = 0
        for column, pair in enumerate(pairs, 2):
            for row in published[f"T1_word_{pair.replace('-', '')}"]:
                name = teams.get(row["Team"], row["Team"])
                cell = view.cells.rows[names.index(name)][column] if name in names else None
                if cell is not None and cell.second_line:
                    assert f"0{cell.text}" == row["MCC"], name
                    assert cell.description.startswith(f"{name}, {pair}: MCC {cell.text}, 95 % interval ")
                    shown += 1
        assert shown == 13
        gap = view.cells.rows[names.index("NJUQE")][pairs.index("en-ja") + 2]
        assert gap.text == "–"
        driver.shell.settings.decimals = 3

    assert run_script([], script) == 0
