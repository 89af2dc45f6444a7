"""Service for the meta-evaluation of the open data; the previous result remains until a new one is ready."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import BLIND_SUFFIX, Corpus, QeError, Ratings, View
from qe_desktop.corpus.ratings_merge import campaigns_of, ratings_with_marks
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations import TRANSLATIONS
from qe_desktop.project import Session, SessionChange
from qe_desktop.project.campaign_views import ALL_RATINGS, FILES_CHOICE, list_rating_choices
from qe_desktop.report.meta_evaluation import MetaEvaluationReport
from qe_desktop.significance.randomization import OnRounds
from qe_desktop.studies.meta_eval.agreement_statistics import AgreementStatistic, get_statistic, order_by_statistic
from qe_desktop.studies.meta_eval.meta_eval_inputs import build_meta_eval_data, has_metrics
from qe_desktop.studies.meta_eval.meta_evaluation import PROGRESS_PARTS, meta_evaluate
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_table import (
    MetaEvaluationOptions,
    MetaEvaluationResult,
    RatingsChoice,
)
from qe_desktop.ui.scores.page_controller import PageResultService
from qe_desktop.ui.scores.significance.significance_service import SignificanceService

if TYPE_CHECKING:
    from qe_desktop.project.store import Project

READ_FRACTION, SCORED_FRACTION = 0.1, 0.5
"""Progress (0..1) after the ratings have been read, and after the translations have been scored."""


class NoRatingsError(QeError):
    """Error raised if the open data have no ratings."""


class BlindedRatingsError(QeError):
    """Error raised if the selected ratings are blinded, so that their system names are letters."""


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvaluationInputs:
    """Inputs of a meta-evaluation: the view, and the open project if the user may read its ratings."""

    view: View
    project: Project | None = None


def compute_meta_evaluation(
    inputs: MetaEvaluationInputs, options: MetaEvaluationOptions, progress: Progress
) -> MetaEvaluationResult:
    """Read the ratings, compute scores and run the study; return its result, without curves.

    Raises QeError if there are no usable ratings, if the selected mean of ratings, a metric or the tokenizer is not
    available, if too few system names match, or if the resampling unit is the document but documents are unknown.
    """
    choices = _ratings_choices(inputs)
    chosen = _choose_ratings(choices, options.ratings)
    ratings = _ratings(inputs, chosen)
    progress.report(READ_FRACTION, tr("ratings"))

    def on_scoring_progress(share: float) -> None:
        progress.report(READ_FRACTION + (SCORED_FRACTION - READ_FRACTION) * share, tr("scoring"))

    data = build_meta_eval_data(inputs.view, ratings, options.input_choice(), on_scoring_progress)
    study = meta_evaluate(
        data.systems, data.metrics, data.human, options.options, _progress_callback(progress, SCORED_FRACTION)
    )
    return MetaEvaluationResult(inputs.view, options, data, study, chosen.uid, choices)


def recompute_meta_evaluation(
    previous_result: MetaEvaluationResult, options: MetaEvaluationOptions, progress: Progress
) -> MetaEvaluationResult:
    """Run the study with other options on the scores of a previous result; return the new result, without curves.

    Raises QeError if the resampling unit is the document but documents are unknown.
    """
    data = previous_result.data
    study = meta_evaluate(data.systems, data.metrics, data.human, options.options, _progress_callback(progress, 0.0))
    return replace(previous_result, options=options, study=study, curves={})


def _ratings_choices(opened: MetaEvaluationInputs) -> tuple[RatingsChoice, ...]:
    """Return the selectable sets of ratings: from the project or, without a project, from files (by campaign)."""
    file_ratings = opened.view.corpus.ratings
    if opened.project is not None:
        project_choices = list_rating_choices(opened.project, file_ratings)
        return tuple(RatingsChoice(choice.uid, choice.title, choice.hidden) for choice in project_choices)
    if file_ratings is None:
        return ()
    campaigns = campaigns_of(file_ratings)
    if len(campaigns) < 2:
        return (RatingsChoice(ALL_RATINGS, tr("Ratings from files")),)
    file_choices = [RatingsChoice(uid, tr("Campaign {uid}, from files", uid=uid)) for uid in campaigns]
    unnamed = ratings_with_marks(file_ratings, [""])
    if len(unnamed.scores):
        file_choices.append(RatingsChoice(FILES_CHOICE, tr("Ratings from files")))
    return tuple(file_choices)


def _choose_ratings(choices: tuple[RatingsChoice, ...], uid: str | None) -> RatingsChoice:
    """Return the ratings with the given `uid`; if there are none, return the first ratings that are not blinded.

    Raises NoRatingsError if `choices` is empty, and BlindedRatingsError if the ratings with this `uid`, or all ratings,
    are blinded.
    """
    if not choices:
        message = tr("the open translations have no ratings")
        raise NoRatingsError(message, hint=tr("Add a file of ratings, or rate in the Rate area."))
    named = [choice for choice in choices if not choice.is_blinded]
    selected = next((choice for choice in choices if choice.uid == uid), (named or list(choices))[0])
    if selected.is_blinded:
        message = tr(
            "Systems are blinded in “{ratings}”, so metrics cannot be compared with these ratings",
            ratings=selected.title,
        )
        raise BlindedRatingsError(
            message, hint=tr("Unblind the campaign in the Rate area. The user, time and reason are logged.")
        )
    return selected


def _ratings(opened: MetaEvaluationInputs, chosen: RatingsChoice) -> Ratings:
    if opened.project is not None:
        return opened.project.ratings(chosen.uid or None)
    file_ratings = opened.view.corpus.ratings
    assert file_ratings is not None
    if chosen.uid == ALL_RATINGS:
        return file_ratings
    mark = "" if chosen.uid == FILES_CHOICE else chosen.uid
    return ratings_with_marks(file_ratings, [mark, mark + BLIND_SUFFIX] if mark else [mark])


def _progress_callback(progress: Progress, begin: float) -> OnRounds:
    """Return a callback that reports progress, which increases from `begin` to 1 as randomizations are completed."""

    def watch(count: int, total: int) -> None:
        share = count / max(1, total)
        text = tr("resampling") if share * PROGRESS_PARTS <= 1 else tr("testing and resampling")
        progress.report(begin + (1 - begin) * share, text)

    return watch


MAX_AUTOMATIC_TRANSLATIONS = 50_000
"""Largest number of segments × (systems + 1) for which a study starts automatically."""


class MetaEvaluationService(PageResultService[MetaEvaluationResult]):
    """Service for the meta-evaluation; seed, correction and alpha are those of the Scores area.

    `statistic` is the statistic by which metrics are sorted, and `metric` the name of the current metric.
    """

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison)
        settings = self.workspace.settings
        self.study_options = MetaEvaluationOptions(seed=comparison.options.seed, rounds=settings.study_rounds)
        self.statistic: AgreementStatistic = get_statistic("")
        self._metric = ""
        self._applied_judgement = self._judgement_options()
        self._session: Session | None = None
        self._input_columns: list[object] = []
        comparison.changed.connect(self._on_compared)
        self.workspace.opened.connect(self._on_opened)
        self.workspace.changed.connect(self._on_change)
        self.workspace.ratings_changed.connect(self._on_ratings)
        self.workspace.level_changed.connect(self._on_reference)
        self.workspace.reference_changed.connect(self._on_reference)
        self._on_opened()

    @property
    def is_outdated(self) -> bool:
        """Whether the options or the input data of the result differ from the current ones; False without a result."""
        result = self.result
        if result is None:
            return False
        return (
            super().is_outdated
            or result.options != self.study_options
            or not _are_same_columns(_score_inputs(result.view.corpus), self._input_columns)
        )

    # --- selection

    @property
    def metric(self) -> str:
        """Name of the current metric: the last selected one or, if it is not in the result, the best by `statistic`.

        Without a result, this is the last selected metric; empty if none was selected.
        """
        if self.result is None or self._metric in self.result.metrics:
            return self._metric
        return self.result.metrics[order_by_statistic(self.result.study, self.statistic)[0]]

    def set_metric(self, name: str) -> None:
        """Select another metric."""
        if name != self.metric:
            self._metric = name
            self.changed.emit()

    def set_statistic(self, name: str) -> None:
        """Sort and compare the metrics by another statistic."""
        self.statistic = get_statistic(name)
        self.changed.emit()

    def set_study_options(self, options: MetaEvaluationOptions) -> None:
        """Set the options, and request a run if they changed; `options.seed` is set for the whole Scores area."""
        if options == self.study_options:
            return
        self.workspace.settings.study_rounds = options.rounds
        self.study_options = options
        if options.seed != self.comparison.options.seed:
            # the area emits `changed`, which is handled below
            self.comparison.set_options(replace(self.comparison.options, seed=options.seed))
        self._request_run()
        self.changed.emit()

    def toggle_systems_only(self) -> None:
        """Toggle whether the study is limited to the system level or includes the segment level."""
        self.set_study_options(replace(self.study_options, systems_only=not self.study_options.systems_only))

    # --- updates

    def _judgement_options(self) -> tuple[object, ...]:
        return self.options.correction, self.options.alpha

    def _on_compared(self) -> None:
        if self.options.seed != self.study_options.seed:
            self.study_options = replace(self.study_options, seed=self.options.seed)
            self._request_run()
        elif self._judgement_options() == self._applied_judgement:
            return
        self._applied_judgement = self._judgement_options()
        self.changed.emit()

    def _on_opened(self) -> None:
        """Discard the result of the previous data, and reset the options that depend on the data."""
        self._session = self.workspace.session
        self.result, self.error = None, None
        default = replace(self.study_options, ratings=None, metrics=(), systems_only=False, unit="segment")
        self.study_options = replace(default, reference=self._reference(), tokenization=self.workspace.tokenization)
        self._on_scores()

    def _on_change(self, change: SessionChange) -> None:
        if not _are_same_columns(_score_inputs(self.workspace.corpus), self._input_columns):
            self._on_scores()

    def _on_ratings(self) -> None:
        """Request a run after a pause in changes to the ratings of the project."""
        if self._project() is not None:
            self._is_run_pending = True
            self._on_edit()

    def _on_reference(self) -> None:
        options = replace(self.study_options, reference=self._reference(), tokenization=self.workspace.tokenization)
        if self.workspace.level.name == TRANSLATIONS.name and options != self.study_options:
            self.study_options = options
            self._request_run()
            self.changed.emit()

    def _reference(self) -> Any:
        return self.workspace.reference if self.workspace.level.name == TRANSLATIONS.name else None

    def _on_scores(self) -> None:
        """Handle changed translations, references, scores or ratings."""
        corpus = self.workspace.corpus
        self._input_columns = _score_inputs(corpus)
        self._cancel_quietly()
        possible = corpus is not None and has_metrics(corpus) and self._may_have_ratings(corpus)
        self.state = "waiting" if possible else "empty"
        if not possible:
            self.result = None
        self._request_run()
        self.changed.emit()

    @property
    def has_ratings(self) -> bool:
        """Whether there may be ratings of the open data."""
        corpus = self.workspace.corpus
        return corpus is not None and self._may_have_ratings(corpus)

    def _may_have_ratings(self, corpus: Corpus) -> bool:
        """Return whether there may be ratings; a project must be read to determine whether it has ratings."""
        return corpus.ratings is not None or self._project() is not None

    def _project(self) -> Any:
        """Return the project if the user may read its ratings, or else None."""
        project = self.workspace.project
        return project if project is not None and project.role == "owner" else None

    def _is_automatic(self) -> bool:
        return self.result is not None or self.is_small()

    def is_small(self) -> bool:
        """Return whether the open data are small enough for the study to start automatically."""
        corpus = self.workspace.corpus
        return corpus is None or corpus.size * (len(corpus.translations) + 1) <= MAX_AUTOMATIC_TRANSLATIONS

    # --- computation

    def run(self) -> None:
        """Run the study, regardless of the size of the data; do nothing if required data are missing.

        Scores are reused if the run was requested because of a change that does not affect the scores.
        """
        view = self.workspace.view
        if view is None or self.state == "empty":
            return
        opened, options, before = MetaEvaluationInputs(view, self._project()), self.study_options, self.result
        is_recomputable = (
            before is not None
            and self._is_run_pending
            and not self.is_data_outdated
            and before.options.has_same_inputs(options)
            and _are_same_columns(_score_inputs(before.view.corpus), self._input_columns)
        )

        def work(progress: Progress) -> MetaEvaluationResult:
            if is_recomputable and before is not None:
                return recompute_meta_evaluation(before, options, progress)
            return compute_meta_evaluation(opened, options, progress)

        self._begin(tr("Metric meta-evaluation"), "meta-evaluation", work, self._store_result)

    def report(self) -> MetaEvaluationReport | None:
        """Return the report of the result as shown: adjusted p-values, sorted by `statistic`; None without a result."""
        result, options = self.result, self.options
        return None if result is None else result.report(options.correction, options.alpha, self.statistic)

    def run_from_scratch(self) -> None:
        """Run the study from scratch: read the ratings and compute scores again."""
        self._is_run_pending = False
        self.run()

    def update_result(self, result: MetaEvaluationResult) -> None:
        """Replace the result with a copy that has additions, such as curves.

        The copy is ignored if it belongs to another study.
        """
        if self.result is not None and result.study is self.result.study:
            self.result = result
            self.changed.emit()


def _score_inputs(corpus: Corpus | None) -> list[object]:
    """Return the columns that a study depends on (edits of tags do not change them); empty without a corpus."""
    if corpus is None:
        return []
    parts = (corpus.translations, corpus.references, corpus.metric_scores, corpus.texts)
    return [*(column for part in parts for column in part.values()), corpus.ratings, corpus.rating_systems]


def _are_same_columns(first: list[object], second: list[object]) -> bool:
    """Return whether both lists contain the same column objects, in the same order."""
    return len(first) == len(second) and all(left is right for left, right in zip(first, second, strict=True))
