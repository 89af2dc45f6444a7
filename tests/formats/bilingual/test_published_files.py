"""Published files of many programs are read and written unchanged, and edits change nothing else.

The results are read by independent parsers: the new text is in its position, and everything else is unchanged.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, parse_document
from qe_desktop.formats.bilingual.inline_codes import content_text
from tests.formats.bilingual.independent_parser import content_without_targets, po_strings, read_targets

pytestmark = pytest.mark.published
ADDED = " ⟨⟨ü&<é>"
UNSUPPORTED = {"README.md", "extra-prefixes.properties"}
EDITS = 12
"""Number of targets that are edited per file, one at a time, spread over the whole file."""


@pytest.fixture(scope="module")
def files(data_folder: Path) -> list[Path]:
    folder = data_folder / "bilingual"
    if not folder.is_dir():
        pytest.skip("there are no translators' files among the published data")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".xlf", ".sdlxliff", ".tmx", ".po"))
    assert len(paths) > 100
    return paths


def edits(document: Document) -> list[tuple[int, str]]:
    """Return some segments and their new lines."""
    codec = document.text.codec
    added = ADDED if codec.startswith("utf") or document.dialect != "po" else " abc"
    editable = [
        number
        for number, segment in enumerate(document.segments)
        if not segment.locked and segment.target_location is not None
    ]
    chosen = editable[:: max(1, len(editable) // EDITS)]
    lines = {number: document.segments[number] for number in chosen}
    return [(number, (segment.target_line or segment.source_line) + added) for number, segment in lines.items()]


def test_unedited_files_are_written_byte_for_byte(files):
    for path in files:
        data = path.read_bytes()
        document = parse_document(data, path.name)
        lines = {number: segment.target_line for number, segment in enumerate(document.segments)}
        assert document.with_targets(lines).data == data, path
        assert [item.source_line for item in document.segments if "\n" in item.source_line] == []


def test_edit_changes_only_one_target(files):
    done = 0
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        if document.dialect == "po":
            continue
        data, language = document.text.data, document.target_language
        before, unchanged = read_targets(data, language), content_without_targets(data, language)
        for number, line in edits(document):
            rewritten = document.with_targets({number: line})
            after = read_targets(rewritten.data, language)
            text = content_text(parse_document(rewritten.data, path.name).segments[number].target or ())
            assert text.endswith(ADDED.replace("⟨⟨", "⟨")), (path, number)
            # the only differing target contains the new text, as another parser reads it
            new_targets = [target for target in after if target not in before]
            assert len(new_targets) == 1, (path, number)
            assert ADDED.replace("⟨⟨", "⟨") in new_targets[0], (path, number)
            assert len(after) - len(before) in (0, 1)
            assert content_without_targets(rewritten.data, language) == unchanged, (path, number)
            done += 1
    assert done > 300


def test_edit_of_a_catalogue_changes_only_one_string(files):
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        if document.dialect != "po":
            continue
        before = po_strings(document.text.utf8.decode())
        for number, line in edits(document):
            rewritten = document.with_targets({number: line})
            reparsed = parse_document(rewritten.data, path.name)
            after = po_strings(reparsed.text.utf8.decode())
            assert len(after) == len(before)
            differ = [new for old, new in zip(before, after, strict=True) if old != new]
            assert len(differ) == 1, (path, number)
            assert differ[0][0].startswith("msgstr")
            assert differ[0][1].endswith(line[-4:])


def test_several_targets_are_edited_at_once(files):
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        lines = dict(edits(document))
        reparsed = parse_document(document.with_targets(lines).data, path.name)
        assert {number: reparsed.segments[number].target_line for number in lines} == lines, path


def test_unsupported_files_are_refused(data_folder):
    for name in UNSUPPORTED:
        paths = list((data_folder / "bilingual").rglob(name))
        for path in paths:
            with pytest.raises(QeError, match="not a supported bilingual file"):
                parse_document(path.read_bytes(), path.name)
