"""Check for placeholders that are missing, not in the source, or in another order.

Placeholders of printf, Python, shell and Qt, and names in braces, are found in texts of any programming language.
A percent sign after a digit or before a space is part of a sentence: “50 % der”, “50% discount”. Letters of scripts
without capitals may directly follow a directive, because some of these scripts have no spaces between words: “第%d行”.
Before other letters, as in “%sAuthor”, a percent sign begins a directive only if the other text of the segment has the
same directive. `%%` is a literal percent sign of a format string. In Turkish and Basque, the percent sign precedes the
number: “%50 indirim” looks like a Qt argument (`_drop_percentages`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qe_desktop.corpus.text import Span
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.placeholders.icu_messages import (
    form_differences,
    has_icu_arguments,
    parse_icu_message,
)
from qe_desktop.local_qe.qa_checks.text_shape import CASED_LETTERS, is_laid_out

_NAME = r"[A-Za-z0-9_.\-\[\]:>#/@!]{1,80}"
_FLAGS = r"[-+#0']{0,5}(?:\*|\d{1,6})?(?:\.(?:\*|\d{1,6}))?(?:hh|h|ll|l|L|q|j|z|t)?"
_PATTERN = re.compile(
    # `%%` is matched first, so that its second sign does not begin a placeholder
    r"%%"
    rf"|\$\{{{_NAME}\}}"
    rf"|%\({_NAME}\)[-+#0]{{0,5}}\d{{0,6}}(?:\.\d{{1,6}})?[diouxXeEfFgGcrsa]"
    rf"|%\{{{_NAME}\}}"
    # Ruby, Boost
    rf"|%<[A-Za-z_]\w{{0,80}}>[-+#0]{{0,5}}\d{{0,6}}(?:\.\d{{1,6}})?[diouxXeEfgGcsaA](?![{CASED_LETTERS}])"
    r"|(?<!\d)%[1-9]\d?%(?!\d)|(?<!\d)%\|(?=[^|]*\d)[-+#0=_ ']{0,5}(?:\d{1,2}\$)?[-+#0=_ ']{0,5}\d{0,6}[A-Za-z]?\|"
    r"|\{\{[^{}]{1,80}\}\}"
    rf"|\{{(?=[^{{}}]{{0,20}}[A-Za-z0-9]){_NAME}\}}|\{{\}}"
    rf"|%(?P<number>[1-9]\d?)\$(?:{_FLAGS})(?P<numbered>[@diouxXeEfFgGcCsSpaA])"
    rf"|(?<!\d)%(?:{_FLAGS})(?P<plain>[@diouxXeEfFgGcCsSpaA])(?P<joined>[{CASED_LETTERS}])?"
    r"|(?<!\d)%L?[1-9]\d?(?![\d%$])"
    rf"|(?<!\d)%n(?![{CASED_LETTERS}])"
)
LITERAL_PERCENT = "%%"
_ARGUMENT_TYPES = {
    **dict.fromkeys("di", "d"), **dict.fromkeys("ouxX", "u"), **dict.fromkeys("eEfFgGaA", "f"),
    **dict.fromkeys("cC", "c"), **dict.fromkeys("sS", "s"), "@": "@", "p": "p",
}  # fmt: skip
"""Type of the argument of each conversion."""
_QT_ARGUMENT = re.compile(r"%([1-9]\d?)")
_PERCENTAGE = re.compile(
    r"(?<![\d%])(\d{1,6})(?:[.,]\d{1,6})?[\s\u00a0\u202f]?"
    r"(?:[%٪％]|per\s?cent|pro[csz]ent|pourcent|pour cent|por ?cien|por cento|per cento|процент|відсот)",
    re.IGNORECASE,
)


_DATE_DIRECTIVE = r"%[-_0^#EO]?[aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyYzZ]"
_DATE_DIRECTIVES = re.compile(rf"(?P<date>(?<!\d){_DATE_DIRECTIVE})|%%|%")
_DATE_ONLY = re.compile(r"%[-_0^#EO]?[bBhHIjklMPrRTUVwWyYzZ]|%[de].?%m|%m.?%[de]")
"""Pattern of directives that only date formats have, and of adjacent directives for day and month."""


class Placeholder(NamedTuple):
    """Placeholder as written and its span; for printf directives, also the number and type of the argument.

    Other placeholders have the number 0 and an empty type.
    """

    text: str
    span: Span
    number: int = 0
    type: str = ""

    @property
    def is_directive(self) -> bool:
        """Whether the placeholder is a directive of printf or of Python's % operator."""
        return self.number > 0 or self.text.startswith("%(")

    @property
    def is_numbered(self) -> bool:
        """Whether the placeholder is a printf directive with an argument number, such as %1$s."""
        return self.number > 0 and "$" in self.text

    @property
    def is_date_directive(self) -> bool:
        """Whether the placeholder may be a directive of a date format."""
        return re.fullmatch(_DATE_DIRECTIVE, self.text) is not None

    @property
    def qt_number(self) -> int:
        """Number of a Qt argument, such as 1 for %1; 0 for other placeholders."""
        match = _QT_ARGUMENT.fullmatch(self.text)
        return 0 if match is None else int(match[1])


