import gzip
import os
import socket
import subprocess
import sys

import pytest

from qe_desktop.corpus import Kind, QeError, TextColumn
from qe_desktop.formats import Role, build_corpus, open_file, plan_imports, read_probabilities, read_tags, read_text
from qe_desktop.formats.files import (
    MAX_COMPRESSION_RATIO,
    MAX_SEGMENT_LENGTH,
    MAX_SEGMENT_VALUES,
    UNPACKED_ALLOWANCE_BYTES,
    check_line_count,
    has_signature,
)
from qe_desktop.formats.importing import file_classification
from qe_desktop.formats.importing.file_classification import classify_file
from qe_desktop.formats.text_files import open_beginning

LARGE = 1 << 23
"""Size of a large test file in bytes."""


def open_error(path) -> QeError:
    with pytest.raises(QeError) as caught:
        open_file(path)
    assert caught.value.place is not None
    assert caught.value.place.file == str(path)
    assert caught.value.hint
    return caught.value


def test_gzip_is_detected_by_content(write):
    assert list(read_text(write("a.tags", gzip.compress(b"one\ntwo\n"))).lines()) == ["one", "two"]
    assert list(read_text(write("b.gz", b"one\ntwo\n")).lines()) == ["one", "two"]


@pytest.mark.parametrize("cut", [3, 12, 40, -1, -9])
def test_truncated_gzip_is_refused(write, cut):
    content = gzip.compress(os.urandom(300).hex().encode() + b"\n", mtime=0)
    assert "gzip" in open_error(write("x.tags.gz", content[:cut])).message


def test_gzip_with_a_wrong_checksum_is_refused(write):
    content = bytearray(gzip.compress(b"OK BAD\n" * 50, mtime=0))
    content[-6] ^= 0xFF
    assert "gzip" in open_error(write("x.gz", bytes(content))).message


def test_beginning_of_gzip_includes_later_members(write):
    """A large file whose first member was empty seemed to be empty."""
    path = write("x.gz", gzip.compress(b"") + gzip.compress(b"one\n") + b"\0" * 8 + gzip.compress(b"two\nthree\n"))
    assert open_beginning(path, 100).data == b"one\ntwo\nthree\n"
    assert open_file(path).data == b"one\ntwo\nthree\n"


def test_large_gzip_with_an_empty_first_member_is_classified(write, monkeypatch):
    monkeypatch.setattr(file_classification, "MAX_WHOLE_BYTES", 10)
    file = classify_file(write("large.tags.gz", gzip.compress(b"") + gzip.compress(b"OK BAD\nOK\n")))
    assert (file.problem, file.role) == (None, Role.SYSTEM)


def test_missing_files_folders_and_empty_files_are_refused(tmp_path, write):
    assert "file not found" in open_error(tmp_path / "nothing").message
    assert "file not found" in open_error(write("file", "x") / "inside").message
    assert "folder" in open_error(tmp_path).message
    assert "empty" in open_error(write("empty", "")).message
    assert "empty" in open_error(write("only.bom", b"\xef\xbb\xbf")).message
    assert "empty" in open_error(write("empty.gz", gzip.compress(b""))).message


