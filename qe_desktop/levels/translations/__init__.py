"""Translations of systems against references, by metrics of texts and by whatever numbers other metrics gave them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from qe_desktop.levels.group import Group, Read
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.level import TRANSLATIONS, TranslationLevel
from qe_desktop.wording import tr


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    # files are read by the command line alone, and the window need not wait for that
    from qe_desktop.levels.translations.inputs import add_inputs, add_scores

    add_inputs(parser)
    add_scores(parser)


def _read(args: argparse.Namespace) -> Read:
    from qe_desktop.levels.translations.inputs import read

    found = read(args)
    if not (args.scores or args.lower or args.match):
        return found
    from qe_desktop.levels.translations.beside import with_scores

    return with_scores(found, args)


def _given(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.translations.given import given

    return given(level, gold, systems)


def _remarks(scoring: Scoring) -> list[str]:
    from qe_desktop.levels.translations.beside import lacking, scored_as
    from qe_desktop.levels.translations.checks import remarks
    from qe_desktop.levels.translations.texts import translations_of

    corpus = scoring.view.corpus
    found = [*remarks(corpus.references, translations_of(corpus)), *scoring.level.remarks]
    for name, column in corpus.metric_scores.items():
        found += [*scored_as(name, column), *lacking(name, column.scored, scoring.names)]
    return found


GROUP: Group = Group(
    "translations",
    tr("translations"),
    (TRANSLATIONS,),
    _add_inputs,
    _read,
    _given,
    _remarks,
)

__all__ = ["GROUP", "TRANSLATIONS", "TranslationLevel"]
