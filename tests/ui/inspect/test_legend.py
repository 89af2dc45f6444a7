"""The legend says what is on screen, with gold and without."""

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
from tests.ui.inspect.conftest import A, B, key, rich_corpus
from tests.ui.inspect.postedit.conftest import job_corpus

PROBABILITIES = key(Provenance.SYSTEM, "A", Kind.PROBABILITIES)
SEEN = LegendState(VotingRule.MAJORITY, {})
THIRD = key(Provenance.SYSTEM, "C")


def only(*keys: LayerKey) -> Corpus:
    rich = rich_corpus()
    layers = {one: rich.layers[one] for one in keys if one in rich.layers}
    layers |= {one: replace(rich.layers[A], key=one) for one in keys if one not in rich.layers}
    return Corpus("some", 4, {role: rich.texts[role] for role in (TextRole.SOURCE, TextRole.MT)}, layers)


def said(corpus: Corpus, seen: LegendState = SEEN, kind: Kind = Kind.WORDS) -> list[str]:
    return [entry.text for entry in legend_entries(View(corpus), kind, seen)]


def test_nothing_open_and_nothing_tagged_need_no_legend():
    assert legend_entries(None, Kind.WORDS, SEEN) == ()
    assert said(only()) == []


def test_with_gold():
    found = said(rich_corpus())
    assert found[:4] == ["BAD in gold", "hit", "false alarm", "miss"]
    assert {"gap", "P(BAD) from 0 to 1", "substituted", "inserted", "deleted"} <= set(found)
    assert said(rich_corpus(), kind=Kind.SOURCE)[0] == "BAD in gold"
    assert "gap" not in said(rich_corpus(), kind=Kind.SOURCE)


def test_one_system_alone_says_bad_and_nothing_is_a_hit():
    assert said(only(A)) == ["BAD word", "BAD"]


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
def test_of_several_systems_two_levels_are_explained_at_most(systems, agreement, expected):
    assert said(only(*systems), LegendState(agreement, {})) == expected


def test_shades_are_explained_with_the_threshold_in_force():
    assert said(only(A, PROBABILITIES), LegendState(VotingRule.ANY, {"A": 0.35}))[-1] == "P(BAD), BAD above 0.35"
    assert said(only(A, PROBABILITIES))[-1] == "P(BAD) from 0 to 1"
    other = key(Provenance.SYSTEM, "D", Kind.PROBABILITIES)
    corpus = only(A, PROBABILITIES)
    corpus = corpus.with_layer(replace(corpus.layers[PROBABILITIES], key=other))
    assert said(corpus, LegendState(VotingRule.ANY, {"A": 0.35, "D": 0.5}))[-1] == (
        "P(BAD), BAD above 0.35 (A) and 0.50 (D)"
    )


def test_edits_and_found_text_are_explained_while_there_are_any():
    assert not {"edited", "search match"} & set(said(rich_corpus()))
    assert {"edited", "search match"} <= set(
        said(rich_corpus(), LegendState(VotingRule.ANY, {}, edited=True, found=True))
    )


def test_every_sign_is_drawn_explained_and_put_in_as_many_lines_as_it_needs(qtbot):
    legend = TagLegend()
    qtbot.addWidget(legend)
    entries = legend_entries(
        View(rich_corpus()), Kind.WORDS, LegendState(VotingRule.ANY, {"A": 0.5}, edited=True, found=True)
    )
    entries += legend_entries(View(only(A, B)), Kind.WORDS, LegendState(VotingRule.ANY, {}, reviewing=True))
    entries += legend_entries(
        View(job_corpus()), Kind.WORDS, LegendState(VotingRule.ANY, {}, reviewing=True, checked=True)
    )
    assert {entry.sign for entry in entries} == set(LegendSymbol)
    legend.show_entries(entries)
    one = legend.height_of(10_000)
    assert legend.height_of(300) > 2 * one
    legend.resize(300, legend.height_of(300))
    assert legend.sizeHint().height() == legend.height()
    assert not legend.grab().isNull()
    for place in legend._places(300):
        assert place.x + place.width <= 300
        assert legend.said_at(legend._rect(place).center()) == term_meaning(place.entry.term)
    assert legend.said_at(QPointF(-5, -5)) == ""
    assert term_meaning("gold") in legend.accessibleDescription()


