"""Translations of systems against references, by metrics of texts and by whatever numbers other metrics gave them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qe_desktop.levels.group import Group, InFolders, Read
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.level import TRANSLATIONS, TranslationLevel
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.corpus import Corpus
    from qe_desktop.formats import Plan


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    # files are read by the command line alone, and the window need not wait for that
    from qe_desktop.levels.translations.inputs import add_inputs, add_scores

    add_inputs(parser)
    add_scores(parser)


def _read(args: argparse.Namespace) -> Read:
    from qe_desktop.levels.translations.inputs import read

    found = read(args)
    if not args.scores and not args.lower:
        return found
    from qe_desktop.levels.translations.beside import with_scores

    return with_scores(found, args)


def _given(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.translations.given import given

    return given(level, gold, systems)


def _planned(plan: Plan) -> Plan:
    from qe_desktop.levels.translations.folder_files import planned

    return planned(plan)


def _assembled(plan: Plan, corpus: Corpus) -> Corpus:
    from qe_desktop.levels.translations.folder_files import with_references

    return with_references(plan, corpus)


def _scored(plans: Mapping[str, Plan], pairs: Mapping[str, Scoring]) -> tuple[dict[str, Scoring], list[str]]:
    from qe_desktop.levels.translations.folder_files import with_metrics

    return with_metrics(plans, pairs)


GROUP: Group = Group(
    "translations",
    tr("translations"),
    (TRANSLATIONS,),
    _add_inputs,
    _read,
    _given,
    InFolders(_planned, _assembled, _scored),
)

__all__ = ["GROUP", "TRANSLATIONS", "TranslationLevel"]
