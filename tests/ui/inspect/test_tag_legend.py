"""Tag legend: its entries match what is displayed, with and without gold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.reader.segment_header import missing_tags_text
from qe_desktop.ui.inspect.reader.tag_legend import LegendState, LegendSymbol, TagLegend, legend_entries
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.glossary import term_meaning
from tests.ui.inspect.conftest import A, B, layer_key, rich_corpus
from tests.ui.inspect.postedit.conftest import job_corpus

PROBABILITIES = layer_key(Provenance.SYSTEM, "A", Kind.PROBABILITIES)
DEFAULT_STATE = LegendState(VotingRule.MAJORITY, {})
THIRD = layer_key(Provenance.SYSTEM, "C")


def corpus_with(*keys: LayerKey) -> Corpus:
    rich = rich_corpus()
    layers = {layer_key: rich.layers[layer_key] for layer_key in keys if layer_key in rich.layers}
    layers |= {layer_key: replace(rich.layers[A], key=layer_key) for layer_key in keys if layer_key not in rich.layers}
    return Corpus("some", 4, {role: rich.texts[role] for role in (TextRole.SOURCE, TextRole.MT)}, layers)


def entry_texts(corpus: Corpus, state: LegendState = DEFAULT_STATE, kind: Kind = Kind.WORDS) -> list[str]:
    return [entry.text for entry in legend_entries(View(corpus), kind, state)]


def test_legend_is_empty_without_a_corpus_or_tags():
    assert legend_entries(None, Kind.WORDS, DEFAULT_STATE) == ()
    assert entry_texts(corpus_with()) == []


def test_entries_with_gold():
    texts = entry_texts(rich_corpus(), replace(DEFAULT_STATE, post_edit=True))
    assert texts[:4] == ["BAD in gold", "hit", "false alarm", "miss"]
    assert {"gap", "P(BAD) from 0 to 1", "substituted", "inserted", "deleted"} <= set(texts)
    assert entry_texts(rich_corpus(), kind=Kind.SOURCE)[0] == "BAD in gold"
    assert "gap" not in entry_texts(rich_corpus(), kind=Kind.SOURCE)


def test_entries_of_a_single_system_have_no_hit():
    assert entry_texts(corpus_with(A)) == ["BAD word", "BAD"]


@pytest.mark.parametrize(
    ("systems", "agreement", "expected"),
    [
        ((A, B), VotingRule.ANY, ["BAD by all 2", "by some", "BAD"]),
        ((A, B), VotingRule.MAJORITY, ["BAD by all 2", "by some", "BAD"]),
        ((A, B, THIRD), VotingRule.MAJORITY, ["BAD by all 3", "by a majority", "BAD"]),
        ((A, B, THIRD), VotingRule.ANY, ["BAD by all 3", "by some", "BAD"]),
        ((A, B, THIRD), VotingRule.ALL, ["BAD by all 3", "BAD"]),
    ],
)
def test_entries_of_several_systems_have_at_most_two_agreement_levels(systems, agreement, expected):
    assert entry_texts(corpus_with(*systems), LegendState(agreement, {})) == expected


def test_shade_entry_states_the_current_thresholds():
    assert (
        entry_texts(corpus_with(A, PROBABILITIES), LegendState(VotingRule.ANY, {"A": 0.35}))[-1]
        == "P(BAD), BAD above 0.35"
    )
    assert entry_texts(corpus_with(A, PROBABILITIES))[-1] == "P(BAD) from 0 to 1"
    other = layer_key(Provenance.SYSTEM, "D", Kind.PROBABILITIES)
    corpus = corpus_with(A, PROBABILITIES)
    corpus = corpus.with_layer(replace(corpus.layers[PROBABILITIES], key=other))
    assert entry_texts(corpus, LegendState(VotingRule.ANY, {"A": 0.35, "D": 0.5}))[-1] == (
        "P(BAD), BAD above 0.35 (A) and 0.50 (D)"
    )


def test_edited_and_search_match_entries_appear_only_when_needed():
    assert not {"edited", "search match"} & set(entry_texts(rich_corpus()))
    assert {"edited", "search match"} <= set(
        entry_texts(rich_corpus(), LegendState(VotingRule.ANY, {}, edited=True, found=True))
    )


def test_every_entry_is_drawn_explained_and_wrapped_into_lines(qtbot):
    legend = TagLegend()
    qtbot.addWidget(legend)
    state = LegendState(VotingRule.ANY, {"A": 0.5}, edited=True, found=True, post_edit=True)
    entries = legend_entries(View(rich_corpus()), Kind.WORDS, state)
    entries += legend_entries(View(corpus_with(A, B)), Kind.WORDS, LegendState(VotingRule.ANY, {}, reviewing=True))
    entries += legend_entries(
        View(job_corpus()), Kind.WORDS, LegendState(VotingRule.ANY, {}, reviewing=True, checked=True)
    )
    assert {entry.sign for entry in entries} == set(LegendSymbol)
    legend.show_entries(entries)
    line_height = legend.sizeHint().height()
    assert legend.heightForWidth(legend.sizeHint().width()) == line_height
    assert legend.heightForWidth(300) > 2 * line_height
    legend.resize(300, legend.heightForWidth(300))
    assert not legend.grab().isNull()
    for entry_rect in legend._places(300):
        assert entry_rect.x + entry_rect.width <= 300
        assert legend.meaning_at(legend._rect(entry_rect).center()) == term_meaning(entry_rect.entry.term)
    assert legend.meaning_at(QPointF(-5, -5)) == ""
    assert term_meaning("gold") in legend.accessibleDescription()


def test_legend_of_the_area_follows_corpus_threshold_and_agreement(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()

    def texts() -> list[str]:
        return [entry.text for entry in area.legend.entries] if not area.legend.isHidden() else []

    assert texts() == []
    workspace.open(corpus_with(A, PROBABILITIES))
    area.header.legend.click()
    assert texts() == ["BAD word", "BAD", "P(BAD) from 0 to 1"]
    workspace.session.set_threshold("A", 0.7)
    assert texts()[-1] == "P(BAD), BAD above 0.70"
    area.resize(500, 800)
    workspace.open(rich_corpus())
    # the marks of the post-edit are explained while it is shown
    assert "substituted" not in texts()
    area.folds.post_edit.click()
    assert "substituted" in texts()
    # entries that do not fit wrap to another line
    qtbot.waitUntil(lambda: area.legend.height() == area.legend.heightForWidth(area.legend.width()))
    assert area.legend.height() > area.legend.heightForWidth(10_000)
    workspace.open(corpus_with(A, B))
    assert texts() == ["BAD by all 2", "by some", "BAD"]
    workspace.settings.agreement = "all"
    assert texts() == ["BAD by all 2", "BAD"]


def test_agreement_box_is_shown_for_several_systems_without_gold(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    box = area.tags.agreement

    def choices() -> list[str]:
        return [box.itemText(index) for index in range(box.count())] if not box.isHidden() else []

    for corpus in (rich_corpus(), corpus_with(A), corpus_with()):
        workspace.open(corpus)
        assert choices() == []
    workspace.open(corpus_with(A, B))
    assert choices() == ["flagged by any", "flagged by all"]
    assert box.currentData() == "any"
    workspace.open(corpus_with(A, B, THIRD))
    assert (len(choices()), box.currentData()) == (3, "majority")
    box.next()
    assert (box.currentData(), workspace.settings.agreement) == ("all", "all")
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert workspace.settings.agreement == "any"
    assert area.reader.page.agreement is VotingRule.ANY


def test_legend_explains_target_marks_while_reviewing(qapp):
    state = replace(DEFAULT_STATE, reviewing=True)
    assert entry_texts(corpus_with(), state) == ["removed", "added"]
    assert entry_texts(corpus_with(A), state) == ["BAD word", "BAD", "removed", "added"]
    assert "flagged by some" in entry_texts(corpus_with(A, B), state)
    assert "flagged by some" not in entry_texts(corpus_with(A, B))
    job = job_corpus()
    assert entry_texts(job, state)[-1] == "inline code"
    state = replace(state, checked=True)
    assert entry_texts(job, state)[-2:] == ["inline code", "QA check result"]
    plain = TextColumn.of(["Press OK now .", "The green apple.", "A locked one.", "Good bye."])
    assert "inline code" not in entry_texts(replace(job, job=replace(job.job, sources=plain, targets=plain)), state)
    legend = TagLegend()
    samples = {}
    for entry in legend_entries(View(job), Kind.WORDS, state):
        image = QImage(40, 24, QImage.Format.Format_RGB32)
        image.fill(current().surface)
        painter = QPainter(image)
        legend.draw_sample(painter, QRectF(4, 3, 32, 18), entry, current())
        painter.end()
        samples[entry.sign] = bytes(image.constBits())
        assert legend.explain(entry)
    # all samples differ
    assert len(set(samples.values())) == len(samples)
    legend.deleteLater()


def test_legend_is_updated_when_post_editing_starts(qtbot, workspace):
    workspace.open(corpus_with(A, B))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert "added" not in [entry.text for entry in area.legend.entries]
    area.correcting.controller.open()
    assert {"removed", "added", "flagged by some"} <= {entry.text for entry in area.legend.entries}


def test_segment_scores_of_a_bilingual_file_are_not_reported_as_missing_tags():
    job = job_corpus()
    key = LayerKey(Provenance.SYSTEM, "percent", Kind.SCORES)
    layers = {**job.layers, key: Layer(key, np.array([1.0, 2.0, 3.0, 4.0]))}
    assert missing_tags_text(View(replace(job, layers=layers)), Kind.WORDS) == ""
    assert "percent" in missing_tags_text(View(replace(job, layers=layers, job=None)), Kind.WORDS)


def test_post_edit_layer_does_not_count_for_agreement(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    workspace.open(corpus_with(A, B))
    workspace.session.reviewing.set({0: {ReviewField.TARGET: "something else"}})
    box = area.tags.agreement
    assert len(workspace.view.tracks(Kind.WORDS)) == 3
    assert [box.itemText(index) for index in range(box.count())] == ["flagged by any", "flagged by all"]
