"""Each export format, read again, has the same sources, targets and notes."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, TextColumn, TextRole, View
from qe_desktop.corpus.translation_job import Review, ReviewStatus
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
from qe_desktop.formats.bilingual.exports.table_export import write_xlsx
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, LINE_BREAK, strip_codes
from tests.formats.bilingual.samples import line_pairs, parse_sample
from tests.small_corpora import tags

CODED = ("xliff-1", "xliff-2", "tmx")
TABLES = ("csv", "tsv", "xlsx")
CHARACTERS = st.characters(exclude_categories=("Cs",)).filter(
    lambda char: not INVALID_XML_CHARS.search(char) and char != "\r"
)
WORDS = st.text(CHARACTERS, max_size=12).map(lambda text: text.replace("⟨", "⟨⟨").replace("\n", "\u2028"))
NOTES = st.text(st.sampled_from('ab#,.:~|"\\=-+@<&ü\t'), min_size=1, max_size=9).map(lambda text: f"n{text}n")


@st.composite
def pair(draw: st.DrawFn) -> ExportSegment:
    """Segment with nested or overlapping codes, in another order in the target."""
    marks = draw(st.sampled_from([(), ("⟨1⟩", "⟨/1⟩"), ("⟨1⟩", "⟨2/⟩", "⟨/1⟩"), ("⟨1⟩", "⟨2⟩", "⟨/1⟩", "⟨/2⟩")]))
    moved = ("⟨2/⟩", "⟨1⟩", "⟨/1⟩") if len(marks) == 3 else marks

    def line(marks: tuple[str, ...], some: bool = False) -> str:
        text = "".join(draw(WORDS) + mark for mark in marks) + draw(WORDS)
        return text or ("x" if some else "")

    notes = tuple(draw(st.lists(NOTES, max_size=2)))
    loaded = line(moved)
    target = draw(st.one_of(st.just(loaded), st.just(line(moved))))
    return ExportSegment(
        line(marks, True), loaded, target, draw(st.sampled_from(ReviewStatus)), notes,
        draw(st.sampled_from(["a", "b"])),
        note=draw(st.one_of(st.just(""), NOTES)),
    )  # fmt: skip


def export_and_parse(exported: ExportData, name: str) -> Document:
    return parse_document(get_export(name).write(exported), "job")


def as_text(line: str) -> str:
    """Return a line whose codes are plain text to another program."""
    return line.replace("⟨", "⟨⟨")


@pytest.mark.parametrize("name", CODED)
@given(st.lists(pair(), min_size=1, max_size=4))
def test_exported_codes_are_read_as_codes(name, pairs):
    exported = ExportData("job", tuple(pairs), "en", "de")
    parsed_again = export_and_parse(exported, name)
    assert line_pairs(parsed_again) == [(segment.source, segment.target) for segment in pairs]
    assert [segment.notes for segment in parsed_again.segments] == [segment.notes for segment in pairs]
    assert [segment.note for segment in parsed_again.segments] == [segment.file_note for segment in pairs]
    assert (parsed_again.source_language, parsed_again.target_language)[0] == "en"
    if name != "tmx":
        assert [segment.locked for segment in parsed_again.segments] == [
            segment.status is ReviewStatus.LOCKED for segment in pairs
        ]


@pytest.mark.parametrize("name", TABLES)
@given(st.lists(pair(), min_size=1, max_size=4))
def test_exported_tables_preserve_codes(name, pairs):
    parsed_again = export_and_parse(ExportData("job", tuple(pairs), "en", "de"), name)
    assert line_pairs(parsed_again) == [(segment.source, segment.target) for segment in pairs]
    assert ["\n".join(segment.notes) for segment in parsed_again.segments] == [
        "\n".join(segment.notes) for segment in pairs
    ]
    assert [segment.note for segment in parsed_again.segments] == [segment.file_note for segment in pairs]


@given(st.lists(pair(), min_size=1, max_size=4))
def test_po_export_writes_codes_as_text(pairs):
    parsed_again = export_and_parse(ExportData("job", tuple(pairs), "en", "de"), "po")
    assert line_pairs(parsed_again) == [(as_text(segment.source), as_text(segment.target)) for segment in pairs]
    for parsed, segment in zip(parsed_again.segments, pairs, strict=True):
        notes = [note for note in "\n".join(parsed.notes).split("\n") if note and not note.startswith("context: ")]
        assert notes == list(segment.notes)
        assert parsed.note == segment.file_note


@pytest.mark.parametrize("name", [*CODED, *TABLES, "po"])
@pytest.mark.parametrize("note", ["", "own"])
def test_notes_of_others_with_the_mark_of_this_program_remain_theirs(name, note):
    others = ("qe-desktop: x", "Ann:\u2028qe-desktop[2]:\u2028qe-desktop:rejected: y")
    exported = ExportData("job", (ExportSegment("a", "b", "b", notes=others, note=note),), "en", "de")
    (segment,) = export_and_parse(exported, name).segments
    assert segment.note == note
    read_back = re.sub("[\n\u2028]+ *", "\n", "\n".join(segment.notes)).strip()
    assert read_back == "\n".join(others).replace("\u2028", "\n")


@pytest.mark.parametrize("name", ["source", "mt", "post-edit"])
@given(st.lists(pair(), min_size=1, max_size=4))
def test_text_exports_have_one_line_per_segment(name, pairs):
    lines = get_export(name).write(ExportData("job", tuple(pairs))).decode().split("\n")
    part = {"source": "source", "mt": "mt", "post-edit": "target"}[name]
    assert lines == [*(getattr(segment, part) for segment in pairs), ""]


def reviewed_view() -> View:
    """Return a view of two documents with tags and scores: segment 1 edited and confirmed, 2 rejected with a note."""
    corpus = corpus_from_documents([parse_sample("okapi.xlf"), parse_sample("two.xlf")], "job")
    review = Review(
        {0: "Die Pumpe läuft."}, {0: ReviewStatus.CONFIRMED, 1: ReviewStatus.REJECTED}, {1: "no use\u2028at all"}
    )
    return View(corpus, review=review)


LAYERS = [LayerKey(Provenance.SYSTEM, "issues", Kind.WORDS), LayerKey(Provenance.SYSTEM, "mtConfidence", Kind.SCORES)]


def test_export_view_includes_review_tags_and_scores():
    exported = export_view(reviewed_view(), LAYERS)
    first, second, third, *_ = exported.segments
    loaded = "Die ⟨1⟩Pumpe⟨/1⟩ startet."
    assert (first.mt, first.target, first.status) == (loaded, "Die Pumpe läuft.", ReviewStatus.CONFIRMED)
    assert (second.status, second.notes, second.file_note) == (ReviewStatus.REJECTED, (), "no use\nat all")
    assert (first.document, third.document, third.is_edited) == ("okapi.xlf", "two.xlf", False)
    assert (exported.source_language, exported.target_language) == ("en", "de")
    assert list(exported.tags["system issues"])[:2] == ["OK BAD OK OK", "OK OK"]
    assert exported.scores["system mtConfidence"][0] == 0.75
    assert np.isnan(exported.scores["system mtConfidence"][1])
    selected = export_view(reviewed_view(), LAYERS, [1, 5])
    assert [segment.document for segment in selected.segments] == ["okapi.xlf", "two.xlf"]
    assert next(iter(selected.tags.values()))[1] == "OK BAD BAD"


def test_xml_exports_store_the_mt_with_each_target():
    exported = export_view(reviewed_view())
    loaded = [strip_codes(pair.mt).replace(LINE_BREAK, "\n") for pair in exported.segments if pair.mt]
    assert loaded[0] == "Die Pumpe startet."
    xliff1 = etree.fromstring(get_export("xliff-1").write(exported))
    assert [file.get("original") for file in xliff1.iter("{*}file")] == ["okapi.xlf", "two.xlf"]
    assert ["".join(element.itertext()) for element in xliff1.iter("{*}alt-trans")] == loaded
    targets = xliff1.findall(".//{*}trans-unit/{*}target")
    assert [element.get("state") for element in targets][:2] == ["signed-off", "needs-translation"]
    xliff2 = etree.fromstring(get_export("xliff-2").write(exported))
    matches = list(xliff2.iter("{*}match"))
    assert {match.get("ref") for match in matches} == {"#s"}
    assert ["".join(match[1].itertext()) for match in matches] == loaded
    assert [element.get("state") for element in xliff2.iter("{*}segment")][:2] == ["reviewed", "initial"]
    memory = etree.fromstring(get_export("tmx").write(exported))
    assert [element.text for element in memory.iter("prop") if element.get("type") == "x-mt"] == [
        "Die ⟨1⟩Pumpe⟨/1⟩ startet."
    ]


def test_table_exports_contain_tags_and_scores():
    table = get_export("tsv").write(export_view(reviewed_view(), LAYERS)).decode()
    titles, first, second, *_ = table.split("\n")
    assert titles.split("\t")[:5] == ["document", "segment", "source", "MT as loaded", "target"]
    assert first.split("\t")[5:] == ["confirmed", "", "OK BAD OK OK", "0.75"]
    assert second.split("\t")[5:] == ["rejected", '"qe-desktop: no use']
    comma = get_export("csv").write(export_view(reviewed_view(), LAYERS))
    assert comma.startswith(b"\xef\xbb\xbfdocument,segment,")
    assert b",confirmed,,OK BAD OK OK,0.75\r\n" in comma


def test_texts_are_not_exported_as_formulas():
    exported = ExportData("job", (ExportSegment("=1+1", "@x", "'=x"),))
    assert b"job,1,'=1+1,'@x,''=x,open," in get_export("csv").write(exported)
    assert line_pairs(export_and_parse(exported, "csv")) == [("=1+1", "'=x")]
    sheet = zipfile.ZipFile(BytesIO(get_export("xlsx").write(exported))).read("xl/worksheets/sheet1.xml")
    assert b"<f>" not in sheet
    assert b'<c r="C2" t="inlineStr"><is><t>=1+1</t></is></c>' in sheet


def test_invalid_characters_and_missing_languages_are_reported():
    exported = ExportData("job", (ExportSegment("a", "b", "c"), ExportSegment("a", "b", "\x07")), "en", "de")
    for name in CODED:
        with pytest.raises(QeError, match="segment 2: the text contains the character U\\+0007"):
            get_export(name).write(exported)
    with pytest.raises(QeError, match="one is not set, or they are the same"):
        get_export("tmx").write(ExportData("job", exported.segments[:1]))


def test_corpus_without_bilingual_files_is_exported():
    texts = {TextRole.SOURCE: TextColumn.of(["a ⟨ b"]), TextRole.MT: TextColumn.of(["c d"])}
    key = LayerKey(Provenance.PERSON, "Ada", Kind.GAPS)
    corpus = Corpus("c", 1, texts, {key: Layer(key, tags("obo"))}, language_pair="en-US-de-DE")
    exported = export_view(View(corpus), [key])
    assert exported.segments == (ExportSegment("a ⟨⟨ b", "c d", "c d"),)
    assert (exported.source_language, exported.target_language) == ("en-US", "de-DE")
    assert exported.tags == {"person Ada (gaps)": ["OK BAD OK"]}
    for name in CODED:
        assert line_pairs(export_and_parse(exported, name)) == [("a ⟨⟨ b", "c d")]


def test_export_documents_includes_all_segments():
    exported = export_documents([parse_sample("plain.xlf"), parse_sample("studio.sdlxliff")], "both")
    assert [segment.document for segment in exported.segments][8:10] == ["plain.xlf", "studio.sdlxliff"]
    assert exported.segments[2].status is ReviewStatus.LOCKED
    parsed_again = export_and_parse(exported, "xliff-1")
    assert len(line_pairs(parsed_again)) == len(exported.segments)
    assert line_pairs(parsed_again)[1][0] == line_pairs(parse_sample("plain.xlf"))[1][0]


def test_export_names_and_suffixes_are_unique():
    assert len({export.name for export in EXPORTS}) == len({export.suffix for export in EXPORTS}) == len(EXPORTS)
    assert all(re.fullmatch(r"\.[a-z]+", export.suffix) and export.display_name for export in EXPORTS)


def test_cells_of_a_workbook_are_counted_as_excel_does():
    data = ExportData("x", (ExportSegment("😀" * 20_000, "b", "c"),))
    with pytest.raises(QeError, match="at most 32,767 characters"):
        write_xlsx(data)
    assert write_xlsx(replace(data, segments=(ExportSegment("😀" * 16_000, "b", "c"),)))
