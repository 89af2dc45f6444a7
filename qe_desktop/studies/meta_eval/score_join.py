"""People's and metrics' scores of systems, set beside each other by the systems' names: what a study is made of.

Where they are from is said by whoever has them: files that a command names, or what is open in the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import OnProgress
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_matching import match_option_text
from qe_desktop.levels.translations.external_metrics import ExternalMetricScores
from qe_desktop.metrics import Metric, get_metrics
from qe_desktop.metrics.external import ExternalScores, external_rows
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.agreement_curves import StudiedTexts
from qe_desktop.studies.meta_eval.human_score_files import HumanFileScores
from qe_desktop.studies.meta_eval.meta_evaluation import MIN_SYSTEMS
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetricSystemScores

ScoreSource = tuple[str, tuple[str, ...]]
"""Where scores are from, and the systems that they are of."""


@dataclass(frozen=True, slots=True)
class MetaEvalNames:
    """What systems are called: by people, by metrics (whichever of them), and by people and all metrics alike."""

    people: tuple[str, ...]
    metrics: tuple[str, ...]
    common: tuple[str, ...]

    @property
    def differ(self) -> bool:
        """Whether names are left on both sides, which may mean the same systems."""
        return bool(set(self.people) - set(self.metrics)) and bool(set(self.metrics) - set(self.people))


class NamesDifferError(QeError):
    """People and metrics have fewer systems in common than a correlation needs; `names` are those of both."""

    def __init__(self, names: MetaEvalNames, place: SourceLocation | None) -> None:
        common, others = names.common, [name for name in names.metrics if name not in names.people]
        message = tr("people and metrics have {n} {n:system|systems} in common", "", len(common))
        match = match_option_text([name for name in names.people if name not in names.metrics], others)
        hint = tr(
            "A correlation needs {least} at the least. People scored {people}; metrics {metrics}. Match names that "
            "differ.",
            least=MIN_SYSTEMS, people=list_names(list(names.people)), metrics=list_names(others),
        )  # fmt: skip
        command_hint = tr(
            "A correlation needs {least} at the least. People scored {people}; metrics {metrics}. With {match} names "
            "that differ are matched.",
            least=MIN_SYSTEMS,
            people=list_names(list(names.people)),
            metrics=list_names(others),
            match=match or "--match NAME=SYSTEM",
        )
        super().__init__(message, hint=hint, command_hint=command_hint, place=place)
        self.names = names


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvalData:
    """The systems that people and all metrics scored, in the order in which people's are listed, and remarks.

    `texts` are theirs, where there are any, and `of_texts` the names of the metrics of these. `names` are all that
    there were on either side.
    """

    systems: tuple[str, ...]
    metrics: MetricSystemScores
    people: HumanSystemScores
    notes: tuple[str, ...]
    signature: Mapping[str, str]
    names: MetaEvalNames
    texts: StudiedTexts | None = None
    of_texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvalTexts:
    """Translations beside their references, how they are cut, and what they are called (`origin`)."""

    scoring: Scoring
    settings: TranslationMetricSettings
    origin: str


@dataclass(frozen=True, slots=True)
class MetaEvalSelection:
    """What is to be studied of all there is: these metrics (those that are usual where none are named), without some
    systems. `lower`: people gave less to what is better. `origin` is what people's scores are called, and `place` where
    they are from.
    """

    metrics: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    lower: bool = False
    origin: str = ""
    place: SourceLocation | None = None


def join_scores(
    people: HumanFileScores,
    texts: MetaEvalTexts | None,
    brought: Mapping[str, ExternalMetricScores],
    wanted: MetaEvalSelection,
    watch: OnProgress | None = None,
) -> MetaEvalData:
    """What people gave beside what metrics of `texts` and those that are `brought` give; `watch` may raise to stop.

    `NamesDiffer` where they have too few systems in common, QeError for names that there are not.
    """
    scoring = None if texts is None else texts.scoring
    sources = [] if texts is None else [(texts.origin, texts.scoring.names)]
    sources += [(scores.path.name, tuple(scores.systems)) for scores in brought.values()]
    names = _all_names(people, sources, wanted.without)
    left = _excluded_systems(sources, names, wanted)
    if len(names.common) < MIN_SYSTEMS:
        raise NamesDifferError(names, wanted.place)
    systems = names.common
    remarks = [] if scoring is None else scoring.level.remarks
    chosen = _chosen(wanted.metrics, scoring, brought)
    metrics = MetricSystemScores(
        (*_families(scoring, systems, chosen, watch), *_external_scores(brought, systems, chosen)),
        _alone(brought, systems, chosen),
    )
    return MetaEvalData(
        systems,
        metrics,
        _human_scores(people, systems, -1 if wanted.lower else 1),
        tuple([*people.notes, *left, *remarks]),
        {} if scoring is None else scoring.level.signature(scoring),
        names,
        None if texts is None else StudiedTexts(_of(texts.scoring, systems), texts.settings),
        () if scoring is None else tuple(one.name for one in chosen if one is scoring.level.metrics.get(one.name)),
    )


def _all_names(people: HumanFileScores, sources: Sequence[ScoreSource], without: Sequence[str]) -> MetaEvalNames:
    """All names, and those that everybody has but for those that are left out; QeError for one that nobody has."""
    metrics = tuple(dict.fromkeys(name for _, names in sources for name in names))
    known = dict.fromkeys([*people.systems, *metrics])
    for name in without:
        if name not in known:
            hint = tr("There are {names}.", names=list_names(list(known), joined=True))
            raise QeError(tr("there is no system “{name}”", name=name), hint=hint)
    scored = [name for name in people.systems if all(name in names for _, names in sources)]
    return MetaEvalNames(tuple(people.systems), metrics, tuple(name for name in scored if name not in without))


def _excluded_systems(sources: Sequence[ScoreSource], names: MetaEvalNames, wanted: MetaEvalSelection) -> list[str]:
    """Which systems were left out for whose lack."""
    known = dict.fromkeys([*names.people, *names.metrics])
    notes = []
    for file, held in [(wanted.origin, names.people), *sources]:
        lacking = [name for name in known if name not in wanted.without and name not in held]
        if lacking:
            notes.append(tr("left out, not in {file}: {systems}", file=file, systems=list_names(lacking)))
    return notes


def _chosen(
    wanted: Sequence[str], scoring: Scoring | None, brought: Mapping[str, ExternalMetricScores]
) -> list[Metric]:
    """The metrics that were named, or the usual ones of texts and all of files."""
    of_texts = {} if scoring is None else dict(scoring.level.metrics)
    usual = [] if scoring is None else [name for name in scoring.level.tested if name not in brought]
    known = {**of_texts, **{name: scores.metric for name, scores in brought.items()}}
    return get_metrics(wanted or [*usual, *brought], known, tr("translations"))


def _families(
    scoring: Scoring | None, systems: Sequence[str], chosen: Sequence[Metric], watch: OnProgress | None
) -> list[FamilyRows]:
    metrics = [] if scoring is None else [one for one in chosen if one is scoring.level.metrics.get(one.name)]
    if scoring is None or not metrics:
        return []
    return _of(scoring, systems).family_rows(metrics, watch)


def _of(scoring: Scoring, systems: Sequence[str]) -> Scoring:
    """The same of some systems, in their order."""
    keys = {key.name: key for key in scoring.subjects}
    return replace(scoring, subjects=tuple(keys[name] for name in systems))


def _external_scores(
    brought: Mapping[str, ExternalMetricScores], systems: Sequence[str], chosen: Sequence[Metric]
) -> list[FamilyRows]:
    return [
        FamilyRows(
            np.stack([external_rows(ExternalScores(scores.systems[name])) for name in systems]), (scores.metric,)
        )
        for scores in brought.values()
        if scores.size > 1 and scores.metric in chosen
    ]


def _alone(
    brought: Mapping[str, ExternalMetricScores], systems: Sequence[str], chosen: Sequence[Metric]
) -> tuple[tuple[Metric, np.ndarray], ...]:
    return tuple(
        (scores.metric, np.asarray([scores.systems[name][0] for name in systems]))
        for scores in brought.values()
        if scores.size == 1 and scores.metric in chosen
    )


def _human_scores(people: HumanFileScores, systems: Sequence[str], better: int) -> HumanSystemScores:
    totals = better * np.asarray([people.systems[name] for name in systems])
    if people.segments is None:
        return HumanSystemScores(totals)
    return HumanSystemScores(totals, better * np.stack([people.segments[name] for name in systems]))
