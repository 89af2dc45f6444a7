"""Comments of Trados Studio: the reviewer's notes in SDLXLIFF, and comments of others around the same texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import JobFile
from qe_desktop.formats.bilingual import TargetsRejectedError, parse_document
from qe_desktop.formats.bilingual.xml import sdl_comments, unit_notes
from qe_desktop.formats.bilingual.xml.xml_tree import XmlRoot, parse_root
from qe_desktop.project.reviewed_files import ReviewedFile
from tests.formats.bilingual.samples import parse_sample, read_sample


def studio_file(*targets: str, definitions: str = "") -> bytes:
    """SDLXLIFF with a unit of one segment for each target element, and with definitions of comments."""
    units = "".join(
        f'<trans-unit id="{number}"><source>a</source><seg-source><mrk mtype="seg" mid="1">a</mrk></seg-source>{target}'
        f'<sdl:seg-defs><sdl:seg id="1" conf="Draft"/></sdl:seg-defs></trans-unit>'
        for number, target in enumerate(targets, 1)
    )
    info = f"<sdl:doc-info><sdl:cmt-defs>{definitions}</sdl:cmt-defs></sdl:doc-info>" if definitions else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?><xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" '
        f'xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" version="1.2">{info}'
        f'<file source-language="en" target-language="de"><body>{units}</body></file></xliff>'
    ).encode()


def studio_target(text: str, *cids: str) -> str:
    """Target of a segment with marks of comments around its text."""
    for cid in reversed(cids):
        text = f'<mrk mtype="x-sdl-comment" sdl:cid="{cid}">{text}</mrk>'
    return f'<target><mrk mtype="seg" mid="1">{text}</mrk></target>'


def studio_comments(cid: str, *comments: tuple[str, str]) -> str:
    """Definition of comments, given their users and texts."""
    texts = "".join(f'<sdl:Comment user="{user}">{text}</sdl:Comment>' for user, text in comments)
    return f'<sdl:cmt-def id="{cid}"><sdl:Comments>{texts}</sdl:Comments></sdl:cmt-def>'


def test_a_comment_of_studio_is_around_the_whole_target():
    before = parse_sample("studio.sdlxliff")
    new = before.with_targets({}, {}, {0: "x"}).data.decode()
    cid = new.partition('<cmt-def id="')[2].partition('"')[0]
    head = f'<doc-info xmlns="http://sdl.com/FileTypes/SdlXliff/1.0"><cmt-defs><cmt-def id="{cid}"><Comments>'
    mark = f'<mrk mtype="x-sdl-comment" sdl:cid="{cid}">Die Pumpe startet.</mrk>'
    assert head in new
    assert f'<mrk mtype="seg" mid="1">{mark}</mrk>' in new
    reparsed = parse_document(new.encode(), "a.sdlxliff")
    assert reparsed.segments[0].target_line == "Die Pumpe startet."
    edited = reparsed.with_targets({0: "Die Pumpe läuft."}, {}, {0: "y"}).data.decode()
    assert mark.replace("startet", "läuft") not in new
    assert mark.replace("startet", "läuft") in edited
    assert ">y</Comment>" in edited
    # a target that is new, and one that is empty
    both = before.with_targets({3: "Neu."}, {}, {3: "x", 4: "y"})
    assert both.unsupported_notes == (4,)
    assert parse_document(both.data, "a.sdlxliff").segments[3].note == "x"


def test_comments_of_others_in_studio():
    comment = '<Comment severity="Low" user="Ada" date="2024-01-01T00:00:00" version="1.0">{}</Comment>'
    info = (
        '<doc-info xmlns="http://sdl.com/FileTypes/SdlXliff/1.0"><cmt-defs><cmt-def id="c1"><Comments xmlns="">'
        f'{comment.format("whole")}</Comments></cmt-def><cmt-def id="c2"><Comments>{comment.format("part")}'
        f"{comment.format('reply')}</Comments></cmt-def></cmt-defs></doc-info>"
    )
    data = read_sample("studio.sdlxliff").decode()
    start = data.index("<file ")
    data = data[:start] + info + data[start:]
    whole = '<mrk mtype="x-sdl-comment" sdl:cid="c1">Die Pumpe startet.</mrk>'
    data = data.replace("Die Pumpe startet.", whole).replace(
        "Stoppen</g>", '<mrk mtype="x-sdl-comment" sdl:cid="c2">Stoppen</mrk></g>'
    )
    before = parse_document(data.encode(), "a.sdlxliff")
    assert [segment.notes for segment in before.segments[:2]] == [("whole",), ("part", "reply")]
    # a comment on all of a target is not a code in it
    assert before.segments[0].target_line == "Die Pumpe startet."
    rewritten = before.with_targets({0: "Die Pumpe läuft."}, {}, {0: "x", 1: "y"})
    reparsed = parse_document(rewritten.data, "a.sdlxliff")
    assert [(segment.note, segment.notes) for segment in reparsed.segments[:2]] == [
        ("x", ("whole",)),
        ("y", ("part", "reply")),
    ]
    assert reparsed.segments[0].target_line == "Die Pumpe läuft."
    back = reparsed.with_targets({0: "Die Pumpe startet."}, {}, {0: "", 1: ""})
    assert back.data == data.replace('conf="ApprovedTranslation"', 'conf="Draft"').encode()


def test_a_comment_of_studio_on_two_segments_is_of_others():
    targets = (studio_target("b", "c1"), studio_target("c", "c1"))
    data = studio_file(*targets, definitions=studio_comments("c1", ("qe-desktop", "x")))
    before = parse_document(data, "a.sdlxliff")
    assert [(segment.note, segment.notes) for segment in before.segments] == [("", ("x",))] * 2
    assert before.with_targets({}, {}, {0: ""}).data == data
    noted = parse_document(before.with_targets({}, {}, {0: "y"}).data, "a.sdlxliff")
    assert [(segment.note, segment.notes) for segment in noted.segments] == [("y", ("x",)), ("", ("x",))]
    assert noted.with_targets({}, {}, {0: ""}).data == data


@pytest.mark.parametrize("tag", ["<Comment user='qe-desktop' />", "<sdl:Comment user='qe-desktop'/>"])
def test_an_empty_comment_of_studio_is_filled_and_removed(tag):
    definitions = f'<sdl:cmt-def id="c1"><sdl:Comments xmlns="">{tag}</sdl:Comments></sdl:cmt-def>'
    data = studio_file(studio_target("b", "c1"), definitions=definitions)
    document = parse_document(data, "a.sdlxliff")
    name = tag[1:].partition(" ")[0]
    filled = document.with_targets({}, {}, {0: "x & y"}).data
    assert filled == data.replace(tag.encode(), f"<{name} user='qe-desktop'>x &amp; y</{name}>".encode())
    assert parse_document(filled, "a.sdlxliff").with_targets({}, {}, {0: ""}).data == studio_file(studio_target("b"))


def test_a_comment_of_studio_on_an_empty_target_is_removed():
    target = '<target><mrk mtype="seg" mid="1"><mrk mtype="x-sdl-comment" sdl:cid="c1" /></mrk></target>'
    data = studio_file(target, definitions=studio_comments("c1", ("qe-desktop", "x")))
    document = parse_document(data, "a.sdlxliff")
    assert document.segments[0].note == "x"
    assert document.with_targets({}, {}, {0: ""}).data == studio_file(studio_target(""))


def test_many_new_notes_of_studio_search_the_file_once(monkeypatch):
    """Otherwise the time is quadratic in the size of the file."""
    searches = []

    class CountingPattern:
        def findall(self, text: bytes) -> list[bytes]:
            searches.append("ids")
            return pattern.findall(text)

    def counting_root(utf8: bytes) -> XmlRoot | None:
        searches.append("root")
        return parse_root(utf8)

    pattern = sdl_comments._UUID
    monkeypatch.setattr(sdl_comments, "_UUID", CountingPattern())
    monkeypatch.setattr(unit_notes, "parse_root", counting_root)
    document = parse_document(studio_file(*(studio_target("b") for _ in range(9))), "a.sdlxliff")
    noted = document.with_targets({number: "c" for number in range(4)}, {}, dict.fromkeys(range(9), "x"))
    assert [segment.note for segment in parse_document(noted.data, "a.sdlxliff").segments] == ["x"] * 9
    assert sorted(searches) == ["ids", "root"]
    # an id that the file has is not used again
    cid = noted.data.partition(b'<cmt-def id="')[2].partition(b'"')[0]
    taken = document.text.data.replace(b"<source>a<", b"<source>" + cid + b"<", 1)
    assert noted.data.count(cid) == 2
    again = parse_document(taken, "a.sdlxliff").with_targets({}, {}, {0: "x"}).data
    assert (again.count(cid), again.count(b"<cmt-def ")) == (1, 1)


@pytest.mark.parametrize(
    "target", ["", "<target/>", "<target></target>", '<target><mrk mtype="seg" mid="1"/></target>']
)
def test_a_note_is_written_with_a_new_target(target):
    document = parse_document(studio_file(target), "a.sdlxliff")
    written = document.with_targets({0: "b"}, {}, {0: "x"})
    segment = parse_document(written.data, "a.sdlxliff").segments[0]
    assert (segment.target_line, segment.note, written.unsupported_notes) == ("b", "x", ())
    # an empty target cannot have a comment
    alone = document.with_targets({}, {}, {0: "x"})
    assert (alone.data, alone.unsupported_notes) == (document.text.data, (0,))


def test_a_note_on_the_target_of_a_single_segment_without_a_mark():
    data = studio_file("<target>b</target>")
    document = parse_document(data, "a.sdlxliff")
    noted = parse_document(document.with_targets({}, {}, {0: "x"}).data, "a.sdlxliff")
    assert (noted.segments[0].target_line, noted.segments[0].note) == ("b", "x")
    assert b'<target><mrk mtype="x-sdl-comment"' in noted.text.data
    assert noted.with_targets({}, {}, {0: ""}).data == data


def test_a_segment_that_the_target_lacks_has_no_place_for_a_note():
    data = studio_file(studio_target("b")).replace(b'mid="1">b', b'mid="2">b')
    document = parse_document(data, "a.sdlxliff")
    rewritten = document.with_targets({}, {}, {0: "x"})
    assert (rewritten.data, rewritten.unsupported_notes) == (data, (0,))


LINES = [
    ("⟨1⟩c⟨/1⟩", "c"),
    ("⟨3⟩⟨1⟩c⟨/1⟩⟨/3⟩", "c"),
    ("⟨1⟩⟨⟨c⟨⟨⟨/1⟩", "⟨⟨c⟨⟨"),
    ("c", "c"),
    ("⟨1⟩c", None),
    ("⟨1⟩⟨1⟩⟨1⟩c⟨/1⟩⟨/1⟩⟨/1⟩", None),
]


@pytest.mark.parametrize(("stored", "line"), LINES)
def test_edits_of_older_projects_have_codes_for_comments_on_whole_targets(stored, line):
    data = studio_file(studio_target("b", "c1", "c2"), definitions=studio_comments("c1", ("Ada", "x")))
    file = JobFile("a.sdlxliff", "/a.sdlxliff", "sdlxliff", data, 0, 1)
    reviewed = ReviewedFile(0, file, {0: stored}, {}, None)
    if line is None:
        with pytest.raises(TargetsRejectedError, match="the segment has no code ⟨1⟩"):
            reviewed.rewrite()
    else:
        assert parse_document(reviewed.rewrite().data, "a.sdlxliff").segments[0].target_line == line
    # without such marks the codes are an error
    plain = replace(reviewed, file=replace(file, data=studio_file(studio_target("b"))))
    if stored != "c":
        with pytest.raises(TargetsRejectedError, match="the segment has no code"):
            plain.rewrite()
