"""Word-tag submissions and references of the shared tasks: tab-separated tables with one row per word.

WMT14      sid wid word fine coarse binary       (sid such as 1.2; word and fine may share a field)
WMT15-17   METHOD SEGMENT INDEX WORD TAG
WMT20-23   LP METHOD TYPE SEGMENT INDEX WORD TAG (after 0, 2 or 3 lines with one number each)

The gold of WMT23 has one row per segment, with all its words and their tags: see `wmt23_gold`.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EOS, Fault, Faults, Kind, QeError, SourceLocation, TagColumn, TextColumn, TextRole
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import TableLayout, WordTable
from qe_desktop.formats.tags.tag_lines import TaggedItems, TagLayout, classify_tags, detect_layout, quote_token
from qe_desktop.formats.tags.wmt23_gold import WMT23_GOLD, count_header_lines, describe_tagged_texts, read_tagged_texts
from qe_desktop.formats.text_files import TextFile, display_name
from qe_desktop.formats.tsv import TsvBlock, decode_labels, first_row, parse_integers, table_rows
from qe_desktop.i18n.messages import tr

KIND_BY_TYPE = {"mt": Kind.WORDS, "gap": Kind.GAPS, "gaps": Kind.GAPS, "source": Kind.SOURCE, "src": Kind.SOURCE}

WMT14 = TableLayout("WMT14", 6, 0, 1, 2, 5)
WMT14_JOINED = TableLayout("WMT14, five columns", 5, 0, 1, 2, 4)
WMT15 = TableLayout("WMT15", 5, 1, 2, 3, 4, method=0)
WMT20 = TableLayout("WMT20", 7, 3, 4, 5, 6, pair=0, method=1, kind=2)
WMT21 = TableLayout("WMT21", 7, 3, 4, 5, 6, pair=0, method=1, kind=2)
WMT22 = TableLayout("WMT22", 7, 3, 4, 5, 6, pair=0, method=1, kind=2)
_LAYOUT_BY_HEADER_LINES = {0: WMT20, 2: WMT21, 3: WMT22}


def detect_table_layout(head: bytes) -> tuple[TableLayout, int] | None:
    """Detect the layout and the number of header lines of a word table from its first bytes; None for other files."""
    if (header_lines := count_header_lines(head)) is not None:
        return WMT23_GOLD, header_lines
    row, header = first_row(head)
    is_integer = [re.fullmatch(rb"\d+", field) is not None for field in row]
    sid = re.fullmatch(rb"\d+(\.\d+)?", row[0]) is not None
    if len(row) == 7 and header in (0, 1, 2, 3) and is_integer[3] and is_integer[4]:
        return _LAYOUT_BY_HEADER_LINES.get(header, WMT22), header
    if len(row) == 6 and header == 0 and sid and is_integer[1]:
        return WMT14, header
    if len(row) == 5 and header == 0:
        if is_integer[1] and is_integer[2]:
            return WMT15, header
        if sid and is_integer[1]:
            return WMT14_JOINED, header
    return None


def read_word_table(opened: TextFile) -> WordTable:
    """Read all rows of a word table.

    Raises QeError if the columns are not those of a word table, or if lines are invalid; the error lists these lines.
    """
    detected = detect_table_layout(opened.head())
    if detected is None:
        message = tr("the columns are not those of a word-tag submission")
        raise QeError(
            message,
            hint=tr("Rows must have the columns LP METHOD TYPE SEGMENT INDEX WORD TAG."),
            place=opened.location(1),
        )
    layout, skip = detected
    if layout is WMT23_GOLD:
        return read_tagged_texts(opened, skip)
    names: tuple[dict[bytes, int], ...] = ({}, {}, {})
    errors = Faults()
    parts: list[tuple[NDArray[np.generic], ...]] = []
    for rows in table_rows(opened, layout.column_count, skip, errors):
        cells, bad = _cells(rows, layout, names)
        errors.add(bad, partial(_field_error, opened, rows, layout))
        parts.append(cells)
    errors.first.sort(key=lambda error: error.place.line or 0)
    errors.raise_if_any(
        tr(
            "Rows ({layout}) must contain a segment number and a word index, and end in OK or BAD.",
            layout=_layout_label(layout),
        )
    )
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    if layout in (WMT14, WMT14_JOINED):
        # segments of WMT14 have numbers such as 12.3; only their order matters
        columns[3] = np.unique(columns[3], return_inverse=True)[1].astype(np.int64)
    pairs, methods, kinds = map(decode_labels, names)
    return WordTable(opened, layout, pairs, methods, kinds, *columns)


def _cells(
    rows: TsvBlock, layout: TableLayout, names: tuple[dict[bytes, int], ...]
) -> tuple[tuple[NDArray[np.generic], ...], Ints]:
    """Columns of a block in the order of `WordTable`, and the indices of rows with an invalid number or tag."""
    segment, valid_segment = (
        _parse_segment_ids(rows) if layout in (WMT14, WMT14_JOINED) else rows.integers(layout.segment)
    )
    index, valid_index = rows.integers(layout.index)
    tag, valid_tag = classify_tags(rows.codes, rows.starts[:, layout.tag], rows.ends[:, layout.tag])
    begin, end = rows.starts[:, layout.word], rows.ends[:, layout.word]
    if layout is WMT14_JOINED:
        spaces = np.append(np.flatnonzero(rows.codes == ord(" ")), len(rows.codes))
        end = np.minimum(spaces[np.searchsorted(spaces, begin)], end)
    pair, method, kind = map(rows.labels, (layout.pair, layout.method, layout.kind), names)
    cells = (pair, method, kind, segment, index, begin + rows.offset, end + rows.offset, tag, rows.lines)
    return cells, np.flatnonzero(~(valid_segment & valid_index & valid_tag))


def _parse_segment_ids(rows: TsvBlock) -> tuple[Ints, NDArray[np.bool_]]:
    """Map segment numbers to integers that sort alike (12.3 before 12.10); also return a mask of valid numbers."""
    starts, ends = rows.starts[:, 0], rows.ends[:, 0]
    dots = np.append(np.flatnonzero(rows.codes == ord(".")), len(rows.codes))
    dot = np.minimum(dots[np.searchsorted(dots, starts)], ends)
    integer_part, first = parse_integers(rows.codes, starts, dot)
    fractional_part, second = parse_integers(rows.codes, np.minimum(dot + 1, ends), ends)
    return integer_part * 1_000_000 + fractional_part, first & (second | (dot == ends)) & (
        fractional_part < 1_000_000
    ) & (integer_part < 10**12)


def _field_error(opened: TextFile, rows: TsvBlock, layout: TableLayout, row: int) -> Fault:
    tag, index, segment = (rows.text(row, column) for column in (layout.tag, layout.index, layout.segment))
    if tag.upper() not in ("OK", "BAD", "GOOD"):
        message = tr("{text} is not OK or BAD", text=quote_token(tag))
    elif not re.fullmatch(r"\d{1,15}", index, re.ASCII):
        message = tr("{text} is not a word index", text=quote_token(index))
    else:
        message = tr("{text} is not a segment number", text=quote_token(segment))
    return Fault(opened.location(int(rows.lines[row])), message)


def parse_kind(name: str) -> Kind | None:
    """Parse a TYPE field as a kind; None if the type is unknown."""
    return KIND_BY_TYPE.get(name.strip().lower())


def _layout_label(layout: TableLayout) -> str:
    """Localized name of a layout, for messages; projects contain the title, which is not localized."""
    return tr("WMT14, five columns") if layout == WMT14_JOINED else layout.title


def _confidence(head: bytes, name: str) -> float:
    return 1.0 if detect_table_layout(head) else 0.0


def _read(opened: TextFile) -> ParseResult:
    table = read_word_table(opened)
    if table.layout is WMT23_GOLD:
        return ParseResult(FORMAT.name, describe_tagged_texts(table), table)
    title, rows, pairs = _layout_label(table.layout), len(table), list_names(table.pairs, joined=True)
    bad = 100 * float(table.tag.mean())
    if pairs:
        description = tr(
            "{layout} word-tag submission, {n:,} {n:row|rows}, {pairs}, {bad:.1f} % BAD",
            "", rows, layout=title, pairs=pairs, bad=bad,
        )  # fmt: skip
    else:
        description = tr(
            "{layout} word-tag submission, {n:,} {n:row|rows}, {bad:.1f} % BAD", "", rows, layout=title, bad=bad
        )
    return ParseResult(FORMAT.name, description, table)


FORMAT = Format("word table", _confidence, _read)


_NO_PAIR = tr("a submission requires a language pair without tabs or line breaks")
_NO_METHOD = tr("a submission requires a method name without tabs or line breaks")


def write_submission(
    path: Path,
    column: TagColumn,
    mt: TextColumn,
    *,
    language_pair: str,
    method: str,
    header: tuple[str, str, str] = ("0", "0", "0"),
) -> None:
    """Write a WMT22 submission with the tags of all MT tokens, and of `<EOS>` if segments have one more tag.

    `header` is the model size on disk in bytes, the number of parameters and the number of ensembled systems. Raises
    QeError if the tags do not fit the MT, if `language_pair` or `method` is empty or has tabs or line breaks, or if the
    file cannot be written.
    """
    for value, message, hint, command_hint in (
        (
            language_pair, _NO_PAIR,
            tr("Specify a language pair, such as en-de."), tr("Specify the language pair with --language-pair."),
        ),
        (method, _NO_METHOD, tr("Specify a method name."), tr("Specify the method name with --method.")),
    ):  # fmt: skip
        if not value or any(mark in value for mark in "\t\n\r"):
            raise QeError(message, hint=hint, command_hint=command_hint)
    name = display_name(path)
    tagged_items = TaggedItems(name, lambda line: SourceLocation(name, line + 1))
    detect_layout(column.lengths(), mt.token_counts(), (TagLayout.WORDS, TagLayout.EOS), tagged_items, TextRole.MT)
    front = f"{language_pair}\t{method}\tMT\t"
    with atomic_write(path) as file:
        file.write("".join(f"{line}\n" for line in header).encode())
        for segment in range(len(column)):
            tags, words = column[segment], mt.tokens(segment)
            words += [EOS] * (len(tags) - len(words))
            rows = (
                f"{front}{segment}\t{index}\t{word}\t{'BAD' if tag else 'OK'}\n"
                for index, (word, tag) in enumerate(zip(words, tags, strict=True))
            )
            file.write("".join(rows).encode())
