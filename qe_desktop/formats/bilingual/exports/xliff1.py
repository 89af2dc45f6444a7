"""XLIFF 1.2: a unit for each segment, a file for each document; the MT as a proposal where the target is another."""

from __future__ import annotations

from qe_desktop.corpus import QeError
from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair
from qe_desktop.formats.bilingual.exports.marks import Mark, attribute, content, escaped, of_segment
from qe_desktop.formats.bilingual.lines import BREAK

_STATES = {
    Status.OPEN: "needs-review-translation",
    Status.EDITED: "translated",
    Status.CONFIRMED: "signed-off",
    Status.REJECTED: "needs-translation",
    Status.LOCKED: "final",
}
UNKNOWN = "und"
"""The language of what nobody knows (BCP 47)."""


def write(exported: Exported) -> bytes:
    """The whole file. QeError that names the segment whose text XML cannot hold."""
    source = attribute(exported.source_language or UNKNOWN)
    target = f" target-language={attribute(exported.target_language)}" if exported.target_language else ""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns=']
    parts.append('"urn:oasis:names:tc:xliff:document:1.2">\n')
    for document, pairs in exported.by_document():
        parts.append(f'<file original={attribute(document)} datatype="plaintext" xml:space="preserve" ')
        parts.append(f"source-language={source}{target}>\n<body>\n")
        for number, pair in pairs:
            try:
                parts.append(_unit(number, pair))
            except QeError as error:
                raise of_segment(error, number) from None
        parts.append("</body>\n</file>\n")
    return "".join([*parts, "</xliff>\n"]).encode()


def _unit(number: int, pair: Pair) -> str:
    locked = ' translate="no"' if pair.status is Status.LOCKED else ""
    approved = ' approved="yes"' if pair.status is Status.CONFIRMED else ""
    lines = [f'<trans-unit id="{number}"{locked}{approved}>', f"<source>{_content(pair.source, pair)}</source>"]
    if pair.target or pair.loaded:
        lines.append(f'<target state="{_STATES[pair.status]}">{_content(pair.target, pair)}</target>')
    lines += [f"<note>{escaped(note.replace(BREAK, chr(10)))}</note>" for note in pair.notes]
    if pair.is_edited and pair.loaded:
        lines.append(f'<alt-trans origin="mt"><target>{_content(pair.loaded, pair)}</target></alt-trans>')
    return "\n".join([*lines, "</trans-unit>\n"])


def _content(line: str, pair: Pair) -> str:
    return content(line, pair.labels, _element)


def _element(mark: Mark) -> str:
    said = f" equiv-text={attribute(mark.label)}" if mark.label else ""
    if mark.kind is CodeKind.ALONE:
        return f'<x id="{mark.number}"{said}/>'
    name, end = ("bx", "") if mark.kind is CodeKind.OPEN else ("ex", "e")
    return f'<{name} id="{mark.number}{end}" rid="{mark.number}"{said}/>'
