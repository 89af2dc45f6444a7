"""XLIFF export: a file element for each document, with a unit for each segment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual.exports.export_model import ExportData, ExportSegment
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, check_xml_chars, split_line
from qe_desktop.formats.bilingual.reviewer_notes import AUTHOR
from qe_desktop.formats.bilingual.status_rules import LOADED_STATE, XLIFF_1, XLIFF_2
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


UNKNOWN_LANGUAGE = "und"
"""Language tag for an undetermined language (BCP 47)."""
FormatFileStart = Callable[[int, str, str], str]
"""Function that returns the markup between `<file ` and the first unit.

It takes the 1-based number of a document, its quoted name, and its target language.
"""


def xliff_document(
    exported: ExportData, root: str, begin: FormatFileStart, unit: Callable[[int, ExportSegment], str], end: str = ""
) -> bytes:
    """Serialize a file: `root` is the root tag, `unit` serializes a segment, `end` closes elements that `begin` opens.

    Raises QeError if a character is invalid in XML; if it is in a segment, the error has the segment number.
    """
    parts = [f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n']
    for index, (document, grouped) in enumerate(exported.by_document(), 1):
        pairs = list(grouped)
        parts.append(f"<file {begin(index, quote_attribute(document), exported.language_of(pairs[0][1]))}\n")
        for number, pair in pairs:
            try:
                parts.append(unit(number, pair))
            except QeError as error:
                raise with_segment(error, number) from None
        parts.append(f"{end}</file>\n")
    return "".join([*parts, "</xliff>\n"]).encode()


def has_target(pair: ExportSegment) -> bool:
    """Whether to write a target element: if the segment has a target or MT, or a status other than open or locked."""
    return bool(pair.target or pair.mt) or pair.status not in (ReviewStatus.OPEN, ReviewStatus.LOCKED)


def write_xliff12(exported: ExportData) -> bytes:
    """Serialize as XLIFF 1.2. Raises QeError if a character is invalid in XML."""
    source = quote_attribute(exported.source_language or UNKNOWN_LANGUAGE)
    root = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'

    def begin(number: int, document: str, language: str) -> str:
        target = f" target-language={quote_attribute(language)}" if language else ""
        head = f'original={document} datatype="plaintext" xml:space="preserve"'
        return f"{head} source-language={source}{target}>\n<body>"

    return xliff_document(exported, root, begin, _xliff12_unit, "</body>\n")


def _xliff12_unit(number: int, pair: ExportSegment) -> str:
    locked = ' translate="no"' if pair.status is ReviewStatus.LOCKED else ""
    approved = ' approved="yes"' if pair.status is ReviewStatus.CONFIRMED else ""
    lines = [f'<trans-unit id="{number}"{locked}{approved}>', f"<source>{_xliff12_content(pair.source, pair)}</source>"]
    if has_target(pair):
        lines.append(f"<target {XLIFF_1.format_attributes(pair.status)}>{_xliff12_content(pair.target, pair)}</target>")
    lines += [f"<note>{escape_xml(note.replace(LINE_BREAK, chr(10)))}</note>" for note in pair.notes]
    if note := pair.file_note:
        lines.append(f'<note from="{AUTHOR}">{escape_xml(note)}</note>')
    if pair.mt or pair.is_edited:
        proposed = f"<target>{_xliff12_content(pair.mt, pair)}</target>"
        lines.append(f'<alt-trans origin="mt" extradata="{LOADED_STATE}">{proposed}</alt-trans>')
    return "\n".join([*lines, "</trans-unit>\n"])


def _xliff12_content(line: str, pair: ExportSegment) -> str:
    return xml_content(line, pair.labels, _xliff12_element)


def _xliff12_element(mark: CodeMark) -> str:
    label = f" equiv-text={quote_attribute(mark.label)}" if mark.label else ""
    if mark.kind is CodeKind.STANDALONE:
        return f'<x id="{mark.number}"{label}/>'
    name, end = ("bx", "") if mark.kind is CodeKind.OPEN else ("ex", "e")
    return f'<{name} id="{mark.number}{end}" rid="{mark.number}"{label}/>'


def write_xliff2(exported: ExportData) -> bytes:
    """Serialize as XLIFF 2.1.

    Raises QeError if there are several target languages, or if a character is invalid in XML.
    """
    source = quote_attribute(exported.source_language or UNKNOWN_LANGUAGE)
    target = quote_attribute(exported.only_target_language() or UNKNOWN_LANGUAGE)
    root = '<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0"'
    root = f'{root} xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" srcLang={source} trgLang={target}>'
    return xliff_document(exported, root, _xliff2_file_start, _xliff2_unit)


def _xliff2_file_start(number: int, document: str, language: str) -> str:
    return f'id="f{number}" original={document} xml:space="preserve">'


def _xliff2_unit(number: int, pair: ExportSegment) -> str:
    locked = ' translate="no"' if pair.status is ReviewStatus.LOCKED else ""
    source = f"<source>{_xliff2_content(pair.source, pair)}</source>"
    lines = [f'<unit id="u{number}"{locked}>']
    if pair.mt or pair.is_edited:
        proposed = f"{source}<target>{_xliff2_content(pair.mt, pair)}</target>"
        match = f'<mtc:match ref="#s" type="mt" subType="{LOADED_STATE}">{proposed}</mtc:match>'
        lines.append(f"<mtc:matches>{match}</mtc:matches>")
    notes = [f"<note>{escape_xml(note.replace(LINE_BREAK, chr(10)))}</note>" for note in pair.notes]
    if note := pair.file_note:
        notes.append(f'<note appliesTo="target" category="{AUTHOR}">{escape_xml(note)}</note>')
    if notes:
        lines.append(f"<notes>{''.join(notes)}</notes>")
    lines += [f'<segment id="s" {XLIFF_2.format_attributes(pair.status)}>', source]
    if has_target(pair):
        lines.append(f"<target>{_xliff2_content(pair.target, pair)}</target>")
    return "\n".join([*lines, "</segment>", "</unit>\n"])


def _xliff2_content(line: str, pair: ExportSegment) -> str:
    return xml_content(line, pair.labels, _xliff2_element)


def _xliff2_element(mark: CodeMark) -> str:
    label = f" disp={quote_attribute(mark.label)}" if mark.label else ""
    if mark.kind is CodeKind.STANDALONE:
        return f'<ph id="{mark.number}"{label}/>'
    if mark.kind is CodeKind.OPEN:
        return f'<sc id="{mark.number}"{label}/>'
    return f'<ec startRef="{mark.number}"{label}/>'
