"""Names in files are shown as plain text: no bidi overrides, no control characters, no HTML, no unlimited length."""

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
from tests.ui.program_driver import run_script

EVIL = "\x1b[2J\u202egnp\u2066<b>bold\nnext\u200b"
LONG = "=long" * 40
CONTROL_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
BIDI_OR_INVISIBLE = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067\u200b\ufeff]")


@pytest.fixture
def hostile_sample(tmp_path: Path) -> Path:
    """A copy of the sample with malicious names."""
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


def widget_texts(widget: QWidget) -> Iterator[str]:
    """Texts of a widget in all properties that are shown or read aloud."""
    yield widget.windowTitle()
    yield plain_tooltip(widget.toolTip())
    yield widget.accessibleName()
    yield widget.statusTip()
    if isinstance(widget, QLabel | QAbstractButton):
        yield widget.text()
    if isinstance(widget, QLabel):
        assert widget.textFormat() == Qt.TextFormat.PlainText or not Qt.mightBeRichText(widget.text()), widget.text()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(index) for index in range(widget.count()))
    if (
        isinstance(widget, QAbstractItemView)
        and widget.model() is not None
        and "segment" not in type(widget).__module__
    ):
        yield from model_texts(widget.model())


def model_texts(model: QAbstractItemModel) -> Iterator[str]:
    """Texts of a model in all roles that are shown or read aloud."""
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
    # list models have one column
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for role in roles:
        texts = [
            model.index(row, column).data(role) for row in range(min(30, model.rowCount())) for column in range(columns)
        ]
        texts += [model.headerData(section, Qt.Orientation.Horizontal, role) for section in range(columns)]
        texts += [
            model.headerData(section, Qt.Orientation.Vertical, role) for section in range(min(30, model.rowCount()))
        ]
        for text in texts:
            if isinstance(text, str):
                yield plain_tooltip(text) if role == Qt.ItemDataRole.ToolTipRole else text


def plain_tooltip(tip: str) -> str:
    """Return the text of a tool tip; HTML is allowed only as our own spans with line breaks."""
    if not Qt.mightBeRichText(tip):
        return tip
    span = re.fullmatch(r"<span>((?:[^<]|<br>)*)</span>", tip)
    assert span is not None, tip
    return html.unescape(span[1].replace("<br>", "\n"))


def unsafe_texts(texts: Iterator[str], max_length: int = 20_100) -> list[str]:
    """Return the texts with control or bidi characters, or of excessive length."""
    return [
        text for text in texts
        if len(text) > max_length
        or BIDI_OR_INVISIBLE.search(text)
        or {unicodedata.category(character) for character in text.replace("\n", "")} & CONTROL_CATEGORIES
    ]  # fmt: skip


def window_texts(window: QWidget) -> Iterator[str]:
    """Texts of all widgets and actions of a window."""
    for widget in [window, *window.findChildren(QWidget)]:
        yield from widget_texts(widget)
    yield from (action.text() for action in window.findChildren(QAction))


def test_hostile_names_are_shown_as_plain_text_in_the_whole_window(qtbot, hostile_sample):
    def script(driver):
        yield driver.is_open
        assert unsafe_texts(window_texts(driver.shell)) == []
        texts = list(window_texts(driver.shell))
        # the names are shown with their special characters escaped
        assert any(r"\x1b[2J\u202egnp\u2066" in text for text in texts)
        driver.shell.commands["view.area-scores"].trigger()
        yield lambda: driver.wiring.comparison.state == "ready" and not driver.wiring.comparison.is_data_outdated
        assert unsafe_texts(window_texts(driver.shell)) == []
        scores = driver.shell.area("scores")
        table = scores.findChild(ScoreTableView)
        table.selectAll()
        table.copy_selection()
        copied = QGuiApplication.clipboard().text()
        assert any(cell.startswith("'=long") for line in copied.splitlines() for cell in line.split("\t"))
        assert unsafe_texts(iter(copied.replace("\t", " ").splitlines())) == []
        findings = driver.wiring.findings
        findings.read(hostile_sample)
        yield lambda: findings.folder_service.state == "ready" and not driver.shell.jobs.running_jobs()
        assert any(r"\u202egnp\u2066" in text for text in window_texts(findings.page))
        findings.folder_service.set_group("sentences")
        yield lambda: findings.folder_service.state == "ready" and not driver.shell.jobs.running_jobs()
        view = findings.page.view
        row = next(index for index, cells in enumerate(view.cells.rows) if "gnp" in cells[0].text)
        view.setCurrentIndex(view.cells.index(row, 1))
        assert r"\x1b[2J\u202egnp\u2066<b>bold" in findings.page.description_label.text()
        assert unsafe_texts(window_texts(driver.shell)) == []
        for form in ("tsv", "tex", "html"):
            findings.copy(form)
            yield lambda: not driver.shell.jobs.running_jobs()
            assert unsafe_texts(iter(QGuiApplication.clipboard().text().replace("\t", " ").splitlines())) == []
        driver.shell.commands["view.area-rate"].trigger()
        yield lambda: not driver.shell.jobs.running_jobs()
        assert unsafe_texts(window_texts(driver.shell)) == []
        assert any(r"\x1b[2J" in text for text in window_texts(driver.shell.area("rate")))
        driver.shell.commands["file.recognised"].trigger()
        assert unsafe_texts(window_texts(driver.wiring.opener.details)) == []
        driver.wiring.opener.details.change_button.click()
        yield lambda: driver.wiring.opener.sheet is not None
        assert unsafe_texts(window_texts(driver.wiring.opener.sheet)) == []
        driver.wiring.opener.sheet.reject()
        yield lambda: driver.wiring.opener.sheet is None

    assert run_script([str(hostile_sample)], script) == 0


def test_notice_with_a_hostile_name_is_plain_text(qtbot, tmp_path):
    missing = tmp_path / f"no{EVIL}{'x' * 100_000}"

    def script(driver):
        yield lambda: driver.shell.notices.notices()
        assert unsafe_texts(window_texts(driver.shell)) == []
        assert "File name too long" in driver.shell.notices.notices()[0].message.plain_text()

    assert run_script([str(missing)], script) == 0
    QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))


def test_plot_titles_are_plain_text(qtbot):
    """The plotting library renders labels as HTML, and names of scales and metrics come from files."""
    from qe_desktop.ui.widgets.plots.plot_base import RowPlot, XYPlot

    canvas = XYPlot()
    qtbot.addWidget(canvas.widget)
    canvas.set_axis_titles("<b>bold</b>\x1b", "left", canvas.widget.font())
    axis = canvas.widget.getPlotItem().getAxis("bottom")
    assert axis.label.toPlainText().strip() == r"<b>bold</b>\x1b"
    rows = RowPlot()
    qtbot.addWidget(rows.widget)
    rows.set_names_and_title([EVIL], "<i>title", rows.widget.font())
    axis = rows.widget.getPlotItem().getAxis("bottom")
    assert axis.label.toPlainText().strip() == "<i>title"
    assert unsafe_texts(text for _, text in rows.widget.getPlotItem().getAxis("left")._tickLevels[0]) == []
