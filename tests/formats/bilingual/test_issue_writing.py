"""Word issues written into bilingual files are read back, and nothing else differs."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from qe_desktop.corpus import QeError, TagColumn, offsets_from_lengths
from qe_desktop.formats.bilingual import Document, Issue, parse_document
from qe_desktop.formats.bilingual.document_corpus import issue_tags
from qe_desktop.formats.bilingual.inline_codes import Code, content_text
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.formats.bilingual.xml.its_writer import ISSUE_TYPES, issues_from_tags, with_issues
from tests.formats.bilingual.samples import line_pairs, parse_sample, read_sample

SUPPORTED = ("plain.xlf", "okapi.xlf", "two.xlf")
ITS = "{http://www.w3.org/2005/11/its}"
COMMENTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=9).filter(
    lambda text: not INVALID_XML_CHARS.search(text)
)


def issue(start: int, end: int, kind: str = "uncategorized", severity: float | None = None, comment: str = "") -> Issue:
    return Issue(start, end, kind, severity, comment, is_on_words=True)


def translated_segments(document: Document) -> list[int]:
    return [
        number for number, segment in enumerate(document.segments) if segment.target and content_text(segment.target)
    ]


def without_marks(data: bytes) -> bytes:
    """Return a document without issue annotations and their namespace declarations, serialized by lxml."""
    root = etree.fromstring(data)
    for mark in [*root.iter("{*}mrk", "{*}sm", "{*}em")]:
        known = mark.get("id", mark.get("startRef", "")).startswith("qe-")
        if known or (mark.get("mtype") == "x-its" and f"{ITS}annotatorsRef" in mark.attrib):
            parent, before = mark.getparent(), mark.getprevious()
            pieces = [mark.text or "", *mark]
            index = parent.index(mark)
            last = mark[-1] if len(mark) else None
            tail = mark.tail or ""
            if last is not None:
                last.tail = (last.tail or "") + tail
            else:
                pieces[0] += tail
            if before is not None:
                before.tail = (before.tail or "") + pieces[0]
            else:
                parent.text = (parent.text or "") + pieces[0]
            mark.tail = None
            parent[index : index + 1] = pieces[1:]
    root.attrib.pop(f"{ITS}version", None)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="utf-8")


@pytest.mark.parametrize("name", SUPPORTED)
@given(st.data())
def test_word_issues_are_read_back(name, data):
    before = parse_sample(name)
    number = data.draw(st.sampled_from(translated_segments(before)))
    text = content_text(before.segments[number].target)
    words = word_spans(text)
    given_issues = []
    for _ in range(data.draw(st.integers(1, 4))):
        first = data.draw(st.integers(0, len(words) - 1))
        last = data.draw(st.integers(first, len(words) - 1))
        severity = data.draw(st.none() | st.floats(0, 100).map(lambda value: round(value, 6)))
        kind = data.draw(st.sampled_from(sorted(ISSUE_TYPES)))
        given_issues.append(issue(words[first][0], words[last][1], kind, severity, data.draw(COMMENTS)))
    read_back(name, number, given_issues)


def read_back(name: str, number: int, given_issues: list[Issue]) -> None:
    """Write issues into a sample, and check that they and nothing else come back."""
    before = parse_sample(name)
    try:
        new = with_issues(before, {number: given_issues}, "a system")
    except QeError as error:
        # only the elements of XLIFF 1.2 cannot overlap
        if name == "two.xlf" or "overlaps an inline code" not in error.message:
            raise
        return
    after = parse_document(new.data, name)
    for row, (old, parsed) in enumerate(zip(before.segments, after.segments, strict=True)):
        # existing issues are not written again
        expected_new = Counter(given_issues) if row == number else Counter()
        assert Counter(parsed.issues) == Counter(old.issues) | expected_new
        assert content_text(parsed.target or ()) == content_text(old.target or ())
        assert (parsed.source, parsed.state, parsed.qualities, parsed.notes) == (
            old.source, old.state, old.qualities, old.notes,
        )  # fmt: skip
        new_codes = [run.raw for run in parsed.target or () if isinstance(run, Code)]
        for run in old.target or ():
            if isinstance(run, Code):
                new_codes.remove(run.raw)
    assert without_marks(new.data) == without_marks(before.text.data)
    rewritten = with_issues(after, {number: given_issues}, "a system")
    assert (rewritten.data, rewritten.changed_segments) == (new.data, 0)


@pytest.mark.parametrize("name", SUPPORTED)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_equal_issues_are_read_back_as_often_as_written(name, times):
    read_back(name, translated_segments(parse_sample(name))[0], [issue(0, 3, "grammar", 20, "a"), issue(0, 3)] * times)


@pytest.mark.parametrize("times", [1, 2])
def test_existing_issue_is_not_written_again(times):
    before = parse_sample("two.xlf")
    number = next(number for number, segment in enumerate(before.segments) if segment.issues)
    existing = next(segment for segment in before.segments[number].issues if segment.is_on_words)
    read_back("two.xlf", number, [existing] * times)


def test_xliff_1_issues_are_written_as_its2_markup():
    before = parse_sample("plain.xlf")
    new = with_issues(before, {1: [issue(0, 7, "grammar", 33.5, 'a "b"')]}, "https://qe.example/1")
    old, lines = (data.decode().split("\n") for data in (before.text.data, new.data))
    differ = [(old_line, new_line) for old_line, new_line in zip(old, lines, strict=True) if old_line != new_line]
    assert differ == [
        (
            '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">',
            '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"'
            ' xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0">',
        ),
        (
            old[12],
            old[12].replace(
                "Drücken",
                '<mrk mtype="x-its" its:locQualityIssueType="grammar" its:locQualityIssueSeverity="33.5"'
                ' its:locQualityIssueComment="a &quot;b&quot;"'
                ' its:annotatorsRef="localization-quality-issue|https://qe.example/1">Drücken</mrk>',
            ),
        ),
    ]
    assert new.unchanged_bytes == len(before.text.data) - len("Drücken Sie zweimal ".encode()) - len(
        b"""<g id='1' ctype='bold'>Stopp</g><x id="2" /> &amp; warten."""
    )


def test_overlapping_issues_are_written_in_xliff_2_only():
    before = parse_sample("two.xlf")
    issues = [issue(0, 16), issue(8, 18, "grammar")]
    new = with_issues(before, {0: issues})
    assert new.data.count(b"<sm ") - before.text.data.count(b"<sm ") == 1
    assert new.data.count(b"<em ") - before.text.data.count(b"<em ") == 1
    assert new.data.count(b"<mrk ") - before.text.data.count(b"<mrk ") == 1
    ids = re.findall(rb'<(?:sm|mrk) id="(qe-\d)"', new.data)
    assert sorted(ids) == [b"qe-1", b"qe-2"]
    # ids continue after the last one used
    extended = with_issues(parse_document(new.data, "two.xlf"), {1: [], 2: [issue(0, 2)]})
    assert b'<target><mrk id="qe-3" type="its:generic"' in extended.data
    with pytest.raises(QeError, match="segment 2: the issue on “Sie zweimal Stopp” overlaps an inline code") as caught:
        with_issues(parse_sample("plain.xlf"), {1: [issue(0, 19), issue(8, 25)]})
    assert caught.value.faults[0].place.line == 11


def test_existing_prefix_of_the_its_namespace_is_used():
    data = read_sample("okapi.xlf").replace(b"its:", b"q:").replace(b"xmlns:its", b"xmlns:its='urn:x' xmlns:q")
    before = parse_document(data, "job")
    new = with_issues(before, {1: [issue(0, 8)]})
    assert b'<mrk mtype="x-its" q:locQualityIssueType="uncategorized">Stoppen.</mrk>' in new.data[:-1]
    assert new.data.startswith(data[:300])


X1 = (
    '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2"{root} version="1.2"><x:file original="a" '
    'source-language="en" target-language="de" datatype="x"><x:body><x:trans-unit id="1"><x:source>a b</x:source>'
    "<x:target{target}>c <x:g id='1'>d</x:g> e</x:target></x:trans-unit></x:body></x:file></x:xliff>"
)
X2 = (
    '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:2.0"{root} version="2.0" srcLang="en" trgLang="de">'
    '<x:file id="f"><x:unit id="u"><x:segment><x:source>a b</x:source><x:target{target}>c <x:pc id="1">d</x:pc> e'
    "</x:target></x:segment></x:unit></x:file></x:xliff>"
)
ITS_DECLARED = ' xmlns:its="http://www.w3.org/2005/11/its"'


@pytest.mark.parametrize("prefix", ["x:", ""])
@pytest.mark.parametrize("form", [X1, X2])
@pytest.mark.parametrize(
    ("root", "target", "written"),
    [
        ("", "", b"its:locQuality"),
        (ITS_DECLARED, "", b"its:locQuality"),
        ("", ITS_DECLARED, b"its:locQuality"),
        (' xmlns:its="urn:a"', "", b"its2:locQuality"),
        ("", ' xmlns:its="urn:a"', b"its2:locQuality"),
        (ITS_DECLARED, " xmlns:its='urn:a'", b"its2:locQuality"),
        (ITS_DECLARED.replace("its=", "q="), "", b" q:locQuality"),
        (ITS_DECLARED.replace("its=", "q="), ' xmlns:q="urn:a"', b"its:locQuality"),
    ],
)
def test_annotations_use_correctly_bound_namespace_prefixes(form, prefix, root, target, written):
    data = form.format(root=root, target=target)
    if not prefix:
        data = data.replace("xmlns:x=", "xmlns=").replace("<x:", "<").replace("</x:", "</")
    before = parse_document(data.encode(), "job.xlf")
    issues = [issue(0, 1), issue(0, 3), *([issue(2, 5)] if form is X2 else [])]
    new = with_issues(before, {0: issues})
    assert written in new.data
    assert f"<{prefix}mrk ".encode() in new.data
    assert (f"<{prefix}sm ".encode() in new.data) is (form is X2)
    after = parse_document(new.data, "job.xlf")
    assert Counter(after.segments[0].issues) == Counter(issues)
    assert content_text(after.segments[0].target) == "c d e"
    # an independent parser
    assert len([*etree.fromstring(new.data).iter("{*}mrk", "{*}sm")]) == len(issues)


@pytest.mark.parametrize(
    ("name", "segment", "given_issue", "says"),
    [
        ("studio.sdlxliff", 0, issue(0, 1), r"SDLXLIFF \(Trados Studio\) does not support word issues"),
        ("memory.tmx", 0, issue(0, 1), "TMX.* does not support word issues"),
        ("catalogue.po", 0, issue(0, 1), "PO.* does not support word issues"),
        ("table.csv", 0, issue(0, 1), "does not support word issues"),
        ("phrase.mxliff", 0, issue(0, 1), "does not support word issues"),
        ("plain.xlf", 3, issue(0, 0), "segment 4: no target in the file"),
        ("plain.xlf", 0, Issue(0, 3, "grammar"), "only issues of target words"),
        ("plain.xlf", 0, Issue(0, 3, "grammar", is_in_source=True, is_on_words=True), "only issues of target words"),
        ("plain.xlf", 0, issue(0, 400), "offsets 0 to 400, but the target has 29 characters"),
        ("plain.xlf", 0, issue(0, 3, "Grammatik"), "has no issue type Grammatik"),
        ("plain.xlf", 0, issue(0, 3, ""), "must have a type or a comment"),
        ("plain.xlf", 0, issue(0, 3, severity=101), "the severity 101 is not between 0 and 100"),
        ("plain.xlf", 0, issue(0, 3, comment="\x01"), r"the character U\+0001"),
    ],
)
def test_issues_that_cannot_be_written_are_reported(name, segment, given_issue, says):
    with pytest.raises(QeError, match=says) as caught:
        with_issues(parse_sample(name), {segment: [given_issue]})
    assert caught.value.hint


def test_issues_are_written_in_other_encodings():
    before = parse_document(read_sample("two.xlf").decode().encode("utf-16"), "job")
    after = parse_document(with_issues(before, {2: [issue(0, 2, comment="→")]}, "é").data, "job")
    assert after.segments[2].issues == (issue(0, 2, comment="→"),)
    latin = read_sample("plain.xlf").decode().replace("UTF-8", "ISO-8859-1").replace("⟨", "").encode("latin-1")
    new = with_issues(parse_document(latin, "job"), {0: [issue(0, 3, comment="→")]})
    assert b'Comment="&#8594;">Die</mrk>' in new.data


@pytest.mark.parametrize("name", SUPPORTED)
def test_tags_written_as_issues_are_read_back(name):
    data = read_sample(name).replace(b"Stopp<", b"<g id='8'>St</g>opp<") if name == "plain.xlf" else read_sample(name)
    before = parse_document(data, name)
    texts = [content_text(segment.target or ()) for segment in before.segments]
    counts = [len(word_spans(text)) for text in texts]
    tags = TagColumn(np.ones(sum(counts), np.uint8), offsets_from_lengths(counts))
    issues = issues_from_tags(before, tags)
    after = parse_document(with_issues(before, issues, "a").data, name)
    tags_read = issue_tags(after.segments, of_source=False)
    assert tags_read is not None
    assert np.array_equal(tags_read.values, tags.values)
    assert [source for source, _ in line_pairs(after)] == [source for source, _ in line_pairs(before)]
    if name == "plain.xlf":
        assert issue(20, 22) in after.segments[1].issues
        assert issue(22, 25) in after.segments[1].issues
