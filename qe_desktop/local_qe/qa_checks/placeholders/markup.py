"""Checks of markup: HTML elements and entities within the text, and inline codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html.entities import html5

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.text_shape import ENTITY

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:_-]{0,40})((?:\s[^<>]{0,300})?)(/?)>")
_VOID = frozenset(("br", "hr", "img", "wbr", "input", "p", "li"))
"""Elements that may be written without an end tag."""
_ENTITY = re.compile(ENTITY)
_INVALID_ENTITY = re.compile(
    r"&\s?(?:amp|lt|gt|quot|apos|nbsp|#\s?[0-9]{2,5})(?:\s;|(?![\w;]))|&\s(?:amp|lt|gt|quot|nbsp);"
)
_MARKUP_ENTITIES = {"&lt;": "<", "&gt;": ">"}
"""Entities whose absence changes the markup of a page, and the characters that they stand for."""


def _find_markup(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    if "<" in source and ">" in source:
        yield from _tags(pair)
    if "&" not in source:
        return
    entities = set(_ENTITY.findall(source))
    if entities and "&" in mt:
        for match in _INVALID_ENTITY.finditer(mt):
            yield QaIssue(match.span(), tr("“{text}” is not a valid HTML entity", text=match[0]))
        for match in _ENTITY.finditer(mt):
            # entities of the source that are not in HTML may be defined elsewhere
            if match[0][1] != "#" and match[0][1:] not in html5 and match[0] not in entities:
                yield QaIssue(match.span(), tr("“{text}” is not a valid HTML entity", text=match[0]))
    for entity, sign in _MARKUP_ENTITIES.items():
        if entity in source and entity not in mt and sign not in mt:
            reason = tr("the HTML entity {name} is missing from the target", name=entity)
            yield QaIssue((len(mt), len(mt)), reason)


def _tags(pair: SegmentPair) -> Iterator[QaIssue]:
    """Yield issues about the tags of elements that have an end tag in the source or need none (`_VOID`)."""
    source_tags = [(match[1], match[2].lower()) for match in _TAG.finditer(pair.source)]
    elements = {name for slash, name in source_tags if slash or name in _VOID}
    if not elements:
        return
    expected = Counter(tag for tag in source_tags if tag[1] in elements)
    # a segment may begin within an element
    ordered = {name for slash, name in source_tags if not slash} - {name for _, name, _ in _misplaced_ends(source_tags)}
    mt_matches = list(_TAG.finditer(pair.mt))
    mt_tags = [(match[1], match[2].lower()) for match in mt_matches]
    for match, tag in zip(mt_matches, mt_tags, strict=True):
        if expected[tag] > 0:
            expected[tag] -= 1
        elif tag[1] in elements:
            yield QaIssue(match.span(), tr("{tag} occurs more often than in the source", tag=match[0]))
    for index, name, is_open in _misplaced_ends(mt_tags):
        if name in ordered:
            tag_text = mt_matches[index][0]
            reason = (
                tr("the element that {tag} closes overlaps another element", tag=tag_text)
                if is_open
                else tr("the end tag {tag} does not close an open element", tag=tag_text)
            )
            yield QaIssue(mt_matches[index].span(), reason)
    for slash, name in expected.elements():
        reason = tr("the tag {tag} is missing from the target", tag=f"<{slash}{name}>")
        yield QaIssue((len(pair.mt), len(pair.mt)), reason)


def _misplaced_ends(tags: Sequence[tuple[str, str]]) -> Iterator[tuple[int, str, bool]]:
    """Yield end tags that do not end the innermost element: index, name, whether an element of that name is open."""
    closed_names = {name for slash, name in tags if slash}
    opened: list[str] = []
    counts: Counter[str] = Counter()
    for index, (slash, name) in enumerate(tags):
        if not slash and name in closed_names:
            opened.append(name)
            counts[name] += 1
        elif slash and not counts[name]:
            yield index, name, False
        elif slash:
            counts[name] -= 1
            if opened[-1] != name:
                yield index, name, True
                # the elements within it end here
                while opened[-1] != name:
                    counts[opened.pop()] -= 1
            opened.pop()


MARKUP_CHECK = Check.of_each(
    "markup",
    tr("HTML elements and entities"),
    tr("HTML tags that are missing, surplus or overlapping, and entities such as &lt; that are missing or invalid."),
    _find_markup,
)


_CODE = re.compile("⟨⟨|⟨(/?[0-9]{1,6}|[0-9]{1,6}/)⟩")


def _codes(line: str) -> list[tuple[str, int]]:
    """Codes of a line in order, each with its offset in the text without codes."""
    codes: list[tuple[str, int]] = []
    removed_chars = 0
    for code in _CODE.finditer(line):
        if code[1] is None:
            removed_chars += 1
        else:
            codes.append((code[0], code.start() - removed_chars))
            removed_chars += len(code[0])
    return codes


def _find_codes(pair: SegmentPair) -> Iterator[QaIssue]:
    if "⟨" not in pair.source_line and "⟨" not in pair.mt_line:
        return
    source_codes, target_codes = [
        [(code, offset) for code, offset in _codes(line) if int(code[1:-1].strip("/")) not in pair.annotations]
        for line in (pair.source_line, pair.mt_line)
    ]
    unmatched_counts = Counter(code for code, _ in source_codes)  # annotations may be in only one of the texts
    matched: list[tuple[str, int]] = []
    for code, offset in target_codes:
        if unmatched_counts[code]:
            unmatched_counts[code] -= 1
            matched.append((code, offset))
        else:
            yield QaIssue(
                (offset, offset), tr("the code {code} is not in the source, or occurs there less often", code=code)
            )
    end = len(pair.mt)
    for code in unmatched_counts.elements():
        yield QaIssue((end, end), tr("the code {code} is missing from the target", code=code))
    yield from _order_issues(matched)


def _order_issues(codes: list[tuple[str, int]]) -> Iterator[QaIssue]:
    """Yield an issue for each closing code that precedes its opening code or ends a pair that overlaps another pair."""
    opened: list[str] = []
    numbers = {code[1:-1] for code, _ in codes}
    for code, offset in codes:
        number = code[1:-1]
        if number.endswith("/"):
            continue
        if not number.startswith("/"):
            opened.append(number)
        elif opened and opened[-1] == number[1:]:
            opened.pop()
        elif number[1:] in opened:
            opened.remove(number[1:])
            yield QaIssue((offset, offset), tr("the code {code} overlaps another code", code=code))
        elif number[1:] in numbers:
            yield QaIssue((offset, offset), tr("the closing code {code} does not close an open code", code=code))


INLINE_CODES_CHECK = Check.of_each(
    "codes",
    tr("Inline codes"),
    tr("Inline codes that are missing, surplus, overlapping or closed before they are opened."),
    _find_codes,
)
