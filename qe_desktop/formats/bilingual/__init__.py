"""Bilingual files, whose unedited bytes stay unchanged on saving; one module per dialect and one registry."""

from typing import TYPE_CHECKING

from qe_desktop.lazy_imports import lazy_attribute

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual.document import (
        AUTO_COLUMNS,
        BilingualFormat,
        ColumnChoice,
        Document,
        RewrittenDocument,
        TargetsRejectedError,
        check_unchanged,
        save_document,
    )
    from qe_desktop.formats.bilingual.registry import FORMATS, detect_dialect, parse_document, read_document
    from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment

__all__ = [
    "AUTO_COLUMNS",
    "FORMATS",
    "BilingualFormat",
    "ColumnChoice",
    "Document",
    "Issue",
    "Quality",
    "RewrittenDocument",
    "Segment",
    "TargetsRejectedError",
    "check_unchanged",
    "detect_dialect",
    "parse_document",
    "read_document",
    "save_document",
]

# loaded on first access: detecting a bilingual file must not import the parsers
_USED = {
    "AUTO_COLUMNS": ".document",
    "BilingualFormat": ".document",
    "ColumnChoice": ".document",
    "Document": ".document",
    "FORMATS": ".registry",
    "Issue": ".segments",
    "Quality": ".segments",
    "RewrittenDocument": ".document",
    "Segment": ".segments",
    "TargetsRejectedError": ".document",
    "parse_document": ".registry",
    "read_document": ".registry",
    "detect_dialect": ".registry",
    "check_unchanged": ".document",
    "save_document": ".document",
}


def __getattr__(name: str) -> object:
    """Import a public name on first access."""
    return lazy_attribute(__name__, _USED, name)
