"""Translators' files before they are written, on a thread beside the window: what they are to be, and what is there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from qe_desktop.corpus import Job, LayerKey, QeError, Review, Status
from qe_desktop.formats.bilingual.document import Rewritten, TargetsRefused
from qe_desktop.formats.bilingual.statuses import tells_rejected
from qe_desktop.formats.held import is_held
from qe_desktop.formats.regular_files import bytes_of
from qe_desktop.outgoing import label
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.job_files import (
    Reviewed,
    Written,
    digest,
    is_gone,
    names_text,
    other_names,
    refuse_unwritable,
    write,
)
from qe_desktop.project.job_places import refuse_misplaced
from qe_desktop.project.target_marks import TargetMarks
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.wording import side_by_side, tr


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A file as it is to be written: to `path`, over what has the digest `expected` there, or whatever is there (None).

    `refused` says why it cannot be, `barred` why it may not be there. `doubtful` tells that only a project names the
    path, `changed` and `gone` tell of the file on the disk, `held` that another program has it open, `names` how many
    other names it has, `keeps` that later saves go there too, `issues` how many issues mark its words.
    """

    reviewed: Reviewed
    path: Path
    expected: str | None
    rewritten: Rewritten | None = None
    refused: TargetsRefused | None = None
    doubtful: bool = False
    changed: bool = False
    gone: bool = False
    held: bool = False
    names: int = 0
    keeps: bool = True
    issues: int = 0
    barred: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is to be saved: the session and its review when it was asked for, and where copies go, if any.

    `doubtful` are the numbers of the files whose paths only a project names. `layer` is whose BAD words are marked in
    copies, if anybody's; what `marks` these are is found beside the window. `left_out` are segments that cannot be
    written, and stay as they are in their files.
    """

    session: Session
    review: Review
    copies: dict[int, Path]
    doubtful: frozenset[int] = frozenset()
    other_codes: bool = False
    left_out: frozenset[int] = frozenset()
    layer: LayerKey | None = None
    marks: TargetMarks | None = None


@dataclass(slots=True, eq=False)
class Done:
    """What was written until now, each with its new place (None: it had these bytes), and what ended it, if it did."""

    files: list[tuple[Prepared, Written | None]] = field(default_factory=list)
    error: QeError | None = None


def prepared(one: Reviewed, asked: Asked, progress: Progress) -> Prepared:
    """A file as it would be written, and how it is on the disk. QeError where it can be written in no case."""
    known = one.known()
    copy = asked.copies.get(one.number)
    path = copy or Path(known.path)
    made = Prepared(one, path, None if copy else known.sha256, keeps=copy is None)
    try:
        rewritten = one.rewritten(other_codes=asked.other_codes, without=asked.left_out)
    except TargetsRefused as refused:
        return replace(made, refused=refused)
    progress.check()
    made = replace(made, rewritten=rewritten)
    if copy is not None:
        refuse_unwritable(path)
        return made if asked.marks is None else _marked(made, rewritten, asked.marks)
    untouched = one.place is None and rewritten.data == one.file.data
    if one.number in asked.doubtful:
        if untouched:
            return made
        refuse_misplaced(one.file, path, progress.check)
        made = replace(made, doubtful=True)
    if is_gone(path):
        # where its folder went too, nothing can be written there
        homeless = not path.parent.is_dir()
        return replace(made, gone=True, barred=tr("its folder is no longer there") if homeless else "")
    return made if untouched else _compared(made, rewritten, progress)


def _marked(made: Prepared, rewritten: Rewritten, marks: TargetMarks) -> Prepared:
    """The same with marks on its words."""
    marked, issues = made.reviewed.marked(rewritten, marks)
    return replace(made, rewritten=marked, issues=issues)


def _compared(made: Prepared, rewritten: Rewritten, progress: Progress) -> Prepared:
    """How what is to be written stands to what is there."""
    wanted, there = digest(rewritten.data), digest(bytes_of(made.path, progress.check))
    if there == wanted:
        # nothing is overwritten, whoever wrote it
        return replace(made, expected=there, doubtful=False)
    try:
        refuse_unwritable(made.path)
    except QeError as error:
        return replace(made, barred=error.message)
    changed, held = there != made.expected, is_held(made.path)
    return replace(made, changed=changed, held=held, names=other_names(made.path))


def write_all(wanted: list[Prepared], done: Done, progress: Progress) -> Done:
    """Write one file after the other; what was written before one cannot be is written all the same, and noted."""
    for place, one in enumerate(wanted):
        progress.report(place / len(wanted), one.path.name)
        try:
            done.files.append((one, _written(one)))
        except QeError as error:
            done.error = error
            break
    return done


def _written(one: Prepared) -> Written | None:
    """Write one file; None where it has these bytes already."""
    assert one.rewritten is not None
    if one.expected is not None and digest(one.rewritten.data) == one.expected:
        return None
    return write(one.path, one.rewritten.data, one.expected)


def found_there(one: Prepared) -> Written | None:
    """A file that has the bytes already which it was to get, though not those that were known of it; else None."""
    known = one.reviewed.known()
    if not one.keeps or one.expected is None or one.expected == known.sha256:
        return None
    return Written(str(one.path), one.expected)


def unsaid_in(done: Done) -> frozenset[int]:
    """The segments that were confirmed or rejected, for which there is no place in their file."""
    found = ((one.reviewed.file.first, one.rewritten) for one, _ in done.files)
    return frozenset(first + own for first, rewritten in found if rewritten is not None for own in rewritten.unsaid)


def has_place(job: Job, review: Review, unsaid: frozenset[int], segment: int, field: ReviewField) -> bool:
    """Whether translators' files have a place for a field of a segment: none has one for notes, few for rejecting."""
    if field is ReviewField.STATUS and review.statuses.get(segment) is Status.REJECTED:
        return tells_rejected(job.file_of(segment).form, job.states.get(segment, ""))
    return segment not in unsaid if field is ReviewField.STATUS else field is ReviewField.TARGET


