"""Splitting of lines into text and inline codes, and conversion of both to XML content."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, check_xml_chars, split_line
from qe_desktop.i18n.messages import tr


class CodeMark(NamedTuple):
    """Inline code of a line: its kind, number and label (empty if it has none)."""

    kind: CodeKind
    number: int
    label: str = ""


def text_and_marks(line: str, labels: Mapping[int, str]) -> list[str | CodeMark]:
    """Split a line into codes and the texts around them, with LF as line break; unpaired codes become standalone."""
    return _pair_codes([
        run.replace(LINE_BREAK, "\n") if isinstance(run, str) else CodeMark(*run, labels.get(run.number, ""))
        for run in split_line(line)
    ])  # fmt: skip


def _pair_codes(runs: list[str | CodeMark]) -> list[str | CodeMark]:
    opened: dict[int, int] = {}
    paired: set[int] = set()
    for index, run in enumerate(runs):
        if isinstance(run, CodeMark) and run.kind is CodeKind.OPEN:
            opened[run.number] = index
        elif isinstance(run, CodeMark) and run.kind is CodeKind.CLOSE and run.number in opened:
            paired |= {opened.pop(run.number), index}
    return [
        run if isinstance(run, str) or index in paired else run._replace(kind=CodeKind.STANDALONE)
        for index, run in enumerate(runs)
    ]


def xml_content(line: str, labels: Mapping[int, str], element: Callable[[CodeMark], str]) -> str:
    """Convert a line to XML content; `element` serializes a code. Raises QeError if a character is invalid in XML."""
    return "".join([escape_xml(run) if isinstance(run, str) else element(run) for run in text_and_marks(line, labels)])


def escape_xml(text: str) -> str:
    """Escape text for XML content. Raises QeError if XML does not allow one of its characters."""
    check_xml_chars(text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def quote_attribute(text: str) -> str:
    """Quote a text as an attribute value. Raises QeError if XML does not allow one of its characters."""
    return '"' + escape_xml(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;") + '"'


def with_segment(error: QeError, number: int) -> QeError:
    """Copy of an error, with the segment number in its message."""
    message = tr("segment {number:,}: {fault}", number=number, fault=error.message)
    return QeError(message, hint=error.hint, command_hint=error.command_hint)
