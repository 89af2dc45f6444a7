"""BAD words of layers in targets as they are now, and the translators' files that mark them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, Review, ReviewStatus, TagColumn, TextRole, View
from qe_desktop.corpus.detokenized_text import token_offsets
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import ISSUES_LAYER, corpus_from_documents, issue_tags
from qe_desktop.formats.bilingual.exports.registry import export_view, get_export
from qe_desktop.formats.bilingual.inline_codes import content_text
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.xml.its_writer import issues_from_spans, with_issues
from qe_desktop.project.review.target_marks import target_marks
from qe_desktop.project.reviewed_files import reviewed_files
from tests.formats.bilingual.samples import bytes_of_sample, sample

SYSTEM = LayerKey(Provenance.SYSTEM, "one", Kind.WORDS)
BROUGHT = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, Kind.WORDS)


def viewed(name: str, bad: dict[int, list[int]], targets: dict[int, str] | None = None) -> View:
    """A job of one file with a system's tags: places of BAD words by segment."""
    corpus = corpus_from_documents([sample(name)], "job")
    offsets = corpus.offsets(Kind.WORDS)
    values = np.zeros(int(offsets[-1]), np.uint8)
    for segment, places in bad.items():
        values[int(offsets[segment]) + np.asarray(places, int)] = 1
    corpus = corpus.with_layer(Layer(SYSTEM, TagColumn(values, offsets), "one.tags"))
    return View(corpus, review=Review(targets=targets or {}))


def words(view: View, segment: int) -> list[str]:
    """The words that are marked in a segment."""
    text = strip_codes(view.target(segment))
    return [text[low:high] for low, high in target_marks(view, SYSTEM).spans.get(segment, ())]


def test_words_that_were_edited_are_not_marked_and_those_behind_them_are():
    line = "Drücken Sie zweimal ⟨1⟩Stopp⟨/1⟩⟨2/⟩ & warten."
    bad = {1: [2, 5], 2: [0]}
    as_loaded = viewed("plain.xlf", bad)
    assert (words(as_loaded, 1), words(as_loaded, 2)) == (["zweimal", "warten"], [])
    # the locked one
    assert target_marks(as_loaded, SYSTEM).gone == 1
    edited = viewed("plain.xlf", bad, {1: line.replace("zweimal", "doch bitte dreimal")})
    assert (words(edited, 1), target_marks(edited, SYSTEM).gone) == (["warten"], 2)
    assert edited.status(2) is ReviewStatus.LOCKED


@pytest.mark.parametrize("name", ["plain.xlf", "two.xlf", "okapi.xlf"])
@given(data=st.data())
def test_a_file_with_marks_gives_the_same_tags_and_nothing_else(name, data):
    """Of what was not edited, all of them; of what was, those of words that stand there still."""
    plain = corpus_from_documents([sample(name)], "job")
    counts = plain.text(TextRole.MT).token_counts().tolist()
    bad = {
        segment: sorted(data.draw(st.sets(st.integers(0, count - 1)))) for segment, count in enumerate(counts) if count
    }
    targets = {}
    for segment, count in enumerate(counts):
        if count and plain.job.statuses[segment] != ReviewStatus.LOCKED and data.draw(st.booleans()):
            # codes stay where they are: what is typed comes before or behind all
            line = plain.job.targets[segment]
            targets[segment] = data.draw(st.sampled_from([f"Neu {line}", f"{line} neu", line]))
    view = viewed(name, bad, targets)
    (one,) = reviewed_files(view, view.corpus.job, {})
    marks = target_marks(view, SYSTEM)
    unmarked = one.rewritten()
    marked, issues = one.marked(unmarked, marks)
    before, after = parse_document(unmarked.data, name), parse_document(marked.data, name)
    assert [content_text(one.target or ()) for one in after.segments] == [
        content_text(one.target or ()) for one in before.segments
    ]
    assert [(one.state, one.notes, one.source) for one in after.segments] == [
        (one.state, one.notes, one.source) for one in before.segments
    ]
    texts = [content_text(segment.target or ()) for segment in after.segments]
    found = issue_tags(after.segments, of_source=False)
    had = issue_tags(before.segments, of_source=False)
    tokens = corpus_from_documents([after], "job").text(TextRole.MT)
    for segment in range(len(texts)):
        places = token_offsets(tokens.tokens(segment), texts[segment])
        spans = marks.spans.get(segment, [])
        expected = [any(low < last and first < high for first, last in spans) for low, high in places]
        if had is not None:
            expected = [tag or bool(old) for tag, old in zip(expected, had[segment], strict=True)]
        assert (found[segment].tolist() if found is not None else [0] * len(places)) == expected
        if segment not in targets and view.status(segment) is not ReviewStatus.LOCKED:
            assert len(spans) == len(bad.get(segment, []))
    assert sum(map(len, marks.spans.values())) + marks.gone == sum(map(len, bad.values()))
    assert issues >= sum(map(len, marks.spans.values()))


def test_dialects_without_a_place_stay_as_they_are():
    view = viewed("studio.sdlxliff", {0: [0]})
    (one,) = reviewed_files(view, view.corpus.job, {})
    rewritten = one.rewritten()
    assert one.marked(rewritten, target_marks(view, SYSTEM)) == (rewritten, 0)
    assert rewritten.data == bytes_of_sample("studio.sdlxliff")


@pytest.mark.parametrize("kind", ["xliff-1", "xliff-2"])
@pytest.mark.parametrize("name", ["studio.sdlxliff", "table.csv", "memory.tmx", "catalogue.po", "memoq.mqxliff"])
def test_exports_are_marked(name, kind):
    """A word of every segment, whatever codes and line breaks it has."""
    counts = corpus_from_documents([sample(name)], "job").text(TextRole.MT).token_counts().tolist()
    view = viewed(name, {segment: [count - 1] for segment, count in enumerate(counts) if count})
    data = get_export(kind).write(export_view(view))
    document = parse_document(data, "out")
    marks = target_marks(view, SYSTEM)
    assert marks.spans
    marked = parse_document(with_issues(document, issues_from_spans(document, marks.spans), marks.system).data, "out")
    found = issue_tags(marked.segments, of_source=False)
    for segment in marks.spans:
        assert found[segment].tolist() == [0] * (counts[segment] - 1) + [1]
    texts = [[content_text(one.target or ()) for one in read.segments] for read in (marked, document)]
    assert texts[0] == texts[1]


def test_line_breaks_of_two_characters():
    """A table keeps CR and LF in a cell; a line has one sign for both."""
    document = parse_document(b'source,target\n"a b","eins\r\nzwei drei"\n', "t.csv")
    (issues,) = issues_from_spans(document, {0: [(5, 9), (0, 4)]}).values()
    text = content_text(document.segments[0].target)
    assert [text[one.start : one.end] for one in issues] == ["zwei", "eins"]
