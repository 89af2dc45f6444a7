"""XLIFF 2.1: a unit for each segment, a file for each document; the MT as a match where the target is another one."""

from __future__ import annotations

from qe_desktop.corpus import QeError
from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair
from qe_desktop.formats.bilingual.exports.marks import Mark, attribute, content, escaped, of_segment
from qe_desktop.formats.bilingual.exports.xliff1 import UNKNOWN
from qe_desktop.formats.bilingual.lines import BREAK

_STATES = {
    Status.OPEN: 'state="initial"',
    Status.EDITED: 'state="translated"',
    Status.CONFIRMED: 'state="reviewed"',
    Status.REJECTED: 'state="initial" subState="qe-desktop:rejected"',
    Status.LOCKED: 'state="final"',
}


def write(exported: Exported) -> bytes:
    """The whole file. QeError that names the segment whose text XML cannot hold."""
    target = f" trgLang={attribute(exported.target_language or UNKNOWN)}"
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="2.1" ']
    parts.append('xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" ')
    parts.append(f"srcLang={attribute(exported.source_language or UNKNOWN)}{target}>\n")
    for place, (document, pairs) in enumerate(exported.by_document(), 1):
        parts.append(f'<file id="f{place}" original={attribute(document)} xml:space="preserve">\n')
        for number, pair in pairs:
            try:
                parts.append(_unit(number, pair))
            except QeError as error:
                raise of_segment(error, number) from None
        parts.append("</file>\n")
    return "".join([*parts, "</xliff>\n"]).encode()


def _unit(number: int, pair: Pair) -> str:
    locked = ' translate="no"' if pair.status is Status.LOCKED else ""
    source = f"<source>{_content(pair.source, pair)}</source>"
    lines = [f'<unit id="u{number}"{locked}>']
    if pair.is_edited and pair.loaded:
        proposed = f"{source}<target>{_content(pair.loaded, pair)}</target>"
        lines.append(f'<mtc:matches><mtc:match ref="#s" type="mt">{proposed}</mtc:match></mtc:matches>')
    if pair.notes:
        notes = [f"<note>{escaped(note.replace(BREAK, chr(10)))}</note>" for note in pair.notes]
        lines.append(f"<notes>{''.join(notes)}</notes>")
    lines += [f'<segment id="s" {_STATES[pair.status]}>', source]
    if pair.target or pair.loaded:
        lines.append(f"<target>{_content(pair.target, pair)}</target>")
    return "\n".join([*lines, "</segment>", "</unit>\n"])


def _content(line: str, pair: Pair) -> str:
    return content(line, pair.labels, _element)


def _element(mark: Mark) -> str:
    said = f" disp={attribute(mark.label)}" if mark.label else ""
    if mark.kind is CodeKind.ALONE:
        return f'<ph id="{mark.number}"{said}/>'
    if mark.kind is CodeKind.OPEN:
        return f'<sc id="{mark.number}"{said}/>'
    return f'<ec startRef="{mark.number}"{said}/>'
