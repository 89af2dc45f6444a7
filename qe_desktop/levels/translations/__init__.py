"""Scoring of systems' translations against references, with text metrics and external metric scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import LevelGroup, Scoring
from qe_desktop.levels.translations.translation_level import TRANSLATIONS, TranslationLevel


def _from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.translations.translation_inputs import translations_from_python

    return translations_from_python(level, gold, systems)


def _remarks(scoring: Scoring) -> list[str]:
    from qe_desktop.levels.translations.external_metrics import metric_score_notes, system_name_notes
    from qe_desktop.levels.translations.translation_inputs import text_warnings
    from qe_desktop.levels.translations.translation_level import translations_of

    corpus = scoring.view.corpus
    notes = [*text_warnings(corpus.references, translations_of(corpus)), *scoring.level.remarks]
    for name, column in corpus.metric_scores.items():
        notes += [
            *system_name_notes(name, column),
            *metric_score_notes(name, column.scores_by_system, scoring.names),
        ]
    return notes


GROUP: LevelGroup = LevelGroup(
    "translations",
    tr("translations"),
    (TRANSLATIONS,),
    _from_python,
    _remarks,
)

__all__ = ["GROUP", "TRANSLATIONS", "TranslationLevel"]
