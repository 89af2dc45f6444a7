"""Synthetic labellings as tables, each number in words: the paper's table 1, the labellings, and the rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from qe_desktop.report.labelling_columns import DISTINCTIONS, mean
from qe_desktop.significance import CALLED, halves
from qe_desktop.studies.labelling_study import LabellingStudy, Tried
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.scores.figures import interval_text, score_text
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.studies.values import Target, Titled
from qe_desktop.wording import side_by_side, tr

ABOUT = {
    "all-BAD": tr("Every word is BAD"),
    "all-OK": tr("Every word is OK"),
    "optimistic": tr("Few words are BAD, nine of ten rightly: precision .9, recall .1"),
    "pessimistic": tr("Nine of ten words are BAD, whatever they are in the gold"),
    "random": tr("Each word is BAD as often as words of the gold are"),
}
"""What each labelling is."""
Row = tuple[tuple[Cell, ...], tuple[Target | None, ...]]
D_DECIMALS = 2


def sheets(study: LabellingStudy, decimals: int, *, late: bool = False) -> list[Titled]:
    """The paper's table, the labellings with their scores, and the systems as each metric ranks them."""
    return [
        Titled(tr("Labellings and metrics"), partial(_paper, study, late)),
        Titled(tr("Scores of labellings"), partial(_scores, study, decimals, late)),
        Titled(tr("Systems by metric"), partial(_orders, study, decimals, late)),
    ]


def _paper(study: LabellingStudy, late: bool) -> Sheet[Target]:
    """A metric a row: d, how many systems it rates lower than each labelling, and all of them together."""
    rows: list[Row] = []
    ink = "muted" if late else ""
    for place, metric in enumerate(study.metrics):
        cells = [Cell(metric.name, f"{metric.name}. {metric.help()}", exact=(metric.name,))]
        cells += [_distinction(study, place, part, ink) for part in range(len(DISTINCTIONS))]
        cells += [_count(study, one, place, ink) for one in study.labellings]
        total = float(study.totals[place])
        said = tr(
            "{metric} rates systems lower than labellings {times:g} times in all; lower is better.",
            metric=metric.name, times=total,
        )  # fmt: skip
        cells.append(Cell(_amount(total), said, ink, exact=(total,)))
        named = Target(metric.name)
        targets = (named, *(named for _ in DISTINCTIONS), *(Target(metric.name, labelling=one.name)
                   for one in study.labellings), named)  # fmt: skip
        rows.append((tuple(cells), targets))
    columns = (
        Column(tr("Metric"), tr("Enter shows the picture of its ranking"), exported=("metric",)),
        *(Column(name, about, right=True, exported=(name, f"{name} low", f"{name} high"))
          for name, about in zip(DISTINCTIONS, _about_d(study), strict=True)),
        *(Column(one.name, ABOUT[one.name], right=True, exported=(one.name,)) for one in study.labellings),
        Column(tr("Total"), tr("All labellings together"), right=True, exported=("total",)),
    )  # fmt: skip
    return _sheet(columns, rows)


def _about_d(study: LabellingStudy) -> tuple[str, str, str]:
    top, bottom = halves(len(study.systems), study.options.comparison.top)
    return (
        tr("The share of pairs of systems that the metric tells apart"),
        tr("The same of the {n} best {n:system|systems} by the metric", "", top),
        tr("The same of the other {n}", "", bottom),
    )


def _distinction(study: LabellingStudy, place: int, part: int, ink: str) -> Cell:
    name, metric = DISTINCTIONS[part], study.metrics[place].name
    d, (low, high) = float(study.distinctions[place, part]), study.distinction_ranges[place, part].tolist()
    if math.isnan(d):
        said = tr(
            "{metric}: {name} is undefined, for there are no two systems to be told apart.", metric=metric, name=name
        )
        return Cell(score_text(d, D_DECIMALS), said, "muted", exact=(None, None, None))
    options = study.options.comparison
    judged = tr("p ≤ {alpha:g}", alpha=options.alpha)
    if options.correction != "none":
        judged = tr("p ≤ {alpha:g} after {correction}", alpha=options.alpha, correction=CALLED[options.correction])
    said = tr("{metric} tells {share:.0f} % of the pairs of systems apart ({name}, {judged}).",
              metric=metric, share=100 * d, name=name, judged=judged)  # fmt: skip
    certain = low == high
    if not certain:
        more = tr("By the Monte-Carlo error of p it may be {low} to {high}.", low=score_text(low, D_DECIMALS),
                  high=score_text(high, D_DECIMALS))  # fmt: skip
        said = side_by_side(" ", (said, more))
    below = "" if certain else interval_text(low, high, D_DECIMALS)
    return Cell(score_text(d, D_DECIMALS), said, ink, below=below, exact=(d, low, high))


