"""Translations that a Python program has: one text a segment, checked against each other."""

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
    """Translations by the systems' names, a sequence of texts each, beside a reference or several.

    `gold` is one text a segment, or a sequence or mapping of several such references. QeError for what is no text, and
    where the numbers of segments are not the same.
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
        raise _no_text("gold")
    if not named:
        raise _no_text("gold")
    found = {name: _column(texts, "gold" if len(named) == 1 else f"gold[{name!r}]") for name, texts in named.items()}
    first = next(iter(found.values()))
    for name, column in found.items():
        check_text_size(column, len(first), f"gold[{name!r}]", tr("the first reference"))
    return found


def _is_text(texts: Any) -> bool:
    if isinstance(texts, str | bytes | Mapping) or not isinstance(texts, Sequence | np.ndarray):
        return False
    return all(isinstance(text, str) for text in texts)


def _column(texts: Any, name: str) -> TextColumn:
    """The lines of a text; no line may hold a line end, which would make two segments of one."""
    if not _is_text(texts):
        raise _no_text(name)
    for segment, text in enumerate(texts):
        if "\n" in text or "\r" in text:
            message = tr("this text holds a line end")
            raise QeError(
                message, hint=tr("Give one line for each segment."), place=SourceLocation(f"{name}[{segment}]")
            )
    try:
        return TextColumn.of([str(text) for text in texts])
    except UnicodeEncodeError as error:
        message = tr("these are not characters of Unicode: {reason}", reason=error.reason)
        raise QeError(message, hint=tr("Decode the text anew."), place=SourceLocation(name)) from None


def _no_text(name: str) -> QeError:
    hint = tr("Give a sequence of texts, one a segment.")
    return QeError(tr("these are not one text a segment"), hint=hint, place=SourceLocation(name))