def test_special_files_are_refused_without_blocking(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as plug:
        # a socket address has at most 108 bytes, hence the relative path
        plug.bind("plug")
        for path in (tmp_path / "pipe", tmp_path / "plug", "/dev/null", "/dev/zero"):
            assert "regular" in open_error(path).message
            assert not has_signature(path, b"SQLite")


TRUNCATED = """
import os, sys
from qe_desktop.formats import open_file, read_tags, read_text
tags, text = sys.argv[1:]
column, opened = read_text(text), open_file(tags)
for path in (tags, text):
    os.truncate(path, 0)
assert len(column) == 3_000_000
assert column[2_999_999] == "ab"
assert column.token_counts().sum() == 3_000_000
assert column.matches("AB").all()
assert bytes(opened.data[-3:]) == b"OK\\n"
"""


def test_truncation_by_another_program_does_not_affect_open_files(write):
    """Access to a memory-mapped file that is truncated would end the process by SIGBUS, so files are copied."""
    tags, text = write("large.tags", b"OK\n" * 3_000_000), write("large.mt", b"ab\n" * 3_000_000)
    process = subprocess.run([sys.executable, "-c", TRUNCATED, tags, text], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")


def test_file_that_grows_while_being_read_is_refused(write):
    path = write("growing", b"OK\n")

    def append() -> None:
        with path.open("ab") as file:
            file.write(b"BAD\n")

    with pytest.raises(QeError, match="changed the file") as caught:
        open_file(path, append)
    assert caught.value.place.file == str(path)


def test_file_that_is_overwritten_in_place_while_being_read_is_refused(write):
    """Half of the old content and half of the new would be read."""
    path = write("overwritten", b"OK\n")
    os.utime(path, ns=(0, 0))

    def overwrite() -> None:
        with path.open("r+b") as file:
            file.write(b"NO\n")

    with pytest.raises(QeError, match="changed the file"):
        open_file(path, overwrite)


def test_gzip_bomb_is_refused(write):
    """512 MB from 500 kB; the limit depends on the compressed size, and the error states it."""
    bomb = gzip.compress(b"OK " * (1 << 20)) * (512 // 3)
    limit = max(UNPACKED_ALLOWANCE_BYTES, len(bomb) * MAX_COMPRESSION_RATIO)
    assert limit < 1 << 25
    error = open_error(write("x.tags.gz", bomb))
    assert f"{limit:,}" in error.message
    assert "gunzip" in error.hint


def test_unpacking_is_not_recommended_if_the_result_would_be_too_large(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.text_files.MAX_FILE_BYTES", 1 << 20)
    error = open_error(write("x.tags.gz", gzip.compress(b"OK " * (1 << 19))))
    assert error.hint == "Split the file."


def test_gzip_within_the_limits_is_read(write):
    text = b"OK BAD OK\n" * (UNPACKED_ALLOWANCE_BYTES // 20)
    assert open_file(write("x.gz", gzip.compress(text))).data == text


def test_byte_order_mark_is_skipped(write):
    opened = open_file(write("x", b"\xef\xbb\xbfOK BAD\n"))
    assert opened.start == 3
    assert TextColumn.from_bytes(opened.data, opened.start)[0] == "OK BAD"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf16_and_utf32_are_named_in_the_error(write, encoding):
    error = open_error(write("x", "OK BAD OK größer\nOK\n".encode(encoding)))
    assert "UTF-16" in error.message or "UTF-32" in error.message
    assert "UTF-8" in error.hint


def test_binary_content_is_refused(write):
    error = open_error(write("x", b"OK\nOK\x00BAD\n"))
    assert "NUL" in error.message
    assert error.place.line == 2
    assert "control" in open_error(write("y", bytes(range(1, 9)) * 40)).message
    assert "zip" in open_error(write("z", b"PK\x03\x04rest")).message


@pytest.mark.parametrize(
    ("content", "line"), [(b"gr\xf6\xdfer\n", 1), (b"ok\nok\nStra\xdfe\n", 3), (b"ok\n\xe2\x82", 2)]
)
def test_invalid_utf8_is_reported_with_the_first_line(write, content, line):
    error = open_error(write("latin1", content))
    assert "UTF-8" in error.message
    assert error.place.line == line


def test_invalid_utf8_far_into_a_large_file_is_reported_with_its_line(write):
    lines = LARGE // 8 + 10
    path = write("large", "größe\n".encode() * lines + b"\xff\n")
    assert open_error(path).place.line == lines + 1


def test_characters_across_block_boundaries_are_decoded(write):
    opened = open_file(write("large", ("x" + "€" * (LARGE // 3 + 5)).encode()))
    assert len(TextColumn.from_bytes(opened.data)[0]) == LARGE // 3 + 6


def test_only_lf_and_crlf_end_a_line(write):
    text = "a\u2028b\u0085c\u00a0d\x0be\x0cf\r\ng\rh\n\ni"
    column = read_text(write("x", text))
    assert list(column.lines()) == ["a\u2028b\u0085c\u00a0d\x0be\x0cf", "g\rh", "", "i"]
    assert column.token_counts().tolist() == [len(column.tokens(line)) for line in range(4)] == [1, 1, 0, 1]


def test_unreadable_file_is_refused(write):
    path = write("secret", "OK\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    assert "cannot be read" in open_error(path).message


def test_too_long_line_is_refused(write):
    """Displaying a text of 4 MB without line breaks would take minutes."""
    path = write("x.mt", "a b\n" + "ab " * (MAX_SEGMENT_LENGTH // 3 + 1) + "\nc\n")
    with pytest.raises(QeError, match="bytes") as caught:
        read_text(path)
    assert caught.value.place.line == 2
    assert "line breaks" in caught.value.hint
    assert len(read_text(write("y.mt", "a" * MAX_SEGMENT_LENGTH + "\n"))) == 1


@pytest.mark.parametrize(
    ("line_unit", "read"), [(b"OK ", lambda path: read_tags(path, Kind.WORDS)), (b"0.25 ", read_probabilities)]
)
def test_segment_with_too_many_values_is_refused(write, line_unit, read):
    lines = write(
        "x.values", line_unit * 2 + b"\n" + line_unit * (MAX_SEGMENT_VALUES + 1) + b"\n" + line_unit * 2 + b"\n"
    )
    with pytest.raises(QeError, match="values") as caught:
        read(lines)
    assert caught.value.place.line == 2
    assert "line breaks" in caught.value.hint


def test_too_many_lines_are_refused(write):
    check_line_count(b"a\n" * 10, "x", max_lines=10)
    with pytest.raises(QeError, match="the file has 11 lines; the maximum is 10"):
        check_line_count(b"a\n" * 11, "x", max_lines=10)


class Cancelled(Exception):
    pass


@pytest.mark.parametrize("size", [10, 400_000])
def test_import_can_be_cancelled_within_a_file(write, size):
    """Detection and reading must be cancellable within a large file, not only between files."""
    folder = write("c/t.mt", "a b\n" * size).parent
    write("c/t.tags", "OK BAD\n" * size)
    (plan,) = plan_imports([folder])
    checks = 0

    def watch() -> None:
        nonlocal checks
        checks += 1
        if checks > max_checks:
            raise Cancelled

    for max_checks in (0, 3, 6):
        for work in (
            lambda: plan_imports([folder], check_cancelled=watch),
            lambda: build_corpus(plan, check_cancelled=watch),
        ):
            checks = 0
            try:
                work()
            except Cancelled:
                assert checks > max_checks
            else:
                assert checks <= max_checks
    checks, max_checks = 0, 1 << 30
    build_corpus(plan, check_cancelled=watch)
    # cancellation is checked several times within a large file
    assert checks > (2 if size < 100 else 10)


def test_binary_files_are_named_by_their_kind(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(QeError, match="this is an image, not a text file"):
        open_file(path)
