"""Reading and validation of references and translations, from files or from Python values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from qe_desktop.corpus import Corpus, QeError, SourceLocation, TextColumn, TextRole, View
from qe_desktop.corpus.corpus import is_same_text
from qe_desktop.formats.file_format import TEXT, read_text
from qe_desktop.formats.importing.reference_shape import check_single_reference
from qe_desktop.formats.importing.roles import reference_names
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.text_files import named_path, open_file
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import ReadInputs, Scoring
from qe_desktop.levels.system_files import check_unique_system, has_format, resolve_named_files
from qe_desktop.levels.translations.translation_level import TRANSLATIONS, TranslationLevel
from qe_desktop.metrics.text.tokenization import Tokenization
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings, translation_metrics


def check_text_size(column: TextColumn, size: int, location: str, reference_name: str) -> None:
    """Raise QeError unless a text has `size` segments, like the text named `reference_name`."""
    if len(column) != size:
        message = tr("{n:,} {n:line|lines}, but {like} has {size:,}", "", len(column), like=reference_name, size=size)
        hint = tr("All texts must have the same segments in the same order, one per line.")
        raise QeError(message, hint=hint, place=SourceLocation(location, min(len(column), size) + 1))


def check_reference_lines(counts: Sequence[int], systems: int, location: str) -> None:
    """Raise QeError if references are transposed: one text per segment, with one line per reference.

    `counts` are the numbers of lines of the references; `systems` is the number of lines of a system's translation.
    """
    if len(counts) > 1 and len(counts) == systems and len(set(counts)) == 1 and counts[0] != systems:
        message = tr(
            "the references are transposed: {n:,} {n:text|texts} of {lines:,} {lines:line|lines} each, for "
            "{n:,} {n:segment|segments}",
            "", len(counts), lines=counts[0],
        )  # fmt: skip
        hint = tr("Use one text per reference with a line for every segment.")
        raise QeError(message, hint=hint, place=SourceLocation(location))


def text_warnings(references: Mapping[str, TextColumn], systems: Mapping[str, TextColumn]) -> list[str]:
    """Return warnings about texts: empty segments, and systems that are identical to a reference."""
    notes = []
    for name, column in references.items():
        empty = _count_empty(column)
        if empty:
            notes.append(
                tr("{n:,} {n:segment|segments} of the reference “{name}” {n:is|are} empty", "", empty, name=name)
            )
    for name, column in systems.items():
        empty = _count_empty(column)
        if empty:
            notes.append(tr("{n:,} {n:segment|segments} of {name} {n:is|are} empty", "", empty, name=name))
    identical = [
        name
        for name, column in systems.items()
        if any(is_same_text(column, reference) for reference in references.values())
    ]
    if identical:
        notes.append(tr("systems identical to a reference: {names}", names=list_names(identical)))
    return notes


def _count_empty(column: TextColumn) -> int:
    return int(np.count_nonzero(column.token_counts() == 0))


is_text_file = partial(has_format, (TEXT.name,))
"""Return whether a file is read as plain text; True for unreadable files, to report their errors."""


@dataclass(frozen=True, slots=True)
class TranslationFiles:
    """Files of references, of systems (`[NAME=]FILE`) and of the source, and the tokenization of their texts."""

    references: Sequence[str]
    systems: Sequence[str]
    source: str | None
    tokenization: Tokenization


def read_translation_inputs(texts: TranslationFiles) -> ReadInputs:
    """Read references, translations and the source.

    Raises QeError if a file is invalid, if it has more or fewer segments than the first reference, if two references or
    two systems have the same name, if there are no segments, or if the tokenizer is unknown.
    """
    references = _references([named_path(reference) for reference in texts.references])
    level = TRANSLATIONS.with_tokenization(replace(texts.tokenization.validate(), references=len(references)))
    first = next(iter(references.values()))
    files, notes = resolve_named_files(texts.systems, is_text_file, tr("text"))
    systems: dict[str, TextColumn] = {}
    origins: dict[str, Path] = {}
    for file in files:
        check_unique_system(file.name, file.path, origins)
        systems[file.name] = column = read_text(open_file(file.path))
        _check_reference_shapes(references, len(column), texts.references)
        check_text_size(column, len(first), str(file.path), texts.references[0])
    sources = {}
    if texts.source:
        path = named_path(texts.source)
        source = sources[TextRole.SOURCE] = read_text(open_file(path))
        check_text_size(source, len(first), str(path), texts.references[0])
    if not len(first):
        raise QeError(
            tr("there are no segments"), hint=tr("Add at least one."), place=SourceLocation(texts.references[0])
        )
    notes += text_warnings(references, systems)
    scoring = scoring_of(level, references, systems, sources)
    notes += scoring.level.remarks
    return ReadInputs(scoring, tuple(dict.fromkeys(notes)))


def level_of(settings: TranslationMetricSettings) -> TranslationLevel:
    """Return the level of translations with these tokenization settings. Raises QeError if the settings are invalid."""
    return replace(TRANSLATIONS, metrics=translation_metrics(settings), settings=settings, selected_tokenization=None)


def scoring_of(
    level: TranslationLevel,
    references: Mapping[str, TextColumn],
    systems: Mapping[str, TextColumn],
    texts: Mapping[TextRole, TextColumn] | None = None,
) -> Scoring:
    """Return a scoring of each system's translation against all references; all texts must have the same size."""
    size = len(next(iter(references.values())))
    corpus = Corpus("", size, texts=texts or {}, translations=systems, references=references)
    scoring = Scoring.of(level, View(corpus))
    assert scoring is not None
    return scoring


