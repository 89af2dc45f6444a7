"""Reading of shared-task folders: a corpus for each language pair, and its scoring at the levels of a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Corpus, QeError, SourceLocation, View
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats import CorpusPlan, LineUnit, PlannedFile, ProbabilityOf, Role, build_corpus, plan_imports
from qe_desktop.formats.files import display_name, never_cancelled
from qe_desktop.formats.importing.plan import PlanProgress
from qe_desktop.formats.importing.roles import language_pair_of
from qe_desktop.formats.importing.validation import combine_errors
from qe_desktop.formats.messages import join_notes, list_names
from qe_desktop.formats.parsed_tables import has_pair, pair_key
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.folder_scores import FolderScores, unify_metrics
from qe_desktop.levels.human.human_level import has_scores
from qe_desktop.levels.level import Level
from qe_desktop.levels.registry import GROUPS
from qe_desktop.levels.scoring import LevelGroup, Scoring
from qe_desktop.levels.system_files import matching_name
from qe_desktop.metrics.text.tokenization import Tokenization

DETECTION_SHARE = 0.3
"""Fraction of the reading progress that is complete when all files have been classified."""


def read_corpora(
    paths: Sequence[Path],
    *,
    language_pair: str = "",
    lines: LineUnit | None = None,
    numbers: ProbabilityOf | None = None,
    progress: PlanProgress | None = None,
    check_cancelled: CheckCancelled = never_cancelled,
) -> tuple[dict[str, Corpus], tuple[str, ...]]:
    """Return the corpora, keyed by unique name (language pair or folder), and notes on layers and on unused files.

    Raises QeError with all errors if any file cannot be read: a missing system would distort ranks and clusters.
    However, an unreadable file of another language pair causes only a note. `lines` and `numbers` determine how
    ambiguous files are read. `progress` and `check_cancelled` have the same meaning as for `plan_imports`, and cover
    the whole process.
    """
    part_progress = _PartProgress(progress)
    plans = plan_imports(
        paths,
        language_pair=language_pair,
        progress=part_progress.part(0.0, DETECTION_SHARE),
        check_cancelled=check_cancelled,
    )
    share = (1 - DETECTION_SHARE) / len(plans)
    corpora: dict[str, Corpus] = {}
    errors: list[QeError] = []
    notes: list[tuple[str, str]] = []
    for index, planned in enumerate(plans):
        planned = planned.with_answer(lines) if lines else planned
        planned = planned.with_answer(numbers) if numbers else planned
        unread = [file for file in planned.files if file.problem is not None and not _is_of_other_pair(file, planned)]
        errors += [file.problem for file in unread if file.problem is not None and file.problem not in errors]
        notes += _unused_file_notes(planned)
        if planned.misses_text() or (unread and not planned.files_with_role(Role.GOLD)):
            continue
        try:
            corpus = build_corpus(
                planned,
                progress=part_progress.part(DETECTION_SHARE + share * index, share),
                check_cancelled=check_cancelled,
            )
        except QeError as error:
            errors.append(error)
            continue
        name = _name(planned, corpora)
        corpora[name] = corpus
        remarks = dict.fromkeys(note for layer in corpus.layers.values() for note in layer.notes)
        notes += [(name, note) for note in remarks]
    if errors:
        raise combine_errors(errors)
    return corpora, tuple(join_notes(notes))


class _PartProgress:
    """Overall progress, computed from the progress of parts; it never decreases."""

    def __init__(self, progress: PlanProgress | None) -> None:
        self.progress = progress
        self.furthest = 0.0

    def part(self, begin: float, size: float) -> PlanProgress:
        """Return the progress callback of a part, which covers the overall progress from `begin` to `begin + size`."""

        def report_progress(name: str, done: float) -> None:
            # the progress of each folder is from 0 to 1
            self.furthest = max(self.furthest, begin + size * min(1.0, done))
            if self.progress is not None:
                self.progress(name, self.furthest)

        return report_progress


def _is_of_other_pair(file: PlannedFile, planned: CorpusPlan) -> bool:
    """Return whether a file belongs to another language pair than the plan.

    The pairs of the file are those of its rows or its folder. If there are none, the pair in the file name counts, but
    only if another file of the plan has this pair. False if the pair of the file or of the plan is unknown.
    """
    named = language_pair_of(file.path.name)
    known_pairs = has_pair((pair for corpus_file in planned.files for pair in corpus_file.pairs), named)
    pairs = file.pairs or ((named,) if named and known_pairs else ())
    return bool(pairs) and not has_pair(("", *pairs), planned.language_pair)


def _unused_file_notes(planned: CorpusPlan) -> list[tuple[str, str]]:
    """Return notes on unused files as pairs of file name and note.

    These are unreadable files of other language pairs, and ignored files in a known format.
    """
    notes: list[tuple[str, str]] = []
    for file in planned.files:
        if file.problem is not None and _is_of_other_pair(file, planned):
            note = tr("this file of another language pair cannot be read: {problem}", problem=file.problem.message)
            notes.append((_relative_name(file.path, planned), note))
        elif file.problem is None and file.role is Role.IGNORED and file.format:
            notes += [(_relative_name(file.path, planned), note) for note in file.notes[-1:]]
    return notes


def _relative_name(path: Path, planned: CorpusPlan) -> str:
    """Return a file's path, starting with the name of the corpus folder if the file is in this folder."""
    folder = Path(planned.folder)
    return display_name(folder.name / path.relative_to(folder) if path.is_relative_to(folder) else path)


