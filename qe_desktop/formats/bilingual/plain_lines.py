"""Segments as single lines of text: codes as `⟨1⟩ … ⟨/1⟩` and `⟨2/⟩`, literal ⟨ doubled, line breaks as U+2028."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content, content_codes, content_text
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

LINE_BREAK = "\u2028"
LINE_BREAK_PATTERN = re.compile("\r\n|\r|\n|\u2028")
_MARKED = re.compile("⟨⟨|⟨(/?[0-9]{1,6}|[0-9]{1,6}/)⟩|⟨")
_UNNUMBERED_MARKS = ("⟨0/⟩", "⟨0⟩", "⟨/0⟩")
INVALID_XML_CHARS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Pattern of characters that XML does not allow, not even as character references (XML 1.0, production 2)."""


def check_xml_chars(text: str) -> None:
    """Raise QeError without a location if XML does not allow one of the characters of a text."""
    unwritable = INVALID_XML_CHARS.search(text)
    if unwritable:
        code_point = f"U+{ord(unwritable[0]):04X}"
        raise QeError(
            tr("the text contains the character {code}, which is not allowed in this file", code=code_point),
            hint=tr("Remove it."),
        )


def content_to_line(content: Content) -> str:
    """Serialize a source or target as a line."""
    return "".join([_line_of_text(run) if isinstance(run, str) else run.display_text for run in content])


def _line_of_text(text: str) -> str:
    if "\n" in text or "\r" in text:
        text = LINE_BREAK_PATTERN.sub(LINE_BREAK, text)
    return text.replace("⟨", "⟨⟨")


class CodesMismatchError(QeError):
    """Error for missing or extra codes in a line; the user may accept such a line."""


def line_to_content(line: str, source: Content, target: Content | None, *, other_codes: bool = False) -> Content:
    """Parse a line, given the source and current target of its segment.

    Each U+2028 is replaced with the kind of line break that occurs first in the target or, if it has none, in the
    source; the default is LF.

    Raises QeError without a location for unknown, misplaced or unpaired codes, for a ⟨ that is not doubled, and for
    characters invalid in XML. Unless `other_codes` is true, raises CodesMismatchError if the codes are neither those of
    the source nor those of the target; codes that mark terms, comments or issues (`Code.is_annotation`) may be missing.
    """
    line_break = _first_line_break(target) or _first_line_break(source) or "\n"
    code_by_mark = {code.display_text: code for code in (*content_codes(source), *content_codes(target or ()))}
    runs: list[str | Code] = []
    start = 0
    for match in _MARKED.finditer(line):
        runs.append(line[start : match.start()])
        runs.append(_parse_mark(match[0], code_by_mark))
        start = match.end()
    runs.append(line[start:])
    content = _join_runs(runs, line_break)
    _check_code_order(content)
    check_xml_chars(content_text(content))
    if not other_codes:
        # last, so that callers can offer to accept this error alone
        _check_codes(content, source, target)
    return content


def _parse_mark(mark: str, code_by_mark: dict[str, Code]) -> str | Code:
    if mark == "⟨⟨":
        return "⟨"
    if mark in code_by_mark:
        return code_by_mark[mark]
    if mark == "⟨":
        message = tr("a ⟨ in the text is not doubled")
        raise QeError(message, hint=tr("Use ⟨⟨ for the character ⟨, and marks such as ⟨1⟩ for codes."))
    codes = set(code_by_mark.values())
    if mark in _UNNUMBERED_MARKS and len(codes) == 1:
        # in lines stored by earlier versions, the single code of a segment has no number
        return codes.pop()
    message = tr("the segment has no code {code}", code=mark)
    raise QeError(message, hint=tr("Use each code of the source exactly once."))


def _join_runs(runs: list[str | Code], line_break: str) -> Content:
    joined: list[str | Code] = []
    for is_code, group in groupby(runs, lambda run: isinstance(run, Code)):
        if is_code:
            joined += group
        elif text := "".join([run for run in group if isinstance(run, str)]):
            joined.append(text.replace(LINE_BREAK, line_break))
    return tuple(joined)


def _first_line_break(content: Content | None) -> str:
    match = LINE_BREAK_PATTERN.search(content_text(content)) if content else None
    return match[0] if match else ""


