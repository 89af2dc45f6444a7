"""Rewriting of bilingual files: edits of targets, statuses and notes, and the check that nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from qe_desktop.corpus import Fault, QeError, ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content, content_text
from qe_desktop.formats.bilingual.plain_lines import CodesMismatchError, line_to_content, same_contents
from qe_desktop.formats.bilingual.reviewer_notes import NoteChange, NoteRule, normalize_note
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit, apply_edits, combine_edits
from qe_desktop.formats.bilingual.status_rules import StatusRule
from qe_desktop.formats.bilingual.xml.xml_tree import UnboundPrefixError
from qe_desktop.i18n.messages import tr

OPEN, EDITED = ReviewStatus.OPEN, ReviewStatus.EDITED
CONFIRMED, REJECTED = ReviewStatus.CONFIRMED, ReviewStatus.REJECTED
FINAL_STATUSES = (CONFIRMED, REJECTED)
"""Statuses of segments whose review is finished; not every file format can store them."""


@dataclass(frozen=True, slots=True, eq=False)
class RewrittenDocument:
    """Rewritten bytes, the number of changed segments, and the number of unchanged bytes.

    `unsupported_statuses` are the 0-based numbers of segments whose confirmed or rejected status could not be stored.
    `addable_statuses` are the numbers of those whose status `add_missing` would store in a new attribute or empty cell.
    `unsupported_notes` are the 0-based numbers of segments whose note could not be stored. `lacks_language` is true if
    the file has targets, but lacks the target language that its dialect requires.
    """

    data: bytes
    changed_segments: int
    unchanged_bytes: int
    unsupported_statuses: tuple[int, ...] = ()
    addable_statuses: tuple[int, ...] = ()
    unsupported_notes: tuple[int, ...] = ()
    lacks_language: bool = False


class TargetsRejectedError(QeError):
    """Error for segments that cannot be written as requested; `segments` maps their 0-based numbers to messages.

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


class RewritableDocument(Protocol):
    """Interface of a parsed file with the rules of its dialect; `Document` describes the attributes."""

    @property
    def text(self) -> DecodedFile:
        """Text of the file."""

    @property
    def name(self) -> str:
        """File name for messages."""

    @property
    def segments(self) -> Sequence[Segment]:
        """Segments, in the order of the file."""

    @property
    def parse_again(self) -> Callable[[DecodedFile], RewritableDocument]:
        """Function that parses another text with the options that were used for this file."""

    @property
    def status_rule(self) -> StatusRule:
        """Rule of the dialect for reading and writing statuses."""

    @property
    def note_rule(self) -> NoteRule:
        """Rule of the dialect for writing notes of the reviewer."""

    @property
    def lacks_language(self) -> bool:
        """Whether the file lacks a target language and its dialect requires one for files with targets."""

    @property
    def check_content(self) -> Callable[[DecodedFile, Content], None]:
        """Function that raises QeError for targets that the dialect cannot store."""


