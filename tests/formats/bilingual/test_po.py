"""PO catalogues byte by byte: flags, escapes, and declared encodings."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import detect_dialect, parse_document, read_document
from qe_desktop.formats.bilingual.columns import AUTO_COLUMNS
from qe_desktop.formats.bilingual.registry import MAX_OPTIONS_BYTES, SIGNATURE_BYTES, first_segments

OPEN, EDITED = ReviewStatus.OPEN, ReviewStatus.EDITED
CONFIRMED, REJECTED = ReviewStatus.CONFIRMED, ReviewStatus.REJECTED
MARK = b"# qe-desktop:rejected:\n"
"""Comment that distinguishes a rejected entry from an unchecked one."""
FORM_MARK = b"# qe-desktop:rejected[%d]:\n"
PLURAL = b'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] "d"\n'


def catalogue(body: str, charset: str = "UTF-8", codec: str = "") -> bytes:
    head = f'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset={charset}\\n"\n\n'
    return (head + body).encode(codec or charset)


@pytest.mark.parametrize("lines", [0, 1, 2000])
def test_the_header_may_follow_a_long_comment(lines):
    data = b"# Copyright\r\n\n" * lines + catalogue('msgid "a"\nmsgstr "\u00f6\u20ac"\n', "ISO-8859-15")
    assert parse_document(data, "x.po").segments[0].target_line == "ö€"


def test_edited_and_rejected_entry_remains_fuzzy():
    data = catalogue('#, fuzzy, c-format\nmsgid "a"\nmsgstr "b"\n')
    new = parse_document(data, "x.po").with_targets({0: "c"}, {0: REJECTED})
    assert new.data == data.replace(b'"b"', b'"c"').replace(b"#, fuzzy", MARK + b"#, fuzzy")
    new = parse_document(data, "x.po").with_targets({0: "c"}, {0: EDITED})
    assert new.data == data.replace(b'"b"', b'"c"').replace(b"fuzzy, ", b"")


@pytest.mark.parametrize("previous", ['#| msgid "x"\n', '#| msgctxt "c"\n#| msgid ""\n#| "x"\n'])
@pytest.mark.parametrize("status", [OPEN, REJECTED])
def test_a_new_flag_is_written_before_the_previous_msgid(previous, status):
    # gettext accepts no flags after it
    data = catalogue(f'#: a.c\n{previous}msgid "a"\nmsgstr "b"\n\nmsgid "next"\nmsgstr "n"\n')
    mark, flag = MARK if status is REJECTED else b"", b"#, fuzzy\n"
    new = parse_document(data, "x.po").with_targets({}, {0: status, 1: status})
    expected = data.replace(b"#: a.c\n", mark + b"#: a.c\n" + flag)
    assert new.data == expected.replace(b'msgid "next"', mark + flag + b'msgid "next"')


@pytest.mark.parametrize(
    ("flags", "statuses", "flags_after", "unsaid"),
    [
        (b"#, fuzzy\n", {0: CONFIRMED, 1: REJECTED}, FORM_MARK % 1 + b"#, fuzzy\n", (0,)),
        (b"#, fuzzy\n", {0: CONFIRMED, 1: CONFIRMED}, b"", ()),
        (b"#, fuzzy\n", {0: EDITED, 1: REJECTED}, FORM_MARK % 1 + b"#, fuzzy\n", ()),
        (b"", {0: CONFIRMED, 1: REJECTED}, FORM_MARK % 1 + b"#, fuzzy\n", (0,)),
    ],
)
def test_plural_forms_share_the_fuzzy_flag(flags, statuses, flags_after, unsaid):
    data = catalogue(f"{flags.decode()}{PLURAL.decode()}")
    new = parse_document(data, "x.po").with_targets({0: "C", 1: "D"}, statuses)
    written = PLURAL.replace(b'"c"', b'"C"').replace(b'"d"', b'"D"')
    assert new.data == data.replace(flags + PLURAL, flags_after + written)
    assert new.unsupported_statuses == unsaid


@pytest.mark.parametrize(("rejected", "edited"), [(0, 1), (1, 0)])
def test_rejected_form_remains_fuzzy_if_another_form_is_edited(rejected, edited):
    data = catalogue(f"#, fuzzy\n{PLURAL.decode()}")
    new = parse_document(data, "x.po").with_targets({edited: "z"}, {rejected: REJECTED})
    form = b"cd"[edited : edited + 1]
    marked = FORM_MARK % rejected + b"#, fuzzy"
    assert new.data == data.replace(b'"%b"' % form, b'"z"').replace(b"#, fuzzy", marked)
    assert (new.changed_segments, new.unsupported_statuses) == (2, ())


@pytest.mark.parametrize(("targets", "statuses", "unsupported"), [
    ({}, {1: CONFIRMED}, (1,)), ({1: "z"}, {1: CONFIRMED}, (1,)), ({1: "z"}, {1: EDITED}, ()), ({1: "z"}, {}, ()),
])  # fmt: skip
def test_an_entry_remains_fuzzy_while_one_of_its_forms_is_open(targets, statuses, unsupported):
    data = catalogue(f"#, fuzzy\n{PLURAL.decode()}")
    new = parse_document(data, "x.po").with_targets(targets, statuses)
    assert (new.data, new.unsupported_statuses) == (data.replace(b'"d"', b'"z"') if targets else data, unsupported)
    # an empty form is untranslated and not open
    empty = data.replace(b'"c"', b'""')
    assert b"fuzzy" not in parse_document(empty, "x.po").with_targets(targets, {1: CONFIRMED}).data


def test_rejecting_a_form_reports_that_the_file_no_longer_has_the_others_as_confirmed():
    data = catalogue(PLURAL.decode())
    before = parse_document(data, "x.po")
    new = before.with_targets({}, {1: REJECTED})
    assert new.data == data.replace(PLURAL, FORM_MARK % 1 + b"#, fuzzy\n" + PLURAL)
    assert new.unsupported_statuses == (0,)
    assert (new.changed_segments, before.with_targets({}, {0: CONFIRMED, 1: CONFIRMED}).changed_segments) == (1, 0)


@pytest.mark.parametrize("targets", [{}, {0: "z"}])
@pytest.mark.parametrize(
    ("statuses", "unsupported"),
    [({}, ()), ({0: CONFIRMED}, (0,)), ({0: CONFIRMED, 1: REJECTED}, (0,)), ({0: CONFIRMED, 1: CONFIRMED}, ())],
)
def test_a_rejected_form_remains_rejected_if_other_forms_are_confirmed_or_edited(targets, statuses, unsupported):
    marked = "# qe-desktop:rejected[1]: bad\n#, fuzzy\n"
    data = catalogue(marked + PLURAL.decode())
    new = parse_document(data, "x.po").with_targets(targets, statuses)
    written = data.replace(b'"c"', b'"z"') if targets else data
    if statuses.get(1) is CONFIRMED:
        written = written.replace(b":rejected", b"").replace(b"#, fuzzy\n", b"")
    assert (new.data, new.unsupported_statuses) == (written, unsupported)


@pytest.mark.parametrize("status", [CONFIRMED, REJECTED])
@pytest.mark.parametrize("flags", ["", "#, fuzzy\n", "#, fuzzy, c-format\n"])
def test_status_of_an_empty_target_is_unsupported_and_the_rest_is_written(flags, status):
    entry = 'msgid "a"\nmsgstr "{}"\n'
    rest = '\n#, fuzzy\nmsgid "c"\nmsgstr "d"\n'
    data = catalogue(flags + entry.format("") + rest)
    new = parse_document(data, "x.po").with_targets({}, {0: status, 1: CONFIRMED})
    assert new.data == catalogue(flags + entry.format("") + rest.replace("#, fuzzy\n", ""))
    assert (new.changed_segments, new.unsupported_statuses) == (1, (0,))
    # an edit removes the flag, also if it leaves no text
    emptied = parse_document(catalogue(flags + entry.format("b")), "x.po").with_targets({0: ""}, {0: status})
    without_flag = flags.replace("#, fuzzy\n", "").replace("fuzzy, ", "")
    assert emptied.data == catalogue(without_flag + entry.format(""))
    assert emptied.unsupported_statuses == (0,)


@pytest.mark.parametrize(
    ("line", "without"),
    [
        ("  #, fuzzy, c-format\n", "  #, c-format\n"),
        ("#,fuzzy,c-format\n", "#,c-format\n"),
        ("#,  c-format ,fuzzy , no-wrap \n", "#,  c-format , no-wrap \n"),
        ("#, c-format, fuzzy\r\n", "#, c-format\r\n"),
        ("#, fuzzy c-format\n", "#, c-format\n"),
        ("#, fuzzy, fuzzy\n", ""),
        ("\t#, fuzzy\n", ""),
    ],
)
def test_removing_the_fuzzy_flag_changes_nothing_else(line, without):
    entry = 'msgid "a"\nmsgstr "b"\n'
    new = parse_document(catalogue(line + entry), "x.po").with_targets({}, {0: CONFIRMED})
    assert new.data == catalogue(without + entry)
    assert new.unsupported_statuses == ()


def test_comments_that_are_not_flags_are_ignored():
    entry = 'msgid "{}"\nmsgstr "b"\n'
    body = "#, no-fuzzy\n" + entry.format(1) + '\n#, fuzzy\n#~ msgid "x"\n#~ msgstr "y"\n' + entry.format(2)
    body += "\n#= fuzzy\n" + entry.format(3)
    assert [(segment.state, segment.notes) for segment in parse_document(catalogue(body), "x.po").segments] == [
        ("translated", ())
    ] * 3


@pytest.mark.parametrize(
    ("charset", "written", "meant"),
    [
        ("UTF-8", r"\303\244\342\202\254", "ä€"),
        ("UTF-8", r"\xc3\xa4x\xe2\x82\xac", "äx€"),
        ("UTF-8", r"\101\1012\nB", "AA2\nB"),
        ("UTF-8", r"a\377b", "a\ufffdb"),
        ("ISO-8859-1", r"\344", "ä"),
        ("EUC-JP", r"\244\242", "あ"),
        ("UTF-8", 'M\\303"\n"\\274ller', "Müller"),
        ("UTF-8", '\\3"\n"03', "\x0303"),
        ("EUC-JP", '\\244"\n"\\242あ', "ああ"),
        ("Shift_JIS", r"\203A\203\\", "アソ"),
    ],
)
def test_octal_and_hex_escapes_are_decoded(charset, written, meant):
    data = catalogue(f'msgid "{written}"\nmsgstr "{written}"\n\nmsgid "b"\nmsgstr "b"\n', charset)
    document = parse_document(data, "x.po")
    assert (document.segments[0].source, document.segments[0].target) == ((meant,), (meant,))
    assert document.with_targets({1: "c"}).data == data.replace(b'msgstr "b"', b'msgstr "c"')


@pytest.mark.parametrize("length", [0, SIGNATURE_BYTES, MAX_OPTIONS_BYTES])
@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("ISO-8859-1", "", "grün"),
        ("ISO-8859-2", "", "řeč"),
        ("EUC-JP", "", "日本"),
        ("UTF-8", "", "日本"),
        ("UTF-16", "utf-16-le", "日本𝄞"),
        ("UTF-16", "utf-16-be", "日本𝄞"),
    ],
)
def test_catalogues_in_other_encodings_are_detected(tmp_path, charset, codec, text, length):
    body = "".join(f'msgid "{number}"\nmsgstr "{text}"\n\n' for number in range(2 + length // 20))
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(codec, b"")
    for shift in ("", "#\n", "#x\n")[: 1 if length == MAX_OPTIONS_BYTES else 3]:
        # the block that is inspected may end within a character
        path = tmp_path / "x.po"
        path.write_bytes(mark + catalogue(shift + body, charset, codec))
        dialect = detect_dialect(path)
        assert dialect is not None
        assert dialect.name == "po"
        assert first_segments(path, AUTO_COLUMNS, 2)[1].target == (text,)
    if length == MAX_OPTIONS_BYTES:
        # reading all 50,000 entries takes long and tests nothing more
        return
    document = read_document(path)
    assert document.with_targets({0: f"{text}!"}).data == path.read_bytes().replace(
        f'"{text}"'.encode(codec or charset), f'"{text}!"'.encode(codec or charset), 1
    )


@pytest.mark.parametrize(
    "header",
    [
        'msgstr "Content-Type: text/plain; charset={}\\n"',
        'msgstr "MIME-Version: 1.0\\nContent-Type: text/plain; charset={}\\n"',
        'msgstr ""\n"MIME-Version: 1.0\\n" \n"Content-Type: text/plain; charset={}\\n"',
    ],
)
@pytest.mark.parametrize("charset", ["EUC-JP", "Shift_JIS"])
def test_charset_is_read_from_a_multi_string_header(tmp_path, header, charset):
    path = tmp_path / "a.po"
    path.write_bytes(f'msgid ""\n{header.format(charset)}\n\nmsgid "Save"\nmsgstr "保存"\n'.encode(charset))
    assert [segment.target_line for segment in read_document(path).segments] == ["保存"]


def test_lines_between_flag_lines_are_preserved():
    data = catalogue('#, fuzzy\n#. a note\n#, c-format, fuzzy\n#: a.c:1\nmsgid "a"\nmsgstr "b"\n')
    document = parse_document(data, "x.po")
    changed = document.with_targets({0: "c"})
    assert changed.data == data.replace(b"#, fuzzy\n#.", b"#.").replace(b"c-format, fuzzy", b"c-format").replace(
        b'msgstr "b"', b'msgstr "c"'
    )
    rejected = document.with_targets({0: "c"}, {0: ReviewStatus.REJECTED})
    assert rejected.data == data.replace(b'msgstr "b"', b'msgstr "c"').replace(b"#, fuzzy\n#.", MARK + b"#, fuzzy\n#.")
