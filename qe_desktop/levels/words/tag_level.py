"""Tags of words, gaps or source words, scored against gold tags. BAD is positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, TagColumn, Tags, TextRole, View, offsets_of
from qe_desktop.levels.level import (
    MANY_SEGMENTS,
    WILLIAMS,
    Families,
    Level,
    Picture,
    Rows,
    ShareWatch,
    Situation,
    Taken,
    in_place,
)
from qe_desktop.levels.words.pictures import PICTURES
from qe_desktop.metrics import PAPER_METRICS, WORD_METRICS, Metric, rows_of, totals_of
from qe_desktop.metrics.family import Floats
from qe_desktop.wording import tr

SHOWN = ("F1-BAD", "F1-OK", "F1-mult", "MCC", "phr-F1-BAD", "phr-F1-mult", "SeqCor")
NO_CORRELATION = tr("the Williams test compares correlations of sentence scores, not tags")


@dataclass(frozen=True, eq=False, kw_only=True)
class TagLevel(Level):
    """Tags of one kind. `form` says how the files held them, where one must know that."""

    group: str = "words"
    items: str = tr("tags")
    items_heading: str = tr("Tags")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: WORD_METRICS)
    shown: tuple[str, ...] = SHOWN
    tested: tuple[str, ...] = PAPER_METRICS
    main: str = "F1-mult"
    beside: str = "MCC"
    tests: tuple[str, ...] = ("randomisation", "bootstrap")
    untested: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS, NO_CORRELATION))
    pictures: tuple[Picture, ...] = PICTURES
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

    def kept(self, taken: Taken) -> NDArray[np.bool_] | None:
        """Those that were reviewed, where a person tags them here or makes them by post-editing."""
        return taken.view.kept(taken.reference)

    def size(self, taken: Taken) -> int:
        """How many tags the reference has: as loaded, for nothing needs to be copied to count them."""
        column, kept = taken.view.loaded(taken.reference), self.kept(taken)
        return len(column.values) if kept is None else int(column.lengths()[kept].sum())

    # --- counting

    def rows(self, taken: Taken, families: Families, watch: ShareWatch | None = None) -> Rows:
        """The rows of the families, from all tags."""
        kept = self.kept(taken)
        gold, systems = _tags(taken, kept)
        dtype = np.float32 if len(gold) > MANY_SEGMENTS else np.float64
        found = rows_of(families, gold, systems, dtype=dtype, watch=watch)
        return found if kept is None else {name: in_place(rows, kept) for name, rows in found.items()}

    def totals(self, taken: Taken, families: Families, watch: ShareWatch | None = None) -> dict[str, Floats]:
        """Their sums, of which no rows are kept."""
        return totals_of(families, *_tags(taken, self.kept(taken)), watch=watch)

    def rows_at(self, taken: Taken, families: Families, places: Sequence[tuple[View, int]]) -> Rows:
        """All subjects are counted as segments of one: counting few words costs much the same however few they are."""
        subjects = taken.subjects
        gold = _column([view.segment_tags(taken.reference, segment) for view, segment in places] * len(subjects))
        tags = _column([view.segment_tags(key, segment) for key in subjects for view, segment in places])
        found = rows_of(families, gold, [tags])
        seen = np.asarray([view.is_reviewed(taken.reference, segment) for view, segment in places], bool)
        return {
            name: rows.reshape(len(subjects), len(places), rows.shape[-1]) * seen[:, None]
            for name, rows in found.items()
        }

    def identical(self, taken: Taken) -> NDArray[np.bool_]:
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

    def described(self, taken: Taken) -> str:
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

    def summary(self, taken: Taken) -> str:
        """And which share of them is BAD."""
        return tr("{size}, {share:.1f} % BAD", size=self.described(taken), share=self._bad_percent(taken))

    def reported(self, taken: Taken) -> str:
        """And whose share that is."""
        if taken.reference.provenance is not Provenance.GOLD:
            return self.summary(taken)
        return tr("{size}, {share:.1f} % BAD in the gold", size=self.described(taken), share=self._bad_percent(taken))

    def _bad_percent(self, taken: Taken) -> float:
        """Of the reference's tags that are scored."""
        column, kept = taken.view.tags(taken.reference), self.kept(taken)
        return 100 * (column if kept is None else column.of_segments(kept)).bad_share()

    def signature(self, taken: Taken) -> Mapping[str, str]:
        """Which tags, and what the conventions are."""
        form = {"form": self.form} if self.form else {}
        return {
            "positive": "BAD", "tags": self.name, **form, "aggregation": "pooled", "undefined": "null",
            "F1-of-absent-class": "0",
        }  # fmt: skip

    def without_reference(self) -> Situation:
        """Add gold, or tag."""
        return Situation(
            tr("There is no gold for {items}", items=self.title),
            tr(
                "Scores say how well systems find the words that are BAD in the gold. Add a file with gold tags, or "
                "tag the words yourself and score the systems against your own tags."
            ),
        )

    def without_subjects(self) -> Situation:
        """Add systems."""
        return Situation(
            tr("There is nothing to score yet for {items}", items=self.title),
            tr("The gold is open. Add the tags of one system to see its scores, of two or more to compare them."),
        )


def _tags(taken: Taken, kept: NDArray[np.bool_] | None) -> tuple[TagColumn, list[TagColumn]]:
    """The tags of reference and subjects in the segments that are scored."""
    columns = [taken.view.tags(key) for key in (taken.reference, *taken.subjects)]
    if kept is not None:
        columns = [column.of_segments(kept) for column in columns]
    return columns[0], columns[1:]


def _column(segments: Sequence[Tags]) -> TagColumn:
    return TagColumn(np.concatenate(segments), offsets_of([len(tags) for tags in segments]))


WORDS = TagLevel(name="words", title=tr("words"), heading=tr("Words"), tags=Kind.WORDS)
GAPS = TagLevel(name="gaps", title=tr("gaps"), heading=tr("Gaps"), tags=Kind.GAPS)
SOURCE = TagLevel(name="source", title=tr("source words"), heading=tr("Source words"), tags=Kind.SOURCE)
LEVELS = (WORDS, GAPS, SOURCE)
