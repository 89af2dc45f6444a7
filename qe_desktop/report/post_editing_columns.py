"""Post-editing study as columns for scripts, one number per column."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.report.render.tables import Cell, Table
from qe_desktop.studies.post_editing.highlights import HIGHLIGHT_STATISTIC_NAMES
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.studies.post_editing.recorded_work import KEY_KINDS

EDIT_KINDS = ("insertions", "deletions", "substitutions", "shifts")
_KEYS = tuple(f"{kind} keys" for kind in KEY_KINDS)
_TIMES = ("seconds", "pauses", "away")


def totals_columns(study: PostEditingStudy) -> Table:
    """Return one row per post-editor; the name is empty in the row of totals."""
    header = (
        "person", "segments", "edited", "recorded", "source words", *_TIMES, "words an hour", *_KEYS, *EDIT_KINDS,
        "hter", "edit rate",
    )  # fmt: skip
    rows = tuple(
        (
            None if one.everybody else one.person, one.segments, one.edited, one.recorded, one.source_words,
            one.seconds, one.pauses, one.away, one.words_an_hour, *_counts(one.keys, _KEYS),
            *_counts(one.edits, EDIT_KINDS), one.hter, one.edit_rate,
        )
        for one in study.totals
    )  # fmt: skip
    return Table(tr("Post-editing"), header, rows)


def figure_columns(study: PostEditingStudy) -> Table:
    """Return one row per segment and post-editor."""
    header = (
        "segment", "person", "status", "visits", *_TIMES, "gaps 300 ms", "gaps 1 s", *_KEYS, "source words",
        *EDIT_KINDS, "hter", "changed",
    )  # fmt: skip
    rows = tuple(
        (
            one.segment + 1, one.person, None if one.status is None else one.status.name.lower(), one.visits,
            one.seconds, one.pauses, one.away, one.gaps_300, one.gaps_1000, *_counts(one.keys, _KEYS),
            one.source_words, *_counts(one.edits, EDIT_KINDS), one.hter,
            ("yes" if one.changed else "no") if one.is_post_edit else None,
        )
        for one in study.figures
    )  # fmt: skip
    return Table(tr("Segments"), header, rows)


def highlight_columns(study: PostEditingStudy) -> Table:
    """Return one row per system."""
    header = (
        "system", "edited", "highlighted",
        *(part for name in HIGHLIGHT_STATISTIC_NAMES for part in (name, f"{name} low", f"{name} high")),
        *(f"random {name}" for name in HIGHLIGHT_STATISTIC_NAMES), "ahead of random", "ahead low", "ahead high",
    )  # fmt: skip
    rows = []
    for one in study.highlights:
        figures = [
            part
            for value, ends in zip(one.figures.tolist(), one.intervals.tolist(), strict=True)
            for part in (value, *ends)
        ]
        rows.append(
            (
                one.name, one.edited, one.highlighted, *figures, *one.of_random.tolist(), one.ahead,
                *one.ahead_interval,
            )
        )  # fmt: skip
    return Table(tr("Highlights"), header, tuple(rows))


def skipping_columns(study: PostEditingStudy) -> Table:
    """Return one row per system and threshold."""
    rows: list[tuple[Cell, ...]] = []
    for one in study.skipping:
        columns = (one.doubt.sign * one.thresholds, one.skipped, one.through, one.low, one.high)
        rows += [(one.name, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return Table(tr("Skipping"), ("system", "threshold", "skipped", "through", "low", "high"), tuple(rows))


def _counts(counts: tuple[int, ...], names: tuple[str, ...]) -> tuple[Cell, ...]:
    return counts or (None,) * len(names)
