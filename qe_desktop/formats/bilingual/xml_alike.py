"""Elements that are written as others before them: their texts are cut out, and the parser does not see them.

Most units of a translator's file differ in a name and in texts alone. The parser reads the first that is written in
some way; whoever takes it learns that way, and reads the next by it, many at once. Nothing is taken for XML that is
none, and nothing read otherwise than the parser would read it:

- such an element is left out only where the parser stands between two tags, in the very element in which it handed on
  another one, and no CDATA began in between; so both are in the same namespaces, and neither in a comment;
- its tags are, byte for byte, those of that other one, but for the name;
- an element with other references than the five of XML itself is the parser's, and so is each piece of a file that
  holds signs which are none of XML's, or what might end CDATA.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.text import CR, LF

_ENTITIES = ((b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b'"'), (b"&apos;", b"'"), (b"&amp;", b"&"))
"""In an order in which what one stands for begins no other one."""
_OTHER_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)")
PIECE = 1 << 18
"""Bytes that are gone through at once: so few that they stay in the cache, and that other threads have a turn."""
_USUAL = bytes(sorted({*range(0x20, 0x100), *b"\t\n\r"} - {*b"]\xef"}))
_ASKED = b"]\xef"
_NEVER = (b"]]>", b"\xef\xbf\xbe", b"\xef\xbf\xbf")
"""What no text of XML holds (XML 1.0, productions 2 and 14), beside other signs below the blank."""
NO_TEXT = b"\0"
"""What stands between texts: no text of XML holds it."""


class Alike(Protocol):
    """What reads elements by the way others before them were written."""

    pattern: re.Pattern[bytes]
    """Matches one whole element that can be read so, with the blanks behind it."""

    def take(self, found: re.Match[bytes], line: int) -> bool:
        """Take one that begins in a line, to be read with others; False where the parser must read it."""
        ...

    def read_taken(self) -> None:
        """Read all that were taken."""
        ...

    def learn(self, found: re.Match[bytes]) -> None:
        """The parser has just read this one, and handed it on, but where it is in a comment or in CDATA."""
        ...

    def forget(self) -> None:
        """What follows is in another element, where the same tags may say something else."""
        ...


def unescaped(written: bytes) -> bytes:
    """The text that stands so in a piece of a file that may be cut, without tags, in elements that may be left out."""
    if b"\r" in written:
        written = written.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"&" in written:
        is_other = written.count(b"&") > written.count(b"&amp;")
        for entity, sign in _ENTITIES if is_other else _ENTITIES[-1:]:
            written = written.replace(entity, sign)
    return written


def texts_of(written: Sequence[bytes]) -> list[str]:
    """Such texts, many at once."""
    return unescaped(NO_TEXT.join(written)).decode().split(NO_TEXT.decode()) if written else []


def _may_be_cut(piece: bytes) -> bool:
    """Whether a piece of a file holds nothing that only the parser sees."""
    asked = piece.translate(None, _USUAL)
    return not asked or (not asked.translate(None, _ASKED) and not any(never in piece for never in _NEVER))


class Parsing(Protocol):
    """A parser that is given a file piece by piece."""

    def feed(self, low: int, high: int) -> bool:
        """Parse what stands between two places; whether the parser is now between two tags, as far as it tells."""
        ...

    def go_on_at(self, low: int, line: int) -> None:
        """What comes next stands at this place, in this line: what was before it is left out."""
        ...

    def around(self) -> object:
        """The open element, where what comes next in it may be handed on; else None."""
        ...


class _Cut:
    """The reading of a file: `low` is the place up to which it was given to the parser or left out."""

    def __init__(self, parsing: Parsing, utf8: bytes, alike: Alike) -> None:
        self.parsing, self.utf8, self.alike = parsing, utf8, alike
        self.signs = np.frombuffer(utf8, np.uint8)
        self.low = self.parsed = 0
        self.around: object = None
        """The element in which the parser stands, between two tags or in CDATA; None where that is not known. Of what
        may be in CDATA `alike` knows nothing yet."""
        self.ends = np.zeros(0, np.int64)
        """Where the lines of the piece end that is read, the first of which is `line`."""
        self.line = 1

    def read(self) -> None:
        """All of it."""
        while self.low < len(self.utf8):
            begun, high = self.low, min(self.low + PIECE, len(self.utf8))
            piece = self.utf8[begun:high]
            self.ends = self._line_ends(begun, high, has_returns=b"\r" in piece)
            if _may_be_cut(piece):
                self._cut(begun, high)
            if self.low == begun:
                # one that lies across the end of a piece is the parser's
                self._feed(high)
            self.line += int(np.searchsorted(self.ends, self.low))

    def _line_ends(self, low: int, high: int, *, has_returns: bool) -> NDArray[np.int64]:
        signs = self.signs[low:high]
        are_ends = signs == LF
        if has_returns:
            behind = np.append(self.signs[low + 1 : high + 1], np.uint8(0))[: high - low]
            are_ends |= (signs == CR) & (behind != LF)
        return np.flatnonzero(are_ends) + low

    def _cut(self, begun: int, high: int) -> None:
        alike = self.alike
        found = list(alike.pattern.finditer(self.utf8, begun, high))
        lines = np.searchsorted(self.ends, [one.start() for one in found]) + self.line
        refused = [one.start() for one in _OTHER_REFERENCE.finditer(self.utf8, begun, high)]
        for one, line in zip(found, lines.tolist(), strict=True):
            start, end = one.span()
            if self.low < start:
                self._feed(start)
            if refused and bisect(refused, end) > bisect(refused, start):
                self._feed(end)
            elif self.around is not None and alike.take(one, line):
                self.low = end
            else:
                self._parsed(one)
        alike.read_taken()

    def _parsed(self, found: re.Match[bytes]) -> None:
        """Give the parser an element, and learn from it."""
        self._feed(found.start())
        around = self.parsing.around()
        is_between = self._fed(found.end())
        if around is None or not is_between or self.parsing.around() is not around:
            self.around = None
            return
        if around is not self.around:
            self.around = around
            self.alike.forget()
        self.alike.learn(found)

    def _feed(self, high: int) -> None:
        low, around = self.low, self.around
        if low < high:
            is_between = self._fed(high)
            # what begins here may be CDATA, in which tags are text
            if not is_between or self.parsing.around() is not around or b"<!" in self.utf8[low:high]:
                self.around = None

    def _fed(self, high: int) -> bool:
        low = self.low
        if self.parsed < low:
            self.alike.read_taken()
            self.parsing.go_on_at(low, self.line + int(np.searchsorted(self.ends, low)))
        self.low = self.parsed = high
        return self.parsing.feed(low, high)


def read_alike(parsing: Parsing, utf8: bytes, alike: Alike) -> None:
    """Give a parser a file, but for what is read without it."""
    _Cut(parsing, utf8, alike).read()
