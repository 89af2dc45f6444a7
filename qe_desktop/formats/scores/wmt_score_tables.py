"""Segment-score submissions and golds of the shared tasks: TSV files with one row per segment and method.

WMT12-17   METHOD SEGMENT SCORE RANK
WMT20-23   LP METHOD SEGMENT SCORE
WMT24      LP TYPE METHOD SEGMENT SCORE

One to three lines with one number each may precede the rows. With a header, the columns may be in any order, and the
table may contain gold scores:

WMT23      lp gold sid score                 (the method column is named “gold”)
Graham     METRIC SID SCORE RANK HUMAN       (several methods; HUMAN is the gold score of the segment)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, TextRole
from qe_desktop.corpus.text import LF, TAB
from qe_desktop.escaping import NUMBER_PATTERN
from qe_desktop.formats.bilingual.columns import is_job_table
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import EXCLUDED_MARK, GOLD_METHODS, ScoreTable
from qe_desktop.formats.scores.score_columns import describe_columns, table_names
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile
from qe_desktop.formats.tsv import (
    TsvBlock,
    csv_head_to_tsv,
    csv_to_tsv,
    decode_labels,
    first_row,
    table_rows,
    unquote_field,
)
from qe_desktop.i18n.messages import tr

SEGMENT_HEADERS = {
    "seg", "segment", "sid", "segid", "seg_id", "segmentid", "segment_id", "index", "id", "sentid", "sent_id",
    "sentenceid", "sentence_id",
}  # fmt: skip
METHOD_HEADERS = {"metric", "method", "system", "sys"}
PAIR_HEADERS = {"lp", "langpair", "lang_pair", "languagepair", "language_pair"}
SCORE_HEADERS = {"score"}
GOLD_HEADERS = {
    "gold", "human", "hter", "da", "mqm", "z_mean", "mean_z", "pet", "per", "post_edit_time", "postedit_time",
}  # fmt: skip
_MEAN = {"mean"}
"""Names of columns that are gold only in tables with a `z_mean` or text column, where they are means of ratings."""
_MEAN_CONTEXT = {"z_mean", "original", "translation"}
TEXT_HEADERS = {TextRole.SOURCE: ("original", "source", "src"), TextRole.MT: ("translation", "target", "tgt", "mt")}
"""Names of text columns, by role of the text."""
_TEXT_WORDS = {word for words in TEXT_HEADERS.values() for word in words} | {
    "reference", "ref", "pe", "post_edit", "postedit",
}  # fmt: skip
OTHER_HEADERS = {
    "scores", "z_scores", "rank", "ranks", "document", "doc", "docid", "doc_id", "domain", "type", "n", "count",
    "numannot", "seconds", "duration", "started", "flags", "campaign",
}  # fmt: skip
"""Names of columns that are never scores."""
_RATING_COLUMN = re.compile(
    r"(rater|judge|annotator|annot|evaluator|assessor|worker|coder|reviewer|participant|user|login|username)(_\w+|\d+)?"
    r"|(adequacy|fluency)(_\w+)?|.*_(started|seconds|flags|rating_id)|scale|annotype|criterion|role"
)
"""Pattern of the names of columns of human ratings."""
_NUMBER_CELL = re.compile(rf"\s*{NUMBER_PATTERN}\s*|nan|-?inf(inity)?|na".encode(), re.IGNORECASE)
HEADER_SAMPLE_ROWS = 100
"""Maximum number of rows examined to determine a column's content."""


