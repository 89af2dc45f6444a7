"""Parsed bilingual files, which are rewritten with new targets and otherwise unchanged bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qe_desktop.corpus import Fault, QeError, ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.column_choice import AUTO_COLUMNS, ColumnChoice
from qe_desktop.formats.bilingual.encodings import DecodedFile, check_encodable
from qe_desktop.formats.bilingual.inline_codes import Code, Content, content_text
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
"""Final statuses, which not every file format can store."""


@dataclass(frozen=True, slots=True, eq=False)
class RewrittenDocument:
    """Rewritten bytes, the number of segments with a changed target or status, and the number of unchanged bytes.

    `unsupported` are the 0-based numbers of segments whose confirmed or rejected status could not be stored.
    """

    data: bytes
    changed: int
    identical: int
    unsupported: tuple[int, ...] = ()


class TargetsRejectedError(QeError):
    """Error for targets that cannot be written; `segments` maps 0-based segment numbers to messages.

    `only_codes` is true if all errors are about missing or extra inline codes.
    """

    def __init__(self, name: str, errors: Mapping[int, tuple[int, QeError]]) -> None:
        faults = []
        for number, (line, error) in errors.items():
            message = tr("segment {number:,}: {fault}", number=number + 1, fault=error.message)
            faults.append(Fault(SourceLocation(name, line), message))
        hint = next((error.hint for _, error in errors.values() if error.hint), "")
        super().__init__(faults[0].message, hint=hint, faults=faults)
        self.segments = {number: error.message for number, (_, error) in errors.items()}
        self.only_codes = all(isinstance(error, CodesMismatchError) for _, error in errors.values())


def accept_content(text: DecodedFile, content: Content) -> None:
    """Accept any target, in dialects that can store all characters."""


def check_encoding(text: DecodedFile, content: Content) -> None:
    """Raise QeError if the encoding of a file lacks a character of a target."""
    check_encodable(content_text(content), text.codec)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """Parsed bilingual file.

    `form` is its dialect and `shown_form` the display name; languages are as in the file, empty if not specified.
    `again` parses another text with the same options. `choice` is the selection of source and target with which the
    file can be read again, and `statuses` is the status rule of the dialect. `side_columns` contains documents and
    annotation layers.
    `check_content` raises QeError without a location for targets that the dialect cannot store.
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
    side_columns: SideColumns = NO_SIDE_COLUMNS
    check_content: Callable[[DecodedFile, Content], None] = accept_content

    @property
    def name(self) -> str:
        """File name for messages."""
        return self.text.name

    def status(self, segment: Segment) -> ReviewStatus:
        """Status of a segment as stored in the file; open if there is none."""
        return ReviewStatus.LOCKED if segment.locked else self.statuses.status(segment)

    def with_targets(
        self,
        targets: Mapping[int, str],
        statuses: Mapping[int, ReviewStatus] = NO_STATUSES,
        *,
        other_codes: bool = False,
    ) -> RewrittenDocument:
        """Return the file with new targets, by 0-based segment number, each as a line with codes (`plain_lines`).

        Bytes outside of changed targets and statuses remain unchanged. `statuses` are those set by the user: confirmed
        segments are marked as such by the rule of the dialect, and reopened or rejected ones are no longer marked as
        finished. Tables and segments with a state of this program (`QeStates`) store all statuses.

        Raises TargetsRejectedError with an error for each rejected line: invalid codes, missing or extra codes (unless
        `other_codes`), a locked segment, no element for a target, an invalid character or one that the file's encoding
        lacks, a text that is too long for a cell, or a target or status that is read back differently. Raises QeError
        if the new file cannot be parsed or differs elsewhere.
        """
        contents = self._contents(targets, other_codes)
        # reopening an edited segment leaves it edited
        statuses = {
            number: EDITED if number in contents and status is OPEN else status for number, status in statuses.items()
        }
        status_edits = self._status_edits(statuses, contents)
        status_splices = [edit for segment_edits in status_edits.values() for edit in segment_edits]
        edits: list[TextEdit] = []
        for location, segment, group_contents in _group_contents(contents.values()):
            edits += location.splices(self.text, segment, group_contents)
        utf8 = self.text.utf8
        differing = [
            edit for edit in _non_overlapping(edits, status_splices) if utf8[edit.start : edit.end] != edit.new
        ]
        new, kept_pieces = apply_edits(utf8, differing)
        data = self.text.back(new)
        differing_edits = set(differing)
        changed = contents.keys() | {
            number for number, segment_edits in status_edits.items() if not differing_edits.isdisjoint(segment_edits)
        }
        segments = self.segments
        if changed:
            segments = self._verify(data, new, contents, {number: statuses[number] for number in status_edits})
        final = ((number, status) for number, status in sorted(statuses.items()) if status in FINAL_STATUSES)
        unsupported = tuple(number for number, status in final if self.statuses.status(segments[number]) is not status)
        return RewrittenDocument(data, len(changed), self.text.identical(kept_pieces), unsupported)

    def _status_edits(
        self, statuses: Mapping[int, ReviewStatus], contents: Mapping[int, tuple[Segment, Content]]
    ) -> dict[int, list[TextEdit]]:
        """Edits that set statuses, by segment number; none for segments that have the status or cannot store it."""
        edits_by_segment: dict[int, list[TextEdit]] = {}
        edited_groups = {id(segment.place.group) for segment, _ in contents.values() if segment.place is not None}
        for number, status in sorted(statuses.items()):
            segment = self.segments[number]
            target = contents[number][1] if number in contents else segment.target or ()
            if self.statuses.needs_text and not content_text(target):
                continue
            if segment.place is None or segment.locked or status in (ReviewStatus.LOCKED, EDITED):
                continue
            # a new target of the group, such as a plural form, may change a stored status
            if id(segment.place.group) not in edited_groups and self.statuses.says(segment, status):
                continue
            if edits := self.statuses.splices(self.text, segment.place, status):
                edits_by_segment[number] = edits
        return self._without_conflicts(edits_by_segment)

    def _without_conflicts(self, edits_by_segment: dict[int, list[TextEdit]]) -> dict[int, list[TextEdit]]:
        """Drop segments whose edits would change a span for which another segment has a different edit."""
        new_texts: dict[tuple[int, int], set[bytes]] = {}
        for edit in (edit for edits in edits_by_segment.values() for edit in edits):
            new_texts.setdefault((edit.start, edit.end), set()).add(edit.new)
        contested = {span for span, texts in new_texts.items() if len(texts) > 1}
        utf8 = self.text.utf8
        changing = {
            number
            for number, edits in (edits_by_segment.items() if contested else ())
            for edit in edits
            if (edit.start, edit.end) in contested and edit.new != utf8[edit.start : edit.end]
        }
        return {number: edits for number, edits in edits_by_segment.items() if number not in changing}

    def _contents(self, targets: Mapping[int, str], other_codes: bool) -> dict[int, tuple[Segment, Content]]:
        """Segments with changed lines, and their new content. Raises TargetsRejectedError if lines are invalid."""
        contents: dict[int, tuple[Segment, Content]] = {}
        errors: dict[int, tuple[int, QeError]] = {}
        for number, line in sorted(targets.items()):
            segment = self.segments[number]
            if line == segment.target_line:
                continue
            try:
                contents[number] = segment, self._content(segment, line, other_codes)
            except QeError as error:
                errors[number] = segment.line, error
        if errors:
            raise TargetsRejectedError(self.name, errors)
        return contents

    def _content(self, segment: Segment, line: str, other_codes: bool) -> Content:
        if segment.locked:
            message = tr("the segment is locked")
            raise QeError(message, hint=tr("Keep its line unchanged, or unlock it in your CAT tool."))
        if segment.place is None:
            message = tr("the file has no editable place for its target")
            raise QeError(
                message, hint=tr("Add a target in your CAT tool or, in a workbook, replace the formula with text.")
            )
        content = line_to_content(line, segment.source, segment.target, other_codes=other_codes)
        self.check_content(self.text, content)
        return content

    def _verify(
        self,
        data: bytes,
        utf8: bytes,
        contents: Mapping[int, tuple[Segment, Content]],
        statuses: Mapping[int, ReviewStatus],
    ) -> Sequence[Segment]:
        """Parse the new text and return its segments. Raises QeError if it differs from what was intended."""
        rejected = QeError(
            tr("writing these targets would change other parts of the file"),
            hint=tr("Nothing was written. Report this problem and attach the file."),
            place=SourceLocation(self.name),
        )
        try:
            segments = self.again(replace(self.text, data=data, utf8=utf8)).segments
        except (QeError, UnboundPrefixError) as error:
            raise rejected from error
        if len(segments) != len(self.segments):
            raise rejected
        errors: dict[int, tuple[int, QeError]] = {}
        for number, (before, after) in enumerate(zip(self.segments, segments, strict=True)):
            if number in contents:
                same = _same(contents[number][1], after.target or ()) and _is_unchanged(before, after)
            else:
                same = (before.target or ()) == (after.target or ()) and _is_unchanged(before, after)
            if number in statuses:
                same = same and self.statuses.says(after, statuses[number])
            if not same and number not in contents and number not in statuses:
                raise rejected
            if not same:
                message = tr("the written target or status would be read back differently")
                hint = tr("Nothing was written. Report this problem and attach the file.")
                errors[number] = before.line, QeError(message, hint=hint)
        if errors:
            raise TargetsRejectedError(self.name, errors)
        return segments


