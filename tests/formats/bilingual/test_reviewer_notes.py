"""Notes of the reviewer: read back as written in every format, and nothing else changes; notes of others remain."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual import ColumnChoice, Document, TargetsRejectedError, parse_document
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from qe_desktop.formats.bilingual.reviewer_notes import (
    normalize_note,
)
from tests.formats.bilingual.samples import NAMES, parse_sample, read_sample
from tests.formats.bilingual.test_studio_notes import studio_comments, studio_file, studio_target
from tests.formats.bilingual.workbook import pack_workbook, workbook_parts

NOTE = "Zu förmlich: <b> & ]]> -- “so”\n\n  zweite Zeile"
TABLE = b"source,target,status,notes\r\na,b,open,\r\nc,d,Done,Chapter 1\r\ne,,,\r\n"
WITH_NOTES = [name for name in NAMES if name not in ("table.csv", "table.tsv")]
FILES = {
    **{name: read_sample(name) for name in WITH_NOTES},
    "notes.csv": TABLE,
    "notes.tsv": TABLE.replace(b",", b"\t"),
    "job.xlsx": pack_workbook(workbook_parts()),
}


def document(name: str) -> Document:
    return parse_document(FILES[name], name)


def segments_with_note_place(parsed: Document) -> list[int]:
    """Segments that can have a note without a new target."""
    return [
        number
        for number, segment in enumerate(parsed.segments)
        if segment.note_location is not None and not parsed.with_targets({}, {}, {number: "x"}).unsupported_notes
    ]


PLACES = {name: segments_with_note_place(document(name)) for name in FILES}
HOSTILE = st.text(
    st.one_of(
        st.sampled_from("\n\r\t\v\x00\x1f\x7f\x85\u2028\u2029\ud800\udfff\ufffe<>&'\"[]-;,#:= ⟨⟩ä日\U0001f600"),
        st.characters(codec=None),
    ),
    max_size=40,
)


def is_storable(name: str, note: str) -> bool:
    """Whether XML, or a text file, can store all characters of a note."""
    text = name.endswith((".po", ".csv", ".tsv"))
    invalid = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]" if text else INVALID_XML_CHARS
    return re.search(invalid, note) is None


@pytest.mark.parametrize("name", FILES)
def test_every_format_has_a_place_for_notes(name):
    assert PLACES[name]


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60)
@given(note=HOSTILE, choice=st.integers(0, 20))
@example("]]> -- <!-- &amp; -->", 0)
@example("qe-desktop: qe-desktop:rejected: x\nqe-desktop: y", 1)
@example("=1+1\n@x\n'y", 0)
def test_what_is_written_is_read_again_or_an_error_of_its_segment(name, note, choice):
    before, segment = document(name), PLACES[name][choice % len(PLACES[name])]
    written = normalize_note(note)
    if not is_storable(name, written):
        with pytest.raises(TargetsRejectedError, match=r"the note contains the character U\+") as caught:
            before.with_targets({}, {}, {segment: note})
        assert list(caught.value.segments) == [segment]
        return
    rewritten = before.with_targets({}, {}, {segment: note})
    reparsed = parse_document(rewritten.data, name)
    assert reparsed.segments[segment].note == normalize_note(note)
    assert [one.note for index, one in enumerate(reparsed.segments) if index != segment] == [""] * (
        len(reparsed.segments) - 1
    )
    assert [(one.source, one.target, one.notes, one.state) for one in reparsed.segments] == [
        (one.source, one.target, one.notes, one.state) for one in before.segments
    ]
    if not normalize_note(note):
        assert rewritten.data == FILES[name]


@pytest.mark.parametrize("name", FILES)
def test_a_note_is_replaced_and_removed_and_the_file_is_as_before(name):
    before = document(name)
    for segment in PLACES[name]:
        noted = parse_document(before.with_targets({}, {}, {segment: NOTE}).data, name)
        assert noted.segments[segment].note == NOTE
        assert noted.with_targets({}, {}, {segment: NOTE}).data == noted.text.data
        other = noted.with_targets({}, {}, {segment: "x"}).data
        assert parse_document(other, name).segments[segment].note == "x"
        removed = noted.with_targets({}, {}, {segment: ""}).data
        if name == "job.xlsx" or (before.segments[segment].notes and name.startswith("notes")):
            # the cell or its quotes remain
            assert parse_document(removed, name).segments[segment].note == ""
            assert parse_document(removed, name).segments[segment].notes == before.segments[segment].notes
        else:
            assert removed == FILES[name]


@pytest.mark.parametrize("name", FILES)
def test_only_the_note_is_inserted(name):
    """Without the inserted bytes, the file is as before."""
    if name == "job.xlsx":
        pytest.skip("the sheet is compressed")
    before = document(name)
    for segment in PLACES[name]:
        rewritten = before.with_targets({}, {}, {segment: NOTE})
        kept = len(FILES[name])
        assert rewritten.changed_segments == 1
        if name.endswith(("csv", "tsv")):
            assert rewritten.unchanged_bytes <= kept
        else:
            assert rewritten.unchanged_bytes == kept


@pytest.mark.parametrize("name", FILES)
def test_targets_statuses_and_notes_of_all_segments_at_once(name):
    before = document(name)
    able = [
        n for n, segment in enumerate(before.segments) if segment.target_location is not None and not segment.locked
    ]
    targets = {
        number: f"{before.segments[number].target_line or before.segments[number].source_line} z" for number in able
    }
    statuses = {number: (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)[number % 2] for number in able}
    notes = {number: f"{NOTE} {number}" for number in able}
    rewritten = before.with_targets(targets, statuses, notes, add_missing=True)
    reparsed = parse_document(rewritten.data, name)
    assert {number: reparsed.segments[number].target_line for number in able} == targets
    assert {n: reparsed.segments[n].note for n in able if n not in rewritten.unsupported_notes} == {
        n: note for n, note in notes.items() if n not in rewritten.unsupported_notes
    }
    assert {n: reparsed.status(reparsed.segments[n]) for n in able if n not in rewritten.unsupported_statuses} == {
        n: status for n, status in statuses.items() if n not in rewritten.unsupported_statuses
    }
    assert [segment.notes for segment in reparsed.segments] == [segment.notes for segment in before.segments]


@pytest.mark.parametrize("name", FILES)
def test_a_note_that_the_file_cannot_store_is_an_error_of_its_segment(name):
    before = document(name)
    bad, *rest = PLACES[name]
    with pytest.raises(TargetsRejectedError, match=r"the note contains the character U\+0000") as caught:
        before.with_targets({}, {}, {bad: "a\0b", **dict.fromkeys(rest, "x")})
    assert list(caught.value.segments) == [bad]
    assert not caught.value.only_codes
    reparsed = parse_document(before.with_targets({}, {}, dict.fromkeys(rest, "x")).data, name)
    assert [reparsed.segments[number].note for number in rest] == ["x"] * len(rest)


def test_characters_that_the_encoding_lacks():
    """XML has references for them, PO and tables do not."""
    xml = '<?xml version="1.0" encoding="ISO-8859-1"?><xliff version="1.2"><file><body><trans-unit id="1"><source>a'
    xml += "</source><target>ü</target></trans-unit></body></file></xliff>"
    data = xml.encode("latin-1")
    rewritten = parse_document(data, "a.xlf").with_targets({}, {}, {0: "日"})
    assert b'<note from="qe-desktop">&#26085;</note>' in rewritten.data
    assert parse_document(rewritten.data, "a.xlf").segments[0].note == "日"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"\n\nmsgid "a"\nmsgstr "ü"\n'
    catalogue = parse_document(head.encode("latin-1"), "a.po")
    with pytest.raises(TargetsRejectedError, match=r"cannot represent the character U\+65E5"):
        catalogue.with_targets({}, {}, {0: "日"})
    assert b"# qe-desktop: \xfc\n" in catalogue.with_targets({}, {}, {0: "ü"}).data


def test_a_note_that_is_too_long():
    with pytest.raises(TargetsRejectedError, match="a note can have at most 30,000 characters"):
        document("plain.xlf").with_targets({}, {}, {0: "x" * 30_001})
    others = b"source,target,notes\na,b," + b"y" * 40_000 + b"\n"
    assert parse_document(others, "t.csv").with_targets({}, {}, {0: "x" * 30_000}).unsupported_notes == ()


WRITTEN = [
    ("plain.xlf", 0, '\n  <note>Chapter 1</note>\n  <note from="qe-desktop">x</note>\n'),
    ("plain.xlf", 1, '&amp; warten.</target>\n  <note from="qe-desktop">x</note>\n  <alt-trans'),
    ("plain.xlf", 3, '<source>Never open it.</source>\n  <note from="qe-desktop">x</note>\n'),
    ("plain.xlf", 5, '</target>\n  <note from="qe-desktop[b]">x</note>\n'),
    ("memory.tmx", 0, "<note>qe-desktop[de-DE]: x</note>"),
    ("phrase.mxliff", 0, '<m:comment created-at="0" created-by="" modified-at="0" modified-by="" resolved="false">'),
    ("memoq.mqxliff", 0, 'creatoruser="qe-desktop" time="0001-01-01T00:00:00Z" deleted="false" category="0" '),
    ("two.xlf", 0, '<note appliesTo="target" category="qe-desktop'),
    ("catalogue.po", 0, "# qe-desktop: x\n"),
    ("studio.sdlxliff", 0, '<Comment severity="Medium" user="qe-desktop" version="1.0">x</Comment>'),
    ("notes.csv", 0, "a,b,open,qe-desktop: x\r\n"),
    ("notes.csv", 1, 'c,d,Done,"Chapter 1\nqe-desktop: x"\r\n'),
]


@pytest.mark.parametrize(("name", "segment", "markup"), WRITTEN)
def test_how_a_note_is_written(name, segment, markup):
    assert markup in document(name).with_targets({}, {}, {segment: "x"}).data.decode()


OWN_TEXTS = {
    "a.xlf": (FILES["plain.xlf"], b"<note>Chapter 1</note>", '<note from="qe-desktop">{}</note>'),
    "a.mqxliff": (
        FILES["memoq.mqxliff"].replace(b"</target>", b"</target><mq:comments>NOTES</mq:comments>", 1), b"NOTES",
        '<mq:comment creatoruser="qe-desktop">{}</mq:comment>',
    ),
    "a.mxliff": (
        FILES["phrase.mxliff"].replace(b"</target>", b"</target>NOTES", 1), b"NOTES",
        "<m:comment>qe-desktop: {}</m:comment>",
    ),
    "a.tmx": (FILES["memory.tmx"].replace(b"<tuv", b"NOTES<tuv", 1), b"NOTES", "<note>qe-desktop: {}</note>"),
    "b.sdlxliff": (
        studio_file(studio_target("b", "c1"), definitions="NOTES"), b"NOTES",
        studio_comments("c1", ("qe-desktop", "first"), ("qe-desktop", "second")),
    ),
    "c.sdlxliff": (
        studio_file(studio_target("b", "c1", "c2"), definitions="NOTES"), b"NOTES",
        studio_comments("c1", ("qe-desktop", "first")) + studio_comments("c2", ("Ada", "x"), ("qe-desktop", "second")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN_TEXTS)
def test_several_notes_of_the_reviewer_on_a_segment_are_one(name):
    data, place, markup = OWN_TEXTS[name]
    both = markup if name.endswith("sdlxliff") else markup.format("first") + "\n" + markup.format("second")
    noted = parse_document(data.replace(place, both.encode(), 1), name)
    assert noted.segments[0].note == "first\nsecond"
    changed = parse_document(noted.with_targets({}, {}, {0: "third"}).data, name)
    assert (changed.segments[0].note, changed.segments[0].notes) == ("third", noted.segments[0].notes)
    assert b"second" not in changed.text.data
    for document in (noted, changed):
        removed = document.with_targets({}, {}, {0: ""}).data
        assert parse_document(removed, name).segments[0].notes == noted.segments[0].notes
        assert b"qe-desktop" not in removed
        assert name == "c.sdlxliff" or len(removed) <= len(data.replace(place, b""))


def test_a_sibling_with_a_namespace_declaration_of_its_own():
    xml = '<x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><x:file><x:body><x:trans-unit id="1">'
    for prefix, declaration in (("", ' xmlns="urn:oasis:names:tc:xliff:document:1.2"'), ("x:", "")):
        pair = "".join(f"<{prefix}{name}{declaration}>a</{prefix}{name}>" for name in ("source", "target"))
        data = f"{xml}{pair}</x:trans-unit></x:body></x:file></x:xliff>".encode()
        noted = parse_document(data, "a.xlf").with_targets({}, {}, {0: "x"}).data
        assert noted == data.replace(b"</x:trans", b'<x:note from="qe-desktop">x</x:note></x:trans')
        assert parse_document(noted, "a.xlf").with_targets({}, {}, {0: ""}).data == data


def test_notes_of_others_are_never_changed():
    before = parse_document(FILES["plain.xlf"].replace(b"<note>", b'<note from="qe-desktop editor">'), "a.xlf")
    assert (before.segments[0].notes, before.segments[0].note) == (("Chapter 1",), "")
    new = before.with_targets({}, {}, {0: "x"}).data
    assert b'<note from="qe-desktop editor">Chapter 1</note>' in new
    phrase = FILES["phrase.mxliff"].replace(b"</target>", b"</target><m:comment>by a user</m:comment>", 1)
    job = parse_document(phrase, "a.mxliff")
    assert job.segments[0].notes == ("by a user",)
    # a unit has one comment
    rewritten = job.with_targets({}, {}, {0: "x"})
    assert (rewritten.data, rewritten.unsupported_notes) == (phrase, (0,))


def test_a_note_of_memoq_with_the_text_of_the_reviewer_is_never_changed():
    """It may be a copy of the reviewer's comment, or the same text by others."""
    data = FILES["memoq.mqxliff"].replace(b"</target>", b"</target><note>Too long</note>", 1)
    before = parse_document(data, "a.mqxliff")
    noted = parse_document(before.with_targets({}, {}, {0: "Too long"}).data, "a.mqxliff")
    assert (noted.segments[0].note, noted.segments[0].notes) == ("Too long", ("Too long",))
    changed = parse_document(noted.with_targets({}, {}, {0: "Shorter"}).data, "a.mqxliff")
    assert (changed.segments[0].note, changed.segments[0].notes) == ("Shorter", ("Too long",))
    assert noted.with_targets({}, {}, {0: ""}).data == data
    # the note of others is not listed twice
    others = noted.text.data.replace(b'creatoruser="qe-desktop"', b'creatoruser="Ada"')
    assert parse_document(others, "a.mqxliff").segments[0].notes == ("Too long",)


