"""Several corpora in one folder: which files belong together, by the stems of their names or by language pairs.

Shared tasks publish train, dev and test side by side (`dev.src`, `dev.mt`, `dev.src_tags`, `train.src` …), and the gold
of several language pairs in one file. What has no stem and no pair goes where it fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

from qe_desktop.corpus import Documents, Kind, QeError, TextColumn, TextRole
from qe_desktop.formats import score_grids, score_tables, word_tables
from qe_desktop.formats.brought import tags_with_text, with_brought
from qe_desktop.formats.layers import ReadLayers, read_layers
from qe_desktop.formats.names import language_pair_of
from qe_desktop.formats.opening import OpenedFile, open_file
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.questions import Lines, Numbers
from qe_desktop.formats.registry import BY_NAME
from qe_desktop.formats.regular_files import Watch, size_of
from qe_desktop.formats.roles import Role, is_gold
from qe_desktop.formats.sentences import few
from qe_desktop.formats.sorting import WHOLE
from qe_desktop.formats.standard_input import STANDARD_INPUT
from qe_desktop.formats.tables import SystemScores
from qe_desktop.formats.tags import ReadTags, Texts
from qe_desktop.wording import tr

TABLES = (word_tables.FORMAT.name, score_tables.FORMAT.name, score_grids.FORMAT.name)
"""The formats whose rows say themselves of which segment they are."""
Value = TypeVar("Value")
_MARK = re.compile(r"[._-]")
_SHARED = (Role.SOURCE, Role.RAW_SOURCE, Role.REFERENCE, Role.DOCUMENTS)
"""What several translations of one text have in common."""
_SINGLE = (Role.ALIGNMENTS, Role.DOCUMENTS, Role.PIECES)


MOST_PAIRS = 500
"""Language pairs of a table that become corpora of their own; more are no pairs, but a column that was spoilt."""


@dataclass(frozen=True, slots=True)
class Part:
    """The files of one of several corpora. `name` tells it from the others; it is empty where there is but one."""

    name: str
    language_pair: str
    files: tuple[PlannedFile, ...]


def parts_of(
    files: Sequence[PlannedFile], watch: Watch, *, language_pair: str = "", folder_pair: str = ""
) -> list[Part]:
    """The corpora that files belong to; with a `language_pair` tables of several are of that one.

    `folder_pair` is the pair of all that names none itself. A folder with one stem and one language pair is one corpus,
    with all files as they are.
    """
    stems = _stems(files)
    if len(stems) > 1:
        of_stem: dict[str, list[PlannedFile]] = {stem: [] for stem in stems}
        for file in files:
            if stem := _stem_in(file.path.name, of_stem):
                of_stem[stem].append(file)
        own: Mapping[str, Sequence[PlannedFile]] = of_stem
        pairs = {stem: language_pair or _pair(held) or folder_pair for stem, held in own.items()}
    else:
        named = [] if language_pair else gold_pairs(files)
        if len(named) > MOST_PAIRS:
            return [Part("", "", tuple(files))]
        if len(named) < 2:
            pair = language_pair or next(iter(named), "")
            return [Part("", "", tuple(_without_others(files, pair) if pair else files))]
        own = {pair: [file for file in files if pair in _pairs(file)] for pair in named}
        pairs = {pair: pair for pair in named}
    return _filled(own, pairs, files, watch)


def _without_others(files: Sequence[PlannedFile], pair: str) -> list[PlannedFile]:
    """The files of a corpus of this pair, of which tables of systems that have other pairs alone are left out."""

    def other(file: PlannedFile) -> bool:
        # of a large table the beginning has shown some of its pairs
        return (
            file.role is Role.SYSTEM
            and len(file.pairs) > 0
            and pair.lower() not in {held.lower() for held in file.pairs}
            and file.path is not STANDARD_INPUT
            and size_of(file.path) <= WHOLE
        )

    note = tr("it has no rows of a language pair with gold here")
    return [file.noted(note, Role.IGNORED) if other(file) else file for file in files]


def gold_pairs(files: Sequence[PlannedFile]) -> list[str]:
    """The language pairs that there is gold for, as its rows or its name tell."""
    golds = [
        file
        for file in files
        if file.role in (Role.GOLD, Role.SYSTEM) and (file.gold or file.golds or is_gold(file.path, None))
    ]
    return list(dict.fromkeys(pair for file in golds for pair in _pairs(file)))


def _pairs(file: PlannedFile) -> tuple[str, ...]:
    if file.pairs:
        return file.pairs
    named = language_pair_of(file.path.name)
    return (named,) if named else ()


def _pair(files: Sequence[PlannedFile]) -> str:
    """The one pair of a corpus's files; nothing where none or several are named."""
    pairs = {pair for file in files for pair in _pairs(file)}
    return pairs.pop() if len(pairs) == 1 else ""


