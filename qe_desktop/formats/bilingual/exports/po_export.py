"""PO: an entry for each segment, its notes as comments; what is not reviewed yet is fuzzy. Codes stand as `⟨1⟩`.

A source that is there twice, and one that is empty, has its document and number as its context, so that every entry
has a name of its own.
"""

from __future__ import annotations

from qe_desktop.corpus.bilingual_job import ReviewStatus
from qe_desktop.escaping import encode_utf8
from qe_desktop.formats.bilingual.exports.export_model import ExportData, ExportSegment
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.formats.bilingual.po import quote_po

_HEADER = 'msgid ""\nmsgstr ""\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
_FUZZY = (ReviewStatus.OPEN, ReviewStatus.REJECTED)


def write(exported: ExportData) -> bytes:
    """The whole catalogue."""
    named = quote_po(f"Language: {exported.target_language}\n")[0].decode()
    entries = [f'{_HEADER}{named}\n"Content-Transfer-Encoding: 8bit\\n"\n']
    seen = {""}
    for document, pairs in exported.by_document():
        for number, pair in pairs:
            entries.append(_entry(pair, f"{document}/{number}" if pair.source in seen else ""))
            seen.add(pair.source)
    return encode_utf8("\n".join(entries))


def _entry(pair: ExportSegment, context: str) -> str:
    # each line of a note is a comment of its own, whatever ends it
    lines = [f"# {line}".rstrip() for note in pair.notes for line in note.replace(LINE_BREAK, "\n").splitlines()]
    if pair.target and pair.status in _FUZZY:
        lines.append("#, fuzzy")
    if context:
        lines.append(_strings("msgctxt", context))
    return "\n".join([*lines, _strings("msgid", pair.source), _strings("msgstr", pair.target), ""])


def _strings(keyword: str, line: str) -> str:
    strings = [one.decode() for one in quote_po(line.replace(LINE_BREAK, "\n"))]
    return f"{keyword} {strings[0]}" if len(strings) == 1 else "\n".join([f'{keyword} ""', *strings])
