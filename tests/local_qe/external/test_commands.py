"""QE systems of one's own, run for real: what they are given, what they may write, how they fail and how they end."""

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
from tests.building import tags
from tests.patience import wait_until

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
    """Makes a command of a Python program that has `source`, `mt` and `out` as names of files."""

    def made(code: str, name: str = "mine", places: str = "{source} {mt} {out}", minutes: float = 5.0) -> QeCommand:
        path = tmp_path / "a system.py"
        head = "import os, sys, time\nsource, mt, out = (sys.argv + [''] * 3)[1:4]\n"
        path.write_text(head + textwrap.dedent(code), encoding="utf-8")
        return QeCommand(name, f"'{sys.executable}' '{path}' {places}", minutes)

    return made


def only(layers):
    (layer,) = layers
    return layer


def writing(text: str) -> str:
    return f"open(out, 'w', encoding='utf-8').write({text!r})"


def test_it_reads_texts_as_written_and_its_tags_are_those_of_a_system(system, tmp_path):
    seen = tmp_path / "seen"
    code = f"open({str(seen)!r}, 'wb').write(open(source, 'rb').read() + b'|' + open(mt, 'rb').read())\n"
    layer = only(run_command(system(code + writing("OK OK BAD OK\nBAD\n")), MADE))
    assert layer.key == LayerKey(Provenance.SYSTEM, "mine", Kind.WORDS)
    assert layer.tags == tags("oobo", "b")
    assert layer.origin == "mine"
    # the second MT is another text than its tokens, so its tokens stand for it
    assert seen.read_bytes().decode() == "a b.\nc\n| Er sagt ja.\nnein\n"
    assert "1 segment" in layer.notes[0]


def test_tags_of_words_between_blanks_become_those_of_tokens(system):
    layer = only(run_command(system(writing("OK OK BAD\nOK\n")), MADE))
    assert layer.tags == tags("oobb", "o")
    layer = only(run_command(system(writing(".1 .2 .9\n.3\n")), MADE))
    assert layer.key.kind is Kind.PROBABILITIES
    assert layer.numbers.values.tolist() == pytest.approx([0.1, 0.2, 0.9, 0.9, 0.3])


def test_tokens_can_be_asked_for(system):
    code = "assert open(source).read() == 'Er sagt ja .\\nnein\\n', 'other tokens'\nout = mt\n"
    command = system(code + writing("1 0 0 0\n1\n"), places="{mt_tokens} {out}")
    layer = only(run_command(command, MADE))
    assert (layer.key.kind, layer.numbers.values.tolist()) == (Kind.PROBABILITIES, [1, 0, 0, 0, 1])
    assert "passed as tokens" in layer.notes[0]


def test_scores(system):
    layer = only(run_command(system(writing("0.25\n-1\n")), MADE))
    assert layer.key.kind is Kind.SCORES
    assert layer.scores.tolist() == [0.25, -1]


def comet(*rows: dict) -> str:
    return writing(json.dumps({"/tmp/mt.txt": rows}))


def span(start: int, end: int, severity: str = "major") -> dict:
    return {"text": "", "confidence": 0.5, "severity": severity, "start": start, "end": end}


