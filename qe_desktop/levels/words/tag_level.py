"""Scoring levels of the tags of words, gaps and source words. BAD is the positive class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Fault,
    Kind,
    LayerKey,
    Provenance,
    QeError,
    SourceLocation,
    TagColumn,
    Tags,
    TextRole,
    View,
    offsets_from_lengths,
    raise_for_rows,
)
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import (
    MAX_FLOAT64_SEGMENTS,
    WILLIAMS_TESTS,
    ChartRequest,
    Families,
    FamilyRowsMap,
    Level,
    ScoreChart,
    ScoringObstacle,
    Selection,
    equal_pairs,
    expand_segments,
)
from qe_desktop.metrics import PAPER_METRICS, WORD_METRICS, Metric, compute_rows, compute_totals

if TYPE_CHECKING:
    from qe_desktop.levels.chart_model import Panels


def _hits_and_misses(request: ChartRequest) -> Panels | str:
    # charts are imported on demand, by the window only
    from qe_desktop.levels.words.hits_and_misses import hits_and_misses_panels

    return hits_and_misses_panels(request)


WORD_CHARTS = (
    ScoreChart(
        "hits-and-misses", tr("Hits and misses"),
        tr("Hits, misses and false alarms of each system. Positive class: BAD."),
        _hits_and_misses, is_live=True,
    ),
)  # fmt: skip


DISPLAYED_METRICS = ("F1-BAD", "F1-OK", "F1-mult", "MCC", "phr-F1-BAD", "phr-F1-mult", "SeqCor")
NO_CORRELATION = tr("the Williams test applies only to segment scores, not to tags")


@dataclass(frozen=True, eq=False, kw_only=True)
class TagLevel(Level):
    """Level of one kind of tags. `layout` is the layout of the tags in the gold file; empty if it does not matter."""

    group: str = "words"
    items: str = tr("tags")
    items_heading: str = tr("Tags")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: WORD_METRICS)
    shown_metrics: tuple[str, ...] = DISPLAYED_METRICS
    tested_metrics: tuple[str, ...] = PAPER_METRICS
    main_metric: str = "F1-mult"
    companion_metric: str = "MCC"
    tests: tuple[str, ...] = ("randomisation", "bootstrap")
    untested_reasons: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS_TESTS, NO_CORRELATION))
    charts: tuple[ScoreChart, ...] = WORD_CHARTS
    positive: str = "BAD"
    tags: Kind = Kind.WORDS
    layout: str = ""

    # --- contents

    def references(self, view: View) -> list[LayerKey]:
        """Return the possible references, the default first.

        The default is the gold, or else the first annotator's layer. Layers derived from post-edits made in the program
        follow.
        """
        default_reference = view.reference(self.tags)
        return (
            [] if default_reference is None else list(dict.fromkeys([default_reference, *view.derived_tags(self.tags)]))
        )

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """Return all tag layers of this kind except `reference`: first annotators' layers, then systems' layers.

        Systems' probabilities count as tags if a threshold is set. Tags derived from the edited text are excluded. If
        the reference itself is derived from the edited text, the gold is excluded too, because the gold is not a
        system to compare.
        """
        other_keys = [key for key in view.tag_layers(self.tags) if key != reference and not view.is_derived(key)]
        return [key for key in other_keys if not (view.is_derived(reference) and key.provenance is Provenance.GOLD)]

    def has_data(self, view: View) -> bool:
        """Return whether there are any tags of this kind."""
        return bool(view.tag_layers(self.tags))

    def can_be_tagged(self, view: View) -> bool:
        """Return whether the user can tag words: true at the level of words if the corpus has an MT."""
        return self.tags is Kind.WORDS and bool(view.corpus.text(TextRole.MT))

    def scored_segments(self, selection: Selection) -> NDArray[np.bool_] | None:
        """Return the mask of the scored segments, shape (segments,); None if all segments are scored.

        Only reviewed segments are scored if the reference results from tagging or post-editing in the program.
        """
        return selection.view.scored_segments(selection.reference)

    def size(self, selection: Selection) -> int:
        """Return the number of reference tags in the scored segments."""
        # counting the initial tags avoids a copy; they are as many as the current tags
        column, is_scored = selection.view.initial_tags(selection.reference), self.scored_segments(selection)
        return len(column.values) if is_scored is None else int(column.lengths()[is_scored].sum())

    # --- computation

    def rows(self, selection: Selection, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Return the rows of the families, computed from all scored tags."""
        is_scored = self.scored_segments(selection)
        gold, systems = _tags(selection, is_scored)
        dtype = np.float32 if len(gold) > MAX_FLOAT64_SEGMENTS else np.float64
        by_family = compute_rows(families, gold, systems, dtype=dtype, on_progress=on_progress)
        return (
            by_family
            if is_scored is None
            else {name: expand_segments(rows, is_scored) for name, rows in by_family.items()}
        )

    def totals(
        self, selection: Selection, families: Families, on_progress: OnProgress | None = None
    ) -> dict[str, Floats]:
        """Return the sums of the rows by family, without storing the rows."""
        return compute_totals(families, *_tags(selection, self.scored_segments(selection)), on_progress=on_progress)

    def rows_at(
        self, selection: Selection, families: Families, view_segments: Sequence[tuple[View, int]]
    ) -> FamilyRowsMap:
        """Return the rows of some segments. The tags of all subjects are counted as one column, which is faster."""
        subjects = selection.subjects
        gold = _column(
            [view.segment_tags(selection.reference, segment) for view, segment in view_segments] * len(subjects)
        )
        tags = _column([view.segment_tags(key, segment) for key in subjects for view, segment in view_segments])
        by_family = compute_rows(families, gold, [tags])
        is_reviewed = np.asarray(
            [view.is_reviewed(selection.reference, segment) for view, segment in view_segments], bool
        )
        return {
            name: rows.reshape(len(subjects), len(view_segments), rows.shape[-1]) * is_reviewed[:, None]
            for name, rows in by_family.items()
        }

    def identical_subjects(self, selection: Selection) -> NDArray[np.bool_]:
        """Return which subjects have identical tags, shape (subjects, subjects)."""
        # fingerprints, because comparing all pairs tag by tag is slow with many systems; scores do not need this import
        from hashlib import blake2b

        columns = _tags(selection, self.scored_segments(selection))[1]
        return equal_pairs(blake2b(column.values.tobytes(), digest_size=16).digest() for column in columns)

    # --- texts

    def data_summary(self, selection: Selection) -> str:
        """Return a summary: the numbers of scored segments and of their tags."""
        is_scored, tags = self.scored_segments(selection), self.size(selection)
        if is_scored is not None:
            reviewed_count = int(is_scored.sum())
            return tr("{n:,} reviewed {n:segment|segments}, {tags:,} {tags:tag|tags}", "", reviewed_count, tags=tags)
        return tr(
            "{segments:,} {segments:segment|segments}, {tags:,} {tags:tag|tags}",
            segments=selection.view.corpus.size,
            tags=tags,
        )

    def summary(self, selection: Selection) -> str:
        """Return a summary: the numbers of scored segments and of their tags, and the percentage of BAD."""
        return tr("{size}, {share:.1f} % BAD", size=self.data_summary(selection), share=self._bad_percent(selection))

    def report_summary(self, selection: Selection) -> str:
        """Return the summary; if the reference is the gold, the summary mentions the gold."""
        if selection.reference.provenance is not Provenance.GOLD:
            return self.summary(selection)
        return tr(
            "{size}, {share:.1f} % BAD in the gold",
            size=self.data_summary(selection),
            share=self._bad_percent(selection),
        )

    def _bad_percent(self, selection: Selection) -> float:
        """Return the percentage of BAD among the scored tags of the reference."""
        column, is_scored = selection.view.tags(selection.reference), self.scored_segments(selection)
        return 100 * (column if is_scored is None else column.select_segments(is_scored)).bad_share()

    def signature(self, selection: Selection) -> Mapping[str, str]:
        """Return the settings needed to reproduce the numbers: the kind of tags and the conventions of the metrics."""
        form = {"form": self.layout} if self.layout else {}
        return {
            "positive": "BAD", "tags": self.name, **form, "aggregation": "pooled", "undefined": "null",
            "F1-of-absent-class": "0",
        }  # fmt: skip

    def explain_missing_reference(self) -> ScoringObstacle:
        """Return a message that suggests adding gold tags or tagging the text."""
        return ScoringObstacle(
            tr("There is no gold for {items}", items=self.title),
            tr(
                "Scores show how well systems predict the BAD tags of the gold. Add a file with "
                "gold tags, or tag the text yourself and score the systems against your tags."
            ),
        )

    def explain_missing_subjects(self) -> ScoringObstacle:
        """Return a message that suggests opening the tags of systems."""
        return ScoringObstacle(
            tr("There are no tags of {items} to score", items=self.title),
            tr("Open the tags of one or more systems."),
        )


