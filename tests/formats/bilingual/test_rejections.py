"""Rejected segments in every format, and statuses that are added to a file only on request."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import Document, RewrittenDocument, parse_document
from tests.formats.bilingual.samples import parse_sample, read_sample
from tests.formats.bilingual.workbook import pack_workbook, workbook_parts

OPEN, CONFIRMED, REJECTED = ReviewStatus.OPEN, ReviewStatus.CONFIRMED, ReviewStatus.REJECTED
UNIT = '<trans-unit id="1"{}><source>a</source><target{}>b</target>{}</trans-unit>'


def xliff(unit: str) -> bytes:
    head = '<?xml version="1.0"?><xliff version="1.2"><file source-language="en" target-language="de"><body>'
    return f"{head}{unit}</body></file></xliff>".encode()


def changed_lines(before: bytes, after: bytes) -> list[tuple[str, str]]:
    old, new = before.decode().split("\n"), after.decode().split("\n")
    assert len(old) == len(new)
    return [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]


REJECTIONS = [
    ("studio.sdlxliff", 1, 'id="2" conf="Draft"', 'id="2" conf="RejectedTranslation"'),
    ("studio.sdlxliff", 0, 'conf="ApprovedTranslation"', 'conf="RejectedTranslation"'),
    ("memoq.mqxliff", 0, 'mq:status="MachineTranslated"', 'mq:status="Rejected"'),
    ("two.xlf", 1, 'id="s2" state="initial"', 'id="s2" state="initial" subState="qe-desktop:rejected"'),
    ("two.xlf", 3, "<segment>", '<segment state="initial" subState="qe-desktop:rejected">'),
]


@pytest.mark.parametrize(("name", "segment", "before", "after"), REJECTIONS)
def test_how_a_rejection_is_written(name, segment, before, after):
    rewritten = parse_sample(name).with_targets({}, {segment: REJECTED})
    ((old, new),) = changed_lines(read_sample(name), rewritten.data)
    assert old.replace(before, after) == new
    reparsed = parse_document(rewritten.data, name)
    assert [n for n, one in enumerate(reparsed.segments) if reparsed.status(one) is REJECTED] == [segment]
    assert rewritten.unsupported_statuses == ()
    assert reparsed.with_targets({}, {segment: REJECTED}).data == rewritten.data


@pytest.mark.parametrize("note", ["", "why"])
def test_a_rejection_in_xliff_has_a_state_and_a_note(note):
    data = xliff(UNIT.format(' approved="yes"', ' state="final"', ""))
    before = parse_document(data, "a.xlf")
    rewritten = before.with_targets({}, {0: REJECTED}, {0: note})
    mark = f'<note from="qe-desktop:rejected">{note}</note>'
    assert rewritten.data == xliff(UNIT.format(' approved="no"', ' state="needs-translation"', mark))
    reparsed = parse_document(rewritten.data, "a.xlf")
    assert (reparsed.status(reparsed.segments[0]), reparsed.segments[0].note) == (REJECTED, note)
    # the state alone, as other programs write it, means untranslated
    foreign = parse_document(rewritten.data.replace(b":rejected", b""), "a.xlf")
    assert foreign.status(foreign.segments[0]) is OPEN
    # a new target, and a new status, remove the mark
    kept = f'<note from="qe-desktop">{note}</note>' if note else ""
    edited = reparsed.with_targets({0: "c"})
    assert edited.data == xliff(
        UNIT.format(' approved="no"', ' state="needs-review-translation"', kept).replace(">b<", ">c<")
    )
    confirmed = reparsed.with_targets({}, {0: CONFIRMED})
    assert confirmed.data == xliff(UNIT.format(' approved="yes"', ' state="signed-off"', kept))
    reopened = reparsed.with_targets({}, {0: OPEN})
    assert reopened.data == xliff(UNIT.format(' approved="no"', ' state="needs-review-translation"', kept))


@pytest.mark.parametrize("note", ["", "why\n\nso"])
def test_a_rejection_in_po_is_fuzzy_with_a_note(note):
    entry = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n{}#: a.c:1\n{}msgid "a"\nmsgstr "b"\n'
    before = parse_document(entry.format("", "").encode(), "a.po")
    lines = "".join(f"# qe-desktop:rejected: {line}".rstrip() + "\n" for line in note.split("\n"))
    rewritten = before.with_targets({}, {0: REJECTED}, {0: note})
    assert rewritten.data.decode() == entry.format(lines, "#, fuzzy\n")
    reparsed = parse_document(rewritten.data, "a.po")
    assert (reparsed.status(reparsed.segments[0]), reparsed.segments[0].note) == (REJECTED, note)
    back = reparsed.with_targets({}, {0: CONFIRMED}, {0: ""})
    assert back.data == before.text.data
    # others removed the flag: the entry is finished
    other = parse_document(rewritten.data.replace(b"#, fuzzy\n", b""), "a.po")
    assert other.status(other.segments[0]) is CONFIRMED


def test_a_format_without_rejections_says_so():
    for name in ("phrase.mxliff", "memory.tmx"):
        rewritten = parse_sample(name).with_targets({}, {0: REJECTED})
        assert (rewritten.data, rewritten.unsupported_statuses, rewritten.addable_statuses) == (
            read_sample(name),
            (0,),
            (),
        )


@pytest.mark.parametrize("name", ["a.xlf", "a.po"])
def test_the_mark_of_a_segment_that_others_finished_is_removed_with_a_change_of_its_note(name):
    marked, expected = {
        "a.xlf": [
            xliff(UNIT.format("", ' state="final"', f'<note from="qe-desktop{mark}">{note}</note>'))
            for mark, note in ((":rejected", "why"), ("", "so"))
        ],
        "a.po": [
            f'msgid ""\nmsgstr ""\n\n# qe-desktop{mark}: {note}\nmsgid "a"\nmsgstr "b"\n'.encode()
            for mark, note in ((":rejected", "why"), ("", "so"))
        ],
    }[name]
    document = parse_document(marked, name)
    assert document.status(document.segments[0]) is CONFIRMED
    assert document.with_targets({}, {}, {0: "so"}).data == expected


# --- missing attributes


def statuses(rewritten: RewrittenDocument, name: str = "a.xlf") -> list[ReviewStatus]:
    reparsed = parse_document(rewritten.data, name)
    return [reparsed.status(segment) for segment in reparsed.segments]


@pytest.mark.parametrize("status", [CONFIRMED, REJECTED])
def test_a_missing_state_is_offered_and_added_on_request_only(status):
    data = xliff(UNIT.format("", "", ""))
    document = parse_document(data, "a.xlf")
    without = document.with_targets({}, {0: status})
    assert (without.data, without.changed_segments, without.unsupported_statuses, without.addable_statuses) == (
        data,
        0,
        (0,),
        (0,),
    )
    added = document.with_targets({}, {0: status}, add_missing=True)
    assert (added.unsupported_statuses, added.addable_statuses, statuses(added)) == ((), (), [status])
    state = "signed-off" if status is CONFIRMED else "needs-translation"
    note = '<note from="qe-desktop:rejected"></note>' if status is REJECTED else ""
    assert added.data == xliff(UNIT.format("", f' state="{state}"', note))


def test_what_exists_is_used_and_nothing_is_added():
    data = xliff(UNIT.format(' approved="no"', "", ""))
    added = parse_document(data, "a.xlf").with_targets({}, {0: CONFIRMED}, add_missing=True)
    assert added.data == data.replace(b'"no"', b'"yes"')
    # a unit without a target has only `approved`
    bare = xliff('<trans-unit id="1"><source>a</source></trans-unit>')
    added = parse_document(bare, "a.xlf").with_targets({0: "b"}, {0: CONFIRMED}, add_missing=True)
    assert added.data == xliff('<trans-unit id="1" approved="yes"><source>a</source><target>b</target></trans-unit>')
    rejected = parse_document(bare, "a.xlf").with_targets({0: "b"}, {0: REJECTED}, add_missing=True)
    assert (rejected.unsupported_statuses, rejected.addable_statuses, statuses(rejected)) == ((), (), [REJECTED])
    unit = '<trans-unit id="1"><source>a</source><target state="needs-translation">b</target>{}</trans-unit>'
    assert rejected.data == xliff(unit.format('<note from="qe-desktop:rejected"></note>'))


def test_reopening_adds_no_state():
    data = xliff(UNIT.format(' approved="yes"', "", ""))
    reopened = parse_document(data, "a.xlf").with_targets({}, {0: OPEN}, add_missing=True)
    assert reopened.data == data.replace(b'"yes"', b'"no"')


def test_segments_that_share_a_target_have_no_status_of_their_own():
    rewritten = parse_sample("plain.xlf").with_targets({}, {4: CONFIRMED, 5: REJECTED}, add_missing=True)
    assert (rewritten.data, rewritten.unsupported_statuses, rewritten.addable_statuses) == (
        read_sample("plain.xlf"),
        (4, 5),
        (),
    )


@pytest.mark.parametrize("status", [CONFIRMED, REJECTED])
def test_empty_status_cells_are_filled_on_request_only(status):
    data = b"source,target,status\na,b,\nc,d,Done\n"
    document = parse_document(data, "t.csv")
    without = document.with_targets({}, {0: status, 1: status})
    assert (without.data, without.unsupported_statuses, without.addable_statuses) == (data, (0, 1), (0,))
    added = document.with_targets({}, {0: status, 1: status}, add_missing=True)
    assert added.data == data.replace(b"a,b,", b"a,b," + status.name.lower().encode())
    assert added.unsupported_statuses == (1,)


def test_cells_that_a_row_of_a_sheet_lacks():
    """Target, status and note are missing in one row, and inserted in their order."""
    sheet = workbook_parts()["xl/worksheets/sheet2.xml"].decode()
    sheet = (
        sheet.partition("?>\n")[2]
        .replace(
            '<c r="D1" t="s"><v>7</v></c>',
            '<c r="C1" t="inlineStr"><is><t>status</t></is></c><c r="AA1" t="s"><v>7</v></c>',
        )
        .replace('<c r="D2" t="s"><v>8</v></c>', "")
        .replace('<c r="C5"><v>7</v></c>', "")
    )
    document = parse_document(pack_workbook(workbook_parts(sheet)), "job.xlsx")
    row = next(n for n, one in enumerate(document.segments) if one.line == 5)
    assert document.with_targets({}, {row: CONFIRMED}).addable_statuses == (row,)
    rewritten = document.with_targets({row: "Neu"}, {row: CONFIRMED}, {row: "x"}, add_missing=True)
    assert (rewritten.unsupported_statuses, rewritten.unsupported_notes) == ((), ())
    segment = parse_document(rewritten.data, "job.xlsx").segments[row]
    assert (segment.target_line, segment.state, segment.note) == ("Neu", "confirmed", "x")


# --- any review


FILES = {
    "studio.sdlxliff": read_sample("studio.sdlxliff"),
    "memoq.mqxliff": read_sample("memoq.mqxliff"),
    "two.xlf": read_sample("two.xlf"),
    "catalogue.po": read_sample("catalogue.po"),
    "plain.xlf": read_sample("plain.xlf"),
    "units.xlf": xliff(
        UNIT.format(' approved="yes"', ' state="final"', "<note>n</note>")
        + UNIT.format("", ' state="needs-translation"', "").replace('"1"', '"2"')
        + UNIT.format("", "", "").replace('"1"', '"3"')
    ),
    "t.csv": b'source,target,status,notes\na,b,open,\nc,d,"",n\ne,f,Done,"x,y"\n',
}


def document(name: str) -> Document:
    return parse_document(FILES[name], name)


REVIEWS = st.dictionaries(
    st.integers(0, 9), st.tuples(st.sampled_from([None, OPEN, CONFIRMED, REJECTED]), st.booleans(), st.booleans())
)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=40)
@given(reviews=st.lists(REVIEWS, min_size=1, max_size=3), add=st.booleans())
def test_reviews_one_after_the_other_are_read_back(name, reviews, add):
    current = document(name)
    for number, review in enumerate(reviews):
        editable = {
            n: entry for n, entry in review.items()
            if n < len(current.segments)
            and current.segments[n].target_location is not None and not current.segments[n].locked
        }  # fmt: skip
        given_targets = {n: current.segments[n].target_line + "z" for n, (_, edited, _) in editable.items() if edited}
        given_statuses = {n: status for n, (status, _, _) in editable.items() if status is not None}
        given_notes = {n: f"note {number}" for n, (_, _, noted) in editable.items() if noted}
        rewritten = current.with_targets(given_targets, given_statuses, given_notes, add_missing=add, other_codes=True)
        reparsed = parse_document(rewritten.data, name)
        for n, status in given_statuses.items():
            if status is not OPEN and n not in rewritten.unsupported_statuses:
                assert reparsed.status(reparsed.segments[n]) is status
        for n, segment in enumerate(current.segments):
            if current.status(segment) is REJECTED and n not in {*given_targets, *given_statuses}:
                assert reparsed.status(reparsed.segments[n]) is REJECTED
        expected = {n: note for n, note in given_notes.items() if n not in rewritten.unsupported_notes}
        for n, segment in enumerate(reparsed.segments):
            assert segment.note == expected.get(n, current.segments[n].note)
            assert segment.target_line == given_targets.get(n, current.segments[n].target_line)
            assert segment.notes == current.segments[n].notes
        current = reparsed