@dataclass(frozen=True, slots=True)
class ScoreHeader:
    """Column names of a table, and its first rows; rows with a different number of fields are left out.

    `normalized_names` are in lower case, with underscores instead of spaces, dots and hyphens.
    """

    names: tuple[str, ...]
    normalized_names: tuple[str, ...]
    rows: tuple[tuple[bytes, ...], ...]

    def find_column(self, words: Collection[str]) -> int | None:
        """Index of the first column whose normalized name is one of `words`; None if there is none."""
        return next((column for column, word in enumerate(self.normalized_names) if word in words), None)

    def is_numeric(self, column: int) -> bool:
        """Whether at least half of a column's values are numbers or placeholders for missing numbers.

        In a column named like a text column, all values must be numbers, because some text segments may be numbers.
        """
        count = sum(_NUMBER_CELL.fullmatch(row[column]) is not None for row in self.rows)
        return count == len(self.rows) or (
            2 * count >= len(self.rows) and self.normalized_names[column] not in _TEXT_WORDS
        )

    def unread_notes(self, read: Collection[int | None]) -> tuple[str, ...]:
        """Notes on the columns whose indices are not in `read`; unnamed columns are listed by position."""
        unread = [column for column in range(len(self.names)) if column not in read]
        named = [self.names[column] for column in unread if self.names[column]]
        nameless = [f"{column + 1:,}" for column in unread if not self.names[column]]
        notes = []
        if named:
            notes.append(tr("{n:column|columns} not read: {names}", "", len(named), names=list_names(named)))
        if nameless:
            notes.append(tr(
                "{n:column|columns} {places} not read: no name",
                "", len(nameless), places=list_names(nameless, joined=True),
            ))  # fmt: skip
        return tuple(notes)

    def texts(self) -> dict[TextRole, int]:
        """Indices of the source and MT columns, by role; a role is omitted if the table has no such text."""
        columns = {role: self.find_column(words) for role, words in TEXT_HEADERS.items()}
        return {role: column for role, column in columns.items() if column is not None and not self.is_numeric(column)}

    def contains_scores(self, column: int) -> bool:
        """Whether a column contains scores; `column` must not be the segment column."""
        return (
            bool(self.names[column])
            and self.normalized_names[column] not in OTHER_HEADERS | PAIR_HEADERS
            and self.is_numeric(column)
        )

    def is_gold(self, column: int) -> bool:
        """Whether the scores in a column are gold scores."""
        word = self.normalized_names[column]
        return word in GOLD_HEADERS or (word in _MEAN and bool(_MEAN_CONTEXT & set(self.normalized_names)))


def parse_header(head: bytes) -> ScoreHeader | None:
    """Parse the column names of a table's header.

    Returns None if the table has no segment column or no rows, or is a table of human ratings or a bilingual file.
    """
    first, _, body = (csv_head_to_tsv(head) or head).partition(bytes([LF]))
    names = decode_labels(unquote_field(name.strip()) for name in first.rstrip(b"\r").split(bytes([TAB])))
    normalized_names = tuple(re.sub(r"[\s._-]+", "_", name.lower()) for name in names)
    if (
        len(names) < 2
        or not SEGMENT_HEADERS & set(normalized_names)
        or any(map(_RATING_COLUMN.fullmatch, normalized_names))
    ):
        return None
    if is_job_table(names):
        return None
    lines = [
        line.rstrip(b"\r").split(bytes([TAB]))
        for line in body.split(bytes([LF]), HEADER_SAMPLE_ROWS)[:HEADER_SAMPLE_ROWS]
    ]
    rows = tuple(tuple(fields) for fields in lines if len(fields) == len(names))
    return ScoreHeader(names, normalized_names, rows) if rows else None