def _check_codes(content: Content, source: Content, target: Content | None) -> None:
    """Raise CodesMismatchError unless the codes of `content` are those of the source or of the previous target."""
    annotations = {code.number for code in (*content_codes(source), *content_codes(target or ())) if code.is_annotation}
    target_codes = None if target is None else _line_codes(target)
    result = _compare(_line_codes(content), _line_codes(source), target_codes, annotations)
    if result.is_as_loaded or not (result.missing or result.extra):
        return
    hint = tr("Use each code of the source exactly once.")
    codes = dict.fromkeys(code.display_text for code in result.missing or result.extra)
    names, count = list_names([*codes], joined=True), len(codes)
    if result.missing:
        message = tr("the {n:code|codes} {codes} {n:is|are} missing", "", count, codes=names)
    else:
        message = tr("the {n:code|codes} {codes} {n:occurs|occur} too often", "", count, codes=names)
    raise CodesMismatchError(message, hint=hint)


def _check_code_order(content: Content) -> None:
    """Raise QeError if a code is unpaired, a closing code precedes its opening code, or elements are wrongly nested."""
    opened: dict[int, Code] = {}
    by_number: dict[int, list[int]] = defaultdict(list)
    nesting: list[int] = []  # indices of open codes that must be properly nested
    for index, code in enumerate(content_codes(content)):
        if code.kind is CodeKind.OPEN:
            opened[index] = code
            by_number[code.number].append(index)
            if code.must_nest:
                nesting.append(index)
        elif code.kind is CodeKind.CLOSE:
            start = by_number[code.number].pop() if by_number[code.number] else None
            if start is None or (code.must_nest and nesting and nesting[-1] > start):
                message = tr("the code {code} is in the wrong position", code=code.display_text)
                hint = tr("A closing code must follow its opening code, and inner codes must close before outer ones.")
                raise QeError(message, hint=hint)
            if opened.pop(start).must_nest:
                nesting.remove(start) if nesting[-1] != start else nesting.pop()
    if opened:
        message = tr("the code {code} is not closed", code=next(iter(opened.values())).display_text)
        raise QeError(message, hint=tr("Add its closing code, or remove the opening one."))


_CODE = re.compile("⟨⟨|⟨(/?)([0-9]{1,6})(/?)⟩")


class LineCode(NamedTuple):
    """Inline code in a line: its kind and its number in the segment."""

    kind: CodeKind
    number: int

    @property
    def display_text(self) -> str:
        """Code as written in a line, such as `⟨1⟩`."""
        prefix, suffix = ("/" if self.kind is end else "" for end in (CodeKind.CLOSE, CodeKind.STANDALONE))
        return f"⟨{prefix}{self.number}{suffix}⟩"


def split_line(line: str) -> Iterator[str | LineCode]:
    """Split a line into codes and the texts around them; ⟨⟨ is unescaped, and empty texts are left out."""
    text, start = "", 0
    for match in _CODE.finditer(line):
        code = _code(match)
        text += line[start : match.start()]
        if code is None:
            # a doubled ⟨ is text, and so are invalid codes
            text += "⟨" if match[0] == "⟨⟨" else match[0]
        else:
            if text:
                yield text
            text = ""
            yield code
        start = match.end()
    text += line[start:]
    if text:
        yield text


def _code(match: re.Match[str]) -> LineCode | None:
    if match[2] is None or (match[1] and match[3]):
        return None
    kind = CodeKind.CLOSE if match[1] else CodeKind.STANDALONE if match[3] else CodeKind.OPEN
    return LineCode(kind, int(match[2]))


def join_line(pieces: Iterable[str | LineCode]) -> str:
    """Join texts and codes into a line, with each ⟨ of a text escaped as ⟨⟨."""
    return "".join(piece.replace("⟨", "⟨⟨") if isinstance(piece, str) else piece.display_text for piece in pieces)


def strip_codes(line: str) -> str:
    """Text of a line, without its codes and with ⟨⟨ unescaped."""
    if "⟨" not in line:
        return line
    return "".join(piece for piece in split_line(line) if isinstance(piece, str))


def _line_codes(content: Content) -> list[LineCode]:
    return [LineCode(code.kind, code.number) for code in content_codes(content)]


def parse_line_codes(line: str) -> list[LineCode]:
    """Codes of a line, in order."""
    return [piece for piece in split_line(line) if isinstance(piece, LineCode)] if "⟨" in line else []


