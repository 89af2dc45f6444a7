"""What checks find in targets as they are now, while people correct them: of edited segments, and of what is typed.

The system that checks are (`running`) says what is wrong with the MT, and never changes. This is beside it, and for the
eyes of whoever corrects alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, Status, View, segment_sums
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.highlights.checks.check import Check
from qe_desktop.highlights.checks.own_words import own_words
from qe_desktop.highlights.checks.pairing import Pairing
from qe_desktop.highlights.checks.running import NAME
from qe_desktop.highlights.checks.same_sources import Now, SameSources
from qe_desktop.highlights.sides import Span

TOGETHER = "consistency"
"""The check that other segments' targets can make find something else."""


class Finding(NamedTuple):
    """A span of the text of a target (without codes) and what is wrong with it; a point marks what is missing there."""

    span: Span
    reason: str
    check: str


class CurrentChecks:
    """The findings of all segments that somebody edited, held while the view changes.

    Of targets that nobody edited, `marked` says which the system of checks marks, where it is there.
    """

    def __init__(self, view: View, checks: Sequence[Check], watch: Callable[[], object] = lambda: None) -> None:
        self.view = view
        self.checks = tuple(checks)
        self._alone_checks = tuple(check for check in checks if check.name != TOGETHER)
        self._pairing = Pairing(view.corpus)
        self._words = own_words(view.corpus, watch)
        self._same = SameSources(view.corpus, watch) if len(self._alone_checks) < len(self.checks) else None
        self._edited = np.zeros(view.corpus.size, bool)
        self._alone = np.zeros(view.corpus.size, bool)
        """Edited segments in which a check finds something that needs no other segment."""
        self._marks: tuple[object, NDArray[np.bool_]] | None = None
        self.follow(view, {**dict.fromkeys(view.edited()), **view.review.statuses}, watch)

    def copy(self) -> CurrentChecks:
        """The same, which goes its own way from now on: it may follow a view on another thread."""
        other = copy(self)
        other._edited, other._alone = self._edited.copy(), self._alone.copy()
        other._same = None if self._same is None else self._same.copy()
        return other

    # --- as `Others`

    def has_of_itself(self, word: str) -> bool:
        """Whether any segment's MT has a word that its source has not."""
        return word in self._words

    def usual(self, segment: int, text: str) -> tuple[int, str] | None:
        """The usual translation of this segment's source, where this text is another."""
        if self._same is None:
            return None
        settled = text != text_of_line(self.view.corpus.mt_line(segment))
        found = self._same.usual(Now(segment, text, settled))
        return None if found is None else (found, text_of_line(self.view.target(found)))

    def _now(self, segment: int) -> Now:
        view = self.view
        settled = view.is_edited(segment) or view.review.statuses.get(segment) is Status.CONFIRMED
        return Now(segment, text_of_line(view.target(segment)), settled)

    # --- one target

    def findings(self, segment: int, line: str) -> tuple[Finding, ...]:
        """What is wrong with a target of a segment, in the order of its text; nothing in an empty one."""
        pair = self._pairing.pair(segment, line)
        if not pair.mt.strip():
            return ()
        found = {
            Finding(self._pairing.place(pair, line, one.span), one.reason, check.name): None
            for check in self.checks
            for one in check.at(pair, self)
            if not one.of_source
        }
        return tuple(sorted(found, key=lambda one: one.span))

    # --- all of them

    def fits(self, view: View) -> bool:
        """Whether a view is one of the same texts."""
        ours, theirs = self.view.corpus, view.corpus
        return ours is theirs or (ours.texts == theirs.texts and ours.job is theirs.job)

    def follow(self, view: View, segments: Iterable[int], watch: Callable[[], object] = lambda: None) -> None:
        """Another view: these segments may have other targets or another status."""
        self.view = view
        moved: list[Now] = []
        for segment in segments:
            watch()
            edited = view.is_edited(segment)
            self._edited[segment] = edited
            self._alone[segment] = edited and self._finds(segment)
            moved.append(self._now(segment))
        if self._same is not None:
            self._same.put(moved)

    def _finds(self, segment: int) -> bool:
        pair = self._pairing.pair(segment, self.view.target(segment))
        if not pair.mt.strip():
            return False
        return any(not one.of_source for check in self._alone_checks for one in check.at(pair, self))

    def segments(self) -> NDArray[np.bool_]:
        """The segments with a finding, shape (segments,): edited ones by what they are now, others as `marked`;
        and those whose source other segments, which somebody settled, translate otherwise.
        """
        found = np.where(self._edited, self._alone, self._marked())
        return found if self._same is None else found | self._same.odd

    def _marked(self) -> NDArray[np.bool_]:
        layers = self.view.corpus.layers
        if self._marks is None or self._marks[0] is not layers:
            self._marks = layers, marked(self.view)
        return self._marks[1]


def marked(view: View) -> NDArray[np.bool_]:
    """The segments in which the system of checks marks the MT, shape (segments,)."""
    found = np.zeros(view.corpus.size, bool)
    for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE):
        layer = view.corpus.layers.get(LayerKey(Provenance.SYSTEM, NAME, kind))
        if layer is not None:
            found |= segment_sums(layer.tags.values, layer.tags.offsets) > 0
    return found
