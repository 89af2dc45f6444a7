import random

import pytest

from qe_desktop.corpus import Kind, QeError, TagColumn, TextColumn
from qe_desktop.formats import plan_imports, read_tags
from qe_desktop.formats.tags import wmt_word_columns

MT = TextColumn.of(["Das ist gut", "", "Ja !"])
TAGS = [[0, 1, 0], [], [1, 0]]
HEADER = "123\n45\n1\n"


def rows(words=("Das ist gut", "", "Ja !"), tags=TAGS, front="en-de\tsys\tMT\t", first=0) -> list[str]:
    return [
        f"{front}{segment + first}\t{index}\t{word}\t{'BAD' if tag else 'OK'}"
        for segment, (line, line_tags) in enumerate(zip(words, tags, strict=True))
        for index, (word, tag) in enumerate(zip(line.split(), line_tags, strict=True))
    ]


def text(lines, header=HEADER) -> str:
    return header + "".join(f"{line}\n" for line in lines)


def words(path, **options) -> TagColumn:
    return read_tags(path, Kind.WORDS, **options).columns[Kind.WORDS]


def read_error(path, kind=Kind.WORDS, **options) -> QeError:
    with pytest.raises(QeError) as caught:
        read_tags(path, kind, **options)
    assert caught.value.place.file == str(path)
    return caught.value


@pytest.mark.parametrize(
    ("header", "form"), [("", "WMT20"), ("1\n2\n", "WMT21"), (HEADER, "WMT22"), ("1\r\n2\r\n3\r\n", "WMT22")]
)
def test_seven_columns_are_read_with_any_header(write, header, form):
    read = read_tags(write("x.txt", text(rows(), header)), Kind.WORDS, mt=MT)
    assert read.columns[Kind.WORDS] == TagColumn.of(TAGS)
    assert read.form == form
    assert read.name == "x"


def test_wmt15_tables_of_five_columns_are_read(write):
    assert words(write("x", text(rows(front="sys\t"), "")), mt=MT) == TagColumn.of(TAGS)


def test_wmt14_tables_of_six_columns_are_read(write):
    lines = [
        "1.1\t0\tDas\tFluency\tFluency\tBAD",
        "1.1\t1\tist\tOK\tOK\tOK",
        "1.2\t0\tJa\tOK\tOK\tOK",
        "2.1\t0\tNein\tOK\tOK\tBAD",
    ]
    assert words(write("x", text(lines, ""))) == TagColumn.of([[1, 0], [0], [1]])
    assert words(write("y", text(lines, "")), mt=TextColumn.of(["Das ist", "Ja", "Nein"])) == TagColumn.of(
        [[1, 0], [0], [1]]
    )


def test_wmt14_word_fields_containing_the_fine_tag_are_read(write):
    lines = ["1.1\t0\tDas  OK\tOK\tBAD", "1.1\t1\tist  OK\tOK\tOK", "1.10\t0\tb  X\tOK\tOK", "1.9\t0\ta  X\tOK\tBAD"]
    assert words(write("x", text(lines, ""))) == TagColumn.of([[1, 0], [1], [0]])
    mt = TextColumn.of(["Das ist", "a", "b"])
    assert words(write("x", text(lines, "")), mt=mt) == TagColumn.of([[1, 0], [1], [0]])


def test_rows_are_read_in_any_order(write):
    lines = rows()
    random.Random(3).shuffle(lines)
    assert words(write("x", text(lines)), mt=MT) == TagColumn.of(TAGS)


def test_crlf_blank_lines_and_missing_last_line_end_are_read(write):
    assert words(write("x", text(rows()).replace("\n", "\r\n") + "\r\n"), mt=MT) == TagColumn.of(TAGS)
    assert words(write("y", text(rows())[:-1]), mt=MT) == TagColumn.of(TAGS)


def test_segments_counted_from_one_are_noted(write):
    read = read_tags(write("x", text(rows(first=1), "")), Kind.WORDS, mt=MT)
    assert read.columns[Kind.WORDS] == TagColumn.of(TAGS)
    assert "from 1" in read.notes[0]


