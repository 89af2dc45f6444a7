"""A translator's file as a value: its segments, and the same file with other targets, in which nothing else differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qe_desktop.corpus import Fault, QeError, ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.column_choice import AUTO_COLUMNS, ColumnChoice
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Code, Content
from qe_desktop.formats.bilingual.plain_lines import (
    LINE_BREAK,
    LINE_BREAK_PATTERN,
    CodesMismatchError,
    content_to_line,
    line_to_content,
)
from qe_desktop.formats.bilingual.segment_columns import NO_SIDE_COLUMNS, SideColumns
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit, apply_edits
from qe_desktop.formats.bilingual.status_rules import NO_STATUS_RULE, StatusRule
from qe_desktop.formats.bilingual.xml.xml_tree import UnboundPrefixError
from qe_desktop.formats.io.atomic_write import write_bytes
from qe_desktop.formats.io.files import display_name, read_bytes
from qe_desktop.i18n.messages import tr

NO_STATUSES: Mapping[int, ReviewStatus] = {}
OPEN, EDITED = ReviewStatus.OPEN, ReviewStatus.EDITED
FINAL_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)
"""What a person says of a segment that not every file has a place for."""


@dataclass(frozen=True, slots=True, eq=False)
class RewrittenDocument:
    """A file's new bytes, how many segments have another target or status, and how many of the old bytes are the same.

    `unsaid` are the segments, by their numbers, that a person confirmed or rejected and the file cannot say so of.
    """

    data: bytes
    changed: int
    identical: int
    unsaid: tuple[int, ...] = ()


class TargetsRejectedError(QeError):
    """Lines that cannot be written as they are: what is wrong, by the numbers of segments.

    `only_codes` tells that codes are missing or too many, and nothing else is wrong.
    """

    def __init__(self, name: str, wrong: Mapping[int, tuple[int, QeError]]) -> None:
        faults = []
        for number, (line, error) in wrong.items():
            said = tr("segment {number:,}: {fault}", number=number + 1, fault=error.message)
            faults.append(Fault(SourceLocation(name, line), said))
        hint = next((error.hint for _, error in wrong.values() if error.hint), "")
        super().__init__(faults[0].message, hint=hint, faults=faults)
        self.segments = {number: error.message for number, (_, error) in wrong.items()}
        self.only_codes = all(isinstance(error, CodesMismatchError) for _, error in wrong.values())


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A translator's file as read.

    `form` is its dialect and `shown_form` what people call it; languages are as the file writes them, empty where it is
    silent. `again` reads another text as this one was read. `choice` is what a person said of it, or what it was found
    to be, and `statuses` how its dialect says them. `beside` is what it holds of documents and layers.
    """

    text: DecodedFile
    form: str
    shown_form: str
    segments: Sequence[Segment]
    again: Callable[[DecodedFile], Document]
    source_language: str = ""
    target_language: str = ""
    notes: tuple[str, ...] = field(default=())
    choice: ColumnChoice = AUTO_COLUMNS
    statuses: StatusRule = NO_STATUS_RULE
    beside: SideColumns = NO_SIDE_COLUMNS

    @property
    def name(self) -> str:
        """The file, as messages call it."""
        return self.text.name

    def status(self, segment: Segment) -> ReviewStatus:
        """How far the file says that a segment is."""
        return ReviewStatus.LOCKED if segment.locked else self.statuses.status(segment)

    def with_targets(
        self,
        targets: Mapping[int, str],
        statuses: Mapping[int, ReviewStatus] = NO_STATUSES,
        *,
        other_codes: bool = False,
    ) -> RewrittenDocument:
        """This file in which segments, by their numbers from 0, have other targets, each given as a line (`lines`).

        Where a line is as before, no byte changes. `statuses` are those that a person gave: of a segment that was
        confirmed the file says so, by the rule of its dialect, and one that was opened again or rejected is not called
        finished any longer; tables tell all of these. TargetsRefused that names each segment that cannot have its line:
        codes missing or too many, unless there may be `other_codes`, a lock, no place for a target. QeError for signs
        that the file cannot hold.
        """
        contents = self._contents(targets, other_codes)
        # who opened an edited segment again left it edited
        statuses = {one: EDITED if one in contents and said is OPEN else said for one, said in statuses.items()}
        said = self._said(statuses, contents)
        stated = [splice for splices in said.values() for splice in splices]
        splices: list[TextEdit] = []
        for place, segment, places in _group_contents(contents.values()):
            splices += place.splices(self.text, segment, places)
        utf8 = self.text.utf8
        differing = [one for one in _non_overlapping(splices, stated) if utf8[one.start : one.end] != one.new]
        new, kept = apply_edits(utf8, differing)
        data = self._back(new)
        changed = contents.keys() | {number for number, own in said.items() if not set(own).isdisjoint(differing)}
        found = self.segments
        if changed:
            found = self._read_again(data, new, contents, {number: statuses[number] for number in said})
        done = ((number, status) for number, status in sorted(statuses.items()) if status in FINAL_STATUSES)
        unsaid = tuple(number for number, status in done if self.statuses.status(found[number]) is not status)
        return RewrittenDocument(data, len(changed), self.text.identical(kept), unsaid)

    def _said(
        self, statuses: Mapping[int, ReviewStatus], contents: Mapping[int, tuple[Segment, Content]]
    ) -> dict[int, list[TextEdit]]:
        """What states statuses, by segment, also where they stay; segments with no place for it are left out."""
        said: dict[int, list[TextEdit]] = {}
        for number, status in sorted(statuses.items()):
            segment = self.segments[number]
            says_so = number not in contents and self.statuses.says(segment, status)
            if segment.place is None or segment.locked or status in (ReviewStatus.LOCKED, EDITED) or says_so:
                continue
            if splices := self.statuses.splices(self.text, segment.place, status):
                said[number] = splices
        return self._without_conflicts(said)

    def _without_conflicts(self, said: dict[int, list[TextEdit]]) -> dict[int, list[TextEdit]]:
        """Where segments that share a place state different things there, those that would leave it as it is."""
        new: dict[tuple[int, int], set[bytes]] = {}
        for one in (splice for splices in said.values() for splice in splices):
            new.setdefault((one.start, one.end), set()).add(one.new)
        contested = {span for span, texts in new.items() if len(texts) > 1}
        utf8 = self.text.utf8
        changing = {
            number
            for number, splices in (said.items() if contested else ())
            for one in splices
            if (one.start, one.end) in contested and one.new != utf8[one.start : one.end]
        }
        return {number: splices for number, splices in said.items() if number not in changing}

    def _contents(self, targets: Mapping[int, str], other_codes: bool) -> dict[int, tuple[Segment, Content]]:
        """The segments whose lines are others than before, and what these stand for."""
        contents: dict[int, tuple[Segment, Content]] = {}
        wrong: dict[int, tuple[int, QeError]] = {}
        for number, line in sorted(targets.items()):
            segment = self.segments[number]
            if line == segment.target_line:
                continue
            try:
                contents[number] = segment, self._content(segment, line, other_codes)
            except QeError as error:
                wrong[number] = segment.line, error
        if wrong:
            raise TargetsRejectedError(self.name, wrong)
        return contents

    def _content(self, segment: Segment, line: str, other_codes: bool) -> Content:
        if segment.locked:
            message = tr("it is locked, and its target may not change")
            raise QeError(message, hint=tr("Leave its line as it is, or unlock it in your translation program."))
        if segment.place is None:
            message = tr("there is no place for its target in the file")
            raise QeError(message, hint=tr("Give it a target in your translation program first."))
        return line_to_content(line, segment.source, segment.target, other_codes=other_codes)

    def _back(self, utf8: bytes) -> bytes:
        try:
            return self.text.back(utf8)
        except UnicodeEncodeError as error:
            sign = f"U+{ord(error.object[error.start]):04X}"
            message = tr(
                "the file’s encoding {encoding} has no character {code}", encoding=self.text.codec.upper(), code=sign
            )
            raise QeError(message, hint=tr("Write it in another way."), place=SourceLocation(self.name)) from None

    def _read_again(
        self,
        data: bytes,
        utf8: bytes,
        contents: Mapping[int, tuple[Segment, Content]],
        said: Mapping[int, ReviewStatus],
    ) -> Sequence[Segment]:
        """Read what would be written, and refuse it where anything but the targets and statuses given has changed."""
        refused = QeError(
            tr("these targets cannot be written without changing more of the file than them"),
            hint=tr("Nothing was written. Please report this, with the file."),
            place=SourceLocation(self.name),
        )
        try:
            found = self.again(replace(self.text, data=data, utf8=utf8)).segments
        except (QeError, UnboundPrefixError) as error:
            raise refused from error
        if len(found) != len(self.segments):
            raise refused
        wrong: dict[int, tuple[int, QeError]] = {}
        for number, (before, after) in enumerate(zip(self.segments, found, strict=True)):
            if number in contents:
                same = _same(contents[number][1], after.target or ()) and _is_unchanged(before, after)
            else:
                same = (before.target or ()) == (after.target or ()) and _is_unchanged(before, after)
            if number in said:
                same = same and self.statuses.says(after, said[number])
            if not same and number not in contents:
                raise refused
            if not same:
                message = tr("it would be read back otherwise than it was written")
                hint = tr("Nothing was written. Please report this, with the file.")
                wrong[number] = before.line, QeError(message, hint=hint)
        if wrong:
            raise TargetsRejectedError(self.name, wrong)
        return found