def _name(planned: CorpusPlan, corpora: dict[str, Corpus]) -> str:
    """Return a name for the corpus of a plan; the name is not a key of `corpora`.

    The name is the language pair, or else the folder name. If necessary, a folder name or path is appended, and then a
    number.
    """
    pair = planned.language_pair or planned.name
    parent = Path(planned.folder).parent.name
    different = [more for more in (planned.name, parent, planned.folder) if more not in ("", pair)]
    names = [pair, *(join_localized(" ", (pair, more)) for more in different)]
    names += [join_localized(" ", (pair, planned.folder, str(number))) for number in range(2, len(corpora) + 3)]
    used = {pair_key(name) for name in corpora}
    return next(name for name in names if pair_key(name) not in used)


NO_FOLDER_SCORES = FolderScores()


@dataclass(frozen=True, slots=True)
class FolderInputs:
    """Contents of folders for one group of levels: a scoring per language pair, and notes on the scored data.

    `file_notes` are notes on how files were read and on unused files. `groups` are all groups with data to score.
    """

    group: LevelGroup
    pairs: dict[str, Scoring]
    notes: tuple[str, ...]
    file_notes: tuple[str, ...]
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
    check_cancelled: CheckCancelled = never_cancelled,
) -> FolderInputs:
    """Read folders for `group`, or by default for the first group for which there is something to score.

    `lines` and `numbers` determine how ambiguous files are read. `gold` is the name of the gold; by default, the first
    one is used. `scores` are options for metric scores and ratings, and `tokenization` is the tokenization of texts.
    The notes list language pairs with nothing to score. `progress` receives the name of the current file and the
    completed fraction. `check_cancelled` is called often, and may raise an exception to stop. Raises QeError under the
    same conditions as `read_corpora` and `FolderScores.add_to`, if the gold is unknown, or if there is nothing to
    score.
    """
    corpora, file_notes = read_corpora(
        paths,
        language_pair=language_pair,
        lines=lines,
        numbers=numbers,
        progress=progress,
        check_cancelled=check_cancelled,
    )
    corpora, notes = scores.add_to({name: _corpus_to_score(corpus) for name, corpus in corpora.items()})
    views = {name: View(corpus) for name, corpus in unify_metrics(corpora).items()}
    scorings_by_group = {
        candidate.name: scored
        for candidate in GROUPS.values()
        if (scored := _build_scorings(candidate, views, gold, tokenization))
    }
    chosen = group or next(iter(scorings_by_group), "")
    if chosen not in scorings_by_group:
        raise _unknown_gold_error(views, gold, group) or _nothing_to_score_error(paths, group, list(corpora))
    pairs = scorings_by_group[chosen]
    notes += [note for name, scoring in pairs.items() if not gold for note in _default_gold_notes(name, scoring)]
    get_remarks = GROUPS[chosen].get_remarks
    if get_remarks is not None:
        notes += join_notes((name, note) for name, scoring in pairs.items() for note in get_remarks(scoring))
    notes += [_missing_gold_message(name, gold) for name in views if name not in pairs]
    return FolderInputs(
        GROUPS[chosen], pairs, tuple(notes), file_notes, tuple(GROUPS[name] for name in scorings_by_group)
    )


