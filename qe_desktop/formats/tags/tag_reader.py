"""Reader of tag files in any format, which fits the tags to their texts or to the MT in the file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np

from qe_desktop.corpus import EOS, Corpus, Kind, QeError, SourceLocation, TagColumn, TextColumn, TextRole
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.importing.planned_file import LineUnit
from qe_desktop.formats.importing.roles import kind_in_name, system_name
from qe_desktop.formats.parsed_tables import WordTable
from qe_desktop.formats.registry import detect_format
from qe_desktop.formats.tags.tag_lines import TaggedItems, TagLayout, deinterleave, detect_layout, read_tag_lines
from qe_desktop.formats.tags.token_per_line import SegmentedColumn, join_token_lines, without_segments
from qe_desktop.formats.tags.wmt23_gold import WMT23_GOLD, mt_for_gold, tagged_text_notes, tagged_tokens_and_mt
from qe_desktop.formats.tags.wmt_word_columns import (
    WordColumn,
    check_missing_segments,
    check_same_words,
    word_columns,
    word_rows_for_pair,
)
from qe_desktop.formats.tags.wmt_word_tables import FORMAT as WORD_TABLE
from qe_desktop.formats.tags.wmt_word_tables import read_word_table
from qe_desktop.formats.text_files import TextFile, open_file
from qe_desktop.i18n.messages import join_localized, tr

UNCONVERTED_FORM = "as they are"
"""Value of `form` for tags that were loaded without a text; it is stored in projects."""
ODD_TAGS_HINT = tr(
    "every segment has an odd number of tags: if tags of gaps and words are interleaved (2n+1), the MT is needed to "
    "distinguish them"
)


@dataclass(frozen=True, slots=True, eq=False)
class ParsedTags:
    """Tags of a file by kind, their layout, notes, and the name of the system.

    `eos` is true if segments have one more word tag than MT tokens, for `<EOS>`.
    """

    columns: Mapping[Kind, TagColumn]
    form: str
    notes: tuple[str, ...]
    name: str
    eos: bool = False
    first_lines: Ints | None = None
    """0-based number of the line on which each segment begins, shape (segments,); None if each segment is one line."""
    mt: TextColumn | None = None
    """Tokens of the loaded MT or, without one, of the MT in the file; None if the file does not contain the MT.

    Excluded segments are empty.
    """
    raw_mt: TextColumn | None = None
    """Raw MT in the file; None if the file does not contain the MT, or if an MT was loaded."""
    excluded: Ints | None = None
    """0-based numbers of the segments that the file lists without tags; None if the file does not contain the MT."""

    def line(self, segment: int) -> int:
        """Return the 1-based number of the line on which a segment begins, from the 0-based number of the segment."""
        return 1 + int(segment if self.first_lines is None else self.first_lines[segment])


@dataclass(frozen=True, slots=True, eq=False)
class TagTexts:
    """Texts whose segments and tokens the tags must match; None for a text that is unknown.

    `known_lengths` contains the numbers of tags per segment in other files, by kind; they show whether the lines of an
    ambiguous file are segments or tokens.
    """

    mt: TextColumn | None = None
    source: TextColumn | None = None
    known_lengths: Mapping[Kind, Ints] = field(default_factory=dict)
    excluded: Ints | None = None
    """0-based numbers of the segments that the gold excludes, in which the MT has no tokens."""


def read_tags(
    path: Path | str,
    kind: Kind | Literal["all"] | None,
    *,
    mt: TextColumn | None = None,
    source: TextColumn | None = None,
    language_pair: str = "",
    name: str = "",
    lines: LineUnit | None = None,
    like: Ints | None = None,
    excluded_segments: Ints | None = None,
) -> ParsedTags:
    """Read the tags of one kind, or of all kinds (None or "all"), from tag lines or a word submission.

    With `mt`, the layout of tag lines (n, n+1 or 2n+1 tags for n tokens) is determined from the MT; "all" requires
    2n+1. Without `mt`, tag lines are not converted. If no line has more than one tag, a line may be a segment or a
    token. `lines` must then state which it is, unless it follows from empty lines, from the texts, or from `like`, the
    numbers of tags per segment in other files. Tags in `excluded_segments` (0-based), in which the MT has no tokens,
    are dropped.

    Raises QeError if the file cannot be read or contains numbers, if its tags are invalid, ambiguous or do not fit the
    texts, or if a submission has no rows of the language pair or of the kind ("all" requires words).
    """
    opened = open_file(path)
    detected = detect_format(opened)
    if detected.role_format in ("probabilities", "scores", "score table"):
        raise QeError(
            tr("the file contains numbers, not tags"),
            hint=tr("Convert probabilities into tags first, with a threshold."),
            command_hint=tr("Convert probabilities into tags first: qe-desktop convert IN OUT --threshold 0.5."),
            place=opened.location(),
        )
    lengths_by_kind = {} if like is None else {kind if isinstance(kind, Kind) else Kind.WORDS: like}
    texts = TagTexts(mt, source, lengths_by_kind, excluded_segments)
    values = read_word_table(opened) if detected is WORD_TABLE else read_tag_lines(opened)
    if isinstance(values, WordTable):
        result = fit_word_table(values, None if kind == "all" else kind, texts, language_pair)
        if kind == "all" and Kind.WORDS not in result.columns:
            raise _missing_kind_error(Kind.WORDS, result.columns, opened)
    else:
        result = fit_tag_lines(values, opened, kind, texts, lines)
    return replace(result, name=name or system_name(opened.path))


def fit_tag_lines(
    column: TagColumn,
    opened: TextFile,
    kind: Kind | Literal["all"] | None,
    texts: TagTexts,
    lines: LineUnit | None = None,
) -> ParsedTags:
    """Fit tag lines to their text; return one column per kind.

    Raises QeError if the lines do not fit the text, or are ambiguous.
    """
    segmented = join_token_lines(column, lines, lambda: _expected_counts(opened, kind, texts), opened.name)
    if texts.excluded is not None and kind in (None, Kind.WORDS):
        segmented = without_segments(segmented, texts.excluded)
    fitted = _fit_tags(segmented, opened, kind, texts)
    return replace(fitted, notes=(*segmented.notes, *fitted.notes), first_lines=segmented.first_lines)


def _expected_counts(opened: TextFile, kind: Kind | Literal["all"] | None, texts: TagTexts) -> list[Ints]:
    """Return the possible numbers of tags per segment, one array per layout; empty if unknown.

    They are computed from the texts or, without texts, from other files.
    """
    if texts.source is not None and kind is Kind.SOURCE:
        return [TagLayout.WORDS.count_tags(texts.source.token_counts())]
    if texts.mt is not None and kind is not Kind.SOURCE:
        tokens = texts.mt.token_counts()
        counts = [form.count_tags(tokens) for form in _possible_layouts(kind, opened.path, texts.mt)]
        if kind is None and texts.source is not None:
            counts.append(TagLayout.WORDS.count_tags(texts.source.token_counts()))
        return counts
    like = texts.known_lengths.get(kind if isinstance(kind, Kind) else Kind.WORDS)
    return [] if like is None else [like]


def _fit_tags(
    segmented: SegmentedColumn[TagColumn], opened: TextFile, kind: Kind | Literal["all"] | None, texts: TagTexts
) -> ParsedTags:
    name, column = system_name(opened.path), segmented.column
    lines = segmented.first_lines is None
    items = TaggedItems(opened.name, lambda segment: opened.location(segmented.line(segment)), are_lines=lines)
    if kind is Kind.SOURCE:
        if texts.source is not None:
            detect_layout(column.lengths(), texts.source.token_counts(), (TagLayout.WORDS,), items, TextRole.SOURCE)
        return ParsedTags({Kind.SOURCE: column}, TagLayout.WORDS.value, (), name)
    if texts.mt is None:
        return _parse_without_mt(column, opened, kind, name)
    tokens = texts.mt.token_counts()
    if kind is None and _are_source_tags(column, texts):
        notes = (tr("these are source tags: the numbers of tags match the numbers of source tokens, not of MT tokens"),)
        return ParsedTags({Kind.SOURCE: column}, TagLayout.WORDS.value, notes, name)
    form = detect_layout(column.lengths(), tokens, _possible_layouts(kind, opened.path, texts.mt), items, TextRole.MT)
    if form is TagLayout.EOS and kind is Kind.WORDS:
        _reject_gap_file(opened)
    if form is TagLayout.INTERLEAVED:
        words, gaps = deinterleave(column)
        columns = {Kind.WORDS: words, Kind.GAPS: gaps}
        return ParsedTags({kind: columns[kind]} if isinstance(kind, Kind) else columns, form.value, (), name)
    return ParsedTags(
        {Kind.GAPS if form is TagLayout.GAPS else Kind.WORDS: column}, form.value, (), name, form is TagLayout.EOS
    )


def _parse_without_mt(column: TagColumn, opened: TextFile, kind: Kind | Literal["all"] | None, name: str) -> ParsedTags:
    if kind is Kind.GAPS:
        raise QeError(
            tr("gap tags cannot be identified without the MT"),
            hint=tr("Add the MT so that gap tags and word tags can be distinguished."),
            command_hint=tr("Provide the MT (--mt) so that gap tags and word tags can be distinguished."),
            place=opened.location(),
        )
    lengths = column.lengths()
    odd = len(lengths) > 0 and bool((lengths % 2 == 1).all()) and bool((lengths > 1).any())
    if kind is Kind.WORDS and not odd:
        _reject_gap_file(opened)
    return ParsedTags({Kind.WORDS: column}, UNCONVERTED_FORM, (ODD_TAGS_HINT,) if odd and kind != "all" else (), name)


def _reject_gap_file(opened: TextFile) -> None:
    """Raise QeError if a file that is read as word tags contains gap tags according to its name."""
    if kind_in_name(opened.path.name) is Kind.GAPS:
        raise QeError(
            tr("according to the file name, these are gap tags, not word tags"),
            hint=tr(
                "Select “gold: gaps” or “system: gaps” under “Used as”, and add the MT. If the last tag of each line "
                "is for <EOS>, rename the file."
            ),
            command_hint=tr(
                "Provide the MT (--mt), and use --kind gaps or, for convert, --to gaps. If the last tag of each line "
                "is for <EOS>, rename the file."
            ),
            place=opened.location(),
        )


def _possible_layouts(kind: Kind | Literal["all"] | None, path: Path, mt: TextColumn) -> tuple[TagLayout, ...]:
    if kind == "all":
        return (TagLayout.INTERLEAVED,)
    if kind is Kind.GAPS or (kind is None and "gap" in path.name.lower()):
        return (TagLayout.GAPS, TagLayout.INTERLEAVED)
    return (*word_layouts(mt), TagLayout.INTERLEAVED)


def word_layouts(mt: TextColumn) -> tuple[TagLayout, ...]:
    """Possible layouts of word tags: `WORDS` and, unless the segments of the MT end in `<EOS>`, `EOS`."""
    return (TagLayout.WORDS,) if ends_in_eos(mt) else (TagLayout.WORDS, TagLayout.EOS)


def ends_in_eos(mt: TextColumn) -> bool:
    """Whether every non-empty line of the MT ends in the token `<EOS>`."""
    mark, filled = EOS.encode(), mt.ends > mt.starts
    ends = mt.ends[filled]
    if not len(ends) or not bool((ends - mt.starts[filled] >= len(mark)).all()):
        return False
    view = np.frombuffer(mt.data, np.uint8)
    preceding_bytes = view[np.maximum(ends - len(mark) - 1, 0)]
    if not bool(((preceding_bytes == ord(" ")) | (ends - mt.starts[filled] == len(mark))).all()):
        return False
    return all(bool((view[ends - len(mark) + index] == byte).all()) for index, byte in enumerate(mark))


def _are_source_tags(column: TagColumn, texts: TagTexts) -> bool:
    if texts.mt is None or texts.source is None:
        return False
    lengths, tokens = column.lengths(), texts.mt.token_counts()
    if len(lengths) != len(texts.source) or len(lengths) != len(tokens):
        return False
    fits = any(bool((lengths == form.count_tags(tokens)).all()) for form in TagLayout)
    return not fits and bool((lengths == texts.source.token_counts()).all())


def fit_word_table(table: WordTable, kind: Kind | None, texts: TagTexts, language_pair: str = "") -> ParsedTags:
    """Fit a word submission to its texts; return one column per kind.

    Raises QeError if the language pair is ambiguous or missing, if the kind is missing, if there are several systems,
    if there are missing or duplicate rows, or if rows do not fit the texts.
    """
    table = word_rows_for_pair(table, language_pair)
    sizes = {}
    if texts.mt is not None:
        sizes = {Kind.WORDS: len(texts.mt), Kind.GAPS: len(texts.mt)}
    if texts.source is not None:
        sizes[Kind.SOURCE] = len(texts.source)
    columns = word_columns(table, sizes, texts.excluded)
    words = columns.get(Kind.WORDS)
    if texts.mt is not None and words is not None:
        texts = replace(texts, mt=mt_for_gold(words.tags, words.rows.excluded[:, 1], texts.mt))
    if kind is not None and kind not in columns:
        raise _missing_kind_error(kind, columns, table.opened)
    selected = {column_kind: column for column_kind, column in columns.items() if kind in (None, column_kind)}
    notes: list[str] = []
    eos = False
    for column in selected.values():
        form, remarks = _check_words(column, texts)
        eos = eos or form is TagLayout.EOS
        notes += [*column.notes, *remarks]
    tags = {column_kind: column.tags for column_kind, column in selected.items()}
    parsed_tags = ParsedTags(tags, table.layout.title, tuple(dict.fromkeys(notes)), system_name(table.opened.path), eos)
    return parsed_tags if table.layout.text is None else _with_text(parsed_tags, columns[Kind.WORDS], texts)


def _with_text(parsed_tags: ParsedTags, column: WordColumn, texts: TagTexts) -> ParsedTags:
    """Add the MT to the tags: the loaded MT if any, else the MT of the table."""
    rows = column.rows
    tokens, raw_mt = (texts.mt, None) if texts.mt is not None else tagged_tokens_and_mt(rows, len(column.tags))
    notes = (*parsed_tags.notes, *tagged_text_notes(rows))
    return replace(parsed_tags, notes=notes, mt=tokens, raw_mt=raw_mt, excluded=rows.excluded[:, 1])


def _missing_kind_error(kind: Kind, kinds: Collection[Kind], opened: TextFile) -> QeError:
    """Error for a word submission without tags of `kind`; `kinds` are the kinds that it contains."""
    message = _missing_kind_message(kind, join_localized(", ", [other_kind.display_name for other_kind in kinds]))
    hint, command_hint = tr("Use a file with the required tags."), ""
    if kind is Kind.WORDS and Kind.GAPS in kinds:
        command_hint = tr(
            "Use a file with word tags, or read the gap tags with --kind gaps or, for convert, --to gaps."
        )
    return QeError(message, hint=hint, command_hint=command_hint, place=opened.location())


def _missing_kind_message(kind: Kind, kinds: str) -> str:
    """Error message for a file without tags of `kind`; `kinds` names the kinds that it contains."""
    if kind is Kind.WORDS:
        return tr("the file has no word tags; available kinds: {kinds}", kinds=kinds)
    if kind is Kind.GAPS:
        return tr("the file has no gap tags; available kinds: {kinds}", kinds=kinds)
    return tr("the file has no source tags; available kinds: {kinds}", kinds=kinds)


def _check_words(column: WordColumn, texts: TagTexts) -> tuple[TagLayout | None, tuple[str, ...]]:
    """Compare a column of a word submission with its text; return the layout (None without a text) and notes.

    Raises QeError if segments are missing, or if words or word counts differ.
    """
    table = column.rows
    of_source = column.kind is Kind.SOURCE
    text, role = (texts.source, TextRole.SOURCE) if of_source else (texts.mt, TextRole.MT)
    if text is None:
        check_missing_segments(column, None, table.opened.location())
        return None, ()
    expected = text.token_counts() + np.int32(column.kind is Kind.GAPS)
    check_missing_segments(column, expected, table.opened.location())

    def location(segment: int) -> SourceLocation:
        row = min(int(column.tags.offsets[segment]), len(table) - 1)
        return table.opened.location(int(table.line[row]))

    items = TaggedItems(table.opened.name, location, are_lines=False, first_number=0)
    forms = {Kind.GAPS: (TagLayout.GAPS,), Kind.SOURCE: (TagLayout.WORDS,)}.get(column.kind) or word_layouts(text)
    form = detect_layout(column.tags.lengths(), text.token_counts(), forms, items, role)
    return form, () if column.kind is Kind.GAPS else check_same_words(column, text, role)


def read_tags_with_text(opened: TextFile, language_pair: str) -> ParsedTags:
    """Read the tags and the MT of a file that contains both.

    Raises QeError as `read_word_table` and `fit_word_table` do.
    """
    return fit_word_table(read_word_table(opened), Kind.WORDS, TagTexts(), language_pair)


def with_embedded_mt(texts: Mapping[TextRole, TextColumn], parsed_tags: ParsedTags) -> dict[TextRole, TextColumn]:
    """Return the texts with the MT of the tag file; the texts are unchanged if `parsed_tags` has no raw MT.

    A loaded MT that equals the raw MT of the file becomes the raw MT, unless a raw MT is also loaded. Any other loaded
    MT remains the MT, but the segments that the file excludes are emptied.
    """
    result, loaded_mt = dict(texts), texts.get(TextRole.MT)
    if parsed_tags.mt is None or parsed_tags.raw_mt is None:
        return result
    if (
        loaded_mt is not None
        and TextRole.RAW_MT not in texts
        and _is_same_text(loaded_mt, parsed_tags.raw_mt, parsed_tags.excluded)
    ):
        result[TextRole.RAW_MT] = loaded_mt
        loaded_mt = None
    if loaded_mt is None:
        result[TextRole.MT] = parsed_tags.mt
        result.setdefault(TextRole.RAW_MT, parsed_tags.raw_mt)
    elif parsed_tags.excluded is not None:
        result[TextRole.MT] = mt_for_gold(parsed_tags.columns[Kind.WORDS], parsed_tags.excluded, loaded_mt)
    return result


def _is_same_text(mt: TextColumn, raw_mt: TextColumn, excluded: Ints | None) -> bool:
    if len(mt) != len(raw_mt):
        return False
    skipped = set() if excluded is None else set(excluded.tolist())
    return all(mt.raw(line) == raw_mt.raw(line) for line in range(len(mt)) if line not in skipped)


def excluded_segments(corpus: Corpus | None) -> Ints | None:
    """0-based numbers of the segments that a WMT23 gold excludes, shape (k,); None without a corpus, gold or MT."""
    golds = [] if corpus is None else [layer for layer in corpus.layers.values() if layer.form == WMT23_GOLD.title]
    mt = None if corpus is None else corpus.texts.get(TextRole.MT)
    return np.flatnonzero(mt.token_counts() == 0) if golds and mt is not None else None
