"""Review rows, visits and bilingual files for the tests of the store."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Corpus, JobFile, ReviewStatus, TextColumn, TranslationJob
from qe_desktop.corpus.text_spans import DisplayedHighlights, HighlightSpan
from qe_desktop.project.events import ReviewField, ReviewRow, ReviewValue, VisitRow, new_uid
from qe_desktop.project.review.visits import KeyKind, TypedChange, Visit
from qe_desktop.project.store import Project
from tests.project.store.small_projects import full_corpus

TARGET, STATUS, NOTE = ReviewField.TARGET, ReviewField.STATUS, ReviewField.NOTE
VISIT = Visit(
    1.7e9,
    1.7e9 + 60,
    41.5,
    10.25,
    8.0,
    300.0,
    3,
    1,
    ((KeyKind.LETTER, 12), (KeyKind.PASTE, 1)),
    (TypedChange(1.5, 0, "", "das ⟨1⟩"), TypedChange(2.25, 3, "\u2028", "ü𝄞")),
    DisplayedHighlights(("system A", "ü"), "all", (HighlightSpan(2, 7), HighlightSpan(8, 9, False))),
    "a house .",
    "das Haus .",
)


def make_review_row(project: Project, segment: int = 0, target: ReviewValue = "das Haus", **more: object) -> ReviewRow:
    """Review row, as a session creates it."""
    text = f"translation of segment {segment + 1} edited"
    row = ReviewRow(
        new_uid(), segment, (TARGET,), (target,), (None,), text=text, at=1.7e9, person=project.person,
        window=project.window,
    )  # fmt: skip
    return row._replace(**more)


def make_visit_row(project: Project, segment: int = 0, visit: Visit = VISIT) -> VisitRow:
    """Row of a recorded visit."""
    return VisitRow(segment, visit, 1.7e9, project.person, project.window)


def make_job() -> TranslationJob:
    """Job of three bilingual files, one of them empty, with four segments and every kind of data."""
    files = (
        JobFile("a.xlf", "/some/\udcff/a.xlf", "xliff", b"<xliff/>\r\n\xff\0", 0, 3, {"source": "1", "k": "\udcff"}),
        JobFile("empty.po", "", "po", b"", 3, 0),
        JobFile("b.po", "b.po", "po", b"x" * 5000, 3, 1),
    )  # fmt: skip
    sources = TextColumn.of(["⟨1⟩Ein⟨/1⟩ Haus .", "", "قطة ⟨⟨", "一只\u2028猫"])
    targets = TextColumn.of(["a ⟨1⟩house⟨/1⟩ .", "", "a cat", "one cat sits"])
    return TranslationJob(
        files,
        sources,
        targets,
        np.array([ReviewStatus.OPEN, ReviewStatus.LOCKED, ReviewStatus.CONFIRMED, ReviewStatus.EDITED], np.uint8),
        np.array([False, True, False, False]),
        {0: ("a note", "another"), 3: ("\udcff",)},
        {1: "final"},
        {2: "tm 87 %"},
        {0: {1: "<b>"}, 3: {2: "<br/>", 1: ""}},
    )


def reviewed_corpus() -> Corpus:
    """Corpus with every kind of data, including a job of bilingual files."""
    return replace(full_corpus(), job=make_job())


def assert_equal_jobs(actual: TranslationJob | None, expected: TranslationJob | None) -> None:
    """Assert that two jobs are equal."""
    assert (actual is None) == (expected is None)
    if actual is None or expected is None:
        return
    facts = ("name", "path", "form", "data", "first", "count", "column_selection")
    assert [[getattr(file, fact) for fact in facts] for file in actual.files] == [
        [getattr(file, fact) for fact in facts] for file in expected.files
    ]
    for name in ("sources", "targets"):
        actual_column, expected_column = getattr(actual, name), getattr(expected, name)
        assert [actual_column.raw(n) for n in range(len(actual_column))] == [
            expected_column.raw(n) for n in range(len(expected_column))
        ]
    assert actual.rules == expected.rules
    assert (actual.loaded is None) == (expected.loaded is None)
    if actual.loaded is not None and expected.loaded is not None:
        assert [actual.loaded.raw(n) for n in range(len(actual.loaded))] == [
            expected.loaded.raw(n) for n in range(len(expected.loaded))
        ]
    assert actual.edited == expected.edited
    np.testing.assert_array_equal(actual.statuses, expected.statuses, strict=True)
    np.testing.assert_array_equal(actual.without_target, expected.without_target, strict=True)
    for name in ("notes", "states", "origins", "labels", "annotations"):
        assert dict(getattr(actual, name)) == dict(getattr(expected, name))
