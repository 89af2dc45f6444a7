"""Bilingual files in projects: read back unchanged, or reported as damaged."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, JobFile, QeError, TextColumn, TextRole, TranslationJob
from qe_desktop.corpus.translation_job import TargetRules
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.bilingual_columns import JSON_PART_SIZE, _list_to_json
from tests.project.store.review_rows import assert_equal_jobs, make_job, reviewed_corpus
from tests.project.store.small_projects import assert_equal_corpora, full_corpus, select_rows
from tests.project.store.test_cell_validation import corrupt_cell

lines = st.text(st.characters(exclude_characters="\n\0", exclude_categories=("Cs",)), max_size=12)
names = st.text(max_size=6)
target_rules = st.builds(
    TargetRules, st.integers(0, 99), st.lists(names, max_size=2).map(tuple), names, st.booleans(), st.integers(0, 9),
    language=names,
)  # fmt: skip


@st.composite
def jobs(draw: st.DrawFn) -> TranslationJob:
    """Jobs of up to nine segments in up to three files, which may be empty."""
    counts = draw(st.lists(st.integers(0, 3), max_size=3))
    size = sum(counts) if counts else draw(st.integers(0, 3))
    files = tuple(
        JobFile(
            draw(names), draw(names), draw(names), draw(st.binary(max_size=50)), sum(counts[:number]), count,
            draw(st.dictionaries(names, names, max_size=2)),
        )
        for number, count in enumerate(counts)
    )  # fmt: skip
    texts = [TextColumn.of(draw(st.lists(lines, min_size=size, max_size=size))) for _ in range(3)]
    *texts, loaded = [*texts[:2], draw(st.sampled_from([None, *texts[1:]]))]
    by_segment = [
        draw(st.dictionaries(st.integers(0, size - 1), of, max_size=3)) if size else {}
        for of in (
            st.lists(names, max_size=2).map(tuple), names, names, st.dictionaries(st.integers(0, 99), names, max_size=2)
        )
    ]  # fmt: skip
    statuses = np.array(draw(st.lists(st.integers(0, 4), min_size=size, max_size=size)), np.uint8)
    without_target = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    rules = draw(st.dictionaries(st.integers(0, size - 1), target_rules, max_size=3)) if size else {}
    numbers = st.frozensets(st.integers(1, 99), min_size=1)
    annotations = draw(st.dictionaries(st.integers(0, size - 1), numbers, max_size=3)) if size else {}
    return TranslationJob(
        files, *texts, statuses, without_target, *by_segment, loaded, dict(sorted(rules.items())),
        annotations=annotations,
    )  # fmt: skip


@given(job=jobs())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_job_is_read_back_unchanged(tmp_path, job):
    corpus = Corpus("job", len(job.statuses), {TextRole.RAW_SOURCE: job.sources}, job=job)
    with Project.create(tmp_path / "a.qedesk", corpus, person="ann", replace=True) as project:
        again = project.corpus()
    assert_equal_jobs(again.job, job)


def test_a_job_is_stored_in_files_and_on_servers(location):
    project = location.create(reviewed_corpus())
    again = project.corpus()
    assert_equal_corpora(again, full_corpus())
    assert_equal_jobs(again.job, make_job())
    corpus = project.summary()["corpus"]
    assert corpus["texts"] == location.open().summary()["corpus"]["texts"]
    assert not any("job" in text for text in corpus["texts"])
    assert project.summary()["files"] == ["a.xlf", "empty.po", "b.po"]


def test_a_job_can_be_added_later_and_only_once(location):
    project = location.create(full_corpus())
    for _ in range(2):
        project.extend(reviewed_corpus())
    assert_equal_jobs(location.open().corpus().job, make_job())


def test_equal_texts_are_stored_once(tmp_path):
    text = TextColumn.of([f"segment number {number} without codes" for number in range(5000)])
    none = np.zeros(5000, np.uint8)
    job = TranslationJob((), text, TextColumn.from_bytes(bytes(text.data)), none, none.astype(bool))
    corpus = Corpus("job", 5000, {TextRole.RAW_SOURCE: text, TextRole.RAW_MT: text}, job=job)
    with Project.create(tmp_path / "a.qedesk", corpus, person="ann") as project:
        again = project.corpus()
        assert again.job.sources is again.job.targets is again.texts[TextRole.RAW_MT]
    sizes = [size for (size,) in select_rows(tmp_path / "a.qedesk", "SELECT sum(length(data)) FROM chunks")]
    assert sizes[0] < 1.2 * len(text.data)


def test_files_that_do_not_contain_each_segment_once_are_rejected(tmp_path):
    job = make_job()
    for files in (job.files[:2], job.files[::-1], (replace(job.files[0], count=4), *job.files[1:])):
        with pytest.raises(ValueError, match="each segment once"):
            Project.create(tmp_path / "a.qedesk", replace(reviewed_corpus(), job=replace(job, files=files)), person="a")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM columns WHERE name = 'job/targets'",
        "UPDATE columns SET name = 'job/other' WHERE name = 'job/targets'",
        "UPDATE columns SET data = (SELECT data FROM columns WHERE name = 'job/sources') WHERE name = 'job/files'",
        "UPDATE columns SET data = (SELECT data FROM columns WHERE name = 'text/MT') WHERE name = 'job/statuses'",
        "UPDATE columns SET data = (SELECT data FROM columns WHERE name = 'documents') WHERE name = 'job/statuses'",
        "UPDATE columns SET data = 1 WHERE name = 'job/without-target'",
    ],
)
def test_invalid_columns_of_a_job_are_damage(tmp_path, statement):
    Project.create(tmp_path / "a.qedesk", reviewed_corpus(), person="ann").close()
    corrupt_cell(tmp_path / "a.qedesk", statement)
    with Project.open(tmp_path / "a.qedesk", person="ann") as project, pytest.raises(QeError, match="damaged"):
        project.corpus()


def test_an_oversized_job_is_damage(tmp_path):
    import zlib

    Project.create(tmp_path / "a.qedesk", reviewed_corpus(), person="ann").close()
    bomb = zlib.compress(bytes(80 << 20), 9)
    with closing(sqlite3.connect(tmp_path / "a.qedesk")) as connection:
        [blob] = connection.execute("SELECT data FROM columns WHERE name = 'job/files'").fetchone()
    corrupt_cell(tmp_path / "a.qedesk", f"UPDATE chunks SET data = x'{bomb.hex()}' WHERE blob = {blob}")
    corrupt_cell(tmp_path / "a.qedesk", f"UPDATE blobs SET crc = {zlib.crc32(bomb)} WHERE seq = {blob}")
    with Project.open(tmp_path / "a.qedesk", person="ann") as project, pytest.raises(QeError, match="damaged"):
        project.corpus()


@pytest.mark.parametrize("size", [0, 1, JSON_PART_SIZE - 1, JSON_PART_SIZE, 2 * JSON_PART_SIZE + 1])
def test_list_encoded_in_parts_is_the_same_as_one_encoded_at_once(size: int) -> None:
    values = [[number, ["ä", '"]['], {}] for number in range(size)]
    assert _list_to_json(values) == json.dumps(values, separators=(",", ":"))
