"""The command line as scripts see it: JSON on stdout, one-line errors on stderr, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from qe_desktop.levels.system_files import resolve_named_files
from qe_desktop.levels.words.tag_inputs import is_tag_file
from tests.command_line import error_line, run_command

GOLD = "OK OK BAD\nBAD OK\nOK OK OK OK\n"
GOOD = "OK OK BAD\nBAD OK\nOK OK OK BAD\n"
FAIR = "OK BAD BAD\nOK OK\nOK OK BAD BAD\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.tags").write_text(GOLD)
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems/good.tags").write_text(GOOD)
    (tmp_path / "systems/fair.tags").write_text(FAIR)
    (tmp_path / "mt").write_text("a b c\nd e\nf g h i\n")
    return tmp_path


def test_score_words_as_json(files, capsys):
    gold, systems = files / "gold.tags", files / "systems"
    code, out, err = run_command(
        capsys, "score", "words", "--gold", gold, "--system", systems, "--mt", files / "mt", "--json"
    )
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert (result["segments"], result["items"]) == (3, 9)
    assert list(result["systems"]) == ["fair", "good"]
    assert result["systems"]["good"]["accuracy"] == pytest.approx(8 / 9)
    assert result["systems"]["good"]["F1-BAD"] == pytest.approx(0.8)
    names = ["F1-BAD", "F1-OK", "F1-mult", "MCC", "SeqCor", "phr-F1-BAD", "phr-F1-mult-bounded", "kappa"]
    assert set(names) <= set(result["metrics"])


def test_systems_can_be_named_and_given_in_several_options(files, capsys):
    systems = files / "systems"
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", f"A={systems / 'good.tags'}",
        systems / "fair.tags", "--system", f"gold again={files / 'gold.tags'}", "--json",
    )  # fmt: skip
    assert code == 0
    assert list(json.loads(out)["systems"]) == ["A", "fair", "gold again"]


@pytest.mark.parametrize("form", ["table", "tsv", "latex"])
def test_table_tsv_and_latex_output(files, capsys, form):
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--metric", "mcc",
        "--format", form,
    )  # fmt: skip
    assert code == 0
    assert "MCC" in out
    assert "good" in out


def test_compare_is_exact_for_few_segments_and_leaves_stderr_empty(files, capsys):
    code, out, err = run_command(
        capsys, "compare", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--metric", "F1-BAD",
        "MCC", "--correction", "none", "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["systems"] == ["good", "fair"]
    assert list(result["metrics"]) == ["F1-BAD", "MCC"]
    assert result["exact"]
    assert 0 < result["metrics"]["MCC"]["p"]["good"]["fair"] <= 1
    assert "enumerated" in " ".join(result["notes"])


@pytest.mark.parametrize("command", ["compare", "score", "study"])
def test_segments_of_documents_give_a_note_that_names_the_unit_option(files, capsys, command):
    (files / "docs").write_text("a\na\nb\n")
    subcommand = ["study", "labellings"] if command == "study" else [command, "words"]
    inputs = ["--gold", files / "gold.tags", "--system", files / "systems", "--intervals", "--json"]
    documents = ["--documents", files / "docs"]
    expected = "3 segments of 2 documents are treated as independent."
    notes = json.loads(run_command(capsys, *subcommand, *inputs, *documents)[1])["notes"]
    (split,) = [note for note in notes if note.startswith(expected)]
    assert ("p-values are too small" in split) == (command != "score"), "scores have intervals, but no p-values"
    assert "intervals" in split
    assert any("--unit document" in note for note in notes)
    for more in ([], [*documents, "--unit", "document"]):
        assert "independent" not in run_command(capsys, *subcommand, *inputs, *more)[1]


def test_compare_by_document(files, capsys):
    (files / "docs").write_text("x\nx\ny\n")
    common = ["compare", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--unit", "document"]
    assert "documents cannot be used as resampling units" in error_line(capsys, *common)
    code, out, _ = run_command(capsys, *common, "--documents", files / "docs", "--json")
    assert code == 0
    assert json.loads(out)["units"] == 2
    (files / "docs").write_text("x\nx\n")
    assert "docs:3: 2 lines, but there are 3 segments" in error_line(capsys, *common, "--documents", files / "docs")


def test_errors_name_file_and_line(files, capsys):
    gold = files / "gold.tags"
    common = ["score", "words", "--gold", gold, "--system"]
    assert "nowhere" in error_line(capsys, *common, files / "nowhere")
    (files / "short").write_text("OK OK BAD\nBAD OK\n")
    assert "short:3: 2 segments, but the gold has 3" in error_line(capsys, *common, files / "short")
    (files / "lacks").write_text("OK OK BAD\nBAD\nOK OK OK OK\n")
    assert "lacks:2: 1 tag, but the gold has 2" in error_line(capsys, *common, files / "lacks")
    (files / "odd").write_text("OK OK BAD\nBAD XX\nOK OK OK OK\n")
    error = error_line(capsys, *common, files / "odd")
    assert "odd:2" in error
    assert "XX" in error


def test_usage_errors_are_one_line(files, capsys):
    assert "--gold" in error_line(capsys, "score", "words")
    assert "no metric" in error_line(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--metric", "BLEU"
    )
    assert "at least 1" in error_line(
        capsys, "compare", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--rounds", "0"
    )
    assert "Williams" in error_line(
        capsys, "compare", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--test", "williams"
    )
    assert "two systems" in error_line(
        capsys, "compare", "words", "--gold", files / "gold.tags", "--system", files / "systems/good.tags"
    )
    error_line(capsys, "dance")


def test_names_of_systems_come_from_files_folders_and_options(tmp_path):
    (tmp_path / "a=b.tags").write_text("OK\n")
    (tmp_path / "SystemA").mkdir()
    (tmp_path / "SystemA/predictions.txt").write_text("OK\n")
    result, notes = resolve_named_files(
        [str(tmp_path / "a=b.tags"), str(tmp_path / "SystemA/predictions.txt"), "x y=file"], is_tag_file, "tags"
    )
    assert [file.name for file in result] == ["a=b", "SystemA", "x y"]
    assert notes == []


def test_only_tag_files_of_a_directory_are_scored(files, capsys):
    (files / "systems/README.md").write_text("about these\n")
    (files / "systems/good.probabilities").write_text("0.1 0.2 0.9\n0.8 0.1\n0.1 0.1 0.1 0.9\n")
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--json"
    )
    assert code == 0
    result = json.loads(out)
    assert list(result["systems"]) == ["fair", "good"]
    assert "README.md and good.probabilities have no tags and are skipped" in result["notes"]
    (files / "systems/good.probabilities").unlink()
    _, out, _ = run_command(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--json"
    )
    assert "README.md has no tags and is skipped" in json.loads(out)["notes"]
    (files / "none").mkdir()
    assert "the folder has no files with tags" in error_line(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / "none"
    )
    assert "does not have the form NAME=FILE" in error_line(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", "=x"
    )


def test_interleaved_word_and_gap_tags_are_refused_as_source_tags(tmp_path, capsys):
    (tmp_path / "mt").write_text("a b\nc\n")
    (tmp_path / "all.tags").write_text("OK OK BAD OK OK\nOK OK OK\n")
    arguments = ["--gold", tmp_path / "all.tags", "--system", tmp_path / "all.tags", "--kind", "source"]
    assert "not of source words" in error_line(capsys, "score", "words", *arguments, "--mt", tmp_path / "mt")
    assert run_command(capsys, "score", "words", *arguments)[0] == 0


def test_compare_writes_one_tsv_table(files, capsys):
    code, out, _ = run_command(
        capsys, "compare", "words", "--gold", files / "gold.tags", "--system", files / "systems", "--format", "tsv"
    )
    assert code == 0
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[0][:3] == ["metric", "system", "other"]
    assert len(lines) == 1 + 6
    assert all(0 < float(line[5]) <= 1 for line in lines[1:])
    assert {line[8] for line in lines[1:]} <= {"yes", "no"}


def test_too_few_rounds_are_noted(tmp_path, capsys):
    rows = "OK BAD OK\n" * 20
    (tmp_path / "gold").write_text(rows)
    for number in range(4):
        (tmp_path / f"s{number}").write_text("BAD OK OK\n" * (5 * number) + "OK BAD OK\n" * (20 - 5 * number))
    systems = [tmp_path / f"s{number}" for number in range(4)]
    expected = (
        "100 trials are too few: adjusted p (Bonferroni, 6 pairs) is at least .0594, so no two "
        "systems can differ significantly at .05. 1,000 trials suffice."
    )
    command = ["compare", "words", "--gold", tmp_path / "gold", "--system", *systems, "--rounds", "100"]
    for form in ("table", "latex", "json"):
        _, out, err = run_command(capsys, *command, "--format", form)
        assert expected in out.replace(r"\allowbreak{}", "")
        assert err == ""
    _, out, err = run_command(capsys, *command, "--format", "tsv")
    assert f"qe-desktop: note: {expected}\n" in err
    assert "too few" not in out
    _, out, _ = run_command(capsys, *command[:-1], "1000", "--json")
    assert not any("too few" in note for note in json.loads(out)["notes"])


def test_notes_on_stderr_contain_no_escape_sequences(tmp_path, capsys):
    """Notes contain names of systems, which may contain escape sequences of terminals."""
    (tmp_path / "gold").write_text("OK BAD\n")
    (tmp_path / "none").write_text("OK OK\n")
    system = f"red\x1b[31m={tmp_path / 'none'}"
    command = ["score", "words", "--gold", tmp_path / "gold", "--system", system, "--metric", "MCC", "--format", "tsv"]
    code, out, err = run_command(capsys, *command)
    assert code == 0
    assert "note: MCC of red" in err
    assert "\x1b" not in out + err


def test_closed_pipe_is_not_an_error(files):
    command = (
        f"{sys.executable} -m qe_desktop score words --gold {files / 'gold.tags'} --system {files / 'systems'} --json"
    )
    process = subprocess.run(f"{command} | head -c 1", shell=True, capture_output=True, text=True)
    assert process.stderr == ""


def test_two_systems_of_one_name_are_refused(files, capsys):
    error = error_line(
        capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / "systems/good.tags",
        f"good={files / 'systems/fair.tags'}",
    )  # fmt: skip
    assert "two systems are named “good”" in error


def test_command_line_starts_without_qt_and_scipy():
    code = (
        "import sys; from qe_desktop.cli.main import build_parser; build_parser();"
        "print([m for m in ('PySide6', 'pyqtgraph', 'scipy', 'rich') if m in sys.modules])"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"


@pytest.mark.published
def test_official_wmt22_results_from_the_submitted_files(data_folder, capsys):
    folder = data_folder / "wmt22_word/en-de"
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", folder / "test.2022.en-de.tags", "--system", folder / "raw", "--mt",
        folder / "test.2022.mt_tok", "--language-pair", "en-de", "--json",
    )  # fmt: skip
    assert code == 0
    mcc = {name: f"{values['MCC']:.4f}" for name, values in json.loads(out)["systems"].items()}
    assert mcc == {
        "NJUQE": "0.3519", "papago": "0.3186", "IST-Unbabel": "0.3027", "HW-TSC": "0.2739",
        "OrganizersBaselines": "0.1824",
    }  # fmt: skip


@pytest.mark.published
@pytest.mark.parametrize("kind", ["all", "words", "gaps", "source"])
def test_scores_of_gap_and_source_tags_equal_the_official_script(data_folder, capsys, kind):
    oracle = json.loads((data_folder.parent / "oracles/words/gap_tags_and_sentence_toy.json").read_text())
    expected_scores = oracle["deep_spin_eval_word_level"][kind]
    folder = data_folder / "openkiwi_toy_wmt18"
    ending, mt = ("src_tags", []) if kind == "source" else ("tags", ["--mt", folder / "dev.mt"])
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", folder / f"dev.{ending}", "--system", folder / f"sys.{ending}", *mt,
        "--kind", kind, "--json",
    )  # fmt: skip
    assert code == 0
    result = json.loads(out)["systems"]["sys"]
    names = {"f1_ok": "F1-OK", "f1_bad": "F1-BAD", "mult": "F1-mult", "mcc": "MCC"}
    assert {key: round(result[name], 6) for key, name in names.items()} == expected_scores


def test_other_characters_are_escaped_on_an_ascii_terminal(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("rater,system,segment,adequacy\nä,シ,1,4\nä,シ,2,5\nb,シ,1,3\n", encoding="utf-8")
    process = subprocess.run(
        [sys.executable, "-m", "qe_desktop", "ratings", "report", str(path)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert b"\\u30b7" in process.stdout


def test_one_tag_per_line_is_joined_with_a_note(files, capsys):
    gold, systems = files / "gold.tags", files / "systems"
    plain = json.loads(run_command(capsys, "score", "words", "--gold", gold, "--system", systems, "--json")[1])
    for path in (gold, *systems.iterdir()):
        path.write_text(
            "\n".join("".join(f"{tag}\n" for tag in line.split()) for line in path.read_text().splitlines())
        )
    code, out, err = run_command(capsys, "score", "words", "--gold", gold, "--system", systems, "--json")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert result["systems"] == plain["systems"]
    assert result["segments"] == 3
    assert "one tag per line: the lines were joined into 3 segments, separated by empty lines" in result["notes"]
    table = run_command(
        capsys, "compare", "words", "--gold", gold, "--system", systems, "--metric", "MCC", "--rounds", 10
    )[1]
    assert "joined into 3 segments" in table


def test_ambiguous_lines_need_the_lines_option(files, capsys):
    gold = files / "gold.tags"
    gold.write_text(gold.read_text().replace(" ", "\n"))
    command = ["score", "words", "--gold", gold, "--system", gold, "--json"]
    assert "--lines segments or --lines tokens" in error_line(capsys, *command)
    for options, segments in (
        (("--lines", "segments"), 9), (("--lines", "tokens"), 1), (("--mt", files / "mt"), 3),
    ):  # fmt: skip
        assert json.loads(run_command(capsys, *command, *options)[1])["segments"] == segments


def test_gold_determines_how_lines_of_systems_are_read(files, capsys):
    system = files / "systems/good.tags"
    plain = run_command(capsys, "score", "words", "--gold", files / "gold.tags", "--system", system, "--json")[1]
    system.write_text(GOOD.replace(" ", "\n"))
    again = run_command(capsys, "score", "words", "--gold", files / "gold.tags", "--system", system, "--json")[1]
    assert json.loads(again)["systems"] == json.loads(plain)["systems"]
    assert any(
        "one tag per line, no empty lines: the lines were divided into 3 segments" in note
        for note in json.loads(again)["notes"]
    )


EVIL = "\x1b[2J\x1b]0;owned\x07\u202egnp.exe\u2066[red]"
CONTROL_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def control_characters(text: str) -> set[str]:
    return {character for character in text if unicodedata.category(character) in CONTROL_CATEGORIES} - {"\n", "\t"}


@pytest.mark.parametrize("form", ["table", "tsv", "latex", "json"])
@pytest.mark.parametrize("command", [["score", "words"], ["compare", "words", "--metric", "MCC", "--rounds", "100"]])
def test_control_characters_of_names_are_escaped_in_every_format(files, capsys, form, command):
    system = f"{EVIL}\n\t1={files / 'systems/good.tags'}"
    other = f"@SUM(A1)={files / 'systems/fair.tags'}"
    arguments = [*command, "--gold", files / "gold.tags", "--system", system, other, "--format", form]
    code, out, err = run_command(capsys, *arguments)
    assert code == 0, err
    assert control_characters(out) == control_characters(err) == set()
    assert r"\x1b[2J" in out.replace(r"\textbackslash{}", "\\").replace(r"\u001b", r"\x1b").replace("{[}", "[")
    if form == "tsv":
        assert not [cell for line in out.splitlines() for cell in line.split("\t") if cell[:1] in ("=", "@", "+")]


def test_errors_are_short_and_contain_no_control_characters(files, capsys):
    """A tag of 100 kB once gave an error of 100 kB, and its escape sequences reached the terminal."""
    (files / "bad.tags").write_text("OK OK \x1b[2J" + "x" * 100_000 + "\n")
    for name in ("bad.tags", f"no{EVIL}.tags", "n" * 100_000):
        error = error_line(capsys, "score", "words", "--gold", files / "gold.tags", "--system", files / name)
        assert error.startswith("qe-desktop: error: ")
        assert len(error) < 2_000
        assert len(error.splitlines()) == 1
        assert control_characters(error) == set()
    error = error_line(capsys, "score", "words", "--gold", "x", "--system", "y", "--kind", EVIL + "z" * 100_000)
    assert len(error) < 2_000
    assert control_characters(error) == set()


def test_control_characters_of_file_names_are_escaped_in_info(files, capsys):
    name = EVIL.replace("/", "")
    (files / f"{name}.tags").write_text(GOLD)
    for form in ([], ["--json"]):
        code, out, err = run_command(capsys, "info", files / f"{name}.tags", *form)
        assert code == 0, err
        assert control_characters(out) == control_characters(err) == set()
        assert "u202egnp" in out
