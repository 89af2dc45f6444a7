"""Command-line names of earlier releases: scripts that use them still work, and help does not show them."""

from __future__ import annotations

import pytest

from qe_desktop.cli.main import FORMER_NAMES, build_parser
from tests.command_line import error_line, json_output, run_command


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.tsv"
    path.write_text("system\tsegment\trater\tscore\n" + "".join(
        f"{system}\t{segment}\tann\t{score}\n"
        for system, values in {"A": (70, 80, 75), "B": (60, 50, 65)}.items()
        for segment, score in enumerate(values, 1)
    ))  # fmt: skip
    return path


def test_former_name_of_a_level_gives_the_same_result(capsys, scores):
    assert json_output(capsys, "score", "people", "--human", scores) == json_output(
        capsys, "score", "human", "--human", scores
    )


@pytest.mark.parametrize(("command", "former"), FORMER_NAMES, ids=" ".join)
def test_former_names_are_accepted_and_not_in_help(capsys, command, former):
    with pytest.raises(SystemExit) as ended:
        run_command(capsys, command, former, "--help")
    assert ended.value.code == 0
    assert f"qe-desktop {command} {FORMER_NAMES[command, former]}" in capsys.readouterr().out
    assert former not in build_parser(command).format_help()


def test_findings_accept_both_names_of_a_level(capsys, tmp_path):
    errors = {error_line(capsys, "findings", tmp_path, "--level", name) for name in ("human", "people")}
    assert len(errors) == 1
    assert "is not a level" not in errors.pop()
    assert "“words of people” is not a level" in error_line(capsys, "findings", tmp_path, "--level", "words of people")