def may_have_placeholders(text: str) -> bool:
    """Whether a text contains % or {; every placeholder contains one of them."""
    return "%" in text or "{" in text


def is_date_format(text: str) -> bool:
    """Whether a text is a date format of strftime.

    A date format has several directives, all of which are valid in dates. At least one of them occurs only in dates, or
    directives for day and month are adjacent.

    >>> is_date_format("%Y-%m-%d %H:%M"), is_date_format("%d of %d"), is_date_format("%s on %Y-%m-%d")
    (True, False, False)
    """
    directives = [match for match in _DATE_DIRECTIVES.finditer(text) if match[0] != LITERAL_PERCENT]
    are_dates = len(directives) > 1 and all(match["date"] for match in directives)
    return are_dates and _DATE_ONLY.search(text) is not None


def percentages(text: str) -> set[int]:
    """Integer parts of percentages in a text, such as 50 in “50.5%”; those with the sign first (%50) are ignored."""
    return {int(match[1]) for match in _PERCENTAGE.finditer(text)}


def find_placeholders(text: str, other_text: str = "") -> list[Placeholder]:
    """Placeholders of a text, in order; printf directives without an argument number are numbered from 1.

    `other_text` is the other text of the segment. It decides whether a percent sign before letters begins a directive.
    """
    placeholders: list[Placeholder] = []
    unnumbered_count = 0
    other_directives: set[str] | None = None
    for match in _PATTERN.finditer(text):
        if match["plain"]:
            span = match.start(), match.end("plain")
            directive = text[slice(*span)]
            if match["joined"]:
                if other_directives is None:
                    other_directives = {
                        other_text[other_match.start() : other_match.end("plain")]
                        for other_match in _PATTERN.finditer(other_text)
                    }
                if directive not in other_directives:
                    continue
            unnumbered_count += 1
            placeholders.append(Placeholder(directive, span, unnumbered_count, _ARGUMENT_TYPES[match["plain"]]))
        elif match["numbered"]:
            number = int(match["number"])
            placeholders.append(Placeholder(match[0], match.span(), number, _ARGUMENT_TYPES[match["numbered"]]))
        elif match[0] != LITERAL_PERCENT:
            placeholders.append(Placeholder(match[0], match.span()))
    return placeholders


def count_literal_percents(text: str) -> int:
    """Number of literal percent signs (`%%`) in a format string."""
    return sum(match[0] == LITERAL_PERCENT for match in _PATTERN.finditer(text))


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    # format strings of a known kind are checked by the rules of gettext
    plural = pair.rules.plural_source.replace("\n", LINE_BREAK)
    if not any(map(may_have_placeholders, (source, mt, plural))) or pair.rules.formats:
        return
    yield from _compare_plural_form(pair, plural) if plural else _compare(pair)


def _compare_plural_form(pair: SegmentPair, plural: str) -> Iterator[QaIssue]:
    """Yield issues of the MT, which is a plural form, compared with `plural`, the plural of the source.

    A form for only a few numbers may instead have the placeholders of the singular, or lack one placeholder.
    """
    plural_pair = pair._replace(source=plural)
    issues = list(_compare(plural_pair))
    if issues and pair.rules.may_omit_arguments and (not any(_compare(pair)) or _lacks_only_one(plural_pair)):
        return
    # positions in the plural do not apply to the displayed source
    yield from (issue for issue in issues if plural == pair.source or not issue.is_in_source)


def _lacks_only_one(pair: SegmentPair) -> bool:
    """Whether the MT lacks exactly one placeholder of the source and has no additional ones."""
    source_items, mt_items = find_placeholders(pair.source, pair.mt), find_placeholders(pair.mt, pair.source)
    expected, actual = Counter(item.text for item in source_items), Counter(item.text for item in mt_items)
    return (expected - actual).total() == 1 and not actual - expected


