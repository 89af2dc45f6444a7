"""Tables with commas between their fields, as tables with tabs, where they are that without a doubt."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace

from qe_desktop.formats.opening import OpenedFile


def with_tabs(opened: OpenedFile) -> OpenedFile:
    """The table line for line with tabs in place of commas; the file as it is where its beginning is no such table.

    A row with another number of fields stays one, for whoever reads the rows to name its line.
    """
    if head_with_tabs(opened.head()) is None:
        return opened
    return replace(opened, data=_written(map(_fields, _lines(opened.data[opened.start :]))), start=0)


def head_with_tabs(head: bytes) -> bytes | None:
    """The same of the first lines of a file; None for another file.

    The first row has several names apart by commas, each row has as many fields and is a line, and there are no tabs.
    Neither text with commas is that, nor are numbers with decimal commas. A field that holds a comma must be quoted as
    CSV does it; one that holds a quotation mark is quoted in what is given, too.
    """
    if b"," not in head.partition(b"\n")[0] or b"\t" in head:
        return None
    rows = []
    for line in _lines(head):
        rows.append(_fields(line))
        if rows[-1] and len(rows[-1]) != len(rows[0]):
            return None
    return _written(rows)


def _lines(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n")


def _fields(line: bytes) -> list[str]:
    """The fields of a line; one alone where it is not CSV by itself, as where a field goes on in the next line."""
    try:
        return next(csv.reader([line.decode("utf-8", "replace").removesuffix("\r")], strict=True), [])
    except csv.Error:
        return [""]


def _written(rows: Iterable[list[str]]) -> bytes:
    written = io.StringIO()
    csv.writer(written, delimiter="\t", lineterminator="\n").writerows(rows)
    return written.getvalue().encode()
