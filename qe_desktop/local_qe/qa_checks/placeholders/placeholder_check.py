"""Check for placeholders that are missing, not in the source, or in another order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.placeholders.icu_messages import (
    form_differences,
    has_icu_arguments,
    parse_icu_message,
)
from qe_desktop.local_qe.qa_checks.placeholders.placeholder_syntax import (
    LITERAL_PERCENT,
    Placeholder,
    find_placeholders,
    is_date_format,
    literal_percents,
    may_have_placeholders,
    percentages,
)
from qe_desktop.local_qe.qa_checks.text_shape import is_laid_out


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    # format strings of a known kind are checked by the rules of gettext
    plural = pair.rules.plural_source.replace("\n", LINE_BREAK)
    if not any(map(may_have_placeholders, (source, mt, plural))) or pair.rules.formats:
        return
    yield from _plural_form(pair, plural) if plural else _compare(pair)


def _plural_form(pair: SegmentPair, plural: str) -> Iterator[QaIssue]:
    """Compare a plural form with the plural of the source.

    A form that applies to few numbers may also have the placeholders of the singular, or lack that of the number.
    """
    by_plural = pair._replace(source=plural)
    issues = list(_compare(by_plural))
    if issues and pair.rules.may_omit_arguments and (not any(_compare(pair)) or _lacks_only_one(by_plural)):
        return
    # positions in the plural are not those in the source that is shown
    yield from (issue for issue in issues if plural == pair.source or not issue.of_source)


def _lacks_only_one(pair: SegmentPair) -> bool:
    """Whether the MT lacks exactly one placeholder of the source and has none that the source lacks."""
    source_items, mt_items = find_placeholders(pair.source, pair.mt), find_placeholders(pair.mt, pair.source)
    expected, actual = Counter(item.text for item in source_items), Counter(item.text for item in mt_items)
    return (expected - actual).total() == 1 and not actual - expected


def _compare(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    if has_icu_arguments(source):
        yield from _icu(pair)
        return
    source_items, mt_items = _without_percentages(pair, find_placeholders(source, mt), find_placeholders(mt, source))
    if is_date_format(source):
        # a translation may have another date format
        source_items, mt_items = (
            [item for item in items if not item.is_date_directive] for items in (source_items, mt_items)
        )
    if [item.text for item in source_items] != [item.text for item in mt_items]:
        yield from _named(pair, source_items, mt_items)
        yield from _numbered(pair, source_items, mt_items)
    if any(item.is_directive for item in source_items) and literal_percents(source) != literal_percents(mt):
        reason = tr("the placeholder {name} occurs more or less often than in the source", name=LITERAL_PERCENT)
        yield QaIssue((len(mt), len(mt)), reason)


def _without_percentages(
    pair: SegmentPair, source_items: list[Placeholder], mt_items: list[Placeholder]
) -> tuple[list[Placeholder], list[Placeholder]]:
    """Placeholders of source and target without percentages such as %50, which look like arguments of Qt.

    %50 is a percentage if the other text has 50% or, in a target, if the source has no argument of Qt.
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


def _icu(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = parse_icu_message(pair.source), parse_icu_message(pair.mt)
    end = (len(pair.mt), len(pair.mt))
    if mt.error and not source.error:
        yield QaIssue(end, mt.error)
    for name, kind in source.arguments.items():
        if name not in mt.arguments:
            yield QaIssue(end, tr("the argument “{name}” of the source is missing", name=name))
        elif mt.arguments[name] != kind:
            yield QaIssue(end, tr("the argument “{name}” has a different type in the source", name=name))
    for name in sorted(mt.arguments.keys() - source.arguments.keys()):
        yield QaIssue(end, tr("the argument “{name}” is not in the source", name=name))
    for difference in form_differences(source, mt):
        yield QaIssue(end, difference)


def _named(pair: SegmentPair, source: Sequence[Placeholder], mt: Sequence[Placeholder]) -> Iterator[QaIssue]:
    """Compare placeholders other than printf directives: each must be in both texts, and `{}` equally often."""
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
            yield from _missing(pair, item)
    if "{}" in expected and "{}" in actual and expected.count("{}") != actual.count("{}"):
        reason = tr("the placeholder {name} occurs more or less often than in the source", name="{}")
        yield QaIssue((len(pair.mt), len(pair.mt)), reason)


def _missing(pair: SegmentPair, item: Placeholder) -> Iterator[QaIssue]:
    reason = tr("the placeholder {name} of the source is missing", name=item.text)
    yield QaIssue((len(pair.mt), len(pair.mt)), reason)
    yield QaIssue(item.span, tr("missing from the MT"), True)


def _numbered(pair: SegmentPair, source: Sequence[Placeholder], mt: Sequence[Placeholder]) -> Iterator[QaIssue]:
    """Compare printf directives: both texts must have the same arguments, each with the same type."""
    source_by_number = {item.number: item for item in source if item.number}
    mt_by_number = {item.number: item for item in mt if item.number}
    if sorted(item.type for item in source_by_number.values()) == sorted(item.type for item in mt_by_number.values()):
        for number, item in mt_by_number.items():
            if number not in source_by_number or source_by_number[number].type != item.type:
                reason = tr("{name} is out of order; number the placeholders, as in %1$s", name=item.text)
                yield QaIssue(item.span, reason)
                return
        return
    for number, item in mt_by_number.items():
        if number not in source_by_number:
            yield QaIssue(item.span, tr("the placeholder {name} is not in the source", name=item.text))
        elif source_by_number[number].type != item.type:
            reason = tr("the source has {name}, not {other}", name=source_by_number[number].text, other=item.text)
            yield QaIssue(item.span, reason)
    for number, item in source_by_number.items():
        if number not in mt_by_number:
            yield from _missing(pair, item)


CHECK = Check.of_each(
    "placeholders",
    tr("Placeholders"),
    tr(
        "Placeholders that are missing or not in the source, such as %s, %1$d, %(name)s, names and numbers in braces, "
        "and arguments of ICU messages. Those without a number or name, such as %s, must also be in the same order."
    ),
    _find,
)
