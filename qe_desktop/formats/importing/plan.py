"""Plan of a corpus: its files and their roles, which the user may correct."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Kind, QeError, SourceLocation, TextRole
from qe_desktop.corpus.languages import split_language_pair
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.formats.file_format import TEXT
from qe_desktop.formats.files import MAX_FILES, display_name, list_folder, never_cancelled, too_many_files_error
from qe_desktop.formats.importing.corpus_split import CorpusTexts, find_submissions, split_corpora, submissions_for_gold
from qe_desktop.formats.importing.file_classification import assign_roles, classify_file
from qe_desktop.formats.importing.planned_file import AnswerValue, LineUnit, PlannedFile, ProbabilityOf
from qe_desktop.formats.importing.roles import (
    METRIC_FOLDERS,
    PART_FOLDERS,
    SYSTEM_FOLDERS,
    Role,
    language_pair_of,
    text_role,
)
from qe_desktop.formats.importing.validation import combine_errors
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import has_pair, pair_key, unique_pairs
from qe_desktop.formats.registry import TAG_FORMATS
from qe_desktop.formats.text_files import STANDARD_INPUT, STDIN_NAME
from qe_desktop.i18n.messages import tr

MAX_FOLDER_DEPTH = 4
"""Maximum number of levels below a folder that are searched for corpora."""
PlanProgress = Callable[[str, float], None]
"""Progress callback: the name of the current file and the completed fraction, 0..1."""


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """Plan of one corpus: its name, its folder and language pair (empty if unknown), and its files."""

    name: str
    folder: str
    language_pair: str
    files: tuple[PlannedFile, ...]
    part: str = ""
    """Name that distinguishes the corpus from others in its folder, such as dev or en-de; empty for a single corpus."""

    def with_role(self, path: Path, role: Role, kind: Kind | None = None, name: str | None = None) -> CorpusPlan:
        """Copy of this plan in which the file at `path` has this role and kind, and this name unless it is None.

        Raises KeyError if the plan has no file at `path`.
        """
        if all(file.path != path for file in self.files):
            raise KeyError(path)
        files = [
            replace(file, role=role, kind=kind, name=file.name if name is None else name) if file.path == path else file
            for file in self.files
        ]
        return replace(self, files=tuple(files))

    def merge(self, added: CorpusPlan) -> CorpusPlan:
        """Copy of this plan with the files of the plan `added`, which replace files with the same paths."""
        files = {file.path: file for file in (*self.files, *added.files)}
        return replace(self, files=tuple(files.values()))

    def with_answer(self, answer: AnswerValue, path: Path | None = None) -> CorpusPlan:
        """Copy of this plan with an answer for the file at `path`, or for all files if `path` is None.

        Files to which the question does not apply remain unchanged.
        """
        files = [
            replace(file, answers=file.answers.with_answer(answer))
            if file.has_question(type(answer)) and path in (None, file.path)
            else file
            for file in self.files
        ]
        return replace(self, files=tuple(files))

    def with_choice(self, choice: ColumnChoice, path: Path) -> CorpusPlan:
        """Copy of this plan with `choice` as the source and target of the bilingual file at `path`."""
        return replace(
            self, files=tuple(replace(file, column_choice=choice) if file.path == path else file for file in self.files)
        )

    def unused_texts(self) -> list[PlannedFile]:
        """Text files that are not used, for example because their names do not indicate a role."""
        return [file for file in self.files if file.format == TEXT.name and file.role is Role.IGNORED]

    def files_with_questions(self, texts: Collection[TextRole] = ()) -> list[PlannedFile]:
        """Files with open questions, and files whose source and target must be selected.

        `texts` are the roles of the texts in the open corpus. Whether a line is a segment or a token is not an open
        question if the tokens of the tagged text, or other tags, determine it.
        """
        present_roles = {file.role.text for file in self.files if file.problem is None} | set(texts)
        present_roles |= {TextRole.MT} if self.files_with_mt() else set()
        present_roles |= {TextRole.SOURCE} if self.files_with_role(Role.JOB) else set()
        has_unambiguous_tags = any(
            file.format in TAG_FORMATS and not file.has_question(LineUnit) and file.kind is not Kind.SOURCE
            for file in self.files_with_role(Role.GOLD, Role.SYSTEM)
        )

        def open_question(file: PlannedFile) -> bool:
            belongs = TextRole.SOURCE if file.kind is Kind.SOURCE else TextRole.MT
            is_determined = belongs in present_roles or has_unambiguous_tags
            return (file.has_question(LineUnit) and file.effective_answer(LineUnit) is None and not is_determined) or (
                file.has_question(ProbabilityOf) and file.effective_answer(ProbabilityOf) is None
            )

        return [file for file in self.files if open_question(file) or file.must_select_columns]

    def table_of_texts(self) -> PlannedFile | None:
        """Score table that provides the texts of the corpus; None if no score table has texts.

        The result is also None if there are text files, or files that refer to tokens, because the texts in a table are
        not tokenized.
        """
        used = self.files_with_role(*(role for role in Role if role is not Role.IGNORED))
        scores = [file for file in used if file.kind is Kind.SCORES and file.role in (Role.GOLD, Role.SYSTEM)]
        if any(file not in scores and file.role not in (Role.DOCUMENTS, Role.RATINGS, Role.METRIC) for file in used):
            return None
        return next((file for file in scores if file.text_roles), None)

    def systems(self) -> set[str]:
        """Names of the systems with tags or scores."""
        files = self.files_with_role(Role.SYSTEM)
        named = {name for file in (*files, *self.files_with_role(Role.GOLD)) for name in file.systems}
        return named | {file.name for file in files if not (file.systems or file.golds)}

    def misses_text(self) -> bool:
        """Whether a text file cannot be read; this may be the reason why other files do not fit."""
        return any(file.problem is not None and text_role(file.path.name)[0] is not None for file in self.files)

    def no_data_error(self) -> QeError:
        """Error for a plan from which nothing can be loaded: its files are unreadable, or contain no data."""
        problems = [file.problem for file in self.files if file.problem is not None]
        if problems:
            return combine_errors(problems)
        foreign = next((file for file in self.files if file.unsupported_type), None)
        if foreign is not None:
            message = tr("this is {kind}, which is not supported", kind=foreign.unsupported_type)
            hint = tr("Export the file as text, XLIFF, TMX or PO.")
            return QeError(message, hint=hint, place=SourceLocation(display_name(foreign.path)))
        hint = tr("At least one file with texts, tags, scores or ratings is needed.")
        if self.unused_texts():
            hint = tr("Select the roles of the texts, or use file names that end in .src and .mt.")
        message = tr("no usable texts, tags, scores or ratings found in these files")
        return QeError(message, hint=hint, place=SourceLocation(self.folder or "?"))

    def files_with_mt(self) -> list[PlannedFile]:
        """Readable files that contain the MT: bilingual files, tokenized or raw MT, subword pieces, tables with MT."""
        tags = [file for file in self.files_with_role(Role.GOLD, Role.SYSTEM) if file.contains_mt]
        return [*self.files_with_role(Role.JOB, Role.MT, Role.RAW_MT, Role.PIECES), *tags]

    def files_with_role(self, *roles: Role) -> list[PlannedFile]:
        """Readable files with one of these roles."""
        return [file for file in self.files if file.role in roles and file.problem is None]


def plan_imports(
    paths: Sequence[Path],
    *,
    language_pair: str = "",
    progress: PlanProgress | None = None,
    check_cancelled: CheckCancelled = never_cancelled,
) -> list[CorpusPlan]:
    """Plan the import of files and folders; return one plan per corpus.

    A folder contains one corpus, or several that differ in file-name stem or language pair (see `split_corpora`);
    individual files are grouped in the same way. Submissions in team folders are assigned to the gold of their language
    pair. If the folders contain only one corpus, individual files are added to its plan. The plan lists unreadable
    files with the reason. Raises QeError if there is nothing to load, or nothing for the requested language pair, or if
    a folder cannot be read or contains too many files. An exception raised by `check_cancelled` stops the search.
    """
    scanner = _Scanner(progress, check_cancelled, frozenset(paths))
    plans: list[CorpusPlan] = []
    single: list[Path] = []
    for path in paths:
        # a name that is too long is reported when the file is read
        if path is not STANDARD_INPUT and os.path.isdir(path):
            plans += scanner.plan_folder(path, MAX_FOLDER_DEPTH, _FileBudget(path))
        else:
            single.append(path)
    if single and len(plans) == 1:
        planned_paths = [file.path for file in plans[0].files]
        pair = language_pair or plans[0].language_pair
        plans = [scanner.plan_corpus([*planned_paths, *single], plans[0].name, plans[0].folder, pair)]
    elif single:
        # the working folder of a command is unrelated to its piped input
        folder = next((path.parent for path in single if path is not STANDARD_INPUT), None)
        name = STDIN_NAME if folder is None else folder.resolve().name
        plans += scanner.plans(
            scanner.classify_files(single), name, "" if folder is None else str(folder), language_pair
        )
    if not plans:
        raise _no_corpus_error(paths)
    matching_plans = [
        candidate for candidate in plans if not language_pair or has_pair(("", language_pair), candidate.language_pair)
    ]
    if not matching_plans:
        pairs = list_names(unique_pairs(candidate.language_pair for candidate in plans))
        message = tr("no data for {wanted}, only for {pairs}", wanted=language_pair, pairs=pairs)
        raise QeError(
            message, hint=tr("Select one of these language pairs."), place=SourceLocation(display_name(paths[0]))
        )
    return matching_plans


def _no_corpus_error(paths: Sequence[Path]) -> QeError:
    """Error for paths without corpus files; it lists the contents of the folders."""
    entry_names = [path.name for folder in paths if folder.is_dir() for entry in list_folder(folder) for path in entry]
    named = list_names(entry_names)
    message = (
        tr("none of these files is part of a corpus: {files}", files=named)
        if entry_names
        else tr("the folder is empty")
    )
    hint = tr("The folder must contain texts (such as .src and .mt files), a bilingual file, tags, scores or ratings.")
    return QeError(message, hint=hint, place=SourceLocation(display_name(paths[0])) if paths else None)


class _FileBudget:
    """Limit on the number of files and folders that are listed below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.remaining = MAX_FILES

    def list_entries(self, folder: Path) -> tuple[list[Path], list[Path]]:
        """List the files and subfolders of a folder.

        Raises QeError if the folder cannot be read, or if too many files and folders have been listed in total.
        """
        files, folders = list_folder(folder, MAX_FILES)
        self.remaining -= len(files) + len(folders)
        if self.remaining < 0:
            raise too_many_files_error(self.folder, MAX_FILES)
        return files, folders


