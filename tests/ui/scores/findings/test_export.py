"""Results of the All metrics page on the clipboard and in files equal those of the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import QeError
from qe_desktop.report.findings import FindingsReport
from qe_desktop.report.render.output_formats import get_output_format
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.scores.visible_texts import drawn_text


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_ctrl_c_copies_the_table_in_full_precision_with_headers(
    environment: Any, corpus: Any, driver: Any, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    driver.view.selectAll()
    qtbot.keyClick(driver.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = list(csv.DictReader(io.StringIO(clipboard()), delimiter="\t"))
    assert [row["system"] for row in rows] == driver.names()
    pair = driver.controller.session_service.result.findings.pairs[0]
    mcc = next(metric for metric in pair.metrics if metric.name == "MCC")
    score = dict(zip(pair.systems, pair.system_findings(mcc), strict=True))[rows[0]["system"]]
    parts = ["", " low", " high", " best rank", " worst rank"]
    assert [rows[0][f"MCC{part}"] for part in parts] == [
        *map(repr, (score.score, *score.interval)),
        *map(str, score.ranks),
    ]


@pytest.mark.parametrize("form", ["tsv", "tex", "html"])
def test_copied_report_is_ordered_by_the_metric(environment: Any, driver: Any, task: Path, form: Any) -> None:
    driver.read(task)
    driver.controller.folder_service.set_metric("MCC")
    result = driver.controller.folder_service.result
    driver.controller.copy(form)
    environment.wait()
    ordered = result.findings.with_first_metric("MCC")
    assert ordered.metrics[0].name == "MCC"
    assert clipboard() == get_output_format(form).text(FindingsReport(ordered, "task", result.remarks))
    if form == "tsv":
        rows = list(csv.DictReader(io.StringIO(clipboard()), delimiter="\t"))
        shown = driver.cell("good", "en-de")
        (row,) = [r for r in rows if (r["pair"], r["system"], r["metric"]) == ("en-de", "good", "MCC")]
        assert f"{float(row['score']):.3f}" == f"0{shown.text}"
        assert row["best rank"] == shown.suffix[0]
    elif form == "tex":
        assert clipboard().index("MCC in 2") < clipboard().index("F1-BAD in 2")
    else:
        assert "<svg" in clipboard()


@pytest.mark.parametrize(("name", "begins"), [("a.tsv", "pair\t"), ("a.tex", "% "), ("a.HTML", "<!doctype"), ("a", "")])
def test_file_suffix_selects_the_format(
    environment: Any, driver: Any, task: Path, name: str, begins: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path = task.parent
    driver.read(task)
    chosen = (str(tmp_path / name), "HTML: a page of tables and charts (*.html)")
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *_: chosen)
    with environment.qtbot.waitSignal(environment.workspace.file_written) as message:
        driver.controller.ask_file()
    environment.wait()
    written = tmp_path / (name if begins else "a.html")
    assert written.read_text().startswith(begins or "<!doctype")
    assert written.name in message.args[0]
    assert message.args[1] == str(written)


def test_file_that_cannot_be_written_is_reported(environment: Any, driver: Any, task: Path, tmp_path: Path) -> None:
    driver.read(task)
    result = driver.controller.folder_service.result
    with environment.qtbot.waitSignal(driver.controller.context.failed) as failed:
        driver.controller.files.save_form(driver.controller.current_export().render, tmp_path / "nowhere" / "a.tsv")
    assert isinstance(failed.args[0], QeError)
    assert FindingsReport(result.findings, "task").columns()
    environment.wait()


def test_menus_save_the_plots_as_an_image(
    environment: Any, corpus: Any, driver: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.open(corpus(3))
    menus = [action.menu() for action in driver.page.copying.actions() if action.menu() is not None]
    saving = next(menu for menu in menus if "chart" in menu.title())
    assert [action.text().replace("&", "") for action in saving.actions()] == ["As PNG…", "As SVG…", "As PDF…"]
    target = tmp_path / "plots.svg"
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    for height in (900, 300):
        # in a low window, the plots are hidden
        driver.area.resize(1200, height)
        target.unlink(missing_ok=True)
        saving.actions()[1].trigger()
        drawn = drawn_text(target.read_text())
        assert "system2" in drawn
        assert "phr-F1-BAD" in drawn
