"""Whatever a reviewed corpus is written as is read again: the same sources, targets and notes."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, TextColumn, TextRole, View
from qe_desktop.corpus.review import Review
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.formats.bilingual import Document, parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import (
    EXPORTS,
    ExportData,
    ExportSegment,
    export_documents,
    export_view,
    get_export,
)
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, LINE_BREAK, strip_codes
from tests.building import tags
from tests.formats.bilingual.samples import lines_of, sample

CODED = ("xliff-1", "xliff-2", "tmx")
TABLES = ("csv", "tsv", "xlsx")
SIGNS = st.characters(exclude_categories=("Cs",)).filter(
    lambda sign: not INVALID_XML_CHARS.search(sign) and sign != "\r"
)
WORDS = st.text(SIGNS, max_size=12).map(lambda text: text.replace("⟨", "⟨⟨").replace("\n", "\u2028"))
NOTES = st.text(st.sampled_from('ab#,.:~|"\\=-+@<&ü\t'), min_size=1, max_size=9).map(lambda text: f"n{text}n")


@st.composite
def pair(draw: st.DrawFn) -> ExportSegment:
    """A segment whose codes, nested or crossing, are in the target in another order."""
    marks = draw(st.sampled_from([(), ("⟨1⟩", "⟨/1⟩"), ("⟨1⟩", "⟨2/⟩", "⟨/1⟩"), ("⟨1⟩", "⟨2⟩", "⟨/1⟩", "⟨/2⟩")]))
    moved = ("⟨2/⟩", "⟨1⟩", "⟨/1⟩") if len(marks) == 3 else marks

    def line(marks: tuple[str, ...], some: bool = False) -> str:
        text = "".join(draw(WORDS) + mark for mark in marks) + draw(WORDS)
        return text or ("x" if some else "")

    notes = tuple(draw(st.lists(NOTES, max_size=2)))
    loaded = line(moved)
    target = draw(st.one_of(st.just(loaded), st.just(line(moved))))
    return ExportSegment(
        line(marks, True), loaded, target, draw(st.sampled_from(ReviewStatus)), notes, draw(st.sampled_from(["a", "b"])),
        note=draw(st.one_of(st.just(""), NOTES)),
    )  # fmt: skip


def read_again(exported: ExportData, name: str) -> Document:
    return parse_document(get_export(name).write(exported), "job")


def as_text(line: str) -> str:
    """A line whose codes are text to another program."""
    return line.replace("⟨", "⟨⟨")


@pytest.mark.parametrize("name", CODED)
@given(st.lists(pair(), min_size=1, max_size=4))
def test_codes_come_back_as_codes(name, pairs):
    exported = ExportData("job", tuple(pairs), "en", "de")
    again = read_again(exported, name)
    assert lines_of(again) == [(one.source, one.target) for one in pairs]
    assert [one.notes for one in again.segments] == [one.notes for one in pairs]
    assert [one.note for one in again.segments] == [one.file_note for one in pairs]
    assert (again.source_language, again.target_language)[0] == "en"
    if name != "tmx":
        assert [one.locked for one in again.segments] == [one.status is ReviewStatus.LOCKED for one in pairs]


@pytest.mark.parametrize("name", TABLES)
@given(st.lists(pair(), min_size=1, max_size=4))
def test_tables_of_our_own_have_codes_too(name, pairs):
    again = read_again(ExportData("job", tuple(pairs), "en", "de"), name)
    assert lines_of(again) == [(one.source, one.target) for one in pairs]
    assert ["\n".join(one.notes) for one in again.segments] == ["\n".join(one.notes) for one in pairs]
    assert [one.note for one in again.segments] == [one.file_note for one in pairs]


@given(st.lists(pair(), min_size=1, max_size=4))
def test_in_a_catalogue_codes_are_text(pairs):
    again = read_again(ExportData("job", tuple(pairs), "en", "de"), "po")
    assert lines_of(again) == [(as_text(one.source), as_text(one.target)) for one in pairs]
    for found, one in zip(again.segments, pairs, strict=True):
        notes = [note for note in "\n".join(found.notes).split("\n") if note and not note.startswith("context: ")]
        assert notes == list(one.notes)
        assert found.note == one.file_note


@pytest.mark.parametrize("name", ["source", "mt", "post-edit"])
@given(st.lists(pair(), min_size=1, max_size=4))
def test_texts_have_one_segment_a_line(name, pairs):
    found = get_export(name).write(ExportData("job", tuple(pairs))).decode().split("\n")
    part = {"source": "source", "mt": "loaded", "post-edit": "target"}[name]
    assert found == [*(getattr(one, part) for one in pairs), ""]


def reviewed() -> View:
    """Two files under review: a target edited, one confirmed, one rejected with a note; tags and scores."""
    corpus = corpus_from_documents([sample("okapi.xlf"), sample("two.xlf")], "job")
    review = Review(
        {0: "Die Pumpe läuft."}, {0: ReviewStatus.CONFIRMED, 1: ReviewStatus.REJECTED}, {1: "no use\u2028at all"}
    )
    return View(corpus, review=review)


LAYERS = [LayerKey(Provenance.SYSTEM, "issues", Kind.WORDS), LayerKey(Provenance.SYSTEM, "mtConfidence", Kind.SCORES)]


def test_a_view_as_it_is_now():
    exported = export_view(reviewed(), LAYERS)
    first, second, third, *_ = exported.pairs
    loaded = "Die ⟨1⟩Pumpe⟨/1⟩ startet."
    assert (first.loaded, first.target, first.status) == (loaded, "Die Pumpe läuft.", ReviewStatus.CONFIRMED)
    assert (second.status, second.notes, second.file_note) == (ReviewStatus.REJECTED, (), "no use\nat all")
    assert (first.document, third.document, third.is_edited) == ("okapi.xlf", "two.xlf", False)
    assert (exported.source_language, exported.target_language) == ("en", "de")
    assert list(exported.tags["system issues"])[:2] == ["OK BAD OK OK", "OK OK"]
    assert exported.scores["system mtConfidence"][0] == 0.75
    assert np.isnan(exported.scores["system mtConfidence"][1])
    some = export_view(reviewed(), LAYERS, [1, 5])
    assert [one.document for one in some.pairs] == ["okapi.xlf", "two.xlf"]
    assert next(iter(some.tags.values()))[1] == "OK BAD BAD"


def test_the_mt_stands_beside_each_target():
    exported = export_view(reviewed())
    loaded = [strip_codes(pair.loaded).replace(LINE_BREAK, "\n") for pair in exported.pairs if pair.loaded]
    assert loaded[0] == "Die Pumpe startet."
    one = etree.fromstring(get_export("xliff-1").write(exported))
    assert [file.get("original") for file in one.iter("{*}file")] == ["okapi.xlf", "two.xlf"]
    assert ["".join(held.itertext()) for held in one.iter("{*}alt-trans")] == loaded
    targets = one.findall(".//{*}trans-unit/{*}target")
    assert [held.get("state") for held in targets][:2] == ["signed-off", "needs-translation"]
    two = etree.fromstring(get_export("xliff-2").write(exported))
    matches = list(two.iter("{*}match"))
    assert {match.get("ref") for match in matches} == {"#s"}
    assert ["".join(match[1].itertext()) for match in matches] == loaded
    assert [held.get("state") for held in two.iter("{*}segment")][:2] == ["reviewed", "initial"]
    memory = etree.fromstring(get_export("tmx").write(exported))
    assert [held.text for held in memory.iter("prop") if held.get("type") == "x-mt"] == ["Die ⟨1⟩Pumpe⟨/1⟩ startet."]


def test_tables_hold_tags_and_scores():
    table = get_export("tsv").write(export_view(reviewed(), LAYERS)).decode()
    titles, first, second, *_ = table.split("\n")
    assert titles.split("\t")[:5] == ["document", "segment", "source", "MT as loaded", "target"]
    assert first.split("\t")[5:] == ["confirmed", "", "OK BAD OK OK", "0.75"]
    assert second.split("\t")[5:] == ["rejected", '"qe-desktop: no use']
    comma = get_export("csv").write(export_view(reviewed(), LAYERS))
    assert comma.startswith(b"\xef\xbb\xbfdocument,segment,")
    assert b",confirmed,,OK BAD OK OK,0.75\r\n" in comma


def test_no_spreadsheet_runs_a_text():
    exported = ExportData("job", (ExportSegment("=1+1", "@x", "'=x"),))
    assert b"job,1,'=1+1,'@x,''=x,open," in get_export("csv").write(exported)
    assert lines_of(read_again(exported, "csv")) == [("=1+1", "'=x")]
    sheet = zipfile.ZipFile(BytesIO(get_export("xlsx").write(exported))).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b'<c r="C2" t="inlineStr"><is><t>=1+1</t></is></c>' in sheet


def test_texts_that_a_file_cannot_hold_are_named():
    exported = ExportData("job", (ExportSegment("a", "b", "c"), ExportSegment("a", "b", "\x07")), "en", "de")
    for name in CODED:
        with pytest.raises(QeError, match="segment 2: the text contains the character U\\+0007"):
            get_export(name).write(exported)
    with pytest.raises(QeError, match="which are not set"):
        get_export("tmx").write(ExportData("job", exported.pairs[:1]))


def test_a_corpus_of_no_translators_file():
    texts = {TextRole.SOURCE: TextColumn.of(["a ⟨ b"]), TextRole.MT: TextColumn.of(["c d"])}
    key = LayerKey(Provenance.PERSON, "Ada", Kind.GAPS)
    corpus = Corpus("c", 1, texts, {key: Layer(key, tags("obo"))}, language_pair="en-US-de-DE")
    exported = export_view(View(corpus), [key])
    assert exported.pairs == (ExportSegment("a ⟨⟨ b", "c d", "c d"),)
    assert (exported.source_language, exported.target_language) == ("en-US", "de-DE")
    assert exported.tags == {"person Ada (gaps)": ["OK BAD OK"]}
    for name in CODED:
        assert lines_of(read_again(exported, name)) == [("a ⟨⟨ b", "c d")]


def test_files_as_they_are():
    exported = export_documents([sample("plain.xlf"), sample("studio.sdlxliff")], "both")
    assert [one.document for one in exported.pairs][8:10] == ["plain.xlf", "studio.sdlxliff"]
    assert exported.pairs[2].status is ReviewStatus.LOCKED
    again = read_again(exported, "xliff-1")
    assert len(lines_of(again)) == len(exported.pairs)
    assert lines_of(again)[1][0] == lines_of(sample("plain.xlf"))[1][0]


def test_kinds_differ_in_names_and_endings():
    assert len({one.name for one in EXPORTS}) == len({one.suffix for one in EXPORTS}) == len(EXPORTS)
    assert all(re.fullmatch(r"\.[a-z]+", one.suffix) and one.shown for one in EXPORTS)
