"""Tables of the corpus in a project: columns, stored as arrays, and layers with their provenance."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, insert, select

from qe_desktop.corpus import (
    AlignmentColumn,
    Corpus,
    Documents,
    Kind,
    Layer,
    LayerKey,
    MetricColumn,
    NumberColumn,
    Offsets,
    Provenance,
    TagColumn,
    TextColumn,
    TextRole,
    TranslationJob,
)
from qe_desktop.corpus.columns import Floats, offsets_from_lengths, segment_indices
from qe_desktop.corpus.layers import Column
from qe_desktop.i18n.messages import to_english
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.bilingual_columns import FILES, JOB_PREFIX, read_job, write_job
from qe_desktop.project.store.tables.blobs import (
    flatten_scores,
    metric_column,
    metric_details,
    metric_name_of,
    read_array,
    read_bytes,
    write_array,
    write_bits,
    write_bytes,
)
from qe_desktop.project.store.tables.cell_codec import (
    validate_condition,
    validate_fields,
    validate_integer,
    validate_names,
    validate_positions,
)
from qe_desktop.project.store.tables.rating_table import read_counting_sets

TRANSLATION = "translation"
"""Name of columns that contain a system's translation."""
REFERENCE = "reference"
"""Name of columns that contain a reference translation."""
METRIC = "metric"
"""Name of columns that contain a metric's scores."""
NAMED_COLUMNS = (TRANSLATION, REFERENCE)
"""Kinds of columns that occur once per system or reference; `details` is the name of the system or reference."""
_OLD_REFERENCE = f"text/{TextRole.REFERENCE.value}"
"""Name of the reference column in older projects, which had only one reference."""


class CorpusWriter:
    """Writer of corpus columns and layers; identical texts and offsets are written only once."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._lengths: list[tuple[Offsets, int]] = []
        self._texts: list[tuple[Any, NDArray[np.uint32] | None, tuple[int, int | None]]] = []

    def extend(self, corpus: Corpus, *, ratings: str = "") -> None:
        """Write a corpus's metadata and new columns, but no layers. `ratings` is the uid of a rating set to add."""
        before = read_facts(self.connection)
        sets = list(dict.fromkeys([*(before.sets if before is not None else ()), *([ratings] if ratings else ())]))
        facts = CorpusFacts(
            corpus.eos, corpus.folder, corpus.language_pair, corpus.name, corpus.size,
            "".join(sets[:1]), tuple(sets[1:]), corpus.languages,
        )  # fmt: skip
        if facts != before:
            self.connection.execute(insert(schema.corpora).values(facts=asdict(facts)))
        rows = self.connection.execute(select(schema.columns.c.name, schema.columns.c.details))
        existing = [column_key(row.name, row.details) for row in rows]
        texts: list[tuple[str, str | None, TextColumn]] = [
            (f"text/{role.value}", None, text) for role, text in corpus.texts.items()
        ]
        texts += [(TRANSLATION, system, text) for system, text in corpus.translations.items()]
        texts += [(REFERENCE, reference, text) for reference, text in corpus.references.items()]
        for name, details, text in texts:
            if (name, details) not in existing:
                self._text(name, text, details)
        for metric, scores in corpus.metric_scores.items():
            if (METRIC, metric) not in existing:
                values = write_array(self.connection, flatten_scores(scores))
                self._column(METRIC, values, None, metric_details(metric, scores))
        if corpus.alignments is not None and ("alignments", None) not in existing:
            pairs = write_array(self.connection, corpus.alignments.values.reshape(-1))
            self._column("alignments", pairs, self._offsets(corpus.alignments.offsets))
        if corpus.documents is not None and ("documents", None) not in existing:
            data_of = write_array(self.connection, corpus.documents.of_segment)
            self._column("documents", data_of, None, list(corpus.documents.names))
        if corpus.job is not None and (FILES, None) not in existing:
            write_job(
                self.connection, corpus.job, lambda name, data, details: self._column(name, data, None, details),
                self._text,
            )  # fmt: skip

    def _text(self, name: str, text: TextColumn, details: str | None = None) -> None:
        data, lengths = _flatten(text)
        # a source without codes is identical to the raw text
        location = next(
            (item[2] for item in self._texts if item[0] == data and _have_equal_lengths(item[1], lengths)), None
        )
        if location is None:
            ends = None if lengths is None else write_array(self.connection, lengths)
            location = write_bytes(self.connection, data), ends
            self._texts.append((data, lengths, location))
        self._column(name, *location, details)

    def _column(self, name: str, data: int, lengths: int | None, details: Any = None) -> None:
        self.connection.execute(insert(schema.columns).values(name=name, data=data, lengths=lengths, details=details))

    def add_layer(self, layer: Layer, *, uid: str, window: int, at: float) -> int:
        """Write a layer and return its number."""
        key, column = layer.key, layer.column
        if isinstance(column, TagColumn):
            data, lengths = write_bits(self.connection, column.values), self._offsets(column.offsets)
        elif isinstance(column, NumberColumn):
            data, lengths = write_array(self.connection, column.values), self._offsets(column.offsets)
        else:
            data, lengths = write_array(self.connection, column), None
        statement = insert(schema.layers).values(
            uid=uid,
            window=window,
            at=at,
            provenance=key.provenance.value,
            name=key.name,
            kind=key.kind.value,
            origin=to_english(layer.origin),
            form=layer.form,
            notes=to_english(layer.notes),
            data=data,
            lengths=lengths,
        )
        return int(self.connection.execute(statement.returning(schema.layers.c.seq)).scalar_one())

    def _offsets(self, offsets: Offsets) -> int:
        for written, number in self._lengths:
            if written is offsets or np.array_equal(written, offsets):
                return number
        number = write_array(self.connection, np.diff(offsets).astype(np.uint32))
        self._lengths.append((offsets, number))
        return number


