"""Inspect area: list, filters, navigation, and how list, reader and workspace follow each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import Corpus, Kind, MetricColumn, TextColumn, TextRole
from qe_desktop.corpus.tag_voting import FULL_MARK
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.project import Edit, ReviewField
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.segment_list import segment_model
from qe_desktop.ui.inspect.segment_list.segment_model import (
    SegmentColumn,
    SegmentListState,
    SegmentModel,
    _rows_by_segment,
)
from qe_desktop.ui.inspect.segment_list.tag_finder import BAD_FINDER, DISPUTED_FINDER
from qe_desktop.ui.scores.number_format import format_signed
from tests.ui.inspect.conftest import GOLD, A, B


def listed_segments(area: InspectArea) -> list[int]:
    return area.model.segments.tolist()


def test_segment_model_passes_the_model_testers(rich_workspace, qtmodeltester):
    model = SegmentModel()
    model.show(SegmentListState(rich_workspace.view, Kind.WORDS, np.arange(4)))
    qtmodeltester.check(model)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(SegmentListState(rich_workspace.view, Kind.WORDS, np.array([2, 0])))
    assert tester is not None
    assert model.index(0, SegmentColumn.MT).data() == "Ein längerer Satz mit sieben Wörtern"
    assert model.index(0, SegmentColumn.NUMBER).data() == "3"
    assert model.index(0, SegmentColumn.BAD).data() == "2"
    assert model.index(1, SegmentColumn.DISPUTED).data() == "3"
    assert model.index(0, SegmentColumn.BAD).data(Qt.ItemDataRole.AccessibleTextRole) == "2 BAD"
    assert model.row_of(0) == 1
    assert model.row_of(3) is None


def test_model_without_rows_keeps_the_view_and_kind_of_tags(rich_workspace):
    model = SegmentModel()
    model.show(SegmentListState(rich_workspace.view, Kind.WORDS, np.arange(0)))
    model.update_all_tags(rich_workspace.view, Kind.GAPS)
    assert model.list_state.kind is Kind.GAPS


def test_row_lookup_table_is_built_only_for_new_segments(rich_workspace, monkeypatch):
    table_sizes = []

    def rows_by_segment(segments):
        table_sizes.append(len(segments))
        return _rows_by_segment(segments)

    monkeypatch.setattr(segment_model, "_rows_by_segment", rows_by_segment)
    model = SegmentModel()
    assert model.row_of(0) is None
    listing = SegmentListState(rich_workspace.view, Kind.WORDS, np.array([2, 0, 3]))
    model.show(listing)
    assert [model.row_of(segment) for segment in (-1, 0, 1, 2, 3, 4)] == [None, 1, None, 0, 2, None]
    model.update_view(rich_workspace.view, [0, 2])
    model.show(replace(listing, sorted_by=None))
    assert model.row_of(3) == 2
    assert table_sizes == [0, 3]
    model.show(SegmentListState(rich_workspace.view, Kind.WORDS, np.array([3, 2])))
    assert [model.row_of(segment) for segment in (0, 2, 3)] == [None, 1, 0]
    assert table_sizes == [0, 3, 2]


def test_an_edit_changes_the_row(area, rich_workspace, qtbot):
    with qtbot.waitSignal(area.model.dataChanged):
        rich_workspace.edit(Edit(GOLD, 3, (0, 1), (1, 1)))
    assert area.model.index(3, SegmentColumn.BAD).data() == "2"


def test_the_list_and_the_reader_follow_each_other(area, rich_workspace):
    area.reader.set_locked(False)
    area.view.setFocus()
    QTest.keyClick(area.view, Qt.Key.Key_Down)
    assert rich_workspace.segment == 1
    assert area.reader.page.segment == 1
    QTest.keyClick(area.view, Qt.Key.Key_Right)
    assert area.reader.word_cursor.index == 1
    QTest.keyClick(area.view, Qt.Key.Key_Space)
    assert rich_workspace.session.view.segment_tags(GOLD, 1).tolist() == [0, 1, 1]
    area.reader.setFocus()
    QTest.keyClick(area.reader, Qt.Key.Key_Down)
    assert area.view.currentIndex().row() == 2


def test_filters_narrow_the_list(area, qtbot):
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.bad.click()
    assert listed_segments(area) == [0, 1, 2]
    assert area.filters.count.text() == "3 of 4"
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.document.setCurrentText("d2")
        area.filters.document.activated.emit(area.filters.document.currentIndex())
    assert listed_segments(area) == [2]
    area.filters.reset()
    assert listed_segments(area) == [0, 1, 2, 3]
    # in a narrow row, the number is alone, and its tooltip states what it counts
    assert area.filters.count.text() == "4 segments"
    area.show()
    area.filters.row.setFixedWidth(area.filters.row.minimumSizeHint().width())
    qtbot.waitUntil(lambda: "count" in area.filters.row.folded_parts)
    assert (area.filters.count.text(), area.filters.count.toolTip()) == ("4", "4 segments")


def test_typing_in_the_search_field_filters_the_list(area, qtbot):
    area.start_search()
    with qtbot.waitSignal(area.model.modelReset):
        QTest.keyClicks(area.filters.search, "WELT")
    assert listed_segments(area) == [1]
    QTest.keyClick(area.filters.search, Qt.Key.Key_Return)
    assert area.reader.page.segment == 1
    with qtbot.waitSignal(area.model.modelReset):
        QTest.keyClick(area.filters.search, Qt.Key.Key_Escape)
    assert listed_segments(area) == [0, 1, 2, 3]


def test_search_without_matches_shows_a_count_of_zero(area, qtbot):
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.show_query(SegmentQuery(text="nowhere"))
    assert listed_segments(area) == []
    assert area.filters.count.text() == "0 of 4"


def test_navigation_visits_bad_and_disputed_words(area, rich_workspace):
    area.go_to_tag(BAD_FINDER, 1)
    assert (rich_workspace.segment, area.reader.word_cursor.index) == (0, 1)
    area.go_to_tag(BAD_FINDER, 1)
    assert (rich_workspace.segment, area.reader.word_cursor.index) == (1, 2)
    area.go_to_tag(BAD_FINDER, 1)
    area.go_to_tag(BAD_FINDER, 1)
    assert (rich_workspace.segment, area.reader.word_cursor.index) == (2, 3)
    area.go_to_tag(BAD_FINDER, 1)
    assert (rich_workspace.segment, area.reader.word_cursor.index) == (2, 3)
    area.go_to_tag(BAD_FINDER, -1)
    area.go_to_tag(BAD_FINDER, -1)
    assert (rich_workspace.segment, area.reader.word_cursor.index) == (1, 2)
    area.go_to_tag(DISPUTED_FINDER, 1)
    assert rich_workspace.segment == 2
    area.go_to_tag(DISPUTED_FINDER, -1)
    assert (rich_workspace.segment, area.reader.word_cursor.index) == (1, 2)


def test_difference_of_two_systems_is_listed_until_filters_are_reset(area, rich_workspace, qtbot):
    with qtbot.waitSignal(area.model.modelReset):
        area.show_difference(A, B, "accuracy", WORD_LEVEL)
    assert listed_segments(area)[0] == 0
    assert rich_workspace.segment == 0
    tags = sum(
        len(rich_workspace.session.view.segment_tags(A, segment)) for segment in range(rich_workspace.corpus.size)
    )
    influence = format_signed(3 / tags, area.model.list_state.difference.decimals)
    assert area.model.index(0, SegmentColumn.DIFFERENCE).data() == f"A {influence}"
    header = area.model.headerData(SegmentColumn.DIFFERENCE, Qt.Orientation.Horizontal)
    assert header == "effect on accuracy"
    assert not area.view.isColumnHidden(SegmentColumn.DIFFERENCE)
    area.filters.reset()
    assert area.view.isColumnHidden(SegmentColumn.DIFFERENCE)


def header_title(area, column: SegmentColumn) -> str:
    return area.model.headerData(column, Qt.Orientation.Horizontal)


def test_titles_tell_what_the_columns_show(area, rich_workspace, qtbot):
    assert (header_title(area, SegmentColumn.MT), header_title(area, SegmentColumn.BAD)) == ("MT", "BAD")
    with qtbot.waitSignal(area.model.headerDataChanged):
        rich_workspace.session.reviewing.set({1: {ReviewField.TARGET: "Hallo, Welt"}})
    assert header_title(area, SegmentColumn.MT) == "target"
    rich_workspace.undo()
    assert header_title(area, SegmentColumn.MT) == "MT"
    rich_workspace.set_kind(Kind.GAPS)
    assert header_title(area, SegmentColumn.BAD) == "BAD gaps"
    rich_workspace.set_kind(Kind.SOURCE)
    assert header_title(area, SegmentColumn.BAD) == "BAD source"


def test_list_marks_gaps_instead_of_words_while_it_counts_gaps(area, rich_workspace):
    bad = theme.current().bad.rgb()

    def bad_pixels() -> int:
        area.view.viewport().repaint()
        rect = area.view.visualRect(area.model.index(0, SegmentColumn.MT))
        image = area.view.grab(rect.translated(area.view.viewport().pos())).toImage()
        return sum(image.pixel(x, y) == bad for x in range(image.width()) for y in range(image.height()))

    assert area.model.column_marks(0, SegmentColumn.MT).tolist() == [0, FULL_MARK, 0, 0]
    words = bad_pixels()
    rich_workspace.set_kind(Kind.GAPS)
    assert area.model.column_marks(0, SegmentColumn.MT).tolist() == [0, 0, 0, FULL_MARK, 0]
    assert 0 < bad_pixels() < words
    # the gold of other segments has no BAD gaps
    assert not area.model.column_marks(3, SegmentColumn.MT).any()


def test_threshold_slider_changes_the_tags_and_reset_restores_them(area, rich_workspace):
    bar = area.tag_toolbar
    assert bar.threshold_value.text() == "own tags"
    assert bar.reset_button.isHidden()
    bar.slider.setValue(90)
    assert rich_workspace.session.view.segment_tags(A, 0).tolist() == [0, 0, 0, 0]
    assert bar.threshold_value.text() == ".90"
    bar.slider.setValue(10)
    assert rich_workspace.session.view.segment_tags(A, 0).tolist() == [1, 1, 1, 1]
    bar.reset_button.click()
    assert rich_workspace.session.view.segment_tags(A, 0).tolist() == [0, 1, 0, 0]


def test_annotation_layer_is_created_as_a_copy_and_becomes_the_target(area, rich_workspace):
    rich_workspace.settings.person = "Anna"
    box = area.tag_toolbar.target
    rich_workspace.level_changed.emit()
    index = next(i for i in range(box.count()) if "copy of" in box.itemText(i))
    box.setCurrentIndex(index)
    box.activated.emit(index)
    assert rich_workspace.target.name == "Anna"
    assert rich_workspace.session.view.tags(rich_workspace.target) == rich_workspace.session.view.tags(GOLD)
    assert "Anna (annotator)" in [box.itemText(i) for i in range(box.count())]


def test_next_kind_cycles_through_the_tag_kinds(area, rich_workspace):
    kinds = []
    for _ in range(3):
        area.tag_toolbar.next_kind()
        kinds.append(rich_workspace.kind)
    assert kinds == [Kind.GAPS, Kind.SOURCE, Kind.WORDS]


def test_going_to_a_hidden_segment_resets_the_filters(area, rich_workspace, qtbot, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.inspect.area.ask_number", lambda *a: 4)
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.bad.click()
    area.ask_segment()
    assert rich_workspace.segment == 3
    assert listed_segments(area) == [0, 1, 2, 3]


def test_segment_requested_by_another_area_is_shown_despite_filters(area, rich_workspace, qtbot):
    with qtbot.waitSignal(area.model.modelReset):
        area.filters.bad.click()
    rich_workspace.segment_requested.emit(3)
    assert rich_workspace.segment == 3
    assert area.view.currentIndex().row() == area.model.row_of(3)


def test_closing_the_corpus_clears_list_and_reader(area, rich_workspace):
    rich_workspace.close()
    assert listed_segments(area) == []
    assert area.reader.page is None


def test_navigation_works_beyond_the_scan_limit(area, rich_workspace, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.inspect.segment_list.tag_finder.MAX_ROWS_SCANNED", 0)
    test_navigation_visits_bad_and_disputed_words(area, rich_workspace)


def test_references_added_to_an_open_corpus_are_shown_and_searched(area, rich_workspace, qtbot):
    """References are shown in the comparison below the reader, which shows only tagged texts."""
    first = TextColumn.of(["die Katze", "hallo", "eine Referenz", "shalom"])
    for references in ({"A": first}, {"A": first, "B": TextColumn.of(["a", "b", "c", "d"])}):
        rich_workspace.session.extend(replace(rich_workspace.corpus, references=references))
        assert TextRole.REFERENCE not in [block.role for block in area.reader.page.blocks]
        assert area.fold_bar.translations.isVisible()
        lines = area.comparison.service.comparison.lines
        assert [line.name for line in lines[: len(references)]] == [f"reference {name}" for name in references]
        assert lines[0].text == "die Katze"
    QTest.keyClicks(area.filters.search, "referenz")
    qtbot.waitUntil(lambda: listed_segments(area) == [2])


def test_untagged_mt_is_compared_with_its_reference_and_can_be_tagged(area, workspace, qtbot):
    texts = {role: column for role, column in workspace.corpus.texts.items() if role is not TextRole.POST_EDIT}
    reference = {"A": TextColumn.of(["die Katze", "hallo", "eine Referenz", "shalom"])}
    workspace.open(replace(workspace.corpus, texts=texts, layers={}, references=reference))
    assert [line.name for line in area.comparison.service.comparison.lines] == ["reference A", "MT"]
    assert [block.role for block in area.reader.page.blocks] == [TextRole.SOURCE]
    assert area.tag_toolbar.is_taggable
    area.header.legend.click()
    assert area.legend_popup.tags.isHidden()
    # Space in the list does not start a layer
    QTest.keyClick(area.reader, Qt.Key.Key_Space)
    # the first tag moves the MT to the reader, with a tag row
    assert [block.role for block in area.reader.page.blocks] == [TextRole.SOURCE, TextRole.MT]
    assert [line.name for line in area.comparison.service.comparison.lines] == ["reference A"]
    assert not area.legend_popup.tags.isHidden()


def test_added_metric_scores_become_metrics_of_the_level(rich_workspace, qtbot):
    rich_workspace.set_level(TRANSLATIONS)
    scores = {"COMET": MetricColumn({"MT": np.arange(4.0)})}
    with qtbot.waitSignal(rich_workspace.level_changed):
        rich_workspace.session.extend(replace(rich_workspace.corpus, metric_scores=scores))
    assert "COMET" in rich_workspace.level.metrics
    with qtbot.assertNotEmitted(rich_workspace.level_changed):
        rich_workspace.session.extend(
            replace(rich_workspace.corpus, references={"A": rich_workspace.corpus.text(TextRole.MT)})
        )
    assert [key.name for key in rich_workspace.references()] == ["A"]


def test_translations_without_an_mt_have_no_tag_filters_and_are_searched(area, workspace, qtbot):
    texts = {"one": TextColumn.of(["die Katze", "hallo", "ein Hund", "x"])}
    workspace.open(Corpus("several", 4, translations=texts, references={"A": TextColumn.of(["a", "b", "c", "d"])}))
    assert all(toggle.isHidden() for toggle in (area.filters.bad, area.filters.disputed, area.filters.edited))
    assert area.filters.search.isEnabled()
    # the long placeholder would not fit into the field of a narrow window
    assert area.filters.search.placeholderText() == "Find in all texts…"
    assert area.filters.search.toolTip() == "Find in source, translations and references"
    QTest.keyClicks(area.filters.search, "hund")
    qtbot.waitUntil(lambda: listed_segments(area) == [2])
    framed = area.comparison.view.grab().toImage()
    area.comparison.view.show_search_matches("")
    assert area.comparison.view.grab().toImage() != framed


def test_search_matches_are_framed_in_list_and_reader(area, workspace, qtbot):
    QTest.keyClicks(area.filters.search, "welt")
    qtbot.waitUntil(lambda: listed_segments(area) == [1])
    assert area.model.search_text == "welt"
    listed, read = area.view.viewport().grab().toImage(), area.reader.grab().toImage()
    # the same row and reader without the search text
    area.model.show(replace(area.model.list_state, search_text=""))
    area.view.show_row(0)
    assert area.view.viewport().grab().toImage() != listed
    area.reader.show_search_matches("")
    assert area.reader.grab().toImage() != read
    area.reader.show_search_matches("welt")
    assert area.reader.grab().toImage() == read


def test_search_text_repaints_the_source_pane(area, qtbot):
    painted = []

    class PaintWatcher(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            painted.extend([watched] if event.type() == QEvent.Type.Paint else [])
            return False

    watcher, source = PaintWatcher(area), area.segment_pane.source
    qtbot.waitExposed(area)
    QApplication.processEvents()
    source.installEventFilter(watcher)
    area.reader.show_search_matches("cat")
    qtbot.waitUntil(lambda: source in painted)


def test_keys_for_translations_change_no_setting_if_there_are_none(area, rich_workspace):
    """The keys B and A changed how the translations of files opened later were shown."""
    settings = rich_workspace.settings
    before = settings.open_folds, settings.all_translations
    area.fold_bar.enter_translations()
    area.comparison.toggle_all_texts()
    assert (settings.open_folds, settings.all_translations) == before
