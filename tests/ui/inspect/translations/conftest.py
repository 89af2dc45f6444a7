"""Short translations in several scripts, and a comparison view of them."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont

from qe_desktop.corpus import Corpus, TextColumn, TextRole, View
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import (
    SideBySide,
    SideBySideRequest,
    available_texts,
    displayed_texts,
    possible_bases,
    side_by_side,
)
from qe_desktop.ui.inspect.reader.layout_metrics import LayoutMetrics
from qe_desktop.ui.inspect.translations.comparison_view import TranslationComparisonView
from qe_desktop.ui.settings import Settings

SOURCE = ["A dog runs", "Hello world"]
REFERENCES = {"A": ["ein Hund läuft .", "שלום עולם"], "B": ["der Hund rennt .", "שלום לכולם"]}
SYSTEMS = {"near": ["ein Hund rennt .", "שלום , עולם"], "far 😀": ["😀 Katze , läuft.", "בוקר טוב"]}


def text_columns(named: dict[str, list[str]]) -> dict[str, TextColumn]:
    """Return one text column per list of lines."""
    return {name: TextColumn.of(lines) for name, lines in named.items()}


def corpus_of(references=REFERENCES, systems=SYSTEMS, source=SOURCE, **others) -> Corpus:
    """Return a corpus with references and translations of several systems."""
    return Corpus(
        "made", len(source), {TextRole.SOURCE: TextColumn.of(source)}, references=text_columns(references),
        translations=text_columns(systems), **others,
    )  # fmt: skip


def make_comparison(
    segment: int = 0, marking: str = "differences", corpus: Corpus | None = None, base: int = 0
) -> SideBySide:
    """Return a segment with its texts and marks, as the comparison view shows it."""
    corpus = corpus or corpus_of()
    available = available_texts(corpus)
    base_key = possible_bases(available)[base]
    return side_by_side(
        SideBySideRequest(View(corpus), segment, available, displayed_texts(available), base_key, DIFF_STYLES[marking])
    )


@pytest.fixture
def layout_metrics(qtbot, tmp_path):
    """Function that returns the layout metrics for a width."""
    settings = Settings(str(tmp_path / "sizes.ini"))
    font = QFont()
    font.setPointSizeF(10)
    return lambda width: LayoutMetrics.of(font, settings, ["reference A"], width)


@pytest.fixture
def view(qtbot, layout_metrics) -> TranslationComparisonView:
    """Visible comparison view of the first segment."""
    widget = TranslationComparisonView()
    qtbot.addWidget(widget)
    widget.resize(600, 400)
    widget.show_texts(make_comparison(), layout_metrics, "auto", 3)
    widget.show()
    qtbot.waitExposed(widget)
    return widget