def _stems(files: Sequence[PlannedFile]) -> list[str]:
    """The stems that make a corpus each: an MT and another text of that stem, or an MT and its tags or scores."""
    texts = [file for file in files if file.role.text is not None and file.stem and file.problem is None]
    with_mt = dict.fromkeys(file.stem for file in texts if file.role is Role.MT)
    roles = {stem: set[Role]() for stem in with_mt}
    for file in texts:
        if file.stem in roles:
            roles[file.stem].add(file.role)
    systems = (file.path.name for file in files if file.role in (Role.GOLD, Role.SYSTEM) and file.problem is None)
    tagged = {_stem_in(name, with_mt) for name in systems}
    # mt.test21.neen beside test21.mt is of the same corpus
    return [
        stem
        for stem in with_mt
        if len(roles[stem]) > 1 or (stem in tagged and len(_held(stem, with_mt)) == 1)
    ]  # fmt: skip


def _stem_in(name: str, stems: Collection[str]) -> str:
    """The longest of the stems that a file's name holds between dots, hyphens and the like; nothing where none is."""
    return max(_held(name.lower(), stems), key=len, default="")


def _held(name: str, stems: Collection[str]) -> set[str]:
    """The stems that a name holds as a whole, from one of its marks to another."""
    marks = [match.start() for match in _MARK.finditer(name)]
    begins, ends = [0, *(mark + 1 for mark in marks)], [*marks, len(name)]
    return {name[begin:end] for place, begin in enumerate(begins) for end in ends[place:] if name[begin:end] in stems}


def _filled(
    own: Mapping[str, Sequence[PlannedFile]], pairs: Mapping[str, str], files: Sequence[PlannedFile], watch: Watch
) -> list[Part]:
    """The parts with the files that are none's own: each where it fits, or named as left out."""
    measured = {name: Measured(of_part, pairs[name], watch) for name, of_part in own.items()}
    taken = {file.path for of_part in own.values() for file in of_part}
    chosen: dict[str, list[PlannedFile]] = {name: list(of_part) for name, of_part in own.items()}
    for file in files:
        if file.path in taken:
            continue
        by_pair = bool(file.pairs) and all(pairs.values()) and len({*pairs.values()}) == len(pairs)
        if file.role in (Role.IGNORED, Role.JOB) or file.problem:
            where = list(own)
        elif by_pair:
            # rows say by their pair whose they are, where no two corpora are of one pair
            where = [name for name in own if pairs[name] in file.pairs]
        else:
            where = _where(file, measured)
        if not where or not (by_pair or _belongs(file, len(where), of=len(own))):
            file, where = _left_out(file, list(own), several=bool(where)), list(own)
        for name in where:
            chosen[name].append(file)
    order = {file.path: place for place, file in enumerate(files)}
    return [
        Part(name, pairs[name], tuple(sorted(of_part, key=lambda file: order[file.path])))
        for name, of_part in chosen.items()
    ]


def _where(file: PlannedFile, parts: Mapping[str, Measured]) -> list[str]:
    """The parts that a file fits."""
    lines = _read(lambda: _lines_of(file, next(iter(parts.values())))) if file.format not in TABLES else None
    return [name for name, part in parts.items() if part.fits(file, lines)]