def test_the_json_of_comet_score(system):
    """Places count from the first letter that is no blank, spans bring the blank before them, and a point is a gap."""
    rows = (
        {"src": "a b.", "mt": "Er sagt ja.", "COMET": 0.75, "errors": [span(2, 7), span(11, 11, "critical")]},
        {"src": "c", "mt": "nein", "COMET": 0.5, "errors": []},
    )
    words, gaps, scores = run_command(system(comet(*rows)), MADE)
    assert (words.tags, gaps.tags, scores.scores.tolist()) == (tags("oboo", "o"), tags("oooob", "oo"), [0.75, 0.5])
    assert words.reasons.at(0, 1) == ["major error, confidence 0.50"]
    layer = only(run_command(system(comet(*({"mt": row["mt"], "COMET": 1} for row in rows))), MADE))
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
        (writing('{"a": '), "the JSON is incomplete"),
        (writing('{"a": [], "b": []}'), "not the JSON of comet-score"),
        (writing('{"a": [1, 2]}'), "not the JSON of comet-score"),
        (comet({"mt": "other"}, GOOD), "the MT of segment 1 is not that of the input"),
        (comet({"mt": "Er sagt ja.", "errors": [span(3, 99)]}, GOOD), "the error from 3 to 99 is outside of the MT"),
        (comet({"mt": "Er sagt ja.", "errors": [{"start": "1"}]}, GOOD), "the error from 1 to None is outside"),
        (comet({"mt": "Er sagt ja.", "errors": 3}, GOOD), "“errors” is not a list"),
        (writing(""), "ended with an empty result"),
        ("", "ended without a result"),
        ("sys.exit('the model is not there\\n')", "mine failed (exit code 1): the model is not there"),
        ("os.kill(os.getpid(), 9)", "mine failed (exit code signal 9)"),
        ("open(out, 'wb').write(b'\\xff\\xfe\\x00')", "result of mine"),
        ("open(out, 'w').write('1 ' * 2_000_000)", "mine: the line has 4,000,000 bytes"),
    ],
)
def test_what_goes_wrong_is_said_with_what_was_expected(system, result, message):
    with pytest.raises(QeError) as refused:
        run_command(system(result), MADE)
    assert message in refused.value.line()
    assert refused.value.hint


def test_scores_that_are_none_say_nothing(system):
    with pytest.raises(QeError, match="the result of mine is empty"):
        run_command(system(comet({"mt": "Er sagt ja.", "COMET": float("nan")}, {"mt": "nein"})), MADE)


def test_its_last_words_are_plain_text_and_bounded(system):
    code = """
    for line in range(5000):
        print("line", line, "x" * 500, file=sys.stderr)
    print("10%\\r20%\\r\\x1b[31mno <b>room\\x1b[0m\\x07", file=sys.stderr)
    sys.exit(3)
    """
    with pytest.raises(QeError) as refused:
        run_command(system(code), MADE)
    error = refused.value
    assert error.message == "mine failed (exit code 3): no <b>room\\x07"
    assert len(error.faults) == 10
    assert all(len(fault.message) <= 400 for fault in error.faults)


def test_a_program_that_is_none_is_refused():
    with pytest.raises(QeError, match="cannot be started"):
        run_command(QeCommand("mine", "/nowhere/at/all {mt} {out}"), MADE)


def test_no_shell_reads_the_command_and_names_with_blanks_stay_whole(system, tmp_path):
    made = tmp_path / "made"
    code = "assert sys.argv[4:] == ['$HOME', ';', 'touch', sys.argv[7], '&&', 'a b', '{other}'], sys.argv\n"
    command = system(code + writing("1\n2\n"))
    command = QeCommand("mine", f"{command.line} $HOME ; touch {made} && 'a b' {{other}}")
    assert only(run_command(command, MADE)).scores.tolist() == [1, 2]
    assert not made.exists()


def test_it_runs_in_a_fresh_folder_that_is_gone_afterwards(system, tmp_path):
    seen = tmp_path / "seen"
    code = f"assert os.listdir() == []; open('junk', 'w').close()\nopen({str(seen)!r}, 'w').write(os.getcwd())\n"
    run_command(system(code + writing("1\n2\n")), MADE)
    assert not Path(seen.read_text()).exists()


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_the_texts_of_a_killed_program_are_removed_by_the_next_run(system, tmp_path, monkeypatch):
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


def test_a_file_is_looked_for_where_the_command_was_given(tmp_path):
    (tmp_path / "qe.py").write_text("import sys; open(sys.argv[2], 'w').write('1\\n2\\n')")
    command = QeCommand("mine", f"'{sys.executable}' qe.py {{mt}} {{out}}", folder=str(tmp_path))
    assert only(run_command(command, MADE)).scores.tolist() == [1, 2]


