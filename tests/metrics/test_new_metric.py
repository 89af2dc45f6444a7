"""A new metric is one registry entry: command line, report and window support it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.cli.main import main
from qe_desktop.corpus import Kind
from qe_desktop.metrics import WORD_METRICS, Metric, ScoreTerm
from qe_desktop.metrics.family import ratio
from qe_desktop.metrics.tags.word_f1_mcc import WORDS
from qe_desktop.ui.scores.area import ScoresArea
from tests.ui.scores.conftest import ScoresEnvironment, corpus, environment  # noqa: F401


def _bad_share_parts(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    return tp + fp, words


SHARE_BAD = Metric(
    "share-BAD",
    WORDS,
    (ScoreTerm(_bad_share_parts, ratio),),
    0,
    1,
    "The share of words called BAD.",
    "made for a test",
    better=-1,
)


@pytest.fixture(autouse=True)
def registered_metric(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WORD_METRICS, SHARE_BAD.name, SHARE_BAD)


def test_new_metric_is_scored_and_compared_by_name(tmp_path, capsys) -> None:
    for name, lines in (("gold", "OK BAD\nOK OK\n"), ("much", "BAD BAD\nBAD OK\n"), ("none", "OK OK\nOK OK\n")):
        (tmp_path / f"{name}.tags").write_text(lines)
    files = [
        "--gold",
        str(tmp_path / "gold.tags"),
        "--system",
        *(str(tmp_path / f"{n}.tags") for n in ("much", "none")),
    ]
    assert main(["score", "words", *files, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["systems"]["much"]["share-BAD"] == 0.75
    assert main(["compare", "words", *files, "--metric", "share-bad", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"] == ["none", "much"], "lower is better"


def test_window_offers_and_ranks_by_the_new_metric(environment: ScoresEnvironment, corpus: Any, qtbot: QtBot) -> None:  # noqa: F811
    opened = corpus(2)
    area = ScoresArea(environment.comparison)
    qtbot.addWidget(area)
    environment.open(opened)
    environment.comparison.set_metric(SHARE_BAD.name)
    environment.wait()
    assert SHARE_BAD.name in [metric.name for metric in area.systems.table.scores_model.metrics()]
    shares = [layer.tags.values.mean() for key, layer in opened.layers.items() if key.kind is Kind.WORDS][1:]
    assert environment.scores.values[SHARE_BAD.name] == pytest.approx(shares)
    matrix = area.systems.matrix.view.matrix
    best = [f"system {index}" for index in np.argsort(shares)]
    assert [matrix.name(index) for index in range(2)] == best
