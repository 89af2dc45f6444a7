"""Cells with values that the program never writes are reported as errors, wherever they are used first."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tracemalloc
import zlib
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import pytest

from qe_desktop.corpus import QeError, Ratings, Score
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.cell_codec import (
    CorruptRowError,
    validate_fields,
    validate_integer,
    validate_names,
    validate_positions,
)
from qe_desktop.project.store.tables.rating_table import pack_ratings, unpack_ratings
from qe_desktop.ratings.campaign import Campaign, OutputKey, Screen
from tests.torture.damaged_projects_run import use_project
from tests.torture.valid_project import make_valid_project


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    return make_valid_project(tmp_path_factory.mktemp("whole") / "whole.qedesk")


@pytest.fixture
def project_path(template, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for suffix in (".qedesk", ".good"):
        shutil.copy(template, tmp_path / f"damaged{suffix}")
    return tmp_path / "damaged.qedesk"


def corrupt_cell(path, statement: str) -> None:
    """Change cells as another program can, without the triggers that prevent it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(statement).rowcount
        for _, sql in triggers:
            connection.execute(sql)


NAMED_COLUMNS = (
    "UPDATE columns SET details = '[\"A\"]' WHERE name = 'reference'",
    "UPDATE columns SET details = '\"A\"' WHERE name = 'reference'",
    "UPDATE columns SET name = 'text/reference' WHERE name = 'reference'",
    "UPDATE columns SET details = '5' WHERE name = 'metric'",
    "UPDATE columns SET details = replace(details, '\"name\":\"COMET\"', '\"name\":[]') WHERE name = 'metric'",
    "UPDATE columns SET details = replace(details, '\"better\":1', '\"better\":0') WHERE name = 'metric'",
    "UPDATE columns SET details = replace(details, '\"better\":1', '\"better\":true') WHERE name = 'metric'",
    'UPDATE columns SET details = replace(details, \'["B","C"]\', \'["B","B"]\') WHERE name = \'metric\'',
    "UPDATE columns SET details = replace(details, '[\"B\",\"C\"]', '[\"B\"]') WHERE name = 'metric'",
    "UPDATE columns SET data = (SELECT data FROM columns WHERE name = 'documents') WHERE name = 'metric'",
)
"""Statements that damage columns with names: references and metric scores."""
INVALID_CELLS = (
    "UPDATE meta SET value = '0' WHERE key = 'schema'",
    "DELETE FROM meta WHERE key = 'project'",
    "UPDATE meta SET value = 'null' WHERE key = 'title'",
    "UPDATE meta SET value = '\"\\ud800\"' WHERE key = 'project'",
    'UPDATE corpora SET facts = replace(facts, \'"size":4\', \'"size":"4"\')',
    "UPDATE corpora SET facts = replace(facts, '\"size\":4', '\"size\":5')",
    'UPDATE corpora SET facts = replace(facts, \'"languages":["",""]\', \'"languages":["de"]\')',
    'UPDATE corpora SET facts = replace(facts, \'"languages":["",""]\', \'"languages":"de"\')',
    "UPDATE columns SET data = 4 WHERE seq = 1",
    "UPDATE columns SET details = '[1]' WHERE name = 'documents'",
    *NAMED_COLUMNS[::4],
    "UPDATE blobs SET size = 1000000000000 WHERE form = 'bits'",
    "UPDATE layers SET name = '5' WHERE seq = 1",
    "UPDATE layers SET notes = '{}' WHERE seq = 1",
    "UPDATE edits SET before = 'u1' WHERE seq = 1",
    "UPDATE edits SET action = '-5' WHERE seq = 5",
    "UPDATE edits SET segment = 77 WHERE seq = 1",
    "UPDATE edits SET places = '[0,\"1\"]' WHERE place < 0",
    "UPDATE edits SET tags = NULL WHERE place < 0",
    "UPDATE settings SET name = x'fffe' WHERE seq = 1",
    "UPDATE settings SET value = 'NaN' WHERE name LIKE 'threshold%'",
    'UPDATE audit SET details = \'{"campaign": "", "added": [], "systems": 3}\'',
    "UPDATE audit SET at = 1e300",
    "UPDATE outputs SET uid = 'x' || uid WHERE place = 0",
    "UPDATE output_keys SET output = '' WHERE place = 0",
    "DELETE FROM screen_keys WHERE place % 2",
    "UPDATE screens SET outputs = '5' WHERE place = 0",
    "UPDATE screens SET outputs = '[\"x\"]' WHERE place = 0",
    'UPDATE campaigns SET public = replace(public, \'"protocol":"rank"\', \'"protocol":[]\')',
    "UPDATE campaign_setups SET setup = '{}'",
    "UPDATE rating_events SET at = 'null' WHERE seq % 7 = 0",
    "UPDATE rating_sets SET file = '7'",
    "UPDATE chunks SET data = x'789c' WHERE blob IN (SELECT data FROM rating_sets)",
    "UPDATE passages SET source = CAST(x'fffefa' AS TEXT)",
)


@pytest.mark.parametrize("statement", INVALID_CELLS)
def test_invalid_cells_cause_no_unexpected_exception(project_path, statement):
    """Do everything that the command line and the window do; each of these cells once caused a traceback."""
    corrupt_cell(project_path, statement)
    use_project(project_path, 0)


