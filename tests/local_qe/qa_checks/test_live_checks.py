"""Findings of QA checks in current targets, updated after edits, also in segments with the same source."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, JobFile, Kind, ReviewStatus, TagColumn, TextColumn, TextRole, TranslationJob, View
from qe_desktop.corpus.translation_job import Review
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.registry import read_document
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
from qe_desktop.local_qe.qa_checks.live_checks import CONSISTENCY_CHECK, TargetChecks, recompute_reasons
from qe_desktop.local_qe.qa_checks.repetitions import RepetitionIndex, repetitions_of
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, run_checks

SOURCES = [
    "with 340 men",
    "Press ⟨1⟩OK⟨/1⟩ now.",
    "The same.",
    "The same.",
    "The same.",
    "The widget is here.",
    "12 34",
]
TARGETS = ["mit 430 Mann", "Jetzt ⟨1⟩OK⟨/1⟩.", "Dasselbe.", "Dasselbe.", "Dasselbe.", "Das Ding ist hier.", "12 34"]


def open_workspace(sources: list[str] = SOURCES, loaded: list[str] = TARGETS, **review) -> View:
    size = len(sources)
    written = {
        TextRole.SOURCE: sources, TextRole.MT: loaded, TextRole.RAW_SOURCE: sources, TextRole.RAW_MT: loaded,
    }  # fmt: skip
    texts = {role: TextColumn.of([strip_codes(line) for line in lines]) for role, lines in written.items()}
    file = JobFile("job.xlf", "/job.xlf", "xliff", b"", 0, size)
    bare = np.zeros(size, np.uint8)
    job = TranslationJob((file,), TextColumn.of(sources), TextColumn.of(loaded), bare, bare.astype(bool))
    return View(Corpus("made", size, texts, language_pair="en-de", job=job), review=Review(**review))


def reasons(checks: TargetChecks, segment: int, line: str) -> list[str]:
    return [str(finding.reason) for finding in checks.issues(segment, line)]


def test_conventions_of_all_targets_hold_for_the_one_being_edited():
    sources, targets = ["Name: x"] * 6, ["名前:"] * 6

    def japanese(count: int) -> TargetChecks:
        view = open_workspace(sources[:count], targets[:count])
        corpus = replace(view.corpus, language_pair="en-ja")
        return TargetChecks(View(corpus, review=view.review), [CHECK_BY_NAME["punctuation"]])

    assert reasons(japanese(6), 0, "名前:") == []
    assert reasons(japanese(4), 0, "名前:") == ["“:” is not the full-width mark of this language"]


def flagged_segments(checks: TargetChecks) -> list[int]:
    return np.flatnonzero(checks.flagged_segments()).tolist()


@pytest.mark.parametrize(
    ("segment", "line", "expected"),
    [
        (0, "mit 340 Mann", []),
        (0, "mit 430 Mann", [("430", "the source has 340, not 430")]),
        (0, "mit 340 Mann Mann", [("Mann", "“Mann” is repeated")]),
        (0, "mit 340  Mann", [("", "several spaces in a row")]),
        (1, "Jetzt ⟨1⟩OK.", [("", "the code ⟨/1⟩ is missing from the target")]),
        (1, "Jetzt ⟨/1⟩OK⟨1⟩.", [("", "the closing code ⟨/1⟩ does not close an open code")]),
        (1, "Jetzt ⟨1⟩⟨1⟩OK⟨/1⟩.", [("", "the code ⟨1⟩ is not in the source, or occurs there less often")]),
        (1, "Jetzt (⟨1⟩OK⟨/1⟩.", [("(", "the bracket “(” is not paired")]),
        (5, "Das widget ist hier.", [("widget", "“widget” is the same as in the source")]),
        (0, "", [("", "the target is empty")]),
    ],
)  # fmt: skip
def test_a_typed_target_is_checked(segment, line, expected):
    checks = TargetChecks(open_workspace(), CHECKS)
    text = strip_codes(line)
    findings = [(text[slice(*finding.span)], str(finding.reason)) for finding in checks.issues(segment, line)]
    assert findings == expected


def test_only_enabled_checks_are_run():
    assert (
        TargetChecks(open_workspace(), [check for check in CHECKS if check.name != "numbers"]).issues(0, "mit 430 Mann")
        == ()
    )


def test_corrected_findings_disappear_and_new_ones_appear():
    view = open_workspace()
    view = View(view.corpus.with_layer(run_checks(view.corpus)[0]))
    checks = TargetChecks(view, CHECKS)
    assert flagged_segments(checks) == [0]
    corrected = View(view.corpus, review=Review(targets={0: "mit 340 Mann", 5: "Das Ding Ding ist hier."}))
    checks.update_to_view(corrected, [0, 5])
    assert flagged_segments(checks) == [5]
    checks.update_to_view(view, [0, 5])
    assert flagged_segments(checks) == [0]


def test_edited_targets_of_the_first_view_are_checked():
    assert flagged_segments(
        TargetChecks(open_workspace(targets={5: "Das Ding Ding ist hier.", 0: "mit 341 Mann"}), CHECKS)
    ) == [0, 5]


def test_repeated_sources_are_compared_by_their_current_targets():
    view = open_workspace()
    checks = TargetChecks(view, CHECKS)
    assert reasons(checks, 2, "Dasselbe.") == []
    # after an edit of one translation, the unedited others differ from it
    edited = View(view.corpus, review=Review(targets={3: "Das gleiche."}))
    checks.update_to_view(edited, [3])
    assert flagged_segments(checks) == [2, 4]
    assert reasons(checks, 3, "Das gleiche.") == []
    assert reasons(checks, 2, "Dasselbe.") == ["segment 4 has a different translation of this source: “Das gleiche.”"]
    assert reasons(checks, 2, "Das gleiche.") == []
    # among edited and confirmed translations, the most frequent one counts
    confirmed = View(
        view.corpus, review=Review(targets={3: "Das gleiche."}, statuses=dict.fromkeys((2, 4), ReviewStatus.CONFIRMED))
    )
    checks.update_to_view(confirmed, [2, 4])
    assert flagged_segments(checks) == [3]
    assert reasons(checks, 3, "Das gleiche.") == ["segment 3 has a different translation of this source: “Dasselbe.”"]


def test_a_confirmed_target_is_the_usual_translation_also_if_it_was_not_edited():
    view = open_workspace(["The same."] * 2, ["Dasselbe.", "Das gleiche."], statuses={1: ReviewStatus.CONFIRMED})
    checks = TargetChecks(view, CHECKS)
    assert flagged_segments(checks) == [0]
    assert reasons(checks, 0, "Dasselbe.") == ["segment 2 has a different translation of this source: “Das gleiche.”"]
    assert reasons(checks, 1, "Das gleiche.") == []


def test_repeated_sources_of_numbers_only_are_not_compared():
    checks = TargetChecks(open_workspace(["12 34", "12 34"], ["12 34", "34 12"], targets={1: "12, 34"}), CHECKS)
    assert flagged_segments(checks) == []


PO = """msgid ""
msgstr ""
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "file"
msgid_plural "files"
msgstr[0] "plik"
msgstr[1] "pliki"
msgstr[2] "plików"

