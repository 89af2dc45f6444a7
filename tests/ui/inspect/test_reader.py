"""Reader: moving the cursor, selecting, toggling and explaining by keyboard and mouse."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import Corpus, Kind, Layer, NumberColumn, Provenance, TextColumn, TextRole
from qe_desktop.local_qe.qa_checks.runner import run_checks
from qe_desktop.project import Edit
from qe_desktop.ui import theme
from qe_desktop.ui.highlighting.highlighting_settings import CheckSettings
from qe_desktop.ui.inspect.reader import check_reasons
from qe_desktop.ui.inspect.reader.segment_descriptions import scores_tooltip
from qe_desktop.ui.inspect.reader.segment_header import missing_tags_text
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.inspect.reader.segment_painter import SegmentPainter
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.reader.word_decorations import frame_around
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from tests.small_corpora import tags
from tests.ui.inspect.conftest import GOLD, A, B, layer_key


@pytest.fixture
def reader(qtbot, rich_workspace) -> SegmentTagEditor:
    widget = SegmentTagEditor(rich_workspace)
    widget.set_locked(False)
    qtbot.addWidget(widget)
    widget.resize(700, 400)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def press(reader: SegmentTagEditor, *keys: Qt.Key, shift: bool = False) -> None:
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    for code in keys:
        QTest.keyClick(reader, code, modifier)


def centre_of_word(reader: SegmentTagEditor, word: int) -> QPoint:
    return reader.page.position_rect(word).center().toPoint()


def test_cursor_does_not_cut_adjacent_words():
    word = QRectF(100, 0, 10, 20)
    before, after, above = QRectF(50, 0, 50, 20), QRectF(114, 0, 30, 20), QRectF(90, -30, 40, 20)
    assert frame_around(word, []) == QRectF(97, -2, 16, 24)
    assert frame_around(word, [above]) == QRectF(97, -2, 16, 24)
    assert frame_around(word, [before, after]) == QRectF(100, -2, 12, 24)


def test_arrow_keys_move_the_cursor_and_stop_at_the_edges(reader):
    press(reader, Qt.Key.Key_Left)
    assert reader.word_cursor.index == 0
    press(reader, Qt.Key.Key_Right, Qt.Key.Key_Right)
    assert reader.word_cursor.index == 2
    press(reader, Qt.Key.Key_End)
    assert reader.word_cursor.index == 3
    press(reader, Qt.Key.Key_Right)
    assert reader.word_cursor.index == 3
    press(reader, Qt.Key.Key_Home)
    assert reader.word_cursor.index == 0


def test_left_arrow_moves_forward_in_right_to_left_text(reader, rich_workspace):
    rich_workspace.settings.mt_direction = "rtl"
    rich_workspace.go_to(3)
    press(reader, Qt.Key.Key_Left)
    assert reader.word_cursor.index == 1
    press(reader, Qt.Key.Key_Right)
    assert reader.word_cursor.index == 0


def test_space_toggles_a_tag_and_undo_reverts_it(reader, rich_workspace):
    press(reader, Qt.Key.Key_Space)
    assert rich_workspace.session.view.segment_tags(GOLD, 0).tolist() == [1, 1, 0, 0]
    assert rich_workspace.session.undo_text == "word 1 OK → BAD, segment 1"
    rich_workspace.undo()
    assert rich_workspace.session.view.segment_tags(GOLD, 0).tolist() == [0, 1, 0, 0]


def test_locked_gold_is_not_edited_and_a_message_says_how_to_unlock_it(reader, rich_workspace):
    messages = []
    rich_workspace.failed.connect(messages.append)
    reader.toggle_lock()
    press(reader, Qt.Key.Key_Space)
    QTest.mouseDClick(reader, Qt.MouseButton.LeftButton, pos=centre_of_word(reader, 0))
    assert rich_workspace.session.view.segment_tags(GOLD, 0).tolist() == [0, 1, 0, 0]
    assert not rich_workspace.session.undo_text
    assert ["lock" in error.hint for error in messages] == [True, True]
    reader.toggle_lock()
    press(reader, Qt.Key.Key_Space)
    assert rich_workspace.session.view.segment_tags(GOLD, 0).tolist() == [1, 1, 0, 0]
    # the gold of another corpus is locked again
    rich_workspace.open(rich_workspace.corpus)
    assert reader.is_locked


def test_opening_the_gold_is_confirmed_by_a_message(reader, rich_workspace):
    reader.set_locked(True)
    messages = []
    reader.message_posted.connect(messages.append)
    reader.toggle_lock()
    assert "Space" in messages[0]
    assert not reader.is_locked
    reader.toggle_lock()
    assert messages[1:] == [""]
    # a layer without a lock cannot be unlocked
    rich_workspace.add_own_layer()
    reader.toggle_lock()
    assert len(messages) == 2
    rich_workspace.set_target(GOLD)
    assert reader.is_locked


def test_shift_extends_the_selection_and_space_sets_one_tag_for_all(reader, rich_workspace):
    press(reader, Qt.Key.Key_Right)
    press(reader, Qt.Key.Key_Right, Qt.Key.Key_Right, shift=True)
    assert reader.word_cursor.selected() == (1, 2, 3)
    press(reader, Qt.Key.Key_Space)
    assert rich_workspace.session.view.segment_tags(GOLD, 0).tolist() == [0, 1, 1, 1]
    press(reader, Qt.Key.Key_Escape)
    assert reader.word_cursor.selected() == (3,)


def test_down_arrow_requests_the_next_segment(reader, qtbot):
    with qtbot.waitSignal(reader.step_requested) as step:
        press(reader, Qt.Key.Key_Down)
    assert step.args == [1]


def test_cursor_moves_over_gaps_and_source_words_and_edits_tags(reader, rich_workspace):
    rich_workspace.set_kind(Kind.GAPS)
    assert reader.word_cursor.count == 5
    press(reader, Qt.Key.Key_Space)
    gaps = rich_workspace.target
    assert gaps.kind is Kind.GAPS
    assert rich_workspace.session.view.segment_tags(gaps, 0).tolist() == [1, 0, 0, 1, 0]
    rich_workspace.set_kind(Kind.SOURCE)
    assert reader.word_cursor.count == 4
    press(reader, Qt.Key.Key_Right, Qt.Key.Key_Space)
    assert rich_workspace.session.view.segment_tags(rich_workspace.target, 0).tolist() == [0, 0, 0, 0]


def test_mouse_moves_the_cursor_selects_and_toggles(reader, rich_workspace):
    QTest.mouseClick(reader, Qt.MouseButton.LeftButton, pos=centre_of_word(reader, 2))
    assert reader.word_cursor.index == 2
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.mouseClick(reader, Qt.MouseButton.LeftButton, shift, centre_of_word(reader, 3))
    assert reader.word_cursor.selected() == (2, 3)
    QTest.mouseDClick(reader, Qt.MouseButton.LeftButton, pos=centre_of_word(reader, 3))
    assert rich_workspace.session.view.segment_tags(GOLD, 0).tolist()[3] == 1


def test_hover_highlights_the_aligned_words(reader):
    QTest.mouseMove(reader, centre_of_word(reader, 1))
    QTest.mouseMove(reader, centre_of_word(reader, 2))
    assert reader._highlighted_words() == {Kind.WORDS: {2}, Kind.SOURCE: {2}, Kind.TRANSLATION: {2}}


def test_description_states_the_tags_of_a_word_or_gap(reader):
    text = reader.describe((Kind.WORDS, 1))
    assert "word 2 of 4, “Katze”" in text
    assert "gold: BAD" in text
    assert "A: BAD, a hit, P(BAD) .80" in text
    assert "B <b>: BAD, a hit" in text
    assert "a false alarm" in reader.describe((Kind.WORDS, 0))
    assert reader.describe((Kind.GAPS, 3)).startswith("gap between “saß” and “.”")
    assert reader.accessibleDescription().startswith("word 1 of 4")


def test_qa_check_reasons_are_described_when_they_were_not_saved(qtbot, workspace):
    texts = {TextRole.SOURCE: TextColumn.of(["with 340 men"]), TextRole.MT: TextColumn.of(["mit 430 Mann"])}
    corpus = Corpus("made", 1, texts, language_pair="en-de")
    layers = {layer.key: replace(layer, reasons=None) for layer in run_checks(corpus)}
    workspace.open(replace(corpus, layers=layers))
    widget = SegmentTagEditor(workspace)
    qtbot.addWidget(widget)
    assert widget.describe((Kind.WORDS, 1)).endswith("checks: BAD; the source has 340, not 430")
    assert widget.describe((Kind.WORDS, 0)).endswith("checks: OK")


def test_reasons_that_were_not_saved_are_those_of_the_word_lists(qtbot, workspace, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("Mann\n")
    workspace.settings.forbidden_words_file = str(path)
    texts = {TextRole.SOURCE: TextColumn.of(["three men", "b"]), TextRole.MT: TextColumn.of(["drei Mann", "b"])}
    corpus = Corpus("made", 2, texts, language_pair="en-de")
    checks = CheckSettings.of(workspace.settings).checks()
    layers = {layer.key: replace(layer, reasons=None) for layer in run_checks(corpus, checks)}
    workspace.open(replace(corpus, layers=layers))
    widget = SegmentTagEditor(workspace)
    qtbot.addWidget(widget)
    assert widget.describe((Kind.WORDS, 1)).endswith("checks: BAD")
    qtbot.waitUntil(workspace.jobs.is_idle)
    assert widget.describe((Kind.WORDS, 1)).endswith("checks: BAD; “Mann” is a forbidden word")
    # the segment is checked once, however often it is described
    with patch.object(check_reasons, "recompute_reasons") as recompute:
        assert widget.describe((Kind.WORDS, 1)).endswith("“Mann” is a forbidden word")
    recompute.assert_not_called()


def test_system_tags_cannot_be_edited(reader, rich_workspace, qtbot):
    rich_workspace.set_target(A)
    with qtbot.waitSignal(rich_workspace.failed) as failed:
        press(reader, Qt.Key.Key_Space)
    assert "cannot be edited" in failed.args[0].line()
    assert rich_workspace.session.undo_text == ""


def test_toggling_without_gold_creates_an_annotation_layer(qtbot, workspace):
    from tests.small_corpora import corpus_of, tags

    workspace.settings.person = "Anna"
    workspace.open(corpus_of(None, {"A": tags("ob"), "B": tags("oo")}))
    widget = SegmentTagEditor(workspace)
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    press(widget, Qt.Key.Key_Space)
    assert workspace.target.name == "Anna"
    # a copy of the displayed tags (OK BAD) with the first word toggled to BAD
    assert workspace.session.view.segment_tags(workspace.target, 0).tolist() == [1, 1]
    workspace.undo()
    workspace.undo()
    assert workspace.target is None


def paint(reader: SegmentTagEditor) -> QImage:
    return reader.grab().toImage()


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_marks_differ_without_colour(reader, rich_workspace, qapp, name):
    """Hit, false alarm and miss differ in shape: their greyscale images differ."""
    theme.apply(qapp, name)
    try:
        pictures = []
        for tag in ((1, 1), (0, 1), (1, 0), (0, 0)):
            session = rich_workspace.session
            own = session.add_person("x", Kind.WORDS)
            session.apply(Edit(GOLD, 0, (2,), (tag[0],)))
            session.apply(Edit(own, 0, (2,), (tag[1],)))
            page, block = reader.page, reader.page.block(Kind.WORDS)
            row = next(index for index, track in enumerate(block.tag_rows) if track.name == "x")
            rect = page.word_rects(block, 2)[0]
            top = round(page.row_top(block, 0, row))
            image = paint(reader).copy(round(rect.left()), top, round(rect.width()), round(page.metrics.row_height))
            grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
            ink = [
                [grey.pixelColor(x, y).value() != grey.pixelColor(0, 0).value() for x in range(grey.width())]
                for y in range(grey.height())
            ]
            pictures.append(ink)
        shapes = {str(picture) for picture in pictures}
        assert len(shapes) == 4
    finally:
        theme.apply(qapp, "light")


def test_bad_word_is_darker_than_an_ok_word_with_the_same_probability(qtbot, workspace):
    words, probabilities = (layer_key(Provenance.SYSTEM, "A", kind) for kind in (Kind.WORDS, Kind.PROBABILITIES))
    column = tags("bo")
    numbers = NumberColumn(np.array([0.8, 0.8], np.float32), column.offsets)
    layers = {words: Layer(words, column, "a", form="n"), probabilities: Layer(probabilities, numbers)}
    workspace.open(Corpus("made", 1, {TextRole.MT: TextColumn.of(["mmm mmm"])}, layers))
    reader = SegmentTagEditor(workspace)
    qtbot.addWidget(reader)
    reader.resize(700, 400)
    rects = [reader.page.word_rects(reader.page.block(Kind.WORDS), word)[0] for word in (0, 1)]
    image = paint(reader)
    bad, ok = (image.pixelColor(round(rect.left()) + 1, round(rect.top()) + 2).lightness() for rect in rects)
    assert bad < ok < theme.current().surface.lightness()


def test_an_edit_repaints_the_word(reader, rich_workspace):
    before = paint(reader)
    rich_workspace.edit(Edit(GOLD, 0, (0,), (1,)))
    assert paint(reader) != before
    rich_workspace.undo()
    assert paint(reader) == before


def test_reader_without_a_corpus_is_painted_and_ignores_keys(qtbot, workspace):
    widget = SegmentTagEditor(workspace)
    qtbot.addWidget(widget)
    widget.resize(300, 200)
    before = paint(widget)
    assert (before.width(), before.height()) == (300, 200)
    press(widget, Qt.Key.Key_Space, Qt.Key.Key_Right)
    assert workspace.session is None
    assert paint(widget) == before


def test_system_names_are_shown_as_plain_text(reader):
    # the words show the gold
    assert [track.name for track in reader.page.block(Kind.WORDS).tag_rows] == ["A", "B <b>"]
    assert B.name == "B <b>"


def test_names_of_rows_keep_their_descenders(reader):
    painter = SegmentPainter(reader.page, theme.current(), 0, (), {}, has_focus=False, target=None)
    heights = []
    # rows are lower than lines of text; a row of half the height shows it with every font
    for row in (reader.page.metrics.row_height / 2, reader.page.metrics.row_height * 3):
        image = QImage(200, 200, QImage.Format.Format_RGB32)
        image.fill(theme.current().surface)
        ground = image.pixel(0, 0)
        onto = QPainter(image)
        painter._paint_label(onto, "gpj", 80, row, muted=False)
        onto.end()
        heights.append(sum(any(image.pixel(x, y) != ground for x in range(200)) for y in range(200)))
    assert heights[0] == heights[1] > 0


def test_scores_of_the_segment_are_shown(reader):
    assert reader.page.header_text == "d1 · HTER .250"


def test_systems_without_tags_are_named_and_not_shown_as_all_ok(rich_workspace):
    """Systems with only scores or a translation were not listed, or had a row of OK tags."""
    corpus = rich_workspace.corpus
    scores = layer_key(Provenance.SYSTEM, "comet", Kind.SCORES)
    gaps = layer_key(Provenance.SYSTEM, "gaps\x1b[0m", Kind.GAPS)
    layers = {
        **corpus.layers,
        scores: Layer(scores, np.zeros(corpus.size)),
        gaps: Layer(gaps, corpus.layers[layer_key(Provenance.GOLD, "gold", Kind.GAPS)].tags),
    }
    translations = {"fluent": corpus.texts[TextRole.MT], "A": corpus.texts[TextRole.MT]}
    rich_workspace.open(replace(corpus, layers=layers, translations=translations))
    view = rich_workspace.view
    have = ("comet (segment scores)", r"gaps\x1b[0m (gap tags)", "fluent (translations)")
    assert missing_tags_text(view, Kind.WORDS) == f"No word tags: {'; '.join(have)}"
    assert "B <b> (word tags)" in missing_tags_text(view, Kind.SOURCE)
    page = SegmentLayout(view, 0, Kind.WORDS, 800.0, QApplication.font(), rich_workspace.settings)
    assert [track.name for track in page.blocks[1].tag_rows if track.provenance is Provenance.SYSTEM] == [
        "A", "B <b>", "gaps\x1b[0m",
    ]  # fmt: skip
    assert page.missing_tags == missing_tags_text(view, Kind.WORDS)
    rich_workspace.open(corpus)
    assert missing_tags_text(rich_workspace.view, Kind.WORDS) == ""


def test_text_direction_follows_the_column_unless_the_user_sets_it(qtbot, workspace):
    hebrew = ["iPhone", "הוא טלפון חכם", "זה משפט", "וזה עוד משפט"]
    texts = {TextRole.SOURCE: TextColumn.of(["a", "b", "c", "d"]), TextRole.MT: TextColumn.of(hebrew)}
    workspace.open(Corpus("made", 4, texts))
    reader = SegmentTagEditor(workspace)
    qtbot.addWidget(reader)
    right_to_left = {block.role: block.layout.right_to_left for block in reader.page.blocks}
    assert right_to_left == {TextRole.SOURCE: False, TextRole.MT: True}
    workspace.settings.mt_direction = "ltr"
    assert not reader.page.blocks[1].layout.right_to_left


def test_tooltips_explain_row_names_and_scores(reader):
    page = reader.page
    mt = page.block(Kind.WORDS)

    def tooltip(row: int) -> str:
        return reader.label_tooltip_at(QPointF(page.metrics.margin + 2, page.row_top(mt, 0, row) + 3))

    names = [track.name for track in mt.tag_rows]
    assert "Tags of system A" in tooltip(names.index("A"))
    assert reader.label_tooltip_at(QPointF(page.metrics.margin + 2, mt.top + 4)) == term_meaning("mt")
    assert term_meaning("hter") in scores_tooltip(page)
    # words have their own tooltip
    assert reader.label_tooltip_at(QPointF(page.metrics.left + 4, mt.top + 4)) == ""


def test_tooltip_of_a_text_names_systems_without_tags_as_a_sentence_of_its_own(reader, rich_workspace):
    """The period of the meaning was doubled, and the tooltip of the source began with a period."""
    for kind, meaning in ((Kind.WORDS, term_meaning("mt") + " "), (Kind.SOURCE, "")):
        rich_workspace.set_kind(kind)
        corpus = rich_workspace.corpus
        gaps = layer_key(Provenance.SYSTEM, "gaps", Kind.GAPS)
        layer = Layer(gaps, corpus.layers[layer_key(Provenance.GOLD, "gold", Kind.GAPS)].tags)
        source = layer_key(Provenance.SYSTEM, "A", Kind.SOURCE)
        tagged = Layer(source, corpus.layers[layer_key(Provenance.GOLD, "gold", Kind.SOURCE)].tags)
        rich_workspace.open(replace(corpus, layers={**corpus.layers, gaps: layer, source: tagged}))
        rich_workspace.set_kind(kind)
        page = reader.page
        block = page.block(kind)
        tip = reader.label_tooltip_at(QPointF(page.metrics.margin + 2, block.top + 4))
        assert tip == f"{meaning}{page.missing_tags}"
        assert page.missing_tags
