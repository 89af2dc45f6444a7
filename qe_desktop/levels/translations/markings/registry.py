"""All ways of marking the words of translations. A new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.levels.translations.markings.chunks import CHUNKS
from qe_desktop.levels.translations.markings.differences import DIFFERENCES
from qe_desktop.levels.translations.markings.edits import EDITS
from qe_desktop.levels.translations.markings.marks import Against, Mark, Marking, Marks
from qe_desktop.levels.translations.markings.ngrams import NGRAMS
from qe_desktop.levels.translations.markings.unigrams import UNIGRAMS
from qe_desktop.wording import tr


def _none(against: Against) -> Marks:
    return ()


def _nothing_said(mark: Mark, names: Sequence[str]) -> str:
    return ""


NOTHING = Marking("nothing", tr("nothing"), tr("The texts as they are"), (), _none, _nothing_said)

MARKINGS = {
    marking.name: marking
    for marking in (
        DIFFERENCES,
        EDITS,
        NGRAMS,
        UNIGRAMS,
        CHUNKS,
        NOTHING,
    )
}
"""By name, in the order in which they are offered."""


def usual_marking(metric: str) -> Marking:
    """What shows best what a metric counts; the differences where none does."""
    return next((marking for marking in MARKINGS.values() if marking.explains(metric)), DIFFERENCES)