OF_GAPS = (
    "lengths = (SELECT lengths FROM layers WHERE kind = 'gaps'), data = (SELECT data FROM layers WHERE kind = 'gaps')"
)


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE layers SET {OF_GAPS} WHERE seq = 1",
        "UPDATE layers SET kind = 'source' WHERE seq = 1",
        "UPDATE corpora SET facts = replace(facts, '\"eos\":false', '\"eos\":true')",
        "UPDATE columns SET data = 1, lengths = NULL WHERE name = 'text/MT'",
        "UPDATE columns SET name = 'text/MT' WHERE name = 'text/source'",
    ],
)
def test_tags_and_alignments_that_do_not_fit_the_tokens_are_damage(project_path, statement):
    """Painting such tags once caused a segmentation fault."""
    corrupt_cell(project_path, statement)
    with Project.open(project_path, person="ann") as project, pytest.raises(QeError, match="damaged"):
        project.corpus()


@pytest.mark.parametrize("statement", NAMED_COLUMNS)
def test_invalid_references_and_metric_scores_are_damage(project_path, statement):
    """Duplicate and invalid names, and scores that are not one per segment and system."""
    corrupt_cell(project_path, statement)
    with Project.open(project_path, person="ann") as project, pytest.raises(QeError, match="damaged"):
        project.corpus()


def test_an_invalid_cell_is_reported_and_the_file_stays_unchanged(project_path):
    corrupt_cell(project_path, "UPDATE edits SET before = 'u1' WHERE seq = 1")
    before = project_path.read_bytes()
    with Project.open(project_path, person="ann") as project, pytest.raises(QeError, match="damaged"):
        project.history()
    assert project_path.read_bytes() == before


def test_an_oversized_rating_set_is_rejected_without_filling_the_memory():
    """4 MB that unpack to 4 GB of zeros."""
    work = zlib.compressobj(9)
    begun = work.compress(bytes(1 << 24)) + work.flush(zlib.Z_FULL_FLUSH)
    # after a full flush, the same compressed bytes can be repeated
    packed = begun[:2] + begun[2:] * 256
    assert len(packed) < 5 << 20
    tracemalloc.start()
    with pytest.raises((CorruptRowError, ValueError)):
        unpack_ratings(packed)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 30


def test_two_million_equal_ratings_are_read_back():
    """A high compression ratio alone is not an error."""
    ratings = Ratings.of([Score("ann", "A", "1", "adequacy", 3.0, started=1.0, seconds=2.0)])
    many = type(ratings)(ratings.scores.take(np.zeros(2_000_000, int)), ratings.pairs, origin="many")
    again = unpack_ratings(pack_ratings(many))
    assert len(again.scores) == 2_000_000
    assert again.scores.value[-1] == 3.0


@pytest.mark.parametrize(
    "change",
    [
        lambda head: head["scores"]["rater"].update(form="|O"),
        lambda head: head["scores"]["rater"].update(items=10**12),
        lambda head: head["scores"].update(raters="ann"),
        lambda head: head["scores"].update(raters=[]),
        lambda head: head["scores"].update(value=head["scores"]["rater"]),
        lambda head: head.update(comments=[{"rater": 1}]),
        lambda head: head.pop("pairs"),
        lambda head: head.update(ranges=[["adequacy", 1, 10**4000]]),
        lambda head: head.update(ranges=[["adequacy", 1, "5"]]),
    ],
)
def test_a_rating_set_with_an_invalid_header_is_rejected(change):
    raw = zlib.decompress(pack_ratings(Ratings.of([Score("ann", "A", "1", "adequacy", 3.0)])))
    begin = 8 + int.from_bytes(raw[:8], "little")
    head = json.loads(raw[8:begin])
    change(head)
    text = json.dumps(head).encode()
    with pytest.raises((ValueError, TypeError, LookupError)):
        unpack_ratings(zlib.compress(len(text).to_bytes(8, "little") + text + raw[begin:]))


@dataclass(frozen=True)
class FieldsOfEveryType:
    """A field of every type that rows have."""

    name: str = "a"
    number: float = 1.0
    count: int = 0
    several: tuple[str, ...] = ()
    perhaps: bool | None = None


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": 5}, {"name": None}, {"name": b"a"}, {"number": "1"}, {"number": float("nan")}, {"number": 10**400},
        {"number": True}, {"count": 1.0}, {"count": True}, {"count": 2**63}, {"several": ["a"]}, {"several": ("a", 1)},
        {"perhaps": 1},
    ],
)  # fmt: skip
def test_fields_are_validated_against_their_declared_types(wrong):
    assert validate_fields(FieldsOfEveryType()) == FieldsOfEveryType()
    with pytest.raises(CorruptRowError):
        validate_fields(FieldsOfEveryType(**wrong))


def test_nested_values_integers_names_and_positions_are_validated():
    assert validate_fields(Screen("s", "ann", 0, 0, ("a",)))
    with pytest.raises(CorruptRowError):
        validate_fields(OutputKey("o", ("A",), 0))  # type: ignore[arg-type]
    with pytest.raises(CorruptRowError):
        validate_fields(Campaign("c", "n", "rank", "source"))  # type: ignore[arg-type]
    for wrong in (True, -1, 5, "1"):
        with pytest.raises(CorruptRowError):
            validate_integer(wrong, "a number", limit=5)
    for names in ("ab", {"a": 1}, ["a", None], 5):
        with pytest.raises(CorruptRowError):
            validate_names(names, "names")
    for places in (np.array([0, 3]), np.array([-1]), np.array([0.0])):
        with pytest.raises(CorruptRowError):
            validate_positions(places, 3, "places")