def are_gone(pids: Path, first: int = 0) -> None:
    """Wait until the processes whose numbers a file holds have ended; what is killed ends in a moment of its own."""
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
def test_stopping_ends_it_with_all_that_it_started(system, tmp_path, ignores, monkeypatch):
    monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.5)
    pids = tmp_path / "pids"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if ignores else ""
    told: list[tuple[float, str]] = []

    def follow(share: float, text: str) -> None:
        told.append((share, text))
        if share:
            raise StopError

    with pytest.raises(StopError):
        run_command(system(code + CHILD.replace("PIDS", repr(str(pids)))), MADE, follow)
    assert told[-1] == (0.25, "1 of 4")
    are_gone(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_it_ends_with_us_even_where_we_are_killed(system, tmp_path):
    """With what it started too, and also where it ignores what it is asked."""
    pids = tmp_path / "pids"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    system(code + CHILD.replace("PIDS", repr(str(pids))))
    kill_while_it_runs(tmp_path, pids)
    are_gone(pids)


def kill_while_it_runs(tmp_path: Path, pids: Path) -> None:
    """Run the system in a process that is killed once the numbers of two processes are in a file."""
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
def test_the_time_limit_ends_it(system, tmp_path):
    pids = tmp_path / "pids"
    command = system(CHILD.replace("PIDS", repr(str(pids))), minutes=3 / 60)
    with pytest.raises(QeError, match=r"mine: stopped after the time limit of 0\.05 minutes") as error:
        run_command(command, MADE)
    assert "in Preferences" in error.value.hint
    assert "--minutes" in error.value.command_hint
    if pids.exists():
        are_gone(pids)


def test_what_writes_too_much_is_ended_and_needs_no_more_time(system, monkeypatch):
    monkeypatch.setattr(process, "MAX_OUTPUT_BYTES", 1000)
    code = writing("1\n" * 1000) + "\ntime.sleep(600)\n"
    with pytest.raises(QeError, match="mine: stopped because it wrote more than 1,000 bytes") as error:
        run_command(system(code), MADE)
    assert "one line per segment" in error.value.hint
    assert "time limit" not in error.value.hint


@pytest.mark.skipif(os.name == "nt", reason="groups of processes of POSIX")
def test_what_outlives_it_is_ended_too(system, tmp_path):
    pids = tmp_path / "pids"
    code = CHILD.replace("PIDS", repr(str(pids))).replace("time.sleep(600)\n", writing("1\n2\n") + "\n", 2)
    code = code.replace("import time; " + writing("1\n2\n"), "import time; time.sleep(600)")
    assert only(run_command(system(code), MADE)).scores.tolist() == [1, 2]
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
"""Starts a process in a session of its own, whose parent has ended."""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="asks /proc who runs")
@pytest.mark.parametrize("end", ["stopped", "late", "done", "killed"])
def test_descendants_in_sessions_of_their_own_end_too(system, tmp_path, end, monkeypatch):
    monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.5)
    pids = tmp_path / "pids"
    code = SESSION.replace("PIDS", repr(str(pids)))

    def follow(share: float, text: str) -> None:
        if share and end == "stopped":
            raise StopError

    if end == "done":
        assert only(run_command(system(code + writing("1\n2\n")), MADE)).scores.tolist() == [1, 2]
    elif end == "stopped":
        with pytest.raises(StopError):
            run_command(system(code + "time.sleep(600)\n"), MADE, follow)
    elif end == "late":
        with pytest.raises(QeError, match="stopped after the time limit"):
            run_command(system(code + "time.sleep(600)\n", minutes=4 / 60), MADE)
    else:
        system(code + "time.sleep(600)\n")
        kill_while_it_runs(tmp_path, pids)
    # under load the limit may be over before anything was started
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
def test_a_result_that_is_no_ordinary_file_is_refused(system, code):
    with pytest.raises(QeError, match="mine did not write its result to an ordinary file"):
        run_command(system(code), MADE)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
