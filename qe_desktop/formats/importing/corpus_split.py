"""Splitting of a folder into several corpora: files are grouped by file-name stem or language pair.

Shared tasks publish train, dev and test in one folder (`dev.src`, `dev.mt`, `dev.src_tags`, `train.src` …), and the
gold of several language pairs in one file. Files with neither a stem nor a pair are assigned to the corpora that
they fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

from qe_desktop.corpus import Documents, Kind, QeError, TextColumn, TextRole
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.files import file_size
from qe_desktop.formats.importing.file_classification import MAX_WHOLE_BYTES
from qe_desktop.formats.importing.file_layers import ParsedLayers, read_layers
from qe_desktop.formats.importing.planned_file import LineUnit, PlannedFile, ProbabilityOf
from qe_desktop.formats.importing.roles import Role, is_generic_name, is_gold, language_pair_of
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import SystemScores, has_pair, unique_pairs
from qe_desktop.formats.registry import FORMAT_BY_NAME
from qe_desktop.formats.scores import mlqe_score_tables, wmt_score_tables
from qe_desktop.formats.tags import wmt_word_tables
from qe_desktop.formats.tags.tag_reader import ParsedTags, TagTexts, read_tags_with_text, with_embedded_mt
from qe_desktop.formats.text_files import STANDARD_INPUT, TextFile, open_file
from qe_desktop.i18n.messages import tr

TABLE_FORMATS = (wmt_word_tables.FORMAT.name, wmt_score_tables.FORMAT.name, mlqe_score_tables.FORMAT.name)
"""Names of the formats in which each row contains the number of its segment."""
Value = TypeVar("Value")
_SEPARATOR = re.compile(r"[._-]")
_SHARED_ROLES = (Role.SOURCE, Role.RAW_SOURCE, Role.REFERENCE, Role.DOCUMENTS)
"""Roles of files that can be shared by several translations of the same source."""
_SINGLE_ROLES = (Role.ALIGNMENTS, Role.DOCUMENTS, Role.PIECES)


MAX_LANGUAGE_PAIRS = 500
"""Maximum number of language pairs that become separate corpora; more pairs indicate a damaged column in a table."""


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """Files of one corpus. `name` distinguishes the corpus from others; it is empty if there is only one corpus."""

    name: str
    language_pair: str
    files: tuple[PlannedFile, ...]


def split_corpora(
    files: Sequence[PlannedFile], check_cancelled: CheckCancelled, *, language_pair: str = "", folder_pair: str = ""
) -> list[CorpusFiles]:
    """Group files into corpora by file-name stem or, without several stems, by language pair.

    With a `language_pair`, files are not grouped by pair. The pair of a corpus grouped by stem is `language_pair`, or
    else the pair of its files, or else `folder_pair`. Without several stems or pairs, or with more than
    `MAX_LANGUAGE_PAIRS` pairs, the result is one corpus with all files and without a pair. If a pair is
    requested, or if only one pair has gold, system tables that contain only other pairs are ignored in this corpus,
    unless they are too large to be read completely (`MAX_WHOLE_BYTES`).
    """
    stems = _stems(files)
    if len(stems) > 1:
        of_stem: dict[str, list[PlannedFile]] = {stem: [] for stem in stems}
        for file in files:
            if stem := _stem_in(file.path.name, of_stem):
                of_stem[stem].append(file)
        files_by_corpus: Mapping[str, Sequence[PlannedFile]] = of_stem
        pairs = {stem: language_pair or _pair(members) or folder_pair for stem, members in files_by_corpus.items()}
    else:
        language_pairs = [] if language_pair else gold_pairs(files)
        if len(language_pairs) > MAX_LANGUAGE_PAIRS:
            return [CorpusFiles("", "", tuple(files))]
        if len(language_pairs) < 2:
            pair = language_pair or next(iter(language_pairs), "")
            return [CorpusFiles("", "", tuple(_restrict_to_pair(files, pair) if pair else files))]
        files_by_corpus = {pair: [file for file in files if has_pair(_pairs(file), pair)] for pair in language_pairs}
        pairs = {pair: pair for pair in language_pairs}
    return _assign_unclaimed(files_by_corpus, pairs, files, check_cancelled)


def _restrict_to_pair(files: Sequence[PlannedFile], pair: str) -> list[PlannedFile]:
    """Return the files; small system tables that contain only pairs other than `pair` are marked as ignored."""

    def has_other_pairs(file: PlannedFile) -> bool:
        # the beginning of a large table shows only some of its pairs
        return (
            file.role is Role.SYSTEM
            and len(file.pairs) > 0
            and not has_pair(file.pairs, pair)
            and file.path is not STANDARD_INPUT
            and file_size(file.path) <= MAX_WHOLE_BYTES
        )

    note = tr("no rows for the language pair {pair}", pair=pair)
    return [file.with_note(note, Role.IGNORED) if has_other_pairs(file) else file for file in files]


def gold_pairs(files: Sequence[PlannedFile]) -> list[str]:
    """Language pairs of the gold files, from the rows of each file or else from its name."""
    golds = [
        file
        for file in files
        if file.role in (Role.GOLD, Role.SYSTEM) and (file.is_gold or file.golds or is_gold(file.path, None))
    ]
    return unique_pairs(pair for file in golds for pair in _pairs(file))


def _pairs(file: PlannedFile) -> tuple[str, ...]:
    if file.pairs:
        return file.pairs
    named = language_pair_of(file.path.name)
    return (named,) if named else ()


def _pair(files: Sequence[PlannedFile]) -> str:
    """Language pair of a corpus's files; empty if there is none or more than one."""
    pairs = unique_pairs(pair for file in files for pair in _pairs(file))
    return pairs.pop() if len(pairs) == 1 else ""


