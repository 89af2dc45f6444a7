from __future__ import annotations

import sqlite3
from contextlib import closing as closed
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from qe_desktop.corpus import (
    AlignmentColumn,
    Corpus,
    Documents,
    Kind,
    Layer,
    LayerKey,
    MetricColumn,
    NumberColumn,
    Provenance,
    QeError,
    Ratings,
    Score,
    TagColumn,
    TextColumn,
    TextRole,
    join_ratings,
    offsets_from_lengths,
)
from qe_desktop.project.events import LayerRow
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import blobs, schema
from qe_desktop.project.store.tables.corpus_columns import CorpusWriter
from tests.project.store.small_projects import GOLD, assert_equal_corpora, full_corpus, make_layer_row
from tests.small_corpora import tags
from tests.timeouts import PATIENCE

lines = st.text(st.characters(exclude_characters="\n\0", exclude_categories=("Cs",)), max_size=12)
names = st.text(max_size=6)
KINDS = [kind for kind in Kind if kind is not Kind.TRANSLATION]


REFERENCE_NAMES = st.lists(names, unique=True, max_size=2)


@st.composite
def metrics(draw: st.DrawFn, size: int) -> dict[str, MetricColumn]:
    """Metric scores of systems, with missing values; a metric may have the name of a system."""
    scores = st.lists(st.floats(allow_infinity=False), min_size=size, max_size=size)
    columns = scores.map(lambda values: np.asarray(values, np.float64))
    systems = st.dictionaries(names, columns, max_size=2)
    column = st.builds(MetricColumn, systems, st.sampled_from((1, -1)), names, st.lists(names, max_size=2).map(tuple))
    return draw(st.dictionaries(names, column, max_size=2))


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    """Corpora with any columns that fit each other, as files must; lines may end in CR."""
    size = draw(st.integers(0, 5))
    counts = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    texts = {}
    for role in draw(st.sets(st.sampled_from(TextRole))):
        raw = [line.encode() for line in draw(st.lists(lines, min_size=size, max_size=size))]
        if draw(st.booleans()):
            texts[role] = TextColumn.from_bytes(b"".join(line + b"\n" for line in raw))
        else:
            offsets = offsets_from_lengths([len(line) for line in raw])
            texts[role] = TextColumn(b"".join(raw), offsets[:-1], offsets[1:])
    size_of = {role: len(text) for role, text in texts.items()}
    texts = {role: text for role, text in texts.items() if size_of[role] == size}
    eos, layers = draw(st.booleans()), {}
    bare = Corpus("bare", size, texts, eos=eos)
    lengths = {kind: bare.offsets(kind) for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE)}
    lengths = {
        kind: offsets_from_lengths(draw(counts)) if offsets_of_kind is None else offsets_of_kind
        for kind, offsets_of_kind in lengths.items()
    }
    for key in draw(st.sets(st.builds(LayerKey, st.sampled_from(Provenance), names, st.sampled_from(KINDS)))):
        offsets = lengths.get(key.kind, lengths[Kind.WORDS])
        items = int(offsets[-1])
        if key.kind.is_tags:
            values = draw(st.lists(st.integers(0, 1), min_size=items, max_size=items))
            column = TagColumn(np.asarray(values, np.uint8), offsets)
        elif key.kind is Kind.PROBABILITIES:
            values = draw(st.lists(st.floats(width=32, allow_nan=False), min_size=items, max_size=items))
            column = NumberColumn(np.asarray(values, np.float32), offsets)
        else:
            column = np.asarray(draw(st.lists(st.floats(), min_size=size, max_size=size)), np.float64)
        layers[key] = Layer(key, column, draw(names), draw(names), tuple(draw(st.lists(names, max_size=2))))
    alignments = None
    if draw(st.booleans()):
        sides = [texts.get(role) for role in (TextRole.SOURCE, TextRole.MT)]
        words = [[9] * size if text is None else text.token_counts().tolist() for text in sides]
        alignments = AlignmentColumn.of([
            draw(st.lists(st.tuples(st.integers(0, source_count - 1), st.integers(0, mt_count - 1)), max_size=3))
            if source_count and mt_count
            else []
            for source_count, mt_count in zip(*words, strict=True)
        ])  # fmt: skip
    documents = (
        Documents.from_names(draw(st.lists(names, min_size=size, max_size=size))) if draw(st.booleans()) else None
    )
    references = {} if TextRole.REFERENCE in texts else dict(zip(draw(REFERENCE_NAMES), texts.values(), strict=False))
    return Corpus(
        draw(names), size, texts, layers, alignments, documents, eos, draw(names), draw(names),
        dict(zip(draw(st.lists(names, unique=True, max_size=2)), texts.values(), strict=False)),
        references=references, metric_scores=draw(metrics(size)),
        languages=(draw(names), draw(names)),
    )  # fmt: skip


@given(corpus=corpora())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_column_is_read_back_unchanged(corpus, tmp_path):
    path = tmp_path / "one.qedesk"
    with Project.create(path, corpus, person="me", replace=True) as project:
        read = project.corpus()
    assert read is not None
    assert_equal_corpora(read, corpus)


