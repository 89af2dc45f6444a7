"""Several corpora in one folder: which files belong together, by the stems of their names or by language pairs.

Shared tasks publish train, dev and test side by side (`dev.src`, `dev.mt`, `dev.src_tags`, `train.src` …), and the gold
of several language pairs in one file. What has no stem and no pair goes where it fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from qe_desktop.corpus import Documents, Kind, QeError, TextColumn
from qe_desktop.formats.brought import tags_with_text
from qe_desktop.formats.layers import read_layers
from qe_desktop.formats.names import language_pair_of
from qe_desktop.formats.opening import OpenedFile, open_file
from qe_desktop.formats.questions import Numbers
from qe_desktop.formats.registry import BY_NAME
from qe_desktop.formats.regular_files import Watch
from qe_desktop.formats.roles import Role, is_gold
from qe_desktop.formats.sentences import few
from qe_desktop.formats.sorting import PlannedFile
from qe_desktop.formats.tables import ScoreGrid, ScoreTable
from qe_desktop.formats.tags import Texts
from qe_desktop.wording import tr

TABLES = ("word table", "score table")
"""The formats whose rows may name a language pair."""
Value = TypeVar("Value")
_SINGLE = (Role.ALIGNMENTS, Role.DOCUMENTS, Role.PIECES)


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

    `folder_pair` is the pair of all that names none itself.

    A folder with one stem and one language pair is one corpus, with all files as they are.
    """
    stems = _stems(files)
    if len(stems) > 1:
        own = {stem: [file for file in files if _stem_in(file.path.name, stems) == stem] for stem in stems}
        pairs = {stem: language_pair or _pair(of_stem) or folder_pair for stem, of_stem in own.items()}
    else:
        named = [] if language_pair else gold_pairs(files)
        if len(named) < 2:
            return [Part("", "", tuple(files))]
        own = {pair: [file for file in files if pair in _pairs(file)] for pair in named}
        pairs = {pair: pair for pair in named}
    return _filled(own, pairs, files, watch)


