"""Keys and mouse in the segment list: they edit words and go to words only where the user intends it."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from qe_desktop.corpus import Corpus, Kind, Layer, Provenance, TextColumn, TextRole
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.small_corpora import corpus_of, tags
from tests.ui.inspect.conftest import A, layer_key, rich_corpus


def test_space_edits_no_tags_that_the_user_has_not_opened(area, workspace):
    messages = []
    workspace.failed.connect(messages.append)
    workspace.settings.person = "Anna"
    workspace.open(corpus_of(None, {"A": tags("ob"), "B": tags("oo")}))
    area.view.setFocus()
    QTest.keyClick(area.view, Qt.Key.Key_Space)
    assert workspace.target is None
    assert "Space" in messages[0].hint
    # in the text, Space starts a layer, which the list then edits
    QTest.keyClick(area.reader, Qt.Key.Key_Space)
    own = workspace.target
    assert workspace.session.undo_text == "word 1 OK → BAD, segment 1"
    QTest.keyClick(area.view, Qt.Key.Key_Space)
    assert workspace.view.segment_tags(own, 0).tolist() == [0, 1]
    assert len(messages) == 1


def test_space_edits_the_layer_of_an_annotator_after_it_was_selected_or_edited(area, workspace):
    anna = layer_key(Provenance.PERSON, "Anna")
    rich = rich_corpus()
    layers = {A: rich.layers[A], anna: replace(rich.layers[A], key=anna)}
    messages = []
    workspace.failed.connect(messages.append)
    for begin in (lambda: workspace.set_target(anna), lambda: QTest.keyClick(area.reader, Qt.Key.Key_Space)):
        workspace.open(replace(rich, layers=layers))
        QTest.keyClick(area.view, Qt.Key.Key_Space)
        assert (workspace.target, workspace.session.undo_text) == (anna, "")
        begin()
        before = workspace.view.segment_tags(anna, 0).tolist()
        QTest.keyClick(area.view, Qt.Key.Key_Space)
        assert workspace.view.segment_tags(anna, 0).tolist() != before
    assert len(messages) == 2


def click_twice(area: InspectArea, row: int, column: SegmentColumn, word: int) -> None:
    index = area.model.index(row, column)
    cell = QStyleOptionViewItem()
    area.view.initViewItemOption(cell)
    cell.rect = area.view.visualRect(index)
    delegate = area.view.itemDelegate()
    words = [delegate.word_at(cell, index, x) for x in range(cell.rect.left(), cell.rect.right())]
    # the middle of the word
    xs = [cell.rect.left() + x for x, found in enumerate(words) if found == word]
    point = QPoint(xs[len(xs) // 2], cell.rect.center().y())
    QTest.mouseClick(area.view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    QTest.mouseDClick(area.view.viewport(), Qt.MouseButton.LeftButton, pos=point)


@pytest.mark.parametrize(
    ("kind", "column", "cursor"),
    [
        (Kind.WORDS, SegmentColumn.MT, 2), (Kind.SOURCE, SegmentColumn.SOURCE, 2),
        # by the word alignment
        (Kind.WORDS, SegmentColumn.SOURCE, 2), (Kind.SOURCE, SegmentColumn.MT, 2),
    ],
)  # fmt: skip
def test_double_click_goes_to_the_word_in_the_text(area, workspace, kind, column, cursor):
    workspace.set_kind(kind)
    workspace.go_to(1)
    click_twice(area, 0, column, 2)
    assert workspace.segment == 0
    assert area.reader.word_cursor.index == cursor
    assert area.reader.hasFocus()
    assert area.review.controller.segment is None
    assert not workspace.session.undo_text


def test_words_of_excerpts_and_of_right_to_left_texts_are_found(area, workspace):
    texts = [" ".join(f"Wort{number}" for number in range(200)) + " Ende", "הוא טלפון חכם"]
    columns = {TextRole.SOURCE: TextColumn.of(["x", "y"]), TextRole.MT: TextColumn.of(texts)}
    workspace.open(Corpus("made", 2, columns, {A: Layer(A, tags("o" * 200 + "b", "ooo"))}))
    click_twice(area, 0, SegmentColumn.MT, 200)
    assert area.reader.word_cursor.index == 200
    click_twice(area, 1, SegmentColumn.MT, 0)
    assert area.reader.word_cursor.index == 0
    cell = area.view.visualRect(area.model.index(1, SegmentColumn.MT))
    option = QStyleOptionViewItem()
    area.view.initViewItemOption(option)
    option.rect = cell
    delegate, index = area.view.itemDelegate(), area.model.index(1, SegmentColumn.MT)
    places = [delegate.word_at(option, index, x) for x in range(cell.left(), cell.right())]
    # the first word is at the right
    assert [place for place, _ in groupby(places) if place is not None] == [2, 1, 0]


@pytest.mark.parametrize("name", ["light", "dark"])
def test_row_in_focus_has_a_frame(area, qapp, name):
    theme.apply(qapp, name)
    try:

        def edge() -> list[str]:
            image = area.view.viewport().grab().toImage()
            top = area.view.rowViewportPosition(area.view.currentIndex().row())
            return [image.pixelColor(area.view.viewport().width() // 2, top + line).name() for line in range(2)]

        area.view.setFocus()
        assert edge() == [theme.current().accent.name()] * 2
        area.reader.setFocus()
        assert theme.current().accent.name() not in edge()
    finally:
        theme.apply(qapp, "light")


def test_next_segment_from_one_that_is_not_listed_is_the_first_of_the_list(area, rich_workspace, qtbot):
    """The first row was skipped."""
    area.filters.show_query(SegmentQuery(listed_segments=(1, 2)))
    qtbot.waitUntil(lambda: area.model.rowCount() == 2)
    rich_workspace.go_to(3)
    area.step(-1)
    assert rich_workspace.segment == 3
    area.step(1)
    assert rich_workspace.segment == 1
