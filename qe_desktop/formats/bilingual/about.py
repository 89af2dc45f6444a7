"""What a dialect says of a segment beside its texts."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.formats.bilingual.quality import Quality
from qe_desktop.formats.bilingual.xml_targets import NOWHERE, Restated, Said


class About(NamedTuple):
    """State, lock, origin and notes in the file's own words, scores, what is untrue when the target changes, and where
    its status is said.
    """

    state: str = ""
    locked: bool = False
    origin: str = ""
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    restated: tuple[Restated, ...] = ()
    at: Said = NOWHERE


NOTHING = About()
