"""Join of human and metric scores by system name: the input of a meta-evaluation.

The caller provides the scores, which come from files named on the command line or from the data open in the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_matches import match_option_text
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
"""Label of a source of scores, and the names of the systems in it."""


@dataclass(frozen=True, slots=True)
class MetaEvalNames:
    """Names of systems: those with human scores, those with scores by any metric, and common names.

    `common` has the names with human scores and scores by all metrics, except the names of excluded systems.
    """

    human: tuple[str, ...]
    metrics: tuple[str, ...]
    common: tuple[str, ...]

    @property
    def has_unmatched_names(self) -> bool:
        """Whether some names occur only in human scores, and others only in metric scores.

        Such names may refer to the same system.
        """
        return bool(set(self.human) - set(self.metrics)) and bool(set(self.metrics) - set(self.human))


class NamesDifferError(QeError):
    """Error raised if human scores and metrics have too few systems in common; `names` are the system names of both."""

    def __init__(self, names: MetaEvalNames, place: SourceLocation | None) -> None:
        common, metric_only = names.common, [name for name in names.metrics if name not in names.human]
        message = tr("human scores and metrics have {n} {n:system|systems} in common", "", len(common))
        match = match_option_text([name for name in names.human if name not in names.metrics], metric_only)
        least = tr("A correlation needs at least {least} systems.", least=MIN_SYSTEMS)
        sides = [least]
        if names.human and metric_only:
            sides.append(
                tr(
                    "Human scores cover {people}; only metrics cover {metrics}.",
                    people=list_names(list(names.human)),
                    metrics=list_names(metric_only),
                )
            )
        elif names.human:
            sides.append(tr("Human scores cover {people}.", people=list_names(list(names.human))))
        hint = join_localized(" ", [*sides, tr("Match names that differ.")])
        option = tr("Use {match} for names that differ.", match=match or "--match NAME=SYSTEM")
        command_hint = join_localized(" ", [*sides, option])
        super().__init__(message, hint=hint, command_hint=command_hint, place=place)
        self.names = names


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvalData:
    """Human and metric scores of the systems that have both, in the order of the human scores.

    `notes` are warnings. `texts` are the texts of the systems, if any. `text_metrics` are the names of the text
    metrics, and `signature` describes these metrics. `names` are all system names in human or metric scores.
    """

    systems: tuple[str, ...]
    metrics: MetricSystemScores
    human: HumanSystemScores
    notes: tuple[str, ...]
    signature: Mapping[str, str]
    names: MetaEvalNames
    texts: StudiedTexts | None = None
    text_metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvalTexts:
    """Translations and references, settings for tokenization, and a label of the texts (`origin`)."""

    scoring: Scoring
    settings: TranslationMetricSettings
    origin: str


@dataclass(frozen=True, slots=True)
class MetaEvalSelection:
    """Selected metrics and excluded systems of a study, and the source of its human scores.

    If `metrics` is empty, the default metrics are used. `is_lower_better` states whether lower human scores are better.
    `origin` is a label of the human scores, and `place` is their location for error messages.
    """

    metrics: tuple[str, ...] = ()
    excluded_systems: tuple[str, ...] = ()
    is_lower_better: bool = False
    origin: str = ""
    place: SourceLocation | None = None


def join_scores(
    human: HumanFileScores,
    texts: MetaEvalTexts | None,
    external: Mapping[str, ExternalMetricScores],
    selection: MetaEvalSelection,
    on_progress: OnProgress | None = None,
) -> MetaEvalData:
    """Join human scores with scores by text metrics on `texts` and with the external metric scores `external`.

    `on_progress` may raise to stop. Raises NamesDifferError if there are too few common systems, and QeError if the
    name of a metric or of an excluded system is unknown.
    """
    scoring = None if texts is None else texts.scoring
    sources = [] if texts is None else [(texts.origin, texts.scoring.names)]
    sources += [(scores.path.name, tuple(scores.systems)) for scores in external.values()]
    names = _all_names(human, sources, selection.excluded_systems)
    left = _excluded_systems(sources, names, selection)
    if len(names.common) < MIN_SYSTEMS:
        raise NamesDifferError(names, selection.place)
    systems = names.common
    remarks = [] if scoring is None else scoring.level.remarks
    chosen = _select_metrics(selection.metrics, scoring, external)
    studied = None if texts is None else StudiedTexts(_select_systems(texts.scoring, systems), texts.settings)
    of_texts = [] if scoring is None else [item for item in chosen if item is scoring.level.metrics.get(item.name)]
    rows = [] if studied is None or not of_texts else studied.scoring.family_rows(of_texts, on_progress)
    metrics = MetricSystemScores(
        (*rows, *_external_scores(external, systems, chosen)), _system_level_scores(external, systems, chosen)
    )
    return MetaEvalData(
        systems,
        metrics,
        _human_scores(human, systems, -1 if selection.is_lower_better else 1),
        tuple([*human.notes, *left, *remarks]),
        {} if scoring is None else scoring.level.signature(scoring),
        names,
        studied,
        tuple(metric.name for metric in of_texts),
    )


def _all_names(human: HumanFileScores, sources: Sequence[ScoreSource], excluded: Sequence[str]) -> MetaEvalNames:
    """Return the system names in human and metric scores, and their common names without `excluded`.

    Raises QeError if a name in `excluded` is unknown.
    """
    metrics = tuple(dict.fromkeys(name for _, names in sources for name in names))
    all_names = dict.fromkeys([*human.systems, *metrics])
    for name in excluded:
        if name not in all_names:
            hint = tr("Use one of {names}.", names=list_names(list(all_names), joined=True))
            raise QeError(tr("no system “{name}”", name=name), hint=hint)
    scored = [name for name in human.systems if all(name in names for _, names in sources)]
    return MetaEvalNames(tuple(human.systems), metrics, tuple(name for name in scored if name not in excluded))


def _excluded_systems(sources: Sequence[ScoreSource], names: MetaEvalNames, selection: MetaEvalSelection) -> list[str]:
    """Return notes on systems that are excluded because a source lacks them."""
    all_names = dict.fromkeys([*names.human, *names.metrics])
    notes = []
    for file, present in [(selection.origin, names.human), *sources]:
        lacking = [name for name in all_names if name not in selection.excluded_systems and name not in present]
        if lacking:
            notes.append(tr("excluded because missing from {file}: {systems}", file=file, systems=list_names(lacking)))
    return notes


def _select_metrics(
    names: Sequence[str], scoring: Scoring | None, external: Mapping[str, ExternalMetricScores]
) -> list[Metric]:
    """Return the named metrics; if `names` is empty, the default text metrics and all external metrics."""
    of_texts = {} if scoring is None else dict(scoring.level.metrics)
    default_names = [] if scoring is None else [name for name in scoring.level.tested_metrics if name not in external]
    available = {**of_texts, **{name: scores.metric for name, scores in external.items()}}
    return get_metrics(names or [*default_names, *external], available, tr("translations"))


def _select_systems(scoring: Scoring, systems: Sequence[str]) -> Scoring:
    """Return the scoring of the named systems only, in the order of `systems`."""
    keys = {key.name: key for key in scoring.subjects}
    return replace(scoring, subjects=tuple(keys[name] for name in systems))


def _external_scores(
    external: Mapping[str, ExternalMetricScores], systems: Sequence[str], chosen: Sequence[Metric]
) -> list[FamilyRows]:
    return [
        FamilyRows(
            np.stack([external_rows(ExternalScores(scores.systems[name])) for name in systems]), (scores.metric,)
        )
        for scores in external.values()
        if scores.size > 1 and scores.metric in chosen
    ]


def _system_level_scores(
    external: Mapping[str, ExternalMetricScores], systems: Sequence[str], chosen: Sequence[Metric]
) -> tuple[tuple[Metric, np.ndarray], ...]:
    return tuple(
        (scores.metric, np.asarray([scores.systems[name][0] for name in systems]))
        for scores in external.values()
        if scores.size == 1 and scores.metric in chosen
    )


def _human_scores(human: HumanFileScores, systems: Sequence[str], better: int) -> HumanSystemScores:
    totals = better * np.asarray([human.systems[name] for name in systems])
    documents = None if human.documents is None else human.documents.of_segment
    if human.segments is None:
        return HumanSystemScores(totals, None, documents, human.unit, human.omits_segments)
    scores = better * np.stack([human.segments[name] for name in systems])
    return HumanSystemScores(totals, scores, documents, human.unit)
