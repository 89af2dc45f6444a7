"""Atomic writing: links, permissions, devices and pipes are preserved, and a failed write leaves the old file."""

from __future__ import annotations

import gzip
import os
import resource
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import read_scores, write_scores
from qe_desktop.formats.atomic_write import (
    atomic_write,
    resolve_target,
    unfinished_database,
    unfinished_folder,
    write_bytes,
    write_text,
)
from qe_desktop.formats.scores.score_lines import NUMBER_BLOCK_LINES

posix = pytest.mark.skipif(os.name != "posix", reason="pipes, links and rights as POSIX has them")
linux = pytest.mark.skipif(sys.platform != "linux", reason="devices are numbered as on Linux")


def write_error(path: Path, content: bytes = b"new") -> str:
    with pytest.raises(QeError) as caught:
        write_bytes(path, content)
    return caught.value.line()


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    path = tmp_path / "old"
    path.write_bytes(b"old")
    return path


def test_no_temporary_files_remain(tmp_path):
    write_text(tmp_path / "x", "été")
    write_bytes(tmp_path / "x.gz", b"two")
    assert (tmp_path / "x").read_bytes() == "été".encode()
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == b"two"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x", "x.gz"]


@posix
def test_link_is_kept_and_its_target_replaced(old_file, tmp_path):
    (tmp_path / "folder").mkdir()
    link = tmp_path / "folder" / "link"
    link.symlink_to("../old")
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert old_file.read_bytes() == b"new"
    assert resolve_target(link) == old_file.resolve()


@posix
def test_link_to_a_missing_file_creates_it(tmp_path):
    (tmp_path / "link").symlink_to("coming")
    write_bytes(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "coming").read_bytes() == b"new"