def test_progress_waits_for_no_pipe(tmp_path):
    os.mkfifo(tmp_path / "out")
    assert process._LineCounter(tmp_path / "out").count() == 0


def test_progress_is_told_by_the_lines_that_are_written(system):
    code = """
    with open(out, "w") as file:
        file.write("1\\n"); file.flush()
        while not os.path.exists(os.path.join(os.path.dirname(out), "go")): time.sleep(0.01)
        file.write("2\\n")
    """
    command = system(code)
    told = []

    def follow(share: float, text: str) -> None:
        told.append((share, text))
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
        assert only(run_command(command, MADE, follow)).scores.tolist() == [1, 2]
    assert (0.5, "1 line written") in told


def test_the_tags_of_a_corpus_with_eos(system):
    corpus = Corpus("eos", 2, {TextRole.MT: MADE.texts[TextRole.MT]}, eos=True)
    command = system(writing("OK OK BAD OK\nBAD\n"), places="{mt} {out}")
    command = QeCommand("mine", command.line.replace("{mt} {out}", "none {mt} {out}"))
    assert only(run_command(command, corpus)).tags == tags("ooboo", "bo")
    more = QeCommand("mine", system(writing("OK OK BAD OK BAD\nBAD OK\n")).line.replace("{source}", "none"))
    assert only(run_command(more, corpus)).tags == tags("oobob", "bo")
    dropped = only(run_command(more, TOKENS))
    assert dropped.tags == tags("oobo", "b")
    assert "dropped" in dropped.notes[-1]


def test_a_source_that_is_not_there_is_said():
    with pytest.raises(QeError, match="needs the source"):
        run_command(QeCommand("mine", "x {source} {mt} {out}"), TOKENS)


@pytest.mark.parametrize(
    ("line", "message"),
    [("", "empty"), ("x 'y", "quotation"), ("x {mt}", "no place"), ("x {out}", "no place"), ("{mt} '", "quotation")],
)
def test_commands_that_are_none(line, message):
    with pytest.raises(QeError, match=message):
        QeCommand("mine", line)


def test_names_and_limits_that_are_none():
    for name, minutes in (("", 1), (" ", 1), ("a\nb", 1), ("x" * 61, 1), ("a", 0), ("a", float("nan")), ("a", 1e9)):
        with pytest.raises(QeError):
            QeCommand(name, "x {mt} {out}", minutes)


def test_what_the_command_line_says():
    values, others = extract_qe_values(["--qe", "a=x {mt} {out}", "path", "--qe=b=y {mt} {out}"])
    assert others == ["path"]
    assert extract_qe_values(["--qe=a=x", "--", "--qe=b=y"]) == (["a=x"], ["--", "--qe=b=y"])
    assert [(one.name, one.line) for one in parse_commands(values)] == [("a", "x {mt} {out}"), ("b", "y {mt} {out}")]
    for wrong in (["x {mt} {out}"], [values[0]] * 2):
        with pytest.raises(QeError):
            parse_commands(wrong)
    with pytest.raises(QeError):
        extract_qe_values(["a", "--qe"])


def test_nothing_but_numbers_of_the_right_kind(system):
    with pytest.raises(QeError, match="is not a probability"):
        run_command(system(writing("1 2 3 4\n5\n")), MADE)
    assert np.isfinite(only(run_command(system(writing("-.1 -.2 -.3 -.4\n-5\n")), MADE)).numbers.values).all()


def test_reading_what_it_wrote_can_be_stopped(system):
    class Stopped(Exception):
        pass

    def follow(share: float, text: str) -> None:
        if text == "reading the result":
            raise Stopped

    with pytest.raises(Stopped):
        run_command(system(writing("OK OK OK OK\nOK\n")), MADE, follow)