def test_a_full_corpus_is_read_back_from_files_and_servers(location):
    corpus = full_corpus()
    project = location.create(corpus)
    assert project.title == "small"
    assert project.role == "owner"
    assert_equal_corpora(project.corpus(), corpus)
    assert_equal_corpora(location.open().corpus(), corpus)


def test_columns_in_several_chunks_are_read_back(location, monkeypatch):
    monkeypatch.setattr(blobs, "CHUNK_BYTES", 5)
    corpus = full_corpus()
    assert_equal_corpora(location.create(corpus).corpus(), corpus)


def test_a_project_can_be_created_without_a_corpus(location):
    project = location.create(None, title="ratings only")
    assert project.corpus() is None
    assert project.title == "ratings only"
    assert len(project.history()) == 0


def test_layers_with_the_same_offsets_share_them(tmp_path):
    with Project.create(tmp_path / "a.qedesk", full_corpus(), person="me") as project:
        corpus = project.corpus()
    words = [layer.column.offsets for key, layer in corpus.layers.items() if key.kind is Kind.WORDS]
    assert words[0].base is words[1].base


def test_ratings_of_a_corpus_are_stored_as_an_import(location):
    ratings = Ratings.of(
        [Score("ann", "B", "1", "adequacy", 4.0, started=1.7e9, seconds=2.5)], origin="people.csv", notes=["a remark"]
    )
    project = location.create(replace(full_corpus(), ratings=ratings))
    stored = project.corpus().ratings
    assert stored.scores.rows() == ratings.scores.rows()
    assert (stored.origin, stored.notes) == ("people.csv", ("a remark",))
    assert project.ratings().scores.rows() == ratings.scores.rows()
    [row] = project.audit()
    assert (row.what, row.who, row.details["file"], row.details["added"]) == (
        "ratings imported",
        "owner",
        "people.csv",
        1,
    )


def test_texts_can_be_added_later(location):
    corpus = full_corpus()
    project = location.create(replace(corpus, texts={}, translations={}, documents=None, alignments=None))
    project.extend(corpus)
    project.extend(corpus)
    assert_equal_corpora(location.open().corpus(), corpus)


def test_a_reference_can_be_added_later(location):
    corpus = full_corpus()
    first, second = corpus.references
    project = location.create(replace(corpus, references={first: corpus.references[first]}))
    project.extend(corpus)
    assert list(location.open().corpus().references) == [first, second]


def test_metric_scores_can_be_added_later(location):
    corpus = full_corpus()
    project = location.create(replace(corpus, metric_scores={}))
    project.extend(corpus)
    project.extend(corpus)
    assert_equal_corpora(location.open().corpus(), corpus)


def _rated(system: str, value: float, origin: str) -> Ratings:
    return Ratings.of([Score("Ada", system, str(segment), "DA", value) for segment in range(4)], origin=origin)


def test_ratings_can_be_added_later_without_duplicates(location):
    corpus = full_corpus()
    project = location.create(corpus)
    first, second = _rated("A", 70, "one.csv"), _rated("B", 50, "two.csv")
    with_first = replace(corpus, ratings=first)
    project.extend(with_first, corpus)
    with_both = replace(with_first, ratings=join_ratings([first, second]))
    project.extend(with_both, with_first)
    project.extend(with_both, with_both)
    again = location.open()
    stored = again.corpus().ratings
    assert str(stored.scores.rows()) == str([*first.scores.rows(), *second.scores.rows()])
    assert stored.origin == "one.csv, two.csv"
    assert sorted(map(str, again.ratings().scores.rows())) == sorted(map(str, stored.scores.rows()))
    assert [(row.file, row.added) for row in again.imports()] == [("one.csv", 4), ("two.csv", 4)]


def test_ratings_added_to_existing_ones_are_a_separate_import(location):
    first, second = _rated("A", 70, "one.csv"), _rated("B", 50, "two.csv")
    corpus = replace(full_corpus(), ratings=first)
    project = location.create(corpus)
    project.extend(replace(corpus, ratings=join_ratings([first, second])), corpus)
    assert [(row.file, row.added) for row in location.open().imports()] == [("one.csv", 4), ("two.csv", 4)]
    assert location.open().corpus().ratings.scores.systems == ("A", "B")


def test_ratings_of_withdrawn_imports_are_not_in_the_corpus(location):
    corpus = full_corpus()
    project = location.create(corpus)
    rated = replace(corpus, ratings=_rated("A", 70, "one.csv"))
    project.extend(rated, corpus)
    project.extend(replace(rated, ratings=join_ratings([rated.ratings, _rated("B", 50, "two.csv")])), rated)
    first, second = project.imports()
    project.withdraw_import(first.uid)
    assert location.open().corpus().ratings.scores.systems == ("B",)
    project.withdraw_import(second.uid)
    assert location.open().corpus().ratings is None
    project.extend(rated, corpus)
    assert location.open().corpus().ratings.scores.systems == ("A",)


