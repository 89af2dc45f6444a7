"""Comparison of translations: displayed texts, metric and mark style, and when highlights are computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.translation_level import ALL_REFERENCES, reference_key, system_key
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.inspect.translations.comparison_service import ComparisonHighlightService, settings_key
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.inspect.translations.conftest import corpus_of

NEAR, FAR = system_key("near"), system_key("far 😀")


@pytest.fixture
def service(workspace) -> ComparisonHighlightService:
    workspace.open(corpus_of())
    return ComparisonHighlightService(workspace)


def wait(qtbot, service):
    qtbot.waitUntil(lambda: service.comparison is not None and service.comparison.is_complete)
    return service.comparison


def difference_query(metric, reference=None, level=TRANSLATIONS):
    return SegmentQuery(
        order=SortOrder.DIFFERENCE, compared_layers=(FAR, NEAR), metric=metric, level=level, reference=reference
    )


def test_all_texts_are_shown_with_the_marks_of_the_selected_metric(service, workspace, qtbot):
    assert [line.name for line in service.comparison.lines] == ["reference A", "reference B", "near", "far 😀"]
    comparison = wait(qtbot, service)
    assert (comparison.metric, comparison.diff_style.name, service.request.base_key) == (
        "BLEU",
        "n-grams",
        reference_key(ALL_REFERENCES),
    )
    assert comparison.lines[2].score is not None
    workspace.settings.metric = "TER"
    assert wait(qtbot, service).diff_style.name == "edits"
    assert service.are_main_content


def test_difference_query_selects_its_two_systems_metric_and_reference(service, qtbot):
    service.set_query(difference_query("METEOR-2005", reference_key("B")))
    comparison = wait(qtbot, service)
    assert [line.name for line in comparison.lines] == ["far 😀", "near", "reference A", "reference B"]
    assert (comparison.metric, comparison.diff_style.name, comparison.compared_names) == (
        "METEOR-2005",
        "chunks",
        ("reference B",),
    )
    assert all(line.score is not None for line in comparison.lines[:2])
    service.set_query(SegmentQuery())
    assert wait(qtbot, service).metric == "BLEU"


def test_rank_query_selects_its_metric(service, qtbot):
    service.set_query(SegmentQuery(order=SortOrder.RANKS, rank_gap=RankGap("near", "TER", np.zeros(2), 4)))
    comparison = wait(qtbot, service)
    assert (comparison.metric, comparison.diff_style.name) == ("TER", "edits")
    assert {line.name for line in comparison.lines if line.score is not None} == {"near", "far 😀"}


def test_settings_take_precedence_over_defaults(service, workspace, qtbot):
    workspace.settings.marking = "unigrams"
    workspace.settings.base = settings_key(NEAR)
    service.set_query(difference_query("TER"))
    comparison = wait(qtbot, service)
    assert (comparison.diff_style.name, comparison.compared_names) == ("unigrams", ("near",))
    # unknown values in the settings are ignored
    workspace.settings.base = "system nobody"
    workspace.settings.marking = "of another version"
    comparison = wait(qtbot, service)
    assert (comparison.diff_style.name, comparison.compared_names) == ("edits", ("reference A", "reference B"))


def test_comparison_of_a_visited_segment_is_cached(service, workspace, qtbot):
    first = wait(qtbot, service)
    workspace.go_to(1)
    assert not service.comparison.is_complete
    wait(qtbot, service)
    workspace.go_to(0)
    assert service.comparison is first


def test_passing_many_segments_quickly_shows_the_last(service, workspace, qtbot):
    for segment in (1, 0, 1):
        workspace.go_to(segment)
    assert wait(qtbot, service).segment == 1
    qtbot.waitUntil(workspace.jobs.is_idle)
    assert service.comparison.segment == 1


def test_mt_and_post_edit_only_have_no_comparison(workspace):
    workspace.open(rich_corpus())
    service = ComparisonHighlightService(workspace)
    assert (service.comparison, service.request, service.are_main_content) == (None, None, False)
    workspace.close()
    assert service.comparison is None


def test_mt_is_among_the_compared_texts_only_at_translation_level(workspace, qtbot):
    corpus = replace(
        rich_corpus(),
        references={"A": TextColumn.of(["a", "b", "c", "d"])},
        translations={"other": TextColumn.of(["a", "b", "c", "d"])},
    )
    workspace.open(corpus)
    service = ComparisonHighlightService(workspace)
    assert not service.are_main_content
    assert service.names == ["reference A", "post-edit", "other"]
    workspace.set_level(TRANSLATIONS)
    assert service.are_main_content
    assert service.names == ["reference A", "post-edit", "MT", "other"]


def test_translation_that_is_named_mt_is_compared_although_the_reader_shows_the_mt(workspace, qtbot):
    letters = TextColumn.of(["a", "b", "c", "d"])
    workspace.open(replace(rich_corpus(), references={"A": letters}, translations={"MT": letters}))
    service = ComparisonHighlightService(workspace)
    assert service.names == ["reference A", "post-edit", "MT"]
    workspace.set_level(TRANSLATIONS)
    assert service.names == ["reference A", "post-edit", "MT 2", "MT"]


def test_single_reference_is_marked_against_the_mt(workspace, qtbot):
    workspace.open(replace(rich_corpus(), references={"A": TextColumn.of(["a", "b", "c", "d"])}, texts={
        TextRole.MT: rich_corpus().text(TextRole.MT)}))  # fmt: skip
    service = ComparisonHighlightService(workspace)
    assert (service.names, wait(qtbot, service).compared_names) == (["reference A"], ("MT",))


def test_difference_of_tag_layers_leaves_the_texts_unchanged(service, qtbot):
    tags = LayerKey(Provenance.SYSTEM, "near", Kind.WORDS)
    service.set_query(SegmentQuery(order=SortOrder.DIFFERENCE, compared_layers=(tags, tags), metric="F1-mult"))
    assert service.names == ["reference A", "reference B", "near", "far 😀"]


def test_added_translations_are_shown(service, workspace, qtbot):
    wait(qtbot, service)
    more = {**workspace.corpus.translations, "third": TextColumn.of(["x", "y"])}
    workspace.session.extend(replace(workspace.corpus, translations=more))
    assert service.names[-1] == "third"
