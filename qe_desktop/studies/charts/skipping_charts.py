"""Skipping as a picture: the share of edits let through against the share of segments skipped, of every system."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.drawings import Chart, Key, Line, Numbers, Panel, Panels
from qe_desktop.outgoing import elided
from qe_desktop.studies.pictures.side import LONGEST, Write
from qe_desktop.studies.pictures.ways import along, key_of
from qe_desktop.studies.post_editing.skipping import Skipping
from qe_desktop.studies.post_editing.study import PostEditingStudy
from qe_desktop.wording import tr

MOST_CURVES = 8
"""Curves that can be told apart."""
POINTS = 400
"""Points of a curve at the most."""


def skipping_panels(study: PostEditingStudy, system: str, number: Write) -> Panels:
    """The curves of all systems, that of `system` with its interval; nothing where there are no edits."""
    known = [one for one in study.skipping if one.edits and len(one.skipped)]
    if not known:
        return ()
    looked = next((one for one in known if one.name == system), known[0])
    shown = known[:MOST_CURVES]
    if looked not in shown:
        shown = [looked, *shown[: MOST_CURVES - 1]]
    lines = [_curve(one, one.through, key_of(known.index(one), one.name)) for one in shown]
    lines.append(Line(np.array([0.0, 1.0]), np.array([0.0, 1.0]), Key(tr("skipping without looking"), "muted", "dots")))
    ends = Key(tr("95 % interval of {system}", system=elided(looked.name, LONGEST)), "muted", "dashed")
    lines += [_curve(looked, looked.low, ends), _curve(looked, looked.high, Key("", "muted", "dashed"))]
    title = tr("Edits let through against segments skipped")
    chart = Chart(
        tr("share of segments skipped, the least doubtful first"), tr("share of edits let through"),
        (0.0, 1.0, 0.0, 1.0), lines=tuple(lines), said=title,
    )  # fmt: skip
    return (Panel(title, chart, _caption(looked, number), lambda: _numbers(study)),)


def _curve(one: Skipping, heights: np.ndarray, key: Key) -> Line:
    x, y = np.append(0.0, one.skipped), np.append(0.0, heights)
    kept = along(x, y, POINTS)
    return Line(x[kept], y[kept], key)


def _caption(one: Skipping, number: Write) -> str:
    half = int(np.searchsorted(one.skipped, 0.5, side="right")) - 1
    if half < 0:
        return tr("{system} doubts all segments alike.", system=elided(one.name, LONGEST))
    return tr(
        "Where {system} has {share:.0f} % of segments skipped, {through} of the edits slip through, between {low} and "
        "{high} (95 %).",
        system=elided(one.name, LONGEST), share=100 * one.skipped[half], through=number(float(one.through[half])),
        low=number(float(one.low[half])), high=number(float(one.high[half])),
    )  # fmt: skip


def _numbers(study: PostEditingStudy) -> Numbers:
    names = [one.name for one in study.skipping for _ in one.thresholds]
    columns = [
        np.concatenate([getattr(one, name) for one in study.skipping]) for name in ("skipped", "through", "low", "high")
    ]
    thresholds = np.concatenate([one.doubt.sign * one.thresholds for one in study.skipping])
    return Numbers(("system", "threshold", "skipped", "through", "low", "high"), (names, thresholds, *columns))
