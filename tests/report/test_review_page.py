"""Review page: content, escaped texts from files, languages, and large jobs."""

from __future__ import annotations

import io
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, ReviewStatus
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.local_qe.qa_checks.runner import CHECKS_NAME
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.target_changes import ChangeKind, ChangeRun, compare_targets
from qe_desktop.report.review_reports import (
    REVIEW_EXPORTS,
    changes_markup,
    escape_text,
    language_attributes,
    line_markup,
    write_review,
    write_review_page,
)
from qe_desktop.report.reviewed_job import FlaggedSpan, review_segments
from tests.report.reviewed_job import FIRST, SECOND, PageReader, page_of, reviewed_session, session_of
from tests.small_corpora import tags
from tests.ui.inspect.postedit.conftest import job_corpus

HOSTILE = "</p><script>alert(1)</script><img src=x onerror='a()'>&amp;\"'\u202eabc\x1b[31m"


def test_a_segment_shows_its_texts_changes_status_note_and_person():
    page = PageReader(page_of(reviewed_session().view))
    assert page.errors == []
    assert page.open == []
    assert len(page.texts("section")) == 4
    first, *_, last = page.texts("section")
    for text in ("1", "u1", "The cat sleeps .", "Die Katze schlaft .", "Die Katze schläft .", "confirmed", "Ann"):
        assert text in first
    assert page.texts("del") == ["removed", "moved from here1", " schlaft"]
    assert page.texts("ins") == ["added", "moved to here1", " schläft"]
    assert "u9" in last
    assert "rejected" in last
    assert "nein" in last
    assert page.texts("h2") == ["1.xlf", "2.xlf"]
    assert len(page.texts("section", class_="edited")) == 1


def test_the_summary_has_the_statistics():
    page = PageReader(page_of(reviewed_session().view))
    items = dict(zip(page.texts("dt"), page.texts("dd"), strict=True))
    assert items == {
        "Languages": "en → de", "Segments": "4", "Source words": "10", "Repetitions": "1 (3 words)", "Open": "2",
        "Confirmed": "1", "Rejected": "1", "Differ from the MT": "1", "Flagged": "0", "With notes": "1",
        "Reviewed": "1", "HTER, mean": "0.250", "HTER, pooled": "0.250", "Post-editors": "Ann",
    }  # fmt: skip


def test_each_segment_has_the_language_and_direction_of_its_file():
    page = PageReader(page_of(session_of(FIRST, SECOND, targets=("de", "ar")).view))
    assert len(page.texts("p", lang="de", dir="ltr")) == len(page.texts("p", lang="ar", dir="rtl")) == 2
    assert "en → de, ar" in page.texts("dd")


def test_flagged_words_are_marked_in_the_mt_around_codes():
    session = Session(replace(job_corpus(), language_pair="en-de"))
    page = PageReader(page_of(session.view))
    assert page.texts("mark", class_="strong")[1:] == ["Sie", ".", "grüne", "Ein", "gesperrter", "auf", "Wiedersehen"]
    assert page.texts("span", class_="code")[:3] == ["⟨1⟩", "⟨/1⟩", "⟨2/⟩"]
    assert "Drücken Sie ⟨1⟩OK⟨/1⟩ jetzt ⟨2/⟩." in page.texts("p", lang="de")


def test_qa_checks_do_not_weaken_the_flags_of_a_qe_system(tmp_path):
    corpus = job_corpus()
    (layer,) = corpus.layers.values()
    words = np.diff(layer.tags.offsets)
    first_words = tags(*("b" + "o" * (count - 1) if count else "" for count in words.tolist()))
    checks = Layer(LayerKey(Provenance.SYSTEM, CHECKS_NAME, Kind.WORDS), first_words, origin=CHECKS_NAME)
    marks = {}
    for name, shown in (("alone", corpus), ("checked", corpus.with_layer(checks))):
        path = tmp_path / f"{name}.html"
        write_review(Session(shown).view, REVIEW_EXPORTS[0], path)
        marks[name] = PageReader(path.read_text("utf-8"))
    alone, checked = (marks[name].texts("mark", class_="strong") for name in ("alone", "checked"))
    # the first mark is that of the legend
    assert len(marks["checked"].texts("mark", class_="weak")) == 1
    assert set(alone) < set(checked)


def test_words_flagged_only_by_the_gold_are_not_attributed_to_qe():
    corpus = job_corpus()
    (layer,) = corpus.layers.values()
    gold = replace(layer.key, provenance=Provenance.GOLD)
    text = page_of(Session(replace(corpus, layers={gold: replace(layer, key=gold)})).view)
    assert "by QE" not in text
    page = PageReader(text)
    assert page.texts("mark", class_="strong")[:2] == ["flagged", "Sie"]
    assert "Flagged" in page.texts("dt")