def test_new_texts_of_a_table_are_not_formulas():
    data = b"source,target,notes\na,b,-5\nc,=A1,=A1\n- d,,\n'- e,,\n"
    document = parse_document(data, "t.csv")
    targets = {0: "=1+1", 1: "=A2", 2: "- D", 3: "- E"}
    new = document.with_targets(targets, {}, dict.fromkeys(range(4), "x")).data
    # texts that already begin like a formula, without an apostrophe, show that the table is used as it is
    assert new.decode() == (
        "source,target,notes\n"
        "a,'=1+1,\"'-5\nqe-desktop: x\"\n"
        'c,=A2,"=A1\nqe-desktop: x"\n'
        "- d,- D,qe-desktop: x\n"
        "'- e,'- E,qe-desktop: x\n"
    )
    reparsed = parse_document(new, "t.csv")
    assert {number: segment.target_line for number, segment in enumerate(reparsed.segments)} == targets
    assert [segment.notes for segment in reparsed.segments] == [("-5",), ("=A1",), (), ()]
    removed = parse_document(reparsed.with_targets({}, {}, dict.fromkeys(range(4), "")).data, "t.csv")
    assert [segment.notes for segment in removed.segments] == [("-5",), ("=A1",), (), ()]


def test_a_table_without_notes_says_so():
    rewritten = parse_sample("table.csv").with_targets({}, {}, {0: "x"})
    assert (rewritten.data, rewritten.unsupported_notes) == (read_sample("table.csv"), (0,)) or (
        parse_document(rewritten.data, "t.csv").segments[0].note == "x"
    )
    bare = parse_document(b"source\ttarget\na\tb\n", "t.tsv").with_targets({}, {}, {0: "x"})
    assert (bare.data, bare.unsupported_notes) == (b"source\ttarget\na\tb\n", (0,))


