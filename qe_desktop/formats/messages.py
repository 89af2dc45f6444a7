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
    """Tags or numbers of a layer that is already open."""


class ComparedWith(enum.Enum):
    """Data, other than the texts of a corpus, with which a file is compared."""

    CORPUS = enum.auto()
    OPEN_CORPUS = enum.auto()
    PIECES = enum.auto()
    """Subword pieces, from the subword file."""


Compared = TextRole | ComparedWith
"""Text or other data with which a file is compared."""


OPEN_INSTEAD = tr("To close the current files and open these instead, select “Open”.")
"""Hint for files that cannot be added to the open corpus."""


def line_count_message(lines: int, expected: int, compared_with: Compared | str) -> str:
    """Message that a file has `lines` lines, but `compared_with` has `expected`."""
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
            "{n:,} {n:line|lines}, but the corpus has {wanted:,} {wanted:segment|segments}", "", lines, wanted=expected
        ),
        ComparedWith.OPEN_CORPUS: lambda: tr(
            "{n:,} {n:line|lines}, but the open corpus has {wanted:,} {wanted:segment|segments}",
            "",
            lines,
            wanted=expected,
        ),
        ComparedWith.PIECES: lambda: tr(
            "{n:,} {n:line|lines}, but the subword file has {wanted:,}", "", lines, wanted=expected
        ),
    }[compared_with]()


def segment_count_message(segments: int, expected: int, compared_with: Compared) -> str:
    """Message that a file has `segments` segments, but `compared_with` (source, MT or pieces) has `expected`."""
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
    """Message that a segment has `values` values, but has `expected` values in `compared_with`."""
    if isinstance(compared_with, str):
        return tr(
            "the segment has {n:,} {n:value|values} here, but {wanted:,} in {file}",
            "", values, file=compared_with, wanted=expected,
        )  # fmt: skip
    return tr(
        "the segment has {n:,} {n:value|values} here, but {wanted:,} in the open corpus", "", values, wanted=expected
    )


def line_mismatch_message(
    line: int, unit: LineContent, values: int, text: Compared, tokens: int, expected_text: str
) -> str:
    """Message that a line has `values` values, but the text has `tokens` tokens; `expected_text` is appended."""
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
    """Variant of `line_mismatch_message` for a file that does not have one segment per line."""
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
    """Describe how many values a line (or, without `lines`, a segment) should have, given the layout of most others."""
    if lines:
        return tr("{n:,} expected from the layout of the other lines", "", number)
    return tr("{n:,} expected from the layout of the other segments", "", number)


def expected_any(numbers: Sequence[int]) -> str:
    """Describe how many values a line or segment may have; `numbers` are the possible numbers of values."""
    if len(numbers) == 1:
        return tr("{n:,} expected", "", numbers[0])
    listed = ", ".join(f"{number:,}" for number in numbers[:-1])
    return tr("{others} or {last:,} expected", others=listed, last=numbers[-1])


def large_file_message(megabytes: float, format: str) -> str:
    """Description of a large file, read completely only when it is loaded; `format` is the name of its format."""
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
    """Error message for a file that has the role gold or system, although its format contains no tags or scores."""
    formatter = {
        "alignments": lambda: tr("an alignment file contains neither tags nor scores"),
        "documents": lambda: tr("a file of document names contains neither tags nor scores"),
        "text": lambda: tr("a file of text segments contains neither tags nor scores"),
    }.get(format)
    return formatter() if formatter else tr("a {format} file cannot be used as gold or as a system", format=format)


def list_names(names: Sequence[str], *, joined: bool = False, of: int | None = None) -> str:
    """List at most `MAX_LISTED_NAMES` names, each shortened if necessary, and say how many more there are.

    With `joined`, the names are joined as in a sentence if all are listed. `of` is the total number of names if `names`
    contains only the first ones.
    """
    short = [name if len(name) <= MAX_NAME_CHARS else f"{name[:MAX_NAME_CHARS]}…" for name in names[:MAX_LISTED_NAMES]]
    total = len(names) if of is None else of
    if total > MAX_LISTED_NAMES:
        return tr("{names} and {n:,} more", "", total - MAX_LISTED_NAMES, names=", ".join(short))
    return join_names(short) if joined else ", ".join(short)


def join_notes(notes: Iterable[tuple[str, str]]) -> list[str]:
    """Return each distinct note once, preceded by the names of its subjects, such as files: `a.tsv and b.tsv: …`."""
    subjects: dict[str, dict[str, None]] = {}
    for subject, note in notes:
        subjects.setdefault(note, {})[subject] = None
    return [join_localized(": ", (list_names(list(names), joined=True), note)) for note, names in subjects.items()]