def _check_reference_shapes(references: Mapping[str, TextColumn], size: int, files: Sequence[str]) -> None:
    """Raise QeError if references for `size` segments are transposed, or if a file contains several references."""
    check_reference_lines([len(column) for column in references.values()], size, files[0])
    for column, file in zip(references.values(), files, strict=True):
        check_single_reference(column, size, file)


def _references(paths: list[Path]) -> dict[str, TextColumn]:
    columns: dict[str, TextColumn] = {}
    for name, path in zip(reference_names(paths), paths, strict=True):
        if name in columns:
            message = tr("two references are named “{name}”", name=name)
            hint = tr("Specify each file once, and rename files that have the same name.")
            raise QeError(message, hint=hint, place=SourceLocation(str(path)))
        column = read_text(open_file(path))
        first = next(iter(columns.values()), column)
        if len(column) != len(first):
            check_single_reference(column, len(first), str(path))
        check_text_size(column, len(first), str(path), str(paths[0]))
        columns[name] = column
    return columns


def translations_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of translations against references.

    `systems` maps each system's name to a sequence of texts, one per segment; it must not be empty. `gold` is a
    sequence of texts, or a sequence or mapping of such sequences if there are several references. Raises QeError if a
    value is not a valid Unicode text of one line, or if the numbers of segments differ.
    """
    translated = {name: _column(texts, f"systems[{name!r}]") for name, texts in systems.items()}
    references = _references_from_python(gold, next(iter(translated.values())))
    first = next(iter(references.values()))
    for name, column in translated.items():
        check_text_size(column, len(first), f"systems[{name!r}]", "gold")
    return scoring_of(cast(TranslationLevel, level), references, translated)


def _references_from_python(gold: Any, system: TextColumn) -> dict[str, TextColumn]:
    if isinstance(gold, Mapping):
        named = {str(name): texts for name, texts in gold.items()}
    elif _is_text(gold):
        named = {"reference": gold}
    elif isinstance(gold, Sequence | np.ndarray) and len(gold) and all(_is_text(texts) for texts in gold):
        check_reference_lines([len(texts) for texts in gold], len(system), "gold")
        named = {f"reference {number}": texts for number, texts in enumerate(gold, 1)} if len(gold) > 1 else {
            "reference": gold[0]
        }  # fmt: skip
    else:
        raise _not_texts_error("gold")
    if not named:
        raise _not_texts_error("gold")
    columns = {name: _column(texts, "gold" if len(named) == 1 else f"gold[{name!r}]") for name, texts in named.items()}
    first = next(iter(columns.values()))
    for name, column in columns.items():
        check_text_size(column, len(first), f"gold[{name!r}]", tr("the first reference"))
    return columns


def _is_text(texts: Any) -> bool:
    if isinstance(texts, str | bytes | Mapping) or not isinstance(texts, Sequence | np.ndarray):
        return False
    return all(isinstance(text, str) for text in texts)


def _column(texts: Any, name: str) -> TextColumn:
    """Return a column of texts. Raises QeError unless `texts` are a sequence of valid one-line Unicode texts."""
    if not _is_text(texts):
        raise _not_texts_error(name)
    for segment, text in enumerate(texts):
        if "\n" in text or "\r" in text:
            message = tr("this text contains a line break")
            raise QeError(message, hint=tr("Use one line per segment."), place=SourceLocation(f"{name}[{segment}]"))
    try:
        return TextColumn.of([str(text) for text in texts])
    except UnicodeEncodeError as error:
        message = tr("these texts contain invalid Unicode characters: {reason}", reason=error.reason)
        raise QeError(
            message, hint=tr("Decode the text with the right encoding."), place=SourceLocation(name)
        ) from None


def _not_texts_error(name: str) -> QeError:
    hint = tr("Use a sequence of texts, one per segment.")
    return QeError(tr("these values are not a sequence of texts"), hint=hint, place=SourceLocation(name))
