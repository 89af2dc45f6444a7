"""What a cell says, as a full sentence: for tooltips, screen readers and the line under the matrix."""

from __future__ import annotations

from qe_desktop.corpus import LayerKey, Provenance
from qe_desktop.outgoing import label
from qe_desktop.report import DASH
from qe_desktop.significance import Comparison, MetricComparison, Sureness
from qe_desktop.ui.scores.figures import change_text, equals_p, interval_text, score_text

CORRECTION_NAMES = {"none": "no correction", "bonferroni": "Bonferroni", "holm": "Holm"}


def layer_text(key: LayerKey) -> str:
    """A layer's name, with who it is where it is no system."""
    name = label(key.name)
    return f"{name} (person)" if key.provenance is Provenance.PERSON else name


def score_sentence(name: str, metric: str, value: float, difference: float, decimals: int) -> str:
    """A score and how the last edit moved it."""
    said = score_text(value, decimals)
    text = f"{name}: {metric} {'undefined' if said == DASH else said}"
    moved = change_text(difference, decimals)
    return f"{text}, {moved} since the last edit" if moved else text


def interval_sentence(
    name: str, metric: str, interval: tuple[float, float] | None, decimals: int, over: str = ""
) -> str:
    """The interval of a score; `over` says what was resampled."""
    if interval is None:
        return f"{name}: the interval of {metric} is not computed yet"
    how = f"bootstrap over {over}" if over else "bootstrap"
    return f"{name}: with 95 % confidence {metric} lies in {interval_text(*interval, decimals)} ({how})"


def pair_sentence(
    comparison: Comparison, one: MetricComparison, left: int, right: int, decimals: int, items: str
) -> str:
    """Whether one of two systems is significantly better, and how sure that is; indexes into the systems.

    `items` are what the systems gave: tags, scores.
    """
    verdict = comparison.verdicts(one.metric.name).pair(left, right)
    if verdict.sureness is Sureness.ITSELF:
        return f"{_scored(comparison, one, left, decimals)} in {one.metric.name}"
    if verdict.sureness is Sureness.IDENTICAL:
        names = f"{comparison.systems[left]} and {comparison.systems[right]}"
        return f"{names} have identical {items}: p = 1"
    values = one.metric.worth(one.scores[[left, right]]).tolist()
    if values[0] < values[1]:
        left, right = right, left
    first, second = (_scored(comparison, one, place, decimals) for place in (left, right))
    if values[0] == values[1]:
        return f"{first} and {second} are equally good in {one.metric.name}: {_p(comparison, one, left, right)}"
    verb = "is significantly better" if verdict.sureness.significant else "is not significantly better"
    return f"{first} {verb} than {second} in {one.metric.name}: {_p(comparison, one, left, right)}"


def _scored(comparison: Comparison, one: MetricComparison, place: int, decimals: int) -> str:
    value = score_text(float(one.scores[place]), decimals)
    return f"{comparison.systems[place]} ({'undefined, counted as 0' if value == DASH else value})"


def _p(comparison: Comparison, one: MetricComparison, left: int, right: int) -> str:
    verdict = comparison.verdicts(one.metric.name).pair(left, right)
    error = _error(comparison, one, left, right)
    if comparison.options.correction == "none":
        return f"p {equals_p(verdict.p)}{error} (uncorrected)"
    pairs = len(comparison.systems) * (len(comparison.systems) - 1) // 2
    name = CORRECTION_NAMES[comparison.options.correction]
    judged = f"p {equals_p(verdict.judged)} after {name} over {pairs:,} pair{'s' if pairs > 1 else ''}"
    return f"{judged}, {equals_p(verdict.p).removeprefix('= ')}{error} uncorrected"


def _error(comparison: Comparison, one: MetricComparison, left: int, right: int) -> str:
    if comparison.exact:
        return " exactly"
    if not comparison.rounds or one.p[left, right] < 0.001:
        return ""
    error = float(one.error[left, right])
    return f" ± {score_text(error, 3 if error >= 0.0005 else 4)}"
