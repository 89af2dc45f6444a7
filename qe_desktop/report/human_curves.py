"""Curves of agreement with people: as plain values, as tables for people, and as rows for scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qe_desktop.report.scores import number
from qe_desktop.report.tables import Cell, Table, ends_in_brackets
from qe_desktop.studies.beside_people import CORRELATIONS, HEADINGS
from qe_desktop.studies.curves import Curve, Point
from qe_desktop.wording import tr

AT = {"recall": "alpha", "references": "references"}


def curves_json(curves: Sequence[Curve]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """By what the curve is of, and by metric: its points, null for what is undefined."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for curve in curves:
        found.setdefault(curve.of, {})[curve.metric] = [_point(curve, point) for point in curve.points]
    return found


def _point(curve: Curve, point: Point) -> dict[str, Any]:
    sets = {"sets": point.sets, "sampled": point.sampled} if curve.of == "references" else {}
    return {
        AT[curve.of]: point.at,
        **sets,
        **{name: number(value) for name, value in point.correlations.items()},
        "intervals": {name: _ends(*ends) for name, ends in point.intervals.items()},
    }


def _ends(low: float, high: float) -> list[float] | None:
    return None if number(low) is None else [low, high]


def curve_tables(curves: Sequence[Curve], decimals: int) -> list[Table]:
    """That of recall, and one of all metrics by the number of references."""
    recall = [_recall(curve, decimals) for curve in curves if curve.of == "recall"]
    others = [curve for curve in curves if curve.of == "references"]
    return [*recall, *([_references(others, decimals)] if others else [])]


def _recall(curve: Curve, decimals: int) -> Table:
    rows: list[tuple[Cell, ...]] = [(f"{point.at:.2f}", *_cells(point, decimals)) for point in curve.points]
    best = curve.best
    notes = () if best is None else (tr("Pearson is highest with a weight of {weight:.2f}.", weight=best.at),)
    title = tr("Correlation with people by the weight of recall in Fmean (0 is precision, 1 recall, .9 the paper's)")
    return Table(title, (tr("weight"), *HEADINGS.values()), tuple(rows), decimals, notes)


def _references(curves: Sequence[Curve], decimals: int) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (curve.metric, int(point.at), point.sets, *_cells(point, decimals))
        for curve in curves
        for point in curve.points
    ]
    size = len(curves[0].points)
    notes = [tr("Each is the mean over so many sets of references.")]
    if any(point.sampled for point in curves[0].points):
        notes.append(tr("Where there are more sets than that, these were drawn."))
    header = (tr("metric"), tr("references"), tr("sets"), *HEADINGS.values())
    rules = tuple(range(size, size * len(curves), size))
    return Table(
        tr("Correlation with people by the number of references"), header, tuple(rows), decimals, tuple(notes), rules
    )


def _cells(point: Point, decimals: int) -> list[str]:
    return [ends_in_brackets(value, point.intervals.get(name), decimals) for name, value in point.correlations.items()]


def curve_columns(curves: Sequence[Curve]) -> list[Table]:
    """One row a point."""
    if not curves:
        return []
    ends = [f"{name} {end}" for name in CORRELATIONS for end in ("low", "high")]
    rows: list[tuple[Cell, ...]] = []
    for curve in curves:
        for point in curve.points:
            drawn = [end for name in CORRELATIONS for end in point.intervals[name]]
            at = point.at if curve.of == "recall" else int(point.at)
            rows.append((curve.of, curve.metric, at, point.sets, *point.correlations.values(), *drawn))
    return [Table(tr("Curves"), ("curve", "metric", "at", "sets", *CORRELATIONS, *ends), tuple(rows))]