_Group = tuple[TargetLocation, Segment, dict[TargetLocation, Content]]


def _group_contents(contents: Iterable[tuple[Segment, Content]]) -> Iterable[_Group]:
    """Group new contents that are written together, each group with its first target location and segment."""
    groups: dict[int, _Group] = {}
    for segment, content in contents:
        location = segment.place
        if location is not None:
            groups.setdefault(id(location.group), (location, segment, {}))[2][location] = content
    return groups.values()


def _non_overlapping(edits: list[TextEdit], status_edits: list[TextEdit]) -> list[TextEdit]:
    """Combine all edits; status edits replace other edits at the same span."""
    occupied = {(edit.start, edit.end) for edit in status_edits if edit.start < edit.end}
    return [*(edit for edit in edits if (edit.start, edit.end) not in occupied), *status_edits]


def _same(wanted: Content, actual: Content) -> bool:
    """Whether two contents have the same text and codes, regardless of the kind of line breaks."""
    return content_to_line(wanted) == content_to_line(actual) or _normalized_runs(wanted) == _normalized_runs(actual)


def _normalized_runs(content: Content) -> list[tuple[bool, str]]:
    return [
        (True, run.raw) if isinstance(run, Code) else (False, LINE_BREAK_PATTERN.sub(LINE_BREAK, run))
        for run in content
    ]


def _is_unchanged(before: Segment, after: Segment) -> bool:
    """Whether name, source, lock, notes and loaded MT are unchanged."""
    return (before.name, before.source, before.locked, before.notes, before.loaded) == (
        after.name, after.source, after.locked, after.notes, after.loaded,
    )  # fmt: skip


def save_document(rewritten: RewrittenDocument, document: Document, source: Path, output: Path) -> None:
    """Write a document with its new targets; `source` is the file it was read from, and may equal `output`.

    Raises QeError, and replaces nothing, if the source has changed since it was read, or if the output cannot be
    written.
    """
    check_unchanged(document, source)
    write_bytes(output, rewritten.data)


def check_unchanged(document: Document, source: Path) -> None:
    """Raise QeError if the file that a document was read from has changed or is missing."""
    if read_bytes(source) != document.text.data:
        message = tr("another program has changed the file since it was read")
        raise QeError(
            message, hint=tr("Nothing was written. Open the file again."), place=SourceLocation(display_name(source))
        )