@pytest.mark.parametrize(
    ("language", "attributes"),
    [
        ("he", 'lang="he" dir="rtl"'), ("az-Arab", 'lang="az-Arab" dir="rtl"'), ("pt_BR", 'lang="pt-BR" dir="ltr"'),
        ("", 'dir="rtl"'), ('"><script>', 'dir="rtl"'), ("x" * 50, 'dir="rtl"'),
    ],
)  # fmt: skip
def test_language_and_direction(language, attributes):
    assert language_attributes(language, ["שלום עולם 1"]) == attributes


def test_hebrew_targets_run_from_right_to_left():
    session = session_of([("u1", "Hello", "שלום")], target="he")
    page = PageReader(page_of(session.view))
    assert page.texts("p", lang="he", dir="rtl") == ["שלום"]
    assert page.texts("p", lang="en", dir="ltr") == ["Hello"]


def test_the_page_loads_nothing_and_has_light_dark_and_print_styles():
    text = page_of(reviewed_session().view)
    page = PageReader(text)
    policy = next(
        attributes["content"] for tag, attributes, _ in page.elements if tag == "meta" and "http-equiv" in attributes
    )
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert {tag for tag, *_ in page.elements} <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "dl", "dt", "dd", "div", "p", "mark", "del",
        "ins", "sup", "span", "label", "input", "main", "section", "header", "b", "bdi", "br",
    }  # fmt: skip
    for part in ("prefers-color-scheme: dark", "@media print", "color-scheme: light dark"):
        assert part in text
    assert "http://" not in text
    assert "https://" not in text


def test_texts_of_files_and_people_are_only_text():
    session = session_of([("u", "s", "m")])
    session.reviewing.set_author(HOSTILE, "window")
    session.reviewing.set({0: {
        ReviewField.TARGET: HOSTILE.replace("\x1b", ""), ReviewField.NOTE: HOSTILE.replace("\x1b", ""),
        ReviewField.STATUS: 2,
    }})  # fmt: skip
    corpus = replace(session.view.corpus, name=HOSTILE)
    text = page_of(Session(corpus).view)
    assert "<script" not in text
    text = page_of(session.view)
    page = PageReader(text)
    assert page.errors == []
    assert "<script" not in text
    assert "<img" not in text
    for character in ("\u202e", "\x1b"):
        assert character not in text
    # the note is unchanged, except for invisible characters
    assert page.texts("p", dir="auto")[-1] == HOSTILE.replace("\u202e", "\\u202e").replace("\x1b", "")


LINES = st.text(alphabet="ab <>&\"'⟨1/⟩\u2028\u202e\n", max_size=30)


@settings(deadline=None)
@given(LINES, LINES)
def test_markup_shows_the_target_letter_for_letter(mt, target):
    (changes,) = compare_targets([(strip_codes(mt), strip_codes(target))], word_spans)
    reader = PageReader(f"<div>{changes_markup(changes, target)}</div>")
    assert reader.errors == []
    assert reader.open == []
    shown = PageReader(f"<div>{line_markup(target)}</div>").texts("div")[0]
    removed = "".join(reader.texts("del"))
    total = reader.texts("div")[0]
    # apart from removed words and numbers of moved blocks, the changes are the target
    assert len(total) == len(shown) + len(removed) + sum(len(text) for text in reader.texts("sup")) - sum(
        len(sup) for sup in reader.texts("sup")[: len([run for run in changes if run.move]) // 2]
    )


def test_flagged_spans_that_do_not_fit_are_left_out():
    spans = [FlaggedSpan(0, 2, True), FlaggedSpan(1, 3, True), FlaggedSpan(3, 99, True)]
    assert line_markup("ab<c", spans).count("<mark") == 1
    assert "&lt;c" in line_markup("ab<c", spans)


def test_line_breaks_are_shown():
    assert escape_text("a\u2028b\r\nc\n").count("<br>") == 3


def test_a_corpus_without_a_bilingual_file_has_numbers_only():
    from tests.ui.inspect.conftest import rich_corpus

    (first, *_) = review_segments(Session(rich_corpus()).view)
    assert (first.number, first.name, first.document, first.status) == (1, "", "d1", ReviewStatus.OPEN)
    assert page_of(Session(rich_corpus()).view).count("<section") == 4


def test_large_jobs_are_written_block_by_block(monkeypatch):
    """Memory does not grow with the page: only one block of segments at a time is converted to markup."""
    session = session_of([(f"u{i}", f"word {i} " * 20, f"Wort {i} " * 20) for i in range(3000)])

    class Sink:
        size = largest = 0

        def write(self, data: bytes) -> int:
            self.size += len(data)
            self.largest = max(self.largest, len(data))
            return len(data)

    sink, shares = Sink(), []
    tracemalloc.start()
    write_review_page(session.view, sink, shares.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sink.size > 3_000_000 // 2
    assert sink.largest < 20_000
    assert peak < 20_000_000
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_it_can_be_stopped():
    session = reviewed_session()

    def watch(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        write_review_page(session.view, io.BytesIO(), watch)


def test_runs_without_moves():
    assert changes_markup([ChangeRun(ChangeKind.REMOVED, "a"), ChangeRun(ChangeKind.ADDED, "b")], "b") == (
        "<del>a</del><ins>b</ins>"
    )