msgctxt "button"
msgid "Open"
msgstr "Otwórz"

msgctxt "state"
msgid "Open"
msgstr "Otwarte"

msgctxt "door"
msgid "file"
msgid_plural "files"
msgstr[0] "plik"
msgstr[1] "pliki"
msgstr[2] "plików"
"""


def test_plural_forms_and_entries_of_other_contexts_are_not_compared(tmp_path):
    path = tmp_path / "pl.po"
    path.write_text(PO)
    corpus = corpus_from_documents([read_document(path)], "pl.po")
    assert [corpus.source_line(segment) for segment in (1, 2, 3, 4)] == ["files", "files", "Open", "Open"]
    consistency = [CHECK_BY_NAME[CONSISTENCY_CHECK]]
    checks = TargetChecks(View(corpus), consistency)
    assert not any(checks.issues(segment, corpus.mt_line(segment)) for segment in range(corpus.size))
    assert view_qa_results(View(corpus), consistency) == []
    edited = View(corpus, review=Review(targets={1: "pliczki", 3: "Otwieraj"}))
    assert view_qa_results(edited, consistency) == []
    checks.update_to_view(edited, [1, 3])
    assert flagged_segments(checks) == []
    # marks made by an earlier version get no reasons from other plural forms either
    (layer,) = [layer for layer in run_checks(corpus, consistency) if layer.key.kind is Kind.WORDS]
    marked = TagColumn.of([[1] * len(layer.tags[segment]) for segment in range(corpus.size)])
    corpus = corpus.with_layer(replace(layer, column=marked, reasons=None))
    assert recompute_reasons(corpus, layer.key, 1).by_segment == {}


def test_a_word_of_another_target_without_its_source_is_not_untranslated():
    sources = ["The handy is here.", "A phone.", "The ähandy is there."]
    targets = ["Das Ding ist hier.", "Ein handy.", "Das ähandy ist dort."]
    assert reasons(TargetChecks(open_workspace(sources, targets), CHECKS), 0, "Das handy ist hier.") == []
    assert len(reasons(TargetChecks(open_workspace(sources[::2], targets[::2]), CHECKS), 0, "Das handy ist hier.")) == 1


def test_evidence_is_that_of_the_current_targets():
    # a file that is translated from scratch
    sources = ["It failed to open", "The handy is here.", "A phone.", *(f"It failed {number}" for number in range(8))]
    view = open_workspace(sources, [""] * len(sources))
    targets = {segment: f"Das ging {segment - 3} mal schief." for segment in range(3, len(sources))}
    translated = View(view.corpus, review=Review(targets={**targets, 2: "Ein handy."}))
    empty, current = TargetChecks(view, CHECKS), TargetChecks(translated, CHECKS)
    assert [len(reasons(empty, 0, "Das ging beim Öffnen schief.")), len(reasons(empty, 1, "Das handy ist hier."))] == [
        1,
        1,
    ]
    assert reasons(current, 0, "Das ging beim Öffnen schief.") == []
    assert reasons(current, 1, "Das handy ist hier.") == []
    # the list of all results uses the same evidence
    results = [row.segment for row in view_qa_results(translated) if row.check == "end-punctuation"]
    assert results == []
    assert not current.is_evidence_outdated
    empty.update_to_view(translated, translated.review.targets)
    assert empty.is_evidence_outdated


def test_targets_of_tokens_are_checked_and_marked_at_their_positions():
    source, mt = "say &quot; hi &quot; 5 times", "sag &quot; hallo &quot; 6 Mal"
    texts = {TextRole.SOURCE: TextColumn.of([source]), TextRole.MT: TextColumn.of([mt])}
    checks = TargetChecks(View(Corpus("made", 1, texts, language_pair="en-de")), CHECKS)
    findings = [(mt[slice(*finding.span)], str(finding.reason)) for finding in checks.issues(0, mt)]
    assert findings == [("6", "the source has 5, not 6")]
    assert reasons(checks, 0, "sag hallo 5 Mal") == ["the quotation marks of the source are missing from the target"]


def test_repeated_sources_are_found_with_and_without_an_index():
    corpus = open_workspace().corpus
    assert repetitions_of(corpus, 3).tolist() == [2, 3, 4]
    index = RepetitionIndex(corpus)
    assert index.members(3).tolist() == [2, 3, 4]
    assert index.members(0).tolist() == []


@given(st.lists(st.text("ab⟨é", max_size=15), min_size=1, max_size=30))
def test_search_for_a_repeated_source_compares_whole_sources(sources):
    column = TextColumn.of(sources)
    corpus = Corpus("made", len(sources), {TextRole.SOURCE: column})
    for segment, source in enumerate(sources):
        expected = [number for number, text in enumerate(sources) if text == source]
        assert repetitions_of(corpus, segment).tolist() == expected


def test_targets_without_sources_are_checked():
    view = open_workspace()
    texts = {role: text for role, text in view.corpus.texts.items() if role in (TextRole.MT, TextRole.RAW_MT)}
    checks = TargetChecks(View(Corpus("made", view.corpus.size, texts, language_pair="en-de")), CHECKS)
    assert flagged_segments(checks) == []