def told(asked: Asked, done: Done) -> Message:
    """What was written, what stayed, and what is in no file all the same."""
    written = [(one, one.rewritten) for one, place in done.files if place is not None and one.rewritten is not None]
    advice = _homeless(asked.review, unsaid_in(done))
    if not written:
        names = side_by_side(", ", [label(one.path.name) for one, _ in done.files])
        if advice:
            title = tr("Nothing to save: {file} holds all that it has a place for", file=names)
            return Message(title, "info", "", side_by_side(" ", advice))
        return Message(tr("Nothing to save: {file} holds all of it already", file=names))
    changed = sum(rewritten.changed for _, rewritten in written)
    if asked.marks is None:
        title = tr(
            "{n:,} {n:segment|segments} changed, {bytes:,} other bytes identical", "", changed,
            bytes=sum(rewritten.identical for _, rewritten in written),
        )  # fmt: skip
    else:
        title = tr(
            "{n:,} {n:segment|segments} changed, {issues:,} {issues:word|words} of {layer} marked, "
            "nothing else differs", "", changed, issues=sum(one.issues for one, _ in written),
            layer=label(asked.marks.layer.shown),
        )  # fmt: skip
        advice += unmarked(asked.marks)
    advice += [names_text(one.names, label(one.path.name)) for one, _ in written if one.names]
    where = side_by_side(", ", [label(str(one.path)) for one, _ in written])
    return Message(title, "info", where, side_by_side(" ", advice))


def unmarked(marks: TargetMarks) -> list[str]:
    """That BAD words have no mark, where some have none."""
    if not marks.gone:
        return []
    return [
        tr(
            "{n:,} BAD {n:word has|words have} no mark: edited since, or in a locked segment.", "", marks.gone
        )
    ]  # fmt: skip


def _homeless(review: Review, unsaid: frozenset[int]) -> list[str]:
    rejected = sum(review.statuses.get(segment) is Status.REJECTED for segment in unsaid)
    confirmed = len(unsaid) - rejected
    advice = []
    if confirmed:
        advice.append(tr("{n:,} {n:confirmation has|confirmations have} no place in the file.", "", confirmed))
    if rejected:
        advice.append(tr("That {n:,} {n:segment was|segments were} rejected is in no file.", "", rejected))
    if review.notes:
        advice.append(tr("{n:,} {n:note is|notes are} in no file.", "", len(review.notes)))
    if advice:
        advice.append(tr("A project keeps all of it (File ▸ Save as project)."))
    return advice
