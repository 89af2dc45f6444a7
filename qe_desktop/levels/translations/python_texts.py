"""Conversion of Python values (one text per segment) to validated translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation, TextColumn
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.translation_inputs import check_reference_lines, check_text_size, scoring_of
from qe_desktop.levels.translations.translation_level import TranslationLevel


def translations_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of translations against references.

    `systems` maps each system's name to a sequence of texts, one per segment; it must not be empty. `gold` is a
    sequence of texts, or a sequence or mapping of such sequences if there are several references. Raises QeError if a
    value is not a valid Unicode text of one line, or if the numbers of segments differ.
    """
    translated = {name: _column(texts, f"systems[{name!r}]") for name, texts in systems.items()}
    references = _references(gold, next(iter(translated.values())))
    first = next(iter(references.values()))
    for name, column in translated.items():
        check_text_size(column, len(first), f"systems[{name!r}]", "gold")
    return scoring_of(cast(TranslationLevel, level), references, translated)


def _references(gold: Any, system: TextColumn) -> dict[str, TextColumn]:
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
