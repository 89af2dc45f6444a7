"""The commands in README and docs: their options exist, and those on the bundled samples run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from qe_desktop.cli.main import COMMANDS, build_parser
from tests.command_line import run_command

CHECKOUT = Path(__file__).parents[2]
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]


def documented_commands() -> list[tuple[Path, list[str]]]:
    """Return the commands in order, without the name of the program, each with the folder it runs in.

    A `cd` applies to the rest of its block.
    """
    commands = []
    for page in PAGES:
        text = re.sub(r"\\\n\s+", " ", page.read_text(encoding="utf-8"))
        for block in re.findall(r"(?:^    .+\n)+", text, re.MULTILINE):
            folder = CHECKOUT
            for line in block.splitlines():
                words = shlex.split(line, comments=True)
                if words[:1] == ["cd"]:
                    folder = CHECKOUT / words[1]
                elif words[:1] == ["qe-desktop"] and words[1:2] and words[1] in COMMANDS:
                    commands.append((folder, words[1 : words.index(">") if ">" in words else None]))
    return commands


def test_pages_show_every_command_and_study():
    assert {command[0] for _, command in documented_commands()} == set(COMMANDS)
    assert {command[1] for _, command in documented_commands() if command[0] == "study"} == {
        "labellings", "meta-evaluation", "post-editing", "sampling", "thresholds",
    }  # fmt: skip


@pytest.mark.parametrize("command", [command for _, command in documented_commands()], ids=" ".join)
def test_documented_options_exist(command):
    assert build_parser(command[0]).parse_args(command).run


SAMPLE_COMMANDS = [
    (folder, command)
    for folder, command in documented_commands()
    if folder != CHECKOUT or any("sample" in word for word in command)
]


@pytest.mark.parametrize(
    ("folder", "command"), SAMPLE_COMMANDS, ids=[" ".join(command) for _, command in SAMPLE_COMMANDS]
)
def test_documented_commands_on_samples_run(capsys, monkeypatch, folder, command):
    monkeypatch.chdir(folder)
    # expand patterns as a shell does
    words = [file for word in command for file in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
    quick = ("--rounds", "20") if command[1] in ("meta-evaluation", "labellings") else ()
    code, out, err = run_command(capsys, *words, *quick)
    assert (code, bool(out)) == (0, True), err


def test_documented_source_tags_follow_wmt18(capsys, monkeypatch, tmp_path):
    """Alignments of the post-edit also mark source words whose translation is missing."""
    monkeypatch.chdir(tmp_path)
    (command,) = [command for _, command in documented_commands() if "source" in command and "--to" in command]
    texts = {"dev.mt": "a b", "dev.pe": "a x b", "dev.src": "A X B", "dev.src-pe.alignments": "0-0 1-1 2-2"}
    for name, line in texts.items():
        Path(name).write_text(f"{line}\n")
    assert run_command(capsys, *command)[0] == 0
    assert Path("dev.source_tags").read_text() == "OK BAD OK\n"