def test_a_project_with_the_single_reference_of_old_versions_opens(location):
    """It was stored like other texts; further references are added to it, and it is not written again."""
    corpus = full_corpus()
    project = location.create(replace(corpus, references={}))
    single = TextColumn.of(["w", "x", "y", "z"])
    with project._database.writing() as connection:
        CorpusWriter(connection)._text("text/reference", single, None)
    opened = location.open().corpus()
    assert [(name, list(text.lines())) for name, text in opened.references.items()] == [
        ("reference", ["w", "x", "y", "z"])
    ]
    project.extend(replace(corpus, references={"reference": opened.references["reference"], **corpus.references}))
    again = location.open()
    assert list(again.corpus().references) == ["reference", *corpus.references]
    with again._database.reading() as connection:
        rows = connection.execute(select(schema.columns.c.name, schema.columns.c.details)).all()
    assert [tuple(row) for row in rows if "reference" in row.name] == [
        ("text/reference", None), *(("reference", name) for name in corpus.references),
    ]  # fmt: skip


def test_a_damaged_column_is_reported(tmp_path):
    path = tmp_path / "a.qedesk"
    Project.create(path, full_corpus(), person="me").close()
    with closed(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER chunks_no_update")
        row, data = connection.execute("SELECT blob, data FROM chunks ORDER BY length(data) DESC").fetchone()
        connection.execute("UPDATE chunks SET data = ? WHERE blob = ?", (data[:-1] + b"?", row))
        connection.commit()
    with Project.open(path, person="me") as project, pytest.raises(QeError, match="damaged"):
        project.corpus()


def test_layers_are_added_and_closed_in_other_windows(location):
    project, other = location.create(full_corpus()), location.open("other")
    mine = LayerKey(Provenance.PERSON, "me", Kind.WORDS)
    column = project.corpus().layers[GOLD].tags
    project.append([make_layer_row(project, Layer(mine, column, form="n")), LayerRow(GOLD, None, added=False)])
    assert project.flush(PATIENCE)
    changes = other.new_changes()
    assert [(row.key, row.added) for row in changes.layers] == [(GOLD, False), (mine, True)]
    assert changes.layers[1].layer.tags == column
    assert mine in other.corpus().layers
    assert GOLD not in other.corpus().layers
    project.append([make_layer_row(project, Layer(GOLD, TagColumn(1 - column.values, column.offsets)))])
    assert project.flush(PATIENCE)
    assert (other.corpus().layers[GOLD].tags.values == 1 - column.values).all()


def test_the_summary_states_the_provenance_of_layers(tmp_path):
    corpus = full_corpus()
    for provenance in Provenance:
        key = LayerKey(provenance, f"by {provenance.value}", Kind.WORDS)
        corpus = corpus.with_layer(Layer(key, corpus.layers[GOLD].tags))
    with Project.create(tmp_path / "a.qedesk", corpus, person="me") as project:
        layers = project.summary()["layers"]
    assert [layer for layer in layers if layer.startswith("by ")] == [
        "by gold (words), gold", "by system (words), system", "by person (words), annotator",
        "by synthetic (words), synthetic",
    ]  # fmt: skip


def test_a_layer_that_two_windows_add_is_stored_once(location):
    project, other = location.create(full_corpus()), location.open("other")
    mine = LayerKey(Provenance.PERSON, "me", Kind.WORDS)
    column = project.corpus().layers[GOLD].tags
    for window in (project, other):
        window.append([make_layer_row(window, Layer(mine, column))])
        assert window.flush(PATIENCE)
    assert list(project.corpus().layers).count(mine) == 1


def test_failed_creation_of_a_project_leaves_no_files(tmp_path):
    with pytest.raises(QeError, match="no such folder"):
        Project.create(tmp_path / "no" / "a.qedesk", None, person="me")
    path = tmp_path / "a.qedesk"
    Project.create(path, None, person="me").close()
    with pytest.raises(QeError, match="already"):
        Project.create(path, full_corpus(), person="me")
    broken = Corpus("broken", 1, {}, {GOLD: Layer(GOLD, "no column")})  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        Project.create(tmp_path / "b.qedesk", broken, person="me")
    assert [path.name for path in Path(tmp_path).iterdir() if path.is_file()] == ["a.qedesk"]


def test_tags_of_the_virtual_eos_token_are_read_back(tmp_path):
    """WMT22 has one tag per segment more than words, and tags of a missing source text are not damage."""
    mt = TextColumn.of(["a b", "c"])
    probabilities = NumberColumn(np.zeros(5, np.float32), offsets_from_lengths([3, 2]))
    layers = [
        Layer(GOLD, tags("oob", "oo")),
        Layer(LayerKey(Provenance.GOLD, "gold", Kind.GAPS), tags("obo", "oo")),
        Layer(LayerKey(Provenance.SYSTEM, "a", Kind.PROBABILITIES), probabilities),
        Layer(LayerKey(Provenance.GOLD, "gold", Kind.SOURCE), tags("b", "")),
    ]
    corpus = Corpus("eos", 2, {TextRole.MT: mt}, {layer.key: layer for layer in layers}, eos=True)
    path = tmp_path / "eos.qedesk"
    Project.create(path, corpus, person="me").close()
    with Project.open(path, person="me") as project:
        assert_equal_corpora(project.corpus(), corpus)
