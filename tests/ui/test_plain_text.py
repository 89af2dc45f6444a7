"""Whatever names hold, what the window shows of them is plain: nothing turned, hidden, run as HTML, or without end."""

from __future__ import annotations

import html
import json
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEvent
from PySide6.QtGui import QAction, QGuiApplication, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLabel, QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.scores.score_table_view import ScoreTableView
from tests.ui.driving import drive

EVIL = "\x1b[2J\u202egnp\u2066<b>bold\nnext\u200b"
LONG = "=long" * 40
STEERS = {"Cc", "Cs", "Zl", "Zp"}
TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u200b\ufeff]")


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """The sample with names that only an attacker gives."""
    folder = tmp_path / f"corpus{EVIL}"
    shutil.copytree(icons.resource_folder() / "samples/en-de", folder)
    systems = sorted((folder / "systems").iterdir())
    for path, name in zip(systems, (EVIL, LONG), strict=False):
        path.rename(path.with_name(name + "".join(path.suffixes)))
    documents = (folder / "sample.docs").read_text().splitlines()
    (folder / "sample.docs").write_text("".join(f"{name}{EVIL.replace(chr(10), '')}\n" for name in documents))
    ratings = []
    for line in (folder / "sample.ratings.jsonl").read_text().splitlines():
        fields = json.loads(line)
        for key in ("rater", "system", "comment"):
            if isinstance(fields.get(key), str):
                fields[key] += EVIL
        if "systems" in fields:
            fields["systems"] = [f"{name}{EVIL}" for name in fields["systems"]]
        ratings.append(json.dumps(fields))
    (folder / "sample.ratings.jsonl").write_text("\n".join(ratings) + "\n")
    return folder


def shown_by(widget: QWidget) -> Iterator[str]:
    """What a widget says, in every place where it says something."""
    yield widget.windowTitle()
    yield plain(widget.toolTip())
    yield widget.accessibleName()
    yield widget.statusTip()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QLabel):
        assert widget.textFormat() == Qt.TextFormat.PlainText or not Qt.mightBeRichText(widget.text()), widget.text()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    if (
        isinstance(widget, QAbstractItemView)
        and widget.model() is not None
        and "segment" not in type(widget).__module__
    ):
        yield from shown_of(widget.model())


def shown_of(model: QAbstractItemModel) -> Iterator[str]:
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
    # a list's number of columns is not asked by anybody
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for role in roles:
        texts = [
            model.index(row, column).data(role) for row in range(min(30, model.rowCount())) for column in range(columns)
        ]
        texts += [model.headerData(place, Qt.Orientation.Horizontal, role) for place in range(columns)]
        texts += [model.headerData(place, Qt.Orientation.Vertical, role) for place in range(min(30, model.rowCount()))]
        for text in texts:
            if isinstance(text, str):
                yield plain(text) if role == Qt.ItemDataRole.ToolTipRole else text


def plain(tip: str) -> str:
    """A tool tip's text; one that Qt takes for HTML must be our own span around escaped text."""
    if not Qt.mightBeRichText(tip):
        return tip
    inner = re.fullmatch(r"<span>(.*)</span>", tip, re.DOTALL)
    assert inner is not None, tip
    assert "<" not in inner[1], tip
    return html.unescape(inner[1])


def wrong(texts: Iterator[str], most: int = 20_100) -> list[str]:
    return [
        text for text in texts
        if len(text) > most
        or TURNS.search(text)
        or {unicodedata.category(character) for character in text.replace("\n", "")} & STEERS
    ]  # fmt: skip


def everything(window: QWidget) -> Iterator[str]:
    for widget in [window, *window.findChildren(QWidget)]:
        yield from shown_by(widget)
    yield from (action.text() for action in window.findChildren(QAction))


def test_names_turn_nothing_and_are_no_html_anywhere_in_the_window(qtbot, evil):
    def script(controller):
        yield controller.is_open
        assert wrong(everything(controller.shell)) == []
        said = list(everything(controller.shell))
        # they are there, and can be told from what they claim to be
        assert any(r"\x1b[2J\u202egnp\u2066" in text for text in said)
        controller.shell.commands["view.area-scores"].trigger()
        yield lambda: controller.wiring.comparison.state == "ready" and not controller.wiring.comparison.stale
        assert wrong(everything(controller.shell)) == []
        scores = controller.shell.area("scores")
        table = scores.findChild(ScoreTableView)
        table.selectAll()
        table.copy_selection()
        copied = QGuiApplication.clipboard().text()
        assert any(cell.startswith("'=long") for line in copied.splitlines() for cell in line.split("\t"))
        assert wrong(iter(copied.replace("\t", " ").splitlines())) == []
        findings = controller.wiring.findings
        findings.read(evil)
        yield lambda: findings.of_folder.state == "ready" and not controller.shell.jobs.running()
        assert any(r"\u202egnp\u2066" in text for text in everything(findings.page))
        findings.of_folder.set_group("sentences")
        yield lambda: findings.of_folder.state == "ready" and not controller.shell.jobs.running()
        view = findings.page.view
        row = next(place for place, cells in enumerate(view.cells.rows) if "gnp" in cells[0].text)
        view.setCurrentIndex(view.cells.index(row, 1))
        assert r"\x1b[2J\u202egnp\u2066<b>bold" in findings.page.words.text()
        assert wrong(everything(controller.shell)) == []
        for form in ("tsv", "tex", "html"):
            findings.copy(form)
            yield lambda: not controller.shell.jobs.running()
            assert wrong(iter(QGuiApplication.clipboard().text().replace("\t", " ").splitlines())) == []
        controller.shell.commands["view.area-rate"].trigger()
        yield lambda: not controller.shell.jobs.running()
        assert wrong(everything(controller.shell)) == []
        assert any(r"\x1b[2J" in text for text in everything(controller.shell.area("rate")))
        controller.shell.commands["file.recognised"].trigger()
        yield lambda: controller.wiring.opener.sheet is not None
        assert wrong(everything(controller.wiring.opener.sheet)) == []
        controller.wiring.opener.sheet.reject()
        yield lambda: controller.wiring.opener.sheet is None

    assert drive([str(evil)], script) == 0


def test_a_notice_of_a_hostile_name_is_plain(qtbot, tmp_path):
    missing = tmp_path / f"no{EVIL}{'x' * 100_000}"

    def script(controller):
        yield lambda: controller.shell.notices.notices()
        assert wrong(everything(controller.shell)) == []
        assert "File name too long" in controller.shell.notices.notices()[0].message.spoken()

    assert drive([str(missing)], script) == 0
    QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))


def test_titles_of_plots_are_no_html(qtbot):
    """The plotting library reads its labels as HTML; scales and metrics are called what a file says."""
    from qe_desktop.ui.widgets.plots.plot_base import RowPlot, XYPlot

    canvas = XYPlot()
    qtbot.addWidget(canvas.widget)
    canvas.style("<b>bold</b>\x1b", "left", canvas.widget.font())
    axis = canvas.widget.getPlotItem().getAxis("bottom")
    assert axis.label.toPlainText().strip() == r"<b>bold</b>\x1b"
    rows = RowPlot()
    qtbot.addWidget(rows.widget)
    rows.style([EVIL], "<i>title", rows.widget.font())
    axis = rows.widget.getPlotItem().getAxis("bottom")
    assert axis.label.toPlainText().strip() == "<i>title"
    assert wrong(text for _, text in rows.widget.getPlotItem().getAxis("left")._tickLevels[0]) == []
