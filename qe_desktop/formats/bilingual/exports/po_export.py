"""PO export: one entry per segment, notes as comments. Codes are written as `⟨1⟩`.

Entries of open and rejected segments are fuzzy if they have a target. Entries with a repeated or empty source get the
document and the segment number as context, so that entries are unique.
"""

from __future__ import annotations

from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.escaping import encode_utf8
from qe_desktop.formats.bilingual.exports.export_model import ExportData, ExportSegment
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.formats.bilingual.po import quote_po
from qe_desktop.formats.bilingual.reviewer_notes import NoteMark, hide_mark

_HEADER = 'msgid ""\nmsgstr ""\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
_FUZZY = (ReviewStatus.OPEN, ReviewStatus.REJECTED)


def write(exported: ExportData) -> bytes:
    """Serialize as a PO catalogue. Raises QeError if there are several target languages."""
    language_header = quote_po(f"Language: {exported.only_target_language()}\n")[0].decode()
    entries = [f'{_HEADER}{language_header}\n"Content-Transfer-Encoding: 8bit\\n"\n']
    used_sources = {""}
    for document, pairs in exported.by_document():
        for number, pair in pairs:
            entries.append(_entry(pair, f"{document}/{number}" if pair.source in used_sources else ""))
            used_sources.add(pair.source)
    return encode_utf8("\n".join(entries))


def _entry(pair: ExportSegment, context: str) -> str:
    # each line of a note is a separate comment, with any line ending
    lines = [
        f"# {hide_mark(line)}".rstrip() for note in pair.notes for line in note.replace(LINE_BREAK, "\n").splitlines()
    ]
    rejected = pair.status is ReviewStatus.REJECTED and bool(pair.target)
    if (note := pair.file_note) or rejected:
        mark = NoteMark(rejected=rejected)
        lines += [f"# {mark.prepend_to(line)}" for line in note.split("\n")]
    if pair.target and pair.status in _FUZZY:
        lines.append("#, fuzzy")
    if context:
        lines.append(_strings("msgctxt", context))
    return "\n".join([*lines, _strings("msgid", pair.source), _strings("msgstr", pair.target), ""])


def _strings(keyword: str, line: str) -> str:
    strings = [string.decode() for string in quote_po(line.replace(LINE_BREAK, "\n"))]
    return f"{keyword} {strings[0]}" if len(strings) == 1 else "\n".join([f'{keyword} ""', *strings])