def test_additional_tag_for_eos_is_read(write):
    lines = rows(("a <EOS>", "b c <EOS>"), [[0, 1], [0, 0, 1]])
    read = read_tags(write("x", text(lines)), Kind.WORDS, mt=TextColumn.of(["a", "b c"]))
    assert read.eos
    assert read.columns[Kind.WORDS] == TagColumn.of([[0, 1], [0, 0, 1]])
    mismatched = rows(("a d", "b c <EOS>"), [[0, 1], [0, 0, 1]])
    error = read_error(write("y", text(mismatched)), mt=TextColumn.of(["a", "b c"]))
    assert error.place.line == 5
    assert '"d"' in error.message


def test_several_word_types_are_read_from_one_file(write):
    gaps = rows(("gap gap", "gap gap gap"), [[0, 1], [0, 0, 1]], "en-de\tsys\tgap\t")
    source = rows(("x y", "z"), [[1, 1], [0]], "en-de\tsys\tsource\t")
    path = write("x", text(gaps + rows(("a", "b c"), [[0], [1, 0]], "en-de\tsys\tmt\t") + source, ""))
    read = read_tags(path, None, mt=TextColumn.of(["a", "b c"]), source=TextColumn.of(["x y", "z"]))
    assert read.columns == {
        Kind.GAPS: TagColumn.of([[0, 1], [0, 0, 1]]),
        Kind.WORDS: TagColumn.of([[0], [1, 0]]),
        Kind.SOURCE: TagColumn.of([[1, 1], [0]]),
    }
    assert "available kinds: words" in read_error(write("y", text(rows())), Kind.GAPS).message
    error = read_error(write("z", text(gaps[:-1], "")), Kind.GAPS, mt=TextColumn.of(["a", "b c"]))
    assert error.message == "segment 1 has 2 tags, but the MT has 2 tokens (3 expected)"


def test_several_language_pairs_need_a_choice(write):
    both = rows() + rows(front="en-cs\tsys\tMT\t")
    path = write("x", text(both))
    assert "en-de, en-cs" in read_error(path).message
    assert words(path, language_pair="en-cs", mt=MT) == TagColumn.of(TAGS)
    error = read_error(write("y", text(rows())), language_pair="en-cs")
    assert "for en-de, not for en-cs" in error.message
    assert error.place.line == 4


def test_several_systems_in_one_file_are_refused(write):
    assert "several systems: sys, b" in read_error(write("x", text(rows() + rows(front="en-de\tb\tMT\t")))).message


def test_errors_of_a_table_that_counts_from_1_name_its_segments(write):
    lines = [
        row.replace("\t2\t", "\t3\t").replace("\tMT\t1\t", "\tMT\t2\t").replace("\tMT\t0\t", "\tMT\t1\t")
        for row in rows()
    ]
    error = read_error(write("x", text([*lines, lines[1]])))
    assert error.message.startswith("duplicate word 1 of segment 1, which first occurs in line 5")


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (lambda lines: [*lines, lines[1]], 9, "duplicate word 1 of segment 0, which first occurs in line 5"),
        (lambda lines: lines[:1] + lines[2:], 5, "this is word 2 of segment 0, but word 1 is expected"),
        (lambda lines: lines[1:], 4, "this is word 1 of segment 0, but word 0 is expected"),
        (lambda lines: lines[3:], None, "no rows for segment 0 "),
        (lambda lines: lines[:-2], None, "no rows for segment 2 "),
        (lambda lines: lines[:-1], 7, "segment 2 has 1 tag, but the MT has 2 tokens (2 or 3 expected)"),
        (lambda lines: [*lines, "en-de\tsys\tMT\t3\t0\tx\tOK"], 9, "segment 3 does not exist: 3 segments are expected"),
        (
            lambda lines: [*lines, "en-de\tsys\tMT\t2\t2\tx\tOK"],
            7,
            "segment 2 has 3 tags, but the MT has 2 tokens (2 expected from the layout of the other segments)",
        ),
        (lambda lines: [lines[0].replace("OK", "MAYBE"), *lines[1:]], 4, '"MAYBE" is not OK or BAD'),
        (lambda lines: [lines[0].replace("OK", ""), *lines[1:]], 4, '"" is not OK or BAD'),
        (lambda lines: [lines[0], lines[1].replace("\t1\t", "\tone\t"), *lines[2:]], 5, '"one" is not a word index'),
        (lambda lines: [lines[0], lines[1].replace("\t0\t", "\t-1\t"), *lines[2:]], 5, '"-1" is not a segment number'),
        (lambda lines: [lines[0], lines[1] + "\tx", *lines[2:]], 5, "the row does not have 7 columns"),
        (lambda lines: [lines[0], "x", *lines[1:]], 5, "the row does not have 7 columns"),
        (lambda lines: [lines[0], lines[1].replace("ist", "war"), *lines[2:]], 5, '"war", but "ist" in the MT'),
        (lambda lines: [line.replace("\tMT\t", "\tphrase\t") for line in lines], 4, '"phrase" is not a word type'),
    ],
)
def test_invalid_rows_are_refused_with_their_line(write, change, line, says):
    error = read_error(write("x", text(change(rows()))), mt=MT)
    assert says in error.line()
    assert error.place.line == line


