"""What a file is that no translator's file can be: by how it begins, so that it is named and not taken for broken."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr

_BEGINS = (
    (b"%PDF-", tr("a PDF")),
    (b"{\\rtf", tr("an RTF document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", tr("a document of an old Office, or one with a password")),
    (b"\x1f\x8b", tr("a gzip file")),
    (b"SQLite format 3\0", tr("a database, such as a translation memory of Studio")),
    (b"\xde\x12\x04\x95", tr("a compiled message catalogue (MO)")),
    (b"\x95\x04\x12\xde", tr("a compiled message catalogue (MO)")),
    (b"\x89PNG", tr("a picture")),
    (b"\xff\xd8\xff", tr("a picture")),
    (b"GIF8", tr("a picture")),
)
_PACKED = (
    (b"word/", tr("a Word document")),
    (b"ppt/", tr("a PowerPoint presentation")),
    (b"mimetypeapplication/vnd.oasis.opendocument", tr("an OpenDocument file")),
    (b".sdlxliff", tr("a package of Studio")),
)


SIGNATURE_BYTES = 1 << 16
"""Bytes from the beginning of a file that it is recognised by."""


ZIP_SIGNATURE = b"PK\x03\x04"


def is_workbook(data: bytes) -> bool:
    """Whether a file that begins like this may be an Excel workbook."""
    return data.startswith(ZIP_SIGNATURE) and b"xl/" in data


def foreign_kind(data: bytes) -> str:
    """What such a file is; empty for everything else."""
    for begin, kind in _BEGINS:
        if data.startswith(begin):
            return kind
    if is_workbook(data):
        return ""
    if data.startswith(ZIP_SIGNATURE):
        return next((kind for part, kind in _PACKED if part in data), tr("a zip archive"))
    head = data[:512].lstrip().lower()
    return tr("a web page") if head.startswith((b"<!doctype html", b"<html")) else ""


def may_be_bilingual(data: bytes) -> bool:
    """Whether a file that begins like this may be one of a translator: XML, messages of a catalogue, or a workbook."""
    if is_workbook(data):
        return True
    plain = data.lstrip(b"\xef\xbb\xbf\xff\xfe\0").replace(b"\0", b"")
    return plain.lstrip()[:1] == b"<" or b"msgid" in plain


def has_text_headers(data: bytes) -> bool:
    """Whether the first line may be that of a table with a source: it is looked at more closely then."""
    line = data.partition(b"\n")[0].lower().replace(b"\0", b"")
    return (b"source" in line or b"src" in line) and any(sign in line for sign in (b"\t", b",", b";"))
