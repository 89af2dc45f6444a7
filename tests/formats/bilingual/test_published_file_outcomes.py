"""Outcome of every published file, by format: read, written unchanged and edited in one target, or refused.

`pytest -s` prints the table.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, parse_document
from tests.formats.bilingual.independent_parser import content_without_targets, po_strings, read_targets

pytestmark = pytest.mark.published
NEW = "Qx 7"


def edit_outcome(document: Document) -> str:
    """Return the outcome of changing the first editable target: “edited” if nothing else differs."""
    editable = [
        index
        for index, segment in enumerate(document.segments)
        if not segment.locked and segment.target_location is not None
    ]
    if not editable:
        return "nothing may be edited"
    number = editable[0]
    segment = document.segments[number]
    new = document.with_targets({number: (segment.target_line or segment.source_line) + NEW})
    if document.dialect == "po":
        before, after = (po_strings(text.text.utf8.decode()) for text in (document, parse_document(new.data, "again")))
        differ = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        return "edited" if len(differ) == 1 and differ[0][1][1].endswith(NEW) else "wrong"
    language = document.target_language
    old_targets, new_targets = (read_targets(data, language) for data in (document.text.data, new.data))
    differ = [text for text in new_targets if text not in old_targets]
    place_is_right = len(differ) == 1 and NEW in differ[0]
    same = content_without_targets(document.text.data, language) == content_without_targets(new.data, language)
    return "edited" if place_is_right and same else "wrong"


def test_published_files_are_read_and_edited_or_refused(data_folder: Path):
    folder = data_folder / "bilingual"
    if not folder.is_dir():
        pytest.skip("there are no translators' files among the published data")
    table: dict[str, Counter[str]] = {}
    # schemas are not bilingual files
    for path in sorted(entry for entry in folder.rglob("*") if entry.is_file() and "schemas" not in entry.parts):
        try:
            document = parse_document(path.read_bytes(), path.name)
        except QeError as error:
            row = table.setdefault(f"refused ({path.suffix})", Counter())
            row.update(["files", error.message])
            continue
        row = table.setdefault(document.dialect, Counter())
        lines = {number: entry.target_line for number, entry in enumerate(document.segments)}
        same = document.with_targets(lines).data == document.text.data
        row.update(["files", "same bytes" if same else "other bytes", edit_outcome(document)])
    print()
    for kind, row in table.items():
        print(f"{kind}: {dict(row)}")
    read = {kind: row for kind, row in table.items() if not kind.startswith("refused")}
    assert all(row["same bytes"] == row["files"] for row in read.values()), table
    assert all(row["edited"] + row["nothing may be edited"] == row["files"] for row in read.values()), table
    refused = {kind for kind in table if kind.startswith("refused")}
    assert refused <= {f"refused ({suffix})" for suffix in (".md", ".properties", ".xsl", ".html")}, table