@dataclass(slots=True)
class DocumentRewrite:
    """Rewriting of a document with new targets, statuses and notes; mappings have 0-based segment numbers as keys."""

    document: RewritableDocument
    add_missing: bool = False
    contents: dict[int, tuple[Segment, Content]] = field(default_factory=dict)
    statuses: dict[int, ReviewStatus] = field(default_factory=dict)
    status_edits: dict[int, list[TextEdit]] = field(default_factory=dict)
    notes: dict[int, NoteChange] = field(default_factory=dict)
    unsupported_notes: list[int] = field(default_factory=list)

    def prepare(
        self, targets: Mapping[int, str], statuses: Mapping[int, ReviewStatus], notes: Mapping[int, str],
        *, other_codes: bool,
    ) -> None:  # fmt: skip
        """Determine all changes; `other_codes` allows missing and extra inline codes.

        Raises TargetsRejectedError if a target or note is invalid or cannot be written.
        """
        errors: dict[int, tuple[int, QeError]] = {}
        for number, line in sorted(targets.items()):
            segment = self.document.segments[number]
            if line == segment.target_line:
                continue
            try:
                self.contents[number] = segment, self._content(segment, line, other_codes)
            except QeError as error:
                errors[number] = segment.line, error
        # reopening an edited segment leaves it edited
        self.statuses = {
            number: EDITED if number in self.contents and status is OPEN else status
            for number, status in statuses.items()
        }
        self._add_missing_targets()
        groups = self._affected_groups()
        self._include_stored_statuses(groups)
        self.status_edits = self._find_status_edits(groups)
        for number in sorted({*notes, *self.statuses, *self.contents}):
            segment = self.document.segments[number]
            try:
                change = self._note_change(number, segment, notes.get(number))
            except QeError as error:
                errors.setdefault(number, (segment.line, error))
                continue
            if change is not None:
                self.notes[number] = change
        if errors:
            raise TargetsRejectedError(self.document.name, dict(sorted(errors.items())))

    def _content(self, segment: Segment, line: str, other_codes: bool) -> Content:
        if segment.locked:
            message = tr("the segment is locked")
            raise QeError(message, hint=tr("Keep its line unchanged, or unlock it in your CAT tool."))
        if segment.target_location is None:
            hint = tr(
                "Add a target in your CAT tool. In a workbook, replace the formula with text, or unmerge the cells."
            )
            raise QeError(tr("the file has no editable element or cell for the target"), hint=hint)
        content = line_to_content(line, segment.source, segment.target, other_codes=other_codes)
        self.document.check_content(self.document.text, content)
        return content

    def _add_missing_targets(self) -> None:
        """Also write an empty target for each segment that has no target but a new status that requires one."""
        segments, rule = self.document.segments, self.document.status_rule
        for number, status in self.statuses.items():
            segment = segments[number]
            location = None if status not in rule.needs_target or segment.locked else segment.target_location
            if segment.target is None and location is not None and self._read_back(segment, status) is status:
                _, content = self.contents.get(number, (segment, ()))
                self.contents[number] = segment._replace(target_location=rule.with_state(location, status)), content

    def _affected_groups(self) -> set[int]:
        """Object ids of groups of targets, such as plural forms, in which a change may affect other statuses."""
        segments, rule = self.document.segments, self.document.status_rule
        groups = {
            id(segment.target_location.group)
            for segment, _ in self.contents.values()
            if segment.target_location is not None
        }
        for number, status in self.statuses.items():
            segment = segments[number]
            group = None if segment.target_location is None else segment.target_location.group
            # targets that are written independently are their own groups
            if group is not segment.target_location and rule.status(segment) is not self._read_back(segment, status):
                groups.add(id(group))
        return groups

    def _include_stored_statuses(self, groups: set[int]) -> None:
        """Also write the stored statuses in `groups`: all statuses if they are shared, otherwise only rejections."""
        rule = self.document.status_rule
        for number, segment in enumerate(self.document.segments if groups else ()):
            if (
                segment.target_location is None
                or number in self.contents
                or id(segment.target_location.group) not in groups
            ):
                continue
            status = rule.status(segment)
            if rule.is_shared or status is REJECTED:
                self.statuses.setdefault(number, status)

    def _find_status_edits(self, touched_groups: set[int]) -> dict[int, list[TextEdit]]:
        """Edits that set statuses, by segment number; outside `touched_groups`, only edits that change a status."""
        document, rule = self.document, self.document.status_rule
        edits_by_segment: dict[int, list[TextEdit]] = {}
        for number, status in sorted(self.statuses.items()):
            segment = document.segments[number]
            target = self.contents[number][1] if number in self.contents else segment.target or ()
            if rule.needs_text and not content_text(target):
                continue
            if segment.target_location is None or segment.locked or status in (ReviewStatus.LOCKED, EDITED):
                continue
            if id(segment.target_location.group) not in touched_groups and rule.status(segment) is self._read_back(
                segment, status
            ):
                continue
            if edits := rule.edits(document.text, segment.target_location, status, add=self.add_missing):
                edits_by_segment[number] = edits
        return self._drop_conflicts(edits_by_segment)

    def _read_back(self, segment: Segment, status: ReviewStatus) -> ReviewStatus:
        return self.document.status_rule.read_back(self.document.text, segment, status, add=self.add_missing)

    def _drop_conflicts(self, edits_by_segment: dict[int, list[TextEdit]]) -> dict[int, list[TextEdit]]:
        """Drop segments whose edits would change a span for which another segment has a different edit."""
        new_texts: dict[tuple[int, int], set[tuple[bytes, ...]]] = {}
        for edits in edits_by_segment.values():
            for span in {(edit.start, edit.end) for edit in edits}:
                # a segment may insert several attributes at one offset
                texts = tuple([edit.new for edit in edits if (edit.start, edit.end) == span])
                new_texts.setdefault(span, set()).add(texts)
        contested = {span for span, texts in new_texts.items() if len(texts) > 1}
        utf8 = self.document.text.utf8
        changing = {
            number
            for number, edits in (edits_by_segment.items() if contested else ())
            for edit in edits
            if (edit.start, edit.end) in contested and edit.new != utf8[edit.start : edit.end]
        }
        return {number: edits for number, edits in edits_by_segment.items() if number not in changing}

    def _note_change(self, number: int, segment: Segment, note: str | None) -> NoteChange | None:
        """Change to a segment's note; None if the note is unchanged or cannot be stored.

        Adds the segment to `unsupported_notes` if a changed note cannot be stored. Raises QeError if the note is
        invalid.
        """
        location, rule = segment.note_location, self.document.note_rule
        new_note = segment.note if note is None else normalize_note(note)
        is_new = bool(new_note) and not segment.note
        target = self.contents[number][1] if number in self.contents else segment.target or ()
        if location is None or (is_new and rule.wrap is not None and not content_text(target)):
            if new_note != segment.note:
                self.unsupported_notes.append(number)
            return None
        rejected = rule.marks_rejected and self._is_rejected(number, segment, location.rejected)
        if (new_note, rejected) == (segment.note, location.rejected):
            return None
        wrapped = is_new and rule.wrap is not None and number in self.contents
        change = NoteChange(location, new_note, rejected, wrapped)
        rule.check(self.document.text, change)
        return change

    def _is_rejected(self, number: int, segment: Segment, before: bool) -> bool:
        """Whether the note must mark a segment as rejected. A new target removes the mark if no status is written."""
        status = self.statuses.get(number)
        if status is None or (status is REJECTED and segment.locked):
            # other programs finish a segment without removing the mark
            return before and number not in self.contents and self.document.status_rule.status(segment) is REJECTED
        if status is REJECTED and number not in self.status_edits:
            # the segment already has the status, or the file cannot store it
            return before
        return status is REJECTED and self._read_back(segment, status) is REJECTED

    def result(self) -> RewrittenDocument:
        """Return the rewritten document. Raises TargetsRejectedError if a changed segment is not read back as intended.

        Raises QeError if edits overlap, if the new file cannot be parsed, or if any other segment would change.
        """
        document = self.document
        text = document.text
        edits: list[TextEdit] = []
        for location, segment, group_contents in _group_contents(self._written_contents()):
            edits += location.edits(text, segment, group_contents)
        status_splices = [edit for segment_edits in self.status_edits.values() for edit in segment_edits]
        note_splices = document.note_rule.edits(text, list(self.notes.values())) if self.notes else []
        combined = [*combine_edits(edits, status_splices), *note_splices]
        differing = [edit for edit in combined if text.utf8[edit.start : edit.end] != edit.new]
        try:
            new, kept_pieces = apply_edits(text.utf8, differing)
        except ValueError:
            raise self._rejection() from None
        data = text.encode_file(new)
        differing_edits = set(differing)
        changed = {
            *self.contents,
            *self.notes,
            *(number for number, edits in self.status_edits.items() if not differing_edits.isdisjoint(edits)),
        }
        segments = self._verify(data, new) if changed else document.segments
        return RewrittenDocument(
            data,
            len(changed),
            text.unchanged_size(kept_pieces),
            *self._unsupported_statuses(segments),
            tuple(self.unsupported_notes),
            document.lacks_language and any(segment.target is not None for segment in segments),
        )

    def _written_contents(self) -> Iterator[tuple[Segment, Content]]:
        """Segments with new targets, and the contents of these targets, including the markup of new notes."""
        wrap = self.document.note_rule.wrap
        for number, (segment, content) in self.contents.items():
            change = self.notes.get(number)
            if wrap is not None and change is not None and change.is_wrapped:
                yield segment, wrap(self.document.text, change.location, content)
            else:
                yield segment, content

    def _unsupported_statuses(self, segments: Sequence[Segment]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """0-based numbers of segments whose final status is not stored, and of those that `add_missing` would fix."""
        rule = self.document.status_rule
        final = ((number, status) for number, status in sorted(self.statuses.items()) if status in FINAL_STATUSES)
        unsupported = tuple([number for number, status in final if rule.status(segments[number]) is not status])
        addable = () if self.add_missing else tuple([number for number in unsupported if self._is_addable(number)])
        return unsupported, addable

    def _is_addable(self, number: int) -> bool:
        segment, text = self.document.segments[number], self.document.text
        if segment.target_location is None or segment.locked:
            return False
        stores, status = self.document.status_rule.can_store, self.statuses[number]
        return stores(text, segment.target_location, status, add=True) and not stores(
            text, segment.target_location, status
        )

    def _rejection(self) -> QeError:
        return QeError(
            tr("saving the edits would change other parts of the file"),
            hint=tr("Nothing was written. Report this problem and attach the file."),
            place=SourceLocation(self.document.name),
        )

    def _verify(self, data: bytes, utf8: bytes) -> Sequence[Segment]:
        """Parse the new text and return its segments. Raises QeError if they are invalid or not as intended."""
        document, rejected = self.document, self._rejection()
        try:
            segments = document.parse_again(replace(document.text, data=data, utf8=utf8)).segments
        except (QeError, UnboundPrefixError) as error:
            raise rejected from error
        if len(segments) != len(document.segments):
            raise rejected
        errors: dict[int, tuple[int, QeError]] = {}
        for number, (before, after) in enumerate(zip(document.segments, segments, strict=True)):
            if self._is_as_intended(number, before, after):
                continue
            if not (number in self.contents or number in self.status_edits or number in self.notes):
                raise rejected
            message = tr("the target, status or note would differ when the file is read again")
            hint = tr("Nothing was written. Report this problem and attach the file.")
            errors[number] = before.line, QeError(message, hint=hint)
        if errors:
            raise TargetsRejectedError(document.name, errors)
        return segments

    def _is_as_intended(self, number: int, before: Segment, after: Segment) -> bool:
        if number in self.contents:
            is_same = same_contents(self.contents[number][1], after.target or ())
        else:
            is_same = (before.target or ()) == (after.target or ())
        note = self.notes[number].note if number in self.notes else before.note
        is_same = is_same and note == after.note and _is_unchanged(before, after)
        if number in self.status_edits:
            return is_same and self.document.status_rule.status(after) is self._read_back(before, self.statuses[number])
        return is_same


_Group = tuple[TargetLocation, Segment, dict[TargetLocation, Content]]


def _group_contents(contents: Iterable[tuple[Segment, Content]]) -> Iterable[_Group]:
    """Group new contents that are written together; each group includes its first target location and segment."""
    groups: dict[int, _Group] = {}
    for segment, content in contents:
        location = segment.target_location
        if location is not None:
            groups.setdefault(id(location.group), (location, segment, {}))[2][location] = content
    return groups.values()


def _is_unchanged(before: Segment, after: Segment) -> bool:
    return (before.name, before.source, before.locked, before.notes, before.loaded_target) == (
        after.name, after.source, after.locked, after.notes, after.loaded_target,
    )  # fmt: skip
