"""Output of `study meta-evaluation`: tables, notes on single statistics, curves and chart files."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import numpy as np
import pytest

from qe_desktop.significance import adjust_p
from qe_desktop.studies.meta_eval.agreement_tests import TESTED_STATISTICS
from tests.cli.meta_evaluation import SYSTEMS, evaluate, evaluation_error, score_files, scores, write_scores
from tests.command_line import run_command

__all__ = ["score_files", "scores"]


def test_correlations_over_few_systems_have_a_note(capsys, scores, tmp_path):
    human_scores, metric = scores
    of_three = [{name: inputs[name] for name in SYSTEMS[:3]} for inputs in (human_scores, metric)]
    human, m = (write_scores(tmp_path / name, inputs) for name, inputs in zip(("people", "m"), of_three, strict=True))
    inputs = ("--human", human, "--scores", f"M={m}", "--rounds", "100")
    assert [note for note in evaluate(capsys, *inputs)["notes"] if "With only 3 systems" in note and "±0.997" in note]
    _, out, _ = run_command(capsys, "study", "meta-evaluation", *inputs)
    (row, *_) = [line for line in out.splitlines() if "] †" in line]
    assert row.count("] †") == 3
    assert "† With only 3 systems" in out
    more = {f"s{number}": human_scores["one"] + number / 10 for number in range(6)}
    human, m = write_scores(tmp_path / "more", more), write_scores(tmp_path / "m", more)
    _, out, _ = run_command(
        capsys, "study", "meta-evaluation", "--human", human, "--scores", f"M={m}", "--rounds", "100"
    )
    assert "†" not in out


def test_notes_state_that_p_is_unadjusted_and_how_many_trials_a_correction_needs(capsys, scores, tmp_path):
    human_scores, metric = scores
    human = write_scores(tmp_path / "people", human_scores)
    metrics = [f"M{n}={write_scores(tmp_path / f'm{n}', metric)}" for n in range(4)]
    inputs = ("--human", human, "--scores", *metrics)
    unadjusted = "p-values of differences between metrics are unadjusted for multiple comparisons (6 pairs of metrics)."
    few = (
        "100 trials are too few: adjusted p (Bonferroni, 6 pairs) is at least .0594, so no two metrics can differ "
        "significantly at .05. 1,000 trials suffice."
    )
    notes = evaluate(capsys, *inputs, "--rounds", "100")["notes"]
    assert unadjusted in notes
    assert few in notes
    notes = evaluate(capsys, *inputs, "--rounds", "1000")["notes"]
    assert unadjusted in notes
    assert not any("too few" in note for note in notes)
    notes = evaluate(capsys, *inputs[:2], "--scores", metrics[0], "--rounds", "100")["notes"]
    assert unadjusted not in notes


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
def test_correction_adjusts_the_p_values_of_all_pairs_of_metrics(capsys, scores, tmp_path, correction):
    human_scores, metric = scores
    rng, metrics = np.random.default_rng(7), []
    for number in range(4):
        noisy = {name: (values + rng.normal(0, 1 + number, 30)).round(3) for name, values in metric.items()}
        metrics.append(f"M{number}={write_scores(tmp_path / f'm{number}', noisy)}")
    inputs = ("--human", write_scores(tmp_path / "people", human_scores), "--scores", *metrics, "--rounds", "500")
    plain = evaluate(capsys, *inputs)
    assert not {"correction", "alpha", "better_adjusted"} & set(plain)
    assert "correction" not in plain["signature"]
    adjusted = evaluate(capsys, *inputs, "--correction", correction, "--alpha", "0.01")
    assert adjusted["better"] == plain["better"]
    assert (adjusted["correction"], adjusted["alpha"]) == (correction, 0.01)
    assert f"correction:{correction}|alpha:0.01" in adjusted["signature"]
    assert set(adjusted["better_adjusted"]) == set(plain["better"])
    pairs = [(first, second) for first in range(4) for second in range(first + 1, 4)]
    for figure, rows in adjusted["better_adjusted"].items():
        before, after = (
            np.asarray([table[f"M{first}"][f"M{second}"] for first, second in pairs], float)
            for table in (plain["better"][figure], rows)
        )
        assert after == pytest.approx(adjust_p(before, correction))
        assert (after > before).any()
    name = correction.capitalize()
    assert any(f"are adjusted with {name}" in note for note in adjusted["notes"])
    assert not any("unadjusted" in note for note in adjusted["notes"])
    _, out, _ = run_command(capsys, "study", "meta-evaluation", *inputs, "--correction", correction)
    assert f"p-values are adjusted with {name} for 6 pairs of metrics." in out
    _, out, _ = run_command(capsys, "study", "meta-evaluation", *inputs)
    assert "are adjusted" not in out


def test_correction_applies_to_the_charts(capsys, scores, tmp_path):
    human_scores, metric = scores
    rng = np.random.default_rng(3)
    noise = {name: rng.normal(0, 1, 30).round(3) for name in metric}
    human, files = write_scores(tmp_path / "people", human_scores), []
    for name, values in {"M": metric, "N": noise, "O": noise}.items():
        files.append(f"{name}={write_scores(tmp_path / name, values)}")
    command = ("study", "meta-evaluation", "--human", human, "--scores", *files, "--rounds", "200")
    texts = []
    for options in ((), ("--correction", "holm")):
        folder = tmp_path / f"pictures{len(options)}"
        assert run_command(capsys, *command, "--pictures", folder, *options)[0] == 0
        texts.append((folder / "better.spa.svg").read_text(encoding="utf-8"))
    assert "p-values are unadjusted." in texts[0]
    assert "adjusted with Holm" in texts[1]
    assert "unadjusted" not in texts[1]


def test_table_tsv_and_latex_output(capsys, score_files):
    command = ("study", "meta-evaluation", "--human", score_files[0], "--scores", f"M={score_files[1]}")
    code, out, _ = run_command(capsys, *command)
    assert code == 0
    assert "Correlation with human scores over 4 systems" in out
    code, out, _ = run_command(capsys, *command, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["metric"] for row in rows] == ["M"]
    assert float(rows[0]["pearson low"]) < float(rows[0]["pearson high"])
    code, out, _ = run_command(capsys, *command, "--format", "latex")
    assert code == 0
    assert out.count("\\begin{tabular}") >= 4


@pytest.fixture
def text_options(tmp_path, score_files):
    """Options for texts of the systems: those rated higher share more words with the references."""
    rng = np.random.default_rng(9)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    lines = [list(rng.choice(words, 6)) for _ in range(30)]
    for name, word_count in {"ref.A": 6, "ref.B": 5, "one": 2, "two": 3, "three": 4, "four": 5}.items():
        folder = tmp_path if name.startswith("ref") else tmp_path / "systems"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("".join(" ".join([*line[:word_count], "x"]) + "\n" for line in lines))
    return tmp_path / "ref.A", tmp_path / "ref.B", "--system", tmp_path / "systems", "--human", score_files[0]


def test_curves_agree_with_the_statistics(capsys, text_options):
    options = (
        "--reference", *text_options, "--metric", "BLEU", "unigram-Fmean", "--curve", "recall", "references",
        "--rounds", "100",
    )  # fmt: skip
    result = evaluate(capsys, *options)
    recall = result["curves"]["recall"]["unigram-Fmean"]
    assert [point["alpha"] for point in recall] == pytest.approx(np.linspace(0, 1, 21).tolist())
    published_point = next(point for point in recall if point["alpha"] == 0.9)
    assert published_point["pearson"] == pytest.approx(result["metrics"]["unigram-Fmean"]["pearson"])
    assert published_point["intervals"].items() <= result["metrics"]["unigram-Fmean"]["intervals"].items()
    references = result["curves"]["references"]
    assert list(references) == ["BLEU", "unigram-Fmean"]
    for name, points in references.items():
        assert [(entry["references"], entry["sets"], entry["sampled"]) for entry in points] == [
            (1, 2, False),
            (2, 1, False),
        ]
        assert points[1]["pearson"] == pytest.approx(result["metrics"][name]["pearson"])
    code, out, _ = run_command(capsys, "study", "meta-evaluation", *options)
    assert code == 0
    assert "Pearson is highest at recall weight" in out
    assert "Correlation with human scores by number of references" in out
    code, out, _ = run_command(capsys, "study", "meta-evaluation", *options, "--format", "tsv")
    rows = list(csv.DictReader(io.StringIO(out.partition("\n\n")[2]), delimiter="\t"))
    assert [(row["curve"], row["metric"]) for row in rows] == [
        *[("recall", "unigram-Fmean")] * 21, *[("references", "BLEU")] * 2, *[("references", "unigram-Fmean")] * 2,
    ]  # fmt: skip
    assert float(rows[18]["pearson"]) == pytest.approx(published_point["pearson"])
    assert "curves" not in evaluate(capsys, "--reference", *text_options, "--metric", "BLEU", "--rounds", "100")


def test_pictures_are_written_and_embedded_in_html(capsys, text_options, tmp_path):
    folder = tmp_path / "made" / "pictures"
    options = (
        "--reference", *text_options, "--metric", "BLEU", "TER", "--curve", "recall", "references", "--rounds", "100",
    )  # fmt: skip
    code, page, _ = run_command(capsys, "study", "meta-evaluation", *options, "--pictures", folder, "--format", "html")
    assert code == 0
    expected = [f"{metric}.{what}" for metric in ("BLEU", "TER") for what in ("systems", "pairs")]
    expected += ["curve.recall", "curve.references", *(f"better.{figure}" for figure in TESTED_STATISTICS)]
    assert {path.name for path in folder.iterdir()} == {f"{name}.svg" for name in expected}
    for path in folder.iterdir():
        picture = path.read_text()
        ElementTree.fromstring(picture)
        assert picture in page
    systems = (folder / "BLEU.systems.svg").read_text()
    assert all(f">{name}<" in systems for name in SYSTEMS)
    r = evaluate(capsys, *options)["metrics"]["BLEU"]["pearson"]
    assert f"BLEU vs. human scores: r {r:.3f} [" in systems
    assert ">TER<" in (folder / "better.spa.svg").read_text()


def test_metrics_of_similar_names_have_different_picture_files(capsys, score_files, tmp_path):
    options = (
        "--human",
        score_files[0],
        "--scores",
        f"a/b={score_files[1]}",
        f"a-b={score_files[1]}",
        "--pictures",
        tmp_path / "p",
    )
    evaluate(capsys, *options)
    assert {f"a-b.{what}.svg" for what in ("systems", "pairs", "systems-2", "pairs-2")} <= {
        path.name for path in (tmp_path / "p").iterdir()
    }


def test_impossible_curves_are_refused(capsys, score_files, text_options):
    error = evaluation_error(capsys, "--human", score_files[0], "--scores", f"M={score_files[1]}", "--curve", "recall")
    assert "--curve: curves need texts to score, but no texts are specified" in error
    other_error = evaluation_error(
        capsys, "--reference", *text_options[1:], "--metric", "BLEU", "--rounds", "100", "--curve", "references"
    )
    assert "needs at least two references" in other_error


def test_every_statistic_and_test_states_its_number_of_segments(capsys, score_files, scores, tmp_path):
    human_scores = {name: np.where(np.arange(30) < 10, np.nan, values) for name, values in scores[0].items()}
    human_scores["one"][9] = 1.0
    human = write_scores(tmp_path / "rated", human_scores)
    other = write_scores(tmp_path / "other", {name: -values for name, values in scores[1].items()})
    options = (
        "--human",
        human,
        "--scores",
        f"M={score_files[1]}",
        f"O={other}",
        "--rounds",
        "100",
        "--segments",
        "all",
    )
    study = evaluate(capsys, *options)
    # only one system has a score for segment 10, so there is nothing to compare it with
    expected = {"spa": 20, "segments_pearson": 21, "segments_kendall": 21, "acc_eq": 20}
    assert expected.items() <= study["metrics"]["M"]["n"].items()
    assert {name: test["segments"] for name, test in study["tests"].items()} == dict.fromkeys(study["tests"], 20)
    assert set(study["tests"]) == set(study["metrics"]["M"]["intervals"])
    assert study["tests"]["segments_kendall"]["test"] == study["tests"]["segments_pearson"]["test"] == "segments"
    _, out, _ = run_command(capsys, "study", "meta-evaluation", *options, "--format", "tsv")
    row = next(csv.DictReader(io.StringIO(out), delimiter="\t"))
    columns = {"n SPA": "20", "n acc_eq": "20", "n segments pearson": "21", "n segments kendall": "21"}
    assert columns.items() <= row.items()
    _, out, _ = run_command(capsys, "study", "meta-evaluation", *options)
    assert out.count("This test uses 20 segments.") == len(study["tests"])
