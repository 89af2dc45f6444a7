"""Export of a post-editing study to the formats of other programs, listed in `EXPORTS`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights, highlight_spans
from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.atomic_write import make_folder
from qe_desktop.formats.post_edit_files import ExportUnit, Revision, TextChange, write_per, write_qe4pe, write_wmt
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy, RecordedVisit
from qe_desktop.studies.post_editing.reviewed_segments import ReviewedSegments


@dataclass(frozen=True, slots=True)
class PostEditingExport:
    """Export format: option name, label, description, and the function that writes files and returns their paths."""

    name: str
    title: str
    description: str
    write: Callable[[PostEditingStudy, Path, str], tuple[Path, ...]]


def export_units(study: PostEditingStudy, system: str = "") -> tuple[ExportUnit, ...]:
    """Return the reviewed segments with their recorded work and their highlights.

    The highlights of a segment are the BAD words of `system`. If `system` is empty, they are the highlights
    displayed in the last visit to the segment, ignoring visits without highlights.
    """
    reviewed = study.reviewed
    works: defaultdict[int, list[RecordedVisit]] = defaultdict(list)
    for work in study.visits:
        works[work.segment].append(work)
    numbers: defaultdict[str, int] = defaultdict(int)
    units = []
    for index, segment in enumerate(reviewed.segments.tolist()):
        document = reviewed.documents[index]
        displayed = next((work.displayed for work in reversed(works[segment]) if work.displayed.names), NO_HIGHLIGHTS)
        highlighted = _segment_highlights(
            reviewed, index, DisplayedHighlights((system,), spans=None) if system else displayed
        )
        revisions = tuple(_revision(work) for work in works[segment])
        units.append(
            ExportUnit(
                segment, document, numbers[document], reviewed.sources[index], reviewed.mts[index],
                reviewed.post_edits[index], reviewed.post_editors[index], highlighted, revisions,
            )
        )  # fmt: skip
        numbers[document] += 1
    return tuple(units)


def _segment_highlights(reviewed: ReviewedSegments, index: int, highlights: DisplayedHighlights) -> DisplayedHighlights:
    """Return `highlights`; if their `spans` are None, derive the spans from the current tags of their system.

    The result is `NO_HIGHLIGHTS` if the system has no tags.
    """
    if highlights.spans is not None:
        return highlights
    tags = reviewed.highlights.get(highlights.names[0])
    if tags is None:
        return NO_HIGHLIGHTS
    text, tokens = reviewed.mts[index], reviewed.mt.tokens(index)
    return replace(highlights, spans=highlight_spans(text, tokens, tags[index].tolist()))


def _revision(work: RecordedVisit) -> Revision:
    changes = tuple(TextChange(change.after, change.place, change.removed, change.inserted) for change in work.changes)
    return Revision(work.person, work.seconds, work.seconds + work.pauses + work.away, work.keys, changes)


def _qe4pe(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    path = folder / f"{_stem(study)}.csv"
    units = export_units(study, system)
    write_qe4pe(path, units, name=study.reviewed.name, languages=study.reviewed.languages)
    return (path,)


def _pet(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    path = folder / f"{_stem(study)}.per"
    write_per(path, export_units(study, system), name=study.reviewed.name)
    return (path,)


def _wmt(study: PostEditingStudy, folder: Path, system: str) -> tuple[Path, ...]:
    reviewed, edited = study.reviewed, study.edited
    return write_wmt(
        folder, _stem(study), source=reviewed.sources, mt=reviewed.mt, post_edit=reviewed.post_edit,
        words=edited.words, gaps=edited.gaps, hter=edited.hter,
    )  # fmt: skip


def _stem(study: PostEditingStudy) -> str:
    return safe_file_name(study.reviewed.name, "post-edits")


EXPORTS = (
    PostEditingExport(
        "qe4pe", tr("QE4PE table (CSV)"), tr("One row per segment: texts, highlights and times."), _qe4pe
    ),
    PostEditingExport(
        "pet", tr("PET results (.per)"), tr("Each visit to a segment: time, keystroke counts and changes."), _pet
    ),
    PostEditingExport("wmt", tr("shared task files"), tr(".src, .mt, .pe, .tags (words, gaps) and .hter files."), _wmt),
)


def export_post_editing(study: PostEditingStudy, name: str, folder: Path, system: str = "") -> tuple[Path, ...]:
    """Write the study in an export format to a folder, which is created if needed; return the paths of the files.

    Raises KeyError for an unknown format, and QeError if a file cannot be written.
    """
    form = {export.name: export for export in EXPORTS}[name]
    make_folder(folder)
    return form.write(study, folder, system)
