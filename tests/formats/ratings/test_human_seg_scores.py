"""Human segment scores of systems, one `system⇥score` per line, distinguished from metric scores by file name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.ratings import MEAN_RATER, detect_rating_format, read_ratings
from qe_desktop.formats.ratings.wmt_ratings import is_human_scores_name
from qe_desktop.formats.text_files import open_file
from qe_desktop.ratings.results.scale_results import output_means
from tests.command_line import json_output

LINES = "one\t-1\none\tNone\none\t0\ntwo\t-2.5\ntwo\t-1\ntwo\t-3\nthree\t-9\nthree\t-5\nthree\t-4\n"
TEXTS = {name: f"{name} says a\n{name} says b\n{name} says c\n" for name in ("one", "two", "three")}


@pytest.mark.parametrize(
    "name",
    [
        "mqm.seg.score", "en-de.mqm.seg.score.gz", "human.seg.score", "wmt-z.seg.score", "da-sqm.seg.score", "DA.score",
        "zh-en.wmt-appraise-z.seg.score", "esa-merged.seg.score", "round2.mqm.seg.score", "mqm-rater1.seg.score",
    ],
)  # fmt: skip
def test_names_of_human_scores_are_recognized(name):
    assert is_human_scores_name(Path(name))


@pytest.mark.parametrize(
    "name",
    [
        "COMET-DA.seg.score", "GEMBA-MQM-src.seg.score.gz", "wmt22-comet-da.seg.score", "damage.seg.score",
        "UniTE-mqm.seg.score", "hter.seg.score", "chrF-refA.seg.score", "esaTER.seg.score",
    ],
)  # fmt: skip
def test_names_of_metric_scores_are_not_human_scores(name):
    assert not is_human_scores_name(Path(name))


@pytest.fixture
def folder(write, tmp_path):
    def make(**files: str) -> Path:
        for name, text in TEXTS.items():
            write(f"corpus/translations/{name}", text)
        write("corpus/ref", TEXTS["one"])
        for name, text in files.items():
            write(f"corpus/{name}", text)
        return tmp_path / "corpus"

    return make


def test_human_scores_are_ratings_of_the_corpus(folder):
    (plan,) = plan_imports([folder(**{"mqm.seg.score": LINES, "COMET.seg.score": LINES})])
    roles = {file.path.name: file.role for file in plan.files}
    assert roles["mqm.seg.score"] is Role.RATINGS
    assert roles["COMET.seg.score"] is Role.METRIC
    corpus = build_corpus(plan)
    assert list(corpus.metric_scores) == ["COMET"]
    scores = corpus.ratings.scores
    assert scores.raters == (MEAN_RATER,)
    assert [(row.system, row.segment, row.value) for row in scores.rows()] == [
        ("one", "1", -1), ("one", "3", 0), ("two", "1", -2.5), ("two", "2", -1), ("two", "3", -3),
        ("three", "1", -9), ("three", "2", -5), ("three", "3", -4),
    ]  # fmt: skip


def test_user_can_swap_human_and_metric_roles(folder):
    (plan,) = plan_imports([folder(**{"mqm.seg.score": LINES, "COMET.seg.score": LINES})])
    for file in plan.files:
        if file.path.name.endswith("seg.score"):
            plan = plan.with_role(file.path, Role.METRIC if file.role is Role.RATINGS else Role.RATINGS)
    corpus = build_corpus(plan)
    assert list(corpus.metric_scores) == ["mqm"]
    assert len(corpus.ratings.scores) == 8


def test_different_number_of_segments_is_refused(folder):
    (plan,) = plan_imports([folder(**{"mqm.seg.score": "one\t1\none\t2\ntwo\t1\ntwo\t2\n"})])
    with pytest.raises(QeError, match="2 scores for each system, but there are 3 segments"):
        build_corpus(plan)


@pytest.mark.parametrize("name", ["corpus", "first, second"])
def test_ratings_that_are_already_open_are_refused(folder, name):
    path = folder(**{"mqm.seg.score": LINES})
    path = path.rename(path.with_name(name))
    corpus = build_corpus(plan_imports([path])[0])
    with pytest.raises(QeError, match="the ratings in this file are already open"):
        build_corpus(plan_imports([path / "mqm.seg.score"])[0], base_corpus=corpus)


def test_penalties_are_negated(write):
    path = write("mqm.seg.score", "one\t0\none\t0\none\t5\ntwo\t0\ntwo\t1\ntwo\t0\n")
    ratings = read_ratings(path)
    assert ratings.scores.value.tolist() == [0, 0, -5, 0, -1, 0]
    assert not np.signbit(ratings.scores.value[0])
    assert "scores are penalties; they are negated so that higher is better" in ratings.notes


def test_metric_scores_are_not_detected_as_ratings(write):
    assert detect_rating_format(open_file(write("COMET.seg.score", LINES)))[1] == 0


def test_human_score_commands_use_raw_means(write, capsys):
    path = write("mqm.seg.score", LINES)
    level = json_output(capsys, "score", "human", "--human", path)["systems"]
    assert {name: next(iter(values.values())) for name, values in level.items()} == pytest.approx(
        {"one": -0.5, "two": -6.5 / 3, "three": -6}
    )
    # means of unknown raters cannot be standardized, so raw scores are compared
    assert all("z" not in values for values in level.values())
    means = output_means(read_ratings(path).scores)
    assert means.z is None
    assert means.comparison_means is means.raw
    metric = write("COMET.seg.score", LINES.replace("None", "1"))
    study = json_output(
        capsys, "study", "meta-evaluation", "--human", path, "--scores", f"COMET={metric}", "--segments", "all"
    )
    assert study["humans"] == pytest.approx({"one": -0.5, "two": -6.5 / 3, "three": -6})


def test_meta_evaluation_negates_penalties(write, capsys):
    penalties = LINES.replace("-", "").replace("9", "0").replace("5\nthree\t4", "0\nthree\t0")
    path, metric = write("mqm.seg.score", penalties), write("COMET.seg.score", LINES.replace("None", "1"))
    study = json_output(capsys, "study", "meta-evaluation", "--human", path, "--scores", f"COMET={metric}")
    assert study["humans"]["one"] == -0.5
    assert "scores are penalties; they are negated so that higher is better" in study["notes"]