class CodeDifferences(NamedTuple):
    """Differences between the codes of a target and the codes of its source.

    `missing`, `extra` and `unopened` codes are errors; `optional` codes are missing, but not required. `unopened` codes
    are closing codes without an opening code before them.
    """

    missing: tuple[LineCode, ...] = ()
    extra: tuple[LineCode, ...] = ()
    unopened: tuple[LineCode, ...] = ()
    optional: tuple[LineCode, ...] = ()

    @property
    def are_errors(self) -> bool:
        """Whether there are errors: missing, extra or unopened codes."""
        return bool(self.missing or self.extra or self.unopened)

    @property
    def insertable_codes(self) -> tuple[LineCode, ...]:
        """Codes of the source that the target lacks, optional ones last."""
        return self.missing + self.optional


def code_differences(line: str, source: str, loaded: str = "", annotations: Set[int] = frozenset()) -> CodeDifferences:
    """Compare the codes of a target with those of its source and of the loaded target.

    Missing codes are reported even if the loaded target lacks them too: `line_to_content` accepts such a target, but
    the reviewer may want to add the codes. Extra codes are not reported if the target has exactly the codes of the
    loaded target. Pairs of codes whose numbers are in `annotations` are optional (see `TranslationJob`).
    """
    codes = parse_line_codes(line)
    result = _compare(codes, parse_line_codes(source), parse_line_codes(loaded), annotations)
    return CodeDifferences(result.missing, result.extra, tuple(_unopened_codes(codes)), result.optional)


def has_codes_of(line: str, loaded: str, annotations: Set[int] = frozenset()) -> bool:
    """Whether a target has the codes of the loaded target; pairs with numbers in `annotations` may be missing."""
    return _compare(parse_line_codes(line), (), parse_line_codes(loaded), annotations).is_as_loaded


class _Comparison(NamedTuple):
    missing: tuple[LineCode, ...]
    extra: tuple[LineCode, ...]
    optional: tuple[LineCode, ...]
    is_as_loaded: bool


def _compare(
    codes: Sequence[LineCode], source: Iterable[LineCode], loaded: Iterable[LineCode] | None, annotations: Set[int]
) -> _Comparison:
    """Compare the codes of a target with those of the source and of the loaded target.

    Pairs of codes with numbers in `annotations` may be missing, but must not be more frequent than in the source or the
    loaded target, whichever has more of them. Both codes of a pair are required if `codes` has only one of them.
    Standalone codes are always required.
    """
    actual, expected, loaded_counts = Counter(codes), Counter(source), Counter(loaded or ())
    optional, extra_marks = Counter[LineCode](), Counter[LineCode]()
    annotation_numbers = {code.number: None for code in {**expected, **loaded_counts} if code.number in annotations}
    for begin, end in (
        (LineCode(CodeKind.OPEN, number), LineCode(CodeKind.CLOSE, number)) for number in annotation_numbers
    ):
        if actual[begin] == actual[end]:
            for code in (begin, end):
                optional[code] = expected[code] - actual[code]
                extra_marks[code] = actual[code] - max(expected[code], loaded_counts[code])
                for counts in (actual, expected, loaded_counts):
                    del counts[code]
    is_same = loaded is not None and actual == loaded_counts
    extra = Counter[LineCode]() if is_same else actual - expected
    return _Comparison(
        tuple((expected - actual).elements()),
        (*extra.elements(), *(+extra_marks).elements()),
        tuple((+optional).elements()),
        is_same and not +extra_marks,
    )


def _unopened_codes(codes: Iterable[LineCode]) -> Iterator[LineCode]:
    opened: Counter[int] = Counter()
    for code in codes:
        if code.kind is CodeKind.OPEN:
            opened[code.number] += 1
        elif code.kind is CodeKind.CLOSE:
            if not opened[code.number]:
                yield code
            opened[code.number] -= 1


def same_contents(first: Content, second: Content) -> bool:
    """Return whether two contents have the same text and codes, regardless of the kind of line breaks."""
    return content_to_line(first) == content_to_line(second) or _normalized_runs(first) == _normalized_runs(second)


def _normalized_runs(content: Content) -> list[tuple[bool, str]]:
    return [
        (True, run.raw) if isinstance(run, Code) else (False, LINE_BREAK_PATTERN.sub(LINE_BREAK, run))
        for run in content
    ]