def _count(study: LabellingStudy, one: Tried, place: int, ink: str) -> Cell:
    lower, metric = one.lower[place], study.metrics[place].name
    found = float(lower.mean())
    said = tr(
        "{metric} rates {lower:g} of {n} {n:system|systems} lower than {labelling}.",
        "", len(study.systems), metric=metric, lower=found, labelling=one.name,
    )  # fmt: skip
    below = ""
    if one.draws > 1:
        least, most = int(lower.min()), int(lower.max())
        below = tr("{least}–{most}", least=least, most=most)
        more = tr(
            "The mean of {n:,} {n:draw|draws}, which have {least} to {most}.", "", one.draws, least=least, most=most
        )
        said = side_by_side(" ", (said, more))
    if one.lower_intervals is not None:
        low, high = one.lower_intervals[place].tolist()
        below = f"[{low:g}, {high:g}]"
        said = side_by_side(" ", (said, tr("95 % between {low:g} and {high:g}.", low=low, high=high)))
    said = side_by_side(" ", (said, tr("Enter adds the labelling to what is open, or takes it away.")))
    # labellings of no use belong below every system
    token = ink or ("bad" if found else "")
    return Cell(_amount(found), said, token, below=below, exact=(found,))


def _amount(count: float) -> str:
    return f"{count:.0f}" if count == round(count) else f"{count:.1f}"


def _scores(study: LabellingStudy, decimals: int, late: bool) -> Sheet[Target]:
    """A labelling a row: how much of it is BAD and how rightly, and its score by each metric."""
    rows: list[Row] = []
    ink = "muted" if late else ""
    for one in study.labellings:
        target = Target(labelling=one.name)
        about = tr("{labelling}. {about}.", labelling=one.name, about=ABOUT[one.name])
        called = mean(one.called)
        percent = tr("{share:.1f} % of {labelling} is BAD.", share=100 * called, labelling=one.name)
        cells = [Cell(one.name, about, exact=(one.name,)), Cell(f"{100 * called:.1f}", percent, ink, exact=(called,))]
        for name, value in ((tr("precision"), mean(one.precision)), (tr("recall"), mean(one.recall))):
            said = tr("{labelling}: {name} of BAD is {value}.", labelling=one.name, name=name,
                      value=score_text(value, decimals))  # fmt: skip
            cells.append(Cell(score_text(value, decimals), said, ink, exact=(_known(value),)))
        cells += [_score(one, place, metric.name, decimals, ink) for place, metric in enumerate(study.metrics)]
        rows.append((tuple(cells), (*(target,) * 4, *(Target(metric.name, labelling=one.name)
                                                     for metric in study.metrics))))  # fmt: skip
    columns = (
        Column(tr("Labelling"), tr("Enter adds it to what is open, or takes it away"), exported=("labelling",)),
        Column(tr("% BAD"), tr("The share of its words that are BAD"), right=True, exported=("bad",)),
        Column(tr("Precision"), tr("Of its BAD words, those that are BAD in the gold"), right=True,
               exported=("precision",)),
        Column(tr("Recall"), tr("Of the BAD words of the gold, those that are BAD in it"), right=True,
               exported=("recall",)),
        *(Column(metric.name, metric.help(), right=True, exported=(metric.name,)) for metric in study.metrics),
    )  # fmt: skip
    return _sheet(columns, rows)


def _score(one: Tried, place: int, metric: str, decimals: int, ink: str) -> Cell:
    value = mean(one.scores[place])
    text = score_text(value, decimals)
    if math.isnan(value):
        said = tr("{metric} of {labelling} is undefined.", metric=metric, labelling=one.name)
    else:
        said = tr("{metric} of {labelling} is {value}.", metric=metric, labelling=one.name, value=text)
    below = ""
    if one.score_intervals is not None and not math.isnan(one.score_intervals[place, 0]):
        low, high = one.score_intervals[place].tolist()
        below = interval_text(low, high, decimals)
    return Cell(text, said, ink, below=below, exact=(_known(value),))


def _orders(study: LabellingStudy, decimals: int, late: bool) -> Sheet[Target]:
    """A rank a row: which system each metric has there, and its score."""
    rows: list[Row] = []
    ink = "muted" if late else ""
    for rank in range(len(study.systems)):
        cells = [Cell(f"{rank + 1}", tr("Place {rank}", rank=rank + 1), exact=(rank + 1,))]
        targets: list[Target | None] = [None]
        for place, metric in enumerate(study.metrics):
            system = int(study.order[place, rank])
            name, score = study.systems[system], float(study.scores[place, system])
            text = score_text(score, decimals)
            said = tr("{metric} has {system} in place {rank}: {score}.", metric=metric.name, system=name,
                      rank=rank + 1, score=text)  # fmt: skip
            cells.append(Cell(name, said, ink, below=text, exact=(name, _known(score))))
            targets.append(Target(metric.name, name))
        rows.append((tuple(cells), tuple(targets)))
    columns = (
        Column(tr("Place"), exported=("rank",)),
        *(Column(metric.name, metric.help(), exported=(metric.name, f"{metric.name} score"))
          for metric in study.metrics),
    )  # fmt: skip
    return _sheet(columns, rows)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _sheet(columns: tuple[Column, ...], rows: Sequence[Row]) -> Sheet[Target]:
    return Sheet(columns, tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows))
