"""Published files of many programs: read and written unchanged, and edited so that nothing else differs.

What comes out is read by lxml, or for PO by a few lines of our own: the new text stands in its place, and all else is
as it was.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, parse_document
from qe_desktop.formats.bilingual.inline_codes import content_text
from tests.formats.bilingual.reading_by_others import po_strings, rest, targets

pytestmark = pytest.mark.published
ADDED = " ⟨⟨ü&<é>"
NONE = {"README.md", "extra-prefixes.properties"}
EDITS = 12
"""Targets of a file that are edited, one after the other; they are spread over all of it."""


@pytest.fixture(scope="module")
def files(data_folder: Path) -> list[Path]:
    folder = data_folder / "bilingual"
    if not folder.is_dir():
        pytest.skip("there are no translators' files among the published data")
    found = sorted(path for path in folder.rglob("*") if path.suffix in (".xlf", ".sdlxliff", ".tmx", ".po"))
    assert len(found) > 100
    return found


def edits(document: Document) -> list[tuple[int, str]]:
    """Some segments and the lines that they get."""
    codec = document.text.codec
    added = ADDED if codec.startswith("utf") or document.form != "po" else " abc"
    able = [number for number, one in enumerate(document.segments) if not one.locked and one.place is not None]
    chosen = able[:: max(1, len(able) // EDITS)]
    lines = {number: document.segments[number] for number in chosen}
    return [(number, (one.target_line or one.source_line) + added) for number, one in lines.items()]


def test_unchanged_they_are_the_same_bytes(files):
    for path in files:
        data = path.read_bytes()
        document = parse_document(data, path.name)
        lines = {number: segment.target_line for number, segment in enumerate(document.segments)}
        assert document.with_targets(lines).data == data, path
        assert [one.source_line for one in document.segments if "\n" in one.source_line] == []


def test_an_edit_changes_one_target_and_nothing_else(files):
    done = 0
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        if document.form == "po":
            continue
        data, language = document.text.data, document.target_language
        before, others = targets(data, language), rest(data, language)
        for number, line in edits(document):
            rewritten = document.with_targets({number: line})
            after = targets(rewritten.data, language)
            text = content_text(parse_document(rewritten.data, path.name).segments[number].target or ())
            assert text.endswith(ADDED.replace("⟨⟨", "⟨")), (path, number)
            # the one that differs holds the new text, as another parser reads it
            same = [one for one in after if one not in before]
            assert len(same) == 1, (path, number)
            assert ADDED.replace("⟨⟨", "⟨") in same[0], (path, number)
            assert len(after) - len(before) in (0, 1)
            assert rest(rewritten.data, language) == others, (path, number)
            done += 1
    assert done > 300


def test_an_edit_of_a_catalogue_changes_one_string_and_nothing_else(files):
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        if document.form != "po":
            continue
        before = po_strings(document.text.utf8.decode())
        for number, line in edits(document):
            rewritten = document.with_targets({number: line})
            again = parse_document(rewritten.data, path.name)
            after = po_strings(again.text.utf8.decode())
            assert len(after) == len(before)
            differ = [new for old, new in zip(before, after, strict=True) if old != new]
            assert len(differ) == 1, (path, number)
            assert differ[0][0].startswith("msgstr")
            assert differ[0][1].endswith(line[-4:])


def test_all_targets_at_once(files):
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        lines = dict(edits(document))
        again = parse_document(document.with_targets(lines).data, path.name)
        assert {number: again.segments[number].target_line for number in lines} == lines, path


def test_what_cannot_be_read_is_named(data_folder):
    for name in NONE:
        found = list((data_folder / "bilingual").rglob(name))
        for path in found:
            with pytest.raises(QeError, match="not a supported bilingual file"):
                parse_document(path.read_bytes(), path.name)
