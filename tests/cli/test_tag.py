"""`qe-desktop tag` writes the output of QE systems and QA checks, and refuses commands that it cannot run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import error_line, run_command

pytestmark = pytest.mark.process

JOB = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en" target-language="de" datatype="plaintext"><body>
<trans-unit id="1"><source>Press <g id="1">Stop</g> 25 times.</source>
<target>Drücken Sie 24 mal Stopp.</target></trans-unit>
<trans-unit id="2"><source>All is well.</source><target>Alles gut.</target></trans-unit>
</body></file></xliff>
"""
SYSTEM = (
    "import sys\nlines = open(sys.argv[1], encoding='utf-8').read().split('\\n')[:-1]\nopen(sys.argv[2], 'w').write("
)


@pytest.fixture
def job(tmp_path: Path) -> Path:
    path = tmp_path / "job.xlf"
    path.write_text(JOB, encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "test.src").write_text("with 340 men\nwell\n")
    (corpus / "test.mt").write_text("mit 430 Mann\ngut\n")
    return corpus


def system(tmp_path: Path, result: str) -> str:
    path = tmp_path / "qe.py"
    path.write_text(SYSTEM + result + ")", encoding="utf-8")
    return f"mine='{sys.executable}' '{path}' {{mt}} {{out}}"


def test_checks_of_a_bilingual_file(job, tmp_path, capsys):
    out = tmp_path / "out"
    code, stdout, err = run_command(capsys, "tag", job, "--checks", "-o", out)
    assert (code, stdout) == (0, "")
    assert (out / "job.mt_tok").read_text(encoding="utf-8") == "Drücken Sie 24 mal Stopp .\nAlles gut .\n"
    assert (out / "checks.tags").read_text() == "OK OK BAD OK OK OK\nOK OK OK\n"
    assert (out / "checks.gap_tags").read_text().split("\n")[0].endswith("BAD")
    rows = [line.split("\t") for line in (out / "checks.reasons.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[:2] == [["segment", "kind", "place", "reason"], ["1", "words", "3", "the source has 25, not 24"]]
    assert ["1", "gaps", "7", "the code ⟨1⟩ is missing from the target"] in rows
    assert "1 of 9 tags is BAD" in err


def test_checks_are_selected_by_name(folder, tmp_path, capsys):
    assert run_command(capsys, "tag", folder, "--checks", "spaces", "-o", tmp_path / "out")[0] == 0
    assert (tmp_path / "out" / "checks.tags").read_text() == "OK OK OK\nOK\n"
    error = error_line(capsys, "tag", folder, "--checks", "spelling", "-o", tmp_path / "out")
    assert "there is no check named “spelling”" in error


def test_output_of_a_custom_system_is_written(folder, tmp_path, capsys):
    digits_are_bad = system(
        tmp_path,
        "''.join(' '.join('BAD' if word.isdigit() else 'OK' for word in line.split()) + '\\n' for line in lines)",
    )
    code, _, err = run_command(capsys, "tag", folder, "--qe", digits_are_bad, "-o", tmp_path / "out")
    assert code == 0
    assert (tmp_path / "out" / "mine.tags").read_text() == "OK BAD OK\nOK\n"
    assert "1 of 4 tags" in err
    assert (
        run_command(capsys, "tag", folder, "--qe", system(tmp_path, "'.1 .2 .3\\n.4\\n'"), "-o", tmp_path / "out")[0]
        == 0
    )
    assert (tmp_path / "out" / "mine.probabilities").read_text() == "0.1 0.2 0.3\n0.4\n"
    assert run_command(capsys, "tag", folder, "--qe", system(tmp_path, "'1\\n2\\n'"), "-o", tmp_path / "out")[0] == 0
    assert (tmp_path / "out" / "mine.scores").read_text() == "1.000000\n2.000000\n"


def test_invalid_systems_are_refused(folder, tmp_path, capsys):
    out = tmp_path / "out"
    assert "there is nothing to run" in error_line(capsys, "tag", folder, "-o", out)
    assert "the form NAME=COMMAND" in error_line(capsys, "tag", folder, "--qe", "mine", "-o", out)
    short = system(tmp_path, "'1\\n'")
    assert "1 line, but the corpus has 2" in error_line(capsys, "tag", folder, "--qe", short, "-o", out)
    assert not list(out.glob("mine*"))
    assert "time limit" in error_line(capsys, "tag", folder, "--qe", short, "--minutes", "-1", "-o", out)
    names = ["--qe", short, "--qe", short.replace("mine", "mine/", 1), "--qe", short.replace("mine", "mine-", 1)]
    assert "two results would be written" in error_line(capsys, "tag", folder, *names, "-o", out)


def test_commands_in_files_of_a_folder_are_not_run(folder, tmp_path, capsys):
    """No file in a folder defines a command to run, whatever its name and content."""
    trace = tmp_path / "ran"
    line = f"touch {trace} {{source}} {{mt}} {{out}}"
    for name in ("settings.ini", ".qe-desktop", "qe.ini", "qe-desktop.ini", "systems.json"):
        (folder / name).write_text(f'[qe]\nsystems="[{{\\"name\\": \\"x\\", \\"command\\": \\"{line}\\"}}]"\n')
    code, _, _ = run_command(capsys, "tag", folder, "--checks", "-o", tmp_path / "out")
    assert code == 0
    assert not trace.exists()
    assert not list((tmp_path / "out").glob("x*"))


def test_invalid_system_is_refused_before_the_window_opens():
    process = subprocess.run(
        [sys.executable, "-m", "qe_desktop", "--qe", "mine=qe.py {mt}", "."], capture_output=True, text=True
    )
    assert process.returncode == 2
    assert process.stderr.startswith("qe-desktop: error: the command of mine lacks a placeholder for the MT")
    assert process.stderr.count("\n") == 1


def test_columns_option_names_the_columns_of_a_table(tmp_path, capsys):
    table, out = tmp_path / "t.csv", tmp_path / "out"
    table.write_text("key;english text;german text\n1;Press 5 keys;4 Tasten\n", encoding="utf-8")
    columns = ("--columns", "english text", "german text")
    assert run_command(capsys, "tag", table, "--checks", "numbers", *columns, "-o", out)[0] == 0
    assert (out / "checks.tags").read_text() == "BAD OK\n"
    assert (out / "t.mt_tok").read_text() == "4 Tasten\n"


def test_language_pair_selects_the_corpus_of_a_folder(folder, tmp_path, capsys):
    for path in list(folder.iterdir()):
        for pair in ("en-de", "en-fr"):
            (folder / f"test.{pair}{path.suffix}").write_bytes(path.read_bytes())
        path.unlink()
    error = error_line(capsys, "tag", folder, "--checks", "-o", tmp_path / "out")
    assert "there are several corpora" in error
    assert "use --language-pair" in error
    code = run_command(capsys, "tag", folder, "--checks", "--language-pair", "en-fr", "-o", tmp_path / "out")[0]
    assert code == 0
    assert (tmp_path / "out" / "checks.tags").read_text() == "OK BAD OK\nOK\n"
