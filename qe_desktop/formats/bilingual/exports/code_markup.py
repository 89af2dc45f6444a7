"""A line with codes as runs of text and marks, for files that write the codes in their own way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, LINE_BREAK
from qe_desktop.i18n.messages import tr

_MARK = re.compile("⟨⟨|⟨(/?)([0-9]{1,6})(/?)⟩")


class CodeMark(NamedTuple):
    """A code of a line: what it does, its number, and what may be said of it."""

    kind: CodeKind
    number: int
    label: str = ""


def text_and_marks(line: str, labels: Mapping[int, str]) -> list[str | CodeMark]:
    """The text and the marks of a line by turns. An end whose other end is missing stands alone."""
    runs: list[str | CodeMark] = []
    text, low = "", 0
    for found in _MARK.finditer(line):
        text += line[low : found.start()]
        low = found.end()
        if found[0] == "⟨⟨":
            text += "⟨"
            continue
        if text:
            runs.append(text)
            text = ""
        number = int(found[2])
        kind = CodeKind.CLOSE if found[1] else CodeKind.ALONE if found[3] else CodeKind.OPEN
        runs.append(CodeMark(kind, number, labels.get(number, "")))
    text += line[low:]
    if text:
        runs.append(text)
    return _pair_codes([run.replace(LINE_BREAK, "\n") if isinstance(run, str) else run for run in runs])


def _pair_codes(runs: list[str | CodeMark]) -> list[str | CodeMark]:
    opened: dict[int, int] = {}
    paired: set[int] = set()
    for place, run in enumerate(runs):
        if isinstance(run, CodeMark) and run.kind is CodeKind.OPEN:
            opened[run.number] = place
        elif isinstance(run, CodeMark) and run.kind is CodeKind.CLOSE and run.number in opened:
            paired |= {opened.pop(run.number), place}
    return [
        run if isinstance(run, str) or place in paired else run._replace(kind=CodeKind.ALONE)
        for place, run in enumerate(runs)
    ]


def xml_content(line: str, labels: Mapping[int, str], element: Callable[[CodeMark], str]) -> str:
    """A line as the content of an XML element, each mark as its own `element`. QeError for what XML does not hold."""
    return "".join([escape_xml(run) if isinstance(run, str) else element(run) for run in text_and_marks(line, labels)])


def escape_xml(text: str) -> str:
    """Text as XML writes it between tags, or in an attribute with double quotes."""
    unwritable = INVALID_XML_CHARS.search(text)
    if unwritable:
        shown = f"U+{ord(unwritable[0]):04X}"
        raise QeError(
            tr("the text holds the character {code}, which such a file may not hold", code=shown), hint=tr("Remove it.")
        )
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def quote_attribute(text: str) -> str:
    """Text as the value of an attribute, with its quotes."""
    return '"' + escape_xml(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;") + '"'


def with_segment(error: QeError, number: int) -> QeError:
    """The same error, with the segment that it is of."""
    said = tr("segment {number:,}: {fault}", number=number, fault=error.message)
    return QeError(said, hint=error.hint, command_hint=error.command_hint)
