"""`study post-editing`: results of folders and projects, output formats, exports and errors."""

from __future__ import annotations

import csv

import pytest

from tests.command_line import error_line, json_output, run_command

LINES = {
    "mt": ("die Pumpe startet", "drücken Sie Stopp", "ja"),
    "pe": ("die Pumpe startet", "drücken Sie zweimal Stopp", "ja doch"),
    "src": ("the pump starts", "press stop twice", "yes"),
}
TAGS = {"good": ("OK OK OK", "OK OK OK", "OK"), "bad": ("OK BAD OK", "OK OK BAD", "BAD")}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "job"
    (path / "systems").mkdir(parents=True)
    for suffix, lines in LINES.items():
        (path / f"dev.{suffix}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name, lines in TAGS.items():
        (path / "systems" / f"{name}.tags").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_folder_with_post_edits_needs_no_times(capsys, folder):
    result = json_output(capsys, "study", "post-editing", folder)
    assert (result["reviewed"], result["corpus_segments"]) == (3, 3)
    [total] = result["totals"]
    assert (total["edited"], total["seconds"], total["keys"]) == (2, None, None)
    assert total["edits"] == {"insertions": 2, "deletions": 0, "substitutions": 0, "shifts": 0}
    assert [segment["hter"] for segment in result["segments"]] == pytest.approx([0, 0.25, 0.5])
    assert set(result["highlights"]) == set(result["skipping"]) == set(TAGS)
    # only insertions, so no character of the MT was edited
    assert result["highlights"]["bad"]["precision"] == 0
    assert result["highlights"]["bad"]["recall"] is None
    assert result["skipping"]["bad"]["through"][-1] == 1
    assert result["skipping"]["good"]["threshold"] == [0]
    assert "share of BAD words" in result["skipping"]["bad"]["by"]


def test_system_option_selects_one_system(capsys, folder):
    result = json_output(capsys, "study", "post-editing", folder, "--system", "bad")
    assert set(result["highlights"]) == {"bad"}
    assert "no system “worse”" in error_line(capsys, "study", "post-editing", folder, "--system", "worse")


@pytest.mark.parametrize("form", ["table", "tsv", "latex", "html"])
def test_every_format_names_the_systems(capsys, folder, form):
    code, out, _ = run_command(capsys, "study", "post-editing", folder, "--format", form, "--interval-rounds", "50")
    assert code == 0
    assert "good" in out
    assert "bad" in out


def test_exports(capsys, folder, tmp_path):
    out = tmp_path / "out"
    arguments = ("--export", "qe4pe", out, "--export", "pet", out, "--export", "wmt", out, "--system", "bad")
    code, _, err = run_command(capsys, "study", "post-editing", folder, *arguments)
    assert code == 0
    assert err.count(": 3 segments\n") == 7
    [table] = out.glob("*.csv")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["highlight_modality"] for row in rows] == ["bad"] * 3
    assert rows[0]["mt_text_highlighted"] == "die <minor>Pumpe</minor> startet"
    [post_edits] = out.glob("*.pe")
    assert post_edits.read_text(encoding="utf-8").splitlines() == list(LINES["pe"])
    assert "no format “odd”" in error_line(capsys, "study", "post-editing", folder, "--export", "odd", out)


def test_input_without_post_edits_is_refused(capsys, folder, tmp_path):
    (folder / "dev.pe").unlink()
    assert "No segment has been reviewed" in error_line(capsys, "study", "post-editing", folder)
    error_line(capsys, "study", "post-editing", tmp_path / "nothing")


def test_project_without_reviews_uses_its_post_edits(capsys, folder, tmp_path):
    path = tmp_path / "p.qedesk"
    assert run_command(capsys, "project", "create", path, folder)[0] == 0
    result = json_output(capsys, "study", "post-editing", path)
    assert result["reviewed"] == 3
    empty = tmp_path / "empty.qedesk"
    assert run_command(capsys, "project", "create", empty)[0] == 0
    assert "no segments" in error_line(capsys, "study", "post-editing", empty)


def test_untokenized_text_gives_a_warning(capsys, tmp_path):
    lines = {
        "mt": "今天是天气非常好，我们去的我散步。",
        "pe": "今天的天气非常好，我们去公园散步。",
        "src": "It is a fine day.",
    }
    for suffix, line in lines.items():
        (tmp_path / f"dev.{suffix}").write_text(f"{line}\n" * 3, encoding="utf-8")
    result = json_output(capsys, "study", "post-editing", tmp_path, "--language-pair", "en-zh")
    assert result["totals"][0]["hter"] == 1
    assert "The Chinese text is not tokenized" in result["notes"][0]
    for suffix in ("mt", "pe"):
        (tmp_path / f"dev.{suffix}").write_text(f"{' '.join(lines[suffix])}\n" * 3, encoding="utf-8")
    result = json_output(capsys, "study", "post-editing", tmp_path, "--language-pair", "en-zh")
    assert result["totals"][0]["hter"] < 0.5
    assert not [note for note in result["notes"] if "not tokenized" in note]
