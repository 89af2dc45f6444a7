"""Direction of metric scores: every command notes scores whose sign looks reversed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, MetricColumn, TextColumn, View
from qe_desktop.formats.importing.planned_file import orientation_warning
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.external_metrics import ExternalMetricScores, orientation_notes
from qe_desktop.metrics.external import external_metric
from qe_desktop.studies.meta_eval.meta_eval_inputs import build_meta_eval_data
from tests.command_line import json_output
from tests.studies.test_score_join import SIZE, ratings
from tests.studies.test_score_join import SYSTEMS as RATED

NEGATED_NOTE = (
    "most MetricX scores are 0 or below, which suggests that higher is better, but lower is treated as better"
)
DIRECTION_NOTE = "for MetricX, lower is usually better, but higher is treated as better"
SYSTEMS = ("a", "b", "c", "d", "e", "f")
SEGMENTS = 40


def error_scores(sign):
    """Return error scores as of MetricX times `sign`; one score lies on the other side of 0."""
    dice = np.random.default_rng(4)
    result = {name: 1 + index + dice.random(SEGMENTS) for index, name in enumerate(SYSTEMS)}
    result["a"][0] = -0.2
    return {name: sign * values for name, values in result.items()}


def write_scores(path, scores):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{name}\t{value}\n" for name, values in scores.items() for value in values))
    return path


@pytest.fixture
def files(tmp_path):
    """Texts, human scores, and MetricX scores with reversed sign."""
    texts = {"ref.A": ["w x y z"] * SEGMENTS} | {f"systems/{name}.txt": [f"w x {name}"] * SEGMENTS for name in SYSTEMS}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in text))
    write_scores(tmp_path / "turned.seg.score", error_scores(-1))
    write_scores(tmp_path / "people.tsv", {name: 100 - 10 * values for name, values in error_scores(1).items()})
    return tmp_path


def notes(capsys, *arguments):
    return json_output(capsys, *arguments)["notes"]


@pytest.mark.parametrize(
    ("name", "better", "values", "message"),
    [
        ("MetricX", -1, [-3, -1, -0.5], True), ("COMET", -1, [-3, -1, 0], True), ("TER", -1, [0, 20, 35], False),
        ("MetricX", 1, [-0.1, *[2] * 20], True), ("MetricX", -1, [0.1, *[-2] * 20], True),
        ("MetricX", -1, [-0.1, *[2] * 20], False), ("MetricX", 1, [0.1, *[-2] * 20], False),
        ("MetricX", 1, [-3, -1, -0.5], False), ("MetricX", 1, [3, 1, 0.5], True), ("COMET", 1, [3, 1, 0.5], False),
        # an unknown metric, scores on both sides of 0, no scores at all
        ("M", -1, [0.2, 0.4], False), ("M", -1, [-1, 1, 2], False), ("M", -1, [0, 0], False),
        ("M", -1, [np.nan, np.nan], False), ("M", -1, [np.nan, -1], True), ("M", 1, [], False),
    ],
)  # fmt: skip
def test_orientation_warning_for_scores_that_look_negated(name, better, values, message):
    assert bool(orientation_warning(name, better, [np.asarray(values, float)])) is message


def test_every_command_notes_negated_scores_and_missing_lower_option(capsys, files):
    texts = ("--reference", files / "ref.A", "--system", files / "systems")
    turned = ("--scores", f"MetricX={files / 'turned.seg.score'}")
    plain = ("--scores", f"MetricX={write_scores(files / 'plain.seg.score', error_scores(1))}")
    few = ("--rounds", 20)
    for command in (
        ("score", "translations", *texts),
        ("compare", "translations", *texts, *few),
        ("study", "meta-evaluation", "--human", files / "people.tsv", *few),
    ):
        assert f"{NEGATED_NOTE}; omit --lower MetricX if higher is better" in notes(
            capsys, *command, *turned, "--lower", "MetricX"
        )
        assert f"{DIRECTION_NOTE}; use --lower MetricX if lower is better" in notes(capsys, *command, *plain)
        for right in ((*turned,), (*plain, "--lower", "MetricX")):
            assert not any(DIRECTION_NOTE in note or NEGATED_NOTE in note for note in notes(capsys, *command, *right))


def test_notes_quote_a_metric_name_for_the_shell():
    scores = ExternalMetricScores(external_metric("MetricX 24", 1), {"A": np.array([3, 1, 0.5])}, Path("a"))
    (note,) = orientation_notes("MetricX 24", scores)
    assert note.endswith("; use --lower 'MetricX 24' if lower is better")


def test_findings_note_negated_scores_for_each_pair(capsys, files):
    folder = files / "task" / "en-de"
    for name in ("ref.A", *(f"systems/{name}.txt" for name in SYSTEMS)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text((files / name).read_text())
    write_scores(folder / "MetricX.seg.score", error_scores(-1))
    arguments = ("findings", files / "task", "--rounds", 20)
    assert not any(NEGATED_NOTE in note for note in notes(capsys, *arguments))
    assert any(NEGATED_NOTE in note for note in notes(capsys, *arguments, "--lower", "MetricX"))


def test_negative_correlation_with_human_scores_is_noted(capsys, files):
    """The range of these scores does not indicate their direction."""
    above = write_scores(files / "above.seg.score", {name: 10 + values for name, values in error_scores(-1).items()})
    arguments = ("study", "meta-evaluation", "--human", files / "people.tsv", "--scores", f"M={above}", "--rounds", 20)
    against = "Pearson of M with human scores is negative: the metric scores or the human scores may measure errors"
    assert not any(note.startswith(against) for note in notes(capsys, *arguments))
    assert any(note.startswith(against) for note in notes(capsys, *arguments, "--lower", "M"))
    # human scores of whole systems
    (files / "systems.tsv").write_text("".join(f"{name}\t{9 - index}\n" for index, name in enumerate(SYSTEMS)))
    alone = ("study", "meta-evaluation", "--human", files / "systems.tsv", "--scores", f"M={above}", "--rounds", 20)
    assert any(note.startswith(against) for note in notes(capsys, *alone, "--lower", "M"))


def test_level_of_the_window_warns_about_negated_scores():
    texts = {name: TextColumn.of(["w x"] * SEGMENTS) for name in SYSTEMS}
    column = MetricColumn(error_scores(-1), -1, "MetricX.seg.score")
    reference = {"A": TextColumn.of(["w y"] * SEGMENTS)}
    view = View(Corpus("c", SEGMENTS, translations=texts, references=reference, metric_scores={"MetricX": column}))
    scoring = Scoring.of(TRANSLATIONS, view)
    assert scoring is not None
    level = scoring.level
    assert level.remarks == [NEGATED_NOTE]
    assert level.headline(scoring).endswith(f"; {NEGATED_NOTE}")
    assert NEGATED_NOTE in level.metrics["MetricX"].help()
    # the window names no option of the command line
    assert "--" not in level.headline(scoring)
    result = {name: values[:SIZE] for name, values in zip(RATED, error_scores(-1).values(), strict=False)}
    rated = Corpus("c", SIZE, metric_scores={"MetricX": MetricColumn(result, -1)})
    assert NEGATED_NOTE in build_meta_eval_data(View(rated), ratings()).notes
