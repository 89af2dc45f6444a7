import gzip
import os

import pytest

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.formats import open_file, read_text
from qe_desktop.formats.opening import MAPPED


def refused(path) -> QeError:
    with pytest.raises(QeError) as caught:
        open_file(path)
    assert caught.value.place is not None
    assert caught.value.place.file == str(path)
    assert caught.value.hint
    return caught.value


def test_gzip_is_recognised_by_content_and_not_by_name(write):
    assert list(read_text(write("a.tags", gzip.compress(b"one\ntwo\n"))).lines()) == ["one", "two"]
    assert list(read_text(write("b.gz", b"one\ntwo\n")).lines()) == ["one", "two"]


@pytest.mark.parametrize("cut", [3, 12, 40, -1, -9])
def test_damaged_gzip(write, cut):
    whole = gzip.compress(os.urandom(300).hex().encode() + b"\n", mtime=0)
    assert "gzip" in refused(write("x.tags.gz", whole[:cut])).message


def test_gzip_with_a_wrong_sum(write):
    whole = bytearray(gzip.compress(b"OK BAD\n" * 50, mtime=0))
    whole[-6] ^= 0xFF
    assert "gzip" in refused(write("x.gz", bytes(whole))).message


def test_missing_folder_and_empty(tmp_path, write):
    assert "no such file" in refused(tmp_path / "nothing").message
    assert "no such file" in refused(write("file", "x") / "inside").message
    assert "folder" in refused(tmp_path).message
    assert "empty" in refused(write("empty", "")).message
    assert "empty" in refused(write("only.bom", b"\xef\xbb\xbf")).message
    assert "empty" in refused(write("empty.gz", gzip.compress(b""))).message


def test_what_is_no_ordinary_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "ordinary" in refused(tmp_path / "pipe").message


def test_a_byte_order_mark_is_dropped(write):
    opened = open_file(write("x", b"\xef\xbb\xbfOK BAD\n"))
    assert opened.start == 3
    assert TextColumn.from_bytes(opened.data, opened.start)[0] == "OK BAD"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_named(write, encoding):
    error = refused(write("x", "OK BAD OK größer\nOK\n".encode(encoding)))
    assert "UTF-16" in error.message or "UTF-32" in error.message
    assert "UTF-8" in error.hint


def test_binary(write):
    error = refused(write("x", b"OK\nOK\x00BAD\n"))
    assert "NUL" in error.message
    assert error.place.line == 2
    assert "control" in refused(write("y", bytes(range(1, 9)) * 40)).message
    assert "zip" in refused(write("z", b"PK\x03\x04rest")).message


@pytest.mark.parametrize(
    ("content", "line"), [(b"gr\xf6\xdfer\n", 1), (b"ok\nok\nStra\xdfe\n", 3), (b"ok\n\xe2\x82", 2)]
)
def test_invalid_utf8_names_the_first_bad_line(write, content, line):
    error = refused(write("latin1", content))
    assert "UTF-8" in error.message
    assert error.place.line == line


def test_invalid_utf8_far_behind_in_a_mapped_file(write):
    lines = MAPPED // 8 + 10
    path = write("large", "größe\n".encode() * lines + b"\xff\n")
    assert refused(path).place.line == lines + 1


def test_characters_across_blocks_are_whole(write):
    path = write("large", ("x" + "€" * (MAPPED // 3 + 5)).encode())
    assert len(read_text(path)[0]) == MAPPED // 3 + 6


def test_only_lf_and_crlf_end_a_line(write):
    text = "a\u2028b\u0085c\u00a0d\x0be\x0cf\r\ng\rh\n\ni"
    column = read_text(write("x", text))
    assert list(column.lines()) == ["a\u2028b\u0085c\u00a0d\x0be\x0cf", "g\rh", "", "i"]
    assert column.token_counts().tolist() == [len(column.tokens(line)) for line in range(4)] == [1, 1, 0, 1]


def test_an_unreadable_file(write):
    path = write("secret", "OK\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert "cannot be read" in refused(path).message
