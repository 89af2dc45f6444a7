"""External metric scores for the language pairs of a folder: score files specified by options, and their settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from qe_desktop.corpus import Corpus, MetricColumn, QeError, SourceLocation
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.importing.planned_file import ScoreDirection, usual_direction
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.system_files import PAIR_PLACEHOLDER
from qe_desktop.levels.system_matches import SystemMatches, rated_systems
from qe_desktop.levels.translations.external_metrics import check_known_metrics, read_metric_arguments
from qe_desktop.levels.translations.translation_level import translations_of
from qe_desktop.metrics import TRANSLATION_METRICS


@dataclass(frozen=True, slots=True)
class FolderScores:
    """Options for external scores of the language pairs in a folder.

    `scores` are arguments `METRIC=FILE`, in which `{pair}` stands for the language pair. `lower` are metrics for which
    lower scores are better. `lower_by_metric` states for each metric whether lower scores are better. All metrics in
    `lower` must have scores; metrics in `lower_by_metric` may lack them. `matches` maps names of systems in score or
    rating files to names of systems in the folder, if the names differ.
    """

    scores: Sequence[str] = ()
    lower: Sequence[str] = ()
    matches: SystemMatches = field(default_factory=lambda: SystemMatches({}))
    lower_by_metric: Mapping[str, bool] = field(default_factory=dict)

    def add_to(self, corpora: Mapping[str, Corpus]) -> tuple[dict[str, Corpus], list[str]]:
        """Return the corpora with the external scores, and warnings about language pairs without a score file.

        Raises QeError if an argument is invalid, if no language pair has a file for an argument, or if a file does not
        fit its language pair. Also raises QeError if a metric already has scores, if the name of a metric or system
        is unknown, or if two systems would get the same name.
        """
        extended, notes, existing = dict(corpora), list[str](), set[str]()
        for name, corpus in corpora.items():
            pair = corpus.language_pair or name
            for argument in self.scores:
                if _exists(argument, pair):
                    extended[name] = _add_metric(extended[name], argument, pair)
                    existing.add(argument)
                else:
                    metric = argument.partition("=")[0].strip()
                    notes.append(tr("{pair}: no {metric} scores", pair=name, metric=metric))
        for argument in self.scores:
            if argument not in existing:
                # errors are reported for the first pair
                first = next((corpus.language_pair or name for name, corpus in corpora.items()), "")
                read_metric_arguments([argument.replace(PAIR_PLACEHOLDER, first)], ())
        check_known_metrics(
            self.lower,
            sorted({metric for extended_corpus in extended.values() for metric in extended_corpus.metric_scores}),
        )
        self._reject_unmatched(extended.values())
        return {
            name: self._match_systems(self._with_orientation(extended_corpus))
            for name, extended_corpus in extended.items()
        }, notes

    def _with_orientation(self, corpus: Corpus) -> Corpus:
        lower = {**self.lower_by_metric, **dict.fromkeys(self.lower, True)}
        scores = {
            name: replace(column, better=-1 if lower[name] else 1) if name in lower else column
            for name, column in corpus.metric_scores.items()
        }
        return replace(corpus, metric_scores=scores)

    def _match_systems(self, corpus: Corpus) -> Corpus:
        for name, column in corpus.metric_scores.items():
            corpus = corpus.with_matched(name, self.matches.map_names(column.systems, SourceLocation(column.origin)))
        ratings = corpus.ratings
        if ratings is None:
            return corpus
        return corpus.with_matched("", self.matches.map_names(rated_systems(ratings), SourceLocation(ratings.origin)))

    def _reject_unmatched(self, corpora: Iterable[Corpus]) -> None:
        if not self.matches.systems:
            return
        scored_names, systems = dict[str, None](), dict[str, None]()
        for corpus in corpora:
            rated = () if corpus.ratings is None else rated_systems(corpus.ratings)
            scored_names |= dict.fromkeys(
                [*(system for column in corpus.metric_scores.values() for system in column.systems), *rated]
            )
            systems |= dict.fromkeys([*translations_of(corpus), *rated])
        self.matches.check_names(list(scored_names), list(systems))


def _default_orientation(name: str, parts: Iterable[Mapping[str, Scores]]) -> Literal[1, -1]:
    """Return the usual orientation of a metric, from its name and scores: -1 if lower scores are better, else 1."""
    scores = [column for systems in parts for column in systems.values()]
    return -1 if usual_direction(name, scores) is ScoreDirection.LESS else 1


def _exists(argument: str, pair: str) -> bool:
    return named_path(argument.partition("=")[2].replace(PAIR_PLACEHOLDER, pair)).exists()


def _add_metric(corpus: Corpus, argument: str, pair: str) -> Corpus:
    ((name, metric_scores),) = read_metric_arguments(
        [argument.replace(PAIR_PLACEHOLDER, pair)], (), corpus.size
    ).items()
    if name in corpus.metric_scores:
        message, hint = (
            tr("{metric} scores already exist", metric=name),
            tr("Use another name for the scores in this file."),
        )
        raise QeError(message, hint=hint, place=SourceLocation(str(metric_scores.path)))
    column = MetricColumn(
        metric_scores.systems, _default_orientation(name, [metric_scores.systems]), metric_scores.path.name
    )
    return replace(corpus, metric_scores={**corpus.metric_scores, name: column})


def unify_metrics(corpora: Mapping[str, Corpus]) -> dict[str, Corpus]:
    """Add each metric, without scores, to the corpora that lack it, so that all corpora have the same metrics.

    If the language pairs disagree on the orientation of a metric, the orientation is determined from the scores of all
    pairs together, because the scores of one pair may be ambiguous, for example if all of them are zero.
    """
    columns_by_metric: dict[str, list[MetricColumn]] = {}
    for corpus in corpora.values():
        for name, column in corpus.metric_scores.items():
            columns_by_metric.setdefault(name, []).append(column)
    better = {
        name: columns[0].better
        if len({part.better for part in columns}) == 1
        else _default_orientation(name, [part.systems for part in columns])
        for name, columns in columns_by_metric.items()
    }

    def metric_column(name: str, corpus: Corpus) -> MetricColumn:
        column = replace(corpus.metric_scores.get(name, MetricColumn({})), better=better[name])
        # an external metric named like a built-in metric is identified by its file, which must be the same in all pairs
        return replace(column, origin=columns_by_metric[name][0].origin) if name in TRANSLATION_METRICS else column

    return {
        pair: replace(corpus, metric_scores={name: metric_column(name, corpus) for name in better})
        for pair, corpus in corpora.items()
    }
