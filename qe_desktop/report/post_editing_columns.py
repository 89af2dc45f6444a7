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
            None if total.everybody else total.person, total.segments, total.edited, total.recorded, total.source_words,
            total.seconds, total.pauses, total.away, total.words_an_hour, *_counts(total.keys, _KEYS),
            *_counts(total.edits, EDIT_KINDS), total.hter, total.edit_rate,
        )
        for total in study.totals
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
            figure.segment + 1, figure.person, None if figure.status is None else figure.status.name.lower(),
            figure.visits, figure.seconds, figure.pauses, figure.away, figure.gaps_300, figure.gaps_1000,
            *_counts(figure.keys, _KEYS),
            figure.source_words, *_counts(figure.edits, EDIT_KINDS), figure.hter,
            ("yes" if figure.changed else "no") if figure.is_post_edit else None,
        )
        for figure in study.figures
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
    for highlight in study.highlights:
        figures = [
            part
            for value, ends in zip(highlight.figures.tolist(), highlight.intervals.tolist(), strict=True)
            for part in (value, *ends)
        ]
        rows.append(
            (
                highlight.name, highlight.edited, highlight.highlighted, *figures, *highlight.of_random.tolist(),
                highlight.ahead, *highlight.ahead_interval,
            )
        )  # fmt: skip
    return Table(tr("Highlights"), header, tuple(rows))


def skipping_columns(study: PostEditingStudy) -> Table:
    """Return one row per system and threshold."""
    rows: list[tuple[Cell, ...]] = []
    for curve in study.skipping:
        columns = (curve.doubt.sign * curve.thresholds, curve.skipped, curve.through, curve.low, curve.high)
        rows += [(curve.name, *row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return Table(tr("Skipping"), ("system", "threshold", "skipped", "through", "low", "high"), tuple(rows))


def _counts(counts: tuple[int, ...], names: tuple[str, ...]) -> tuple[Cell, ...]:
    return counts or (None,) * len(names)