def test_huge_segment_number_is_refused_without_allocating_memory(write):
    error = read_error(write("x", text([*rows(), f"en-de\tsys\tMT\t{10**14}\t0\tx\tOK"])))
    assert "most segments are missing" in error.message


def test_words_are_compared_case_insensitively(write):
    assert words(write("x", text(rows(("das IST gut", "", "JA !")))), mt=MT) == TagColumn.of(TAGS)


def test_different_word_after_many_spellings_is_refused(write, monkeypatch):
    """A table in lower case, or with entities, has many unequal words that are not faults."""
    monkeypatch.setattr(wmt_word_columns, "MAX_COUNTED_FAULTS", 20)
    mt = TextColumn.of(["Das & Haus"] * 50)
    lines = ["das &amp; haus"] * 49
    assert (
        "HTML"
        in read_tags(write("x", text(rows([*lines, "das & haus"], [[0, 0, 0]] * 50))), Kind.WORDS, mt=mt).notes[0]
    )
    error = read_error(write("y", text(rows([*lines, "das & Maus"], [[0, 0, 0]] * 50))), mt=mt)
    assert '"Maus"' in error.message
    many = read_error(write("z", text(rows(["ein Mann da"] * 50, [[0, 0, 0]] * 50))), mt=mt)
    assert many.more >= 10


def test_html_entities_and_unicode_forms_match_and_are_noted(write):
    mt = TextColumn.of(['" größer', "&"])
    read = read_tags(write("x", text(rows(("&quot; größer", "&amp;"), [[0, 1], [0]]))), Kind.WORDS, mt=mt)
    assert "HTML" in read.notes[0]
    decomposed = read_tags(write("y", text(rows(('" gro\u0308ßer', "&"), [[0, 1], [0]]))), Kind.WORDS, mt=mt)
    assert "Unicode" in decomposed.notes[0]
    assert '"amp"' in read_error(write("z", text(rows(('" größer', "amp"), [[0, 1], [0]]))), mt=mt).message


def test_all_mismatched_words_are_counted(write):
    mt = TextColumn.of(["x y z"] * 50)
    error = read_error(write("x", text(rows(["a b c"] * 50, [[0, 0, 0]] * 50))), mt=mt)
    assert len(error.faults) == 10
    assert error.more == 140


def test_table_is_read_across_blocks(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.tsv.TABLE_BLOCK_BYTES", 64)
    path = write("x", text(rows()))
    assert words(path, mt=MT) == TagColumn.of(TAGS)
    broken = rows()
    broken[4] = broken[4].replace("OK", "X")
    assert read_error(write("y", text(broken))).place.line == 8


def test_aliases_of_a_word_type_are_merged(tmp_path):
    path = tmp_path / "two.tsv"
    rows = [("src", 0, 0, "a", "OK"), ("source", 0, 1, "b", "BAD"), ("MT", 0, 0, "x", "BAD"), ("mt", 0, 1, "y", "OK")]
    path.write_text("".join(f"en-de\tS\t{kind}\t{s}\t{i}\t{word}\t{tag}\n" for kind, s, i, word, tag in rows))
    columns = read_tags(path, None).columns
    assert columns[Kind.SOURCE].values.tolist() == [0, 1]
    assert columns[Kind.WORDS].values.tolist() == [1, 0]


def test_messages_about_many_names_are_shortened(write):
    """A table with a different language pair in each row must not produce a message of a megabyte."""
    table = "".join(f"p{number}-de\tm\tmt\t{number}\t0\tx\tOK\n" for number in range(2000))
    with pytest.raises(QeError, match="several language pairs") as caught:
        read_tags(write("x.txt", table), Kind.WORDS)
    assert "1,995 more" in caught.value.message
    assert len(caught.value.line()) < 500
    (plan,) = plan_imports([write("x.txt", table)])
    assert len(plan.files[0].description) < 200