def _tags(selection: Selection, is_scored: NDArray[np.bool_] | None) -> tuple[TagColumn, list[TagColumn]]:
    """Return the tags of the reference and of each subject, in the segments marked by `is_scored` (None: all)."""
    columns = [selection.view.tags(key) for key in (selection.reference, *selection.subjects)]
    if is_scored is not None:
        columns = [column.select_segments(is_scored) for column in columns]
    return columns[0], columns[1:]


def _column(segments: Sequence[Tags]) -> TagColumn:
    return TagColumn(np.concatenate(segments), offsets_from_lengths([len(tags) for tags in segments]))


WORD_LEVEL = TagLevel(name="words", title=tr("words"), heading=tr("Words"), tags=Kind.WORDS)
GAP_LEVEL = TagLevel(name="gaps", title=tr("gaps"), heading=tr("Gaps"), tags=Kind.GAPS)
SOURCE_LEVEL = TagLevel(name="source", title=tr("source words"), heading=tr("Source words"), tags=Kind.SOURCE)
LEVELS = (WORD_LEVEL, GAP_LEVEL, SOURCE_LEVEL)


def check_same_words(
    column: TagColumn,
    gold: TagColumn,
    location: SourceLocation,
    location_of: Callable[[int], SourceLocation],
    gold_file: str = "",
) -> None:
    """Raise QeError unless tags cover the same segments and words as the gold.

    `location` is the location for an error in the number of segments, and `location_of` returns the location for an
    error in a segment. Hints contain the file name `gold_file` unless it is empty.
    """
    if len(column) != len(gold):
        raise QeError(
            tr(
                "{found:,} {found:segment|segments}, but the gold has {expected:,}",
                found=len(column),
                expected=len(gold),
            ),
            hint=tr("All files must cover the same segments. The gold is {file}.", file=gold_file)
            if gold_file
            else tr("The tags and the gold must cover the same segments."),
            place=location,
        )
    actual, expected = column.lengths(), gold.lengths()

    def segment_error(segment: int) -> Fault:
        message = tr(
            "{found} {found:tag|tags}, but the gold has {expected}",
            found=int(actual[segment]), expected=int(expected[segment]),
        )  # fmt: skip
        return Fault(location_of(segment), message)

    raise_for_rows(np.flatnonzero(actual != expected), segment_error, *_hints(actual - expected, gold_file))


def _hints(surplus: Ints, gold_file: str) -> tuple[str, str]:
    """Return the hint about segments with more or fewer tags than in the gold, and its command-line form.

    `surplus`, shape (segments,), is the number of tags of each segment minus their number in the gold. The command-line
    form is empty if it does not differ from the hint.
    """
    differences = np.unique(surplus)
    if not gold_file:
        return tr("The tags and the gold must cover the same words."), ""
    if len(differences) == 1 and abs(int(differences[0])) == 1:
        hint = tr(
            "Each segment differs by one tag, perhaps because only one of the files has gap tags or <EOS> tags. "
            "The gold is {file}.",
            file=gold_file,
        )
        command_hint = tr(
            "Each segment differs by one tag. Use --kind gaps for gap tags; <EOS> tags must be in all files or "
            "in none. The gold is {file}.",
            file=gold_file,
        )
        return hint, command_hint
    return tr("The gold is {file}.", file=gold_file), ""
