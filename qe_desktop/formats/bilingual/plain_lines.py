"""A segment as one line of text: codes as `⟨1⟩ … ⟨/1⟩` and `⟨2/⟩`, a ⟨ of the text doubled, line breaks as U+2028."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content, content_codes, content_text
from qe_desktop.i18n.messages import tr

LINE_BREAK = "\u2028"
LINE_BREAK_PATTERN = re.compile("\r\n|\r|\n|\u2028")
_MARKED = re.compile("⟨⟨|⟨(/?[0-9]{1,6}|[0-9]{1,6}/)⟩|⟨")
_UNNUMBERED = ("⟨0/⟩", "⟨0⟩", "⟨/0⟩")
INVALID_XML_CHARS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML does not hold, not even as a reference (XML 1.0, production 2)."""


def content_to_line(content: Content) -> str:
    """The line that stands for a source or a target."""
    return "".join([_line_of_text(run) if isinstance(run, str) else run.shown for run in content])


def _line_of_text(text: str) -> str:
    if "\n" in text or "\r" in text:
        text = LINE_BREAK_PATTERN.sub(LINE_BREAK, text)
    return text.replace("⟨", "⟨⟨")


class CodesMismatchError(QeError):
    """A line in which codes are missing or there too often, which a person may want all the same."""


def line_to_content(line: str, source: Content, target: Content | None, *, other_codes: bool = False) -> Content:
    """What a line stands for, in a segment with such a source, and such a target until now.

    A line break is of the kind that the segment has, else LF. QeError without a place where a code is unknown, in no
    order or without its other end, or where the text holds what no file does; OtherCodesError where a code is missing
    or there too often, unless there may be `other_codes`.
    """
    kind = _break(target) or _break(source) or "\n"
    known = {code.shown: code for code in (*content_codes(source), *content_codes(target or ()))}
    runs: list[str | Code] = []
    low = 0
    for found in _MARKED.finditer(line):
        runs.append(line[low : found.start()])
        runs.append(_run(found[0], known))
        low = found.end()
    runs.append(line[low:])
    content = _join_runs(runs, kind)
    _check_code_order(content)
    unwritable = INVALID_XML_CHARS.search(content_text(content))
    if unwritable:
        shown = f"U+{ord(unwritable[0]):04X}"
        raise QeError(
            tr("the text holds the character {code}, which such a file may not hold", code=shown), hint=tr("Remove it.")
        )
    if not other_codes:
        # last, so that whoever is told of this alone may have it written
        _check_codes(content, source, target)
    return content


def _run(mark: str, known: dict[str, Code]) -> str | Code:
    if mark == "⟨⟨":
        return "⟨"
    if mark in known:
        return known[mark]
    if mark == "⟨":
        message = tr("a ⟨ of the text is not doubled")
        raise QeError(message, hint=tr("Write ⟨⟨ for the sign itself, and ⟨1⟩ for a code."))
    alone = set(known.values())
    if mark in _UNNUMBERED and len(alone) == 1:
        # lines that were kept before a code that is the whole of a segment had a number
        return alone.pop()
    message = tr("the code {code} is none of this segment", code=mark)
    raise QeError(message, hint=tr("Keep the codes of the source, each once."))


def _join_runs(runs: list[str | Code], kind: str) -> Content:
    joined: list[str | Code] = []
    for is_code, group in groupby(runs, lambda run: isinstance(run, Code)):
        if is_code:
            joined += group
        elif text := "".join([run for run in group if isinstance(run, str)]):
            joined.append(text.replace(LINE_BREAK, kind))
    return tuple(joined)


def _break(content: Content | None) -> str:
    found = LINE_BREAK_PATTERN.search(content_text(content)) if content else None
    return found[0] if found else ""


def _check_codes(content: Content, source: Content, target: Content | None) -> None:
    """The codes must be those of the source, or those that the target had before."""
    have = Counter(code.shown for code in content_codes(content))
    must = Counter(code.shown for code in content_codes(source))
    if have == must or (target is not None and have == Counter(code.shown for code in content_codes(target))):
        return
    missing, extra = list((must - have).elements()), list((have - must).elements())
    hint = tr("Keep the codes of the source, each once.")
    if missing:
        raise CodesMismatchError(tr("the code {code} is missing", code=missing[0]), hint=hint)
    raise CodesMismatchError(tr("the code {code} is there too often", code=extra[0]), hint=hint)


def _check_code_order(content: Content) -> None:
    """Ends must come behind their beginnings, and elements must lie wholly within each other."""
    opened: dict[int, Code] = {}
    by_number: dict[int, list[int]] = defaultdict(list)
    nesting: list[int] = []
    """Those that are open and must lie within each other, by their places among all codes."""
    for place, code in enumerate(content_codes(content)):
        if code.kind is CodeKind.OPEN:
            opened[place] = code
            by_number[code.number].append(place)
            if code.nests:
                nesting.append(place)
        elif code.kind is CodeKind.CLOSE:
            begun = by_number[code.number].pop() if by_number[code.number] else None
            if begun is None or (code.nests and nesting and nesting[-1] > begun):
                message = tr("the code {code} stands in the wrong place", code=code.shown)
                hint = tr("An end comes behind its beginning, and codes that lie within others end before those do.")
                raise QeError(message, hint=hint)
            if opened.pop(begun).nests:
                nesting.remove(begun) if nesting[-1] != begun else nesting.pop()
    if opened:
        message = tr("the code {code} has no end", code=next(iter(opened.values())).shown)
        raise QeError(message, hint=tr("Put both of its ends into the text, or none."))


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


def split_line(line: str) -> Iterator[str | LineCode]:
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


def join_line(pieces: Iterable[str | LineCode]) -> str:
    """The line that text and codes make."""
    return "".join(piece.replace("⟨", "⟨⟨") if isinstance(piece, str) else piece.shown for piece in pieces)


def strip_codes(line: str) -> str:
    """The text of a line without its codes."""
    if "⟨" not in line:
        return line
    return "".join(piece for piece in split_line(line) if isinstance(piece, str))


def parse_line_codes(line: str) -> list[LineCode]:
    """The codes of a line, in its order."""
    return [piece for piece in split_line(line) if isinstance(piece, LineCode)] if "⟨" in line else []


class CodeDifferences(NamedTuple):
    """What is wrong with the codes of a target: those that are `missing`, those that are there too often (`extra`), and
    the ends that stand before their beginnings (`early`).
    """

    missing: tuple[LineCode, ...] = ()
    extra: tuple[LineCode, ...] = ()
    early: tuple[LineCode, ...] = ()


def code_differences(line: str, source: str, loaded: str = "") -> CodeDifferences:
    """What is wrong with the codes of a target beside its source, and beside the target that was loaded.

    What the loaded target lacked is said, though a file takes it (`lines.content_of`), for whoever corrects can mend
    it. What it had beyond the source is not, while all of that is there: issues of words are marked by codes that only
    the target has.
    """
    codes, must = parse_line_codes(line), parse_line_codes(source)
    have, wanted, had = Counter(codes), Counter(must), Counter(parse_line_codes(loaded))
    missing = tuple((wanted - have).elements())
    extra = () if have == had else tuple((have - wanted).elements())
    return CodeDifferences(missing, extra, tuple(_early(codes)))


def _early(codes: Iterable[LineCode]) -> Iterator[LineCode]:
    opened: Counter[int] = Counter()
    for code in codes:
        if code.kind is CodeKind.OPEN:
            opened[code.number] += 1
        elif code.kind is CodeKind.CLOSE:
            if not opened[code.number]:
                yield code
            opened[code.number] -= 1
