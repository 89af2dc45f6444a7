"""The corpora of folders, one for each language pair: all are read, or it is said what is wrong in any of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.formats import Lines, Numbers, Plan, PlannedFile, Role, assemble, plan
from qe_desktop.formats.checks import together
from qe_desktop.formats.names import language_pair_of
from qe_desktop.formats.planning import Progress
from qe_desktop.formats.regular_files import Watch, nobody, shown_name
from qe_desktop.wording import side_by_side, tr

RECOGNISED = 0.3
"""The share of the reading that is done when all files are recognised."""


def corpora_in(
    paths: Sequence[Path],
    *,
    language_pair: str = "",
    lines: Lines | None = None,
    numbers: Numbers | None = None,
    progress: Progress | None = None,
    watch: Watch = nobody,
) -> tuple[dict[str, Corpus], tuple[str, ...]]:
    """The corpora by their pairs, and remarks for people: of their layers, and on each file that is no part of any.

    QeError that lists what is wrong in all files: a system that is not read would be missing from ranks and clusters.
    A file that cannot be read and is of a pair that is not there is named in the remarks. `lines` and `numbers` answer
    what files leave open; `progress` and `watch` are those of `plan`, over all of the work.
    """
    told = _Told(progress)
    seen = plan(paths, language_pair=language_pair, progress=told.part(0.0, RECOGNISED), watch=watch)
    share = (1 - RECOGNISED) / len(seen)
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
            corpus = assemble(planned, progress=told.part(RECOGNISED + share * place, share), watch=watch)
        except QeError as error:
            errors.append(error)
            continue
        name = _name(planned, found)
        found[name] = corpus
        remarks = dict.fromkeys(note for layer in corpus.layers.values() for note in layer.notes)
        notes += [side_by_side(": ", (name, note)) for note in remarks]
    if errors:
        raise together(errors)
    return found, tuple(dict.fromkeys(notes))


class _Told:
    """Tells the progress of parts of the work as that of all of it, which never goes back."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.furthest = 0.0

    def part(self, begin: float, size: float) -> Progress:
        """The progress of a part."""

        def tell(name: str, done: float) -> None:
            # each folder is recognised from 0 to 1
            self.furthest = max(self.furthest, begin + size * min(1.0, done))
            if self.progress is not None:
                self.progress(name, self.furthest)

        return tell


def _is_of_another(file: PlannedFile, planned: Plan) -> bool:
    """Whether a file is of another language pair, by its folder or, where that pair is known here, by its name."""
    known = {pair.lower() for one in planned.files for pair in one.pairs}
    pairs = {pair.lower() for pair in file.pairs} or known & {language_pair_of(file.path.name)}
    return bool(pairs) and planned.language_pair.lower() not in ("", *pairs)


def _aside(planned: Plan) -> list[str]:
    """What there is to be said of files that are not part of a corpus, though they might have been."""
    found = []
    for file in planned.files:
        if file.problem is not None and _is_of_another(file, planned):
            note = tr("it cannot be read, and is of another language pair: {problem}", problem=file.problem.message)
            found.append(side_by_side(": ", (_called(file.path, planned), note)))
        elif file.problem is None and file.role is Role.IGNORED and file.format:
            found += [side_by_side(": ", (_called(file.path, planned), note)) for note in file.notes[-1:]]
    return found


def _called(path: Path, planned: Plan) -> str:
    """A file's name from its corpus's folder on."""
    folder = Path(planned.folder)
    return shown_name(folder.name / path.relative_to(folder) if path.is_relative_to(folder) else path)


def _name(planned: Plan, found: dict[str, Corpus]) -> str:
    """The language pair, or the folder's name where there is none or another folder has it too."""
    pair = planned.language_pair or planned.name
    names = [pair, *(side_by_side(" ", (pair, more)) for more in (planned.name, planned.folder))]
    names += [side_by_side(" ", (pair, planned.folder, str(number))) for number in range(2, len(found) + 3)]
    return next(name for name in names if name not in found)