def _stems(files: Sequence[PlannedFile]) -> list[str]:
    """Return the stems that form corpora: stems shared by an MT and another text, or by an MT and tags or scores."""
    texts = [file for file in files if file.role.text is not None and file.stem and file.problem is None]
    with_mt = dict.fromkeys(file.stem for file in texts if file.role is Role.MT)
    roles = {stem: set[Role]() for stem in with_mt}
    for file in texts:
        if file.stem in roles:
            roles[file.stem].add(file.role)
    systems = (file.path.name for file in files if file.role in (Role.GOLD, Role.SYSTEM) and file.problem is None)
    tagged = {_stem_in(name, with_mt) for name in systems}
    # mt.test21.neen next to test21.mt belongs to the same corpus
    return [
        stem
        for stem in with_mt
        if len(roles[stem]) > 1 or (stem in tagged and len(_contained_stems(stem, with_mt)) == 1)
    ]  # fmt: skip


def _stem_in(name: str, stems: Collection[str]) -> str:
    """Longest of the stems that occur in a file name between separators; empty if there is none."""
    return max(_contained_stems(name.lower(), stems), key=len, default="")


def _contained_stems(name: str, stems: Collection[str]) -> set[str]:
    """Stems that occur in a name between separators."""
    marks = [match.start() for match in _SEPARATOR.finditer(name)]
    starts, ends = [0, *(mark + 1 for mark in marks)], [*marks, len(name)]
    return {name[begin:end] for index, begin in enumerate(starts) for end in ends[index:] if name[begin:end] in stems}


def _assign_unclaimed(
    files_by_corpus: Mapping[str, Sequence[PlannedFile]],
    pairs: Mapping[str, str],
    files: Sequence[PlannedFile],
    check_cancelled: CheckCancelled,
) -> list[CorpusFiles]:
    """Add each file that is not in `files_by_corpus` to the corpora that it fits.

    A file that fits no corpus, or several corpora that cannot share it, is added to all corpora as ignored, with a
    note. Ignored, bilingual and unreadable files are added to all corpora unchanged.
    """
    measured = {name: CorpusTexts(of_part, pairs[name], check_cancelled) for name, of_part in files_by_corpus.items()}
    claimed_paths = {file.path for of_part in files_by_corpus.values() for file in of_part}
    assigned: dict[str, list[PlannedFile]] = {name: list(of_part) for name, of_part in files_by_corpus.items()}
    for file in files:
        if file.path in claimed_paths:
            continue
        by_pair = bool(file.pairs) and all(pairs.values()) and len(unique_pairs(pairs.values())) == len(pairs)
        if file.role in (Role.IGNORED, Role.JOB) or file.problem:
            corpus_names = list(files_by_corpus)
        elif by_pair:
            # rows belong to the corpus of their pair, if no two corpora have the same pair
            corpus_names = [name for name in files_by_corpus if has_pair(file.pairs, pairs[name])]
        else:
            corpus_names = _matching_parts(file, measured)
        if not corpus_names or not (by_pair or _belongs(file, len(corpus_names), corpus_count=len(files_by_corpus))):
            file = _as_ignored(file, corpus_names or list(files_by_corpus), several=bool(corpus_names))
            corpus_names = list(files_by_corpus)
        for name in corpus_names:
            assigned[name].append(file)
    order = {file.path: index for index, file in enumerate(files)}
    return [
        CorpusFiles(name, pairs[name], tuple(sorted(of_part, key=lambda file: order[file.path])))
        for name, of_part in assigned.items()
    ]


