"""Tags of words, gaps or source words, scored against gold tags. BAD is positive."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

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
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import (
    MIN_SLOW_SEGMENTS,
    WILLIAMS_TESTS,
    Families,
    FamilyRowsMap,
    Level,
    OnProgress,
    ScoreChart,
    ScoringObstacle,
    Selection,
    select_segments,
)
from qe_desktop.levels.words.charts import WORD_CHARTS
from qe_desktop.metrics import PAPER_METRICS, WORD_METRICS, Metric, compute_rows, compute_totals
from qe_desktop.metrics.family import Floats

DISPLAYED_METRICS = ("F1-BAD", "F1-OK", "F1-mult", "MCC", "phr-F1-BAD", "phr-F1-mult", "SeqCor")
NO_CORRELATION = tr("the Williams test compares correlations of sentence scores, not tags")


@dataclass(frozen=True, eq=False, kw_only=True)
class TagLevel(Level):
    """Tags of one kind. `form` says how the files held them, where one must know that."""

    group: str = "words"
    items: str = tr("tags")
    items_heading: str = tr("Tags")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: WORD_METRICS)
    shown: tuple[str, ...] = DISPLAYED_METRICS
    tested: tuple[str, ...] = PAPER_METRICS
    main: str = "F1-mult"
    beside: str = "MCC"
    tests: tuple[str, ...] = ("randomisation", "bootstrap")
    untested: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS_TESTS, NO_CORRELATION))
    pictures: tuple[ScoreChart, ...] = WORD_CHARTS
    positive: str = "BAD"
    tags: Kind = Kind.WORDS
    form: str = ""

    # --- what there is

    def references(self, view: View) -> list[LayerKey]:
        """The gold, or without gold the first person's layer; then the post-edits that people make here."""
        usual = view.reference(self.tags)
        return [] if usual is None else list(dict.fromkeys([usual, *view.tags_that_follow(self.tags)]))

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """All other tags of the kind: of persons, then of systems (probabilities at their thresholds). Tags that follow
        what people make of the text are none of them: where nobody has reviewed it yet, they say nothing. Nor is the
        gold, where these are scored against: it is no system that could be better than another.
        """
        others = [key for key in view.tracks(self.tags) if key != reference and not view.follows_text(key)]
        return [key for key in others if not (view.follows_text(reference) and key.provenance is Provenance.GOLD)]

    def present(self, view: View) -> bool:
        """Whether anybody tagged."""
        return bool(view.tracks(self.tags))

    def possible(self, view: View) -> bool:
        """Whether the words can be tagged."""
        return self.tags is Kind.WORDS and bool(view.corpus.text(TextRole.MT))

    def kept(self, taken: Selection) -> NDArray[np.bool_] | None:
        """Those that were reviewed, where a person tags them here or makes them by post-editing."""
        return taken.view.kept(taken.reference)

    def size(self, taken: Selection) -> int:
        """How many tags the reference has: as loaded, for nothing needs to be copied to count them."""
        column, kept = taken.view.loaded(taken.reference), self.kept(taken)
        return len(column.values) if kept is None else int(column.lengths()[kept].sum())

    # --- counting

    def rows(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> FamilyRowsMap:
        """The rows of the families, from all tags."""
        kept = self.kept(taken)
        gold, systems = _tags(taken, kept)
        dtype = np.float32 if len(gold) > MIN_SLOW_SEGMENTS else np.float64
        found = compute_rows(families, gold, systems, dtype=dtype, watch=watch)
        return found if kept is None else {name: select_segments(rows, kept) for name, rows in found.items()}

    def totals(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> dict[str, Floats]:
        """Their sums, of which no rows are kept."""
        return compute_totals(families, *_tags(taken, self.kept(taken)), watch=watch)

    def rows_at(self, taken: Selection, families: Families, places: Sequence[tuple[View, int]]) -> FamilyRowsMap:
        """All subjects are counted as segments of one: counting few words costs much the same however few they are."""
        subjects = taken.subjects
        gold = _column([view.segment_tags(taken.reference, segment) for view, segment in places] * len(subjects))
        tags = _column([view.segment_tags(key, segment) for key in subjects for view, segment in places])
        found = compute_rows(families, gold, [tags])
        seen = np.asarray([view.is_reviewed(taken.reference, segment) for view, segment in places], bool)
        return {
            name: rows.reshape(len(subjects), len(places), rows.shape[-1]) * seen[:, None]
            for name, rows in found.items()
        }

    def identical(self, taken: Selection) -> NDArray[np.bool_]:
        """Which subjects have the same tags throughout."""
        codes: dict[bytes, int] = {}
        # a fingerprint each, for comparing every pair tag by tag takes long with many systems
        # scores alone are made without it
        from hashlib import blake2b

        columns = _tags(taken, self.kept(taken))[1]
        marks = [blake2b(column.values.tobytes(), digest_size=16).digest() for column in columns]
        code = np.asarray([codes.setdefault(mark, len(codes)) for mark in marks], np.int64)
        return np.asarray(code[:, None] == code[None, :])

    # --- in words

    def described(self, taken: Selection) -> str:
        """How many segments and tags."""
        kept, tags = self.kept(taken), self.size(taken)
        if kept is not None:
            seen = int(kept.sum())
            return tr("{n:,} reviewed {n:segment|segments}, {tags:,} {tags:tag|tags}", "", seen, tags=tags)
        return tr(
            "{segments:,} {segments:segment|segments}, {tags:,} {tags:tag|tags}",
            segments=taken.view.corpus.size,
            tags=tags,
        )

    def summary(self, taken: Selection) -> str:
        """And which share of them is BAD."""
        return tr("{size}, {share:.1f} % BAD", size=self.described(taken), share=self._bad_percent(taken))

    def reported(self, taken: Selection) -> str:
        """And whose share that is."""
        if taken.reference.provenance is not Provenance.GOLD:
            return self.summary(taken)
        return tr("{size}, {share:.1f} % BAD in the gold", size=self.described(taken), share=self._bad_percent(taken))

    def _bad_percent(self, taken: Selection) -> float:
        """Of the reference's tags that are scored."""
        column, kept = taken.view.tags(taken.reference), self.kept(taken)
        return 100 * (column if kept is None else column.of_segments(kept)).bad_share()

    def signature(self, taken: Selection) -> Mapping[str, str]:
        """Which tags, and what the conventions are."""
        form = {"form": self.form} if self.form else {}
        return {
            "positive": "BAD", "tags": self.name, **form, "aggregation": "pooled", "undefined": "null",
            "F1-of-absent-class": "0",
        }  # fmt: skip

    def without_reference(self) -> ScoringObstacle:
        """Add gold, or tag."""
        return ScoringObstacle(
            tr("There is no gold for {items}", items=self.title),
            tr(
                "Scores say how well systems find the words that are BAD in the gold. Add a file with gold tags, or "
                "tag the words yourself and score the systems against your own tags."
            ),
        )

    def without_subjects(self) -> ScoringObstacle:
        """Add systems."""
        return ScoringObstacle(
            tr("There is nothing to score yet for {items}", items=self.title),
            tr("The gold is open. Add the tags of one system to see its scores, of two or more to compare them."),
        )


def _tags(taken: Selection, kept: NDArray[np.bool_] | None) -> tuple[TagColumn, list[TagColumn]]:
    """The tags of reference and subjects in the segments that are scored."""
    columns = [taken.view.tags(key) for key in (taken.reference, *taken.subjects)]
    if kept is not None:
        columns = [column.of_segments(kept) for column in columns]
    return columns[0], columns[1:]


def _column(segments: Sequence[Tags]) -> TagColumn:
    return TagColumn(np.concatenate(segments), offsets_from_lengths([len(tags) for tags in segments]))


WORD_LEVEL = TagLevel(name="words", title=tr("words"), heading=tr("Words"), tags=Kind.WORDS)
GAP_LEVEL = TagLevel(name="gaps", title=tr("gaps"), heading=tr("Gaps"), tags=Kind.GAPS)
SOURCE_LEVEL = TagLevel(name="source", title=tr("source words"), heading=tr("Source words"), tags=Kind.SOURCE)
LEVELS = (WORD_LEVEL, GAP_LEVEL, SOURCE_LEVEL)


def check_same_words(
    column: TagColumn, gold: TagColumn, whole: SourceLocation, at: Callable[[int], SourceLocation], gold_file: str = ""
) -> None:
    """QeError where tags are not of the segments and words that the gold's are of.

    `whole` is where too few or too many segments are, `at` where a segment is; the `gold_file` is named in hints.
    """
    if len(column) != len(gold):
        raise QeError(
            tr(
                "{found:,} {found:segment|segments}, but the gold has {expected:,}",
                found=len(column),
                expected=len(gold),
            ),
            hint=tr("Both must tag the same segments; the gold is {file}.", file=gold_file)
            if gold_file
            else tr("Both must tag the same segments."),
            place=whole,
        )
    found, expected = column.lengths(), gold.lengths()

    def fault(segment: int) -> Fault:
        return Fault(at(segment), _count_mismatch_message(int(found[segment]), int(expected[segment])))

    raise_for_rows(np.flatnonzero(found != expected), fault, *_hints(found - expected, gold_file))


def _count_mismatch_message(found: int, expected: int) -> str:
    return tr("{found} {found:tag|tags}, but the gold has {expected}", found=found, expected=expected)


def _hints(more: NDArray[np.int64], gold_file: str) -> tuple[str, str]:
    """What to do where segments have so many tags more than in the gold, and how the command line says it."""
    apart = np.unique(more)
    if not gold_file:
        return tr("Both must tag the same words."), ""
    if len(apart) == 1 and abs(int(apart[0])) == 1:
        hint = tr(
            "Each line differs by one: the tags may be of gaps, and the tag of <EOS> must be in all files or in none. "
            "The gold is {file}.",
            file=gold_file,
        )
        command_hint = tr(
            "Each line differs by one: tags of gaps are scored with --kind gaps, and the tag of <EOS> must be in all "
            "files or in none. The gold is {file}.",
            file=gold_file,
        )
        return hint, command_hint
    return tr("The gold is {file}.", file=gold_file), ""
