"""Raters in words and as contents of pictures: values, pace, repeats, control items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from qe_desktop.formats.reading import counted
from qe_desktop.ratings.aggregation.histograms import Bins
from qe_desktop.ratings.agreement.reliability import Pace as PaceFigures
from qe_desktop.ratings.agreement.reliability import RaterReliability
from qe_desktop.ratings.findings import RaterPage
from qe_desktop.ratings.scale_span import Span
from qe_desktop.ratings.shapes import Shapes, Twofold
from qe_desktop.report.amounts import duration, percent
from qe_desktop.ui.campaigns.results.figure_columns import figure_text, known
from qe_desktop.ui.campaigns.results.pictures.contents import Histogram, Pace, Pairs
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.dots import Dot, Dots
from qe_desktop.ui.scores.figures import equals_p

MOST_RATERS = 40
"""So many raters stand in one picture."""
SCALE_COLUMNS = (
    Column("rater", "Who rated"),
    Column("ratings", "Values given, those of the training round left out", right=True),
    Column("mean", "The mean of all values", right=True),
    Column("sd", "How far values spread around it", right=True),
    Column("s an item", "Median seconds, idle time left out", right=True),
    Column("repeats", "Items shown twice that got the same value again", right=True),
    Column("with others", "Correlation with the mean of the other raters on the same outputs", right=True),
    Column("run", "The longest run of one value", right=True),
    Column("control items", "Whether degraded translations got lower values"),
    Column("remarks", "What stands out; signs to look at, never a verdict", wide=True),
)
RANK_COLUMNS = (
    Column("rater", "Who ranked"),
    Column("screens", "Screens ranked", right=True),
    Column("judgements", "Pairwise judgements", right=True),
    Column("ties", "The share of equal ranks", right=True),
    Column("s a screen", "Median seconds, idle time left out", right=True),
    Column("kappa, self", "Agreement with themselves on repeated outputs", right=True),
    Column("with others", "The share of judgements that agree with another rater’s", right=True),
    Column("remarks", "What stands out; signs to look at, never a verdict", wide=True),
)


def scale_cells(page: RaterPage, scale: str) -> tuple[Cell, ...]:
    """A rater's row on one scale."""
    found = page.scales.get(scale)
    if found is None:
        return (Cell(page.name), *(Cell("–", f"{page.name} rated nothing on this scale") for _ in SCALE_COLUMNS[1:]))
    again, control = found.repeats, found.control
    repeats = Cell("–", "No item was shown twice")
    if again is not None and again.exact is not None:
        repeats = Cell(
            percent(again.exact), f"{percent(again.exact)} of {counted(again.n, 'repeat')} got the same value"
        )
    verdict = Cell("–", "No control items", "muted")
    if control is not None:
        sign = {True: "✓ ", False: "✗ ", None: ""}[control.passes]
        token = {True: "ok", False: "error", None: "muted"}[control.passes]
        verdict = Cell(f"{sign}{_short(control.passes)}", control.verdict, token)
    return (
        Cell(page.name),
        Cell(f"{found.n:,}"),
        Cell(figure_text(found.mean, 2)),
        Cell("–" if found.sd is None else figure_text(found.sd, 2), "" if found.sd is not None else "One rating only"),
        _pace_cell(found.pace),
        repeats,
        _others_cell(found),
        Cell(f"{found.longest_run:,}", f"{found.longest_run} times {found.run_value:g} in a row"),
        verdict,
        Cell("; ".join(page.remarks), "; ".join(page.remarks), "warning" if page.remarks else ""),
    )


def rank_cells(page: RaterPage) -> tuple[Cell, ...]:
    """A rater's row on rankings."""
    found = page.rankings
    if found is None:
        return (Cell(page.name), *(Cell("–", f"{page.name} ranked nothing") for _ in RANK_COLUMNS[1:]))
    intra = found.intra
    return (
        Cell(page.name),
        Cell(f"{found.screens:,}"),
        Cell(f"{found.judgements:,}"),
        Cell("–" if found.ties is None else percent(found.ties)),
        _pace_cell(found.pace),
        Cell(known(intra.kappa), intra.problem or f"{intra.agree:,} of {intra.comparable:,} judgements agree"),
        Cell(
            "–" if found.with_others is None else percent(found.with_others),
            f"Over {counted(found.shared, 'pair')} of judgements",
        ),
        Cell("; ".join(page.remarks), "; ".join(page.remarks), "warning" if page.remarks else ""),
    )


def about_rater(page: RaterPage, scale: str) -> str:
    """A rater in sentences."""
    return " ".join(_sentences(page, page.scales.get(scale)))