def _flatten(text: TextColumn) -> tuple[Any, NDArray[np.uint32] | None]:
    """Return the bytes of a text, and its line lengths (None if line ends in the bytes delimit the lines)."""
    if not len(text):
        return b"", None
    start, stop = int(text.starts[0]), int(text.ends[-1])
    # include the last line end: otherwise an empty last line would be lost
    tail = bytes(text.data[stop : stop + 2])
    stop += 2 if tail == b"\r\n" else 1 if tail[:1] == b"\n" else 0
    data = memoryview(text.data)[start:stop]
    parsed = TextColumn.from_bytes(data)  # type: ignore[arg-type]
    if np.array_equal(parsed.starts + start, text.starts) and np.array_equal(parsed.ends + start, text.ends):
        return data, None
    lines = [text.raw(segment) for segment in range(len(text))]
    return b"".join(lines), np.fromiter(map(len, lines), np.uint32, len(lines))


def _have_equal_lengths(first: NDArray[np.uint32] | None, second: NDArray[np.uint32] | None) -> bool:
    return first is second if first is None or second is None else np.array_equal(first, second)


def _unflatten(data: bytes, lengths: NDArray[np.uint32] | None) -> TextColumn:
    if lengths is None:
        return TextColumn.from_bytes(data)
    offsets = _offsets(lengths)
    validate_condition(offsets[-1] == len(data), "the line lengths of a text do not match")
    return TextColumn(data, offsets[:-1], offsets[1:])


def _offsets(lengths: NDArray[Any]) -> Offsets:
    return offsets_from_lengths(validate_positions(lengths, 2**32, "lengths"))


