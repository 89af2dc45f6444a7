"""Detection of file types by the first bytes, for example to name the type of a file that is not bilingual."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr

_SIGNATURES = (
    (b"%PDF-", tr("a PDF")),
    (b"{\\rtf", tr("an RTF document")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", tr("an Office 97–2003 or password-protected document")),
    (b"\x1f\x8b", tr("a gzip file")),
    (b"SQLite format 3\0", tr("a database, such as a Trados Studio translation memory")),
    (b"\xde\x12\x04\x95", tr("a compiled message catalogue (MO)")),
    (b"\x95\x04\x12\xde", tr("a compiled message catalogue (MO)")),
    (b"\x89PNG", tr("an image")),
    (b"\xff\xd8\xff", tr("an image")),
    (b"GIF8", tr("an image")),
)
_ZIP_CONTENTS = (
    (b"word/", tr("a Word document")),
    (b"ppt/", tr("a PowerPoint presentation")),
    (b"mimetypeapplication/vnd.oasis.opendocument", tr("an OpenDocument file")),
    (b".sdlxliff", tr("a Trados Studio package")),
)


SIGNATURE_BYTES = 1 << 16
"""Number of bytes from the beginning of a file that are used for detection."""


ZIP_SIGNATURE = b"PK\x03\x04"


def is_workbook(data: bytes) -> bool:
    """Whether a file that begins with `data` may be an Excel workbook."""
    return data.startswith(ZIP_SIGNATURE) and b"xl/" in data


def foreign_kind(data: bytes) -> str:
    """Type of a file that is not bilingual, such as “a PDF”; empty if the file may be bilingual."""
    for begin, kind in _SIGNATURES:
        if data.startswith(begin):
            return kind
    if is_workbook(data):
        return ""
    if data.startswith(ZIP_SIGNATURE):
        return next((kind for part, kind in _ZIP_CONTENTS if part in data), tr("a zip archive"))
    head = data[:512].lstrip().lower()
    return tr("a web page") if head.startswith((b"<!doctype html", b"<html")) else ""


def may_be_bilingual(data: bytes) -> bool:
    """Whether a file that begins with `data` may be XML, PO or a workbook; for tables, see `has_text_headers`."""
    if is_workbook(data):
        return True
    stripped = data.lstrip(b"\xef\xbb\xbf\xff\xfe\0").replace(b"\0", b"")
    return stripped.lstrip()[:1] == b"<" or b"msgid" in stripped


def has_text_headers(data: bytes) -> bool:
    """Quick check whether the first line of a file may be the header of a table with a source column."""
    line = data.partition(b"\n")[0].lower().replace(b"\0", b"")
    return (b"source" in line or b"src" in line) and any(delimiter in line for delimiter in (b"\t", b",", b";"))
