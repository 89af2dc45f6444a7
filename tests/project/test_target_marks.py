"""Marks of a layer's BAD words in the current targets, and bilingual files that contain them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, Review, ReviewStatus, TagColumn, TextRole, View
from qe_desktop.corpus.text_spans import token_offsets
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import ISSUES_LAYER, corpus_from_documents, issue_tags
from qe_desktop.formats.bilingual.exports.registry import export_view, get_export
from qe_desktop.formats.bilingual.inline_codes import content_text
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.xml.its_writer import issues_from_spans, with_issues
from qe_desktop.project.review.target_marks import target_marks
from qe_desktop.project.reviewed_files import reviewed_files
from tests.formats.bilingual.samples import parse_sample, read_sample

SYSTEM = LayerKey(Provenance.SYSTEM, "one", Kind.WORDS)
ISSUES = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, Kind.WORDS)


def view_of_sample(name: str, bad: dict[int, list[int]], targets: dict[int, str] | None = None) -> View:
    """View of a job with one file and a system's tags; `bad` are the positions of BAD words by segment."""
    corpus = corpus_from_documents([parse_sample(name)], "job")
    offsets = corpus.offsets(Kind.WORDS)
    values = np.zeros(int(offsets[-1]), np.uint8)
    for segment, places in bad.items():
        values[int(offsets[segment]) + np.asarray(places, int)] = 1
    corpus = corpus.with_layer(Layer(SYSTEM, TagColumn(values, offsets), "one.tags"))
    return View(corpus, review=Review(targets=targets or {}))


def words(view: View, segment: int) -> list[str]:
    """Marked words of a segment."""
    text = strip_codes(view.target(segment))
    return [text[start:stop] for start, stop in target_marks(view, SYSTEM).spans.get(segment, ())]


def test_edited_words_are_not_marked_but_words_after_them_are():
    line = "Drücken Sie zweimal ⟨1⟩Stopp⟨/1⟩⟨2/⟩ & warten."
    bad = {1: [2, 5], 2: [0]}
    as_loaded = view_of_sample("plain.xlf", bad)
    assert (words(as_loaded, 1), words(as_loaded, 2)) == (["zweimal", "warten"], [])
    # the BAD word of the locked segment
    assert target_marks(as_loaded, SYSTEM).unmarked_count == 1
    edited = view_of_sample("plain.xlf", bad, {1: line.replace("zweimal", "doch bitte dreimal")})
    assert (words(edited, 1), target_marks(edited, SYSTEM).unmarked_count) == (["warten"], 2)
    assert edited.status(2) is ReviewStatus.LOCKED


@pytest.mark.parametrize("name", ["plain.xlf", "two.xlf", "okapi.xlf"])
@given(data=st.data())
def test_a_marked_file_is_read_back_with_the_same_tags_and_texts(name, data):
    """Unedited segments keep all tags, edited segments those of the words that remain."""
    plain = corpus_from_documents([parse_sample(name)], "job")
    counts = plain.text(TextRole.MT).token_counts().tolist()
    bad = {
        segment: sorted(data.draw(st.sets(st.integers(0, count - 1)))) for segment, count in enumerate(counts) if count
    }
    targets = {}
    for segment, count in enumerate(counts):
        if count and plain.job.statuses[segment] != ReviewStatus.LOCKED and data.draw(st.booleans()):
            # text is only added before or after the line, so that codes keep their order
            line = plain.job.targets[segment]
            targets[segment] = data.draw(st.sampled_from([f"Neu {line}", f"{line} neu", line]))
    view = view_of_sample(name, bad, targets)
    (item,) = reviewed_files(view, view.corpus.job, {})
    marks = target_marks(view, SYSTEM)
    unmarked = item.rewrite()
    marked, issues = item.add_issues(unmarked, marks)
    before, after = parse_document(unmarked.data, name), parse_document(marked.data, name)
    assert [content_text(item.target or ()) for item in after.segments] == [
        content_text(item.target or ()) for item in before.segments
    ]
    assert [(item.state, item.notes, item.source) for item in after.segments] == [
        (item.state, item.notes, item.source) for item in before.segments
    ]
    texts = [content_text(segment.target or ()) for segment in after.segments]
    marked_tags = issue_tags(after.segments, of_source=False)
    had = issue_tags(before.segments, of_source=False)
    tokens = corpus_from_documents([after], "job").text(TextRole.MT)
    for segment in range(len(texts)):
        places = token_offsets(tokens.tokens(segment), texts[segment])
        spans = marks.spans.get(segment, [])
        expected = [any(low < last and first < high for first, last in spans) for low, high in places]
        if had is not None:
            expected = [tag or bool(old) for tag, old in zip(expected, had[segment], strict=True)]
        assert (marked_tags[segment].tolist() if marked_tags is not None else [0] * len(places)) == expected
        if segment not in targets and view.status(segment) is not ReviewStatus.LOCKED:
            assert len(spans) == len(bad.get(segment, []))
    assert sum(map(len, marks.spans.values())) + marks.unmarked_count == sum(map(len, bad.values()))
    assert issues >= sum(map(len, marks.spans.values()))


def test_formats_without_marks_are_not_changed():
    view = view_of_sample("studio.sdlxliff", {0: [0]})
    (reviewed_file,) = reviewed_files(view, view.corpus.job, {})
    rewritten = reviewed_file.rewrite()
    assert reviewed_file.add_issues(rewritten, target_marks(view, SYSTEM)) == (rewritten, 0)
    assert rewritten.data == read_sample("studio.sdlxliff")


@pytest.mark.parametrize("kind", ["xliff-1", "xliff-2"])
@pytest.mark.parametrize("name", ["studio.sdlxliff", "table.csv", "memory.tmx", "catalogue.po", "memoq.mqxliff"])
def test_exports_contain_the_marks(name, kind):
    """The last word of each segment is marked, whatever codes and line breaks the segment has."""
    counts = corpus_from_documents([parse_sample(name)], "job").text(TextRole.MT).token_counts().tolist()
    view = view_of_sample(name, {segment: [count - 1] for segment, count in enumerate(counts) if count})
    data = get_export(kind).write(export_view(view))
    document = parse_document(data, "out")
    marks = target_marks(view, SYSTEM)
    assert marks.spans
    marked = parse_document(with_issues(document, issues_from_spans(document, marks.spans), marks.system).data, "out")
    marked_tags = issue_tags(marked.segments, of_source=False)
    for segment in marks.spans:
        assert marked_tags[segment].tolist() == [0] * (counts[segment] - 1) + [1]
    texts = [[content_text(segment_read.target or ()) for segment_read in read.segments] for read in (marked, document)]
    assert texts[0] == texts[1]


def test_marks_after_a_line_break_of_two_characters_are_correct():
    """A table cell contains CR and LF; the program's line has a single character for both."""
    document = parse_document(b'source,target\n"a b","eins\r\nzwei drei"\n', "t.csv")
    (issues,) = issues_from_spans(document, {0: [(5, 9), (0, 4)]}).values()
    text = content_text(document.segments[0].target)
    assert [text[issue.start : issue.end] for issue in issues] == ["zwei", "eins"]
