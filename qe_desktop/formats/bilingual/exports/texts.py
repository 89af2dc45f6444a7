"""Plain texts, one segment a line, with codes as `⟨1⟩`: source, MT as loaded, and post-edit."""

from __future__ import annotations

from collections.abc import Iterable

from qe_desktop.formats.bilingual.exports.exported import Exported
from qe_desktop.outgoing import utf8


def write_sources(exported: Exported) -> bytes:
    """The sources."""
    return _lines(pair.source for pair in exported.pairs)


def write_mt(exported: Exported) -> bytes:
    """The MT as it was loaded."""
    return _lines(pair.loaded for pair in exported.pairs)


def write_post_edits(exported: Exported) -> bytes:
    """The targets as they are now."""
    return _lines(pair.target for pair in exported.pairs)


def _lines(lines: Iterable[str]) -> bytes:
    return utf8("".join([f"{line}\n" for line in lines]))
