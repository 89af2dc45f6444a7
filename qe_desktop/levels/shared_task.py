"""Folders of shared tasks: one corpus for each language pair, and what of a level is in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Corpus, QeError, SourceLocation, View
from qe_desktop.formats import CorpusPlan, LineUnit, PlannedFile, ProbabilityOf, Role, build_corpus, plan_imports
from qe_desktop.formats.importing.file_names import language_pair_of
from qe_desktop.formats.importing.plan import PlanProgress
from qe_desktop.formats.importing.validation import combine_errors
from qe_desktop.formats.io.files import CheckCancelled, display_name, never_cancelled
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.folder_scores import FolderScores, unify_metrics
from qe_desktop.levels.human.human_scores import has_scores
from qe_desktop.levels.level import Level
from qe_desktop.levels.level_group import LevelGroup
from qe_desktop.levels.registry import GROUPS
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_files import matching_name
from qe_desktop.metrics.text.tokenization import Tokenization

DETECTION_SHARE = 0.3
"""The share of the reading that is done when all files are recognised."""


def read_corpora(
    paths: Sequence[Path],
    *,
    language_pair: str = "",
    lines: LineUnit | None = None,
    numbers: ProbabilityOf | None = None,
    progress: PlanProgress | None = None,
    watch: CheckCancelled = never_cancelled,
) -> tuple[dict[str, Corpus], tuple[str, ...]]:
    """The corpora by their pairs, and remarks for people: of their layers, and on each file that is no part of any.

    QeError that lists what is wrong in all files: a system that is not read would be missing from ranks and clusters.
    A file that cannot be read and is of a pair that is not there is named in the remarks. `lines` and `numbers` answer
    what files leave open; `progress` and `watch` are those of `plan`, over all of the work.
    """
    told = _PartProgress(progress)
    seen = plan_imports(paths, language_pair=language_pair, progress=told.part(0.0, DETECTION_SHARE), watch=watch)
    share = (1 - DETECTION_SHARE) / len(seen)
    found: dict[str, Corpus] = {}
    errors: list[QeError] = []
    notes: list[str] = []
    for place, planned in enumerate(seen):
        planned = planned.answered(lines) if lines else planned
        planned = planned.answered(numbers) if numbers else planned
        unread = [file for file in planned.files if file.problem is not None and not _is_of_another(file, planned)]
        errors += [file.problem for file in unread if file.problem is not None and file.problem not in errors]
        notes += _aside(planned)
        if planned.misses_text() or (unread and not planned.of(Role.GOLD)):
            continue
        try:
            corpus = build_corpus(planned, progress=told.part(DETECTION_SHARE + share * place, share), watch=watch)
        except QeError as error:
            errors.append(error)
            continue
        name = _name(planned, found)
        found[name] = corpus
        remarks = dict.fromkeys(note for layer in corpus.layers.values() for note in layer.notes)
        notes += [join_localized(": ", (name, note)) for note in remarks]
    if errors:
        raise combine_errors(errors)
    return found, tuple(dict.fromkeys(notes))


class _PartProgress:
    """Tells the progress of parts of the work as that of all of it, which never goes back."""

    def __init__(self, progress: PlanProgress | None) -> None:
        self.progress = progress
        self.furthest = 0.0

    def part(self, begin: float, size: float) -> PlanProgress:
        """The progress of a part."""

        def tell(name: str, done: float) -> None:
            # each folder is recognised from 0 to 1
            self.furthest = max(self.furthest, begin + size * min(1.0, done))
            if self.progress is not None:
                self.progress(name, self.furthest)

        return tell


def _is_of_another(file: PlannedFile, planned: CorpusPlan) -> bool:
    """Whether a file is of another language pair, by its folder or, where that pair is known here, by its name."""
    known = {pair.lower() for one in planned.files for pair in one.pairs}
    pairs = {pair.lower() for pair in file.pairs} or known & {language_pair_of(file.path.name)}
    return bool(pairs) and planned.language_pair.lower() not in ("", *pairs)


def _aside(planned: CorpusPlan) -> list[str]:
    """What there is to be said of files that are not part of a corpus, though they might have been."""
    found = []
    for file in planned.files:
        if file.problem is not None and _is_of_another(file, planned):
            note = tr("it cannot be read, and is of another language pair: {problem}", problem=file.problem.message)
            found.append(join_localized(": ", (_relative_name(file.path, planned), note)))
        elif file.problem is None and file.role is Role.IGNORED and file.format:
            found += [join_localized(": ", (_relative_name(file.path, planned), note)) for note in file.notes[-1:]]
    return found


def _relative_name(path: Path, planned: CorpusPlan) -> str:
    """A file's name from its corpus's folder on."""
    folder = Path(planned.folder)
    return display_name(folder.name / path.relative_to(folder) if path.is_relative_to(folder) else path)


def _name(planned: CorpusPlan, found: dict[str, Corpus]) -> str:
    """The language pair, or the folder's name where there is none or another folder has it too."""
    pair = planned.language_pair or planned.name
    names = [pair, *(join_localized(" ", (pair, more)) for more in (planned.name, planned.folder))]
    names += [join_localized(" ", (pair, planned.folder, str(number))) for number in range(2, len(found) + 3)]
    return next(name for name in names if name not in found)


NO_FOLDER_SCORES = FolderScores()


