"""A translator's file as a value: its segments, and the same file with other targets, in which nothing else differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from qe_desktop.corpus import Fault, Place, QeError
from qe_desktop.formats.bilingual.codes import Content
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.lines import content_of, line_of
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.splices import Splice, spliced
from qe_desktop.formats.bilingual.xml_tree import UnboundPrefixError
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class Rewritten:
    """A file's new bytes, how many segments have another target, and how many of the old bytes are the same."""

    data: bytes
    changed: int
    identical: int


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A translator's file as read.

    `form` is its dialect and `shown_form` what people call it; languages are as the file writes them, empty where it is
    silent. `again` reads another text as this one was read.
    """

    text: Text
    form: str
    shown_form: str
    segments: tuple[Segment, ...]
    again: Callable[[Text], Document]
    source_language: str = ""
    target_language: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def name(self) -> str:
        """The file, as messages call it."""
        return self.text.name

    def with_targets(self, targets: Mapping[int, str]) -> Rewritten:
        """This file in which segments, by their numbers from 0, have other targets, each given as a line (`lines`).

        Where a line is as before, no byte changes. QeError that names each segment that cannot have its line: codes
        missing or too many, a lock, no place for a target, signs that the file cannot hold.
        """
        contents = self._contents(targets)
        places = {segment.place: content for segment, content in contents.values() if segment.place is not None}
        splices: list[Splice] = []
        for segment, _ in contents.values():
            if segment.place is not None:
                splices += segment.place.splices(self.text, segment, places)
        new, kept = spliced(self.text.utf8, splices)
        data = self._back(new)
        if contents:
            self._refuse_other_changes(replace(self.text, data=data, utf8=new), contents)
        return Rewritten(data, len(contents), self.text.identical(kept))

    def _contents(self, targets: Mapping[int, str]) -> dict[int, tuple[Segment, Content]]:
        """The segments whose lines are others than before, and what these stand for."""
        contents: dict[int, tuple[Segment, Content]] = {}
        faults: list[Fault] = []
        hint = ""
        for number, line in sorted(targets.items()):
            segment = self.segments[number]
            if line == segment.target_line:
                continue
            try:
                contents[number] = segment, self._content(segment, line)
            except QeError as error:
                said = tr("segment {number:,}: {fault}", number=number + 1, fault=error.message)
                faults.append(Fault(Place(self.name, segment.line), said))
                hint = hint or error.hint
        if faults:
            raise QeError(faults[0].message, hint=hint, faults=faults)
        return contents

    def _content(self, segment: Segment, line: str) -> Content:
        if segment.locked:
            message = tr("it is locked, and its target may not change")
            raise QeError(message, hint=tr("Leave its line as it is, or unlock it in your translation program."))
        if segment.place is None:
            message = tr("there is no place for its target in the file")
            raise QeError(message, hint=tr("Give it a target in your translation program first."))
        return content_of(line, segment.source, segment.target)

    def _back(self, utf8: bytes) -> bytes:
        try:
            return self.text.back(utf8)
        except UnicodeEncodeError as error:
            sign = f"U+{ord(error.object[error.start]):04X}"
            message = tr(
                "the file’s encoding {encoding} has no character {code}", encoding=self.text.codec.upper(), code=sign
            )
            raise QeError(message, hint=tr("Write it in another way."), place=Place(self.name)) from None

    def _refuse_other_changes(self, text: Text, contents: Mapping[int, tuple[Segment, Content]]) -> None:
        """Read what would be written, and refuse it where anything but the targets that were given has changed."""
        refused = QeError(
            tr("these targets cannot be written without changing more of the file than them"),
            hint=tr("Nothing was written. Please report this, with the file."),
            place=Place(self.name),
        )
        try:
            found = self.again(text).segments
        except (QeError, UnboundPrefixError) as error:
            raise refused from error
        if len(found) != len(self.segments):
            raise refused
        for number, (before, after) in enumerate(zip(self.segments, found, strict=True)):
            if number in contents:
                same = line_of(contents[number][1]) == after.target_line and _alike(before, after)
            else:
                same = (before.target or ()) == (after.target or ()) and _alike(before, after)
            if not same:
                raise refused


def _alike(before: Segment, after: Segment) -> bool:
    """Whether a segment is the same in all that may not change with its target, nor with that of another one."""
    return (before.name, before.source, before.locked, before.notes) == (
        after.name, after.source, after.locked, after.notes,
    )  # fmt: skip
