"""A level that no other package imports: one guess per segment against one number per segment.

Its metrics are errors, so lower is better; it has an analytic significance test and a chart.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, View
from qe_desktop.levels import Level, LevelGroup, ReadInputs, Scoring, ScoringObstacle
from qe_desktop.levels.chart_model import AxisChart, ChartLine, LegendKey, Panel, Panels
from qe_desktop.levels.level import ChartRequest, ScoreChart
from qe_desktop.metrics import Family, Metric, ScoreTerm
from qe_desktop.significance import PairTests, SignificanceTest

Pair = tuple[np.ndarray, np.ndarray]


def _errors(pair: Pair) -> np.ndarray:
    guess, gold = pair
    return np.stack([np.abs(guess - gold), (guess - gold) ** 2, np.ones(len(gold))], axis=-1)


ERRORS: Family[Pair] = Family("errors", ("absolute", "squared", "segments"), shared=(2,), rows=_errors)


def _mean(part, whole, out=None):
    return np.divide(part, whole, out=out)


METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "off-by", ERRORS, (ScoreTerm(lambda off, squared, size: (off, size), _mean),), 0, np.inf,
            "How far the guesses are off.", "textbook definition", better=-1, signature="norm:1",
        ),
        Metric(
            "off-by-squared", ERRORS, (ScoreTerm(lambda off, squared, size: (squared, size), _mean),), 0, np.inf,
            "How far the guesses are off, squared.", "textbook definition", better=-1,
        ),
    )
}  # fmt: skip


def t_tests(families, observed, *, rounds, seed, on_progress) -> PairTests:
    """Paired t-tests of each metric's column of the rows: analytic, without resampling."""
    size = families[0].rows.shape[0]
    p = np.ones((len(observed), size, size))
    metric_index = 0
    for family in families:
        for metric in family.metrics:
            column = 0 if metric.name == "off-by" else 1
            for first, second in combinations(range(size), 2):
                result = stats.ttest_rel(family.rows[first, :, column], family.rows[second, :, column])
                p[metric_index, first, second] = p[metric_index, second, first] = result.pvalue
            metric_index += 1
    return PairTests(p, np.zeros_like(p), 0, False)


T_TEST = SignificanceTest("t-test", "Paired t-test", t_tests, is_closed_form=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class GuessLevel(Level):
    """Level that compares guessed numbers with gold numbers."""

    def references(self, view):
        return [layer.key for layer in view.corpus.find(Provenance.GOLD, Kind.SCORES)]

    def subjects(self, view, reference):
        return [layer.key for layer in view.corpus.find(Provenance.SYSTEM, Kind.SCORES)]

    def size(self, selection):
        return selection.view.corpus.size

    def rows(self, selection, families, on_progress=None):
        layers = selection.view.corpus.layers
        pairs = [(layers[key].scores, layers[selection.reference].scores) for key in selection.subjects]
        return {family.name: np.stack([family.rows(pair) for pair in pairs]) for family in families}

    def identical_subjects(self, selection):
        values = [selection.view.corpus.layers[key].scores for key in selection.subjects]
        return np.array([[np.array_equal(first, second) for first in values] for second in values])

    def data_summary(self, selection):
        return f"{selection.view.corpus.size} guesses"

    def signature(self, selection):
        return {"of": "guesses"}

    def explain_missing_reference(self):
        return ScoringObstacle("There is nothing to guess", "Add what is to be guessed.")

    def explain_missing_subjects(self):
        return ScoringObstacle("There are no guesses", "Add guesses.")


def _how_far_off(request: ChartRequest) -> Panels:
    layers, key = request.view.corpus.layers, request.subjects[request.chosen]
    off = layers[key].scores - layers[request.reference].scores
    line = ChartLine(np.arange(len(off), dtype=float), off, LegendKey(key.name, "accent", "line"))
    bounds = (0.0, float(len(off)), float(off.min()), float(off.max()))
    return (Panel(key.name, AxisChart("segment", "off", bounds, lines=(line,), description=f"{key.name} is off")),)


GUESSES = GuessLevel(
    name="guesses", group="guesses", title="guessed numbers", heading="Guessed numbers",
    items="guesses", items_heading="Guesses", metrics=METRICS,
    shown_metrics=tuple(METRICS), tested_metrics=("off-by",), main_metric="off-by", companion_metric="off-by-squared",
    tests=("t-test", "randomisation"), untested_reasons={"bootstrap": "guesses are not drawn"},
    charts=(ScoreChart("how-far-off", "How far off", "How far off the guesses are.", _how_far_off),),
)  # fmt: skip


def make_scoring(gold: Sequence[float], **systems: Sequence[float]) -> Scoring:
    """Return the scoring of systems against the gold."""
    view = View(make_corpus(gold, **systems))
    result = Scoring.of(GUESSES, view)
    assert result is not None
    return result


def make_corpus(gold: Sequence[float], **systems: Sequence[float]) -> Corpus:
    """Return a corpus of segment scores."""
    layers = {}
    for provenance, name, values in (
        (Provenance.GOLD, "gold", gold),
        *((Provenance.SYSTEM, name, values) for name, values in systems.items()),
    ):
        key = LayerKey(provenance, name, Kind.SCORES)
        layers[key] = Layer(key, np.asarray(values, np.float64))
    return Corpus("guessed", len(gold), layers=layers)


def add_guesses_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--right", required=True)
    parser.add_argument("--guess", required=True, action="append")


def read_guesses_inputs(args: argparse.Namespace) -> ReadInputs:
    gold = np.loadtxt(args.right)
    return ReadInputs(
        make_scoring(gold, **{Path(path).stem: np.loadtxt(path) for path in args.guess}), ("read with care",)
    )


GROUP = LevelGroup("guesses", "guesses of numbers", (GUESSES,))
