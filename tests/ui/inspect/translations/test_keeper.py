"""What stands beside each other, and how it is marked: what was chosen, what is usual, and when it is worked out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.translation_texts import ALL_REFERENCES, reference_key, system_key
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.inspect.translations.comparison_request import settings_key
from qe_desktop.ui.inspect.translations.comparison_service import ComparisonHighlightService
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.inspect.translations.conftest import corpus_of

NEAR, FAR = system_key("near"), system_key("far 😀")


@pytest.fixture
def service(workspace) -> ComparisonHighlightService:
    workspace.open(corpus_of())
    return ComparisonHighlightService(workspace)


def wait(qtbot, service):
    qtbot.waitUntil(lambda: service.shown is not None and service.shown.whole)
    return service.shown


def between(metric, reference=None, level=TRANSLATIONS):
    return SegmentQuery(
        order=SortOrder.DIFFERENCE, between=(FAR, NEAR), metric=metric, level=level, reference=reference
    )


def test_all_texts_at_first_by_the_metric_looked_at(service, workspace, qtbot):
    assert [line.name for line in service.shown.lines] == ["reference A", "reference B", "near", "far 😀"]
    found = wait(qtbot, service)
    assert (found.metric, found.marking.name, service.asked.base) == ("BLEU", "n-grams", reference_key(ALL_REFERENCES))
    assert found.lines[2].score is not None
    workspace.settings.metric = "TER"
    assert wait(qtbot, service).marking.name == "edits"
    assert service.first


def test_from_a_cell_come_its_two_systems_its_metric_and_its_reference(service, qtbot):
    service.set_query(between("METEOR-2005", reference_key("B")))
    found = wait(qtbot, service)
    assert [line.name for line in found.lines] == ["far 😀", "near", "reference A", "reference B"]
    assert (found.metric, found.marking.name, found.against) == ("METEOR-2005", "chunks", ("reference B",))
    assert all(line.score is not None for line in found.lines[:2])
    service.set_query(SegmentQuery())
    assert wait(qtbot, service).metric == "BLEU"


def test_from_a_system_of_metric_and_people_comes_that_metric(service, qtbot):
    service.set_query(SegmentQuery(order=SortOrder.RANKS, ranks=RankGap("near", "TER", np.zeros(2), 4)))
    found = wait(qtbot, service)
    assert (found.metric, found.marking.name) == ("TER", "edits")
    assert {line.name for line in found.lines if line.score is not None} == {"near", "far 😀"}


def test_what_was_chosen_goes_before_what_is_usual(service, workspace, qtbot):
    workspace.settings.marking = "unigrams"
    workspace.settings.base = settings_key(NEAR)
    service.set_query(between("TER"))
    found = wait(qtbot, service)
    assert (found.marking.name, found.against) == ("unigrams", ("near",))
    # what is not there, or is no more, is as if nothing was chosen
    workspace.settings.base = "system nobody"
    workspace.settings.marking = "of another version"
    found = wait(qtbot, service)
    assert (found.marking.name, found.against) == ("edits", ("reference A", "reference B"))


def test_a_segment_seen_again_is_not_worked_out_again(service, workspace, qtbot):
    first = wait(qtbot, service)
    workspace.go_to(1)
    assert not service.shown.whole
    wait(qtbot, service)
    workspace.go_to(0)
    assert service.shown is first


def test_many_walked_over_at_once_leave_the_last(service, workspace, qtbot):
    for segment in (1, 0, 1):
        workspace.go_to(segment)
    assert wait(qtbot, service).segment == 1
    qtbot.waitUntil(workspace.jobs.idle)
    assert service.shown.segment == 1


def test_nothing_beside_an_mt_and_its_post_edit(workspace):
    workspace.open(rich_corpus())
    service = ComparisonHighlightService(workspace)
    assert (service.shown, service.asked, service.first) == (None, None, False)
    workspace.close()
    assert service.shown is None


def test_where_tags_are_looked_at_the_mt_stands_above(workspace, qtbot):
    corpus = replace(
        rich_corpus(),
        references={"A": TextColumn.of(["a", "b", "c", "d"])},
        translations={"other": TextColumn.of(["a", "b", "c", "d"])},
    )
    workspace.open(corpus)
    service = ComparisonHighlightService(workspace)
    assert not service.first
    assert service.names == ["reference A", "post-edit", "other"]
    workspace.set_level(TRANSLATIONS)
    assert service.first
    assert service.names == ["reference A", "post-edit", "MT", "other"]


def test_a_reference_alone_is_marked_against_the_mt(workspace, qtbot):
    workspace.open(replace(rich_corpus(), references={"A": TextColumn.of(["a", "b", "c", "d"])}, texts={
        TextRole.MT: rich_corpus().text(TextRole.MT)}))  # fmt: skip
    service = ComparisonHighlightService(workspace)
    assert (service.names, wait(qtbot, service).against) == (["reference A"], ("MT",))


def test_layers_of_tags_set_side_by_side_are_no_texts(service, qtbot):
    tags = LayerKey(Provenance.SYSTEM, "near", Kind.WORDS)
    service.set_query(SegmentQuery(order=SortOrder.DIFFERENCE, between=(tags, tags), metric="F1-mult"))
    assert service.names == ["reference A", "reference B", "near", "far 😀"]


def test_texts_that_come_along_are_shown(service, workspace, qtbot):
    wait(qtbot, service)
    more = {**workspace.corpus.translations, "third": TextColumn.of(["x", "y"])}
    workspace.session.extend(replace(workspace.corpus, translations=more))
    assert service.names[-1] == "third"
