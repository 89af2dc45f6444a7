"""A study of post-editing into the files of other programs; each form is listed once in `EXPORTS`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus.highlighted import NOTHING, Highlighted, stretches_of
from qe_desktop.formats.post_editing.pet import write_per
from qe_desktop.formats.post_editing.qe4pe import write_qe4pe
from qe_desktop.formats.post_editing.unit import Change, Revision, Unit
from qe_desktop.formats.post_editing.wmt import write_wmt
from qe_desktop.formats.writing import make_folder
from qe_desktop.outgoing import file_name
from qe_desktop.studies.post_editing.reviewed import Reviewed
from qe_desktop.studies.post_editing.study import PostEditingStudy
from qe_desktop.studies.post_editing.work import Work
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True)
class Export:
    """A form: its name among options, what it is for people, and what writes it into a folder and gives the files."""

    name: str
    title: str
    about: str
    write: Callable[[PostEditingStudy, Path, str], tuple[Path, ...]]


def units_of(study: PostEditingStudy, system: str = "") -> tuple[Unit, ...]:
    """The reviewed segments with what was recorded of them.

    Highlights are those of `system`; without one, those that were shown when a segment was last visited.
    """
    reviewed = study.reviewed
    works: defaultdict[int, list[Work]] = defaultdict(list)
    for work in study.works:
        works[work.segment].append(work)
    numbers: defaultdict[str, int] = defaultdict(int)
    found = []
    for place, segment in enumerate(reviewed.segments.tolist()):
        document = reviewed.documents[place]
        shown = next((work.shown for work in reversed(works[segment]) if work.shown.names), NOTHING)
        highlighted = _known(reviewed, place, Highlighted((system,), stretches=None) if system else shown)
        revisions = tuple(_revision(work) for work in works[segment])
        found.append(
            Unit(
                segment, document, numbers[document], reviewed.sources[place], reviewed.mts[place],
                reviewed.post_edits[place], reviewed.people[place], highlighted, revisions,
            )
        )  # fmt: skip
        numbers[document] += 1
    return tuple(found)


def _known(reviewed: Reviewed, place: int, shown: Highlighted) -> Highlighted:
    """The highlights of a reviewed segment; where it is only known whose they were, those of the tags as they are."""
    if shown.stretches is not None:
        return shown
    tags = reviewed.highlights.get(shown.names[0])
    if tags is None:
        return NOTHING
    text, tokens = reviewed.mts[place], reviewed.mt.tokens(place)
    return replace(shown, stretches=stretches_of(text, tokens, tags[place].tolist()))


def _revision(work: Work) -> Revision:
    changes = tuple(Change(one.after, one.place, one.removed, one.inserted) for one in work.typed)
    return Revision(work.person, work.seconds, work.seconds + work.pauses + work.away, work.keys, changes)


def _qe4pe(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    path = folder / f"{_stem(study)}.csv"
    units = units_of(study, system)
    write_qe4pe(path, units, name=study.reviewed.name, languages=study.reviewed.languages)
    return (path,)


def _pet(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    path = folder / f"{_stem(study)}.per"
    write_per(path, units_of(study, system), name=study.reviewed.name)
    return (path,)


def _wmt(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    reviewed, edited = study.reviewed, study.edited
    return write_wmt(
        folder, _stem(study), source=reviewed.sources, mt=reviewed.mt, post_edit=reviewed.post_edit,
        words=edited.words, gaps=edited.gaps, hter=edited.hter,
    )  # fmt: skip


def _stem(study: PostEditingStudy) -> str:
    return file_name(study.reviewed.name, "post-edits")


EXPORTS = (
    Export("qe4pe", tr("QE4PE's table (CSV)"), tr("One row a segment: texts, highlights and times."), _qe4pe),
    Export("pet", tr("PET's results (.per)"), tr("Each visit with its time, keys and changes."), _pet),
    Export("wmt", tr("files of the shared tasks"), tr("src, mt, pe, tags of words and gaps, hter."), _wmt),
)


def export(study: PostEditingStudy, name: str, folder: Path, system: str = "") -> tuple[Path, ...]:
    """Write a form by its name into a folder, which is made where there is none; gives the files. KeyError for no form,
    QeError where a file cannot be written.
    """
    form = {one.name: one for one in EXPORTS}[name]
    make_folder(folder)
    return form.write(study, folder, system)
