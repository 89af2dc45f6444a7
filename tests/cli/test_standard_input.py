"""`-` stands for what is piped into a command: read like a file, once, and never waited for where nothing can come."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys

import pytest

from qe_desktop.formats.io import text_files
from qe_desktop.formats.io.text_files import STANDARD_INPUT, read_standard_input
from tests.cli.test_main import FAIR, GOLD, GOOD
from tests.commands import refused, run

NUMBERS = "0.1\n0.5\n0.2\n0.9\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, content in {
        "gold.tags": GOLD, "good.tags": GOOD, "fair.tags": FAIR, "mt": "a b c\nd e\nf g h i\n", "docs": "x\nx\ny\n",
        "gold.hter": NUMBERS, "a.scores": "0.2\n0.4\n0.1\n0.6\n", "b.scores": "0.3\n0.1\n0.2\n0.4\n",
        "four.mt": "a\nb c\nd\ne f g\n",
        "table.tsv": "seg\tgold\ta\tb\n0\t.1\t.2\t.3\n1\t.5\t.4\t.1\n2\t.2\t.1\t.2\n3\t.9\t.6\t.4\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def piped(monkeypatch):
    def pipe(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return pipe


COMMANDS = [
    "score words --gold FILE:gold.tags --system good.tags fair.tags",
    "score words --gold gold.tags --system x=FILE:good.tags fair.tags",
    "score words --gold gold.tags --system good.tags --mt FILE:mt",
    "compare words --gold FILE:gold.tags --system good.tags fair.tags --metric MCC",
    "compare words --gold gold.tags --system good.tags x=FILE:fair.tags --metric MCC",
    "compare words --gold gold.tags --system good.tags fair.tags --unit document --documents FILE:docs",
    "score sentences --gold gold.hter --system x=FILE:a.scores",
    "compare sentences --gold gold.hter --system x=FILE:a.scores b.scores",
    "score sentences --gold FILE:table.tsv",
    "score sentences --gold gold.hter --system a.scores --per-token FILE:four.mt",
]


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_piped_in_gives_what_its_file_gives(folder, piped, capsys, command, packed):
    word = next(word for word in command.split() if "FILE:" in word)
    file = word.partition("FILE:")[2]
    expected = run(capsys, *command.replace("FILE:", "").split(), "--json")
    data = (folder / file).read_bytes()
    piped(gzip.compress(data) if packed else data)
    found = run(capsys, *command.replace(f"FILE:{file}", "-").split(), "--json")
    assert found == expected
    assert expected[0] == 0


@pytest.mark.process
@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[4], COMMANDS[6], "info FILE:good.tags"])
def test_a_real_pipe(folder, command):
    file = next(word for word in command.split() if "FILE:" in word).partition("FILE:")[2]
    arguments = [*command.replace(f"FILE:{file}", "-").split(), "--json"]
    with subprocess.Popen(["cat", file], stdout=subprocess.PIPE) as source:
        done = subprocess.run(
            [sys.executable, "-m", "qe_desktop", *arguments], stdin=source.stdout, capture_output=True, text=True
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)


def test_a_system_without_a_name_is_called_after_where_it_came_from(folder, piped, capsys):
    piped(GOOD.encode())
    code, out, _ = run(capsys, "score", "words", "--gold", "gold.tags", "--system", "fair.tags", "-", "--json")
    assert code == 0
    assert list(json.loads(out)["systems"]) == ["fair", "stdin"]
    piped(NUMBERS.encode())
    code, out, _ = run(capsys, "score", "sentences", "--gold", "-", "--system", "a.scores", "--json")
    assert "gold:stdin" in json.loads(out)["signature"]


def test_info_says_what_is_piped_in(folder, piped, capsys, monkeypatch):
    piped(gzip.compress(GOOD.encode()))
    code, out, err = run(capsys, "info", "-", "gold.tags", "--json")
    assert (code, err) == (0, "")
    files = {file["file"]: file for corpus in json.loads(out)["corpora"] for file in corpus["files"]}
    assert files["-"]["description"] == "tags, 3 lines, 9 tags, 33.3 % BAD"
    assert set(files) == {"-", "gold.tags"}
    inner = folder / "en-de"
    inner.mkdir()
    monkeypatch.chdir(inner)
    piped(GOOD.encode())
    alone = json.loads(run(capsys, "info", "-", "--json")[1])["corpora"][0]
    assert (alone["name"], alone["language-pair"]) == ("stdin", "")
    piped(b"OK \0")
    assert "error: -: the encoding looks like UTF-16" in refused(capsys, "info", "-")


def test_errors_name_the_place_in_what_was_piped_in(folder, piped, capsys):
    piped(b"OK OK BAD\nBAD XX\nOK OK OK OK\n")
    assert 'error: -:2: "XX" is not OK or BAD' in refused(
        capsys, "score", "words", "--gold", "-", "--system", "good.tags"
    )
    piped(b"OK OK BAD\nBAD\nOK OK OK OK\n")
    assert "-:2: 1 tag" in refused(capsys, "score", "words", "--gold", "gold.tags", "--system", "a=-")
    piped(b"")
    assert "error: -: the file is empty" in refused(capsys, "info", "-")
    piped(gzip.compress(GOOD.encode())[:-9])
    assert "-: the gzip file is damaged" in refused(capsys, "info", "-")
    piped(gzip.compress(bytes(1 << 25)))
    assert "-: the gzip file of" in refused(capsys, "info", "-")


@pytest.mark.parametrize(
    "command",
    [
        "score words --gold - --system -",
        "score words --gold - --system good.tags x=-",
        "score words --gold gold.tags --system - --mt -",
        "compare words --gold gold.tags --system x=- y=-",
        "compare words --gold - --system good.tags fair.tags --unit document --documents -",
        "compare sentences --gold - --system - b.scores",
        "info - -",
    ],
)
def test_standard_input_is_one_file(folder, piped, capsys, command):
    piped(GOLD.encode())
    error = refused(capsys, *command.split())
    assert "-: standard input is named 2 times, but can be read only once. Use files for the others." in error
    assert sys.stdin.buffer.tell() == 0


def test_a_file_of_that_name_is_a_file(folder, piped, capsys):
    """A folder may list one, and whoever means it writes its folder before it."""
    (folder / "systems").mkdir()
    for path in (folder / "-", folder / "systems/-", folder / "x=-"):
        path.write_text(GOOD)
    piped(b"nothing of the sort")
    for system in ("./-", "systems", "x=-"):
        code, out, _ = run(capsys, "score", "words", "--gold", "gold.tags", "--system", system, "--json")
        assert code == 0
        assert next(iter(json.loads(out)["systems"].values()))["accuracy"] == pytest.approx(8 / 9)
    assert sys.stdin.buffer.tell() == 0


@pytest.mark.parametrize("command", ["convert - out.tags", "ratings report -"])
def test_other_commands_know_no_standard_input(folder, piped, capsys, command):
    piped(GOLD.encode())
    assert "-: file not found" in refused(capsys, *command.split())


# --- where nothing can come from, or no end


@pytest.mark.process
def test_a_terminal_is_not_waited_for(folder):
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "qe_desktop", "score", "words", "--gold", "-", "--system", "good.tags"],
            stdin=theirs, capture_output=True, text=True,
        )  # fmt: skip
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 2
    assert done.stderr == (
        "qe-desktop: error: -: standard input is the keyboard; no file is piped into it. Specify a file, or"
        " pipe one into the program: qe-desktop … < FILE.\n"
    )


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_a_device_is_not_read(folder, monkeypatch, capsys, device):
    with open(device) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert "standard input is a device" in refused(capsys, "info", "-")


def test_no_standard_input_at_all(folder, monkeypatch, capsys, piped):
    monkeypatch.setattr(sys, "stdin", None)
    assert "there is no standard input" in refused(capsys, "info", "-")
    piped(b"OK\n")
    sys.stdin.close()
    assert "there is no standard input" in refused(capsys, "info", "-")


def test_a_file_as_standard_input(folder, monkeypatch, capsys):
    with open("good.tags") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert run(capsys, "info", "-")[0] == 0


def test_a_pipe_that_breaks(folder, monkeypatch, capsys):
    class Broken(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    assert "-: the file cannot be read: Input/output error" in refused(capsys, "info", "-")


class Endless(io.RawIOBase):
    """A program that never stops writing."""

    given = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        self.given += len(buffer)
        buffer[:] = b"O" * len(buffer)
        return len(buffer)


def test_what_never_ends_is_refused_at_the_size_of_the_largest_file(folder, monkeypatch, capsys):
    endless, most = Endless(), 3 * text_files.READ_BLOCK_BYTES
    monkeypatch.setattr(text_files, "MAX_FILE_BYTES", most)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(endless)))
    assert f"-: standard input has more than {most:,} bytes" in refused(capsys, "info", "-")
    assert endless.given <= most + 2 * text_files.READ_BLOCK_BYTES


def test_a_watch_ends_the_reading(piped):
    piped(b"x" * 100)

    class Stopped(Exception):
        pass

    def stop():
        raise Stopped

    with pytest.raises(Stopped):
        read_standard_input(stop)
    assert str(STANDARD_INPUT) == "-"