@dataclass(frozen=True, slots=True)
class FolderInputs:
    """What folders hold of one group of levels: what is scored for each language pair, and remarks for people.

    `groups` are all of which they hold something to score.
    """

    group: LevelGroup
    pairs: dict[str, Scoring]
    notes: tuple[str, ...]
    groups: tuple[LevelGroup, ...]


def read_folders(
    paths: Sequence[Path],
    group: str = "",
    *,
    language_pair: str = "",
    lines: LineUnit | None = None,
    numbers: ProbabilityOf | None = None,
    gold: str = "",
    scores: FolderScores = NO_FOLDER_SCORES,
    tokenization: Tokenization | None = None,
    progress: PlanProgress | None = None,
    watch: CheckCancelled = never_cancelled,
) -> FolderInputs:
    """Read folders; of `group`, or of the first that there are systems of. QeError where there is nothing to score.

    `lines` and `numbers` answer what files leave open. `gold` is the name of what is scored against, where there are
    several golds. `scores` is said of metrics' scores and ratings, and `tokenization` is how texts are split. Pairs in
    which nothing can be scored are named in the notes. `progress` hears which file is read and the share of the work
    that is done; `watch` is called often, and what it raises ends the reading.
    """
    found, remarks = read_corpora(
        paths, language_pair=language_pair, lines=lines, numbers=numbers, progress=progress, watch=watch
    )
    found, more = scores.added({name: _to_be_scored(corpus) for name, corpus in found.items()})
    notes = [*remarks, *more]
    views = {name: View(corpus) for name, corpus in unify_metrics(found).items()}
    there = {one.name: scored for one in GROUPS.values() if (scored := _build_scorings(one, views, gold, tokenization))}
    chosen = group or next(iter(there), "")
    if chosen not in there:
        raise _no_gold(views, gold) if gold else _nothing(paths, group, list(found))
    pairs = there[chosen]
    notes += [note for name, scoring in pairs.items() if not gold for note in _of_golds(name, scoring)]
    about = GROUPS[chosen].remarks
    if about is not None:
        notes += [join_localized(": ", (name, note)) for name, scoring in pairs.items() for note in about(scoring)]
    notes += [_missing_gold_message(name, gold) for name in views if name not in pairs]
    return FolderInputs(GROUPS[chosen], pairs, tuple(notes), tuple(GROUPS[name] for name in there))


def _to_be_scored(corpus: Corpus) -> Corpus:
    """A corpus of nothing but ratings has the segments that were rated."""
    if corpus.size or corpus.ratings is None or not has_scores(corpus.ratings):
        return corpus
    # the numbers of segments are needed where there are ratings alone
    from qe_desktop.levels.human.human_inputs import number_segments

    scores, size = number_segments(corpus.ratings.scores)
    return replace(corpus, size=size, ratings=replace(corpus.ratings, scores=scores))


def _build_scorings(
    group: LevelGroup, views: dict[str, View], gold: str, tokenization: Tokenization | None
) -> dict[str, Scoring]:
    """What of a group can be scored, by pair."""
    levels = [level if tokenization is None else level.tokenized(tokenization) for level in group.levels]
    return {name: scoring for name, view in views.items() if (scoring := _scoring(levels, view, gold)) is not None}


def _scoring(levels: Sequence[Level], view: View, gold: str) -> Scoring | None:
    for level in levels:
        golds = {key.name: key for key in level.references(view) if key.name}
        chosen = golds.get(matching_name(gold, golds)) if gold else None
        if gold and chosen is None:
            continue
        scoring = Scoring.of(level, view, chosen)
        if scoring is not None and scoring.subjects:
            return scoring
    return None


def _of_golds(name: str, scoring: Scoring) -> list[str]:
    """What is to be said where nobody chose among several golds."""
    golds = [key.name for key in scoring.level.references(scoring.view)]
    # what has no name stands for all of them
    if len(golds) < 2 or not scoring.reference.name:
        return []
    taken, said = scoring.reference.name, list_names(golds)
    return [tr("{pair} is scored against {gold}, the first of its golds: {golds}", pair=name, gold=taken, golds=said)]


def _missing_gold_message(name: str, gold: str) -> str:
    if gold:
        return tr("{pair} has no gold called “{gold}” or no systems, and is left out", pair=name, gold=gold)
    return tr("{pair} has no gold or no systems, and is left out", pair=name)


def _no_gold(views: dict[str, View], wanted: str) -> QeError:
    levels = [level for group in GROUPS.values() for level in group.levels]
    golds = dict.fromkeys(key.name for view in views.values() for level in levels for key in level.references(view))
    hint = tr("The golds are {golds}.", golds=list_names([name for name in golds if name], joined=True))
    return QeError(tr("no gold is called “{name}”", name=wanted), hint=hint)


def _nothing(paths: Sequence[Path], group: str, names: Sequence[str]) -> QeError:
    message = tr("there is nothing to score: no gold with systems beside it in {names}", names=", ".join(names))
    if group:
        message = tr(
            "there are no {items} to score: no gold with systems beside it in {names}",
            items=GROUPS[group].levels[0].items, names=", ".join(names),
        )  # fmt: skip
    hint = tr("Give a folder with gold and the systems' files, for several pairs a folder each.")
    return QeError(message, hint=hint, place=SourceLocation(str(paths[0])))