_Group = tuple[TargetLocation, Segment, dict[TargetLocation, Content]]


def _group_contents(contents: Iterable[tuple[Segment, Content]]) -> Iterable[_Group]:
    """The new contents by targets that are written together, each group with its first target and segment."""
    groups: dict[int, _Group] = {}
    for segment, content in contents:
        place = segment.place
        if place is not None:
            groups.setdefault(id(place.group), (place, segment, {}))[2][place] = content
    return groups.values()


def _non_overlapping(splices: list[TextEdit], stated: list[TextEdit]) -> list[TextEdit]:
    """All splices, but for those that would state otherwise what others state."""
    taken = {(one.start, one.end) for one in stated if one.start < one.end}
    return [*(one for one in splices if (one.start, one.end) not in taken), *stated]


def _same(wanted: Content, found: Content) -> bool:
    """Whether a target says what was wanted; a code that is there twice has another number when it is read again."""
    return content_to_line(wanted) == content_to_line(found) or _normalized_runs(wanted) == _normalized_runs(found)


def _normalized_runs(content: Content) -> list[tuple[bool, str]]:
    return [
        (True, run.raw) if isinstance(run, Code) else (False, LINE_BREAK_PATTERN.sub(LINE_BREAK, run))
        for run in content
    ]


def _is_unchanged(before: Segment, after: Segment) -> bool:
    """Whether a segment is the same in all that may not change with its target, nor with that of another one."""
    return (before.name, before.source, before.locked, before.notes, before.loaded) == (
        after.name, after.source, after.locked, after.notes, after.loaded,
    )  # fmt: skip


def save_document(rewritten: RewrittenDocument, document: Document, source: Path, output: Path) -> None:
    """Write a document with its new targets; `source` is the file that it was read from, which `output` may be.

    QeError where the source is another file by now, or where the output cannot be written; then nothing is replaced.
    """
    check_unchanged(document, source)
    write_bytes(output, rewritten.data)


def check_unchanged(document: Document, source: Path) -> None:
    """QeError where the file that a document was read from has other bytes by now, or is gone."""
    if read_bytes(source) != document.text.data:
        message = tr("another program changed the file since it was read")
        raise QeError(
            message, hint=tr("Nothing was written. Read it again."), place=SourceLocation(display_name(source))
        )
