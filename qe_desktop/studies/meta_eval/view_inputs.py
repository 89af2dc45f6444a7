"""Inputs of a meta-evaluation from the open corpus: translations, scores and ratings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Corpus, LayerKey, QeError, Ratings, TextRole, View
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.levels.translations.external_metrics import ExternalMetricScores
from qe_desktop.levels.translations.translation_level import orientation_warnings, tokenized_level
from qe_desktop.levels.translations.translation_texts import ALL_REFERENCES
from qe_desktop.metrics.external import external_metric
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION, Tokenization
from qe_desktop.studies.meta_eval.human_score_files import HumanScoreMeans, human_scores_from_ratings
from qe_desktop.studies.meta_eval.score_join import MetaEvalData, MetaEvalSelection, MetaEvalTexts, join_scores


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
        human = replace(human, segments=None)
    selection = MetaEvalSelection(chosen.metrics, origin=origin)
    data = join_scores(human, _texts(view, chosen), _external_scores(corpus), selection, on_progress)
    return replace(data, notes=(*data.notes, *orientation_warnings(corpus.metric_scores)))


def _has_texts(corpus: Corpus) -> bool:
    # called often by the window; the MT is determined only when scored
    return bool(corpus.references) and (bool(corpus.translations) or corpus.text(TextRole.MT) is not None)


def _texts(view: View, chosen: MetaEvalChoice) -> MetaEvalTexts | None:
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