def _sentences(page: RaterPage, found: RaterReliability | None) -> Iterator[str]:
    if found is not None:
        yield f"{counted(found.n, 'rating')}, {percent(found.share)} of them {found.most_frequent:g}."
        if found.control is not None:
            yield f"Control items: {found.control.verdict}."
        if found.unmatched:
            yield f"The first rating of {counted(found.unmatched, 'repeat or control item')} is missing."
        again = found.repeats
        if again is not None and again.rmse is not None:
            yield f"On repeats the second value differs by {figure_text(again.rmse, 2)} (root mean square)."
        elif again is None or again.problem:
            yield "No repeats, so nothing says how steady the rater is."
    if page.rankings is not None and page.rankings.intra.problem:
        yield f"Agreement with themselves: {page.rankings.intra.problem}."
    if page.skipped:
        yield f"{counted(page.skipped, 'item')} skipped."
    if page.changed_after_reveal:
        yield f"Fluency was changed {page.changed_after_reveal:,} times once the source had been seen."


def histogram_of(found: RaterReliability | None, scale: str) -> Histogram | str:
    """How often each value was used."""
    if found is None or not found.n:
        return "Nothing was rated on this scale."
    return Histogram(scale, found.bins.edges, found.histogram, _ticks(found.bins))


def others_of(pages: Sequence[RaterPage], scale: str) -> Dots | str:
    """How far each rater agrees with the others: by correlation on a scale, by shares of judgements on rankings."""
    rows = []
    for page in pages[:MOST_RATERS]:
        found, ranked = page.scales.get(scale), page.rankings if not scale else None
        value = found.with_others if found is not None else None if ranked is None else ranked.with_others
        shared = found.shared if found is not None else 0 if ranked is None else ranked.shared
        if value is not None:
            rows.append(Dot(page.name, value, said=f"{page.name}: {known(value)} over {shared:,}"))
    if not rows:
        return "No rater has enough in common with others."
    title = (
        "correlation with the mean of the others" if scale else "share of judgements that agree with another rater’s"
    )
    low = min(0.0, *(row.value for row in rows))
    return Dots(title, tuple(rows), bounds=(low, 1.0), zero=True)


def pace_of(shapes: Shapes, rater: str) -> Pace | str:
    """How long each item took."""
    seconds = shapes.paces.get(rater)
    if seconds is None or not len(seconds):
        return "The ratings do not say when they were given, so there is no pace."
    return Pace("items in the order of rating", seconds, float(np.median(seconds)))


def repeats_of(shapes: Shapes, rater: str, scale: str, span: Span | None = None) -> Pairs | str:
    """First and second values of repeated items."""
    found = shapes.repeats.get((rater, scale))
    if found is None:
        return "No item was shown to this rater twice."
    return Pairs("repeats", found.first, found.again, _bounds(found, span), ("first time", "second time"))


def controls_of(shapes: Shapes, rater: str, scale: str, span: Span | None = None) -> Pairs | str:
    """Values of control items beside those of the same outputs undamaged."""
    found = shapes.controls.get((rater, scale))
    if found is None:
        return "No translation was damaged on purpose for this rater."
    return Pairs("control items", found.first, found.again, _bounds(found, span), ("as translated", "damaged"))


def control_caption(found: RaterReliability | None) -> str:
    """What the control items say, with both tests."""
    control = None if found is None else found.control
    if control is None:
        return ""
    tests = []
    for name, p in (("paired t", control.paired_t.less), ("Mann–Whitney", control.mann_whitney)):
        tests.append(f"{name} p {equals_p(p)}" if p is not None else f"{name} undefined")
    return f"{counted(control.n, 'control item')}; dots below the line got less, as they should. {', '.join(tests)}."


def _short(passes: bool | None) -> str:
    return {True: "passes", False: "does not pass", None: "too few"}[passes]


def _pace_cell(pace: PaceFigures | None) -> Cell:
    if pace is None:
        return Cell("–", "The ratings do not say how long they took")
    said = f"Median {duration(pace.median)} over {pace.n:,}; {percent(pace.too_fast)} under {pace.limit:g} s"
    return Cell(f"{pace.median:.1f}" if pace.median < 100 else f"{pace.median:.0f}", said)


def _others_cell(found: RaterReliability) -> Cell:
    if found.with_others is None:
        return Cell("–", "Too few items in common with others, or values that do not vary")
    return Cell(known(found.with_others, 2), f"r {known(found.with_others)} over {counted(found.shared, 'item')}")


def _bounds(found: Twofold, span: Span | None) -> tuple[float, float]:
    low = float(min(found.first.min(), found.again.min()))
    high = float(max(found.first.max(), found.again.max()))
    if span is not None and span.low <= low and high <= span.high:
        low, high = span.low, span.high
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(bins: Bins) -> tuple[tuple[float, str], ...]:
    if bins.by_value:
        return tuple((float(value), f"{value:g}") for value in bins.centres)
    step = max(1, len(bins) // 4)
    return tuple((float(edge), f"{edge:g}") for edge in bins.edges[::step])
