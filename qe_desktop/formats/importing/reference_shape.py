"""Detection of files that do not contain exactly one reference with one line per segment.

For K references of N segments, the most common error is a file of K lines with N texts each. In other files, the K
references are tab-separated columns, follow one another, or are interleaved line by line.
"""

from __future__ import annotations

from collections.abc import Sized
from itertools import islice

from qe_desktop.corpus import QeError, SourceLocation, TextColumn
from qe_desktop.formats.messages import ComparedWith
from qe_desktop.i18n.messages import tr

MAX_SAMPLED_SEGMENTS = 200
"""Maximum number of segments sampled to distinguish sequential from interleaved references."""
_HINT = tr("Use one file per reference, with one line per segment.")


def check_single_reference(column: TextColumn, size: int, file: str) -> None:
    """Raise QeError if the reference file of a corpus of `size` segments contains several references or is transposed.

    A transposed file has one line per reference, not one per segment. Other wrong numbers of lines raise no error.
    """
    message = _describe_shape(column, size) if size > 1 and len(column) else ""
    if message:
        raise QeError(message, hint=_HINT, place=SourceLocation(file))


def check_reference_size(column: Sized, size: int, file: str, is_reference: bool) -> None:
    """Raise QeError if a column does not have `size` lines or, with `is_reference`, contains several references."""
    if is_reference and isinstance(column, TextColumn):
        check_single_reference(column, size, file)
    # imported here, because a command that scores texts reads no tags
    from qe_desktop.formats.importing.validation import check_size

    check_size(len(column), size, file, ComparedWith.CORPUS)


def _describe_shape(column: TextColumn, size: int) -> str:
    fields = _fields(column)
    if len(column) == size:
        if fields < 2:
            return ""
        return tr("each line contains {n} texts separated by tabs, as if from {n} references", "", fields)
    if fields == size:
        return tr(
            "the file is transposed: {n:,} {n:line|lines, each} with {size:,} tab-separated {size:text|texts}, for "
            "{size:,} {size:segment|segments}",
            "", len(column), size=size,
        )  # fmt: skip
    several, remainder = divmod(len(column), size)
    if remainder or several < 2:
        return ""
    if _is_interleaved(column, size, several):
        return tr(
            "{lines:,} {lines:line|lines} for {size:,} {size:segment|segments}: probably {n} interleaved "
            "references, {n} {n:line|lines} per segment",
            "", several, lines=len(column), size=size,
        )  # fmt: skip
    return tr(
        "{lines:,} {lines:line|lines} for {size:,} {size:segment|segments}: probably {n} references in sequence",
        "", several, lines=len(column), size=size,
    )  # fmt: skip


def _fields(column: TextColumn) -> int:
    """Number of tab-separated texts per line; 0 if it differs between lines, or if there are no tabs."""
    first = column[0].count("\t")
    return first + 1 if first and all(line.count("\t") == first for line in column.lines()) else 0


def _is_interleaved(column: TextColumn, size: int, several: int) -> bool:
    """Return whether adjacent lines are more similar than lines that are `size` lines apart."""
    indices = range(0, size, max(1, size // MAX_SAMPLED_SEGMENTS))
    words = [
        tuple(set(column[line].split()) for line in (several * index, several * index + 1, index, index + size))
        for index in islice(indices, MAX_SAMPLED_SEGMENTS)
    ]
    turns = sum(_jaccard_similarity(left, right) for left, right, _, _ in words)
    return turns > sum(_jaccard_similarity(left, right) for _, _, left, right in words)


def _jaccard_similarity(left: set[str], right: set[str]) -> float:
    return len(left & right) / max(1, len(left | right))