@posix
def test_circular_links_are_reported(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert write_error(tmp_path / "a").startswith(f"{tmp_path / 'a'}: the file cannot be written: ")
    assert (tmp_path / "a").is_symlink()


@posix
@pytest.mark.parametrize("rights", [0o600, 0o640, 0o755, 0o666])
def test_file_permissions_are_kept(old_file, rights):
    old_file.chmod(rights)
    write_bytes(old_file, b"new")
    assert old_file.read_bytes() == b"new"
    assert stat.S_IMODE(old_file.stat().st_mode) == rights


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may change everything")
def test_read_only_file_is_not_replaced(old_file):
    old_file.chmod(0o444)
    assert "the file is read-only" in write_error(old_file)
    assert old_file.read_bytes() == b"old"


def test_folder_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    assert write_error(tmp_path / "folder") == f"{tmp_path / 'folder'}: this is a folder. Specify a file in the folder."
    assert not list((tmp_path / "folder").iterdir())


def test_missing_folder_is_reported(tmp_path):
    assert "No such file" in write_error(tmp_path / "no" / "file")


def device(path: Path, minor: int) -> Path:
    """Create a separate device node, to protect those of the system: minor number 3 is null, 7 is full."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    except PermissionError:
        # a user who may not create devices cannot remove one either, so a link is safe
        path.symlink_to({3: "/dev/null", 7: "/dev/full"}[minor])
    return path


@linux
def test_device_is_written_to_and_not_replaced(tmp_path):
    null = device(tmp_path / "null", 3)
    write_bytes(null, b"new")
    assert stat.S_ISCHR(null.stat().st_mode)


@linux
def test_full_device_is_reported(tmp_path):
    full = device(tmp_path / "full", 7)
    assert write_error(full).startswith(f"{full}: the file cannot be written: No space left on device.")
    assert stat.S_ISCHR(full.stat().st_mode)


@posix
def test_pipe_receives_all_content(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader_end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader_end, True)
    # without an open writer, the reader would get end-of-file at once
    writer_end = os.open(pipe, os.O_WRONLY)
    content = os.urandom(300_000)
    received: list[bytes] = []

    def read() -> None:
        while part := os.read(reader_end, 1 << 16):
            received.append(part)

    reader = threading.Thread(target=read)
    reader.start()
    write_bytes(pipe, content)
    os.close(writer_end)
    reader.join()
    os.close(reader_end)
    assert b"".join(received) == content
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_pipe_without_a_reader_is_refused_without_blocking(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "no program is reading this pipe. Start the program that reads the pipe first." in write_error(
        tmp_path / "pipe"
    )


@posix
def test_standard_output_is_written_at_its_current_position(tmp_path):
    """`-o /dev/stdout > file` writes to the file that the shell opened, between other output."""
    code = (
        "import sys; from pathlib import Path; from qe_desktop.formats.atomic_write import write_bytes\n"
        "print('before'); write_bytes(Path(sys.argv[1]), b'middle\\n'); write_bytes(Path('/dev/fd/1'), b'last\\n')\n"
        "print('after')"
    )
    out, link = tmp_path / "out", tmp_path / "stdout"
    # a link, as /dev/stdout is
    link.symlink_to("/proc/self/fd/1" if os.path.isdir("/proc/self/fd") else "/dev/fd/1")
    run = [sys.executable, "-c", code, str(link)]
    with out.open("wb") as file:
        subprocess.run(run, stdout=file, check=True)
    assert out.read_bytes() == b"before\nmiddle\nlast\nafter\n"
    piped = subprocess.run(run, stdout=subprocess.PIPE, check=True)
    assert piped.stdout == b"before\nmiddle\nlast\nafter\n"
    assert link.is_symlink()


@posix
def test_full_disk_leaves_the_old_file(old_file):
    """A limit on the file size simulates a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        message = write_error(old_file, bytes(1 << 18))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "the file cannot be written: File too large" in message
    assert old_file.read_bytes() == b"old"
    assert os.listdir(old_file.parent) == ["old"]


def test_interrupted_write_leaves_the_old_file(old_file):
    def write_half() -> None:
        with atomic_write(old_file) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert old_file.read_bytes() == b"old"
    assert os.listdir(old_file.parent) == ["old"]


def test_scores_are_written_and_read_back(tmp_path):
    scores = np.linspace(0, 1, NUMBER_BLOCK_LINES + 3)
    write_scores(tmp_path / "x.hter", scores)
    assert (tmp_path / "x.hter").read_bytes().startswith(b"0.000000\n0.000015\n")
    assert read_scores(tmp_path / "x.hter").single == pytest.approx(scores, abs=5e-7)
    write_scores(tmp_path / "none", np.zeros(0))
    assert (tmp_path / "none").read_bytes() == b""


@pytest.fixture
def labelled_file(old_file) -> Path:
    if not hasattr(os, "setxattr"):
        pytest.skip("no extended attributes here")
    try:
        os.setxattr(old_file, "user.label", b"urgent")
    except OSError:
        pytest.skip("no extended attributes in this file system")
    return old_file


def test_extended_attributes_are_kept(labelled_file):
    write_bytes(labelled_file, b"new")
    assert labelled_file.read_bytes() == b"new"
    assert os.getxattr(labelled_file, "user.label") == b"urgent"


def test_write_succeeds_if_attributes_cannot_be_copied(labelled_file, monkeypatch):
    def refuse(*values: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(os, "setxattr", refuse)
    write_bytes(labelled_file, b"new")
    assert labelled_file.read_bytes() == b"new"


@posix
def test_unfinished_files_of_a_killed_process_are_removed(tmp_path):
    program = f"""
import sys
from pathlib import Path
from qe_desktop.formats.atomic_write import atomic_write
with atomic_write(Path({str(tmp_path / "x")!r})) as file:
    file.write(b"half")
    file.flush()
    print("begun", flush=True)
    sys.stdin.read()
"""
    running = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert running.stdin is not None
    assert running.stdout is not None
    foreign_file = tmp_path / ".qe-desktop-0123456789ab.tmp"
    foreign_file.write_bytes(b"of another program")
    try:
        assert running.stdout.readline() == b"begun\n"
        write_bytes(tmp_path / "y", b"new")
        assert len(list(tmp_path.glob(".qe-desktop-*.unfinished"))) == 1
        with atomic_write(tmp_path / "z") as file:
            file.write(b"mine")
            write_bytes(tmp_path / "y", b"newer")
        assert (tmp_path / "z").read_bytes() == b"mine"
    finally:
        running.kill()
        running.wait()
        running.stdin.close()
        running.stdout.close()
    assert len(list(tmp_path.glob(".qe-desktop-*.unfinished"))) == 1
    write_bytes(tmp_path / "y", b"newest")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([foreign_file.name, "y", "z"])


TEMPORARY = """
import sys
from pathlib import Path
from qe_desktop.formats.atomic_write import unfinished_database, unfinished_folder
with unfinished_database(Path(sys.argv[1])) as path, unfinished_folder() as folder:
    for name in (path, f"{path}-wal", f"{path}-journal", folder / "mt.txt"):
        open(name, "w").close()
    print("begun", flush=True)
    sys.stdin.read()
"""


@posix
def test_unfinished_databases_and_folders_of_a_killed_process_are_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    running = subprocess.Popen(
        [sys.executable, "-c", TEMPORARY, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert running.stdin is not None
    assert running.stdout is not None
    with running.stdin, running.stdout:
        try:
            assert running.stdout.readline() == b"begun\n"
            with unfinished_database(tmp_path), unfinished_folder() as folder:
                assert stat.S_IMODE(folder.stat().st_mode) == 0o700
                # other process: two locks, three database files, a folder with a file; this one: two locks, a folder
                assert len([*tmp_path.rglob("*")]) == 7 + 3
            assert len([*tmp_path.rglob("*")]) == 7
        finally:
            running.kill()
            running.wait()
    with unfinished_database(tmp_path) as path:
        assert [remaining.name for remaining in tmp_path.iterdir()] == [path.name.removesuffix(".db")]
    assert list(tmp_path.iterdir()) == []
