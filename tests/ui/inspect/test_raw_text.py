"""Raw text in Inspect: tags on its words, its end, its line breaks, and tokens where they do not match the text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.project import Edit
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.inspect.reader.word_layout import END_SIGN
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.small_corpora import tags

TOKENS = ["Sie sagte : &quot; Ja &quot; .", "同じ 内容 です 。", "eins zwei , drei", "weg damit ."]
TEXTS = ['Sie sagte: "Ja".', "同じ内容です。", "eins\u2028zwei, drei", "fort damit."]
GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
GAPS = LayerKey(Provenance.GOLD, "gold", Kind.GAPS)


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    layers = {
        GOLD: Layer(GOLD, tags("ooobooob", "obooo", "ooboo", "oooo")),
        GAPS: Layer(GAPS, tags("oooooooo", "obooo", "ooboo", "oooo")),
    }
    texts = {TextRole.MT: TextColumn.of(TOKENS), TextRole.RAW_MT: TextColumn.of(TEXTS)}
    workspace.open(Corpus("one", 4, texts, layers, eos=True))
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1000, 700)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def block(area: InspectArea):
    word_block = area.reader.page.block(Kind.WORDS)
    assert word_block is not None
    return word_block


def test_words_come_from_the_raw_text_and_the_end_has_a_symbol(area):
    assert block(area).layout.tokens == ("Sie", "sagte", ":", '"', "Ja", '"', ".", END_SIGN)
    assert block(area).layout.text == f'Sie sagte: "Ja". {END_SIGN}'
    assert area.reader.describe((Kind.WORDS, 3)).startswith('word 4 of 7, “"”; gold: BAD')
    assert area.reader.describe((Kind.GAPS, 3)).startswith('gap between “:” and “"”')
    assert area.reader.describe((Kind.GAPS, 7)).startswith("gap after the last word")


def test_cursor_reaches_the_end_and_its_tag_is_edited(area, workspace):
    reader = area.reader
    QTest.keyClick(reader, Qt.Key.Key_End)
    assert reader.word_cursor.index == 7
    assert reader.describe().startswith("end of the text (<EOS>): tag for words missing there; gold: BAD")
    reader.set_locked(False)
    QTest.keyClick(reader, Qt.Key.Key_Space)
    assert workspace.view.segment_tags(GOLD, 0)[7] == 0
    sign = reader.page.position_rect(7)
    assert reader.page.position_at(sign.center()) == (Kind.WORDS, 7)


def test_gaps_are_between_words_that_no_space_separates(area, workspace):
    workspace.set_kind(Kind.GAPS)
    workspace.go_to(1)
    page = area.reader.page
    assert page.position_count() == 5
    words = [page.word_rects(block(area), word)[0] for word in range(4)]
    for index in (1, 2, 3):
        assert words[index - 1].center().x() < page.gap_tip(block(area), index).x() < words[index].center().x()


def test_line_breaks_are_lines_in_the_reader_and_a_symbol_in_the_list(area, workspace):
    workspace.go_to(2)
    assert len(block(area).layout.lines) == 2
    assert area.model.index(2, SegmentColumn.MT).data() == "eins↵zwei, drei"
    assert area.model.index(0, SegmentColumn.MT).data() == TEXTS[0]


def test_raw_text_that_differs_from_the_tokens_is_shown_as_tokens_with_a_note(area, workspace):
    assert area.reader.page.footnote == ""
    workspace.go_to(3)
    assert block(area).layout.text == f"weg damit . {END_SIGN}"
    assert area.reader.page.footnote == "The MT is shown tokenized because its tokens do not match the raw text"
    assert area.reader.page.height > area.reader.page.footnote_rect.bottom()
    assert area.model.index(3, SegmentColumn.MT).data() == "weg damit ."


@pytest.mark.parametrize(
    ("text", "rows"),
    [("同じ内容", [1]), ("同じ 内容", [1]), ('"ja"', [0]), ("&quot;", [0]), ("FORT", [3]), ("weg", [3])],
)
def test_search_matches_raw_text_and_tokens(area, qtbot, text, rows):
    area.filters.search.setText(text)
    qtbot.waitUntil(lambda: area.model.segments.tolist() == rows)


def test_list_shows_a_bad_tag_at_the_end_of_the_text(area, workspace):
    def row() -> QImage:
        area.view.viewport().repaint()
        return area.view.viewport().grab(area.view.visualRect(area.model.index(0, SegmentColumn.MT))).toImage()

    workspace.go_to(1)
    bad = row()
    workspace.edit(Edit(GOLD, 0, (7,), (0,)))
    ok = row()
    assert bad != ok


def test_post_edit_that_differs_from_its_tokens_is_shown_as_tokens_with_a_note(qapp, workspace):
    texts = {TextRole.MT: "c d", TextRole.POST_EDIT: "c e", TextRole.RAW_POST_EDIT: "different"}
    corpus = Corpus("one", 1, {role: TextColumn.of([text]) for role, text in texts.items()})
    page = SegmentLayout(View(corpus), 0, Kind.WORDS, 800, QFont(), workspace.settings)
    assert page.footnote == "The post-edit is shown tokenized because its tokens do not match the raw text"