def _corpus_to_score(corpus: Corpus) -> Corpus:
    """Return the corpus; if it contains only ratings, return a copy whose segments are the rated ones."""
    if corpus.size or corpus.ratings is None or not has_scores(corpus.ratings):
        return corpus
    # imported here: needed only for corpora that contain only ratings
    from qe_desktop.levels.human.human_inputs import number_segments

    scores, size = number_segments(corpus.ratings.scores)
    return replace(corpus, size=size, ratings=replace(corpus.ratings, scores=scores))


def _build_scorings(
    group: LevelGroup, views: dict[str, View], gold: str, tokenization: Tokenization | None
) -> dict[str, Scoring]:
    """Return a scoring for each view that the group can score, keyed by the name of the view."""
    levels = [level if tokenization is None else level.with_tokenization(tokenization) for level in group.levels]
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


def _default_gold_notes(name: str, scoring: Scoring) -> list[str]:
    """Return a note if the first of several golds was used by default, else an empty list."""
    golds = [key.name for key in scoring.level.references(scoring.view)]
    # a reference without a name stands for all golds
    if len(golds) < 2 or not scoring.reference.name:
        return []
    used_gold, gold_names = scoring.reference.name, list_names(golds)
    return [
        tr(
            "{pair} is scored against {gold}, the first of its gold layers: {golds}",
            pair=name,
            gold=used_gold,
            golds=gold_names,
        )
    ]


def _missing_gold_message(name: str, gold: str) -> str:
    if gold:
        return tr("{pair} is skipped, because it has no gold “{gold}” or no systems", pair=name, gold=gold)
    return tr("{pair} is skipped, because it has no gold or no systems", pair=name)


def _unknown_gold_error(views: dict[str, View], gold_name: str, group: str) -> QeError | None:
    """Return an error if a gold is named but no level of `group` (empty: of any group) has it; otherwise None."""
    groups = [GROUPS[group]] if group else GROUPS.values()
    levels = [level for level_group in groups for level in level_group.levels]
    golds = dict.fromkeys(key.name for view in views.values() for level in levels for key in level.references(view))
    names = [name for name in golds if name]
    if not gold_name or matching_name(gold_name, names):
        return None
    hint = tr("Gold layers: {golds}.", golds=list_names(names, joined=True)) if names else ""
    return QeError(tr("there is no gold “{name}”", name=gold_name), hint=hint)


def _nothing_to_score_error(paths: Sequence[Path], group: str, names: Sequence[str]) -> QeError:
    message = tr(
        "there is nothing to score: no systems with gold, references or ratings in {names}", names=", ".join(names)
    )
    if group:
        message = tr(
            "there are no {items} to evaluate in {names}",
            items=GROUPS[group].levels[0].items, names=", ".join(names),
        )  # fmt: skip
    hint = tr(
        "Use a folder with systems and their gold, references or ratings. For several language pairs, use one folder "
        "per pair."
    )
    return QeError(message, hint=hint, place=SourceLocation(str(paths[0])))
