"""Inputs of a meta-evaluation, from files named on the command line or from the open corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Corpus, LayerKey, QeError, Ratings, SourceLocation, TextRole, View
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_inputs import RatingFiles
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_matches import SystemMatches
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.external_metrics import (
    ExternalMetricScores,
    check_known_metrics,
    orientation_notes,
    read_metric_arguments,
)
from qe_desktop.levels.translations.translation_inputs import TranslationFiles, read_translation_inputs
from qe_desktop.levels.translations.translation_level import (
    ALL_REFERENCES,
    orientation_warnings,
    settings_of,
    tokenized_level,
)
from qe_desktop.metrics.external import external_metric
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION, Tokenization
from qe_desktop.studies.meta_eval.human_score_files import (
    HumanFileScores,
    HumanScoreMeans,
    human_scores_from_ratings,
    read_human_files,
)
from qe_desktop.studies.meta_eval.score_join import MetaEvalData, MetaEvalSelection, MetaEvalTexts, join_scores

HUMAN_LEVEL_NAME = "human"
"""Name that stands for the human scores in `MetaEvalFiles.lower`."""


@dataclass(frozen=True, slots=True)
class MetaEvalFiles:
    """Files of human and metric scores, and the options for reading them.

    `human_name` is the score column to use if the human scores are a table. The items of `scores` have the form
    `METRIC=FILE`, and the items of `match` have the form `NAME=SYSTEM`. `lower` has the names of the scores for which
    lower is better. `excluded_systems` are the names of systems to leave out. If `systems_only` is True, human segment
    scores are ignored.
    """

    human: RatingFiles
    human_name: str
    texts: TranslationFiles
    scores: Sequence[str] = ()
    lower: Sequence[str] = ()
    match: Sequence[str] = ()
    metrics: tuple[str, ...] = ()
    excluded_systems: tuple[str, ...] = ()
    systems_only: bool = False


def read_meta_eval_inputs(files: MetaEvalFiles) -> MetaEvalData:
    """Read the files and join their scores by system name.

    Raises QeError if a file is invalid, if files differ in the number of segments, if metric scores, references or
    systems are missing, or if an option has an unknown name. Raises NamesDifferError if too few systems have both human
    and metric scores.
    """
    metric_scores = read_metric_arguments(files.scores, files.lower)
    check_known_metrics(files.lower, [*metric_scores, HUMAN_LEVEL_NAME])
    texts, notes = _file_texts(files.texts)
    if texts is None and not metric_scores:
        hint = tr("Use --scores METRIC=FILE, or --reference and --system.")
        raise QeError(tr("no metric scores to evaluate"), hint=hint)
    scoring = None if texts is None else texts.scoring
    size = _size(scoring, metric_scores)
    path = named_path(files.human.names[0])
    result = read_human_files(files.human, files.human_name, size)
    if files.systems_only:
        result = result.without_segments()
    if result.documents is None and scoring is not None:
        result = replace(result, documents=scoring.view.corpus.documents)
    human, external = _match_names(SystemMatches.of(files.match), path, result, metric_scores, scoring)
    _check_human_size(human, size, path)
    selection = MetaEvalSelection(
        files.metrics,
        files.excluded_systems,
        HUMAN_LEVEL_NAME in files.lower,
        path.name,
        SourceLocation(str(path)),
    )
    data = join_scores(human, texts, external, selection)
    orientation_remarks = [note for name, scores in external.items() for note in orientation_notes(name, scores)]
    return replace(data, notes=tuple(dict.fromkeys([*notes, *data.notes, *orientation_remarks])))


def _file_texts(files: TranslationFiles) -> tuple[MetaEvalTexts | None, tuple[str, ...]]:
    if not files.references and not files.systems:
        return None, ()
    if not files.references or not files.systems:
        message = tr("text metrics need both references and systems")
        raise QeError(message, hint=tr("Use both --reference and --system, or neither."))
    result = read_translation_inputs(files)
    settings = replace(settings_of(result.scoring.level), references=0)
    return MetaEvalTexts(result.scoring, settings, files.systems[0]), result.notes


def _size(scoring: Scoring | None, external: Mapping[str, ExternalMetricScores]) -> int | None:
    """Return the number of segments scored by metrics; None if unknown.

    Raises QeError if the number differs between metrics.
    """
    sizes = {} if scoring is None else {tr("the reference"): scoring.view.corpus.size}
    for scores in external.values():
        if scores.size > 1:
            first_metric, size = next(iter(sizes.items()), ("", scores.size))
            if scores.size != size:
                message = tr(
                    "{n:,} {n:score|scores} for each system, but {like} has {size:,} {size:segment|segments}",
                    "",
                    scores.size,
                    like=first_metric,
                    size=size,
                )
                hint = tr("All metrics must score the same segments in the same order.")
                raise QeError(message, hint=hint, place=SourceLocation(str(scores.path)))
            sizes[scores.path.name] = scores.size
    return next(iter(sizes.values()), None)


def _match_names(
    matches: SystemMatches,
    path: Path,
    human: HumanFileScores,
    external_scores: Mapping[str, ExternalMetricScores],
    scoring: Scoring | None,
) -> tuple[HumanFileScores, dict[str, ExternalMetricScores]]:
    """Return human and external scores with the systems renamed as in `matches`.

    `path` is the file of human scores. Raises QeError for unknown names.
    """
    scored = [*human.systems, *(name for scores in external_scores.values() for name in scores.systems)]
    matches.check_names(scored, [*(() if scoring is None else scoring.names), *scored])
    external = {
        name: replace(
            scores,
            systems=matches.map_names(scores.systems, SourceLocation(str(scores.path))).rename_systems(scores.systems),
        )
        for name, scores in external_scores.items()
    }
    return human.with_system_names(matches.map_names(human.systems, SourceLocation(str(path)))), external


def _check_human_size(human: HumanFileScores, size: int | None, path: Path) -> None:
    if human.segments is None or size is None:
        return
    rated = len(next(iter(human.segments.values())))
    if rated != size:
        message = tr("{n:,} {n:score|scores} for each system, but metrics have {size:,}", "", rated, size=size)
        hint = tr("All files must score the same segments in the same order.")
        raise QeError(message, hint=hint, place=SourceLocation(str(path)))


@dataclass(frozen=True, slots=True)
class MetaEvalChoice:
    """Selection of metrics, mean of ratings (`by`), reference, level and tokenization.

    If `metrics` is empty, the default metrics are used. If `reference` is None, all references are used. If
    `systems_only` is True, human segment scores are ignored.
    """

    metrics: tuple[str, ...] = ()
    by: HumanScoreMeans = "compared"
    reference: LayerKey | None = None
    systems_only: bool = False
    tokenization: Tokenization = DEFAULT_TOKENIZATION


def has_metrics(corpus: Corpus) -> bool:
    """Return whether the corpus has metric scores, or texts to score."""
    return bool(corpus.metric_scores) or _has_texts(corpus)


def available_metrics(corpus: Corpus) -> tuple[str, ...]:
    """Return the names of available metrics: text metrics if there are texts, and metrics with scores from files."""
    of_texts = TRANSLATIONS.metrics if _has_texts(corpus) else ()
    return tuple(dict.fromkeys([*of_texts, *corpus.metric_scores]))


def default_metrics(corpus: Corpus) -> tuple[str, ...]:
    """Return the names of the default metrics.

    These are some of the text metrics if there are texts, and all metrics with scores from files.
    """
    of_texts = TRANSLATIONS.tested_metrics if _has_texts(corpus) else ()
    return tuple(dict.fromkeys([*of_texts, *corpus.metric_scores]))


def build_meta_eval_data(
    view: View, ratings: Ratings, chosen: MetaEvalChoice | None = None, on_progress: OnProgress | None = None
) -> MetaEvalData:
    """Join the metric scores of a corpus with human scores from ratings; `on_progress` may raise to stop.

    Raises QeError if there is no metric or no rating on a scale, if a metric is unknown, or if the tokenizer or the
    selected mean of ratings is not available. Raises NamesDifferError if too few system names match.
    """
    corpus, chosen = view.corpus, chosen or MetaEvalChoice()
    if not has_metrics(corpus):
        hint = tr("Add translations and a reference, or metric scores.")
        raise QeError(tr("no metric scores to evaluate"), hint=hint)
    origin = ratings.origin or tr("the ratings")
    human = human_scores_from_ratings(ratings, origin, corpus.size, corpus.documents, chosen.by).with_system_names(
        corpus.rating_systems
    )
    if chosen.systems_only:
        human = human.without_segments()
    selection = MetaEvalSelection(chosen.metrics, origin=origin)
    data = join_scores(human, _view_texts(view, chosen), _external_scores(corpus), selection, on_progress)
    return replace(data, notes=(*data.notes, *orientation_warnings(corpus.metric_scores)))


def _has_texts(corpus: Corpus) -> bool:
    # called often by the window, so the MT to score is not yet determined here
    return bool(corpus.references) and (bool(corpus.translations) or corpus.text(TextRole.MT) is not None)


def _view_texts(view: View, chosen: MetaEvalChoice) -> MetaEvalTexts | None:
    """Return the translations and the selected reference; None if the corpus has no translations or no reference."""
    if not _has_texts(view.corpus):
        return None
    reference = TRANSLATIONS.reference(view, chosen.reference)
    assert reference is not None
    settings = chosen.tokenization.settings(view.corpus)
    count = len(view.corpus.references) if reference.name == ALL_REFERENCES else 1
    level = tokenized_level(replace(chosen.tokenization, references=count), replace(settings, references=count))
    subjects = tuple(level.subjects(view, reference))
    return MetaEvalTexts(Scoring(view, reference, subjects, level), settings, tr("the translations"))


def _external_scores(corpus: Corpus) -> dict[str, ExternalMetricScores]:
    return {
        name: ExternalMetricScores(
            external_metric(name, column.better), column.scores_by_system, Path(column.origin or name)
        )
        for name, column in corpus.metric_scores.items()
    }
