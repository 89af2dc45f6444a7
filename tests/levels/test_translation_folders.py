"""Findings of folders with translations: references, systems and metric scores are recognized by file name."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from tests.command_line import error_line, json_output, run_command

SEGMENTS = 30


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


def write_pair(folder, seed, **shares):
    """Write a language pair with two references, and systems with the given share of reference words."""
    dice = np.random.default_rng(seed)
    words = [[f"w{number}" for number in dice.integers(0, 400, 9)] for _ in range(SEGMENTS)]
    write_lines(folder / "src", [f"source {number}" for number in range(SEGMENTS)])
    write_lines(folder / "ref.A", map(" ".join, words))
    write_lines(folder / "ref.B", [" ".join(["x", *line[1:]]) for line in words])
    for name, share in shares.items():
        changed = [[word if dice.random() < share else "other" for word in line] for line in words]
        write_lines(folder / "systems" / f"{name}.txt", map(" ".join, changed))


@pytest.fixture
def task(tmp_path):
    folder = tmp_path / "task"
    write_pair(folder / "cs-en", 1, good=0.9, fair=0.5, late=0.7)
    write_pair(folder / "de-fr", 2, good=0.8, fair=0.4)
    return folder


def write_metric_scores(folder, name, **systems):
    lines = [f"{system}\t{score}" for system, scores in systems.items() for score in scores]
    write_lines(folder / f"{name}.seg.score", lines)


def test_findings_equal_the_score_and_compare_commands(capsys, task):
    findings = json_output(capsys, "findings", task, "--rounds", 500)
    assert findings["level"] == "translations"
    assert list(findings["tests"]) == ["BLEU", "chrF", "TER"]
    for pair, pair_findings in findings["pairs"].items():
        arguments = ("--reference", task / pair / "ref.A", task / pair / "ref.B", "--system", task / pair / "systems")
        metrics = ("--metric", "BLEU", "chrF", "TER")
        scored = json_output(capsys, "score", "translations", *arguments, *metrics, "--intervals")
        compared = json_output(capsys, "compare", "translations", *arguments, *metrics, "--rounds", 500)["metrics"]
        assert set(pair_findings["systems"]) == set(scored["systems"])
        for name, by in pair_findings["systems"].items():
            for metric, finding in by.items():
                assert finding["score"] == pytest.approx(scored["systems"][name][metric])
                assert finding["interval"] == pytest.approx(scored["intervals"][name][metric])
                assert name in compared[metric]["clusters"][finding["cluster"] - 1]
    assert findings["average"]["late"]["BLEU"] is None
    assert "late has no output for de-fr, so it has no average." in findings["notes"]
    assert "references:A+B" in findings["signature"]
    assert any(note.startswith("BLEU: nrefs:var|case:mixed|eff:no|tok:13a") for note in findings["notes"])


@pytest.mark.parametrize("form", ["table", "tsv", "latex", "html"])
def test_findings_of_translations_in_every_output_format(capsys, task, form):
    code, out, _ = run_command(capsys, "findings", task, "--rounds", 50, "--metric", "BLEU", "TER", "--format", form)
    assert code == 0
    assert "late" in out
    assert "BLEU" in out


def test_one_reference_is_selected_by_its_name(capsys, task):
    findings = json_output(capsys, "findings", task / "cs-en", "--gold-name", "B", "--metric", "BLEU", "--rounds", 50)
    arguments = ("--reference", task / "cs-en" / "ref.B", "--system", task / "cs-en" / "systems", "--metric", "BLEU")
    scored = json_output(capsys, "score", "translations", *arguments)["systems"]
    for name, by in findings["pairs"]["cs-en"]["systems"].items():
        assert by["BLEU"]["score"] == pytest.approx(scored[name]["BLEU"])
    assert "references:B|" in findings["signature"]
    assert "Gold layers: A and B" in error_line(capsys, "findings", task, "--gold-name", "C")


def test_signature_states_references_per_pair_if_they_differ(capsys, task):
    (task / "de-fr" / "ref.B").unlink()
    findings = json_output(capsys, "findings", task, "--metric", "BLEU", "--rounds", 50)
    assert "references:cs-en=A+B,de-fr=A|" in findings["signature"]
    assert set(findings["pairs"]) == {"cs-en", "de-fr"}


@pytest.mark.parametrize(
    "names",
    [("references/A.txt", "references/B.txt"), ("references/one", "references/two"), ("t.refA.txt", "t.refB.txt")],
)
def test_reference_files_are_recognized_by_other_names(capsys, task, names):
    pair = task / "cs-en"
    both = json_output(capsys, "findings", pair, "--metric", "BLEU", "--rounds", 50)["pairs"]["cs-en"]["systems"]
    for old, new in zip(("ref.A", "ref.B"), names, strict=True):
        (pair / new).parent.mkdir(exist_ok=True)
        (pair / old).rename(pair / new)
    systems = json_output(capsys, "findings", pair, "--metric", "BLEU", "--rounds", 50)["pairs"]["cs-en"]["systems"]
    assert {name: by["BLEU"]["score"] for name, by in systems.items()} == {
        name: by["BLEU"]["score"] for name, by in both.items()
    }


def test_metric_score_files_in_the_folder_are_part_of_the_findings(capsys, task):
    dice = np.random.default_rng(5)
    good = dice.normal(size=SEGMENTS)
    write_metric_scores(task / "cs-en", "cs-en.COMET", good=good, fair=good - 2, gone=good)
    findings = json_output(capsys, "findings", task, "--rounds", 200)
    assert findings["tests"]["COMET"] == "randomisation"
    first = findings["pairs"]["cs-en"]["systems"]
    assert first["good"]["COMET"]["score"] == pytest.approx(good.mean())
    assert (first["good"]["COMET"]["cluster"], first["fair"]["COMET"]["cluster"]) == (1, 2)
    assert first["late"]["COMET"] == {"score": None, "interval": None, "cluster": None, "ranks": None}
    assert findings["pairs"]["de-fr"]["systems"]["good"]["COMET"]["score"] is None
    assert "cs-en: COMET has scores for unknown systems: gone" in findings["notes"]
    assert any(note.startswith("cs-en: COMET: file:") and note.endswith("|better:more") for note in findings["notes"])
    write_metric_scores(task / "cs-en", "cs-en.COMET", good=good[1:], fair=good[1:])
    assert "cs-en.COMET.seg.score:29: 29 scores for each system" in error_line(capsys, "findings", task)


def test_system_with_a_different_number_of_lines_is_an_error(capsys, task):
    write_lines(task / "cs-en" / "systems" / "fair.txt", ["a b"] * 29)
    error = error_line(capsys, "findings", task)
    assert "fair.txt" in error
    assert "29" in error


def test_reference_with_a_different_number_of_lines_is_an_error(capsys, task):
    write_lines(task / "cs-en" / "ref.B", ["a b"] * 29)
    assert "ref.B" in error_line(capsys, "findings", task)


def test_pair_without_systems_is_skipped_with_a_note(capsys, task):
    for path in (task / "de-fr" / "systems").iterdir():
        path.unlink()
    findings = json_output(capsys, "findings", task, "--metric", "BLEU", "--rounds", 50)
    assert set(findings["pairs"]) == {"cs-en"}
    assert "de-fr is skipped, because it has no gold or no systems" in findings["notes"]
    for path in (task / "cs-en" / "systems").iterdir():
        path.unlink()
    assert "there are no translations to evaluate" in error_line(capsys, "findings", task, "--level", "translations")


def test_empty_segments_and_copied_references_are_noted(capsys, task):
    pair = task / "cs-en"
    write_lines(pair / "systems" / "copy.txt", (pair / "ref.A").read_text().splitlines())
    write_lines(pair / "systems" / "gaps.txt", ["", *["a b"] * (SEGMENTS - 1)])
    notes = json_output(capsys, "findings", pair, "--metric", "BLEU", "--rounds", 50)["notes"]
    assert "cs-en: 1 segment of gaps is empty" in notes
    assert "cs-en: systems identical to a reference: copy" in notes


def test_tags_take_precedence_over_translations(capsys, tmp_path):
    write_pair(tmp_path, 3, good=0.9, fair=0.5)
    folder = tmp_path / "systems"
    write_lines(tmp_path / "test.mt", ["a b"] * SEGMENTS)
    write_lines(tmp_path / "test.tags", ["OK BAD"] * SEGMENTS)
    write_lines(folder / "x.tags", ["OK BAD", *["BAD OK"] * (SEGMENTS - 1)])
    assert json_output(capsys, "findings", tmp_path, "--rounds", 50)["level"] == "words"
    findings = json_output(capsys, "findings", tmp_path, "--rounds", 50, "--level", "translations", "--metric", "BLEU")
    assert {"good", "fair"} <= set(next(iter(findings["pairs"].values()))["systems"])


@pytest.mark.published
def test_findings_equal_the_published_scores_of_wmt21(capsys, data_folder):
    folder = data_folder / "wmt21_news"
    checked = 0
    for gold in ("", "A"):
        chosen = ("--gold-name", gold) if gold else ()
        findings = json_output(
            capsys, "findings", folder, *chosen, "--level", "translations", "--metric", "BLEU", "chrF", "--rounds", 20
        )
        for pair, pair_findings in findings["pairs"].items():
            with (folder / pair / "published.tsv").open() as file:
                rows = list(csv.DictReader(file, delimiter="\t"))
            for row in rows:
                name, _, against = row["metric"].partition("-")
                # for de-fr, "all" includes a reference that the folder does not have
                used = gold or ("all" if pair == "cs-en" else "A")
                if name in ("bleu", "chrf") and against == used and row["system"] in pair_findings["systems"]:
                    finding = pair_findings["systems"][row["system"]][{"bleu": "BLEU", "chrf": "chrF"}[name]]
                    assert finding["score"] == pytest.approx(float(row["score"]), abs=1e-6)
                    checked += 1
    assert checked == 2 * (8 * 2 + 9 * 2)


# --- scores named by options


def test_scores_option_adds_metrics_to_the_findings(capsys, task, tmp_path):
    for seed, pair in enumerate(("cs-en", "de-fr")):
        dice = np.random.default_rng(seed)
        systems = {name: dice.normal(size=SEGMENTS) + seed for name in ("Good.x", "fair")}
        write_metric_scores(tmp_path / "scores", f"{pair}.M", **systems)
    arguments = ("--scores", f"M={tmp_path / 'scores' / '{pair}.M.seg.score'}", "--rounds", 99)
    matched = json_output(capsys, "findings", task, *arguments, "--match", "Good.x=good", "--lower", "M")
    result = {pair: {name: by["M"]["score"] for name, by in pair_findings["systems"].items()} for pair, pair_findings in
             matched["pairs"].items()}  # fmt: skip
    for seed, pair in enumerate(("cs-en", "de-fr")):
        dice = np.random.default_rng(seed)
        assert result[pair]["good"] == pytest.approx(np.mean(dice.normal(size=SEGMENTS)) + seed)
    assert any(note.startswith("cs-en: M: file:") and "better:less|matched:1" in note for note in matched["notes"])
    assert "cs-en and de-fr: good is called Good.x in the M scores" in matched["notes"]
    assert list(matched["average"]) != list(
        json_output(capsys, "findings", task, *arguments, "--metric", "M")["average"]
    )
    unmatched = json_output(capsys, "findings", task, *arguments)["pairs"]["cs-en"]["systems"]
    assert unmatched["good"]["M"]["score"] is None
    (tmp_path / "scores" / "de-fr.M.seg.score").unlink()
    assert "de-fr: no M scores" in json_output(capsys, "findings", task, *arguments)["notes"]


def test_invalid_score_options_are_errors(capsys, task, tmp_path):
    write_metric_scores(task / "cs-en", "cs-en.COMET", good=range(SEGMENTS), fair=range(SEGMENTS))
    write_metric_scores(tmp_path, "de-fr.short", good=[1.0], fair=[2.0])
    for options, message in (
        (("--scores", f"M={tmp_path / '{pair}.no'}"), "cs-en.no: file not found"),
        (("--scores", "M"), "“M” does not have the form METRIC=FILE"),
        (("--scores", f"M={tmp_path / 'de-fr.short.seg.score'}"), "scores of whole translations"),
        (("--scores", f"COMET={task / 'cs-en' / 'cs-en.COMET.seg.score'}"), "COMET scores already exist"),
        (("--lower", "COMETT"), "there is no file of “COMETT” scores. Metrics with scores: COMET."),
        (("--match", "goood=good"), "no score or rating file contains a system “goood”. Did you mean “good”?"),
    ):
        assert message in error_line(capsys, "findings", task, *options)


def test_metric_direction_is_the_same_for_all_pairs(capsys, task):
    write_metric_scores(task / "cs-en", "cs-en.TER", good=[0.1] * SEGMENTS, fair=[0.7] * SEGMENTS)
    # constant zeros do not indicate the direction
    write_metric_scores(task / "de-fr", "de-fr.TER", good=[0.0] * SEGMENTS, fair=[0.0] * SEGMENTS)
    findings = json_output(capsys, "findings", task, "--rounds", 99)
    name = next(name for name in findings["tests"] if name.startswith("TER ("))
    assert any(note.startswith(f"{name}: ") and note.endswith("better:less") for note in findings["notes"])
    assert not any("better:more" in note for note in findings["notes"])