_INTEGER = re.compile(rb"\d+")
_NUMBER = re.compile(NUMBER_PATTERN.encode())
_PAIR = re.compile(rb"[a-z]{2,3}-[a-z]{2,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _ScoreTableLayout:
    """Layout of a score table: counts of columns and header lines, and column indices (None for missing columns)."""

    columns: int
    skip: int
    method: int
    segment: int
    score: int
    pair: int | None = None
    golds: tuple[int, ...] = ()
    header: ScoreHeader | None = None
    """Column names, if there is a header."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the columns that are not read; empty without a header."""
        read = {self.method, self.segment, self.score, self.pair, *self.golds}
        return () if self.header is None else self.header.unread_notes(read)


def _layout(head: bytes) -> _ScoreTableLayout | None:
    """Detect the layout from the first bytes of a file; None if the file is not a score table."""
    return _layout_without_header(head) or _layout_with_header(head)


def _layout_without_header(head: bytes) -> _ScoreTableLayout | None:
    row, header = first_row(head)
    columns = len(row)
    if columns not in (3, 4, 5) or header > 3:
        return None
    is_integer = [_INTEGER.fullmatch(field) is not None for field in row]
    number = [_NUMBER.fullmatch(field) is not None for field in row]
    paired = _PAIR.fullmatch(row[0]) is not None
    if columns == 5:
        return _ScoreTableLayout(5, header, 2, 3, 4, pair=0) if paired and is_integer[3] and number[4] else None
    if columns == 4 and is_integer[2] and number[3] and (paired or not is_integer[1]):
        return _ScoreTableLayout(4, header, 1, 2, 3, pair=0)
    if is_integer[1] and number[2] and (columns == 3 or number[3]):
        return _ScoreTableLayout(columns, header, 0, 1, 2)
    return None


def _layout_with_header(head: bytes) -> _ScoreTableLayout | None:
    header = parse_header(head)
    if header is None:
        return None
    segment, score = header.find_column(SEGMENT_HEADERS), header.find_column(SCORE_HEADERS)
    method_candidates = [
        column for column, word in enumerate(header.normalized_names) if word in METHOD_HEADERS | GOLD_METHODS
    ]
    method = next((column for column in method_candidates if not header.is_numeric(column)), None)
    if segment is None or score is None or method is None:
        return None
    candidates = [column for column in range(len(header.names)) if column not in (segment, score, method)]
    golds = tuple(column for column in candidates if header.contains_scores(column) and header.is_gold(column))
    # if a method may be an MT system, its scores may be human scores of its translations
    is_certain = bool(golds) or header.normalized_names[method] in ("metric", "method") or _all_gold(header, method)
    layout = _ScoreTableLayout(
        len(header.names), 1, method, segment, score, header.find_column(PAIR_HEADERS), golds, header
    )
    return layout if is_certain else None


def _all_gold(header: ScoreHeader, column: int) -> bool:
    return all(name.lower() in GOLD_METHODS for name in _decode_names(row[column] for row in header.rows))


def read_score_table(opened: TextFile) -> ScoreTable:
    """Read all rows of a score table. Raises QeError if lines are invalid, or if the file is not a score table."""
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the columns are not those of a segment-score submission")
        raise QeError(
            message,
            hint=tr("Rows must have the columns LP METHOD SEGMENT SCORE, or the first row must name these columns."),
            place=opened.location(1),
        )
    opened = opened if layout.header is None else csv_to_tsv(opened)
    pairs: dict[bytes, int] = {}
    methods: dict[bytes, int] = {}
    errors = Faults()
    parts: list[tuple[NDArray[np.generic], ...]] = []
    for rows in table_rows(opened, layout.columns, layout.skip, errors):
        pair = rows.labels(layout.pair, pairs)
        method = rows.labels(layout.method, methods)
        segment, valid = rows.integers(layout.segment)
        errors.add(np.flatnonzero(~valid), partial(segment_number_fault, opened, rows, layout.segment))
        scores = np.empty((len(segment), 1 + len(layout.golds)))
        for index, column in enumerate((layout.score, *layout.golds)):
            scores[:, index], finite = rows.decimals(column)
            if column == layout.score and not finite.all():
                is_excluded = rows.equal_mask(column, EXCLUDED_MARK) & _is_gold_method(methods)[method]
                scores[is_excluded, index], finite[is_excluded] = np.nan, True
            errors.add(np.flatnonzero(~finite), partial(_invalid_score_error, opened, rows, column))
        parts.append((pair, method, segment, scores[:, 0], rows.lines, scores[:, 1:]))
    errors.first.sort(key=lambda error: error.place.line or 0)
    errors.raise_if_any(
        tr("All rows must have the same columns, with a segment number and a score, as in LP METHOD SEGMENT SCORE.")
    )
    pair, method, segment, score, line, gold = (np.concatenate(column) for column in zip(*parts, strict=True))
    golds = () if layout.header is None else tuple(layout.header.names[index] for index in layout.golds)
    return ScoreTable(
        opened,
        _decode_names(pairs),
        _decode_names(methods),
        pair,
        method,
        segment,
        score,
        line,
        golds,
        gold,
        layout.notes,
    )


def _decode_names(labels: Iterable[bytes]) -> tuple[str, ...]:
    return decode_labels(unquote_field(label.strip()) for label in labels)


def _is_gold_method(methods: Mapping[bytes, int]) -> NDArray[np.bool_]:
    """Mask of the methods whose names stand for gold scores, shape (methods,)."""
    return np.asarray([name.lower() in GOLD_METHODS for name in _decode_names(methods)], bool)


def segment_number_fault(opened: TextFile, rows: TsvBlock, column: int, row: int) -> Fault:
    """Return the error for a field that is not a segment number."""
    message = tr("{text} is not a segment number", text=quote_token(rows.text(row, column)))
    return Fault(opened.location(int(rows.lines[row])), message)


def _invalid_score_error(opened: TextFile, rows: TsvBlock, column: int, row: int) -> Fault:
    message = tr("{text} is not a score", text=quote_token(rows.text(row, column)))
    return Fault(opened.location(int(rows.lines[row])), message)


def _confidence(head: bytes, name: str) -> float:
    return 0.98 if _layout(head) else 0.0


def _read(opened: TextFile) -> ParseResult:
    table = read_score_table(opened)
    if len(table.methods) > 1 or table.golds:
        segments = len(np.unique(table.segment))
        return ParseResult(FORMAT.name, describe_columns(segments, *table_names(table)), table, table.notes)
    scores, pairs = len(table.score), list_names(table.pairs, joined=True)
    description = tr("segment-score submission, {n:,} {n:score|scores}", "", scores)
    if pairs:
        description = tr("segment-score submission, {n:,} {n:score|scores}, {pairs}", "", scores, pairs=pairs)
    return ParseResult(FORMAT.name, description, table, table.notes)


FORMAT = Format("score table", _confidence, _read)
