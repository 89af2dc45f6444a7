"""How agreement with people changes along the weight of recall and the number of references, as lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.levels.drawings import Chart, Crosses, Key, Line, Mark, Numbers, Panel, Panels, Points
from qe_desktop.metrics.family import Floats
from qe_desktop.outgoing import elided
from qe_desktop.studies.beside_people import CORRELATIONS, HEADINGS
from qe_desktop.studies.curves import Curve, Point
from qe_desktop.studies.pictures.side import LONGEST, Write, ends_of, three_digits
from qe_desktop.wording import tr

TOKENS = ("accent", "bad", "miss", "false_alarm", "text")
LINES: tuple[Mark, ...] = ("line", "dashed", "dashdot", "dots")


def curve_panels(curves: Sequence[Curve], number: Write = three_digits) -> Panels:
    """A panel for the weight of recall with all correlations, and one of references with each metric's Pearson's r."""
    recall = [curve for curve in curves if curve.of == "recall"]
    others = [curve for curve in curves if curve.of == "references"]
    return (*(_recall(curve, number) for curve in recall), *([_references(others, number)] if others else []))


def _recall(curve: Curve, number: Write) -> Panel:
    best = curve.best
    title = tr("Agreement by the weight of recall in Fmean")
    if best is not None:
        title = tr("Agreement by the weight of recall in Fmean: r is highest at {weight:.2f}", weight=best.at)
    drawn = [(curve, name, HEADINGS[name]) for name in CORRELATIONS]
    chart = _chart(tr("weight of recall: 0 is precision, 1 recall"), tr("correlation"), drawn, number, title)
    return Panel(title, chart, _sure(), lambda: _numbers([curve]))


def _references(curves: Sequence[Curve], number: Write) -> Panel:
    title = tr("Agreement by the number of references")
    drawn = [(curve, "pearson", elided(curve.metric, LONGEST)) for curve in curves]
    chart = _chart(tr("references"), tr("Pearson's r"), drawn, number, title)
    caption = tr("Each is the mean over sets of so many references.")
    return Panel(title, chart, caption, lambda: _numbers(curves))


def _sure() -> str:
    return tr("Pearson's r has its 95 % interval, from drawing segments.")


def _chart(bottom: str, left: str, drawn: Sequence[tuple[Curve, str, str]], number: Write, title: str) -> Chart | str:
    """A line for each curve by one correlation under a name; whiskers where there is one curve alone."""
    keys = [
        Key(name, TOKENS[place % len(TOKENS)], LINES[place % len(LINES)]) for place, (_, _, name) in enumerate(drawn)
    ]
    lines = [Line(*_known(curve, of), key) for (curve, of, _), key in zip(drawn, keys, strict=True)]
    places = [(series, point) for series, (curve, of, _) in enumerate(drawn) for point in _defined(curve, of)]
    if not places:
        return tr("No correlation is defined.")
    x, y = np.concatenate([line.x for line in lines]), np.concatenate([line.y for line in lines])
    alone = len({id(curve) for curve, _, _ in drawn}) == 1
    whiskers = (_whiskers(*drawn[0][:2], keys[0].token),) if alone else ()
    reach = [one.along.ravel() for one in whiskers]
    series = np.asarray([one for one, _ in places])

    def say(place: int) -> str:
        which, point = places[place]
        return _said(*drawn[which], point, number)

    points = Points(x, y, say, series=series, kinds=series)
    return Chart(
        bottom, left, (*ends_of(x), *ends_of(y, *reach)), lines=tuple(lines), crosses=whiskers, points=points,
        dots=tuple(Key("", key.token, "dot") for key in keys), whole=drawn[0][0].of == "references", said=title,
    )  # fmt: skip


def _defined(curve: Curve, of: str) -> list[Point]:
    return [point for point in curve.points if not np.isnan(point.correlations[of])]


def _known(curve: Curve, of: str) -> tuple[Floats, Floats]:
    held = _defined(curve, of)
    return np.asarray([point.at for point in held], float), np.asarray([point.correlations[of] for point in held])


def _whiskers(curve: Curve, of: str, token: str) -> Crosses:
    x, y = _known(curve, of)
    ends = np.asarray([point.intervals[of] for point in _defined(curve, of)]).reshape(-1, 2)
    return Crosses(x, y, np.stack([x, x], axis=1), ends, Key("", token, "line"))


def _said(curve: Curve, of: str, name: str, point: Point, number: Write) -> str:
    low, high = map(number, point.intervals[of])
    value = number(point.correlations[of])
    if curve.of == "recall":
        return tr(
            "{name} with a weight of {weight:.2f}: {value} [{low}, {high}]",
            name=name, weight=point.at, value=value, low=low, high=high,
        )  # fmt: skip
    return tr(
        "{name} beside {n} {n:reference|references}: r {value} [{low}, {high}]",
        "", int(point.at), name=name, value=value, low=low, high=high,
    )  # fmt: skip


def _numbers(curves: Sequence[Curve]) -> Numbers:
    rows = [(curve, point) for curve in curves for point in curve.points]
    columns = {}
    for name in CORRELATIONS:
        columns[name] = [point.correlations[name] for _, point in rows]
        columns[f"{name}_low"] = [point.intervals[name][0] for _, point in rows]
        columns[f"{name}_high"] = [point.intervals[name][1] for _, point in rows]
    return Numbers.of_columns(
        curve=[curve.of for curve, _ in rows], metric=[curve.metric for curve, _ in rows],
        at=[point.at for _, point in rows], sets=[point.sets for _, point in rows], **columns,
    )  # fmt: skip
