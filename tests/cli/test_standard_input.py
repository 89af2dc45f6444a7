"""`-` stands for standard input, which is read like a file, only once, and never from a terminal or device."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys

import pytest

from qe_desktop.formats import Role, plan_imports, text_files
from qe_desktop.formats.text_files import STANDARD_INPUT, read_standard_input
from tests.cli.test_main import FAIR, GOLD, GOOD
from tests.command_line import error_line, run_command

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
def pipe_data(monkeypatch):
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
def test_piped_input_gives_the_results_of_its_file(folder, pipe_data, capsys, command, packed):
    word = next(word for word in command.split() if "FILE:" in word)
    file = word.partition("FILE:")[2]
    expected = run_command(capsys, *command.replace("FILE:", "").split(), "--json")
    data = (folder / file).read_bytes()
    pipe_data(gzip.compress(data) if packed else data)
    result = run_command(capsys, *command.replace(f"FILE:{file}", "-").split(), "--json")
    assert result == expected
    assert expected[0] == 0


@pytest.mark.process
@pytest.mark.parametrize("command", [COMMANDS[0], COMMANDS[4], COMMANDS[6], "info FILE:good.tags"])
def test_input_from_a_real_pipe(folder, command):
    file = next(word for word in command.split() if "FILE:" in word).partition("FILE:")[2]
    arguments = [*command.replace(f"FILE:{file}", "-").split(), "--json"]
    with subprocess.Popen(["cat", file], stdout=subprocess.PIPE) as source:
        process = subprocess.run(
            [sys.executable, "-m", "qe_desktop", *arguments], stdin=source.stdout, capture_output=True, text=True
        )
    assert (process.returncode, process.stderr) == (0, "")
    assert json.loads(process.stdout)


def test_piped_system_without_a_name_is_called_stdin(folder, pipe_data, capsys):
    pipe_data(GOOD.encode())
    code, out, _ = run_command(capsys, "score", "words", "--gold", "gold.tags", "--system", "fair.tags", "-", "--json")
    assert code == 0
    assert list(json.loads(out)["systems"]) == ["fair", "stdin"]
    pipe_data(NUMBERS.encode())
    code, out, _ = run_command(capsys, "score", "sentences", "--gold", "-", "--system", "a.scores", "--json")
    assert "gold:stdin" in json.loads(out)["signature"]


def test_info_describes_piped_input(folder, pipe_data, capsys, monkeypatch):
    pipe_data(gzip.compress(GOOD.encode()))
    code, out, err = run_command(capsys, "info", "-", "gold.tags", "--json")
    assert (code, err) == (0, "")
    files = {file["file"]: file for corpus in json.loads(out)["corpora"] for file in corpus["files"]}
    assert files["-"]["description"] == "tags, 3 lines, 9 tags, 33.3 % BAD"
    assert set(files) == {"-", "gold.tags"}
    inner = folder / "en-de"
    inner.mkdir()
    monkeypatch.chdir(inner)
    pipe_data(GOOD.encode())
    alone = json.loads(run_command(capsys, "info", "-", "--json")[1])["corpora"][0]
    assert (alone["name"], alone["language-pair"]) == ("stdin", "")
    pipe_data(b"OK \0")
    assert "error: -: the encoding looks like UTF-16" in error_line(capsys, "info", "-")


def test_errors_state_the_line_of_piped_input(folder, pipe_data, capsys):
    pipe_data(b"OK OK BAD\nBAD XX\nOK OK OK OK\n")
    assert 'error: -:2: "XX" is not OK or BAD' in error_line(
        capsys, "score", "words", "--gold", "-", "--system", "good.tags"
    )
    pipe_data(b"OK OK BAD\nBAD\nOK OK OK OK\n")
    assert "-:2: 1 tag" in error_line(capsys, "score", "words", "--gold", "gold.tags", "--system", "a=-")
    pipe_data(b"")
    assert "error: -: the file is empty" in error_line(capsys, "info", "-")
    pipe_data(gzip.compress(GOOD.encode())[:-9])
    assert "-: the gzip file is damaged" in error_line(capsys, "info", "-")
    pipe_data(gzip.compress(bytes(1 << 25)))
    assert "-: the gzip file of" in error_line(capsys, "info", "-")


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
def test_standard_input_cannot_be_named_twice(folder, pipe_data, capsys, command):
    pipe_data(GOLD.encode())
    error = error_line(capsys, *command.split())
    assert (
        "-: standard input is specified 2 times, but can be read only once. Use files for all inputs except one."
        in error
    )
    assert sys.stdin.buffer.tell() == 0


def test_file_named_hyphen_is_read_as_a_file(folder, pipe_data, capsys):
    """A `-` in a folder, or after the path of a folder, is an ordinary file."""
    (folder / "systems").mkdir()
    for path in (folder / "-", folder / "systems/-", folder / "x=-"):
        path.write_text(GOOD)
    pipe_data(b"nothing of the sort")
    for system in ("./-", "systems", "x=-"):
        code, out, _ = run_command(capsys, "score", "words", "--gold", "gold.tags", "--system", system, "--json")
        assert code == 0
        assert next(iter(json.loads(out)["systems"].values()))["accuracy"] == pytest.approx(8 / 9)
    assert sys.stdin.buffer.tell() == 0


@pytest.mark.parametrize("command", ["convert - out.tags", "ratings report -"])
def test_convert_and_ratings_do_not_read_standard_input(folder, pipe_data, capsys, command):
    pipe_data(GOLD.encode())
    assert "-: file not found" in error_line(capsys, *command.split())


# --- no input, or input without an end


@pytest.mark.process
def test_terminal_as_standard_input_is_refused(folder):
    pty = pytest.importorskip("pty")
    main_fd, terminal_fd = pty.openpty()
    try:
        process = subprocess.run(
            [sys.executable, "-m", "qe_desktop", "score", "words", "--gold", "-", "--system", "good.tags"],
            stdin=terminal_fd, capture_output=True, text=True,
        )  # fmt: skip
    finally:
        os.close(main_fd)
        os.close(terminal_fd)
    assert process.returncode == 2
    assert process.stderr == (
        "qe-desktop: error: -: standard input is the keyboard, not a file or pipe. Specify a file, or"
        " redirect one to standard input: qe-desktop … < FILE.\n"
    )


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero"])
def test_device_as_standard_input_is_refused(folder, monkeypatch, capsys, device):
    with open(device) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert "standard input is a device" in error_line(capsys, "info", "-")


def test_missing_or_closed_standard_input_is_refused(folder, monkeypatch, capsys, pipe_data):
    monkeypatch.setattr(sys, "stdin", None)
    assert "there is no standard input" in error_line(capsys, "info", "-")
    pipe_data(b"OK\n")
    sys.stdin.close()
    assert "there is no standard input" in error_line(capsys, "info", "-")


def test_redirected_file_is_read(folder, monkeypatch, capsys):
    with open("good.tags") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert run_command(capsys, "info", "-")[0] == 0


def test_broken_pipe_is_an_error(folder, monkeypatch, capsys):
    class Broken(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    assert "-: the file cannot be read: Input/output error" in error_line(capsys, "info", "-")


class Endless(io.RawIOBase):
    """A stream that never ends."""

    bytes_read = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        self.bytes_read += len(buffer)
        buffer[:] = b"O" * len(buffer)
        return len(buffer)


def test_endless_input_is_refused_at_the_maximum_file_size(folder, monkeypatch, capsys):
    endless, max_bytes = Endless(), 3 * text_files.READ_BLOCK_BYTES
    monkeypatch.setattr(text_files, "MAX_FILE_BYTES", max_bytes)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(endless)))
    assert f"-: standard input has more than {max_bytes:,} bytes" in error_line(capsys, "info", "-")
    assert endless.bytes_read <= max_bytes + 2 * text_files.READ_BLOCK_BYTES


def test_callback_can_stop_the_reading(pipe_data):
    pipe_data(b"x" * 100)

    class Stopped(Exception):
        pass

    def stop():
        raise Stopped

    with pytest.raises(Stopped):
        read_standard_input(stop)
    assert str(STANDARD_INPUT) == "-"


@pytest.mark.parametrize("folder_name", ["references", "outputs", "metrics"])
def test_role_of_piped_data_does_not_depend_on_the_working_folder(tmp_path, monkeypatch, pipe_data, folder_name):
    (tmp_path / folder_name).mkdir()
    monkeypatch.chdir(tmp_path / folder_name)
    for data, role in ((b"a b\n", Role.IGNORED), (b"0.5\n", Role.SYSTEM)):
        pipe_data(data)
        (plan,) = plan_imports([STANDARD_INPUT])
        assert [file.role for file in plan.files] == [role]
