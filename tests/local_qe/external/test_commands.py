"""External QE commands, run as real processes: input, valid and invalid results, failures and termination."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, QeError, TextColumn, TextRole
from qe_desktop.local_qe.external import process
from qe_desktop.local_qe.external.command import QeCommand, extract_qe_values, parse_commands
from qe_desktop.local_qe.external.command_runner import run_command
from tests.small_corpora import tags
from tests.timeouts import wait_until

pytestmark = pytest.mark.process

MADE = Corpus(
    "made",
    2,
    {
        TextRole.SOURCE: TextColumn.of(["a b .", "c"]),
        TextRole.MT: TextColumn.of(["Er sagt ja .", "nein"]),
        TextRole.RAW_SOURCE: TextColumn.of(["a b.", "c"]),
        TextRole.RAW_MT: TextColumn.of([" Er sagt\u2028ja.", "anderes"]),
    },
)
TOKENS = Corpus("tokens", 2, {TextRole.MT: MADE.texts[TextRole.MT]})


@pytest.fixture
def system(tmp_path: Path):
    """Function that makes a command from Python code, in which `source`, `mt` and `out` are names of files."""

    def made(code: str, name: str = "mine", places: str = "{source} {mt} {out}", minutes: float = 5.0) -> QeCommand:
        path = tmp_path / "a system.py"
        head = "import os, sys, time\nsource, mt, out = (sys.argv + [''] * 3)[1:4]\n"
        path.write_text(head + textwrap.dedent(code), encoding="utf-8")
        return QeCommand(name, f"'{sys.executable}' '{path}' {places}", minutes)

    return made


def single(layers):
    (layer,) = layers
    return layer


def writing(text: str) -> str:
    return f"open(out, 'w', encoding='utf-8').write({text!r})"


def test_a_command_reads_raw_texts_and_its_tags_become_a_system_layer(system, tmp_path):
    input_copy = tmp_path / "seen"
    code = f"open({str(input_copy)!r}, 'wb').write(open(source, 'rb').read() + b'|' + open(mt, 'rb').read())\n"
    layer = single(run_command(system(code + writing("OK OK BAD OK\nBAD\n")), MADE))
    assert layer.key == LayerKey(Provenance.SYSTEM, "mine", Kind.WORDS)
    assert layer.tags == tags("oobo", "b")
    assert layer.origin == "mine"
    # the second raw MT does not match its tokens, so the tokens are passed instead
    assert input_copy.read_bytes().decode() == "a b.\nc\n| Er sagt ja.\nnein\n"
    assert "1 segment" in layer.notes[0]


def test_values_of_space_separated_words_are_mapped_to_tokens(system):
    layer = single(run_command(system(writing("OK OK BAD\nOK\n")), MADE))
    assert layer.tags == tags("oobb", "o")
    layer = single(run_command(system(writing(".1 .2 .9\n.3\n")), MADE))
    assert layer.key.kind is Kind.PROBABILITIES
    assert layer.numbers.values.tolist() == pytest.approx([0.1, 0.2, 0.9, 0.9, 0.3])


def test_a_command_can_request_tokens(system):
    code = "assert open(source).read() == 'Er sagt ja .\\nnein\\n', 'other tokens'\nout = mt\n"
    command = system(code + writing("1 0 0 0\n1\n"), places="{mt_tokens} {out}")
    layer = single(run_command(command, MADE))
    assert (layer.key.kind, layer.numbers.values.tolist()) == (Kind.PROBABILITIES, [1, 0, 0, 0, 1])
    assert "passed as tokens" in layer.notes[0]


def test_one_number_per_line_is_a_score(system):
    layer = single(run_command(system(writing("0.25\n-1\n")), MADE))
    assert layer.key.kind is Kind.SCORES
    assert layer.scores.tolist() == [0.25, -1]


def writing_comet_json(*rows: dict) -> str:
    return writing(json.dumps({"/tmp/mt.txt": rows}))


def span(start: int, end: int, severity: str = "major") -> dict:
    return {"text": "", "confidence": 0.5, "severity": severity, "start": start, "end": end}


def test_json_of_comet_score_becomes_tags_and_scores(system):
    """Offsets start at the first character that is not a space, spans include a leading space, empty spans are gaps."""
    rows = (
        {"src": "a b.", "mt": "Er sagt ja.", "COMET": 0.75, "errors": [span(2, 7), span(11, 11, "critical")]},
        {"src": "c", "mt": "nein", "COMET": 0.5, "errors": []},
    )
    words, gaps, scores = run_command(system(writing_comet_json(*rows)), MADE)
    assert (words.tags, gaps.tags, scores.scores.tolist()) == (tags("oboo", "o"), tags("oooob", "oo"), [0.75, 0.5])
    assert words.reasons.at(0, 1) == ["major error, confidence 0.50"]
    layer = single(run_command(system(writing_comet_json(*({"mt": row["mt"], "COMET": 1} for row in rows))), MADE))
    assert (layer.key.kind, layer.scores.tolist()) == (Kind.SCORES, [1, 1])


GOOD = {"mt": "nein", "COMET": 1.0}


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (writing("OK OK\n"), "1 line, but the MT has 2"),
        (writing("OK OK\nOK\n"), "line 1 has 2 tags, but the MT has 4 tokens"),
        (writing("0.5\n"), "1 line, but the corpus has 2"),
        (writing("OK OK OK OK\nPERHAPS OK OK OK\n"), '"PERHAPS" is not OK or BAD'),
        (writing("[]"), "0 segments, but the MT has 2"),
        (writing('{"a": '), "the JSON is invalid or incomplete"),
        (writing('{"a": [], "b": []}'), "not the JSON of comet-score"),
        (writing('{"a": [1, 2]}'), "not the JSON of comet-score"),
        (writing_comet_json({"mt": "other"}, GOOD), "the MT of segment 1 is not that of the input"),
        (
            writing_comet_json({"mt": "Er sagt ja.", "errors": [span(3, 99)]}, GOOD),
            "the error from 3 to 99 is not inside the MT",
        ),
        (
            writing_comet_json({"mt": "Er sagt ja.", "errors": [{"start": "1"}]}, GOOD),
            "the error from 1 to None is not inside",
        ),
        (writing_comet_json({"mt": "Er sagt ja.", "errors": 3}, GOOD), "“errors” is not a list"),
        (writing(""), "ended with an empty result"),
        ("", "ended without a result"),
        ("sys.exit('the model is not there\\n')", "mine failed (exit status: 1): the model is not there"),
        ("os.kill(os.getpid(), 9)", "mine failed (exit status: signal 9)"),
        ("open(out, 'wb').write(b'\\xff\\xfe\\x00')", "result of mine"),
        ("open(out, 'w').write('1 ' * 2_000_000)", "mine: the line is too long: it has 4,000,000 bytes"),
    ],
)
def test_invalid_results_and_failures_are_reported_with_a_hint(system, result, message):
    with pytest.raises(QeError) as refused:
        run_command(system(result), MADE)
    assert message in refused.value.line()
    assert refused.value.hint


def test_a_result_without_any_score_is_rejected(system):
    with pytest.raises(QeError, match="the result of mine is empty"):
        run_command(system(writing_comet_json({"mt": "Er sagt ja.", "COMET": float("nan")}, {"mt": "nein"})), MADE)


def test_reported_error_output_is_plain_text_and_limited(system):
    code = """
    for line in range(5000):
        print("line", line, "x" * 500, file=sys.stderr)
    print("10%\\r20%\\r\\x1b[31mno <b>room\\x1b[0m\\x07", file=sys.stderr)
    sys.exit(3)
    """
    with pytest.raises(QeError) as refused:
        run_command(system(code), MADE)
    error = refused.value
    assert error.message == "mine failed (exit status: 3): no <b>room\\x07"
    assert len(error.faults) == 10
    assert all(len(fault.message) <= 400 for fault in error.faults)


def test_a_missing_program_is_reported():
    with pytest.raises(QeError, match="cannot be started"):
        run_command(QeCommand("mine", "/nowhere/at/all {mt} {out}"), MADE)


def test_no_shell_interprets_the_command_and_quoted_words_stay_whole(system, tmp_path):
    made = tmp_path / "made"
    code = "assert sys.argv[4:] == ['$HOME', ';', 'touch', sys.argv[7], '&&', 'a b', '{other}'], sys.argv\n"
    command = system(code + writing("1\n2\n"))
    command = QeCommand("mine", f"{command.line} $HOME ; touch {made} && 'a b' {{other}}")
    assert single(run_command(command, MADE)).scores.tolist() == [1, 2]
    assert not made.exists()


def test_a_command_runs_in_an_empty_folder_that_is_removed_afterwards(system, tmp_path):
    folder_name = tmp_path / "seen"
    code = f"assert os.listdir() == []; open('junk', 'w').close()\nopen({str(folder_name)!r}, 'w').write(os.getcwd())\n"
    run_command(system(code + writing("1\n2\n")), MADE)
    assert not Path(folder_name.read_text()).exists()


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_files_left_by_a_killed_program_are_removed_by_the_next_run(system, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    command = system("print('1/4', file=sys.stderr)\nsys.stderr.flush()\ntime.sleep(600)")
    program = f"""
