"""Segment scores on the command line and in the window: published values, analytic tests, invalid input."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Documents, Kind, LayerKey, Provenance
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_descriptions import method_sentence
from tests.command_line import json_output, run_command
from tests.levels import toy_level
from tests.ui.scores.conftest import ScoresEnvironment, environment  # noqa: F401


@pytest.fixture
def graham(data_folder):
    """Path of Graham's long table with 11 systems and HTER gold."""
    return data_folder / "graham2015/task-1.2.csv"


@pytest.mark.published
def test_wmt22_scores_equal_the_published_ones_from_table_and_submissions(capsys, data_folder):
    folder = data_folder / "wmt22_sentence"
    expected = json.loads((folder / "en-de.expected.json").read_text())
    table = folder / "en-de.tsv"
    whole = json_output(capsys, "score", "sentences", "--gold", table)
    assert whole["segments"] == 511
    assert list(whole["systems"]) == list(expected)
    for name, values in expected.items():
        for metric in ("Pearson", "Spearman", "MAE", "RMSE"):
            assert whole["systems"][name][metric] == pytest.approx(values[metric.lower()], rel=1e-9)
            assert round(whole["systems"][name][metric], 4) == values["published"][metric.lower()]
    submitted = json_output(capsys, "score", "sentences", "--gold", table, "--system", folder / "raw_en-de")
    assert set(submitted["systems"]) == set(expected)
    for name, values in whole["systems"].items():
        assert submitted["systems"][name] == pytest.approx(values, rel=1e-6)


