"""Tag legend: its entries are the marks of the segment on screen."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.corpus.corpus import EOS
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.project import Edit, ReviewField, Session
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect import legend_popup
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.inspect.legend_entries import (
    LegendEntry,
    LegendState,
    LegendSymbol,
    legend_entries,
)
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.reader.segment_header import missing_tags_text
from qe_desktop.ui.inspect.tag_legend import TagLegend
from qe_desktop.ui.inspect.tag_threshold_toolbar import AgreementComboBox
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from tests.small_corpora import corpus_of, tags
from tests.ui.inspect.conftest import GOLD, MT, A, B, layer_key, rich_corpus
from tests.ui.inspect.postedit.conftest import job_corpus

PROBABILITIES = layer_key(Provenance.SYSTEM, "A", Kind.PROBABILITIES)
DEFAULT_STATE = LegendState(VotingRule.MAJORITY, {})
CHANGES = frozenset((LegendSymbol.TEXT_REMOVED, LegendSymbol.TEXT_ADDED, LegendSymbol.TEXT_MOVED))
THIRD = layer_key(Provenance.SYSTEM, "C")


def corpus_with(*keys: LayerKey) -> Corpus:
    rich = rich_corpus()
    layers = {layer_key: rich.layers[layer_key] for layer_key in keys if layer_key in rich.layers}
    layers |= {layer_key: replace(rich.layers[A], key=layer_key) for layer_key in keys if layer_key not in rich.layers}
    return Corpus("some", 4, {role: rich.texts[role] for role in (TextRole.SOURCE, TextRole.MT)}, layers)


def entry_texts(
    corpus: Corpus, segment: int = 0, state: LegendState = DEFAULT_STATE, kind: Kind = Kind.WORDS
) -> list[str]:
    return [entry.label for entry in legend_entries(View(corpus), kind, segment, state)]


def test_legend_has_the_sign_for_the_end_of_the_text():
    corpus = Corpus("mt", 2, {TextRole.MT: TextColumn.of([f"a b {EOS}", "a b"])})
    signs = [[entry.letter for entry in legend_entries(View(corpus), Kind.WORDS, n, DEFAULT_STATE)] for n in range(2)]
    assert signs == [["¶"], []]


def test_legend_is_empty_without_a_corpus_or_tags():
    assert legend_entries(None, Kind.WORDS, 0, DEFAULT_STATE) == ()
    assert entry_texts(corpus_with()) == []


def test_entries_are_those_of_the_outcomes_in_the_segment():
    rich = rich_corpus()
    shade = "P(BAD) from 0 to 1"
    assert [entry_texts(rich, segment) for segment in range(4)] == [
        ["BAD in gold", "BAD in the source", "hit", "false alarm", "BAD gap", shade, "aligned"],
        ["BAD in gold", "miss", "gap: false alarm", shade, "aligned"],
        ["BAD in gold", "hit", "miss", shade],
        ["false alarm", shade, "aligned"],
    ]
    assert entry_texts(corpus_with(A), 1) == []


def test_open_gap_signs_are_explained_where_they_occur():
    gold, a, b = (layer_key(*key, Kind.GAPS) for key in (
        (Provenance.GOLD, "gold"), (Provenance.SYSTEM, "A"), (Provenance.SYSTEM, "B")))  # fmt: skip
    rich = rich_corpus()
    clean = Layer(b, tags("ooooo", "oooo", "ooooooo", "oooo"))
    missed = replace(rich, layers={gold: rich.layers[gold], b: clean})
    assert "gap: miss" in entry_texts(missed)
    assert "gap: miss" not in entry_texts(missed, 1)
    disputed = replace(rich, layers={a: rich.layers[a], b: clean})
    assert entry_texts(disputed)[-2:] == ["gap BAD by some", "aligned"]


def test_entries_of_source_tags_name_the_words_of_the_mt_too():
    entries = legend_entries(View(rich_corpus()), Kind.SOURCE, 0, DEFAULT_STATE)
    assert [(entry.label, entry.is_dotted) for entry in entries] == [
        ("BAD in gold", True), ("BAD in the MT", False), ("aligned", False),
    ]  # fmt: skip
    assert "BAD gap" not in entry_texts(rich_corpus(), kind=Kind.SOURCE)


def test_entries_of_a_single_system_have_no_hit():
    assert entry_texts(corpus_with(A)) == ["BAD word", "BAD"]


@pytest.mark.parametrize(
    ("systems", "segment", "agreement", "expected"),
    [
        ((A, B), 0, VotingRule.ANY, ["BAD by all 2", "BAD by some", "BAD"]),
        ((A, B), 0, VotingRule.MAJORITY, ["BAD by all 2", "BAD by some", "BAD"]),
        ((A, B), 2, VotingRule.MAJORITY, ["BAD by some", "BAD"]),
        ((A, B, THIRD), 2, VotingRule.MAJORITY, ["BAD by a majority", "BAD"]),
        ((A, B, THIRD), 0, VotingRule.ANY, ["BAD by all 3", "BAD by some", "BAD"]),
        ((A, B, THIRD), 0, VotingRule.ALL, ["BAD by all 3", "BAD"]),
        ((A, B, THIRD), 1, VotingRule.ALL, []),
    ],
)
def test_entries_of_several_systems_have_the_agreement_in_the_segment(systems, segment, agreement, expected):
    assert entry_texts(corpus_with(*systems), segment, LegendState(agreement, {})) == expected


def test_shade_entry_states_the_current_thresholds():
    assert (
        entry_texts(corpus_with(A, PROBABILITIES), 0, LegendState(VotingRule.ANY, {"A": 0.35}))[-1]
        == "P(BAD), BAD above .35"
    )
    assert entry_texts(corpus_with(A, PROBABILITIES))[-1] == "P(BAD) from 0 to 1"
    other = layer_key(Provenance.SYSTEM, "D", Kind.PROBABILITIES)
    corpus = corpus_with(A, PROBABILITIES)
    corpus = corpus.with_layer(replace(corpus.layers[PROBABILITIES], key=other))
    assert entry_texts(corpus, 0, LegendState(VotingRule.ANY, {"A": 0.35, "D": 0.5}))[-1] == (
        "P(BAD), BAD above .35 (A) and .50 (D)"
    )
    # the tags of D are not derived from its probabilities
    assert entry_texts(corpus, 0, LegendState(VotingRule.ANY, {"A": 0.35}))[-1] == "P(BAD), BAD above .35 (A)"


def test_edits_and_search_matches_are_explained_in_their_segments():
    session = Session(rich_corpus())
    session.apply(Edit(GOLD, 1, (0,), (1,)))
    state = replace(DEFAULT_STATE, target=GOLD, search_text="katze")
    texts = [[entry.label for entry in legend_entries(session.view, Kind.WORDS, at, state)] for at in (0, 1)]
    assert [[name in entries for name in ("edited", "search match")] for entries in texts] == [
        [False, True], [True, False],
    ]  # fmt: skip


def test_changes_of_the_post_edit_are_explained_as_they_are_shown():
    rich = rich_corpus()
    post_edit = TextColumn.of(["Die Katze stand auf .", "Hallo Welt", "Ein längerer Satz mit sieben Wörtern", "x"])
    corpus = replace(rich, texts={**rich.texts, TextRole.POST_EDIT: post_edit})
    shown = replace(DEFAULT_STATE, post_edit_shown=True)
    names = ("substituted", "inserted", "deleted")
    assert [[name in entry_texts(corpus, at, shown) for name in names] for at in range(3)] == [
        [True, True, False], [False, False, True], [False, False, False],
    ]  # fmt: skip
    assert not set(names) & set(entry_texts(corpus))
    moved = DiffRun(ChangeKind.ADDED, "sat", (), 1)
    runs = (DiffRun(ChangeKind.KEPT, "the"), DiffRun(ChangeKind.ADDED, "cat"), moved)
    state = replace(DEFAULT_STATE, changes=legend_popup.change_symbols(runs))
    assert [text for text in entry_texts(corpus, 0, state) if text in ("removed", "added", "moved")] == [
        "added",
        "moved",
    ]


def test_no_tags_are_explained_while_highlights_are_hidden():
    assert entry_texts(rich_corpus(), 0, replace(DEFAULT_STATE, tags_shown=False)) == ["aligned"]


def test_every_entry_is_drawn_explained_and_wrapped_into_lines(qtbot):
    legend = TagLegend()
    qtbot.addWidget(legend)
    view, state = View(corpus_with(A, B, PROBABILITIES)), LegendState(VotingRule.ANY, {"A": 0.5}, is_editing=True)
    entries = legend_entries(view, Kind.WORDS, 0, replace(state, has_check_highlights=True, changes=CHANGES))
    rich = rich_corpus()
    post_edit = TextColumn.of(["Katze stand da oben .", *["x"] * 3])
    session = Session(replace(rich, texts={**rich.texts, TextRole.POST_EDIT: post_edit}))
    session.apply(Edit(GOLD, 0, (0, 3), (0, 1)))
    state = LegendState(VotingRule.ANY, {}, GOLD, search_text="e", post_edit_shown=True)
    entries += legend_entries(session.view, Kind.WORDS, 0, state)
    entries += legend_entries(View(job_corpus()), Kind.WORDS, 0, DEFAULT_STATE)
    legend.show_entries(entries)
    line_height = legend.sizeHint().height()
    assert legend.heightForWidth(legend.sizeHint().width()) == line_height
    assert legend.heightForWidth(300) > 2 * line_height
    legend.resize(300, legend.heightForWidth(300))
    assert not legend.grab().isNull()
    for entry_rect in legend._entry_positions(300):
        assert entry_rect.x + entry_rect.width <= 300
        assert legend.meaning_at(legend._rect(entry_rect).center()) == term_meaning(entry_rect.entry.term)
    assert legend.meaning_at(QPointF(-5, -5)) == ""
    assert term_meaning("gold") in legend.accessibleDescription()


def test_legend_of_the_area_follows_segment_threshold_and_agreement(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    legend = area.legend_popup.tags

    def texts() -> list[str]:
        return [entry.label for entry in legend.entries] if legend.isVisible() else []

    workspace.open(corpus_with(A, PROBABILITIES))
    assert texts() == []
    area.header.legend.click()
    assert texts() == ["BAD word", "BAD", "P(BAD) from 0 to 1"]
    workspace.session.set_threshold("A", 0.7)
    assert texts()[-1] == "P(BAD), BAD above .70"
    workspace.go_to(1)
    assert texts() == ["P(BAD), BAD above .70"]
    workspace.open(rich_corpus())
    assert texts()[:3] == ["BAD in gold", "BAD in the source", "hit"]
    workspace.edit(Edit(GOLD, 0, (0,), (1,)))
    assert "edited" in texts()
    workspace.set_kind(Kind.SOURCE)
    assert texts() == ["BAD in gold", "BAD in the MT", "aligned"]
    workspace.open(corpus_with(A, B))
    assert texts() == ["BAD by all 2", "BAD by some", "BAD"]
    workspace.settings.agreement = "all"
    assert texts() == ["BAD by all 2", "BAD"]


def test_changes_of_a_post_edit_are_explained_while_it_is_folded_and_while_it_is_shown(qtbot, workspace):
    rich = rich_corpus()
    post_edit = TextColumn.of(["Die Katze lag .", *MT[1:]])
    workspace.open(replace(rich, texts={**rich.texts, TextRole.POST_EDIT: post_edit}))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    area.header.legend.click()

    def explained() -> set[str]:
        texts = {entry.label for entry in area.legend_popup.tags.entries}
        return texts & {"removed", "added", "substituted", "inserted", "deleted"}

    assert explained() == {"removed", "added"}
    workspace.go_to(1)
    assert explained() == set()
    workspace.go_to(0)
    area.fold_bar.post_edit.click()
    assert explained() == {"substituted"}


def test_segment_without_marks_has_a_sentence_instead_of_entries(qtbot, workspace):
    workspace.open(corpus_with(A))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    area.header.legend.click()
    popup = area.legend_popup
    assert popup.tags.isVisible()
    assert not popup.empty_label.isVisible()
    workspace.go_to(1)
    assert not popup.tags.isVisible()
    assert popup.empty_label.isVisible()


def test_closed_legend_computes_nothing(qtbot, rich_workspace):
    area = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    with patch.object(legend_popup, "legend_entries") as compute:
        rich_workspace.go_to(1)
        rich_workspace.edit(Edit(GOLD, 1, (0,), (1,)))
    compute.assert_not_called()
    area.header.legend.click()
    assert "edited" in [entry.label for entry in area.legend_popup.tags.entries]


def test_agreement_box_is_shown_for_several_systems_without_gold(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    box = area.tag_toolbar.agreement

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
    box.select_next()
    assert (box.currentData(), workspace.settings.agreement) == ("all", "all")
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert workspace.settings.agreement == "any"
    assert area.reader.page.agreement is VotingRule.ANY


def test_voting_rule_command_needs_several_systems(qtbot, workspace):
    window = QWidget()
    qtbot.addWidget(window)
    commands = ActionRegistry(window, workspace.settings)
    commands.add_all(ACTIONS)
    box = AgreementComboBox(workspace)
    qtbot.addWidget(box)
    box.connect_actions(commands)
    command = commands["inspect.agreement"]
    for corpus, is_enabled in ((corpus_with(A), False), (corpus_with(A, B), True), (rich_corpus(), False)):
        workspace.open(corpus)
        assert command.isEnabled() is is_enabled
        assert ("at least two systems" in command.toolTip()) is not is_enabled
    workspace.open(corpus_with(A, B))
    command.trigger()
    assert workspace.settings.agreement == box.currentData() == "all"


def test_legend_explains_the_marks_of_a_target_while_it_is_edited(qapp):
    state = replace(DEFAULT_STATE, is_editing=True)
    assert entry_texts(corpus_with(A), 0, state) == ["BAD word", "BAD"]
    assert "open target: flagged by some systems" in entry_texts(corpus_with(A, B), 0, state)
    assert "open target: flagged by some systems" not in entry_texts(corpus_with(A, B))
    state = replace(state, has_check_highlights=True, changes=CHANGES)
    view = View(job_corpus())
    entries = legend_entries(view, Kind.WORDS, 0, state)
    assert [entry.label for entry in entries][-5:] == ["removed", "added", "moved", "inline code", "QA check result"]
    legend = TagLegend()
    samples = {}
    for entry in (*entries, LegendEntry(LegendSymbol.ALIGNED, "aligned", "aligned")):
        image = QImage(40, 24, QImage.Format.Format_RGB32)
        image.fill(current().surface)
        painter = QPainter(image)
        legend.draw_sample(painter, QRectF(4, 3, 32, 18), entry, current())
        painter.end()
        samples[entry.symbol] = bytes(image.constBits())
        assert legend.explain(entry)
    # all samples differ
    assert len(set(samples.values())) == len(samples) == 8
    legend.deleteLater()


def test_legend_is_updated_when_a_target_is_edited(qtbot, workspace):
    workspace.open(corpus_with(A, B))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    area.header.legend.click()
    entries = area.legend_popup.tags
    assert "open target: flagged by some systems" not in [entry.label for entry in entries.entries]
    controller = area.review.controller
    controller.open()
    assert "open target: flagged by some systems" in [entry.label for entry in entries.entries]
    QTest.keyClicks(controller.panel.edit, "und ")
    qtbot.waitUntil(lambda: "added" in [entry.label for entry in entries.entries])
    texts = {entry.label for entry in entries.entries}
    assert "added" in texts
    assert "removed" not in texts
    controller.stop_editing()
    assert "open target: flagged by some systems" not in [entry.label for entry in entries.entries]


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
    box = area.tag_toolbar.agreement
    assert len(workspace.view.tag_layers(Kind.WORDS)) == 3
    assert [box.itemText(index) for index in range(box.count())] == ["flagged by any", "flagged by all"]


@pytest.mark.parametrize(("bad", "weak"), [("boo", False), ("bbo", True), ("bbb", False)])
def test_legend_of_an_edited_target_has_the_weak_mark_if_it_is_drawn(bad, weak):
    corpus = corpus_of(None, {name: tags(tag) for name, tag in zip("abc", bad, strict=True)})
    state = replace(DEFAULT_STATE, is_editing=True)
    signs = [entry.symbol for entry in legend_entries(View(corpus), Kind.WORDS, 0, state)]
    assert (LegendSymbol.PARTLY_FLAGGED in signs) == weak


def test_light_gap_is_described_by_the_voting_rule_as_words_are():
    keys = [layer_key(Provenance.SYSTEM, name, Kind.GAPS) for name in "ABC"]
    columns = zip(keys, ("bo", "bo", "oo"), strict=True)
    corpus = Corpus(
        "gaps", 1, {TextRole.MT: TextColumn.of(["a"])}, {key: Layer(key, tags(bad)) for key, bad in columns}
    )
    for rule, text in ((VotingRule.MAJORITY, "gap BAD by a majority"), (VotingRule.ANY, "gap BAD by some")):
        assert text in entry_texts(corpus, 0, LegendState(rule, {}), Kind.GAPS)
