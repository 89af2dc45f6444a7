"""Folders of translations: systems and references by their names, and the scores that metrics gave beside them.

systems/NAME              a translation, one segment a line; in outputs/ and the like as well
ref.A, ref.B, NAME.ref    references, or any texts in references/
METRIC.seg.score          system⇥score lines of segments, more being better, as the WMT metrics tasks exchange them
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from qe_desktop.corpus import Corpus, TextColumn
from qe_desktop.formats import Plan, PlannedFile, Role
from qe_desktop.formats.names import name_of
from qe_desktop.formats.opening import open_file
from qe_desktop.formats.roles import SYSTEM_FOLDERS
from qe_desktop.formats.sentences import few
from qe_desktop.formats.texts import TEXT, read_text
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.beside import beside
from qe_desktop.levels.translations.brought import MetricScores, read_metric_scores
from qe_desktop.levels.translations.checks import refuse_other_size, remarks
from qe_desktop.levels.translations.level import TranslationLevel
from qe_desktop.levels.translations.texts import references_of, translations_of
from qe_desktop.wording import side_by_side, tr

REFERENCE_FOLDER = "references"
_REFERENCE = re.compile(r"ref(erence)?(?P<which>[-_]?(\d+|[a-z]))?", re.IGNORECASE)
_NO_NAME = re.compile(r"gz|txt|tok|tokeni[sz]ed", re.IGNORECASE)
_SCORES = re.compile(r"\.seg\.score(\.gz)?$", re.IGNORECASE)
_PAIR = re.compile(r"^[a-z]{2,3}-[a-z]{2,3}\.", re.IGNORECASE)


def planned(plan: Plan) -> Plan:
    """The plan in which texts in folders of systems are translations, where there are references to score them by.

    Scores by metrics are not those of systems that estimate quality.
    """
    for file in plan.files:
        if _SCORES.search(file.path.name):
            plan = plan.with_role(file.path, Role.IGNORED)
    if not _references(plan):
        return plan
    for file in _texts(plan):
        if _folder(file.path) in SYSTEM_FOLDERS and file.role is Role.IGNORED:
            plan = plan.with_role(file.path, Role.TRANSLATION, name=name_of(file.path))
    return plan


def with_references(plan: Plan, corpus: Corpus) -> Corpus:
    """The corpus with all references of its plan, by name; QeError where one has other lines."""
    paths = _references(plan)
    if corpus.references or not paths:
        return corpus
    found: dict[str, TextColumn] = {}
    for name, path in zip(reference_names(paths), paths, strict=True):
        column = found[name] = read_text(open_file(path))
        refuse_other_size(column, corpus.size, str(path), tr("the corpus"))
    return replace(corpus, references=found)


def reference_names(paths: Sequence[Path]) -> list[str]:
    """What references are called: `ref.A` is “A”, `en-de.refA.txt` “refA”, and `test.ref` only “reference”; where names
    meet, the files' names stand for them.
    """
    names = [_name(path) for path in paths]
    return [name if names.count(name) == 1 else path.name for name, path in zip(names, paths, strict=True)]


def with_metrics(plans: Mapping[str, Plan], pairs: Mapping[str, Scoring]) -> tuple[dict[str, Scoring], list[str]]:
    """What is scored by metrics of texts, with the metrics whose scores lie beside it; and what is to be said of both.

    All pairs have all of these metrics: where one lacks in a pair, all its scores there are undefined.
    """
    found: dict[str, Scoring] = {}
    notes: list[str] = []
    for pair, scoring in pairs.items():
        corpus = scoring.view.corpus
        given = _given(plans[pair], corpus.size)
        found[pair], said = beside(scoring, given)
        said = [*remarks(references_of(corpus), translations_of(corpus)), *said]
        if given:
            names = few(list(given), joined=True)
            said.append(
                tr("{metrics}: more is better, as the WMT metrics tasks exchange scores", metrics=names)
            )  # fmt: skip
        notes += [side_by_side(": ", (pair, note)) for note in said]
    return _alike(found), notes


def _alike(pairs: Mapping[str, Scoring]) -> dict[str, Scoring]:
    levels = {pair: cast(TranslationLevel, scoring.level) for pair, scoring in pairs.items()}
    metrics = {
        name: metric for level in levels.values() for name, metric in level.metrics.items() if name in level.brought
    }

    def complete(scoring: Scoring, level: TranslationLevel) -> Scoring:
        none = np.full(scoring.view.corpus.size, np.nan)
        brought = {
            name: level.brought.get(name, {key.name: none for key in scoring.subjects}) for name in metrics
        }  # fmt: skip
        shown = tuple(dict.fromkeys([*level.shown, *metrics]))
        whole = replace(level, metrics={**level.metrics, **metrics}, shown=shown, tested=shown, brought=brought)
        return replace(scoring, level=whole)

    return {pair: complete(scoring, levels[pair]) if metrics else scoring for pair, scoring in pairs.items()}


def _given(plan: Plan, size: int) -> dict[str, MetricScores]:
    paths = [file.path for file in plan.files if _SCORES.search(file.path.name)]
    return read_metric_scores([f"{_metric(path)}={path}" for path in paths], (), size)


def _metric(path: Path) -> str:
    return _PAIR.sub("", _SCORES.sub("", path.name))


def _texts(plan: Plan) -> list[PlannedFile]:
    return [file for file in plan.files if file.format == TEXT.name and file.problem is None]


def _references(plan: Plan) -> list[Path]:
    return sorted(file.path for file in _texts(plan) if _is_reference(file))


def _is_reference(file: PlannedFile) -> bool:
    if file.role is Role.REFERENCE or _folder(file.path) == REFERENCE_FOLDER:
        return True
    named = any(_REFERENCE.fullmatch(part) for part in file.path.name.split("."))
    return file.role is Role.IGNORED and named and _folder(file.path) not in SYSTEM_FOLDERS


def _folder(path: Path) -> str:
    return path.resolve().parent.name.lower()


def _name(path: Path) -> str:
    parts = [part for part in path.name.split(".") if not _NO_NAME.fullmatch(part)]
    place = next((place for place, part in enumerate(parts) if _REFERENCE.fullmatch(part)), None)
    if place is None:
        return name_of(path)
    said = _REFERENCE.fullmatch(parts[place])
    assert said is not None
    # what stands before it is the name of the texts that it belongs to
    return parts[place] if said["which"] else ".".join(parts[place + 1 :]) or "reference"
