"""Copied values and exported images of the significance matrix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from pytestqt.qtbot import QtBot

from qe_desktop.report.comparisons import matrix_numbers
from qe_desktop.report.render.output_formats import get_output_format
from qe_desktop.ui import theme
from qe_desktop.ui.scores.significance.significance_matrix_pane import SignificanceMatrixView
from qe_desktop.ui.widgets.image_export import render_svg, save_image
from qe_desktop.ui.widgets.report_export import copy_report
from tests.ui.scores.visible_texts import drawn_text


def test_copied_text_equals_the_report(environment: Any, corpus: Any, view: SignificanceMatrixView) -> None:
    environment.open(corpus(3))
    comparison = environment.comparison.result.comparison
    clipboard = QGuiApplication.clipboard()
    view.copy_tsv()
    assert clipboard.text() == matrix_numbers(comparison, "F1-mult").tsv()
    written = []
    environment.workspace.file_written.connect(lambda message, _: written.append(message))
    copy_report(view.report_source, get_output_format("tsv"), environment.workspace)
    assert written == ["Copied as TSV"]
    assert clipboard.text() == matrix_numbers(comparison, "F1-mult").tsv()
    copy_report(view.report_source, get_output_format("html"), environment.workspace)
    assert clipboard.text().count("<table>") == clipboard.text().count("<svg") == 1
    copy_report(view.report_source, get_output_format("json"), environment.workspace)
    content = json.loads(clipboard.text())
    assert list(content["metrics"]) == ["F1-mult"]
    assert content["systems"] == [comparison.systems[index] for index in comparison.of("F1-mult").order]
    copy_report(view.report_source, get_output_format("latex"), environment.workspace)
    assert "\\begin{tabular}" in clipboard.text()
    assert "F1-mult" in clipboard.text()


def test_ctrl_c_copies_adjusted_p_with_the_names(
    environment: Any, corpus: Any, view: SignificanceMatrixView, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    comparison, copy = environment.comparison.result.comparison, Qt.KeyboardModifier.ControlModifier
    names = [comparison.systems[index] for index in comparison.of("F1-mult").order]
    view.setCurrentIndex(view.matrix.index(1, 2))
    qtbot.keyClick(view, Qt.Key.Key_C, copy)
    assert QGuiApplication.clipboard().text() == matrix_numbers(comparison, "F1-mult").tsv()
    view.selectAll()
    qtbot.keyClick(view, Qt.Key.Key_C, copy)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[0] == ["F1-mult, unadjusted p", *names]
    assert [line[0] for line in lines[1:]] == names
    first, _, last = comparison.of("F1-mult").order
    assert lines[1][3] == lines[3][1] == repr(float(comparison.of("F1-mult").adjusted[first, last]))
    view.matrix.set_by_score(False)
    view.selectRow(1)
    qtbot.keyClick(view, Qt.Key.Key_C, copy)
    head, line = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert head[1:] == list(comparison.systems)
    assert line[0] == comparison.systems[1]
    assert line[1] == repr(float(comparison.of("F1-mult").adjusted[1, 0]))


@pytest.mark.parametrize("systems", [2, 5, 17, 40])
def test_exported_image_has_room_for_every_cell_in_full_size(
    environment: Any, corpus: Any, view: SignificanceMatrixView, systems: int
) -> None:
    environment.settings.rounds = 100
    environment.open(corpus(systems))
    cell = view.full_cell()
    image = view.image_source.widget()
    assert image is not None
    assert image.width() >= systems * cell.width() * 0.8
    assert image.height() >= systems * cell.height() * 0.8


def test_exported_image_has_a_title_a_legend_and_one_background(
    environment: Any, corpus: Any, view: SignificanceMatrixView, tmp_path: Path
) -> None:
    environment.open(corpus(3))
    image = view.image_source.widget()
    assert image is not None
    drawn = drawn_text(render_svg(image).decode())
    shown = environment.workspace.corpus.name
    for text in (f"{shown}. F1-mult: significance", "system 0", "p < .01", "column − row", "Approximate"):
        assert text.replace(" ", "") in drawn, text
    save_image(image, str(tmp_path / "matrix.png"))
    picture = QImage(str(tmp_path / "matrix.png"))
    assert picture.size() == image.size() * 2
    surface = theme.current().surface
    assert all(picture.pixelColor(x, 4) == surface for x in (4, picture.width() - 5))
    # above the names of the rows, and beside the names of the columns
    (table,) = image.findChildren(SignificanceMatrixView)
    place = 2 * table.pos() + QPoint(6, 6)
    header = table.horizontalHeader()
    beside = 2 * (table.pos() + QPoint(table.verticalHeader().width() + header.sectionSize(0) // 2, 0)) + QPoint(0, 4)
    assert picture.pixelColor(place) == picture.pixelColor(beside) == surface
