"""What checks find in targets as they are now, while people correct them: of edited segments, and of what is typed.

The system that checks are (`running`) says what is wrong with the MT, and never changes. This is beside it, and for the
eyes of whoever corrects alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, LayerKey, Provenance, Status, View, segment_sums
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.highlights.checks.check import Check
from qe_desktop.highlights.checks.own_words import own_words
from qe_desktop.highlights.checks.pairing import Pairing
from qe_desktop.highlights.checks.running import NAME
from qe_desktop.highlights.checks.same_sources import SameSources
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
        self._pairing = Pairing(view.corpus)
        self._words = own_words(view.corpus, watch)
        self._same = SameSources(view.corpus, watch)
        self._alone: set[int] = set()
        """Edited segments in which a check finds something that needs no other segment."""
        self._edited: set[int] = set()
        self._marks: tuple[object, NDArray[np.bool_]] | None = None
        for segment in view.edited():
            watch()
            self._look(segment)

    # --- as `Others`

    def has_of_itself(self, word: str) -> bool:
        """Whether any segment's MT has a word that its source has not."""
        return word in self._words

    def usual(self, segment: int, text: str) -> tuple[int, str] | None:
        """The usual translation of this segment's source, where this text is another."""
        group = self._same.group(segment, self._target)
        if group is None:
            return None
        found = group.usual(segment, text, settled=text != text_of_line(self.view.corpus.mt_line(segment)))
        return None if found is None or found[1].split() == text.split() else found

    def _target(self, segment: int) -> tuple[str, bool]:
        view = self.view
        settled = view.is_edited(segment) or view.review.statuses.get(segment) is Status.CONFIRMED
        return text_of_line(view.target(segment)), settled

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

    def follow(self, view: View, segments: Iterable[int]) -> None:
        """Another view: these segments may have other targets or another status."""
        self.view = view
        for segment in segments:
            self._look(segment)

    def _look(self, segment: int) -> None:
        edited = self.view.is_edited(segment)
        (self._edited.add if edited else self._edited.discard)(segment)
        group = self._same.group(segment, self._target)
        if group is not None:
            group.set(segment, *self._target(segment))
        alone = [check for check in self.checks if check.name != TOGETHER]
        found = edited and self._finds(alone, segment)
        (self._alone.add if found else self._alone.discard)(segment)

    def _finds(self, checks: Sequence[Check], segment: int) -> bool:
        pair = self._pairing.pair(segment, self.view.target(segment))
        if not pair.mt.strip():
            return False
        return any(not one.of_source for check in checks for one in check.at(pair, self))

    def segments(self) -> NDArray[np.bool_]:
        """The segments with a finding, shape (segments,): edited ones by what they are now, others as `marked`;
        and those whose source other segments, which somebody settled, translate otherwise.
        """
        found = self._marked().copy()
        edited = np.fromiter(self._edited, np.int64, len(self._edited))
        found[edited] = False
        found[list(self._alone)] = True
        if any(check.name == TOGETHER for check in self.checks):
            for group in self._same.groups():
                if group.is_settled:
                    found[group.odd()] = True
        return found

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
