"""The codes within a line of text (`lines`): what stands between them, and which a target lacks or has too often.

Nothing of the file is needed for this: lines alone tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from qe_desktop.formats.bilingual.codes import CodeKind

_CODE = re.compile("⟨⟨|⟨(/?)([0-9]{1,6})(/?)⟩")


class LineCode(NamedTuple):
    """A code as a line has it: what it does to the text behind it, and its number in the segment."""

    kind: CodeKind
    number: int

    @property
    def shown(self) -> str:
        """The code as it stands in a line."""
        before, behind = ("/" if self.kind is end else "" for end in (CodeKind.CLOSE, CodeKind.ALONE))
        return f"⟨{before}{self.number}{behind}⟩"


def pieces_of(line: str) -> Iterator[str | LineCode]:
    """The text and the codes of a line by turns, a ⟨ of the text as itself; no text is empty."""
    text, low = "", 0
    for found in _CODE.finditer(line):
        code = _code(found)
        text += line[low : found.start()]
        if code is None:
            # a doubled sign is one of the text; what only looks like a code is text as well
            text += "⟨" if found[0] == "⟨⟨" else found[0]
        else:
            if text:
                yield text
            text = ""
            yield code
        low = found.end()
    text += line[low:]
    if text:
        yield text


def _code(found: re.Match[str]) -> LineCode | None:
    if found[2] is None or (found[1] and found[3]):
        return None
    kind = CodeKind.CLOSE if found[1] else CodeKind.ALONE if found[3] else CodeKind.OPEN
    return LineCode(kind, int(found[2]))


def line_of_pieces(pieces: Iterable[str | LineCode]) -> str:
    """The line that text and codes make."""
    return "".join(piece.replace("⟨", "⟨⟨") if isinstance(piece, str) else piece.shown for piece in pieces)


def text_of_line(line: str) -> str:
    """The text of a line without its codes."""
    if "⟨" not in line:
        return line
    return "".join(piece for piece in pieces_of(line) if isinstance(piece, str))


def codes_of_line(line: str) -> list[LineCode]:
    """The codes of a line, in its order."""
    return [piece for piece in pieces_of(line) if isinstance(piece, LineCode)] if "⟨" in line else []


class CodesAside(NamedTuple):
    """What is wrong with the codes of a target: those that are `missing`, those that are there too often (`extra`), and
    the ends that stand before their beginnings (`early`).
    """

    missing: tuple[LineCode, ...] = ()
    extra: tuple[LineCode, ...] = ()
    early: tuple[LineCode, ...] = ()


def codes_aside(line: str, source: str, loaded: str = "") -> CodesAside:
    """What is wrong with the codes of a target beside its source, and beside the target that was loaded.

    What the loaded target lacked is said, though a file takes it (`lines.content_of`), for whoever corrects can mend
    it. What it had beyond the source is not, while all of that is there: issues of words are marked by codes that only
    the target has.
    """
    codes, must = codes_of_line(line), codes_of_line(source)
    have, wanted, had = Counter(codes), Counter(must), Counter(codes_of_line(loaded))
    missing = tuple((wanted - have).elements())
    extra = () if have == had else tuple((have - wanted).elements())
    return CodesAside(missing, extra, tuple(_early(codes)))


def _early(codes: Iterable[LineCode]) -> Iterator[LineCode]:
    opened: Counter[int] = Counter()
    for code in codes:
        if code.kind is CodeKind.OPEN:
            opened[code.number] += 1
        elif code.kind is CodeKind.CLOSE:
            if not opened[code.number]:
                yield code
            opened[code.number] -= 1
