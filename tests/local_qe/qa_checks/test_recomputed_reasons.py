"""Recomputed reasons of QA checks: complete for layers of checks, and none for other layers."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, ReviewStatus, TextColumn, TextRole
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks, recompute_reasons
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, run_checks
from qe_desktop.project import ReviewField, Session
from tests.local_qe.qa_checks.test_live_checks import open_workspace, reasons
from tests.report.reviewed_job import FIRST, SECOND, session_of

SOURCES = ["with 340 men", "It &quot; is &quot; so .", "The same.", "The same.", "The same.", "the widget (here)", "a"]
TARGETS = ["mit 430 Mann", "Es ist so so .", "Dasselbe.", "Das gleiche.", "Dasselbe.", "das widget hier", "b"]
WORDS = LayerKey(Provenance.SYSTEM, "checks", Kind.WORDS)


def store_layers(corpus: Corpus, checks=CHECKS, **more) -> Corpus:
    """Corpus with layers of checks as a project returns them: without reasons, with notes in English."""
    layers = {layer.key: replace(layer, reasons=None, **more) for layer in run_checks(corpus, checks)}
    return replace(corpus, layers=layers)


def test_all_reasons_are_recomputed_segment_by_segment():
    tokens = {TextRole.SOURCE: TextColumn.of(SOURCES), TextRole.MT: TextColumn.of(TARGETS)}
    for corpus in (
        open_workspace(SOURCES, TARGETS).corpus,
        Corpus("made", 7, tokens, language_pair="en-de"),
        Corpus("made", 7, tokens, language_pair="en-de", eos=True),
    ):
        reasons_by_layer = {layer.key: layer.reasons for layer in run_checks(corpus)}
        assert {key.kind for key in reasons_by_layer} == {Kind.WORDS, Kind.GAPS, Kind.SOURCE}
        again = store_layers(corpus)
        for key, layer_reasons in reasons_by_layer.items():
            for segment in range(corpus.size):
                assert recompute_reasons(again, key, segment).by_segment.get(segment) == layer_reasons.by_segment.get(
                    segment
                )


def test_the_usual_translation_is_that_of_all_repeated_segments():
    targets = ["Das  gleiche.", "Dasselbe.", "", "Dasselbe.", "Das gleiche.", "Das gleiche.", "Dasselbe."]
    corpus = open_workspace(["The same."] * 7, targets).corpus
    expected = {layer.key: layer.reasons for layer in run_checks(corpus)}[WORDS].by_segment
    again = store_layers(corpus)
    assert [recompute_reasons(again, WORDS, segment).at(segment, 0) for segment in (0, 1)] == [
        [],
        ["segment 1 has a different translation of this source: “Das gleiche.”"],
    ]
    for segment in range(7):
        assert recompute_reasons(again, WORDS, segment).by_segment.get(segment) == expected.get(segment)


def test_segments_of_several_files_are_named_with_their_files():
    """The number was ambiguous, because each file counts its segments from 1."""
    session = session_of(FIRST, SECOND)
    corpus = session.corpus
    message = "segment 1 (1.xlf:1) has a different translation of this source: “Die Katze schlaft .”"
    layers = {layer.key: layer.reasons for layer in run_checks(corpus)}
    assert layers[WORDS].at(2, 2) == [message]
    assert recompute_reasons(store_layers(corpus), WORDS, 2).at(2, 2) == [message]
    assert [row.message for row in view_qa_results(session.view) if row.check == "consistency"] == [message]
    session.reviewing.set({2: {ReviewField.STATUS: int(ReviewStatus.CONFIRMED)}})
    assert reasons(TargetChecks(session.view, CHECKS), 0, "Die Katze schlaft .") == [
        "segment 3 (2.xlf:1) has a different translation of this source: “Die Katze schläft .”"
    ]


def test_only_the_checks_that_made_a_layer_give_reasons():
    corpus = open_workspace(SOURCES, TARGETS).corpus
    again = store_layers(corpus, [CHECK_BY_NAME["doubled"]])
    assert recompute_reasons(again, WORDS, 0).by_segment == {}
    assert recompute_reasons(again, WORDS, 1).at(1, 3) == ["“so” is repeated"]


def test_other_layers_with_the_name_of_the_checks_have_no_reasons():
    corpus = open_workspace(SOURCES, TARGETS).corpus
    assert recompute_reasons(store_layers(corpus, origin="checks.tags"), WORDS, 0) is None
    assert recompute_reasons(store_layers(corpus, notes=("by hand",)), WORDS, 0).by_segment == {}
    assert recompute_reasons(corpus, WORDS, 0) is None


def test_existing_reasons_are_returned_unchanged():
    corpus = open_workspace(SOURCES, TARGETS).corpus
    layers = {layer.key: layer for layer in run_checks(corpus)}
    marked = replace(corpus, layers=layers)
    assert recompute_reasons(marked, WORDS, 0) is layers[WORDS].reasons


def test_reasons_of_marks_on_the_mt_ignore_corrected_targets():
    session = Session(store_layers(open_workspace(SOURCES, TARGETS).corpus))
    session.reviewing.set({0: {ReviewField.TARGET: "mit 340 Mann"}})
    assert recompute_reasons(session.view.corpus, WORDS, 0).at(0, 1) == ["the source has 340, not 430"]
