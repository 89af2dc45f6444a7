"""Published files of many programs: edited, noted, rejected and confirmed, saved and opened again.

The schemas of XLIFF and msgfmt find no new error in the saved files. The strict schema of XLIFF 1.2 does not cover
extensions of tools, so the transitional schema is used.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest
from lxml import etree

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.formats.bilingual import Document, RewrittenDocument, parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
from qe_desktop.local_qe.qa_checks.runner import get_checks

pytestmark = pytest.mark.published
NOTE = 'Zu frei: <b> & ]]> -- "so"\n\n  zweite Zeile'
SEGMENTS = 6
"""Segments of a file that are reviewed; they are spread over all of it."""


@pytest.fixture(scope="module")
def files(data_folder: Path) -> list[Path]:
    folder = data_folder / "bilingual"
    if not folder.is_dir():
        pytest.skip("there are no translators' files among the published data")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".xlf", ".sdlxliff", ".tmx", ".po"))
    assert len(paths) > 100
    return paths


def choose_segments(document: Document) -> list[int]:
    editable = [
        number
        for number, segment in enumerate(document.segments)
        if not segment.locked and segment.target_location is not None
    ]
    return editable[:: max(1, len(editable) // SEGMENTS)][:SEGMENTS]


def review_document(
    document: Document, *, edited: bool
) -> tuple[RewrittenDocument, dict[int, str], dict[int, ReviewStatus]]:
    """File after a review, with its new targets and statuses."""
    numbers = choose_segments(document)
    segments = document.segments
    targets = {number: f"{segments[number].target_line or segments[number].source_line} ab" for number in numbers[::2]}
    statuses = {
        number: (ReviewStatus.REJECTED, ReviewStatus.CONFIRMED)[index % 2] if edited else ReviewStatus.REJECTED
        for index, number in enumerate(numbers)
    }
    targets = targets if edited else {}
    rewritten = document.with_targets(targets, statuses, dict.fromkeys(numbers, NOTE), add_missing=edited)
    return rewritten, targets, statuses


def test_what_a_review_says_comes_back(files):
    kinds: Counter[str] = Counter()
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        rewritten, targets, statuses = review_document(document, edited=True)
        reparsed = parse_document(rewritten.data, path.name)
        for number, segment in enumerate(reparsed.segments):
            before = document.segments[number]
            assert segment.target_line == targets.get(number, before.target_line), (path, number)
            assert segment.notes == before.notes, (path, number)
            noted = number in statuses and number not in rewritten.unsupported_notes
            assert segment.note == (NOTE if noted else ""), (path, number)
            if number in statuses and number not in rewritten.unsupported_statuses:
                assert reparsed.status(segment) is statuses[number], (path, number)
        kinds[document.dialect] += len(statuses) - len(rewritten.unsupported_notes)
    assert all(kinds[form] for form in ("xliff-1", "okapi-xliff", "mqxliff", "sdlxliff", "xliff-2", "tmx", "po"))


def test_a_note_is_inserted_and_removed_without_a_trace(files):
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        for number in choose_segments(document)[:2]:
            rewritten = document.with_targets({}, {}, {number: NOTE})
            if number in rewritten.unsupported_notes:
                assert rewritten.data == document.text.data
                continue
            if document.dialect != "sdlxliff":
                # every byte of the file is still there
                assert rewritten.unchanged_bytes == len(document.text.data), (path, number)
            reparsed = parse_document(rewritten.data, path.name)
            assert reparsed.with_targets({}, {}, {number: ""}).data == document.text.data, (path, number)


class _Schemas(etree.Resolver):
    def __init__(self, folder: Path) -> None:
        self._files = {path.name: path for path in folder.rglob("*.xsd")}

    def resolve(self, url, public, context):
        file = self._files.get(url.rpartition("/")[2])
        return None if file is None else self.resolve_filename(str(file), context)


def read_schema(folder: Path, name: str) -> etree.XMLSchema:
    parser = etree.XMLParser()
    parser.resolvers.add(_Schemas(folder))
    return etree.XMLSchema(etree.parse(str(folder / name), parser))


def count_schema_errors(schema: etree.XMLSchema, data: bytes) -> Counter[str]:
    parser = etree.XMLParser(huge_tree=True, recover=True, resolve_entities=False, no_network=True)
    schema.validate(etree.fromstring(data, parser))
    return Counter(error.message for error in schema.error_log)


def test_schemas_find_nothing_new(files, data_folder):
    folder = data_folder / "bilingual" / "schemas"
    first = read_schema(folder, "xliff-1.2/xliff-core-1.2-transitional.xsd")
    second = read_schema(folder, "xliff-2.1/xliff_core_2.0.xsd")
    valid = 0
    for path in files:
        document = parse_document(path.read_bytes(), path.name)
        if document.dialect in ("tmx", "po"):
            continue
        schema = second if document.dialect == "xliff-2" else first
        before = count_schema_errors(schema, path.read_bytes())
        after = count_schema_errors(schema, review_document(document, edited=True)[0].data)
        assert not after - before, path
        valid += not after
    assert valid > 120


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
def test_msgfmt_says_the_same(files, tmp_path):
    def msgfmt_messages(data: bytes) -> list[str]:
        file = tmp_path / "a.po"
        file.write_bytes(data)
        done = subprocess.run(["msgfmt", "-c", "-o", "/dev/null", str(file)], capture_output=True, check=False)
        lines = done.stderr.decode(errors="replace").splitlines()
        return [str(done.returncode), *sorted(re.sub(r"^\S*?:(\d+:)*", "", line) for line in lines)]

    catalogues = [path for path in files if path.suffix == ".po"]
    assert catalogues
    for path in catalogues:
        document = parse_document(path.read_bytes(), path.name)
        before = msgfmt_messages(path.read_bytes())
        # editing and confirming remove “fuzzy”, so msgfmt also finds the errors that the QA check reports
        findings = view_qa_results(View(corpus_from_documents([document], "made")), get_checks(["gettext"]))
        wrong = {finding.segment for finding in findings}
        targets = {}
        for number in choose_segments(document):
            line = document.segments[number].target_line
            words = line.rstrip(LINE_BREAK)
            if words and number not in wrong:
                targets[number] = f"{words} ab{line[len(words) :]}"
        statuses = dict.fromkeys(targets, ReviewStatus.CONFIRMED)
        assert targets
        for rewritten in (
            review_document(document, edited=False)[0],
            document.with_targets(targets, {}, dict.fromkeys(targets, NOTE)),
            document.with_targets(targets, statuses, {}),
        ):
            # fuzzy entries are not checked, so there may be fewer errors
            after = msgfmt_messages(rewritten.data)
            assert set(after[1:]) <= set(before[1:]) or after[0] == "0", (path, list(chain(before, after)))