def _compare(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    if has_icu_arguments(source):
        yield from _compare_icu_messages(pair)
        return
    source_items, mt_items = _drop_percentages(pair, find_placeholders(source, mt), find_placeholders(mt, source))
    if is_date_format(source):
        # a translation may have another date format
        source_items, mt_items = (
            [item for item in items if not item.is_date_directive] for items in (source_items, mt_items)
        )
    if [item.text for item in source_items] != [item.text for item in mt_items]:
        yield from _named_issues(pair, source_items, mt_items)
        yield from _numbered_issues(pair, source_items, mt_items)
    if any(item.is_directive for item in source_items) and count_literal_percents(source) != count_literal_percents(mt):
        reason = tr("the placeholder {name} occurs a different number of times in the source", name=LITERAL_PERCENT)
        yield QaIssue((len(mt), len(mt)), reason)


def _drop_percentages(
    pair: SegmentPair, source_items: list[Placeholder], mt_items: list[Placeholder]
) -> tuple[list[Placeholder], list[Placeholder]]:
    """Return the placeholders of source and target without percentages such as %50, which look like Qt arguments.

    %50 is a percentage if the other text has 50% or, in a target, if the source has no Qt arguments.
    """
    if any(item.qt_number for item in source_items):
        in_mt = percentages(pair.mt)
        source_items = [item for item in source_items if item.qt_number not in in_mt]
    if any(item.qt_number for item in mt_items):
        in_source, has_arguments = percentages(pair.source), any(item.qt_number for item in source_items)
        mt_items = [
            item for item in mt_items if not item.qt_number or (has_arguments and item.qt_number not in in_source)
        ]
    return source_items, mt_items


def _compare_icu_messages(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = parse_icu_message(pair.source), parse_icu_message(pair.mt)
    end = (len(pair.mt), len(pair.mt))
    if mt.error and not source.error:
        yield QaIssue(end, mt.error)
    for name, kind in source.arguments.items():
        if name not in mt.arguments:
            yield QaIssue(end, tr("the argument “{name}” is missing from the target", name=name))
        elif mt.arguments[name] != kind:
            yield QaIssue(end, tr("the argument “{name}” has a different type in the source", name=name))
    for name in sorted(mt.arguments.keys() - source.arguments.keys()):
        yield QaIssue(end, tr("the argument “{name}” is not in the source", name=name))
    for difference in form_differences(source, mt):
        yield QaIssue(end, difference)


def _named_issues(pair: SegmentPair, source: Sequence[Placeholder], mt: Sequence[Placeholder]) -> Iterator[QaIssue]:
    """Yield issues for placeholders, except printf directives, in only one text, and for differing numbers of `{}`."""
    source_items, mt_items = [[item for item in items if not item.number] for items in (source, mt)]
    if is_laid_out(pair.source):
        # in the description of a syntax, capitals in braces are explained and translated
        source_items, mt_items = [
            [item for item in items if not item.text[1:-1].isupper()] for items in (source_items, mt_items)
        ]
    expected, actual = [[item.text for item in items] for items in (source_items, mt_items)]
    for item in mt_items:
        if item.text not in expected:
            yield QaIssue(item.span, tr("the placeholder {name} is not in the source", name=item.text))
    for item in source_items:
        if item.text not in actual:
            yield from _missing_issues(pair, item)
    if "{}" in expected and "{}" in actual and expected.count("{}") != actual.count("{}"):
        reason = tr("the placeholder {name} occurs a different number of times in the source", name="{}")
        yield QaIssue((len(pair.mt), len(pair.mt)), reason)


def _missing_issues(pair: SegmentPair, item: Placeholder) -> Iterator[QaIssue]:
    reason = tr("the placeholder {name} is missing from the target", name=item.text)
    yield QaIssue((len(pair.mt), len(pair.mt)), reason)
    yield QaIssue(item.span, tr("missing from the target"), True)


def _numbered_issues(pair: SegmentPair, source: Sequence[Placeholder], mt: Sequence[Placeholder]) -> Iterator[QaIssue]:
    """Yield issues for printf directives: both texts must have the same arguments, each with the same type."""
    source_by_number = {item.number: item for item in source if item.number}
    mt_by_number = {item.number: item for item in mt if item.number}
    if sorted(item.type for item in source_by_number.values()) == sorted(item.type for item in mt_by_number.values()):
        reordered = [
            item
            for number, item in mt_by_number.items()
            if number not in source_by_number or source_by_number[number].type != item.type
        ]
        if not reordered:
            return
        if not reordered[0].is_numbered:
            reason = tr("{name} is out of order; use numbered placeholders, such as %1$s", name=reordered[0].text)
            yield QaIssue(reordered[0].span, reason)
            return
    for number, item in mt_by_number.items():
        if number not in source_by_number:
            yield QaIssue(item.span, tr("the placeholder {name} is not in the source", name=item.text))
        elif source_by_number[number].type != item.type:
            reason = tr("the source has {name}, not {other}", name=source_by_number[number].text, other=item.text)
            yield QaIssue(item.span, reason)
    for number, item in source_by_number.items():
        if number not in mt_by_number:
            yield from _missing_issues(pair, item)


CHECK = Check.of_each(
    "placeholders",
    tr("Placeholders"),
    tr(
        "Placeholders missing from the target or not in the source: %s, %1$d, %(name)s, names and numbers in braces, "
        "arguments of ICU messages. Placeholders without a number or name, such as %s, must also be in the same order."
    ),
    _find,
)
