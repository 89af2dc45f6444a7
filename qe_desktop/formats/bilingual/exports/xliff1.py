"""XLIFF 1.2: a unit for each segment, a file for each document, and the MT as a proposal beside the target."""

from __future__ import annotations

from qe_desktop.corpus.jobs import Status
from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair
from qe_desktop.formats.bilingual.exports.marks import Mark, attribute, content, escaped
from qe_desktop.formats.bilingual.exports.xliff import UNKNOWN, has_target, written
from qe_desktop.formats.bilingual.lines import BREAK
from qe_desktop.formats.bilingual.own_states import LOADED, XLIFF_1


def write(exported: Exported) -> bytes:
    """The whole file. QeError that names the segment whose text XML cannot hold."""
    source = attribute(exported.source_language or UNKNOWN)
    target = f" target-language={attribute(exported.target_language)}" if exported.target_language else ""
    root = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'

    def begin(place: int, document: str) -> str:
        head = f'original={document} datatype="plaintext" xml:space="preserve"'
        return f"{head} source-language={source}{target}>\n<body>"

    return written(exported, root, begin, _unit, "</body>\n")


def _unit(number: int, pair: Pair) -> str:
    locked = ' translate="no"' if pair.status is Status.LOCKED else ""
    approved = ' approved="yes"' if pair.status is Status.CONFIRMED else ""
    lines = [f'<trans-unit id="{number}"{locked}{approved}>', f"<source>{_content(pair.source, pair)}</source>"]
    if has_target(pair):
        lines.append(f"<target {XLIFF_1.written(pair.status)}>{_content(pair.target, pair)}</target>")
    lines += [f"<note>{escaped(note.replace(BREAK, chr(10)))}</note>" for note in pair.notes]
    if pair.loaded or pair.is_edited:
        proposed = f"<target>{_content(pair.loaded, pair)}</target>"
        lines.append(f'<alt-trans origin="mt" extradata="{LOADED}">{proposed}</alt-trans>')
    return "\n".join([*lines, "</trans-unit>\n"])


def _content(line: str, pair: Pair) -> str:
    return content(line, pair.labels, _element)


def _element(mark: Mark) -> str:
    said = f" equiv-text={attribute(mark.label)}" if mark.label else ""
    if mark.kind is CodeKind.ALONE:
        return f'<x id="{mark.number}"{said}/>'
    name, end = ("bx", "") if mark.kind is CodeKind.OPEN else ("ex", "e")
    return f'<{name} id="{mark.number}{end}" rid="{mark.number}"{said}/>'
