"""What all dialects gather of a document: segments in their order, each known by a name of its own."""

from __future__ import annotations

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.bilingual.codes import Content, Numbering
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.quality import Issue, Quality
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.limits import LONGEST, MOST_SEGMENTS
from qe_desktop.wording import tr

_HINT = tr("Save it again in the program that it comes from.")

MOST_ISSUES = 1 << 20
"""Issues of a file: one list of them may be referred to by each of its segments."""


class Gathered:
    """Segments as they are read; `numbered` says that their codes have numbers already.

    QeError for a name that is there twice, a text that is too long, too many of them.
    """

    def __init__(self, text: Text, *, numbered: bool = False) -> None:
        self.text, self.numbered = text, numbered
        self.segments: list[Segment] = []
        self.twice = self._issues = 0
        self._numbering = Numbering()
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
            raise QeError(message, hint=_HINT, place=Place(self.text.name, line))
        self.twice += 1

    def notes(self) -> tuple[str, ...]:
        """What must be said of the whole."""
        if not self.twice:
            return ()
        return (tr("{n:,} {n:unit has|units have} the name of another one", "", self.twice),)

    def add(
        self, name: str, line: int, source: Content, target: Content | None, place: Target | None, state: str = "",
        locked: bool = False, origin: str = "", notes: tuple[str, ...] = (), qualities: tuple[Quality, ...] = (),
        issues: tuple[Issue, ...] = (), loaded: Content | None = None,
    ) -> None:  # fmt: skip
        """One more segment, whose codes are numbered here, unless they are already."""
        if loaded is not None and not self.numbered:
            loaded = self._numbering.numbered(source, loaded)[1]
        if not _is_plain(source) or (target is not None and not _is_plain(target)):
            if not self.numbered:
                source, target = self._numbering.numbered(source, target)
            is_long = _is_long(source) or (target is not None and _is_long(target))
        else:
            # nearly all segments are one run of text
            is_long = max(len(source[0]) if source else 0, len(target[0]) if target else 0) > LONGEST
        if is_long or (loaded is not None and _is_long(loaded)):
            message = tr("a text of the segment has more than {n:,} characters", "", LONGEST)
            raise QeError(message, hint=_HINT, place=Place(self.text.name, line))
        if len(self.segments) >= MOST_SEGMENTS:
            message = tr("there are more than {n:,} segments", "", MOST_SEGMENTS)
            raise QeError(message, hint=tr("Give it in parts."), place=Place(self.text.name, line))
        self._issues += len(issues)
        if self._issues > MOST_ISSUES:
            message = tr("there are more than {n:,} issues", "", MOST_ISSUES)
            raise QeError(message, hint=tr("Give it in parts."), place=Place(self.text.name, line))
        said = (name, line, source, target, place, state, locked, origin, notes, qualities, issues, loaded)
        # what a NamedTuple does when it is called, but for asking which argument is which
        self.segments.append(tuple.__new__(Segment, said))


def _is_plain(content: Content) -> bool:
    """Whether a content is at most one run of text: a code alone has a number as all have."""
    return not content or (len(content) == 1 and content[0].__class__ is str)


def _is_long(content: Content) -> bool:
    # a code is counted as its six parts
    return sum(map(len, content)) > LONGEST