def _lines_of(file: PlannedFile, part: Measured) -> int:
    """How many lines a file has that is no table; of documents, without the title."""
    values = part.values(file)
    if isinstance(values, SystemScores):
        return values.size
    return len(values.of_segment) if isinstance(values, Documents) else len(cast(Sized, values))


def _belongs(file: PlannedFile, parts: int, *, of: int) -> bool:
    """Whether a file belongs to all of the parts that it fits, so many `of` all."""
    if parts == 1 or file.role in (Role.IGNORED, Role.JOB) or file.problem is not None:
        return True
    if file.role in (Role.GOLD, Role.SYSTEM):
        # tags are known by the tokens that they fit
        return file.kind is not Kind.SCORES
    return file.role in _SHARED and parts == of


def _left_out(file: PlannedFile, names: Sequence[str], *, several: bool) -> PlannedFile:
    if several:
        note = tr("it may belong to several of the corpora here ({names}) and is left out of all", names=few(names))
    else:
        note = tr("it fits none of the corpora here ({names})", names=few(names))
    return file.noted(note, Role.IGNORED)


class Measured:
    """A corpus's own texts, read when something is first compared with them."""

    def __init__(self, files: Sequence[PlannedFile], language_pair: str, watch: Watch) -> None:
        self.files = files
        self.language_pair = language_pair
        self._watch = watch
        self._texts: Texts | None = None

    def fits(self, file: PlannedFile, lines: int | None) -> bool:
        """Whether a file of so many lines can be of it: by its lines, tags by their tokens, in a place that is free.

        `lines` is None for tables.
        """
        texts = self.texts()
        size = next((len(text) for text in (texts.mt, texts.source) if text is not None), None)
        tags = file.role in (Role.GOLD, Role.SYSTEM)
        single = (file.role.text is not None and file.role is not Role.REFERENCE) or file.role in _SINGLE
        if size is None or file.role is Role.RATINGS or (single and any(file.role is own.role for own in self.files)):
            return False
        if lines != size and not (tags and (lines is None or file.may_be(Lines))):
            return False
        return not tags or _read(lambda: self._layers(file, texts, size)) is not None

    def _layers(self, file: PlannedFile, texts: Texts, size: int) -> ReadLayers:
        """The file's layers, whatever its numbers mean."""
        unsaid = file.may_be(Numbers) and not file.held(Numbers)
        asked = replace(file, answers=file.answers.with_(Numbers.BAD)) if unsaid else file
        return read_layers(asked, self._opened(file.path), texts, None, size, self.language_pair)

    def texts(self) -> Texts:
        """The MT and the source, as far as they are there and can be read."""
        if self._texts is None:
            mt, source, brought = self._text(Role.MT), self._text(Role.SOURCE), self._brought()
            if brought is not None:
                given = {} if mt is None else {TextRole.MT: mt}
                mt = with_brought(given, brought).get(TextRole.MT)
            self._texts = Texts(mt, source, left_out=None if brought is None else brought.left_out)
        return self._texts

    def _brought(self) -> ReadTags | None:
        """Gold that brings the MT, as far as it can be read."""
        bringing = next((file.path for file in self.files if file.brings_mt), None)
        return None if bringing is None else _read(lambda: tags_with_text(self._opened(bringing), self.language_pair))

    def _text(self, role: Role) -> TextColumn | None:
        files = sorted((file for file in self.files if file.role is role), key=lambda file: not file.tokenised)
        if not files:
            return None
        found = _read(lambda: self.values(files[0]))
        return found if isinstance(found, TextColumn) else None

    def values(self, file: PlannedFile) -> object:
        """What a file holds. QeError where it cannot be read."""
        return BY_NAME[file.format].read(self._opened(file.path)).values

    def _opened(self, path: Path) -> OpenedFile:
        return open_file(path, self._watch)


def _read(read: Callable[[], Value]) -> Value | None:
    try:
        return read()
    except QeError:
        return None
