"""Messages shared by several file formats, for example about mismatched counts, and functions that list names.

Nouns are inflected in other languages, so each combination of nouns is a separate text for translation.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence

from qe_desktop.corpus import TextRole
from qe_desktop.i18n.messages import join_localized, join_names, tr

MAX_LISTED_NAMES = 5
MAX_NAME_CHARS = 40


class LineContent(enum.Enum):
    """Content of the lines of a file, as named in messages."""

    TAGS = enum.auto()
    NUMBERS = enum.auto()
    VALUES = enum.auto()
    """Values of a layer that is already open."""


class ComparedWith(enum.Enum):
    """Counterpart of a comparison that is not a text of the corpus."""

    CORPUS = enum.auto()
    OPEN_CORPUS = enum.auto()
    PIECES = enum.auto()
    """Pieces in the subword file."""


Compared = TextRole | ComparedWith
"""Counterpart of a comparison that is not identified by a file name."""


def line_count_message(lines: int, expected: int, compared_with: Compared | str) -> str:
    """Message: a file has `lines` lines, but `compared_with` has `expected`."""
    if isinstance(compared_with, str):
        return tr("{n:,} {n:line|lines}, but {file} has {wanted:,}", "", lines, file=compared_with, wanted=expected)
    return {
        TextRole.SOURCE: lambda: tr("{n:,} {n:line|lines}, but the source has {wanted:,}", "", lines, wanted=expected),
        TextRole.MT: lambda: tr("{n:,} {n:line|lines}, but the MT has {wanted:,}", "", lines, wanted=expected),
        TextRole.REFERENCE: lambda: tr(
            "{n:,} {n:line|lines}, but the reference has {wanted:,}", "", lines, wanted=expected
        ),
        TextRole.POST_EDIT: lambda: tr(
            "{n:,} {n:line|lines}, but the post-edit has {wanted:,}", "", lines, wanted=expected
        ),
        TextRole.RAW_SOURCE: lambda: tr(
            "{n:,} {n:line|lines}, but the raw source has {wanted:,}", "", lines, wanted=expected
        ),
        TextRole.RAW_MT: lambda: tr("{n:,} {n:line|lines}, but the raw MT has {wanted:,}", "", lines, wanted=expected),
        TextRole.RAW_POST_EDIT: lambda: tr(
            "{n:,} {n:line|lines}, but the raw post-edit has {wanted:,}", "", lines, wanted=expected
        ),
        ComparedWith.CORPUS: lambda: tr(
            "{n:,} {n:line|lines}, but the corpus has {wanted:,}", "", lines, wanted=expected
        ),
        ComparedWith.OPEN_CORPUS: lambda: tr(
            "{n:,} {n:line|lines}, but the open corpus has {wanted:,}", "", lines, wanted=expected
        ),
        ComparedWith.PIECES: lambda: tr(
            "{n:,} {n:line|lines}, but the subword file has {wanted:,}", "", lines, wanted=expected
        ),
    }[compared_with]()


def segment_count_message(segments: int, expected: int, compared_with: Compared) -> str:
    """Message: a file has `segments` segments (not lines), but `compared_with` (source, MT, pieces) has `expected`."""
    return {
        TextRole.SOURCE: lambda: tr(
            "{n:,} {n:segment|segments}, but the source has {wanted:,}", "", segments, wanted=expected
        ),
        TextRole.MT: lambda: tr("{n:,} {n:segment|segments}, but the MT has {wanted:,}", "", segments, wanted=expected),
        ComparedWith.PIECES: lambda: tr(
            "{n:,} {n:segment|segments}, but the subword file has {wanted:,}", "", segments, wanted=expected
        ),
    }[compared_with]()


def value_count_message(values: int, expected: int, compared_with: ComparedWith | str) -> str:
    """Message: a segment has `values` values, but in `compared_with` it has `expected`."""
    if isinstance(compared_with, str):
        return tr("{n:,} {n:value|values}, but {file} has {wanted:,}", "", values, file=compared_with, wanted=expected)
    return tr("{n:,} {n:value|values}, but the open corpus has {wanted:,}", "", values, wanted=expected)


def line_mismatch_message(
    line: int, unit: LineContent, values: int, text: Compared, tokens: int, expected_text: str
) -> str:
    """Message: a line has `values` values for a text of `tokens` tokens; `expected_text` states the expected number."""
    return {
        (LineContent.TAGS, TextRole.MT): lambda: tr(
            "line {line:,} has {n:,} {n:tag|tags}, but the MT has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, line=line, tokens=tokens, due=expected_text,
        ),
        (LineContent.TAGS, TextRole.SOURCE): lambda: tr(
            "line {line:,} has {n:,} {n:tag|tags}, but the source has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, line=line, tokens=tokens, due=expected_text,
        ),
        (LineContent.NUMBERS, TextRole.MT): lambda: tr(
            "line {line:,} has {n:,} {n:number|numbers}, but the MT has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, line=line, tokens=tokens, due=expected_text,
        ),
        (LineContent.NUMBERS, ComparedWith.PIECES): lambda: tr(
            "line {line:,} has {n:,} {n:number|numbers}, but the subword file has {tokens:,} {tokens:token|tokens} "
            "({due})",
            "", values, line=line, tokens=tokens, due=expected_text,
        ),
        (LineContent.VALUES, TextRole.MT): lambda: tr(
            "line {line:,} has {n:,} {n:value|values}, but the MT has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, line=line, tokens=tokens, due=expected_text,
        ),
        (LineContent.VALUES, TextRole.SOURCE): lambda: tr(
            "line {line:,} has {n:,} {n:value|values}, but the source has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, line=line, tokens=tokens, due=expected_text,
        ),
    }[unit, text]()  # fmt: skip


def segment_mismatch_message(
    segment: int, unit: LineContent, values: int, text: Compared, tokens: int, expected_text: str
) -> str:
    """Message as in `line_mismatch_message`, for a segment that is not a line."""
    return {
        (LineContent.TAGS, TextRole.MT): lambda: tr(
            "segment {segment:,} has {n:,} {n:tag|tags}, but the MT has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, segment=segment, tokens=tokens, due=expected_text,
        ),
        (LineContent.TAGS, TextRole.SOURCE): lambda: tr(
            "segment {segment:,} has {n:,} {n:tag|tags}, but the source has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, segment=segment, tokens=tokens, due=expected_text,
        ),
        (LineContent.NUMBERS, TextRole.MT): lambda: tr(
            "segment {segment:,} has {n:,} {n:number|numbers}, but the MT has {tokens:,} {tokens:token|tokens} ({due})",
            "", values, segment=segment, tokens=tokens, due=expected_text,
        ),
        (LineContent.NUMBERS, ComparedWith.PIECES): lambda: tr(
            "segment {segment:,} has {n:,} {n:number|numbers}, but the subword file has {tokens:,} "
            "{tokens:token|tokens} ({due})",
            "", values, segment=segment, tokens=tokens, due=expected_text,
        ),
    }[unit, text]()  # fmt: skip


def expected_like_others(number: int, *, lines: bool) -> str:
    """Describe the count of tags or numbers in a line or segment that the layout of most others suggests."""
    if lines:
        return tr("{n:,} expected from the layout of the other lines", "", number)
    return tr("{n:,} expected from the layout of the other segments", "", number)


def expected_any(numbers: Sequence[int]) -> str:
    """Describe the possible counts of tags or numbers in a line or segment."""
    if len(numbers) == 1:
        return tr("{n:,} expected", "", numbers[0])
    listed = ", ".join(f"{number:,}" for number in numbers[:-1])
    return tr("{others} or {last:,} expected", others=listed, last=numbers[-1])


def large_file_message(megabytes: float, format: str) -> str:
    """Description of a large file that is not read completely before it is loaded; `format` is its format's name."""
    formatter = {
        "alignments": lambda: tr("{size:,.0f} MB of alignments", size=megabytes),
        "documents": lambda: tr("{size:,.0f} MB of documents", size=megabytes),
        "probabilities": lambda: tr("{size:,.0f} MB of probabilities", size=megabytes),
        "score grid": lambda: tr("score table, {size:,.0f} MB", size=megabytes),
        "score table": lambda: tr("score table, {size:,.0f} MB", size=megabytes),
        "scores": lambda: tr("{size:,.0f} MB of scores", size=megabytes),
        "system scores": lambda: tr("{size:,.0f} MB of metric scores", size=megabytes),
        "tags": lambda: tr("{size:,.0f} MB of tags", size=megabytes),
        "text": lambda: tr("{size:,.0f} MB of text", size=megabytes),
        "word table": lambda: tr("word table, {size:,.0f} MB", size=megabytes),
    }.get(format)
    return formatter() if formatter else tr("{size:,.0f} MB of {format}", size=megabytes, format=format)