def test_a_memory_of_three_languages_has_a_note_per_language():
    tuv = "".join(f'<tuv xml:lang="{name}"><seg>{name}</seg></tuv>' for name in ("en", "de", "fr"))
    data = f'<tmx version="1.4"><header srclang="en"/><body><tu>{tuv}</tu></body></tmx>'.encode()
    german, french = (ColumnChoice("en", name) for name in ("de", "fr"))
    noted = parse_document(data, "a.tmx", german).with_targets({}, {}, {0: "x"}).data
    assert b"<note>qe-desktop[de]: x</note><tuv" in noted
    other = parse_document(noted, "a.tmx", french)
    assert (other.segments[0].note, other.segments[0].notes) == ("", ("qe-desktop[de]: x",))


def test_a_note_of_a_memory_stays_the_reviewers_when_a_language_is_added():
    tuv = '<tuv xml:lang="{0}"><seg>{0}</seg></tuv>'
    data = (
        '<tmx version="1.4"><header srclang="en"/><body><tu>'
        + tuv.format("en")
        + tuv.format("DE")
        + "</tu></body></tmx>"
    )
    noted = parse_document(data.encode(), "a.tmx").with_targets({}, {}, {0: "x"}).data
    assert b"<note>qe-desktop[DE]: x</note>" in noted
    more = noted.replace(b"</tu>", tuv.format("fr").encode() + b"</tu>").replace(b'lang="DE"', b'lang="de"')
    segment = parse_document(more, "a.tmx", ColumnChoice("en", "de")).segments[0]
    assert (segment.note, segment.notes) == ("x", ())
    # as written by older versions
    older = parse_document(noted.replace(b"[DE]", b""), "a.tmx")
    assert older.segments[0].note == "x"
    assert older.with_targets({}, {}, {0: ""}).data == data.encode()


def test_an_unreadable_combination_is_an_error_and_no_traceback():
    """A comment between two flag lines: both edits would overlap."""
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    data = (head + '#, fuzzy\n# qe-desktop: x\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n').encode()
    with pytest.raises(QeError, match="would change other parts"):
        parse_document(data, "a.po").with_targets({0: "c"}, {}, {0: "y"})
