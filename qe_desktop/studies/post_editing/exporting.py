"""A study of post-editing into the files of other programs; each form is listed once in `EXPORTS`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.formats.post_editing.pet import write_per
from qe_desktop.formats.post_editing.qe4pe import write_qe4pe
from qe_desktop.formats.post_editing.unit import Change, Revision, Unit
from qe_desktop.formats.post_editing.wmt import write_wmt
from qe_desktop.outgoing import file_name
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
        shown = system or next((work.marks for work in reversed(works[segment]) if work.marks), "")
        tags = reviewed.highlights.get(shown)
        spans = () if tags is None else spans_of(reviewed.mts[place], reviewed.mt.tokens(place), tags[place].tolist())
        revisions = tuple(_revision(work) for work in works[segment])
        found.append(
            Unit(
                segment, document, numbers[document], reviewed.sources[place], reviewed.mts[place],
                reviewed.post_edits[place], reviewed.people[place], "" if tags is None else shown, spans, revisions,
            )
        )  # fmt: skip
        numbers[document] += 1
    return tuple(found)


def _revision(work: Work) -> Revision:
    changes = tuple(Change(one.after, one.place, one.removed, one.inserted) for one in work.typed)
    return Revision(work.person, work.seconds, work.seconds + work.pauses + work.away, work.keys, changes)


def spans_of(text: str, tokens: list[str], tags: list[int]) -> tuple[tuple[int, int], ...]:
    """Where BAD tokens stand in a text, those that follow each other as one.

    Tokens that the text does not hold as they are (`&quot;`) are left out.
    """
    spans: list[tuple[int, int]] = []
    last, joined = 0, False
    for token, bad in zip(tokens, tags, strict=True):
        start = text.find(token, last)
        if start < 0:
            continue
        last = start + len(token)
        if bad and joined:
            spans[-1] = (spans[-1][0], last)
        elif bad:
            spans.append((start, last))
        joined = bool(bad)
    return tuple(spans)


def _qe4pe(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    path = folder / f"{_stem(study)}.csv"
    units = units_of(study, system)
    write_qe4pe(path, units, name=study.reviewed.name, language_pair=study.reviewed.language_pair)
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
    folder.mkdir(parents=True, exist_ok=True)
    return form.write(study, folder, system)