class CorpusReader:
    """Reader of a corpus. Columns must have one entry per segment; an array shared by several columns is read once."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._facts = read_facts(connection)
        self._offsets: dict[int, Offsets] = {}
        self._texts: dict[tuple[int, int | None], TextColumn] = {}

    def read(self) -> tuple[Corpus, dict[LayerKey, str]] | None:
        """Return the corpus with its current layers, and the uid of each layer; None if the project has no corpus."""
        facts = self._facts
        if facts is None:
            return None
        texts: dict[TextRole, TextColumn] = {}
        translations: dict[str, TextColumn] = {}
        references: dict[str, TextColumn] = {}
        metrics: dict[str, MetricColumn] = {}
        alignments, documents = None, None
        table = schema.columns.c
        query = select(table.name, table.data, table.lengths, table.details).order_by(table.seq)
        columns = [validate_fields(_Column(*row)) for row in self.connection.execute(query)]
        job_rows = {row.name: row for row in columns if row.name.startswith(JOB_PREFIX)}
        columns = [row for row in columns if row.name not in job_rows]
        column_keys = [column_key(row.name, row.details) for row in columns]
        validate_condition(all(column_keys.count(column) == 1 for column in column_keys), "a column is a duplicate")
        for row, (kind, name) in zip(columns, column_keys, strict=True):
            if kind == "alignments":
                alignments = self._alignments(row)
            elif kind == "documents":
                names = validate_names(row.details, "the documents")
                values = self._read_segment_values(row)
                documents = Documents(names, validate_positions(values, len(names), "the documents"))
            elif kind == TRANSLATION:
                translations[validate_names([name], "a system")[0]] = self._text(row)
            elif kind == REFERENCE:
                references[validate_names([name], "a reference")[0]] = self._text(row)
            elif kind == METRIC:
                metrics[name] = metric_column(row.details, read_array(self.connection, row.data), self._size)
            else:
                texts[TextRole(kind.removeprefix("text/"))] = self._text(row)
        current = current_layers(self.connection)
        layers = {key: self.layer(number) for number, (key, _) in current.items()}
        corpus = Corpus(
            facts.name,
            facts.size,
            texts,
            layers,
            alignments,
            documents,
            facts.eos,
            facts.language_pair,
            facts.folder,
            translations,
            read_counting_sets(self.connection, facts.sets) if facts.sets else None,
            references,
            metrics,
            job=self._job(job_rows) if job_rows else None,
            languages=(facts.languages[0], facts.languages[1]),
        )
        _check_tokens(corpus)
        return corpus, dict(current.values())

    def layer(self, number: int) -> Layer:
        """Read a layer by its number. Raises QeError or ValueError if the layer is damaged."""
        row = self.connection.execute(select(schema.layers).where(schema.layers.c.seq == number)).one()
        key = layer_key(row.provenance, row.name, row.kind)
        origin, form = validate_names([row.origin, row.form], "the origin of a layer")
        return Layer(key, self._values(key, row), origin, form, validate_names(row.notes, "the notes of a layer"))

    def _values(self, key: LayerKey, row: Any) -> Column | Floats:
        values = read_array(self.connection, validate_integer(row.data, "a layer"))
        if key.kind.is_tags:
            validate_positions(values, 2, "tags")
            validate_condition(values.dtype == np.uint8, "tags are not bytes")
            return TagColumn(values, self._offsets_of(row.lengths))
        if key.kind is Kind.PROBABILITIES:
            validate_condition(values.dtype == np.float32, "probabilities are not numbers")
            return NumberColumn(values, self._offsets_of(row.lengths))
        validate_condition(values.dtype == np.float64 and len(values) == self._size, "scores are not one per segment")
        return values

    @property
    def _size(self) -> int:
        return 0 if self._facts is None else self._facts.size

    def _text(self, row: _Column) -> TextColumn:
        text = self._texts.get((row.data, row.lengths))
        if text is None:
            lengths = None if row.lengths is None else read_array(self.connection, row.lengths)
            text = self._texts[row.data, row.lengths] = _unflatten(read_bytes(self.connection, row.data), lengths)
            validate_condition(len(text) == self._size, "a text does not have one line per segment")
        return text

    def _job(self, rows: dict[str, _Column]) -> TranslationJob:
        data = {name: row.data for name, row in rows.items()}
        return read_job(self.connection, data, lambda name: self._text(rows[name]), self._size)

    def _alignments(self, row: _Column) -> AlignmentColumn:
        pairs = validate_positions(read_array(self.connection, row.data), 2**31, "aligned words").reshape(-1, 2)
        offsets = self._offsets_of(row.lengths)
        matches = pairs.dtype == np.int32 and offsets[-1] == len(pairs)
        validate_condition(matches, "the number of alignments does not match")
        return AlignmentColumn(pairs, offsets)

    def _read_segment_values(self, row: _Column) -> NDArray[Any]:
        values = read_array(self.connection, row.data)
        validate_condition(len(values) == self._size, "a column does not have one value per segment")
        return values

    def _offsets_of(self, number: object) -> Offsets:
        number = validate_integer(number, "the lengths of segments")
        offsets = self._offsets.get(number)
        if offsets is None:
            offsets = self._offsets[number] = _offsets(read_array(self.connection, number))
            validate_condition(len(offsets) == self._size + 1, "a column does not have as many segments as the corpus")
        return offsets


def _check_tokens(corpus: Corpus) -> None:
    """Raise CorruptRowError unless there is one tag per token and alignments refer to existing words."""
    expected: dict[Kind, Offsets] = {}
    for key, layer in corpus.layers.items():
        if isinstance(layer.column, TagColumn | NumberColumn):
            kind = Kind.WORDS if key.kind is Kind.PROBABILITIES else key.kind
            if kind not in expected:
                text_offsets = corpus.offsets(kind)
                expected[kind] = layer.column.offsets if text_offsets is None else text_offsets
            matches = np.array_equal(layer.column.offsets, expected[kind])
            validate_condition(matches, f"the tags of {key} are not one per token")
    if corpus.alignments is not None:
        segments = segment_indices(corpus.alignments.offsets)
        for side, role in enumerate((TextRole.SOURCE, TextRole.MT)):
            text = corpus.text(role)
            is_within = text is None or (corpus.alignments.values[:, side] < text.token_counts()[segments]).all()
            validate_condition(is_within, "alignments refer to missing words")


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """Corpus metadata; `languages` are the source and target language declared in files.

    `ratings` is the uid of the original rating set. `more_ratings` are the uids of sets added later.
    """

    eos: bool
    folder: str
    language_pair: str
    name: str
    size: int
    ratings: str = ""
    more_ratings: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("", "")

    @property
    def sets(self) -> tuple[str, ...]:
        """Uids of all rating sets, the original one first."""
        return ((self.ratings,) if self.ratings else ()) + self.more_ratings


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    data: int
    lengths: int | None
    details: Any


def column_key(name: str, details: Any) -> tuple[str, Any]:
    """Return the kind of a column, and the system, reference or metric that the column belongs to (or None).

    Raises CorruptRowError if a metric has no name.
    """
    if name == _OLD_REFERENCE:
        return REFERENCE, TextRole.REFERENCE.value
    return name, metric_name_of(details) if name == METRIC else details if name in NAMED_COLUMNS else None


def layer_key(provenance: str, name: str, kind: str) -> LayerKey:
    """Return the key of a stored layer. Raises ValueError (such as CorruptRowError) if the values are invalid."""
    key = LayerKey(Provenance(provenance), validate_names([name], "a layer")[0], Kind(kind))
    validate_condition(key.kind is not Kind.TRANSLATION, "a layer is a translation")
    return key


def read_facts(connection: Connection) -> CorpusFacts | None:
    """Corpus metadata; None if the project has no corpus. Raises CorruptRowError or TypeError if a value is invalid."""
    table = schema.corpora.c
    row = connection.execute(select(table.facts).order_by(table.seq.desc()).limit(1)).first()
    if row is None:
        return None
    validate_condition(isinstance(row.facts, dict), "the corpus has no metadata")
    field_names = {field.name for field in fields(CorpusFacts)}
    values = {name: value for name, value in row.facts.items() if name in field_names}
    values["more_ratings"] = validate_names(values.get("more_ratings", ()), "sets of ratings")
    # older projects have only the language pair
    values["languages"] = validate_names(values.get("languages", ("", "")), "the languages")
    validate_condition(len(values["languages"]) == 2, "the number of languages is not two")
    facts = validate_fields(CorpusFacts(**values))
    validate_integer(facts.size, "the size of the corpus", limit=2**31)
    return facts


def current_layers(connection: Connection) -> dict[int, tuple[LayerKey, str]]:
    """Return the key and uid of each open layer by ascending layer number; of layers with equal keys, only the last."""
    removed = select(schema.removals.c.layer)
    layer = schema.layers.c
    columns = select(layer.seq, layer.provenance, layer.name, layer.kind, layer.uid)
    rows = connection.execute(columns.where(layer.seq.not_in(removed)).order_by(layer.seq))
    # if two layers have the same key, the last one applies
    last = {layer_key(row.provenance, row.name, row.kind): (row.seq, row.uid) for row in rows}
    return {number: (key, uid) for key, (number, uid) in sorted(last.items(), key=lambda item: item[1][0])}
