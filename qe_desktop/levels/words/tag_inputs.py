"""Reading and validation of gold and system tags, from files named in a command or from Python values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set, Sized
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Fault,
    Kind,
    LayerKey,
    Provenance,
    QeError,
    SourceLocation,
    TagColumn,
    TextColumn,
    offsets_from_lengths,
    raise_for_rows,
)
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats import TAG_FORMATS, LineUnit, ParsedTags, interleave, read_tags, read_text
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.tags.tag_reader import UNCONVERTED_FORM
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import ReadInputs, Scoring
from qe_desktop.levels.system_files import check_unique_system, has_format, resolve_named_files
from qe_desktop.levels.words.tag_level import LEVELS, WORD_LEVEL, TagLevel, check_same_words

WordKind = Literal["words", "gaps", "source", "all"]
WORD_KINDS: tuple[WordKind, ...] = ("words", "gaps", "source", "all")
is_tag_file = partial(has_format, TAG_FORMATS)
"""Return whether a file is read as tags; True for unreadable files, to report their errors."""


@dataclass(frozen=True, slots=True, eq=False)
class GoldTags:
    """Gold `tags` that systems are scored against, and their file; `text` is the MT, if there is one."""

    path: Path
    tags: TagColumn
    text: TextColumn | None
    parsed: ParsedTags

    def level(self, kind: WordKind) -> TagLevel:
        """Return the level of tags of `kind`, with the layout of the gold file."""
        return level_of(kind, self.parsed.form)


def read_gold(path: Path, kind: WordKind, mt: Path | None, language_pair: str, lines: LineUnit | None) -> GoldTags:
    """Read gold tags. Raises QeError if a file is invalid, or if the tags do not match the MT."""
    text = None if mt is None else read_text(mt)
    first = _read(path, kind, text, language_pair, lines)
    tags = _column(first, kind)
    # gold with an embedded MT defines its words and the scored segments
    text = first.mt if first.mt is not None else text
    if kind == "source" and text is not None:
        _reject_word_tags(path, tags, text)
    return GoldTags(path, tags, text, first)


def read_tag_inputs(
    gold_file: str,
    systems: Sequence[str],
    mt: str | None = None,
    *,
    kind: WordKind = "words",
    language_pair: str = "",
    lines: LineUnit | None = None,
) -> ReadInputs:
    """Read gold tags, and the systems' tags from `[NAME=]FILE` arguments.

    Raises QeError if a file is invalid or does not match the gold, or if two systems have the same name.
    """
    gold = read_gold(named_path(gold_file), kind, named_path(mt) if mt else None, language_pair, lines)
    first, tags = gold.parsed, gold.tags
    files, remarks = resolve_named_files(systems, is_tag_file, tr("tags"))
    notes = [*first.notes, *remarks]
    columns: dict[str, TagColumn] = {}
    origins: dict[str, Path] = {}
    for file in files:
        check_unique_system(file.name, file.path, origins)
    for name, path in origins.items():
        tagged = _read(path, kind, gold.text, language_pair, lines, tags.lengths(), first.excluded)
        column = columns[name] = _column(tagged, kind)
        _check(path, tagged, column, gold.path, tags)
        notes += [join_localized(": ", (name, note)) for note in tagged.notes if note not in first.notes]
    return ReadInputs(scoring_of(gold.level(kind), tags, columns), tuple(dict.fromkeys(notes)))


def level_of(kind: WordKind, layout: str = "") -> TagLevel:
    """Return the level of a kind of tags; the kind `all` is gaps and words, interleaved."""
    selected = next((level for level in LEVELS if level.name == kind), WORD_LEVEL)
    if kind == "all":
        selected = replace(selected, title=tr("words and gaps"), heading=tr("Words and gaps"))
    return replace(selected, name=kind, layout=layout)


def scoring_of(level: TagLevel, gold: TagColumn, systems: Mapping[str, TagColumn]) -> Scoring:
    """Return a scoring of each system's tags against the gold."""
    return Scoring.from_columns(level, LayerKey(Provenance.GOLD, "gold", level.tags), gold, systems)


def _read(
    path: Path,
    kind: WordKind,
    text: TextColumn | None,
    language_pair: str,
    lines: LineUnit | None,
    expected_lengths: Ints | None = None,
    left_out: Ints | None = None,
) -> ParsedTags:
    requested_kind: Kind | Literal["all"] = "all" if kind == "all" else Kind(kind)
    # source tags belong to the source's tokens; the MT does not validate them
    mt = None if kind == "source" else text
    tags = read_tags(
        path,
        requested_kind,
        mt=mt,
        language_pair=language_pair,
        lines=lines,
        like=expected_lengths,
        excluded_segments=left_out,
    )
    if kind == "all" and tags.form != UNCONVERTED_FORM and Kind.GAPS not in tags.columns:
        message, hint = tr("the file has no gap tags"), tr("Use a file with word and gap tags, or --kind words.")
        raise QeError(message, hint=hint, place=SourceLocation(str(path)))
    return tags


def _column(read: ParsedTags, kind: WordKind) -> TagColumn:
    if kind != "all":
        return read.columns[Kind(kind)]
    if Kind.GAPS in read.columns:
        return interleave(read.columns[Kind.WORDS], read.columns[Kind.GAPS])
    return read.columns[Kind.WORDS]


