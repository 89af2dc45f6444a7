"""Which scores of a metric are better: what looks turned is noted by every command."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, MetricColumn, TextColumn, View
from qe_desktop.formats.scores.score_direction import orientation_warning
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.studies.meta_eval.view_inputs import build_meta_eval_data
from tests.commands import answer
from tests.studies.test_set_beside import SIZE, ratings
from tests.studies.test_set_beside import SYSTEMS as RATED

TURNED = "MetricX scores are 0 or below, as if negated so that higher is better, but here lower is"
USUALLY = "for MetricX, lower is usually better, but here higher is"
SYSTEMS = ("a", "b", "c", "d", "e", "f")
SEGMENTS = 40


def errors(sign):
    """Scores as MetricX gives them, the more the worse, or with their sign turned; some are on the other side of 0."""
    dice = np.random.default_rng(4)
    found = {name: 1 + place + dice.random(SEGMENTS) for place, name in enumerate(SYSTEMS)}
    found["a"][0] = -0.2
    return {name: sign * values for name, values in found.items()}


def lines(path, scores):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{name}\t{value}\n" for name, values in scores.items() for value in values))
    return path


@pytest.fixture
def files(tmp_path):
    """Texts, people's scores, and MetricX with its sign turned."""
    texts = {"ref.A": ["w x y z"] * SEGMENTS} | {f"systems/{name}.txt": [f"w x {name}"] * SEGMENTS for name in SYSTEMS}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("".join(f"{line}\n" for line in text))
    lines(tmp_path / "turned.seg.score", errors(-1))
    lines(tmp_path / "people.tsv", {name: 100 - 10 * values for name, values in errors(1).items()})
    return tmp_path


def notes(capsys, *arguments):
    return answer(capsys, *arguments)["notes"]


@pytest.mark.parametrize(
    ("name", "better", "values", "said"),
    [
        ("MetricX", -1, [-3, -1, -0.5], True), ("COMET", -1, [-3, -1, 0], True), ("TER", -1, [0, 20, 35], False),
        ("MetricX", 1, [-0.1, *[2] * 20], True), ("MetricX", -1, [0.1, *[-2] * 20], True),
        ("MetricX", -1, [-0.1, *[2] * 20], False), ("MetricX", 1, [0.1, *[-2] * 20], False),
        ("MetricX", 1, [-3, -1, -0.5], False), ("MetricX", 1, [3, 1, 0.5], True), ("COMET", 1, [3, 1, 0.5], False),
        # a metric of which nothing is known, or whose scores lie on both sides; nothing at all
        ("M", -1, [0.2, 0.4], False), ("M", -1, [-1, 1, 2], False), ("M", -1, [0, 0], False),
        ("M", -1, [np.nan, np.nan], False), ("M", -1, [np.nan, -1], True), ("M", 1, [], False),
    ],
)  # fmt: skip
def test_what_looks_turned(name, better, values, said):
    assert bool(orientation_warning(name, better, [np.asarray(values, float)])) is said


def test_both_ways_are_noted_by_every_command(capsys, files):
    texts = ("--reference", files / "ref.A", "--system", files / "systems")
    turned = ("--scores", f"MetricX={files / 'turned.seg.score'}")
    plain = ("--scores", f"MetricX={lines(files / 'plain.seg.score', errors(1))}")
    few = ("--rounds", 20)
    for command in (
        ("score", "translations", *texts),
        ("compare", "translations", *texts, *few),
        ("study", "meta-evaluation", "--human", files / "people.tsv", *few),
    ):
        assert f"{TURNED}; omit --lower MetricX if higher is better" in notes(
            capsys, *command, *turned, "--lower", "MetricX"
        )
        assert f"{USUALLY}; confirm with --lower MetricX" in notes(capsys, *command, *plain)
        for right in ((*turned,), (*plain, "--lower", "MetricX")):
            assert not any(USUALLY in one or TURNED in one for one in notes(capsys, *command, *right))


def test_findings_note_it_for_each_pair(capsys, files):
    folder = files / "task" / "en-de"
    for name in ("ref.A", *(f"systems/{name}.txt" for name in SYSTEMS)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text((files / name).read_text())
    lines(folder / "MetricX.seg.score", errors(-1))
    given = ("findings", files / "task", "--rounds", 20)
    assert not any(TURNED in note for note in notes(capsys, *given))
    assert any(TURNED in note for note in notes(capsys, *given, "--lower", "MetricX"))


def test_a_metric_that_runs_against_people_is_noted(capsys, files):
    """Whatever its scores look like."""
    above = lines(files / "above.seg.score", {name: 10 + values for name, values in errors(-1).items()})
    given = ("study", "meta-evaluation", "--human", files / "people.tsv", "--scores", f"M={above}", "--rounds", 20)
    against = "Pearson of M is negative: the scores may have opposite directions"
    assert not any(note.startswith(against) for note in notes(capsys, *given))
    assert any(note.startswith(against) for note in notes(capsys, *given, "--lower", "M"))
    # systems alone
    (files / "systems.tsv").write_text("".join(f"{name}\t{9 - place}\n" for place, name in enumerate(SYSTEMS)))
    alone = ("study", "meta-evaluation", "--human", files / "systems.tsv", "--scores", f"M={above}", "--rounds", 20)
    assert any(note.startswith(against) for note in notes(capsys, *alone, "--lower", "M"))


def test_the_window_says_it_of_what_is_open():
    texts = {name: TextColumn.of(["w x"] * SEGMENTS) for name in SYSTEMS}
    column = MetricColumn(errors(-1), -1, "MetricX.seg.score")
    reference = {"A": TextColumn.of(["w y"] * SEGMENTS)}
    view = View(Corpus("c", SEGMENTS, translations=texts, references=reference, metric_scores={"MetricX": column}))
    scoring = Scoring.of(TRANSLATIONS, view)
    assert scoring is not None
    level = scoring.level
    assert level.remarks == [TURNED]
    assert level.headline(scoring).endswith(f"; {TURNED}")
    assert TURNED in level.metrics["MetricX"].help()
    # no option of the command line
    assert "--" not in level.headline(scoring)
    found = {name: values[:SIZE] for name, values in zip(RATED, errors(-1).values(), strict=False)}
    rated = Corpus("c", SIZE, metric_scores={"MetricX": MetricColumn(found, -1)})
    assert TURNED in build_meta_eval_data(View(rated), ratings()).notes