def test_the_area_explains_from_the_first_moment_on(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()

    def texts() -> list[str]:
        return [entry.text for entry in area.legend.entries] if area.legend.isVisible() else []

    assert texts() == []
    workspace.open(only(A, PROBABILITIES))
    assert texts() == ["BAD word", "BAD", "P(BAD) from 0 to 1"]
    workspace.session.set_threshold("A", 0.7)
    assert texts()[-1] == "P(BAD), BAD above 0.70"
    area.resize(500, 800)
    workspace.open(rich_corpus())
    # what does not fit in one line has another
    qtbot.waitUntil(lambda: area.legend.height() == area.legend.height_of(area.legend.width()))
    assert area.legend.height() > area.legend.height_of(10_000)
    workspace.open(only(A, B))
    assert texts() == ["BAD by all 2", "by some", "BAD"]
    workspace.settings.agreement = "all"
    assert texts() == ["BAD by all 2", "BAD"]


def test_agreement_is_chosen_where_there_are_several_systems_and_no_gold(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    box = area.tags.agreement

    def choices() -> list[str]:
        return [box.itemText(place) for place in range(box.count())] if box.isVisible() else []

    for corpus in (rich_corpus(), only(A), only()):
        workspace.open(corpus)
        assert choices() == []
    workspace.open(only(A, B))
    assert choices() == ["flagged by any", "flagged by all"]
    assert box.currentData() == "any"
    workspace.open(only(A, B, THIRD))
    assert (len(choices()), box.currentData()) == (3, "majority")
    box.next()
    assert (box.currentData(), workspace.settings.agreement) == ("all", "all")
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert workspace.settings.agreement == "any"
    assert area.reader.page.agreement is VotingRule.ANY


def test_what_marks_a_target_is_explained_where_targets_are_reviewed(qapp):
    seen = replace(SEEN, reviewing=True)
    assert said(only(), seen) == ["removed", "added"]
    assert said(only(A), seen) == ["BAD word", "BAD", "removed", "added"]
    assert "flagged by some" in said(only(A, B), seen)
    assert "flagged by some" not in said(only(A, B))
    job = job_corpus()
    assert said(job, seen)[-1] == "inline code"
    seen = replace(seen, checked=True)
    assert said(job, seen)[-2:] == ["inline code", "QA check result"]
    plain = TextColumn.of(["Press OK now .", "The green apple.", "A locked one.", "Good bye."])
    assert "inline code" not in said(replace(job, job=replace(job.job, sources=plain, targets=plain)), seen)
    legend = TagLegend()
    drawn = {}
    for entry in legend_entries(View(job), Kind.WORDS, seen):
        image = QImage(40, 24, QImage.Format.Format_RGB32)
        image.fill(current().surface)
        painter = QPainter(image)
        legend.draw_sample(painter, QRectF(4, 3, 32, 18), entry, current())
        painter.end()
        drawn[entry.sign] = bytes(image.constBits())
        assert legend.explain(entry)
    # no two signs look alike
    assert len(set(drawn.values())) == len(drawn)
    legend.deleteLater()


def test_the_legend_follows_that_somebody_begins_to_correct(qtbot, workspace):
    workspace.open(only(A, B))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert "added" not in [entry.text for entry in area.legend.entries]
    area.correcting.controller.open()
    assert {"removed", "added", "flagged by some"} <= {entry.text for entry in area.legend.entries}


def test_a_file_that_scores_its_segments_is_not_called_a_system_without_tags():
    job = job_corpus()
    key = LayerKey(Provenance.SYSTEM, "percent", Kind.SCORES)
    layers = {**job.layers, key: Layer(key, np.array([1.0, 2.0, 3.0, 4.0]))}
    assert missing_tags_text(View(replace(job, layers=layers)), Kind.WORDS) == ""
    assert "percent" in missing_tags_text(View(replace(job, layers=layers, job=None)), Kind.WORDS)


def test_a_person_who_corrects_is_none_of_those_who_must_agree(qtbot, workspace):
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    workspace.open(only(A, B))
    workspace.session.reviewing.set({0: {ReviewField.TARGET: "something else"}})
    box = area.tags.agreement
    assert len(workspace.view.tracks(Kind.WORDS)) == 3
    assert [box.itemText(place) for place in range(box.count())] == ["flagged by any", "flagged by all"]