def not_a_layer_message(format: str) -> str:
    """Error message for a file with the role gold or system in a format that has no tags or scores for this role."""
    formatter = {
        "alignments": lambda: tr("an alignment file contains neither tags nor scores"),
        "documents": lambda: tr("a document file contains neither tags nor scores"),
        "text": lambda: tr("a text file contains neither tags nor scores"),
    }.get(format)
    return formatter() if formatter else tr("a {format} file cannot have this role", format=format)


def list_names(names: Sequence[str], *, joined: bool = False, of: int | None = None) -> str:
    """List the first entries of `names`, shortened if necessary, and the number of the others.

    With `joined`, they are joined as in a sentence if all are listed. `of` is the total if not all are passed.
    """
    short = [name if len(name) <= MAX_NAME_CHARS else f"{name[:MAX_NAME_CHARS]}…" for name in names[:MAX_LISTED_NAMES]]
    total = len(names) if of is None else of
    if total > MAX_LISTED_NAMES:
        return tr("{names} and {n:,} more", "", total - MAX_LISTED_NAMES, names=", ".join(short))
    return join_names(short) if joined else ", ".join(short)


def join_notes(notes: Iterable[tuple[str, str]]) -> list[str]:
    """Return each different note once, after the names of its subjects, such as files: `a.tsv and b.tsv: …`."""
    subjects: dict[str, dict[str, None]] = {}
    for subject, note in notes:
        subjects.setdefault(note, {})[subject] = None
    return [join_localized(": ", (list_names(list(names), joined=True), note)) for note, names in subjects.items()]