def _matching_parts(file: PlannedFile, parts: Mapping[str, CorpusTexts]) -> list[str]:
    """Names of the corpora that a file fits; empty for ratings, which do not state to which corpus they belong."""
    if file.role is Role.RATINGS:
        return []
    lines = (
        _read_or_none(lambda: _lines_of(file, next(iter(parts.values())))) if file.format not in TABLE_FORMATS else None
    )
    return [name for name, part in parts.items() if part.fits(file, lines)]


def _lines_of(file: PlannedFile, part: CorpusTexts) -> int:
    """Number of lines, without the header, of a file that is not a table; for system scores, the number per system."""
    values = part.values(file)
    if isinstance(values, SystemScores):
        return values.size
    return len(values.of_segment) if isinstance(values, Documents) else len(cast(Sized, values))


def _belongs(file: PlannedFile, parts: int, *, corpus_count: int) -> bool:
    """Whether a file can be added to all corpora that it fits; these are `parts` out of `corpus_count` corpora."""
    if parts == 1 or file.role in (Role.IGNORED, Role.JOB) or file.problem is not None:
        return True
    if file.role in (Role.GOLD, Role.SYSTEM):
        # tags belong to the tokens that they fit
        return file.kind is not Kind.SCORES
    return file.role in _SHARED_ROLES and parts == corpus_count


def _as_ignored(file: PlannedFile, names: Sequence[str], *, several: bool) -> PlannedFile:
    if several:
        note = tr("not used, because the file fits several corpora ({names})", names=list_names(names))
    else:
        note = tr("not used, because the file fits none of the corpora ({names})", names=list_names(names))
    return file.with_note(note, Role.IGNORED)


class CorpusTexts:
    """Texts of a corpus, read on first use."""

    def __init__(self, files: Sequence[PlannedFile], language_pair: str, check_cancelled: CheckCancelled) -> None:
        self.files = files
        self.language_pair = language_pair
        self._watch = check_cancelled
        self._texts: TagTexts | None = None

    def fits(self, file: PlannedFile, lines: int | None) -> bool:
        """Whether a file fits: its numbers of lines and tags match, and its role is free or may have several files.

        `lines` is the number of lines; None for tables and unreadable files. Ratings never fit, and nothing fits a
        corpus that has neither MT nor source.
        """
        texts = self.texts()
        size = next((len(text) for text in (texts.mt, texts.source) if text is not None), None)
        tags = file.role in (Role.GOLD, Role.SYSTEM)
        single = (file.role.text is not None and file.role is not Role.REFERENCE) or file.role in _SINGLE_ROLES
        is_taken = single and any(file.role is corpus_file.role for corpus_file in self.files)
        if size is None or file.role is Role.RATINGS or is_taken:
            return False
        if lines != size and not (tags and (lines is None or file.has_question(LineUnit))):
            return False
        return not tags or _read_or_none(lambda: self._layers(file, texts, size)) is not None

    def _layers(self, file: PlannedFile, texts: TagTexts, size: int) -> ParsedLayers:
        """Layers of a file; probabilities are read as P(BAD) if it is unknown whether they are P(BAD) or P(OK)."""
        unspecified = file.has_question(ProbabilityOf) and not file.effective_answer(ProbabilityOf)
        requested = replace(file, answers=file.answers.with_answer(ProbabilityOf.BAD)) if unspecified else file
        return read_layers(requested, self._open(file.path), texts, None, size, self.language_pair)

    def texts(self) -> TagTexts:
        """MT and source, if present and readable."""
        if self._texts is None:
            mt, source, embedded = self._text(Role.MT), self._text(Role.SOURCE), self._embedded_tags()
            if embedded is not None:
                texts_by_role = {} if mt is None else {TextRole.MT: mt}
                mt = with_embedded_mt(texts_by_role, embedded).get(TextRole.MT)
            self._texts = TagTexts(mt, source, excluded=None if embedded is None else embedded.excluded)
        return self._texts

    def _embedded_tags(self) -> ParsedTags | None:
        """Tags and MT of the first tag table that contains the MT; None if there is none, or if it is not readable."""
        bringing = next((file.path for file in self.files if file.contains_mt), None)
        if bringing is None:
            return None
        return _read_or_none(lambda: read_tags_with_text(self._open(bringing), self.language_pair))

    def _text(self, role: Role) -> TextColumn | None:
        files = sorted((file for file in self.files if file.role is role), key=lambda file: not file.is_tokenized)
        if not files:
            return None
        column = _read_or_none(lambda: self.values(files[0]))
        return column if isinstance(column, TextColumn) else None

    def values(self, file: PlannedFile) -> object:
        """Content of a file. Raises QeError if it cannot be read."""
        return FORMAT_BY_NAME[file.format].read(self._open(file.path)).values

    def _open(self, path: Path) -> TextFile:
        return open_file(path, self._watch)