class _Scanner:
    """Scanner that classifies each file once, reports progress, and groups files into plans."""

    def __init__(
        self, progress: PlanProgress | None, check_cancelled: CheckCancelled, named: Collection[Path] = ()
    ) -> None:
        self._progress = progress
        self._requested_paths = named
        self._watch = check_cancelled
        self._classified: dict[Path, PlannedFile] = {}

    def plan_folder(self, folder: Path, max_depth: int, budget: _FileBudget) -> list[CorpusPlan]:
        """Plan the corpora in a folder or, if there are none, in its subfolders, at most `max_depth` levels down."""
        files, folders = budget.list_entries(folder)
        inside = {inner: budget.list_entries(inner) for inner in folders if inner.name.lower() in PART_FOLDERS}
        metrics = [entry for inner in inside if inner.name.lower() in METRIC_FOLDERS for entry in inside[inner][1]]
        inside |= {inner: budget.list_entries(inner) for inner in metrics}
        classified = self.classify_files([*files, *(path for contents, _ in inside.values() for path in contents)])
        plans = self.plans(classified, folder.resolve().name, str(folder), "")
        other_folders = [inner for inner in folders if inner not in inside]
        of_teams = [
            entry for inner, contents in inside.items() if inner.name.lower() in SYSTEM_FOLDERS for entry in contents[1]
        ]
        used = [
            candidate
            for candidate in plans
            if candidate.files_with_role(*(role for role in Role if role is not Role.IGNORED))
        ]
        if used or any(file.problem for candidate in plans for file in candidate.files):
            if any(candidate.files_with_role(Role.GOLD) for candidate in used):
                teams = submissions_for_gold(
                    self._teams([*other_folders, *of_teams]), classified, language_pair_of(folder.resolve().name)
                )
                if teams:
                    return self.plans([*classified, *teams], folder.resolve().name, str(folder), "")
            return plans
        if max_depth == 0:
            return []
        below = [candidate for inner in folders for candidate in self.plan_folder(inner, max_depth - 1, budget)]
        return self._with_teams(below, [*other_folders, *of_teams])

    def _teams(self, folders: Sequence[Path]) -> list[PlannedFile]:
        """Submissions in these folders, each named after its team."""
        submissions = []
        budget = _FileBudget(Path())
        for folder in folders:
            submissions += find_submissions(
                folder, budget.list_entries, lambda path: self._classify(path, 1), self._watch
            )
        self._classified.update((file.path, file) for file in submissions)
        return submissions

    def _with_teams(self, plans: list[CorpusPlan], folders: Sequence[Path]) -> list[CorpusPlan]:
        """Add team submissions to plans with gold of the same language pair; drop plans with only such submissions."""
        golds = [candidate for candidate in plans if candidate.files_with_role(Role.GOLD) and candidate.language_pair]
        if not golds:
            return plans
        gold_paths = {file.path for candidate in golds for file in candidate.files}
        teams = [file for file in self._teams(folders) if file.path not in gold_paths]
        golds_per_pair = Counter(pair_key(candidate.language_pair) for candidate in golds)

        def submissions_for(candidate: CorpusPlan) -> list[PlannedFile]:
            pair = candidate.language_pair
            measured = CorpusTexts(candidate.files, pair, self._watch)
            return [
                file
                for file in teams
                if (file.problem and not file.pairs)
                or (
                    has_pair(file.pairs, pair)
                    and (file.problem or golds_per_pair[pair_key(pair)] == 1 or measured.fits(file, None))
                )
            ]

        joined = [
            self._add_files(candidate, submissions_for(candidate)) if candidate in golds else candidate
            for candidate in plans
        ]
        assigned_paths = {
            file.path for candidate in joined if candidate.files_with_role(Role.GOLD) for file in candidate.files
        }
        assigned_paths &= {file.path for file in teams}
        used = [{file.path for file in candidate.files if file.role is not Role.IGNORED} for candidate in joined]
        return [
            candidate
            for candidate, files in zip(joined, used, strict=True)
            if not files or candidate.files_with_role(Role.GOLD) or files - assigned_paths
        ]

    def _add_files(self, base: CorpusPlan, more: Sequence[PlannedFile]) -> CorpusPlan:
        """Plan of the same corpus with additional files; `base` itself if `more` is empty."""
        if not more:
            return base
        classified = self.classify_files([file.path for file in base.files])
        return self._plan([*classified, *more], base.name, base.folder, base.language_pair, base.part)

    def plans(self, classified: Sequence[PlannedFile], name: str, folder: str, language_pair: str) -> list[CorpusPlan]:
        """Group classified files into plans, one per corpus."""
        result = []
        folder_pair = language_pair_of(Path(folder).resolve().name)
        for part in split_corpora(classified, self._watch, language_pair=language_pair, folder_pair=folder_pair):
            pair = language_pair or part.language_pair or _pair_of(part.files, folder)
            plan_name = f"{name} {part.name}" if part.name else name
            result.append(self._plan(part.files, plan_name, folder, pair, part.name))
        return result

    def plan_corpus(self, paths: Sequence[Path], name: str, folder: str, language_pair: str) -> CorpusPlan:
        """Plan these files as one corpus."""
        classified = self.classify_files(paths)
        return self._plan(classified, name, folder, language_pair or _pair_of(classified, folder), "")

    def _plan(self, classified: Sequence[PlannedFile], name: str, folder: str, pair: str, part: str) -> CorpusPlan:
        if not split_language_pair(pair)[1] and split_language_pair(pair.lower())[1]:
            # en-DE is a pair here, not English in Germany
            pair = pair.lower()
        order = list(Role)
        files = sorted(assign_roles(classified), key=lambda file: (file.problem is None, order.index(file.role)))
        return CorpusPlan(name, folder, pair, tuple(files), part)

    def classify_files(self, paths: Sequence[Path]) -> list[PlannedFile]:
        """Classify these files, each separately."""
        paths = list(dict.fromkeys(paths))
        return [self._classify(path, index / len(paths)) for index, path in enumerate(paths)]

    def _classify(self, path: Path, share: float) -> PlannedFile:
        if path not in self._classified:
            if self._progress is not None:
                self._progress(path.name, share)
            file = classify_file(path, self._watch)
            if path in self._requested_paths and file.column_options is not None:
                # a table of texts that the user specifies is loaded, regardless of its column names
                file = replace(file, role=Role.JOB, notes=())
            self._classified[path] = file
        return self._classified[path]


def _pair_of(classified: Sequence[PlannedFile], folder: str) -> str:
    named = language_pair_of(Path(folder).resolve().name) if folder else ""
    of_files = [language_pair_of(file.path.name) for file in classified]
    of_tables = [file.pairs[0] for file in classified if len(unique_pairs(file.pairs)) == 1]
    return next((pair for pair in [named, *of_tables, *of_files] if pair), "")