def gold_pairs(files: Sequence[PlannedFile]) -> list[str]:
    """The language pairs that there is gold for, as its rows or its name tell."""
    golds = [
        file for file in files if file.role in (Role.GOLD, Role.SYSTEM) and (file.gold or is_gold(file.path, None))
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
    with_mt = list(dict.fromkeys(file.stem for file in texts if file.role is Role.MT))
    found = []
    for stem in with_mt:
        roles = {file.role for file in texts if file.stem == stem}
        tagged = any(
            file.role is Role.SYSTEM and file.problem is None and _stem_in(file.path.name, with_mt) == stem
            for file in files
        )
        # mt.test21.neen beside test21.mt is of the same corpus
        longer = any(other != stem and _stem_in(stem, [other]) for other in with_mt)
        if len(roles) > 1 or (tagged and not longer):
            found.append(stem)
    return found


def _stem_in(name: str, stems: Sequence[str]) -> str:
    """The longest of the stems that a file's name holds between dots, hyphens and the like; nothing where none is."""
    held = [stem for stem in stems if re.search(rf"(?<![^._-]){re.escape(stem)}(?![^._-])", name.lower())]
    return max(held, key=len, default="")


def _filled(
    own: Mapping[str, Sequence[PlannedFile]], pairs: Mapping[str, str], files: Sequence[PlannedFile], watch: Watch
) -> list[Part]:
    """The parts with the files that are none's own: each where it fits, or named as left out."""
    measured = {name: _Measured(of_part, pairs[name], watch) for name, of_part in own.items()}
    taken = {file.path for of_part in own.values() for file in of_part}
    chosen: dict[str, list[PlannedFile]] = {name: list(of_part) for name, of_part in own.items()}
    for file in files:
        if file.path in taken:
            continue
        where = list(own) if file.role is Role.IGNORED or file.problem else _where(file, measured)
        if not where or (len(where) > 1 and not _can_be_of_several(file)):
            file, where = _left_out(file, list(own), several=bool(where)), list(own)
        for name in where:
            chosen[name].append(file)
    order = {file.path: place for place, file in enumerate(files)}
    return [
        Part(name, pairs[name], tuple(sorted(of_part, key=lambda file: order[file.path])))
        for name, of_part in chosen.items()
    ]


def _where(file: PlannedFile, parts: Mapping[str, _Measured]) -> list[str]:
    """The parts that a file fits. Rows say by their pair whose they are, where no two corpora are of one pair."""
    pairs = [part.language_pair for part in parts.values()]
    if file.pairs and all(pairs) and len(set(pairs)) == len(pairs):
        return [name for name, part in parts.items() if part.language_pair in file.pairs]
    return [name for name, part in parts.items() if part.fits(file)]


def _can_be_of_several(file: PlannedFile) -> bool:
    """Whether what fits several corpora is of all of them: texts that they share, and what is known by its tokens."""
    if file.role in (Role.GOLD, Role.SYSTEM):
        return file.kind is not Kind.SCORES or bool(file.pairs)
    return file.role in (Role.IGNORED, Role.SOURCE, Role.RAW_SOURCE) or file.problem is not None


def _left_out(file: PlannedFile, names: Sequence[str], *, several: bool) -> PlannedFile:
    if several:
        note = tr("it may belong to several of the corpora here ({names}) and is left out of all", names=few(names))
    else:
        note = tr("it fits none of the corpora here ({names})", names=few(names))
    return file.noted(note, Role.IGNORED)


class _Measured:
    """A part's own texts, read when something is first compared with them."""

    def __init__(self, files: Sequence[PlannedFile], language_pair: str, watch: Watch) -> None:
        self.files = files
        self.language_pair = language_pair
        self._watch = watch
        self._texts: Texts | None = None

    def fits(self, file: PlannedFile) -> bool:
        """Whether a file can be of it: tags by their tokens, all else by its lines, where the place is free."""
        texts = self.texts()
        size = next((len(text) for text in (texts.mt, texts.source) if text is not None), None)
        single = file.role.text is not None or file.role in _SINGLE
        if size is None or file.role is Role.RATINGS or (single and any(file.role is own.role for own in self.files)):
            return False
        try:
            if file.role in (Role.GOLD, Role.SYSTEM):
                said = file.answers.with_(Numbers.BAD) if file.may_be(Numbers) and not file.held(Numbers) else None
                asked = file if said is None else replace(file, answers=said)
                read_layers(asked, self._opened(file.path), texts, None, size, self.language_pair)
                return True
            return self._lines(file) == size
        except QeError:
            return False

    def texts(self) -> Texts:
        """The MT and the source, as far as they are there and can be read."""
        if self._texts is None:
            self._texts = Texts(self._mt(), self._text(Role.SOURCE))
        return self._texts

    def _mt(self) -> TextColumn | None:
        found = self._text(Role.MT)
        bringing = [file for file in self.files if file.brings_mt]
        if found is not None or not bringing:
            return found
        return _read(lambda: tags_with_text(self._opened(bringing[0].path), self.language_pair).mt)

    def _text(self, role: Role) -> TextColumn | None:
        files = sorted((file for file in self.files if file.role is role), key=lambda file: not file.tokenised)
        if not files:
            return None
        values = _read(lambda: BY_NAME[files[0].format].read(self._opened(files[0].path)).values)
        return values if isinstance(values, TextColumn) else None

    def _lines(self, file: PlannedFile) -> int:
        values = BY_NAME[file.format].read(self._opened(file.path)).values
        if isinstance(values, Documents):
            return len(values.of_segment)
        return len(values.line) if isinstance(values, ScoreTable | ScoreGrid) else len(values)

    def _opened(self, path: Path) -> OpenedFile:
        return open_file(path, self._watch)


def _read(read: Callable[[], Value]) -> Value | None:
    try:
        return read()
    except QeError:
        return None