def _read_or_none(read: Callable[[], Value]) -> Value | None:
    try:
        return read()
    except QeError:
        return None


SUBMISSION_FORMATS = (wmt_word_tables.FORMAT.name, wmt_score_tables.FORMAT.name)
"""Names of the formats of submissions: word tags and segment scores."""
MAX_TEAM_DEPTH = 3
"""Maximum folder depth of a team's files, as in TASK/TEAM/PAIR/predictions.txt."""
_TASK = re.compile(
    r"(words?|sentences?|scores?|tags|tasks?|runs?|submissions?|predictions?|outputs?)([-_ ]?level)?([-_ ]?\d\w*)?"
    r"|t\d([-_ ](words?|sent\w*|da|mqm))?",
    re.IGNORECASE,
)
_FIRST_FIELD = re.compile(rb"^([^\t\n]{1,200})\t", re.MULTILINE)

ListFolder = Callable[[Path], tuple[list[Path], list[Path]]]


def find_submissions(
    folder: Path, listed: ListFolder, classify: Callable[[Path], PlannedFile], check_cancelled: CheckCancelled
) -> list[PlannedFile]:
    """Find submissions in a folder and its subfolders, and name them after their teams.

    Only files with generic names, such as predictions.txt, are examined. Folders in which such files contain texts or
    gold, and folders that cannot be read, are skipped.
    """
    return [
        _with_all_pairs(
            replace(file, name=_team(file.path, folder) or file.name, pairs=_team_pairs(file, folder)), check_cancelled
        )
        for file in _find_files(folder, listed, classify, MAX_TEAM_DEPTH)
    ]


def _find_files(
    folder: Path, listed: ListFolder, classify: Callable[[Path], PlannedFile], max_depth: int
) -> list[PlannedFile]:
    try:
        files, folders = listed(folder)
    except QeError:
        return []
    classified = [classify(path) for path in files if is_generic_name(path.name)]
    if any(file.role.text is not None or file.is_gold for file in classified):
        return []
    inner = [
        file
        for subfolder in folders
        if max_depth > 1
        for file in _find_files(subfolder, listed, classify, max_depth - 1)
    ]
    # an unreadable file may be a submission, and must be reported
    submissions = [
        file for file in classified if file.problem or (file.format in SUBMISSION_FORMATS and file.role is Role.SYSTEM)
    ]
    return [*submissions, *inner]


def submissions_for_gold(
    teams: Sequence[PlannedFile], siblings: Sequence[PlannedFile], folder_pair: str
) -> list[PlannedFile]:
    """Files of the teams; those whose language pairs have no gold are marked as ignored, with a note."""
    gold_language_pairs = gold_pairs(siblings) or ([folder_pair] if folder_pair else [])
    note = tr("no rows for any language pair that has gold")
    return [
        file.with_note(note, Role.IGNORED)
        if gold_language_pairs and file.pairs and not any(has_pair(file.pairs, pair) for pair in gold_language_pairs)
        else file
        for file in teams
    ]


def _folder_names(path: Path, folder: Path) -> list[str]:
    """Names of the folders from `folder` down to the file."""
    return [folder.name, *path.relative_to(folder).parts[:-1]]


def _team(path: Path, folder: Path) -> str:
    """Name of the nearest parent folder that is not named after a language pair or task; empty if there is none."""
    named = [name for name in _folder_names(path, folder) if not _has_pair_name(name) and not _TASK.fullmatch(name)]
    return named[-1] if named else ""


def _has_pair_name(name: str) -> bool:
    return language_pair_of(name) == name.lower() or name.lower().startswith("multilingual")


def _team_pairs(file: PlannedFile, folder: Path) -> tuple[str, ...]:
    """Language pairs of a file's rows, or else of the nearest folder named after a pair; empty if unknown."""
    named = [name.lower() for name in _folder_names(file.path, folder) if language_pair_of(name) == name.lower()]
    return file.pairs or tuple(named[-1:])


def _with_all_pairs(file: PlannedFile, check_cancelled: CheckCancelled) -> PlannedFile:
    """Read the language pairs of all rows of a large table, not only of the first rows; set `problem` on errors."""
    if not file.pairs or file_size(file.path) <= MAX_WHOLE_BYTES:
        return file
    try:
        fields = dict.fromkeys(_FIRST_FIELD.findall(open_file(file.path, check_cancelled).data))
    except QeError as error:
        return replace(file.with_note(tr("the file cannot be read")), description=error.message, problem=error)
    return replace(file, pairs=tuple(field.decode("utf-8", "replace") for field in fields))
