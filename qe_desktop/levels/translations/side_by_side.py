"""Translations of one segment side by side: references, post-edit and systems, with scores and differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, TextRole, View
from qe_desktop.corpus.languages import parse_language
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level, Selection
from qe_desktop.levels.translations.diff_styles import DiffStyle, MarkingInput, TextMark, TextMarks
from qe_desktop.levels.translations.translation_level import (
    ALL_REFERENCES,
    TRANSLATIONS,
    reference_key,
    settings_of,
    system_key,
    translations_of,
)
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings

POST_EDIT = LayerKey(Provenance.PERSON, TextRole.POST_EDIT.value, Kind.TRANSLATION)
"""Key of the post-edit among the translations."""
TEXTS_PER_BATCH = 3
"""Number of lines that one call of `mark_more` marks."""


def available_texts(corpus: Corpus) -> dict[LayerKey, TextColumn]:
    """Return all translations of the source: references, post-edit, systems and MT."""
    texts = {reference_key(name): column for name, column in corpus.references.items()}
    post_edit = corpus.text(TextRole.RAW_POST_EDIT) or corpus.text(TextRole.POST_EDIT)
    if post_edit is not None:
        texts[POST_EDIT] = post_edit
    return texts | {system_key(name): column for name, column in translations_of(corpus).items()}


def possible_bases(texts: Mapping[LayerKey, TextColumn]) -> list[LayerKey]:
    """Return the keys of the texts that translations can be compared with.

    The first key is the default: all references together if there are several, otherwise the first text.
    """
    references = [key for key in texts if key.provenance is Provenance.GOLD]
    return [*([reference_key(ALL_REFERENCES)] if len(references) > 1 else []), *texts]


def text_label(key: LayerKey) -> str:
    """Return the display name of the text `key`."""
    if key.provenance is Provenance.GOLD:
        if key.name == ALL_REFERENCES:
            return tr("all references")
        usual = key.name == TextRole.REFERENCE.value
        return TextRole.REFERENCE.display_name if usual else tr("reference {name}", name=key.name)
    return TextRole.POST_EDIT.display_name if key == POST_EDIT else key.name


@dataclass(frozen=True, slots=True, eq=False)
class ScoredTranslations:
    """Level, reference and metric from which segment scores are computed."""

    level: Level
    reference: LayerKey
    metric: str


@dataclass(frozen=True, slots=True, eq=False)
class SideBySideRequest:
    """Request to compare the displayed texts of a segment with the text `base_key`, or with all references."""

    view: View
    segment: int
    texts: Mapping[LayerKey, TextColumn]
    displayed_keys: tuple[LayerKey, ...]
    base_key: LayerKey
    diff_style: DiffStyle
    scored: ScoredTranslations | None = None

    def text(self, key: LayerKey) -> str:
        """Return a text as displayed: its tokens separated by spaces."""
        return " ".join(self.texts[key].tokens(self.segment))

    @property
    def bases(self) -> tuple[LayerKey, ...]:
        """Return the keys of the texts to compare with: `base_key`, or the key of every reference."""
        if self.base_key != reference_key(ALL_REFERENCES):
            return (self.base_key,)
        return tuple(key for key in self.texts if key.provenance is Provenance.GOLD)

    @property
    def language(self) -> str:
        """Return the target language (ISO 639-1); empty if unknown."""
        return parse_language(self.view.corpus.target_language_of(self.segment)).language

    @property
    def settings(self) -> TranslationMetricSettings:
        """Return the tokenization settings of the metrics, or the default settings if the texts are not scored."""
        level = TRANSLATIONS if self.scored is None else self.scored.level
        return settings_of(level.of_view(self.view))


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """Displayed text with its name, marks and score, if any; if `is_base`, other texts are compared with this text."""

    key: LayerKey
    name: str
    text: str
    marks: TextMarks = ()
    score: float | None = None
    is_base: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SideBySide:
    """Source of a segment and its displayed texts as lines.

    `metric` is the metric of the scores. `compared_names` are the names of the texts with which the lines are compared.
    Marks are ready for the first `marked_count` lines. If `marked_count` is negative, the scores are not ready either.
    """

    segment: int
    source: str
    lines: tuple[MarkedLine, ...]
    diff_style: DiffStyle
    compared_names: tuple[str, ...]
    metric: str = ""
    marked_count: int = -1

    @property
    def is_complete(self) -> bool:
        """Return whether all marks and scores are ready."""
        return self.marked_count >= len(self.lines)

    def describe(self, mark: TextMark) -> str:
        """Describe a mark."""
        return self.diff_style.describe(
            replace(mark, other_words=isolate_bidi(mark.other_words)), tuple(map(isolate_bidi, self.compared_names))
        )

    def describe_range(self, line: MarkedLine, start: int, end: int) -> list[str]:
        """Describe the marks that overlap a range of characters, and empty marks within the range or at its ends."""
        descriptions = []
        for mark in line.marks:
            is_inside = mark.start == mark.end and start <= mark.start <= end
            if is_inside or (mark.start < end and start < mark.end):
                descriptions.append(self.describe(mark))
        return descriptions


def unmarked_texts(request: SideBySideRequest) -> SideBySide:
    """Return the displayed texts without marks and scores, which take longer to compute."""
    source = request.view.corpus.tokens(TextRole.SOURCE, request.segment)
    bases = request.bases
    lines = tuple(
        MarkedLine(key, text_label(key), request.text(key), is_base=key in bases) for key in request.displayed_keys
    )
    names = tuple(map(text_label, bases))
    metric = request.scored.metric if request.scored is not None else ""
    return SideBySide(request.segment, " ".join(source), lines, request.diff_style, names, metric)


def side_by_side(request: SideBySideRequest, on_progress: OnProgress | None = None) -> SideBySide:
    """Return the displayed texts with all marks and scores; for `on_progress` and errors, see `mark_more`."""
    result = unmarked_texts(request)
    while not result.is_complete:
        result = mark_more(request, result, on_progress)
    return result


def mark_more(request: SideBySideRequest, current: SideBySide, on_progress: OnProgress | None = None) -> SideBySide:
    """Return `current` with all scores and the marks of the next `TEXTS_PER_BATCH` lines, from top to bottom.

    `on_progress` may raise an exception to stop. Raises QeError if a tokenizer cannot be used.
    """
    lines = list(current.lines)
    if current.marked_count < 0:
        scores = _scores(request)
        lines = [replace(line, score=scores.get(line.key)) for line in lines]
    compared_texts = {key: request.text(key) for key in request.bases}
    first = max(0, current.marked_count)
    last = min(len(lines), first + TEXTS_PER_BATCH)
    for number in range(first, last):
        if on_progress is not None:
            on_progress(number / len(lines))
        lines[number] = replace(lines[number], marks=_marks(request, lines[number], compared_texts))
    return replace(current, lines=tuple(lines), marked_count=last)


def _marks(request: SideBySideRequest, line: MarkedLine, compared_texts: Mapping[LayerKey, str]) -> TextMarks:
    """Return the marks of `line`; empty if other texts are compared with `line`."""
    if line.is_base:
        return ()
    return request.diff_style.marks(
        MarkingInput(line.text, tuple(compared_texts.values()), request.language, request.settings)
    )


def _scores(request: SideBySideRequest) -> dict[LayerKey, float]:
    """Return the scores of the displayed systems in the requested segment, by key; empty if nothing is scored."""
    scored = request.scored
    if scored is None or scored.metric not in scored.level.metrics:
        return {}
    scored_keys = set(scored.level.subjects(request.view, scored.reference))
    subjects = tuple(key for key in request.displayed_keys if key in scored_keys)
    if not subjects:
        return {}
    metric = scored.level.metrics[scored.metric]
    selection = Selection(request.view, scored.reference, subjects)
    rows = scored.level.rows_at(selection, [metric.family], [(request.view, request.segment)])[metric.family.name]
    # NaN for outputs without scores, such as unrated ones
    scores = np.asarray(metric.score(rows[:, 0]), np.float64)
    return {key: float(score) for key, score in zip(subjects, scores, strict=True)}


MAX_INITIAL_REFERENCES, MAX_INITIAL_SYSTEMS = 3, 5
"""Maximum number of references, and of systems, that are displayed by default."""


def displayed_texts(
    texts: Mapping[LayerKey, TextColumn], selected: Sequence[LayerKey] = (), *, show_all: bool = False
) -> tuple[LayerKey, ...]:
    """Return the keys of the texts to display.

    These are the `selected` texts, followed by the first references. If no text is selected, they are the first
    references, the post-edit and the first systems. With `show_all`, they are all texts, the selected ones first.
    """
    displayed = [key for key in selected if key in texts]
    if show_all:
        return (*displayed, *(key for key in texts if key not in displayed))
    references = [key for key in texts if key.provenance is Provenance.GOLD][:MAX_INITIAL_REFERENCES]
    if displayed:
        return (*displayed, *(key for key in references if key not in displayed))
    systems = [key for key in texts if key.provenance is Provenance.SYSTEM][:MAX_INITIAL_SYSTEMS]
    return tuple(key for key in texts if key in references or key in systems or key == POST_EDIT)