import os, signal
from qe_desktop.local_qe.external.command_runner import run_command
from tests.local_qe.external.test_commands import MADE, QeCommand
def follow(share, text):
    if share:
        os.kill(os.getpid(), signal.SIGKILL)
run_command({command!r}, MADE, follow)
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3], check=False).returncode < 0
    assert list(temporary.rglob("mt.txt"))
    run_command(system(writing("1\n2\n")), MADE)
    assert list(temporary.iterdir()) == []


def test_file_names_are_relative_to_the_folder_of_the_command(tmp_path):
    (tmp_path / "qe.py").write_text("import sys; open(sys.argv[2], 'w').write('1\\n2\\n')")
    command = QeCommand("mine", f"'{sys.executable}' qe.py {{mt}} {{out}}", folder=str(tmp_path))
    assert single(run_command(command, MADE)).scores.tolist() == [1, 2]


def are_gone(pids: Path, first: int = 0) -> None:
    """Wait until the processes whose ids are in a file have ended, which takes a moment after a kill."""
    for pid in pids.read_text().split()[first:]:
        wait_until(lambda pid=pid: is_gone(int(pid)), "a process outlived the command")


def is_gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


CHILD = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(PIDS, "w").write(f"{os.getpid()} {child.pid}")
print("1/4", file=sys.stderr)
time.sleep(600)
"""


class StopError(Exception):
    pass


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
@pytest.mark.parametrize("ignores", [False, True])
def test_stopping_ends_a_command_and_its_child_processes(system, tmp_path, ignores, monkeypatch):
    monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.5)
    pids = tmp_path / "pids"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if ignores else ""
    progress: list[tuple[float, str]] = []

    def follow(share: float, text: str) -> None:
        progress.append((share, text))
        if share:
            raise StopError

    with pytest.raises(StopError):
        run_command(system(code + CHILD.replace("PIDS", repr(str(pids)))), MADE, follow)
    assert progress[-1] == (0.25, "1 of 4")
    are_gone(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_a_command_ends_if_this_program_is_killed(system, tmp_path):
    """Its child processes end, too, even if they ignore SIGTERM."""
    pids = tmp_path / "pids"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    system(code + CHILD.replace("PIDS", repr(str(pids))))
    kill_while_it_runs(tmp_path, pids)
    are_gone(pids)


def kill_while_it_runs(tmp_path: Path, pids: Path) -> None:
    """Run the system in a process that is killed once the ids of two processes are in a file."""
    out = tmp_path / "out"
    ours = (
        "from pathlib import Path\nfrom qe_desktop.local_qe.external.process import run_process\n"
        f"run_process([{sys.executable!r}, {str(tmp_path / 'a system.py')!r}], Path({str(tmp_path)!r}), "
        f"Path({str(out)!r}), 0, 600, lambda share, text: None)\n"
    )
    window = subprocess.Popen([sys.executable, "-c", ours])
    try:
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
    finally:
        window.kill()
        window.wait()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_a_command_ends_if_this_program_is_killed_while_it_starts_it(system, tmp_path):
    pids = tmp_path / "pids"
    system(CHILD.replace("PIDS", repr(str(pids))))
    ours = f"""
