"""TMX 1.4b export: one unit per segment. Properties are the document, the status and, for edited segments, the MT."""

from __future__ import annotations

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.exports.export_model import ExportData, ExportSegment
from qe_desktop.formats.bilingual.exports.xliff_export import (
    CodeMark,
    escape_xml,
    quote_attribute,
    with_segment,
    xml_content,
)
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.formats.bilingual.reviewer_notes import NoteMark, hide_mark
from qe_desktop.i18n.messages import tr


def write(exported: ExportData) -> bytes:
    """Serialize as TMX.

    Raises QeError if a language is unknown, if the source and target languages are equal, or if a character is invalid
    in XML.
    """
    source, targets = exported.source_language, set(map(exported.language_of, exported.segments))
    targets = targets or {exported.target_language}
    if not source or not all(targets) or source.lower() in map(str.lower, targets):
        message = tr(
            "TMX requires different source and target languages, but at least one is not set, or they are the same"
        )
        raise QeError(
            message,
            hint=tr("Export in another format, such as XLIFF or CSV."),
            command_hint=tr("Specify the source and target languages with --language-pair, for example en-de."),
        )
    header = '<header creationtool="qe-desktop" creationtoolversion="1" segtype="sentence" o-tmf="qe-desktop" '
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n', header]
    parts.append(f'adminlang="en" srclang={quote_attribute(source)} datatype="plaintext"/>\n<body>\n')
    for document, pairs in exported.by_document():
        for number, pair in pairs:
            try:
                parts.append(_unit(number, pair, document, source, exported.language_of(pair)))
            except QeError as error:
                raise with_segment(error, number) from None
    return "".join([*parts, "</body>\n</tmx>\n"]).encode()


def _unit(number: int, pair: ExportSegment, document: str, source: str, target: str) -> str:
    lines = [f'<tu tuid="{number}">']
    lines += [f"<note>{escape_xml(hide_mark(note.replace(LINE_BREAK, chr(10))))}</note>" for note in pair.notes]
    if note := pair.file_note:
        lines.append(f"<note>{escape_xml(NoteMark(target).prepend_to(note))}</note>")
    lines.append(f'<prop type="x-document">{escape_xml(document)}</prop>')
    lines.append(f'<prop type="x-status">{pair.status.name.lower()}</prop>')
    if pair.is_edited and pair.mt:
        lines.append(f'<prop type="x-mt">{escape_xml(pair.mt.replace(LINE_BREAK, chr(10)))}</prop>')
    lines.append(_text(source, pair.source, pair))
    if pair.target:
        lines.append(_text(target, pair.target, pair))
    return "\n".join([*lines, "</tu>\n"])


def _text(language: str, line: str, pair: ExportSegment) -> str:
    return f"<tuv xml:lang={quote_attribute(language)}><seg>{xml_content(line, pair.labels, _element)}</seg></tuv>"


def _element(mark: CodeMark) -> str:
    label = escape_xml(mark.label)
    if mark.kind is CodeKind.STANDALONE:
        return f'<ph x="{mark.number}">{label}</ph>'
    if mark.kind is CodeKind.OPEN:
        return f'<bpt i="{mark.number}" x="{mark.number}">{label}</bpt>'
    return f'<ept i="{mark.number}">{label}</ept>'
