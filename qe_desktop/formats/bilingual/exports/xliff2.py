"""XLIFF 2.1: a unit for each segment, a file for each document, and the MT as a match beside the target."""

from __future__ import annotations

from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair
from qe_desktop.formats.bilingual.exports.marks import Mark, attribute, content, escaped
from qe_desktop.formats.bilingual.exports.xliff import UNKNOWN, has_target, written
from qe_desktop.formats.bilingual.lines import BREAK
from qe_desktop.formats.bilingual.own_states import LOADED, XLIFF_2


def write(exported: Exported) -> bytes:
    """The whole file. QeError that names the segment whose text XML cannot hold."""
    source, target = attribute(exported.source_language or UNKNOWN), attribute(exported.target_language or UNKNOWN)
    root = '<xliff version="2.1" xmlns="urn:oasis:names:tc:xliff:document:2.0"'
    root = f'{root} xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" srcLang={source} trgLang={target}>'
    return written(exported, root, _begin, _unit)


def _begin(place: int, document: str) -> str:
    return f'id="f{place}" original={document} xml:space="preserve">'


def _unit(number: int, pair: Pair) -> str:
    locked = ' translate="no"' if pair.status is Status.LOCKED else ""
    source = f"<source>{_content(pair.source, pair)}</source>"
    lines = [f'<unit id="u{number}"{locked}>']
    if pair.loaded or pair.is_edited:
        proposed = f"{source}<target>{_content(pair.loaded, pair)}</target>"
        match = f'<mtc:match ref="#s" type="mt" subType="{LOADED}">{proposed}</mtc:match>'
        lines.append(f"<mtc:matches>{match}</mtc:matches>")
    if pair.notes:
        notes = [f"<note>{escaped(note.replace(BREAK, chr(10)))}</note>" for note in pair.notes]
        lines.append(f"<notes>{''.join(notes)}</notes>")
    lines += [f'<segment id="s" {XLIFF_2.written(pair.status)}>', source]
    if has_target(pair):
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
