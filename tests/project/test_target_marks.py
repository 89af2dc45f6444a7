"""BAD words of layers in targets as they are now, and the translators' files that mark them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, Review, Status, TagColumn, TextRole, View
from qe_desktop.corpus.aligned import places_of
from qe_desktop.formats.bilingual import document_of
from qe_desktop.formats.bilingual.codes import text_of
from qe_desktop.formats.bilingual.exporting import export_named, exported_of
from qe_desktop.formats.bilingual.issue_writing import with_issues
from qe_desktop.formats.bilingual.layers import ISSUES, corpus_of, tags_of
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.formats.bilingual.tagged_words import issues_of_spans
from qe_desktop.project.job_files import reviewed_files
from qe_desktop.project.target_marks import target_marks
from tests.formats.bilingual.samples import bytes_of_sample, sample

SYSTEM = LayerKey(Provenance.SYSTEM, "one", Kind.WORDS)
BROUGHT = LayerKey(Provenance.SYSTEM, ISSUES, Kind.WORDS)


def viewed(name: str, bad: dict[int, list[int]], targets: dict[int, str] | None = None) -> View:
    """A job of one file with a system's tags: places of BAD words by segment."""
    corpus = corpus_of([sample(name)], "job")
    offsets = corpus.offsets(Kind.WORDS)
    values = np.zeros(int(offsets[-1]), np.uint8)
    for segment, places in bad.items():
        values[int(offsets[segment]) + np.asarray(places, int)] = 1
    corpus = corpus.with_layer(Layer(SYSTEM, TagColumn(values, offsets), "one.tags"))
    return View(corpus, review=Review(targets=targets or {}))


def words(view: View, segment: int) -> list[str]:
    """The words that are marked in a segment."""
    text = text_of_line(view.target(segment))
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
    assert edited.status(2) is Status.LOCKED


@pytest.mark.parametrize("name", ["plain.xlf", "two.xlf", "okapi.xlf"])
@given(data=st.data())
def test_a_file_with_marks_gives_the_same_tags_and_nothing_else(name, data):
    """Of what was not edited, all of them; of what was, those of words that stand there still."""
    plain = corpus_of([sample(name)], "job")
    counts = plain.text(TextRole.MT).token_counts().tolist()
    bad = {
        segment: sorted(data.draw(st.sets(st.integers(0, count - 1)))) for segment, count in enumerate(counts) if count
    }
    targets = {}
    for segment, count in enumerate(counts):
        if count and plain.job.statuses[segment] != Status.LOCKED and data.draw(st.booleans()):
            # codes stay where they are: what is typed comes before or behind all
            line = plain.job.targets[segment]
            targets[segment] = data.draw(st.sampled_from([f"Neu {line}", f"{line} neu", line]))
    view = viewed(name, bad, targets)
    (one,) = reviewed_files(view, view.corpus.job, {})
    marks = target_marks(view, SYSTEM)
    unmarked = one.rewritten()
    marked, issues = one.marked(unmarked, marks)
    before, after = document_of(unmarked.data, name), document_of(marked.data, name)
    assert [text_of(one.target or ()) for one in after.segments] == [
        text_of(one.target or ()) for one in before.segments
    ]
    assert [(one.state, one.notes, one.source) for one in after.segments] == [
        (one.state, one.notes, one.source) for one in before.segments
    ]
    texts = [text_of(segment.target or ()) for segment in after.segments]
    found = tags_of(after.segments, of_source=False)
    had = tags_of(before.segments, of_source=False)
    tokens = corpus_of([after], "job").text(TextRole.MT)
    for segment in range(len(texts)):
        places = places_of(tokens.tokens(segment), texts[segment])
        spans = marks.spans.get(segment, [])
        expected = [any(low < last and first < high for first, last in spans) for low, high in places]
        if had is not None:
            expected = [tag or bool(old) for tag, old in zip(expected, had[segment], strict=True)]
        assert (found[segment].tolist() if found is not None else [0] * len(places)) == expected
        if segment not in targets and view.status(segment) is not Status.LOCKED:
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
    counts = corpus_of([sample(name)], "job").text(TextRole.MT).token_counts().tolist()
    view = viewed(name, {segment: [count - 1] for segment, count in enumerate(counts) if count})
    data = export_named(kind).write(exported_of(view))
    document = document_of(data, "out")
    marks = target_marks(view, SYSTEM)
    assert marks.spans
    marked = document_of(with_issues(document, issues_of_spans(document, marks.spans), marks.system).data, "out")
    found = tags_of(marked.segments, of_source=False)
    for segment in marks.spans:
        assert found[segment].tolist() == [0] * (counts[segment] - 1) + [1]
    texts = [[text_of(one.target or ()) for one in read.segments] for read in (marked, document)]
    assert texts[0] == texts[1]


def test_line_breaks_of_two_characters():
    """A table keeps CR and LF in a cell; a line has one sign for both."""
    document = document_of(b'source,target\n"a b","eins\r\nzwei drei"\n', "t.csv")
    (issues,) = issues_of_spans(document, {0: [(5, 9), (0, 4)]}).values()
    text = text_of(document.segments[0].target)
    assert [text[one.start : one.end] for one in issues] == ["zwei", "eins"]
