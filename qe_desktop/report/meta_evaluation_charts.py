"""Pictures of metrics beside people as SVG: systems and pairs by each metric, curves, and which metric is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from qe_desktop.outgoing import file_name
from qe_desktop.report.chart_svg import panel_svg
from qe_desktop.report.matrix_svg import drawn_matrix
from qe_desktop.significance import meanings
from qe_desktop.studies.curves import Curve
from qe_desktop.studies.figures import Figure, figure_tested, order_by, test_text, verdicts
from qe_desktop.studies.humans import HumansStudy
from qe_desktop.studies.pictures import curve_panels, metric_against_people
from qe_desktop.wording import tr

ALPHA = 0.05
"""From which p on, uncorrected, a metric is better than another."""


def human_pictures(study: HumansStudy, curves: Sequence[Curve] = ()) -> dict[str, str]:
    """Every picture of a study by the name of its file."""
    pictures: dict[str, str] = {}
    for parts, picture in _drawn(study, curves):
        pictures[next(name for name in _names(parts) if name not in pictures)] = picture
    return pictures


def _names(parts: tuple[str, str]) -> Iterator[str]:
    """Names of a file; a second metric that would be called the same has a number."""
    of, what = parts
    for number in count(1):
        again = "" if number == 1 else f"-{number}"
        yield f"{file_name(of, 'metric')}.{what}{again}.svg"


def _drawn(study: HumansStudy, curves: Sequence[Curve]) -> Iterator[tuple[tuple[str, str], str]]:
    """What each picture is of, and the picture."""
    for place, one in enumerate(study.agreements):
        for what, panel in zip(("systems", "pairs"), metric_against_people(study, place), strict=True):
            yield (one.metric.name, what), panel_svg(panel)
    kinds = dict.fromkeys(curve.of for curve in curves)
    for kind in kinds:
        for panel in curve_panels([curve for curve in curves if curve.of == kind]):
            yield ("curve", kind), panel_svg(panel)
    if len(study.agreements) > 1:
        for figure in study.better:
            yield ("better", figure), _better(study, figure)


def better_title(study: HumansStudy, figure: Figure) -> str:
    """What the matrix of p by a figure is called; it names the test."""
    return tr("Significance: which metric is better by {figure} ({test}, p)", figure=figure.title,
              test=test_text(study, figure))  # fmt: skip


def _better(study: HumansStudy, figure: str) -> str:
    """Metrics, those that agree best first; a cell is shaded where its row is significantly better."""
    shown = figure_tested(figure)
    judged = verdicts(study, shown, "none", ALPHA)
    assert judged is not None
    names = [one.metric.name for one in study.agreements]
    signs = ", ".join(f"{level.sign} {text}" for level, text in meanings(ALPHA, "none").items())
    legend = [
        signs,
        tr("Filled cells: the metric of the row is significantly better than that of the column."),
        tr("p is not corrected."),
    ]
    title = better_title(study, shown)
    return drawn_matrix(names, judged, order_by(study, shown), title, legend)