@pytest.mark.published
def test_williams_p_values_equal_graham_2015(capsys, graham, data_folder):
    p = json_output(capsys, "compare", "sentences", "--gold", graham, "--test", "williams")["metrics"]["Pearson"]["p"]
    oracle = json.loads((data_folder.parent / "oracles/sentences/graham_task12_williams.json").read_text())
    assert len(oracle["rows"]) == 55
    for winner, loser, *_, expected in oracle["rows"]:
        assert p[winner][loser] == pytest.approx(expected, rel=1e-6)
    with (data_folder / "graham2015/expected_williams_pairs.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    two = json_output(capsys, "compare", "sentences", "--gold", graham, "--test", "williams-two-tailed")
    for row in rows:
        assert p[row["a"]][row["b"]] == pytest.approx(float(row["p_one"]), rel=1e-6)
        assert two["metrics"]["Pearson"]["p"][row["a"]][row["b"]] == pytest.approx(float(row["p_two"]), rel=1e-6)


@pytest.mark.published
def test_scores_equal_the_tables_of_graham_2015(capsys, graham, data_folder):
    report = json_output(capsys, "score", "sentences", "--gold", graham)
    expected = json.loads((data_folder.parent / "oracles/sentences/graham_task12_recomputed.json").read_text())
    assert (report["segments"], len(report["systems"])) == (expected["n"], 11)
    for name, values in expected["table"].items():
        system = report["systems"][name]
        assert system["Pearson"] == pytest.approx(values["r"], abs=1e-9)
        assert system["MAE"] == pytest.approx(values["MAE"], abs=1e-9)
        assert system["RMSE"] == pytest.approx(values["RMSE"], abs=1e-9)
        assert system["Spearman"] == pytest.approx(values["spearman"], abs=1e-9)


@pytest.mark.published
def test_correlations_with_published_direct_assessments(capsys, data_folder):
    path = data_folder / "shared_tasks/mlqe_ne-en_dev/dev.neen.df.short.tsv"
    code, out, err = run_command(capsys, "score", "sentences", "--gold", path)
    assert (code, out) == (2, "")
    assert "this table has 2 gold columns: mean, z_mean. Select a column with --gold-name NAME" in err
    with path.open() as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    model = [float(row["model_scores"]) for row in rows]
    for name in ("mean", "z_mean"):
        report = json_output(capsys, "score", "sentences", "--gold", path, "--gold-name", name)
        expected = np.corrcoef(model, [float(row[name]) for row in rows])[0, 1]
        assert report["systems"]["model_scores"]["Pearson"] == pytest.approx(expected)
    folder = data_folder / "shared_tasks/mlqe_ne-en_test21/goldlabels"
    other = json_output(
        capsys, "score", "sentences", "--gold", folder / "test21.da", "--system", folder / "test21.hter"
    )
    golds = [np.loadtxt(folder / f"test21.{name}") for name in ("da", "hter")]
    assert other["systems"]["test21"]["Pearson"] == pytest.approx(np.corrcoef(golds)[0, 1])


@pytest.fixture
def files(tmp_path):
    def write_files(**columns):
        for name, values in columns.items():
            (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
        return tmp_path

    return write_files


GOLD = (0.1, 0.5, 0.2, 0.9, 0.4, 0.7)


def test_lower_error_is_better_and_randomization_p_is_exact(capsys, files):
    folder = files(gold=GOLD, near=[value + 0.01 for value in GOLD], far=[value + 0.5 for value in GOLD])
    inputs = ("--gold", folder / "gold", "--system", folder / "far", folder / "near")
    comparison = json_output(
        capsys, "compare", "sentences", *inputs, "--metric", "mae", "pearson", "--test", "randomisation"
    )  # fmt: skip
    assert comparison["systems"][0] == "near"
    assert comparison["metrics"]["MAE"]["scores"]["near"] == pytest.approx(0.01)
    # of all 2^6 swaps, only swapping no or all segments reaches the observed difference
    assert comparison["metrics"]["MAE"]["p"]["near"]["far"] == pytest.approx(2 / 64)
    assert comparison["metrics"]["Pearson"]["p"]["near"]["far"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("metrics", "test"),
    [
        (("pearson", "spearman"), "williams-two-tailed"),
        (("mae",), "randomisation"),
        (("pearson", "rmse"), "randomisation"),
    ],
)
def test_default_test_depends_on_metric_and_unit(capsys, files, metrics, test):
    folder = files(gold=GOLD, a=GOLD, b=GOLD[::-1], documents=("x", "x", "x", "y", "y", "y"))
    inputs = ("--gold", folder / "gold", "--system", folder / "a", folder / "b", "--metric", *metrics)
    assert json_output(capsys, "compare", "sentences", *inputs)["test"] == test
    units = ("--unit", "document", "--documents", folder / "documents")
    assert json_output(capsys, "compare", "sentences", *inputs, *units)["test"] == "randomisation"
    code, _, err = run_command(capsys, "compare", "sentences", *inputs[:5], *units, "--test", "williams")
    assert code == 2
    assert "uses segments as units, not documents" in err


def test_correlations_of_constant_scores_are_undefined_and_noted(capsys, files):
    folder = files(gold=GOLD, flat=[0.5] * 6, good=GOLD[::-1])
    inputs = ("--gold", folder / "gold", "--system", folder / "flat", folder / "good")
    report = json_output(capsys, "score", "sentences", *inputs)
    assert report["systems"]["flat"]["Pearson"] is None
    assert any("Pearson of flat" in note for note in report["notes"])
    for test in ("williams", "randomisation", "bootstrap"):
        compared = json_output(
            capsys, "compare", "sentences", *inputs, "--metric", "Pearson", "--test", test, "--rounds", 100
        )
        assert compared["metrics"]["Pearson"]["p"]["flat"]["good"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--metric", "mae", "--test", "williams"),
            "the Williams test compares Pearson or Spearman correlations, not MAE",
        ),
        (("--metric", "f1"), "there is no metric “f1”"),
        (("--metric", "Kendall"), "Kendall compares each segment with all others"),
        (("--metric", "DeltaAvg", "--test", "bootstrap"), "DeltaAvg compares each segment with all others"),
    ],
)
def test_incompatible_metric_and_test_are_errors(capsys, files, arguments, says):
    folder = files(gold=GOLD, a=GOLD, b=GOLD[::-1])
    inputs = ("--gold", folder / "gold", "--system", folder / "a", folder / "b")
    code, out, err = run_command(capsys, "compare", "sentences", *inputs, *arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_intervals_and_clusters(capsys, files):
    dice = np.random.default_rng(5)
    gold = dice.normal(size=200)
    folder = files(gold=gold, a=gold + dice.normal(size=200) / 4, b=gold + dice.normal(size=200) * 3)
    inputs = ("--gold", folder / "gold", "--system", folder / "a", folder / "b")
    report = json_output(capsys, "score", "sentences", *inputs, "--intervals")
    low, high = report["intervals"]["a"]["Pearson"]
    assert low < report["systems"]["a"]["Pearson"] < high
    assert report["intervals"]["a"]["Kendall"] is None
    closed = json_output(capsys, "score", "sentences", *inputs, "--intervals", "fisher")["intervals"]["a"]
    assert closed["Pearson"] == pytest.approx([low, high], abs=0.03)
    assert closed["Pearson"] != [low, high]
    assert closed["MAE"] == report["intervals"]["a"]["MAE"]
    compared = json_output(capsys, "compare", "sentences", *inputs, "--intervals")
    assert compared["intervals"]["a"] == {"Pearson": [low, high]}
    assert compared["metrics"]["Pearson"]["clusters"] == [["a"], ["b"]]
    code, out, _ = run_command(capsys, "score", "sentences", *inputs, "--intervals", "--format", "tsv")
    assert code == 0
    assert out.splitlines()[0].split("\t")[:4] == ["system", "Pearson", "Pearson low", "Pearson high"]
    code, out, _ = run_command(capsys, "compare", "sentences", *inputs, "--intervals")
    assert f"[{low:.4f}, {high:.4f}]" in out
    assert "95 % intervals" in out


@pytest.mark.parametrize(
    ("system", "says"),
    [
        ((0.1, 0.2), "2 scores for 6 segments"),
        ((0.1, "high", 0.2, 0.9, 0.4, 0.7), ":2: "),
        ((0.1, "nan", 0.2, 0.9, 0.4, 0.7), ":2: "),
        (
            tuple(f"en-de\tsys\t{n}\t0.5" for n in (0, 1, 2, 3, 4, 4)),
            "duplicate segment 4, which first occurs in line 5",
        ),
        (tuple(f"en-de\tsys\t{n}\t0.5" for n in (0, 1, 2, 3, 4)), "1 of 6 segments"),
    ],
)
def test_invalid_scores_are_reported_with_their_line(capsys, files, system, says):
    folder = files(gold=GOLD, system=system)
    code, out, err = run_command(capsys, "score", "sentences", "--gold", folder / "gold", "--system", folder / "system")
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_too_few_segments_for_the_williams_test(capsys, files):
    folder = files(gold=GOLD[:3], a=GOLD[:3], b=GOLD[2::-1])
    code, _, err = run_command(
        capsys, "compare", "sentences", "--gold", folder / "gold", "--system", folder / "a", folder / "b"
    )  # fmt: skip
    assert code == 2
    assert "needs at least 4 segments" in err


def test_window_uses_williams_for_correlations_and_randomization_for_errors(environment: ScoresEnvironment, qtbot):  # noqa: F811
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    environment.open(toy_level.make_corpus(gold, near=gold + rng.normal(size=40) / 9, far=gold + rng.normal(size=40)))
    panel = ScoresArea(environment.comparison)
    qtbot.addWidget(panel)
    assert environment.workspace.level.name == "sentences"
    environment.wait()
    for metric, test, rounds in (
        ("Pearson", "williams-two-tailed", 0),
        ("MAE", "randomisation", 1000),
        ("Pearson", "williams-two-tailed", 0),
    ):
        environment.comparison.set_metric(metric)
        environment.wait()
        comparison = environment.comparison.result.comparison
        assert (comparison.options.test, comparison.rounds) == (test, rounds)
        assert comparison.of(metric).beats[0, 1]
        assert environment.comparison.snapshot().metric == metric
        # the best system is first for either direction of the metric
        assert panel.systems.table.scores_model.index(0, 0).data() == "near"


@pytest.fixture
def score_options(environment: ScoresEnvironment, qtbot):  # noqa: F811
    """Options of the Scores area for a corpus with documents."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    opened = toy_level.make_corpus(gold, near=gold + rng.normal(size=40) / 9, far=gold + rng.normal(size=40))
    environment.open(replace(opened, documents=Documents.from_names([f"d{index // 4}" for index in range(40)])))
    area = ScoresArea(environment.comparison)
    qtbot.addWidget(area)
    return area.systems.options


def test_rounds_option_is_disabled_for_an_analytic_test(environment: ScoresEnvironment, score_options):  # noqa: F811
    assert not score_options._rounds.isEnabled()
    assert "p is computed analytically, without trials" in score_options._rounds.toolTip()
    assert score_options._labels[score_options._unit].text() == "Resampling &unit"
    assert "resampled for intervals. With documents as the unit, the test is Approximate" in (
        score_options._unit.accessibleDescription()
    )
    assert "same intervals" in score_options._seed.toolTip()
    environment.comparison.set_metric("MAE")
    environment.wait()
    assert score_options._rounds.isEnabled()
    assert "larger numbers give more precise p-values" in score_options._rounds.toolTip()
    assert score_options._labels[score_options._unit].text() == "Resampling &unit"
    assert "Unit permuted in tests" in score_options._unit.toolTip()
    assert "same p-values" in score_options._seed.toolTip()


def test_document_unit_changes_the_test_to_randomization(environment: ScoresEnvironment, score_options):  # noqa: F811
    line = method_sentence(environment.comparison.result.comparison.options)
    assert line.startswith(
        "Williams test, two-sided, analytic; intervals by percentile bootstrap over segments, seed 1."
    )
    score_options._unit.setCurrentIndex(1)
    score_options._unit.activated.emit(1)
    environment.wait()
    assert score_options._rounds.isEnabled()
    assert score_options._labels[score_options._unit].text() == "Resampling &unit"
    comparison = environment.comparison.result.comparison
    assert (comparison.options.test, comparison.units) == ("randomisation", 10)
    assert "documents are permuted in tests" in method_sentence(comparison.options)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("hter", "HTER"), ("da", "direct assessments"), ("scores", "gold scores"), ("gold", "gold scores"),
        ("seconds", "seconds"),
    ],
)  # fmt: skip
def test_gold_layers_have_readable_names(name, called):
    assert SENTENCES.reference_name(LayerKey(Provenance.GOLD, name, Kind.SCORES)) == called


def test_comparison_title_names_the_test(capsys, files):
    folder = files(gold=GOLD, a=GOLD, b=GOLD[::-1])
    inputs = ("compare", "sentences", "--gold", folder / "gold", "--system", folder / "a", folder / "b")
    assert "Pearson. Williams test, two-sided: p in closed form\n" in run_command(capsys, *inputs)[1]
    one_tailed = run_command(capsys, *inputs, "--test", "williams")[1]
    assert "Pearson. Williams test, one-sided: p in closed form\n" in one_tailed
    assert "one-sided for the system with the higher correlation" in one_tailed
    assert "number of clusters are therefore at least as high as with that test" in one_tailed
    assert (
        "MAE. Approximate randomization, two-sided: exact p from all 64 permutations of segments"
        in (run_command(capsys, *inputs, "--metric", "MAE")[1])
    )
    randomized = run_command(capsys, *inputs, "--metric", "MAE", "--rounds", "50", "--seed", "3")[1]
    assert "MAE. Approximate randomization, two-sided: p from 50 trials over segments, seed 3\n" in randomized
