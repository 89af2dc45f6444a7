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
from qe_desktop.report.findings import findings_columns, findings_report
from qe_desktop.report.render.output_formats import get_output_format
from qe_desktop.ui.widgets.dialogs import FileDialog


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_ctrl_c_copies_the_table_in_full_precision_with_headers(
    world: Any, corpus: Any, findings: Any, qtbot: QtBot
) -> None:
    world.open(corpus(3))
    findings.view.selectAll()
    qtbot.keyClick(findings.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = list(csv.DictReader(io.StringIO(clipboard()), delimiter="\t"))
    assert [row["system"] for row in rows] == findings.names()
    pair = findings.controller.of_open.result.findings.pairs[0]
    mcc = next(metric for metric in pair.metrics if metric.name == "MCC")
    score = dict(zip(pair.systems, pair.by(mcc), strict=True))[rows[0]["system"]]
    parts = ["", " low", " high", " best rank", " worst rank"]
    assert [rows[0][f"MCC{part}"] for part in parts] == [
        *map(repr, (score.score, *score.interval)),
        *map(str, score.ranks),
    ]


@pytest.mark.parametrize("form", ["tsv", "tex", "html"])
def test_copied_report_is_ordered_by_the_metric(world: Any, findings: Any, task: Path, form: Any) -> None:
    findings.read(task)
    findings.controller.of_folder.set_metric("MCC")
    result = findings.controller.of_folder.result
    findings.controller.copy(form)
    world.wait()
    ordered = result.findings.led_by("MCC")
    assert ordered.metrics[0].name == "MCC"
    assert clipboard() == get_output_format(form).text(findings_report(ordered, "task", result.remarks))
    if form == "tsv":
        rows = list(csv.DictReader(io.StringIO(clipboard()), delimiter="\t"))
        shown = findings.cell("good", "en-de")
        (row,) = [r for r in rows if (r["pair"], r["system"], r["metric"]) == ("en-de", "good", "MCC")]
        assert f"{float(row['score']):.3f}" == f"0{shown.text}"
        assert row["best rank"] == shown.suffix[0]
    elif form == "tex":
        assert clipboard().index("MCC in 2") < clipboard().index("F1-BAD in 2")
    else:
        assert "<svg" in clipboard()


@pytest.mark.parametrize(("name", "begins"), [("a.tsv", "pair\t"), ("a.tex", "% "), ("a.HTML", "<!doctype"), ("a", "")])
def test_file_suffix_selects_the_format(
    world: Any, findings: Any, task: Path, name: str, begins: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path = task.parent
    findings.read(task)
    chosen = (str(tmp_path / name), "HTML: a page of tables and charts (*.html)")
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *_: chosen)
    with world.qtbot.waitSignal(findings.controller.around.message_posted) as message:
        findings.controller.ask_file()
    world.wait()
    written = tmp_path / (name if begins else "a.html")
    assert written.read_text().startswith(begins or "<!doctype")
    assert written.name in message.args[0]


def test_file_that_cannot_be_written_is_reported(world: Any, findings: Any, task: Path, tmp_path: Path) -> None:
    findings.read(task)
    result = findings.controller.of_folder.result
    with world.qtbot.waitSignal(findings.controller.around.failed) as failed:
        findings.controller.files.save_form(findings.controller.out().write, tmp_path / "nowhere" / "a.tsv")
    assert isinstance(failed.args[0], QeError)
    assert findings_columns(result.findings).tsv()
    world.wait()
