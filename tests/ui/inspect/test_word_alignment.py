"""Word alignment of MT and post-edit in the reader: aligned words, edit marks, highlighting and descriptions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest

from qe_desktop.corpus import AlignmentColumn, Kind, TextColumn, TextRole, View
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.reader.segment_words import MAX_TOKENS, align_words
from qe_desktop.ui.inspect.reader.word_decorations import EditType, draw_edit_type
from tests.ui.inspect.conftest import rich_corpus

MT = ["the cat sat here indeed on a warm mat", "a b", "x", ""]
EDITED = ["The cat lay here on a very warm mat", "a b", "", "y"]
TEXTS = {TextRole.MT: TextColumn.of(MT), TextRole.POST_EDIT: TextColumn.of(EDITED)}


def view(texts=TEXTS):
    links = AlignmentColumn.of([[(0, 1), (1, 2)], [], [], []])
    source = TextColumn.of(["Katze lag", "p", "q", "r"])
    return View(replace(rich_corpus(), texts={TextRole.SOURCE: source, **texts}, layers={}, alignments=links))


@pytest.fixture
def reader(qtbot, workspace) -> SegmentTagEditor:
    workspace.open(view().corpus)
    widget = SegmentTagEditor(workspace)
    qtbot.addWidget(widget)
    widget.resize(700, 400)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def test_words_of_mt_and_post_edit_are_aligned():
    alignment = align_words(view(), 0)
    # “The” replaces “the”, “lay” replaces “sat”; “indeed” is removed, “very” is new
    assert alignment.post_edit_indices == (0, 1, 2, 3, None, 4, 5, 7, 8)
    assert alignment.mt_indices == (0, 1, 2, 3, 5, 6, None, 7, 8)
    assert alignment.removed_words == [4]
    marks = {word: alignment.edit_type(word) for word in range(9) if alignment.edit_type(word) is not None}
    assert marks == {0: EditType.SUBSTITUTED, 2: EditType.SUBSTITUTED, 6: EditType.INSERTED}
    assert alignment.post_edit_of({5, 4, 99}) == {4}
    assert (alignment.mt_of(5), alignment.mt_of(6), alignment.mt_of(99)) == ({6}, set(), set())


def test_alignment_of_unchanged_removed_and_new_segments():
    same, removed, new = (align_words(view(), segment) for segment in (1, 2, 3))
    assert (same.post_edit_indices, same.removed_words, same.substituted_words) == ((0, 1), [], frozenset())
    assert (removed.post_edit_indices, removed.removed_words, removed.mt_indices) == ((None,), [0], ())
    assert (new.post_edit_indices, new.edit_type(0)) == ((), EditType.INSERTED)


def test_no_alignment_without_both_texts_or_beyond_the_token_limit():
    assert align_words(view({TextRole.MT: TEXTS[TextRole.MT]}), 0) is None
    assert align_words(view({TextRole.POST_EDIT: TEXTS[TextRole.POST_EDIT]}), 0) is None
    long = TextColumn.of(["w " * (MAX_TOKENS + 1), "a", "b", "c"])
    assert align_words(view({**TEXTS, TextRole.MT: long}), 0) is None


def test_end_of_segment_position_is_not_aligned(qtbot, workspace):
    workspace.open(replace(view().corpus, eos=True))
    widget = SegmentTagEditor(workspace)
    qtbot.addWidget(widget)
    widget.go_to_index(9)
    assert widget._highlighted_words() == {Kind.SOURCE: set(), Kind.TRANSLATION: set()}
    assert "post-edit" not in widget.describe((Kind.WORDS, 9))


def centre_of_word(reader, role, word):
    block = next(block for block in reader.page.blocks if block.role is role)
    return reader.page.word_rects(block, word)[0].center().toPoint()


def hover(reader, role, word):
    QTest.mouseMove(reader, centre_of_word(reader, TextRole.MT, 0))
    QTest.mouseMove(reader, centre_of_word(reader, role, word))
    return reader._highlighted_words()


def test_hover_highlights_aligned_words_in_all_texts(reader):
    assert hover(reader, TextRole.MT, 2) == {Kind.WORDS: {2}, Kind.SOURCE: {1}, Kind.TRANSLATION: {2}}
    assert hover(reader, TextRole.SOURCE, 0) == {Kind.SOURCE: {0}, Kind.WORDS: {1}, Kind.TRANSLATION: {1}}
    assert hover(reader, TextRole.POST_EDIT, 2) == {Kind.TRANSLATION: {2}, Kind.WORDS: {2}, Kind.SOURCE: {1}}
    assert hover(reader, TextRole.POST_EDIT, 6) == {Kind.TRANSLATION: {6}, Kind.WORDS: set(), Kind.SOURCE: set()}


def test_cursor_highlights_the_aligned_words(reader):
    reader.go_to_index(5)
    assert reader._highlighted_words() == {Kind.SOURCE: set(), Kind.TRANSLATION: {4}}


def test_click_on_the_post_edit_does_not_move_the_cursor(reader):
    reader.go_to_index(1)
    QTest.mouseClick(reader, Qt.MouseButton.LeftButton, pos=centre_of_word(reader, TextRole.POST_EDIT, 5))
    assert reader.word_cursor.index == 1


@pytest.mark.parametrize(
    ("kind", "word", "says"),
    [
        (Kind.WORDS, 0, "post-edit: replaced by “The”"),
        (Kind.WORDS, 1, "post-edit: kept"),
        (Kind.WORDS, 4, "post-edit: deleted"),
        (Kind.TRANSLATION, 0, "word 1 of 9 of the post-edit, “The”; replaces “the”"),
        (Kind.TRANSLATION, 1, "word 2 of 9 of the post-edit, “cat”; kept"),
        (Kind.TRANSLATION, 6, "word 7 of 9 of the post-edit, “very”; inserted: no aligned MT word"),
    ],
)
def test_description_states_how_a_word_was_edited(reader, kind, word, says):
    assert says in reader.describe((kind, word))


@pytest.mark.parametrize("name", theme.THEMES)
def test_marks_differ_by_shape(qtbot, name):
    shapes = set()
    for revised in EditType:
        image = QImage(60, 30, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.THEMES[name].surface))
        painter = QPainter(image)
        draw_edit_type(painter, QRectF(4, 4, 50, 22), revised, theme.THEMES[name])
        painter.end()
        ground = image.pixel(0, 0)
        shapes.add(tuple(image.pixel(x, y) != ground for x in range(60) for y in range(30)))
    assert len(shapes) == len(EditType)


def test_reader_paints_marks_on_edited_words(reader, workspace):
    changed = reader.grab().toImage()
    corpus = workspace.corpus
    workspace.open(replace(corpus, texts={**corpus.texts, TextRole.MT: corpus.text(TextRole.POST_EDIT)}))
    same = reader.grab().toImage()
    ink = theme.current().ok
    assert count(changed, ink) > count(same, ink) + 20


def count(image: QImage, colour: QColor) -> int:
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return sum(image.pixelColor(x, y) == colour for x, y in places)
