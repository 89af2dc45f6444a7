import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.formats import open_file
from qe_desktop.formats.tags.tag_lines import _parse_plain_block, read_tag_lines, write_tag_lines
from qe_desktop.formats.text_files import CACHED_BLOCK_BYTES

columns = st.lists(st.lists(st.integers(0, 1), max_size=7), min_size=1, max_size=12).map(TagColumn.of)


def read(write, content) -> TagColumn:
    return read_tag_lines(open_file(write("x.tags", content)))


def read_error(write, content) -> QeError:
    with pytest.raises(QeError) as caught:
        read(write, content)
    return caught.value


@given(columns)
@settings(max_examples=60, deadline=None)
def test_written_tags_are_read_back(tmp_path_factory, column):
    folder = tmp_path_factory.mktemp("tags")
    for name in ("x.tags", "x.tags.gz"):
        write_tag_lines(folder / name, column)
        assert read_tag_lines(open_file(folder / name)) == column
    assert sorted(path.name for path in folder.iterdir()) == ["x.tags", "x.tags.gz"]


@given(
    st.lists(st.lists(st.sampled_from(["OK", "BAD", "ok", "Bad", "GOOD", "good"]), max_size=5), min_size=1, max_size=9),
    st.sampled_from([" ", "  ", "\t", " \t "]),
    st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"]),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_any_spacing_case_and_line_end_is_read(tmp_path_factory, lines, between, end, last_end):
    text = end.join(between.join(line) for line in lines) + (end if last_end or not lines[-1] else "")
    path = tmp_path_factory.mktemp("tags") / "x"
    path.write_text(text, newline="")
    expected = TagColumn.of([[int(tag.upper() == "BAD") for tag in line] for line in lines])
    assert read_tag_lines(open_file(path)) == expected


def test_blocks_with_irregular_lines_are_read(write):
    rng = np.random.default_rng(5)
    lines = [
        ["BAD" if bad else "OK" for bad in rng.random(rng.integers(0, 40)) < 0.2]
        for _ in range(CACHED_BLOCK_BYTES // 20)
    ]
    lines[4000] = ["ok", "GOOD", "bad"]
    text = "\n".join(" ".join(line) for line in lines) + "\n"
    text = text.replace("OK OK\nBAD", "OK  OK \r\nBAD", 3)
    assert len(text) > 3 * CACHED_BLOCK_BYTES
    expected = TagColumn.of([[int(tag.upper() == "BAD") for tag in line] for line in lines])
    assert read(write, text) == expected


def test_line_longer_than_a_block_is_read(write):
    column = read(write, "OK\n" + "BAD " * CACHED_BLOCK_BYTES + "OK\nOK")
    assert column.lengths().tolist() == [1, CACHED_BLOCK_BYTES + 1, 1]
    assert int(column.values.sum()) == CACHED_BLOCK_BYTES


ODD = [
    "O",
    "K",
    "B",
    "BX",
    "OX",
    "X",
    "OKK",
    "BA",
    "BADD",
    "OKBAD",
    "BAAD",
    "GOO",
    "GOODS",
    "OKOK",
    "0",
    "OK,",
    "NOT",
    "DAB",
]
ODD += ["OK\u00a0OK", "ÖK", "O\x0bK"]


@pytest.mark.parametrize("token", ODD)
@pytest.mark.parametrize("before", ["", "OK ", "BAD BAD "])
@pytest.mark.parametrize("after", ["", " OK", " BAD OK"])
def test_invalid_token_is_reported_with_its_line(write, token, before, after):
    error = read_error(write, f"OK BAD\n\n{before}{token}{after}\nOK\n")
    assert error.place.line == 3
    assert "not OK or BAD" in error.message
    assert len(error.faults) == 1
    assert error.more == 0


def test_first_ten_errors_are_listed_and_others_counted(write):
    error = read_error(write, "OK\n" + "OK X BAD\n" * 25)
    assert [error_location.place.line for error_location in error.faults] == list(range(2, 12))
    assert error.more == 15
    assert "24 more locations" in error.line()


def test_error_far_into_the_file_has_the_correct_line(write):
    lines = CACHED_BLOCK_BYTES // 3 + 7
    error = read_error(write, "OK OK\n" * lines + "OK\nOK oops\n")
    assert error.place.line == lines + 2


def test_invalid_token_is_escaped_and_shortened(write):
    assert '"\\xa0OK"' in read_error(write, "\u00a0OK\n").message
    assert len(read_error(write, "x" * 5000 + "\n").message) < 100


def test_columns_are_read_only(write):
    column = read(write, "OK BAD\n")
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 1


def test_fast_parser_accepts_exactly_plain_tag_lines():
    expected_count = fast_count = 0
    for size in range(6):
        for letters in itertools.product("OKBADX \n", repeat=size):
            block = "".join(letters) + "\n"
            lines = [line.split(" ") if line else [] for line in block.split("\n")[:-1]]
            is_plain = all(tag in ("OK", "BAD") for line in lines for tag in line)
            parsed = _parse_plain_block(block.encode())
            assert (parsed is not None) == is_plain, block
            expected_count += is_plain
            if parsed is not None:
                fast_count += 1
                assert parsed[0].tolist() == [int(tag == "BAD") for line in lines for tag in line], block
                assert parsed[1].tolist() == [len(line) for line in lines], block
    assert expected_count == fast_count > 20
