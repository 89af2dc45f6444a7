"""What a dialect says of a segment beside its texts."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.formats.bilingual.quality import Quality
from qe_desktop.formats.bilingual.xml_targets import Restated


class About(NamedTuple):
    """State, lock, origin and notes in the file's own words, scores, and what is untrue when the target changes."""

    state: str = ""
    locked: bool = False
    origin: str = ""
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    restated: tuple[Restated, ...] = ()


NOTHING = About()
