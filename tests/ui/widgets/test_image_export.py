"""Saving of charts as images: the file has the selected format."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.widgets import image_export
from qe_desktop.ui.widgets.image_export import ImageSource, ask_and_save_image


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
    around = SimpleNamespace(attempt=lambda action, *written: action(), settings=SimpleNamespace(last_folder=""))
    ask_and_save_image(ImageSource("Plot", lambda: chart), "svg", around, chart)
    assert [path.name for path in tmp_path.iterdir()] == [written]
    assert (tmp_path / written).read_bytes().startswith(beginning)