import os, signal, subprocess
from pathlib import Path
from qe_desktop.local_qe.external.process import run_process
from tests.timeouts import wait_until

start, pids = subprocess.Popen, Path({str(pids)!r})
def start_and_die(arguments, **options):
    started = start(arguments, **options)
    if arguments[0] == {sys.executable!r}:
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
        os.kill(os.getpid(), signal.SIGKILL)
    return started

subprocess.Popen = start_and_die
command = [{sys.executable!r}, {str(tmp_path / "a system.py")!r}]
run_process(command, Path({str(tmp_path)!r}), Path({str(tmp_path / "out")!r}), 0, 600, lambda share, text: None)
"""
    assert subprocess.run([sys.executable, "-c", ours], cwd=Path(__file__).parents[3], check=False).returncode < 0
    are_gone(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_the_time_limit_ends_a_command(system, tmp_path):
    pids = tmp_path / "pids"
    command = system(CHILD.replace("PIDS", repr(str(pids))), minutes=3 / 60)
    with pytest.raises(QeError, match=r"mine: stopped after the time limit of 0\.05 minutes") as error:
        run_command(command, MADE)
    assert "in Preferences" in error.value.hint
    assert "--minutes" in error.value.command_hint
    if pids.exists():
        are_gone(pids)


def test_a_command_that_writes_too_much_is_stopped(system, monkeypatch):
    monkeypatch.setattr(process, "MAX_OUTPUT_BYTES", 1000)
    code = writing("1\n" * 1000) + "\ntime.sleep(600)\n"
    with pytest.raises(QeError, match="mine: stopped because it wrote more than 1,000 bytes") as error:
        run_command(system(code), MADE)
    assert "one line per segment" in error.value.hint
    assert "time limit" not in error.value.hint


@pytest.mark.skipif(os.name == "nt", reason="groups of processes of POSIX")
def test_processes_that_outlive_a_command_are_ended(system, tmp_path):
    pids = tmp_path / "pids"
    code = CHILD.replace("PIDS", repr(str(pids))).replace("time.sleep(600)\n", writing("1\n2\n") + "\n", 2)
    code = code.replace("import time; " + writing("1\n2\n"), "import time; time.sleep(600)")
    assert single(run_command(system(code), MADE)).scores.tolist() == [1, 2]
    are_gone(pids, first=1)


SESSION = """
import subprocess
ready, write = os.pipe()
code = (
    "import os, time; os.fork() and os._exit(0); os.setsid(); "
    "open(PIDS, 'a').write(f'{os.getpid()} '); os.write(1, b'x'); time.sleep(600)"
)
child = subprocess.Popen([sys.executable, "-c", code], stdout=write, start_new_session=True)
os.read(ready, 1)
open(PIDS, "a").write(str(os.getpid()))
print("1/4", file=sys.stderr)
"""
"""Code that starts a process in a separate session, whose parent has ended."""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="asks /proc who runs")
@pytest.mark.parametrize("end", ["stopped", "late", "done", "killed"])
def test_descendants_in_separate_sessions_are_ended(system, tmp_path, end, monkeypatch):
    monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.5)
    pids = tmp_path / "pids"
    code = SESSION.replace("PIDS", repr(str(pids)))

    def follow(share: float, text: str) -> None:
        if share and end == "stopped":
            raise StopError

    if end == "done":
        assert single(run_command(system(code + writing("1\n2\n")), MADE)).scores.tolist() == [1, 2]
    elif end == "stopped":
        with pytest.raises(StopError):
            run_command(system(code + "time.sleep(600)\n"), MADE, follow)
    elif end == "late":
        with pytest.raises(QeError, match="stopped after the time limit"):
            run_command(system(code + "time.sleep(600)\n", minutes=4 / 60), MADE)
    else:
        system(code + "time.sleep(600)\n")
        kill_while_it_runs(tmp_path, pids)
    # under load, the time limit may end before a process is started
    if end != "late" or pids.exists():
        are_gone(pids)


PIPES = [
    "os.mkfifo(out)",
    "os.mkfifo(out + '2'); os.symlink(out + '2', out)",
    "os.symlink('/dev/zero', out)",
    "os.mkdir(out)",
]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
@pytest.mark.parametrize("code", PIPES)
def test_a_result_that_is_not_an_ordinary_file_is_rejected(system, code):
    with pytest.raises(QeError, match="mine did not write its result to an ordinary file"):
        run_command(system(code), MADE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
def test_counting_lines_does_not_block_on_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "out")
    assert process._LineCounter(tmp_path / "out").count() == 0


def test_progress_is_the_number_of_lines_written(system):
    code = """
    with open(out, "w") as file:
        file.write("1\\n"); file.flush()
        while not os.path.exists(os.path.join(os.path.dirname(out), "go")): time.sleep(0.01)
        file.write("2\\n")
    """
    command = system(code)
    progress = []

    def follow(share: float, text: str) -> None:
        progress.append((share, text))
        if share:
            folder = next(Path(process.__file__ and name) for name in folders)
            (folder / "go").touch()

    folders = []
    real = process.run_process

    def watched(arguments, folder, out, lines, seconds, follow):
        folders.append(out.parent)
        return real(arguments, folder, out, lines, seconds, follow)

    from qe_desktop.local_qe.external import command_runner

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command_runner, "run_process", watched)
        assert single(run_command(command, MADE, follow)).scores.tolist() == [1, 2]
    assert (0.5, "1 line written") in progress


def test_tags_of_eos_are_added_read_or_dropped(system):
    corpus = Corpus("eos", 2, {TextRole.MT: MADE.texts[TextRole.MT]}, eos=True)
    command = system(writing("OK OK BAD OK\nBAD\n"), places="{mt} {out}")
    command = QeCommand("mine", command.line.replace("{mt} {out}", "none {mt} {out}"))
    assert single(run_command(command, corpus)).tags == tags("ooboo", "bo")
    more = QeCommand("mine", system(writing("OK OK BAD OK BAD\nBAD OK\n")).line.replace("{source}", "none"))
    assert single(run_command(more, corpus)).tags == tags("oobob", "bo")
    dropped = single(run_command(more, TOKENS))
    assert dropped.tags == tags("oobo", "b")
    assert "dropped" in dropped.notes[-1]


def test_a_missing_source_is_reported():
    with pytest.raises(QeError, match="needs the source"):
        run_command(QeCommand("mine", "x {source} {mt} {out}"), TOKENS)


@pytest.mark.parametrize(
    ("line", "message"),
    [("", "empty"), ("x 'y", "quotation"), ("x {mt}", "no place"), ("x {out}", "no place"), ("{mt} '", "quotation")],
)
def test_invalid_commands_are_rejected(line, message):
    with pytest.raises(QeError, match=message):
        QeCommand("mine", line)


def test_invalid_names_and_time_limits_are_rejected():
    for name, minutes in (("", 1), (" ", 1), ("a\nb", 1), ("x" * 61, 1), ("a", 0), ("a", float("nan")), ("a", 1e9)):
        with pytest.raises(QeError):
            QeCommand(name, "x {mt} {out}", minutes)


def test_qe_options_of_the_command_line_are_parsed():
    values, rest = extract_qe_values(["--qe", "a=x {mt} {out}", "path", "--qe=b=y {mt} {out}"])
    assert rest == ["path"]
    assert extract_qe_values(["--qe=a=x", "--", "--qe=b=y"]) == (["a=x"], ["--", "--qe=b=y"])
    assert [(command.name, command.line) for command in parse_commands(values)] == [
        ("a", "x {mt} {out}"),
        ("b", "y {mt} {out}"),
    ]
    for wrong in (["x {mt} {out}"], [values[0]] * 2):
        with pytest.raises(QeError):
            parse_commands(wrong)
    with pytest.raises(QeError):
        extract_qe_values(["a", "--qe"])


def test_numbers_must_be_probabilities_or_their_logarithms(system):
    with pytest.raises(QeError, match="is not a probability"):
        run_command(system(writing("1 2 3 4\n5\n")), MADE)
    assert np.isfinite(single(run_command(system(writing("-.1 -.2 -.3 -.4\n-5\n")), MADE)).numbers.values).all()


def test_reading_the_result_can_be_stopped(system):
    class Stopped(Exception):
        pass

    def follow(share: float, text: str) -> None:
        if text == "reading the result":
            raise Stopped

    with pytest.raises(Stopped):
        run_command(system(writing("OK OK OK OK\nOK\n")), MADE, follow)
