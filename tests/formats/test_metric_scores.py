"""Metric scores of translations as files of a corpus."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.cli.main import main
from qe_desktop.corpus import Kind, QeError
from qe_desktop.formats import CorpusPlan, Role, build_corpus, plan_imports
from qe_desktop.formats.importing.planned_file import ScoreDirection, usual_direction
from qe_desktop.formats.importing.roles import metric_name
from qe_desktop.formats.scores.metric_scores import read_metric_scores
from qe_desktop.formats.scores.system_scores import FORMAT
from qe_desktop.levels.translations.external_metrics import read_metric_arguments

COMET = "one\t0.5\none\tNone\ntwo\t0.25\ntwo\t1\n"
TEXTS = {"c.src": "a\nb\n", "translations/one.txt": "x\ny\n", "translations/two.txt": "z\ny\n"}


@pytest.fixture
def build(write, tmp_path):
    def make(onto=None, **files: str | bytes):
        for name, content in {**TEXTS, **files}.items():
            write(f"corpus/{name}", content)
        (plan,) = plan_imports([tmp_path / "corpus"])
        return build_corpus(plan, base_corpus=onto)

    return make


def score_lists(column) -> dict[str, list[float]]:
    return {name: scores.tolist() for name, scores in column.systems.items()}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("COMET.seg.score", "COMET"),
        ("en-de.mqm.seg.score.gz", "mqm"),
        ("MetricX-23-refA.seg.score.gz", "MetricX-23-refA"),
        ("chrF.tsv", "chrF"),
        ("BLEU.4.scores", "BLEU.4"),
        ("seg.score", "seg"),
    ],
)
def test_metric_name_is_derived_from_the_file_name(file, name):
    assert metric_name(Path(file)) == name


@pytest.mark.parametrize("packed", [False, True])
def test_metric_scores_are_part_of_the_corpus(build, packed):
    content = gzip.compress(COMET.encode()) if packed else COMET
    corpus = build(**{f"COMET.seg.score{'.gz' if packed else ''}": content})
    (column,) = corpus.metric_scores.values()
    assert list(corpus.metric_scores) == ["COMET"]
    np.testing.assert_equal(score_lists(column), {"one": [0.5, np.nan], "two": [0.25, 1.0]})
    assert (column.better, len(column), column.notes) == (1, 2, ())
    assert column.origin.startswith("COMET.seg.score")
    with pytest.raises(TypeError):
        column.systems["one"] = np.zeros(2)


def test_folder_of_metric_scores_may_contain_files_and_folders(build):
    """Files in this folder are metric scores, even if elsewhere they would be scores of a QE system."""
    corpus = build(**{
        "metric-scores/COMET.seg.score": COMET,
        "metric-scores/table.tsv": "seg\tone\ttwo\n0\t0.123\t0.456\n1\t0.789\t0.555\n",
        "metric-scores/BLEURT/one.scores": "1\n2\n",
        "metric-scores/BLEURT/two.scores": "3\n4\n",
    })  # fmt: skip
    assert not corpus.layers
    assert {name: score_lists(column) for name, column in corpus.metric_scores.items() if name != "COMET"} == {
        "table": {"one": [0.123, 0.789], "two": [0.456, 0.555]},
        "BLEURT": {"one": [1, 2], "two": [3, 4]},
    }
    assert corpus.metric_scores["BLEURT"].origin == "BLEURT"


def test_scores_without_a_metric_name_are_ignored(write, tmp_path):
    (plan,) = plan_imports([write("c/metrics/scores.txt", "1\n2\n"), write("c/c.src", "a\nb\n")])
    (file,) = (file for file in plan.files if file.path.name == "scores.txt")
    assert file.role is Role.IGNORED
    assert "the metric is unknown" in file.notes[-1]


def test_user_can_assign_the_metric_role(build, write):
    corpus = build()
    path = write("more/one.scores", "1\n2\n")
    (more,) = plan_imports([path])
    (file,) = more.files
    assert (file.role, file.kind) == (Role.SYSTEM, Kind.SCORES)
    assert not file.has_question(ScoreDirection)
    chosen = more.with_role(path, Role.METRIC, name="WER")
    assert chosen.files[0].has_question(ScoreDirection)
    built = build_corpus(chosen.with_answer(ScoreDirection.LESS), base_corpus=corpus)
    assert score_lists(built.metric_scores["WER"]) == {"one": [1, 2]}
    assert built.metric_scores["WER"].better == -1
    assert not built.layers


def test_systems_without_a_translation_are_noted_and_kept(build, write, tmp_path):
    corpus = build(**{"COMET.seg.score": COMET.replace("two", "refB")})
    (plan,) = plan_imports([tmp_path / "corpus"])
    (file,) = plan.files_with_role(Role.METRIC)
    assert file.notes == ("there is no translation by refB",)
    assert list(corpus.metric_scores["COMET"].systems) == ["one", "refB"]
    # the translations of an open corpus are unknown here
    (alone,) = plan_imports([tmp_path / "corpus" / "COMET.seg.score"])
    assert alone.files[0].notes == ()


def test_metric_scores_alone_make_a_corpus(write):
    corpus = build_corpus(plan_imports([write("COMET.seg.score", COMET)])[0])
    assert (corpus.size, list(corpus.metric_scores)) == (2, ["COMET"])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("one\t1\none\t2\none\t3\n", "3 scores for each system, but there are 2 segments"),
        ("one\t1\none\t2\ntwo\t1\ntwo\tx\n", ":4: \"x\" is not a number"),
        ("one\t1\none\t2\none\t2\ntwo\t1\n", "has 1 score, but"),
    ],
)  # fmt: skip
def test_mismatched_scores_are_refused(build, write, tmp_path, content, says):
    for name, text in TEXTS.items():
        write(f"corpus/{name}", text)
    write("corpus/M.seg.score", content)
    (plan,) = plan_imports([tmp_path / "corpus"])
    # unreadable files are detected when planning, mismatched ones when building
    (file,) = (file for file in plan.files if file.path.name == "M.seg.score")
    assert says in (file.problem or build_error(plan)).line()


def build_error(plan: CorpusPlan) -> QeError:
    with pytest.raises(QeError) as caught:
        build_corpus(plan)
    return caught.value


def test_system_level_scores_are_ignored(write):
    (plan,) = plan_imports([write("COMET.sys.score", "one\t1\ntwo\t2\n"), write("c.src", "a\nb\n")])
    (file,) = (file for file in plan.files if file.format == FORMAT.name)
    assert (file.role, file.notes) == (
        Role.IGNORED,
        ("scores of whole translations, not of segments",),
    )
    with pytest.raises(QeError, match="1 score for each system") as caught:
        build_corpus(plan.with_role(file.path, Role.METRIC, name="COMET"))
    assert "Use segment scores" in caught.value.line()


def test_metric_with_an_existing_name_is_refused(build, write):
    corpus = build(**{"COMET.seg.score": COMET})
    (more,) = plan_imports([write("COMET.seg.score", COMET)])
    with pytest.raises(QeError, match="already COMET scores"):
        build_corpus(more, base_corpus=corpus)
    added = build_corpus(more.with_role(more.files[0].path, Role.METRIC, name="other"), base_corpus=corpus)
    assert list(added.metric_scores) == ["COMET", "other"]


def test_files_of_one_metric_must_be_consistent(write):
    paths = [write("metrics/M/one.scores", "1\n2\n"), write("metrics/M/two.scores", "1\n2\n")]
    (plan,) = plan_imports(paths)
    differing = plan.with_answer(ScoreDirection.LESS, paths[0]).with_answer(ScoreDirection.MORE, paths[1])
    with pytest.raises(QeError, match="higher is better in one file, lower in another"):
        build_corpus(differing)
    assert build_corpus(plan.with_answer(ScoreDirection.LESS, paths[0])).metric_scores["M"].better == -1
    (duplicate,) = plan_imports([*paths, write("others/metrics/M/one.scores", "1\n2\n")])
    with pytest.raises(QeError, match="there are already M scores of one"):
        build_corpus(duplicate)
    paths[1].write_text("1\n2\n3\n")
    with pytest.raises(QeError, match="3 scores, but other systems have 2"):
        build_corpus(plan_imports(paths)[0])


@pytest.mark.parametrize(
    ("name", "scores", "better"),
    [
        ("COMET", [0.5, 0.1], ScoreDirection.MORE),
        ("TER", [0.0, 50.0], ScoreDirection.LESS),
        ("TER", [0.0, -50.0], ScoreDirection.MORE),
        ("wer_lower", [0.3], ScoreDirection.LESS),
        ("MetricX-24-Hybrid", [2.5, np.nan], ScoreDirection.LESS),
        ("MetricX-23-refA", [-2.5, np.nan], ScoreDirection.MORE),
        ("mqm", [0.0, 0.0, 5.0], ScoreDirection.LESS),
        ("mqm", [98.0, 100.0, 75.0], ScoreDirection.MORE),
        ("mqm", [-1.0, 0.0, 0.0], ScoreDirection.MORE),
        ("COMET-MQM", [0.0, 0.0, 5.0], ScoreDirection.MORE),
        ("per-segment", [1.0], ScoreDirection.MORE),
        ("CharacTER", [0.4], ScoreDirection.LESS),
        ("TER", [np.nan], ScoreDirection.MORE),
        ("", [], ScoreDirection.MORE),
    ],
)
def test_lower_is_better_only_if_certain(name, scores, better):
    assert usual_direction(name, [np.asarray(scores, np.float64)]) is better


@given(st.lists(st.floats(allow_infinity=False), max_size=5), st.text(max_size=12))
def test_lower_is_better_only_for_non_negative_scores(scores, name):
    direction = usual_direction(name, [np.asarray(scores, np.float64)])
    assert direction is ScoreDirection.MORE or min(value for value in scores if value == value) >= 0


def test_import_and_command_line_read_the_same_scores(build, tmp_path):
    corpus = build(**{
        "metric-scores/COMET.seg.score": COMET,
        "metric-scores/table.tsv": "seg\tone\ttwo\n0\t0.123\t0.456\n1\t0.789\t0.555\n",
        "metric-scores/BLEURT/one.scores": "1\n2\n",
        "metric-scores/BLEURT/two.scores": "3\n4\n",
    })  # fmt: skip
    paths = {"COMET": "COMET.seg.score", "table": "table.tsv", "BLEURT": "BLEURT"}
    folder = tmp_path / "corpus" / "metric-scores"
    read = read_metric_arguments([f"{name}={folder / path}" for name, path in paths.items()], [])
    for name, scores in read.items():
        np.testing.assert_equal(
            {system: values.tolist() for system, values in scores.systems.items()},
            score_lists(corpus.metric_scores[name]),
        )


def test_scores_without_a_system_name_are_refused(write):
    with pytest.raises(QeError, match="does not name the system to which its scores belong"):
        read_metric_scores(write("a.scores", "1\n2\n"))
    assert list(read_metric_scores(write("b.scores", "1\n2\n"), system="s").systems) == ["s"]


def test_large_metric_file_is_detected_by_its_first_bytes(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 10)
    (plan,) = plan_imports([write("TER.seg.score", COMET)])
    (file,) = plan.files
    assert (file.role, file.name, file.effective_answer(ScoreDirection)) == (Role.METRIC, "TER", ScoreDirection.LESS)
    assert "MB of metric scores" in file.description
    assert list(build_corpus(plan).metric_scores["TER"].systems) == ["one", "two"]


@pytest.mark.parametrize("content", ["0\t1\n1\t0\n1\t1\n0\t0\n", "a\t1\nb\t2\na\t3\n", "word\tother\n"])
def test_other_files_with_two_columns_are_not_detected(content):
    assert FORMAT.confidence(content.encode(), "x.tsv") == 0.0


def test_info_command_describes_metric_scores(write, capsys):
    assert main(["info", str(write("TER.seg.score", COMET.replace("None", "0.75")))]) == 0
    output = capsys.readouterr().out
    assert "scores of 2 segments of 2 systems: one, two" in " ".join(output.split())
    assert "lower is better" in output
