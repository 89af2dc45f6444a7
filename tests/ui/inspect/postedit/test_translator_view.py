"""Translator's view of a bilingual file: what it shows and hides, and that typing changes no highlight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolTip, QWidget

from qe_desktop.corpus import (
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    Reasons,
    ReviewStatus,
    TagColumn,
    TextColumn,
    TextRole,
    View,
)
from qe_desktop.corpus.tag_voting import segment_marks
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.registry import parse_document
from qe_desktop.local_qe.qa_checks.runner import run_checks
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, TRANSLATOR_VIEW
from qe_desktop.ui.inspect.postedit.review_queue import FLAGGED
from qe_desktop.ui.inspect.reader.segment_descriptions import scores_tooltip
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import tooltip_of_lines
from tests.ui.inspect.postedit.conftest import (
    GOLD,
    GOLD_SCORES,
    OTHER,
    QUALITY,
    SYSTEM,
    evaluated_corpus,
    post_edit_controller,
    type_at_end,
)

FLAGS = ("oboob", "oboo", "bbo", "oobbo")


OF_THE_TARGET = ("removed", "added", "open target: flagged by some systems")
"""Entries of the legend for the target that is edited."""


def visible_columns(area: InspectArea) -> list[str]:
    header, model = area.view.horizontalHeader(), area.model
    order = sorted(SegmentColumn, key=header.visualIndex)
    shown = [column for column in order if not area.view.isColumnHidden(column)]
    return [str(model.headerData(column, Qt.Orientation.Horizontal)) for column in shown]


def painted(area: InspectArea) -> dict[str, object]:
    """Return the values from which the list, the reader and the open legend paint highlights."""
    if not area.header.legend.isChecked():
        area.header.legend.click()
    page, model = area.reader.page, area.model
    kinds = (Kind.WORDS, Kind.GAPS, Kind.SOURCE)
    marks = {kind: segment_marks(page.view, kind, page.segment, page.agreement) for kind in kinds}
    rows = range(model.rowCount())
    assert model._row_tags is not None
    return {
        "reader": {kind: None if kind_marks is None else kind_marks.tolist() for kind, kind_marks in marks.items()},
        "rows of tags": [block.tag_rows for block in page.blocks],
        "notes": page.footnote,
        "columns": visible_columns(area),
        "flags of the list": [model._row_tags.marks(Kind.WORDS, model.segment_at(row)).tolist() for row in rows],
        "counts": [model.index(row, SegmentColumn.BAD).data() for row in rows],
        "legend": [entry.label for entry in area.legend_popup.tags.entries if entry.label not in OF_THE_TARGET],
        "toolbar": area.tag_toolbar.has_targets,
    }


def test_list_of_a_bilingual_file_has_status_source_target_and_flags_only(evaluated_area):
    assert visible_columns(evaluated_area) == ["#", "○✓", "source", "target", "flagged"]
    texts = [evaluated_area.model.index(0, column).data() for column in (SegmentColumn.MT, SegmentColumn.BAD)]
    assert texts == ["Drücken Sie OK jetzt .", "2"]


def test_header_of_the_status_is_not_elided(evaluated_area):
    """With DejaVu, it was cut to an ellipsis."""
    view = evaluated_area.view
    assert view.columnWidth(SegmentColumn.STATUS) >= view._header.required_width(SegmentColumn.STATUS)


def test_reader_shows_source_and_flagged_mt_without_rows_of_tags(evaluated_area, workspace):
    page = evaluated_area.reader.page
    assert [block.role for block in page.blocks] == [TextRole.SOURCE, TextRole.MT]
    assert not any(block.tag_rows for block in page.blocks)
    assert segment_marks(page.view, Kind.WORDS, 1, page.agreement).tolist() == [0, 2, 1, 0]
    assert not evaluated_area.comparison.isVisible()
    assert evaluated_area.panel.isHidden()
    assert not evaluated_area.tag_toolbar.target.isVisible()
    workspace.go_to(1)
    evaluated_area.header.legend.click()
    entries = evaluated_area.legend_popup.tags.entries
    assert [entry.label for entry in entries[:2]] == ["flagged by all 2", "flagged by some systems"]
    statuses = [(entry.letter, entry.label) for entry in entries if entry.letter]
    assert statuses == [("○", "open"), ("✎", "edited"), ("✓", "confirmed"), ("✗", "rejected"), ("⊘", "locked")]


def test_flagged_words_are_described_with_the_probability_of_their_systems(qtbot, workspace):
    corpus, key = evaluated_corpus(), LayerKey(Provenance.SYSTEM, SYSTEM.name, Kind.PROBABILITIES)
    offsets = corpus.layers[SYSTEM].tags.offsets
    numbers = NumberColumn(np.full(int(offsets[-1]), 0.75, np.float32), offsets)
    workspace.open(replace(corpus, layers={**corpus.layers, key: Layer(key, numbers)}))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    workspace.go_to(1)
    texts = [area.reader.describe((Kind.WORDS, word)).split("; ")[1:] for word in (1, 2)]
    assert texts == [
        ["flagged by the QE systems qe and other", "qe: P(BAD) .75", "the systems state no reason"],
        ["flagged by the QE system “other”", "the system states no reason"],
    ]


def test_tooltip_of_a_word_is_hidden_in_another_segment(evaluated_area, workspace, qtbot):
    evaluated_area.reader.explain_cursor()
    assert QToolTip.isVisible()
    workspace.go_to(1)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_words_are_described_by_their_flags(evaluated_area, workspace):
    workspace.go_to(1)
    describe = evaluated_area.reader.describe
    both, other = (describe((Kind.WORDS, word)).split("; ")[1:] for word in (1, 2))
    assert both == ["flagged by the QE systems qe and other", "the systems state no reason"]
    assert other == ["flagged by the QE system “other”", "the system states no reason"]
    assert "; " not in evaluated_area.reader.describe((Kind.WORDS, 0))


def test_scores_of_the_file_have_a_name_and_an_explanation(evaluated_area, workspace):
    layer = replace(workspace.corpus.layers[QUALITY], form="studio-ranks")
    workspace.session.extend(replace(workspace.corpus, layers={**workspace.corpus.layers, QUALITY: layer}))
    workspace.go_to(1)
    page = evaluated_area.reader.page
    assert page.header_text == "MT quality: Adequate (scale: Poor–Good)"
    meaning = "Quality of the MT as estimated by Trados, from Poor (worst) to Good (best)."
    assert scores_tooltip(page) == f"MT quality: {meaning}"
    estimated = LayerKey(Provenance.SYSTEM, "hter", Kind.SCORES)
    workspace.session.extend(workspace.corpus.with_layer(Layer(estimated, np.array([0.1, 0.2, 0.3, 0.4]))))
    workspace.go_to(0)
    workspace.go_to(1)
    page = evaluated_area.reader.page
    both = scores_tooltip(page)
    # on a line of their own, below the scores
    assert evaluated_area.header.score.toolTip() == tooltip_of_lines(f"{page.header_text}\n{both}")
    assert both.startswith("MT quality: Quality of the MT as estimated by Trados")
    assert term_meaning("hter") in both
    # a score that the segment lacks is not explained
    match = LayerKey(Provenance.SYSTEM, "percent", Kind.SCORES)
    workspace.session.extend(workspace.corpus.with_layer(Layer(match, np.array([80.0, np.nan, np.nan, np.nan]))))
    workspace.go_to(0)
    assert "TM match" in scores_tooltip(evaluated_area.reader.page)
    workspace.go_to(1)
    assert "TM match" not in scores_tooltip(evaluated_area.reader.page)


def test_score_of_an_untagged_file_is_a_column_with_a_name(evaluated_area, workspace):
    layers = {key: workspace.corpus.layers[key] for key in (QUALITY, GOLD_SCORES)}
    workspace.open(replace(evaluated_corpus(), layers=layers))
    assert visible_columns(evaluated_area) == ["#", "○✓", "source", "target", "MT quality"]
    assert evaluated_area.model.index(1, SegmentColumn.SCORE).data() == "2.000"
    workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der rote Apfel."}})
    assert visible_columns(evaluated_area) == ["#", "○✓", "source", "target", "MT quality"]


def test_typing_changes_no_highlight(evaluated_area, workspace):
    workspace.go_to(1)
    before = painted(evaluated_area)
    assert before["reader"] == {Kind.WORDS: [0, 2, 1, 0], Kind.GAPS: None, Kind.SOURCE: None}
    controller = post_edit_controller(evaluated_area)
    controller.open()
    type_at_end(evaluated_area, " und noch mehr")
    assert painted(evaluated_area) == before
    controller.flush()
    assert workspace.view.is_edited(1)
    assert workspace.view.reference_at(Kind.WORDS, 1) is not None
    assert painted(evaluated_area) == before
    controller.confirm()
    workspace.session.reviewing.set({0: {ReviewField.TARGET: "Ganz anders."}})
    workspace.go_to(1)
    assert painted(evaluated_area) == before


def test_first_edit_of_a_file_without_gold_adds_no_gold_and_no_row(area, job_workspace):
    """The edit is a reference for evaluation, which must not replace the flags of the system."""
    job_workspace.go_to(1)
    before = painted(area)
    job_workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der rote Apfel."}})
    assert len(job_workspace.view.tag_layers(Kind.WORDS)) == 2
    assert painted(area) == before
    assert before["flags of the list"] == [[2 * (tag == "b") for tag in line] for line in FLAGS]
    area.inspect_view.show_evaluation()
    # the edit marks the words, but has no tag row
    assert [track.name for track in area.reader.page.blocks[1].tag_rows] == ["qe"]


def test_gold_flags_words_only_if_no_system_does(qtbot, workspace):
    corpus = evaluated_corpus()
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    workspace.open(replace(corpus, layers={GOLD: corpus.layers[GOLD], GOLD_SCORES: corpus.layers[GOLD_SCORES]}))
    view = area.inspect_view.view
    assert view.tag_layers(Kind.WORDS) == [GOLD]
    assert GOLD_SCORES not in view.corpus.layers
    workspace.open(corpus)
    assert area.inspect_view.view.tag_layers(Kind.WORDS) == [SYSTEM, OTHER]


def test_reasons_of_flags_are_listed_below_the_mt(evaluated_area, workspace):
    reasons = Reasons.of([(1, 1, "wrong colour"), (1, 2, "wrong colour"), (3, 0, "not flagged")])
    layers = dict(workspace.corpus.layers)
    layers[OTHER] = replace(layers[OTHER], reasons=reasons)
    workspace.session.extend(replace(workspace.corpus, layers=layers))
    workspace.go_to(1)
    page = evaluated_area.reader.page
    assert [line.replace("\u2068", "").replace("\u2069", "") for line in page.footnote.split("\n")] == [
        "“grüne Apfel”: wrong colour"
    ]
    assert page.height > page.footnote_rect.top()
    workspace.settings.highlights = False
    assert evaluated_area.reader.page.footnote == ""
    workspace.settings.highlights = True
    workspace.go_to(3)
    assert evaluated_area.reader.page.footnote == ""
    evaluated_area.inspect_view.show_evaluation()
    workspace.go_to(1)
    assert "wrong colour" not in evaluated_area.reader.page.footnote


def test_flags_of_an_empty_mt_are_gone_once_the_target_is_filled(qtbot, workspace):
    data = (
        b'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
        b'target-language="de" datatype="plaintext"><body><trans-unit id="1"><source>Close it.</source>'
        b"<target></target></trans-unit></body></file></xliff>"
    )
    corpus = corpus_from_documents([parse_document(data, "job.xlf")], "job")
    workspace.open(replace(corpus, layers={layer.key: layer for layer in run_checks(corpus)}))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert (area.reader.page.footnote, area.reader.page.tags_shown) == ("the target is empty", True)
    assert "BAD gap" in painted(area)["legend"]
    workspace.session.reviewing.set({0: {ReviewField.TARGET: "Schließen."}})
    assert (area.reader.page.footnote, area.reader.page.tags_shown) == ("", False)
    assert "BAD gap" not in painted(area)["legend"]
    workspace.session.reviewing.set({0: {ReviewField.TARGET: ""}})
    assert (area.reader.page.footnote, area.reader.page.tags_shown) == ("the target is empty", True)


def test_space_edits_no_tags_and_double_click_opens_the_target(evaluated_area, workspace):
    workspace.go_to(1)
    layers = list(workspace.corpus.layers)
    evaluated_area.view.setFocus()
    QTest.keyClick(evaluated_area.view, Qt.Key.Key_Space)
    evaluated_area.reader.toggle()
    assert not workspace.session.edited_tags()
    assert list(workspace.corpus.layers) == layers
    evaluated_area.reader.double_clicked.emit()
    assert post_edit_controller(evaluated_area).segment == 1


def test_letters_of_hidden_commands_do_not_move_the_list(evaluated_area, workspace):
    workspace.go_to(0)
    evaluated_area.view.setFocus()
    QTest.keyClick(evaluated_area.view, Qt.Key.Key_E)
    QTest.keyClick(evaluated_area.view, Qt.Key.Key_D)
    assert workspace.segment == 0


def test_filter_for_flagged_segments_replaces_that_for_bad_tags(evaluated_area, commands):
    bar = evaluated_area.filters
    assert not any(button.isVisible() for button in (bar.bad, bar.disputed, bar.edited))
    assert bar.search.placeholderText() == "Find in source and target…"
    orders = [bar.order.itemText(number) for number in range(bar.order.count())]
    assert orders == [
        "file order", "most flagged words first", "longest first",
        "highest MT quality first", "lowest MT quality first",
    ]  # fmt: skip
    commands["inspect.only-bad"].trigger()
    assert evaluated_area.review.filter_bar.buttons[FLAGGED].isChecked()
    assert bar.query.only_flagged
    assert not bar.query.only_bad


def test_list_of_flagged_segments_follows_an_added_layer(evaluated_area, workspace, qtbot):
    evaluated_area.review.filter_bar.buttons[FLAGGED].click()
    qtbot.waitUntil(lambda: not workspace.jobs.running_jobs())
    before, corpus = evaluated_area.model.segments.tolist(), workspace.session.corpus
    assert before
    offsets = corpus.offsets(Kind.WORDS)
    # no word is then flagged by a majority of the systems
    for name in ("x", "y", "z"):
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        corpus = corpus.with_layer(Layer(key, TagColumn(np.zeros(offsets[-1], np.uint8), offsets)))
    workspace.session.extend(corpus)
    qtbot.waitUntil(lambda: len(evaluated_area.model.segments) < len(before))


def test_projected_snapshot_has_the_review_but_no_layers_derived_from_it(job_workspace):
    job_workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der rote Apfel.", ReviewField.STATUS: 2}})
    whole = job_workspace.session.view
    view = whole.with_corpus(TRANSLATOR_VIEW.corpus_to_show(whole.corpus))
    assert isinstance(view, View)
    assert view.tag_layers(Kind.WORDS) == [SYSTEM]
    assert view.reference(Kind.WORDS) is None
    assert view.status(1) is whole.status(1) is ReviewStatus.CONFIRMED
    np.testing.assert_array_equal(view.statuses(), whole.statuses())
    assert view.target(1) == "Der rote Apfel."


def test_texts_of_a_corpus_with_only_a_post_edit_lose_it(job_workspace):
    texts = {**job_workspace.corpus.texts, TextRole.POST_EDIT: TextColumn.of(["a", "b", "c", "d"])}
    corpus = replace(job_workspace.corpus, texts=texts)
    assert TextRole.POST_EDIT not in TRANSLATOR_VIEW.corpus_to_show(corpus).texts
    assert EVALUATION_VIEW.corpus_to_show(corpus) is corpus