def _reject_word_tags(path: Path, tags: TagColumn, mt: TextColumn) -> None:
    """Raise QeError if, judging by the token counts of the MT, `tags` are gap and word tags instead of source tags."""
    counts = mt.token_counts()
    if len(tags) == len(counts) and len(tags) and np.array_equal(tags.lengths(), 2 * counts.astype(np.int64) + 1):
        raise QeError(
            tr("these are tags of gaps and words (2n+1 for n MT tokens), not of source words"),
            hint=tr("Use the file with the source tags, or --kind words, gaps or all."),
            place=SourceLocation(str(path)),
        )


def _check(path: Path, read: ParsedTags, column: TagColumn, gold_path: Path, gold: TagColumn) -> None:
    """Raise QeError, with the line number if known, unless a file tags the same segments and words as the gold."""
    common_size = min(len(column), len(gold))
    # if lines were joined into segments, there is no line number after the last segment
    line = read.line(common_size) if read.first_lines is None or common_size < len(column) else None
    location = SourceLocation(str(path), line)
    check_same_words(
        column, gold, location, lambda segment: SourceLocation(str(path), read.line(segment)), str(gold_path)
    )


NO_TAG = 2
_CODES: dict[object, int] = {
    0: 0,
    1: 1,
    **{spelt: code for tag, code in (("OK", 0), ("GOOD", 0), ("BAD", 1)) for spelt in (tag, tag.lower(), tag.title())},
}
"""Codes of tags (1: BAD), keyed by the spellings of tags in files and by the numbers 0 and 1."""


def tags_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of each system's tags against gold tags; `level` is the level for this kind of tags.

    `gold` and each value of `systems` is a `TagColumn`, or has one sequence of tags per segment. A tag is OK or BAD, or
    0 or 1 (BAD). Raises QeError for other values, or if a system does not tag the same items as the gold.
    """
    column = validate_tags(gold, "gold")
    columns = {}
    for name, values in systems.items():
        location = f"systems[{name!r}]"
        columns[name] = validate_tags(values, location)
        check_same_words(columns[name], column, SourceLocation(location), partial(_segment_location, location))
    reference = LayerKey(Provenance.GOLD, "gold", level.tags or Kind.WORDS)
    return Scoring.from_columns(level, reference, column, columns)


def validate_tags(values: Any, name: str) -> TagColumn:
    """Return a column of validated tags; a `TagColumn` is returned unchanged.

    Raises QeError if `values` or one of its segments is not a sequence, or if an item is not a tag. Errors refer to
    `values` as `name`, and to its segments as `name[0]`, `name[1]`, …
    """
    if isinstance(values, TagColumn):
        return values
    segments = _segments(values, name)
    offsets = offsets_from_lengths([len(segment) for segment in segments])
    if segments and all(isinstance(segment, np.ndarray) and segment.dtype.kind in "biuf" for segment in segments):
        codes = _codes_from_numbers(np.concatenate(segments))
    else:
        codes = _codes_from_tags(chain.from_iterable(segments), int(offsets[-1]))

    def item_error(item: int) -> Fault:
        segment = int(np.searchsorted(offsets, item, "right")) - 1
        tag = segments[segment][item - int(offsets[segment])]
        return Fault(_segment_location(name, segment), tr("{text} is not a tag", text=quote_token(str(tag))))

    raise_for_rows(np.flatnonzero(codes == NO_TAG), item_error, tr("Use OK and BAD, or 0 (OK) and 1 (BAD)."))
    return TagColumn(codes, offsets)


def _segment_location(name: str, segment: int) -> SourceLocation:
    return SourceLocation(f"{name}[{segment}]")


def _segments(values: Any, name: str) -> Sequence[Any]:
    """Return the segments of `values`. Raises QeError unless `values` has one sequence of tags per segment."""
    hint = tr("Use a sequence of tags for each segment, such as {example}.", example='[["OK", "BAD"], ["OK"]]')
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise QeError(tr("this is not a sequence of segments"), hint=hint, place=SourceLocation(name))
    segments = values if isinstance(values, list) else list(values)

    def segment_error(segment: int) -> Fault:
        return Fault(_segment_location(name, segment), tr("this is not a sequence of tags"))

    wrong = [index for index, segment in enumerate(segments) if not _is_tag_sequence(segment)]
    raise_for_rows(wrong, segment_error, hint)
    return segments


def _is_tag_sequence(segment: Any) -> bool:
    if isinstance(segment, np.ndarray):
        return segment.ndim == 1
    # sets and dictionaries have no word order
    ordered = not isinstance(segment, str | bytes | Set | Mapping)
    return ordered and isinstance(segment, Sized) and isinstance(segment, Iterable)


def _codes_from_numbers(values: NDArray[Any]) -> NDArray[np.uint8]:
    return np.where(values == 0, 0, np.where(values == 1, 1, NO_TAG)).astype(np.uint8)


def _codes_from_tags(tags: Iterable[Any], size: int) -> NDArray[np.uint8]:
    def code(tag: Any) -> int:
        try:
            return _CODES.get(tag, NO_TAG)
        except TypeError:
            # a nested list
            return NO_TAG

    return np.fromiter(map(code, tags), np.uint8, size)
