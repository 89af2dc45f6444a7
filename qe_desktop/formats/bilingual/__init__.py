"""Translators' files, read and written back byte by byte: one module for each dialect, behind one registry."""

from typing import TYPE_CHECKING

from qe_desktop.lazily import brought_in

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual.document import Document, Rewritten, TargetsRefused
    from qe_desktop.formats.bilingual.quality import Issue, Quality
    from qe_desktop.formats.bilingual.recognition import AS_IT_TELLS, BilingualFormat, Choice
    from qe_desktop.formats.bilingual.registry import FORMATS, document_of, read_document, recognise
    from qe_desktop.formats.bilingual.saving import refuse_changed, save
    from qe_desktop.formats.bilingual.segments import Segment

__all__ = [
    "AS_IT_TELLS",
    "FORMATS",
    "BilingualFormat",
    "Choice",
    "Document",
    "Issue",
    "Quality",
    "Rewritten",
    "Segment",
    "TargetsRefused",
    "document_of",
    "read_document",
    "recognise",
    "refuse_changed",
    "save",
]

# a command that only asks whether a file is one of these waits for no parser
_USED = {
    "AS_IT_TELLS": ".recognition",
    "BilingualFormat": ".recognition",
    "Choice": ".recognition",
    "Document": ".document",
    "FORMATS": ".registry",
    "Issue": ".quality",
    "Quality": ".quality",
    "Rewritten": ".document",
    "Segment": ".segments",
    "TargetsRefused": ".document",
    "document_of": ".registry",
    "read_document": ".registry",
    "recognise": ".registry",
    "refuse_changed": ".saving",
    "save": ".saving",
}


def __getattr__(name: str) -> object:
    """What is there, brought in when it is first asked for."""
    return brought_in(__name__, _USED, name)
