"""What all dialects gather of a document: segments in their order, each known by a name of its own."""

from __future__ import annotations

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeNumbering, Content
from qe_desktop.formats.bilingual.segments import Issue, Quality, Segment, TargetLocation
from qe_desktop.formats.io.limits import MAX_SEGMENT_TOKENS, MAX_SEGMENTS
from qe_desktop.i18n.messages import tr

_HINT = tr("Save it again in the program that it comes from.")

MAX_COLLECTED_ISSUES = 1 << 20
"""Issues of a file: one list of them may be referred to by each of its segments."""


class SegmentCollector:
    """Segments as they are read; `numbered` says that their codes have numbers already.

    QeError for a name that is there twice, a text that is too long, too many of them.
    """

    def __init__(self, text: DecodedFile, *, numbered: bool = False) -> None:
        self.text, self.numbered = text, numbered
        self.segments: list[Segment] = []
        self.twice = self._issues = 0
        self._numbering = CodeNumbering()
        self._lines: dict[object, dict[object, int]] = {}

    def know(self, within: object, key: object, name: str, line: int, bound: bool = True) -> None:
        """Refuse a name whose `key` is there already, within something; where nothing is `bound` to it, note it."""
        known = self._lines.get(within)
        if known is None:
            known = self._lines[within] = {}
        if key not in known:
            known[key] = line
            return
        message = tr("the name {name} is there twice, first in line {line:,}", name=name, line=known[key])
        if bound:
            raise QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line))
        self.twice += 1

    def notes(self) -> tuple[str, ...]:
        """What must be said of the whole."""
        if not self.twice:
            return ()
        return (tr("{n:,} {n:unit has|units have} the name of another one", "", self.twice),)

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
        """One more segment, whose codes are numbered here, unless they are already."""
        if loaded is not None and not self.numbered:
            loaded = self._numbering.numbered(source, loaded)[1]
        if not _is_plain(source) or (target is not None and not _is_plain(target)):
            if not self.numbered:
                source, target = self._numbering.numbered(source, target)
            is_long = _is_long(source) or (target is not None and _is_long(target))
        else:
            # nearly all segments are one run of text
            is_long = max(len(source[0]) if source else 0, len(target[0]) if target else 0) > MAX_SEGMENT_TOKENS
        if is_long or (loaded is not None and _is_long(loaded)):
            message = tr("a text of the segment has more than {n:,} characters", "", MAX_SEGMENT_TOKENS)
            raise QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line))
        if len(self.segments) >= MAX_SEGMENTS:
            message = tr("there are more than {n:,} segments", "", MAX_SEGMENTS)
            raise QeError(message, hint=tr("Give it in parts."), place=SourceLocation(self.text.name, line))
        self._issues += len(issues)
        if self._issues > MAX_COLLECTED_ISSUES:
            message = tr("there are more than {n:,} issues", "", MAX_COLLECTED_ISSUES)
            raise QeError(message, hint=tr("Give it in parts."), place=SourceLocation(self.text.name, line))
        said = (name, line, source, target, place, state, locked, origin, notes, qualities, issues, loaded)
        # what a NamedTuple does when it is called, but for asking which argument is which
        self.segments.append(tuple.__new__(Segment, said))


def _is_plain(content: Content) -> bool:
    """Whether a content is at most one run of text: a code alone has a number as all have."""
    return not content or (len(content) == 1 and content[0].__class__ is str)


def _is_long(content: Content) -> bool:
    # a code is counted as its six parts
    return sum(map(len, content)) > MAX_SEGMENT_TOKENS
