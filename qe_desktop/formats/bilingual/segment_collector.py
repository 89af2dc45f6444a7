"""Collector of the segments of a document in order, with unique names."""

from __future__ import annotations

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeNumbering, Content
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment, TargetLocation
from qe_desktop.formats.io.limits import MAX_SEGMENT_TOKENS, MAX_SEGMENTS
from qe_desktop.i18n.messages import tr

_HINT = tr("Save it again in the program that created it.")

MAX_COLLECTED_ISSUES = 1 << 20
"""Maximum number of issues in a file; each segment may refer to the same list of issues."""


class SegmentCollector:
    """Collector of segments during parsing; with `numbered`, their codes are numbered already.

    Raises QeError if a name is duplicate, a text is too long, or there are too many segments.
    """

    def __init__(self, text: DecodedFile, *, numbered: bool = False) -> None:
        self.text, self.numbered = text, numbered
        self.segments: list[Segment] = []
        self.twice = self._issues = 0
        self._numbering = CodeNumbering()
        self._lines: dict[object, dict[object, int]] = {}

    def know(self, within: object, key: object, name: str, line: int, bound: bool = True) -> None:
        """Register the `key` of a name in a scope; duplicates are rejected if `bound`, otherwise counted."""
        lines = self._lines.get(within)
        if lines is None:
            lines = self._lines[within] = {}
        if key not in lines:
            lines[key] = line
            return
        message = tr("the name {name} is not unique; first used in line {line:,}", name=name, line=lines[key])
        if bound:
            raise QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line))
        self.twice += 1

    def notes(self) -> tuple[str, ...]:
        """Notes about the whole document."""
        if not self.twice:
            return ()
        return (tr("{n:,} {n:unit has|units have} a duplicate name", "", self.twice),)

    def add(
        self,
        name: str,
        line: int,
        source: Content,
        target: Content | None,
        place: TargetLocation | None,
        state: str = "",
        locked: bool = False,
        origin: str = "",
        notes: tuple[str, ...] = (),
        qualities: tuple[Quality, ...] = (),
        issues: tuple[Issue, ...] = (),
        loaded: Content | None = None,
    ) -> None:
        """Add a segment; number its codes unless they are numbered already."""
        if loaded is not None and not self.numbered:
            loaded = self._numbering.numbered(source, loaded)[1]
        if not _is_plain(source) or (target is not None and not _is_plain(target)):
            if not self.numbered:
                source, target = self._numbering.numbered(source, target)
            is_long = _is_long(source) or (target is not None and _is_long(target))
        else:
            # fast path: nearly all segments are one run of text
            is_long = max(len(source[0]) if source else 0, len(target[0]) if target else 0) > MAX_SEGMENT_TOKENS
        if is_long or (loaded is not None and _is_long(loaded)):
            message = tr("a text of the segment is longer than {n:,} characters", "", MAX_SEGMENT_TOKENS)
            raise QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line))
        if len(self.segments) >= MAX_SEGMENTS:
            message = tr("there are more than {n:,} segments", "", MAX_SEGMENTS)
            raise QeError(message, hint=tr("Split the file."), place=SourceLocation(self.text.name, line))
        self._issues += len(issues)
        if self._issues > MAX_COLLECTED_ISSUES:
            message = tr("there are more than {n:,} issues", "", MAX_COLLECTED_ISSUES)
            raise QeError(message, hint=tr("Split the file."), place=SourceLocation(self.text.name, line))
        values = (name, line, source, target, place, state, locked, origin, notes, qualities, issues, loaded)
        # equals the NamedTuple constructor, without its argument handling
        self.segments.append(tuple.__new__(Segment, values))


def _is_plain(content: Content) -> bool:
    """Whether a content is at most one run of text; a single code also needs a number."""
    return not content or (len(content) == 1 and content[0].__class__ is str)


def _is_long(content: Content) -> bool:
    # codes count as their six fields
    return sum(map(len, content)) > MAX_SEGMENT_TOKENS
