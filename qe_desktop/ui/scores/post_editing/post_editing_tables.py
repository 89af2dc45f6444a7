"""The tables of post-editing, each number in words: people, highlights, segments, and what may be skipped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.report.post_editing import SHARES, THROUGH, clock
from qe_desktop.studies.post_editing.figures import SegmentFigures, Totals
from qe_desktop.studies.post_editing.highlights import Highlights
from qe_desktop.studies.post_editing.skipping import Skipping
from qe_desktop.studies.post_editing.study import PostEditingStudy
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.scores.figures import interval_text, score_text, signed_text
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.wording import side_by_side, tr

DASH = "–"
LIFTS = 2
"""The place of the first lift among the figures of highlights."""

KEYS = (
    tr("letters"), tr("digits"), tr("spaces"), tr("symbols"), tr("navigation"), tr("erasing"), tr("copying"),
    tr("cutting"), tr("pasting"), tr("undoing"), tr("commands"),
)  # fmt: skip
"""What people call the kinds of keys, in the order in which they are counted."""
EDITS = (tr("insertions"), tr("deletions"), tr("substitutions"), tr("shifts"))


@dataclass(frozen=True, slots=True)
class Target:
    """What a cell is about: a segment, numbered from 0, or a system."""

    segment: int | None = None
    system: str = ""


Row = tuple[tuple[Cell, ...], tuple[Target | None, ...]]


def people_sheet(study: PostEditingStudy, decimals: int) -> Sheet[Target]:
    """A row a person, and everybody."""
    columns = (
        Column(tr("Person"), exported=("person",)),
        _number(tr("Segments"), "segments", tr("Segments whose post-edit is this person's")),
        _number(tr("Edited"), "edited", tr("Those of them whose text differs from the MT, be it in letter case alone")),
        _number(tr("Source words"), "source words", tr("Words of their sources; punctuation is none")),
        _number(tr("Time"), "seconds", tr("Time of work: without long pauses and time out of the window")),
        _number(tr("Pauses"), "pauses", tr("Pauses that were longer than the limit")),
        _number(tr("Away"), "away", tr("Time in which another window had the keyboard")),
        _number(tr("Words an hour"), "words an hour", tr("Source words of segments with a post-edit and a time")),
        _number(tr("Keys"), "keys", tr("Keys that were pressed")),
        _number(
            tr("Edits"),
            "edits",
            tr("Insertions, deletions, substitutions and shifts against the MT, without regard to letter case"),
        ),
        Column(
            tr("Mean HTER"),
            tr("The mean HTER over segments, each 1 at most; below, the pooled HTER: all edits over all words"),
            right=True,
            exported=("hter", "edit rate"),
        ),
    )
    return _sheet(columns, [(_person_cells(one, decimals), (None,) * len(columns)) for one in study.totals])


def _person_cells(one: Totals, decimals: int) -> tuple[Cell, ...]:
    name = tr("all") if one.everybody else one.person or tr("unknown")
    keys = _counted(KEYS, one.keys)
    edits = _counted(EDITS, one.edits)
    hter, pooled = score_text(one.hter, decimals), score_text(one.edit_rate, decimals)
    speed = DASH if math.isnan(one.words_an_hour) else f"{one.words_an_hour:,.0f}"
    return (
        Cell(name, name, chosen=one.everybody, exact=(one.person,)),
        _count(one.segments, tr("{name}: {n:,} {n:segment|segments} reviewed.", "", one.segments, name=name)),
        _count(one.edited, tr("{name}: {n:,} {n:segment|segments} edited.", "", one.edited, name=name)),
        _count(one.source_words, tr("{name}: {n:,} source {n:word|words}.", "", one.source_words, name=name)),
        _time(one.seconds, name),
        _time(one.pauses, name),
        _time(one.away, name),
        Cell(speed, tr("{name}: {speed} source words an hour.", name=name, speed=speed),
             exact=(_known(one.words_an_hour),)),
        _sum(one.keys, keys),
        _sum(one.edits, edits),
        Cell(hter, tr("{name}: mean HTER {hter}, pooled HTER {pooled}.", name=name, hter=hter, pooled=pooled),
             below=tr("pooled {hter}", hter=pooled), exact=(_known(one.hter), _known(one.edit_rate))),
    )  # fmt: skip


def highlights_sheet(study: PostEditingStudy, decimals: int) -> Sheet[Target]:
    """A row a system: how right its highlights were, beside random ones."""
    columns = (
        Column(tr("System"), exported=("system",)),
        _number(tr("% highlighted"), "highlighted", tr("Characters of words that it called BAD")),
        Column("P(E|H)", tr("The share of highlighted characters that were edited: precision; random ones below"),
               right=True, exported=("precision", "low", "high", "random")),
        Column("P(H|E)", tr("The share of edited characters that were highlighted: recall; random ones below"),
               right=True, exported=("recall", "low", "high", "random")),
        Column("Λ E", tr("How much more often what is highlighted is edited than what is not"), right=True,
               exported=("lift of edits", "low", "high")),
        Column("Λ H", tr("How much more often what is edited is highlighted than what is not"), right=True,
               exported=("lift of highlights", "low", "high")),
        Column(tr("Above random"), tr("P(E|H) less that of as many random highlights in the same segments"),
               right=True, exported=("ahead of random", "low", "high")),
    )  # fmt: skip
    rows = [(_highlight_cells(one, decimals), (Target(system=one.name),) * len(columns)) for one in study.highlights]
    return _sheet(columns, rows)


def _highlight_cells(one: Highlights, decimals: int) -> tuple[Cell, ...]:
    figures = []
    for place, value in enumerate(one.figures.tolist()):
        low, high = one.intervals[place].tolist()
        text, ends = score_text(value, decimals), "" if math.isnan(low) else interval_text(low, high, decimals)
        chance = float(one.of_random[place])
        # lifts of random highlights are those of the segments that they lie in
        below = tr("random {value}", value=score_text(chance, decimals)) if place < LIFTS else ""
        parts = (_known(value), _known(low), _known(high), *((_known(chance),) if place < LIFTS else ()))
        said = _figure_said(one, place, text, score_text(chance, decimals))
        figures.append(Cell(text, said, beside=ends, below=below, exact=parts))
    low, high = one.ahead_interval
    ahead, ends = signed_text(one.ahead, decimals), "" if math.isnan(low) else interval_text(low, high, decimals)
    surely = not math.isnan(low) and low > 0
    said = tr(
        "{system}: P(E|H) is {ahead} above that of random highlights, and the 95 % interval includes 0.",
        system=one.name, ahead=ahead,
    )  # fmt: skip
    if math.isnan(low):
        said = tr("{system}: P(E|H) less that of random highlights has no interval.", system=one.name)
    if surely:
        said = tr("{system}: P(E|H) is {ahead} above that of random highlights.", system=one.name, ahead=ahead)
    return (
        Cell(one.name, one.name, exact=(one.name,)),
        Cell(f"{100 * one.highlighted:.1f}", tr("{system}: {share:.1f} % of characters are highlighted.",
             system=one.name, share=100 * one.highlighted), exact=(_known(one.highlighted),)),
        *figures,
        Cell(ahead, said, "" if surely else "muted", beside=ends,
             exact=(_known(one.ahead), _known(low), _known(high))),
    )  # fmt: skip


def _figure_said(one: Highlights, place: int, text: str, chance: str) -> str:
    """A figure in words; `chance` is that of random highlights."""
    if math.isnan(float(one.figures[place])):
        return tr("{system}: undefined, for nothing of what it is a share of is there.", system=one.name)
    return (
        tr("{system}: {value} of the characters that it highlights were edited; of random ones it would be {chance}.",
           system=one.name, value=text, chance=chance),
        tr("{system}: it highlights {value} of the characters that were edited; random ones would be {chance}.",
           system=one.name, value=text, chance=chance),
        tr("{system}: what it highlights is edited {value} times as often as what it does not.",
           system=one.name, value=text),
        tr("{system}: what was edited is highlighted {value} times as often as what was not.",
           system=one.name, value=text),
    )[place]  # fmt: skip


def skipping_sheet(study: PostEditingStudy, decimals: int) -> Sheet[Target]:
    """A row a system: what slips through where so many segments are skipped."""
    columns = (
        Column(tr("System"), exported=("system",)),
        Column(tr("By"), tr("The number by which segments are skipped"), exported=("by",)),
        *(
            Column(tr("{share:.0f} % skipped", share=100 * share), tr("The share of edits that slips through"),
                   right=True, exported=(f"through {share:g}", "low", "high"))
            for share in SHARES
        ),
        Column(tr("{share:.0f} % through", share=100 * THROUGH),
               tr("How many per cent can be skipped so that no more slips through, by the interval's upper end"),
               right=True, exported=("skipped",)),
    )  # fmt: skip
    rows = [(_skipping_cells(one, decimals), (Target(system=one.name),) * len(columns)) for one in study.skipping]
    return _sheet(columns, rows)


def _skipping_cells(one: Skipping, decimals: int) -> tuple[Cell, ...]:
    cells = [Cell(one.name, one.name, exact=(one.name,)), Cell(one.doubt.of, one.doubt.of, exact=(one.doubt.of,))]
    for share in SHARES:
        place = int((one.skipped <= share + 1e-12).sum()) - 1
        if place < 0:
            said = tr("{system}: no threshold skips so few segments.", system=one.name)
            cells.append(Cell(DASH, said, "muted", exact=(None, None, None)))
            continue
        value, low, high = (float(part[place]) for part in (one.through, one.low, one.high))
        said = tr(
            "{system}: where {skipped:.1f} % of segments are skipped, {value} of the edits slip through.",
            system=one.name, skipped=100 * float(one.skipped[place]), value=score_text(value, decimals),
        )  # fmt: skip
        ends = "" if math.isnan(low) else interval_text(low, high, decimals)
        cells.append(
            Cell(score_text(value, decimals), said, beside=ends, exact=(_known(value), _known(low), _known(high)))
        )
    place = one.most_within(THROUGH)
    most = float(one.skipped[place]) if place >= 0 else 0.0
    said = tr("{system}: up to {most:.1f} % of segments can be skipped so.", system=one.name, most=100 * most)
    return (*cells, Cell(f"{100 * most:.1f}", said, exact=(most,)))


def segments_sheet(study: PostEditingStudy, decimals: int, most: int) -> Sheet[Target]:
    """A row a segment and person, those that took longest first; no more than `most`."""
    columns = (
        Column(tr("Segment"), exported=("segment",)),
        Column(tr("Person"), exported=("person",)),
        Column(tr("Status"), exported=("status",)),
        _number(tr("Time"), "seconds", tr("Time of work: without long pauses and time out of the window")),
        _number(tr("Pauses"), "pauses", tr("Pauses that were longer than the limit")),
        _number(tr("Away"), "away", tr("Time in which another window had the keyboard")),
        _number(tr("Keys"), "keys", tr("Keys that were pressed")),
        _number(tr("Edits"), "edits", tr("Insertions, deletions, substitutions and shifts against the MT")),
        _number("HTER", "hter", tr("Edits for each word of the post-edit, 1 at most")),
    )
    ordered = sorted(study.figures, key=lambda one: (-_or_zero(one.seconds), -_or_zero(one.hter)))[:most]
    rows = [(_segment_cells(one, decimals), (Target(segment=one.segment),) * len(columns)) for one in ordered]
    return _sheet(columns, rows)


def _segment_cells(one: SegmentFigures, decimals: int) -> tuple[Cell, ...]:
    name = tr("segment {number:,}", number=one.segment + 1)
    person = one.person or tr("unknown")
    status = tr("not reviewed") if one.status is None else one.status.shown
    leads = tr("{segment}, {person}. Enter shows it.", segment=name, person=person)
    return (
        Cell(f"{one.segment + 1:,}", leads, exact=(one.segment + 1,)),
        Cell(person, leads, exact=(one.person,)),
        Cell(status, leads, exact=(status,)),
        _time(one.seconds, name),
        _time(one.pauses, name),
        _time(one.away, name),
        _sum(one.keys, _counted(KEYS, one.keys)),
        _sum(one.edits, _counted(EDITS, one.edits)),
        Cell(score_text(one.hter, decimals), leads, exact=(_known(one.hter),)),
    )


# --- cells


def _counted(kinds: Sequence[str], counts: Sequence[int]) -> str:
    """Counts by kind in one line, those that are there."""
    pairs = [(kind, count) for kind, count in zip(kinds, counts, strict=False) if count]
    return side_by_side(", ", [tr("{kind}: {n:,}", "", count, kind=kind) for kind, count in pairs])


def _sum(counts: Sequence[int], said: str) -> Cell:
    if not counts:
        return Cell(DASH, tr("Nothing was recorded."), "muted", exact=(None,))
    return Cell(f"{sum(counts):,}", said or tr("None."), exact=(sum(counts),))


def _count(count: int, said: str) -> Cell:
    return Cell(f"{count:,}", said, exact=(count,))


def _time(seconds: float, name: str) -> Cell:
    shown = clock(seconds)
    if shown is None:
        return Cell(DASH, tr("{name}: no time was recorded.", name=name), "muted", exact=(None,))
    return Cell(shown, tr("{name}: {time}.", name=name, time=shown), exact=(seconds,))


def _number(title: str, exported: str, about: str) -> Column:
    return Column(title, about, right=True, exported=(exported,))


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _or_zero(value: float) -> float:
    return 0.0 if math.isnan(value) else value


def _sheet(columns: tuple[Column, ...], rows: Sequence[Row]) -> Sheet[Target]:
    return Sheet(columns, tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows))
