"""`qe-desktop info`: how files are interpreted, and their notes and problems."""

from __future__ import annotations

import json

import pytest

from tests.command_line import error_line, run_command


@pytest.fixture
def folder(tmp_path):
    for name, content in {
        "c/t.src": "a b\nc\n",
        "c/t.mt": "x y\nz\n",
        "c/t.tags": "OK BAD\nOK\n",
        "c/x.probs": "1 0\n1\n",
        "c/broken.tags": "OK \0\n",
        "one.tags": "OK\nBAD\nOK\n",
        "joined.tags": "OK\nBAD\n\nOK\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def files_by_name(result) -> dict[str, dict]:
    return {file["file"].rsplit("/", 1)[-1]: file for corpus in result["corpora"] for file in corpus["files"]}


def test_files_of_a_folder_are_described(folder, capsys):
    code, out, err = run_command(capsys, "info", folder / "c", "--json")
    assert (code, err) == (0, "")
    result = files_by_name(json.loads(out))
    assert result["t.tags"]["used as"] == "gold"
    assert result["t.tags"]["description"] == "tags, 2 lines, 3 tags, 33.3 % BAD"
    assert "--numbers BAD or --numbers OK" in result["x.probs"]["notes"][0]
    assert "broken.tags" in result["broken.tags"]["notes"][0]
    table = run_command(capsys, "info", folder / "c")[1]
    assert "tags, 2 lines" in table
    assert "--numbers" in table


def test_files_of_the_same_name_are_shown_with_their_folders(tmp_path, capsys):
    rows = "".join(f"en-de\tS\tMT\t0\t{index}\tw\tOK\n" for index in range(2))
    (tmp_path / "gold.tsv").write_text("en-de\tgold\t0\tw w\tw w\tOK BAD\n")
    for team in ("A", "B"):
        (tmp_path / team).mkdir()
        (tmp_path / team / "predictions.txt").write_text(rows)
    table = run_command(capsys, "info", tmp_path)[1]
    assert "A/predictions.txt" in table
    assert "WMT23 gold with the MT" in table


def test_log_probabilities_are_noted(tmp_path, capsys):
    (tmp_path / "x.probs").write_text("-1 -2\n-3\n")
    assert files_by_name(json.loads(run_command(capsys, "info", tmp_path / "x.probs", "--json")[1]))["x.probs"][
        "notes"
    ] == ["read as log P(OK)"]


def test_ambiguous_and_inferred_line_units_are_noted(folder, capsys):
    ambiguous = files_by_name(json.loads(run_command(capsys, "info", folder / "one.tags", "--json")[1]))["one.tags"]
    assert "--lines segments or --lines tokens" in ambiguous["notes"][0]
    joined = files_by_name(json.loads(run_command(capsys, "info", folder / "joined.tags", "--json")[1]))["joined.tags"]
    assert joined["notes"] == ["read as one token per line"]


def test_unreadable_file_is_an_error(folder, capsys):
    assert "UTF-16" in error_line(capsys, "info", folder / "c/broken.tags")
    assert "nothing.tags: file not found" in error_line(capsys, "info", folder / "nothing.tags")


@pytest.mark.parametrize(
    ("added", "says"),
    [
        ({"y.tags": "OK OK\n"}, ["c/y.tags:"]),
        ({"y.tags": "OK OK\nBAD OK OK\n"}, ["c/y.tags:2: "]),
        ({"t.src": "a b\nc\nd\n"}, ["c/t.src: "]),
        ({"scores.tsv": "seg\tgold\tA\n0\t0.1\t0.2\n7\t0.3\t0.4\n"}, ["c/scores.tsv:3: "]),
        ({"one.tsv": "seg\tA\n0\t0.111\n1\t0.2\n", "two.tsv": "seg\tA\n0\t0.111\n1\t0.2\n"}, ["A already has scores"]),
        ({"y.tags": "OK OK\n", "z.tags": "OK\n"}, ["c/y.tags:", "c/z.tags:"]),
        ({"y.tags": "OK OK\nBAD\n"}, []),
    ],
)  # fmt: skip
def test_mismatched_files_are_reported(folder, capsys, added, says):
    for name in ("x.probs", "broken.tags"):
        (folder / "c" / name).unlink()
    for name, text in added.items():
        (folder / "c" / name).write_text(text)
    for named in ([folder / "c"], sorted((folder / "c").iterdir())):
        code, out, err = run_command(capsys, "info", *named, "--json")
        assert (code, err) == (0, "")
        problems = [line for corpus in json.loads(out)["corpora"] for line in corpus["problems"]]
        assert len(problems) == len(says)
        assert all(any(part in line for line in problems) for part in says)
        code, out, _ = run_command(capsys, "info", *named)
        assert code == 0
        assert ("These files cannot be opened as one corpus:" in out) is bool(says)


def test_ambiguous_and_unreadable_files_are_not_reported_as_mismatched(folder, capsys):
    assert json.loads(run_command(capsys, "info", folder / "c", "--json")[1])["corpora"][0]["problems"] == []
    (folder / "c/t.mt").write_text("x \0 y\n")
    assert json.loads(run_command(capsys, "info", folder / "c", "--json")[1])["corpora"][0]["problems"] == []


def test_post_edit_without_gold_suggests_a_convert_command(folder, capsys):
    (folder / "c/t.pe").write_text("x q\nz\n")
    assert files_by_name(json.loads(run_command(capsys, "info", folder / "c", "--json")[1]))["t.pe"]["notes"] == []
    (folder / "c/t.tags").unlink()
    [note] = files_by_name(json.loads(run_command(capsys, "info", folder / "c", "--json")[1]))["t.pe"]["notes"]
    command = note.partition("qe-desktop ")[2].replace("OUT", str(folder / "out.tags")).split()
    assert run_command(capsys, *command)[0] == 0
    assert (folder / "out.tags").read_text() == "OK OK OK BAD OK\nOK OK OK\n"
    assert files_by_name(json.loads(run_command(capsys, "info", folder / "c/t.pe", "--json")[1]))["t.pe"]["notes"] == []
