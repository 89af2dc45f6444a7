"""Saving of charts as images: the file has the selected format."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.widgets import image_export
from qe_desktop.ui.widgets.image_export import MARGIN_PX, ImageSource, ask_and_save_image, render_png


@pytest.mark.parametrize(
    ("typed", "written", "beginning"),
    [
        ("plot", "plot.svg", b"<?xml"),
        ("plot.v2", "plot.v2.svg", b"<?xml"),
        ("plot.svg", "plot.svg", b"<?xml"),
        ("plot.PNG", "plot.PNG", b"\x89PNG"),
    ],
)
def test_missing_suffix_of_the_selected_image_format_is_appended(
    qtbot, tmp_path, monkeypatch, typed, written, beginning
):
    """A name without suffix was written as PNG, whichever format was selected."""

    def answer(*arguments):
        path = str(tmp_path / typed)
        return (arguments[4](path, "") if len(arguments) > 4 else path), ""

    monkeypatch.setattr(image_export.FileDialog, "getSaveFileName", answer)
    chart = QWidget()
    qtbot.addWidget(chart)
    around = SimpleNamespace(
        attempt=lambda action, *written: action(), settings=SimpleNamespace(last_folder=""), corpus=None
    )
    ask_and_save_image(ImageSource("Plot", lambda: chart), "svg", around, chart)
    assert [path.name for path in tmp_path.iterdir()] == [written]
    assert (tmp_path / written).read_bytes().startswith(beginning)


def test_proposed_name_has_the_data_and_the_subject_and_the_title_the_chart(qtbot, tmp_path, monkeypatch):
    proposals = []

    def cancel(parent, title, proposed, *_):
        proposals.append((title, proposed))
        return "", ""

    monkeypatch.setattr(image_export.FileDialog, "getSaveFileName", cancel)
    settings = SimpleNamespace(last_folder=str(tmp_path))
    source = ImageSource("Intervals", lambda: None, subject=lambda: "F1-mult")
    for corpus, name in ((SimpleNamespace(name="wmt22: en-de"), "wmt22- en-de F1-mult"), (None, "F1-mult")):
        ask_and_save_image(source, "png", SimpleNamespace(settings=settings, corpus=corpus), None)
        assert proposals.pop() == ("Save: Intervals", str(tmp_path / f"{name} intervals.png"))


def test_empty_space_above_and_below_a_chart_is_not_exported(qtbot):
    label = QLabel("chart")
    label.setAlignment(Qt.AlignmentFlag.AlignBottom)
    qtbot.addWidget(label)
    label.resize(300, 200)
    image = QImage.fromData(render_png(label))
    assert image.width() == 600
    assert image.height() < 2 * (label.fontMetrics().height() + 2 * MARGIN_PX) + 4
    surface = theme.current().surface.rgb()
    assert any(image.pixel(x, y) != surface for x in range(600) for y in range(image.height()))


def test_png_has_at_least_two_pixels_per_pixel_of_the_screen(qtbot):
    chart = QWidget()
    qtbot.addWidget(chart)
    chart.resize(300, 200)
    assert QImage.fromData(render_png(chart)).size() == chart.size() * 2
