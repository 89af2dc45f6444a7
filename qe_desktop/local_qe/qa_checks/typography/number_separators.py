"""Check of decimal and grouping separators by language: 1,234.50 is 1.234,50 in German and 1 234,50 in French.

A number is reported only if the target copies it from the source and its separators cannot be right. This is certain
only for numbers with several separators and for decimal numbers with a unit. Versions, sections, dates and addresses
meet neither condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_COMMA_LANGUAGES = frozenset((
    "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "et", "eu", "fi", "fr", "gl", "hr", "hu", "hy", "id", "is",
    "it", "ka", "kk", "ky", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr",
    "sv", "tr", "uk", "uz", "vi",
))  # fmt: skip
"""Languages with a decimal comma. Spanish is left out, because Spain uses a comma and Mexico a point."""
_SPACE_LANGUAGES = frozenset((
    "be", "bg", "cs", "et", "fi", "fr", "hu", "hy", "ka", "kk", "ky", "lt", "lv", "nb", "nn", "no", "pl", "ru", "sk",
    "sq", "sv", "uk", "uz",
))  # fmt: skip
"""Languages with a decimal comma in which a no-break space separates groups of digits."""
_POINT_LANGUAGES = frozenset(("en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ta", "te", "mr", "gu", "ms", "cy", "ga"))
_POINT_REGIONS = frozenset(("CH", "LI"))
"""Regions that use a decimal point although the language has a decimal comma."""
_AMBIGUOUS_REGIONS = frozenset(("ZA",))
"""Regions that use a decimal comma as well as a decimal point, although the language has a decimal point."""
_SEPARATED = re.compile(r"\d[.,]\d")
_UNIT = (
    r"(?=[\s\u00a0\u202f]?(?:%|€|\$|£|°|(?:mm|cm|km|kg|mg|ml|GHz|MHz|kB|KB|MB|GB|TB|ms)(?![^\W_])"
    # in "A-Anschluss", A does not mean ampere
    r"|[mglsVWA](?![^\W_]|-)))"
)
_BEFORE, _AFTER = r"(?<![\w.,:/+-])", r"(?![\w]|[.,:/-]\w)"
_WRONG_NUMBERS = {
    # grouped with a decimal part, grouped several times, decimal with a unit
    ",": re.compile(
        rf"{_BEFORE}(?:\d{{1,3}}(?:,\d{{3}})+\.\d+{_AFTER}|\d{{1,3}}(?:,\d{{3}}){{2,}}{_AFTER}|\d+\.(?:\d{{1,2}}|\d{{4,}}){_AFTER}{_UNIT})"
    ),
    ".": re.compile(
        rf"{_BEFORE}(?:\d{{1,3}}(?:\.\d{{3}})+,\d+{_AFTER}|\d{{1,3}}(?:\.\d{{3}}){{2,}}{_AFTER}|\d+,(?:\d{{1,2}}|\d{{4,}}){_AFTER}{_UNIT})"
    ),
}
"""Patterns of numbers with wrong separators, by the decimal separator of the language."""


def decimal_separator(language: str, region: str) -> str:
    """Decimal separator of a language in a region: a comma or a point; empty if it is unknown or not fixed."""
    if language in _COMMA_LANGUAGES:
        return "." if region in _POINT_REGIONS else ","
    return "." if language in _POINT_LANGUAGES and region not in _AMBIGUOUS_REGIONS else ""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    decimal = decimal_separator(pair.target_language, pair.target_region)
    if not decimal or not pair.is_raw or _SEPARATED.search(pair.mt) is None:
        return
    for match in _WRONG_NUMBERS[decimal].finditer(pair.mt):
        if match[0] in pair.source and not _is_address(match[0]):
            corrected = match[0].translate(
                _SEPARATORS[decimal, _grouping_separator(decimal, pair.target_language, pair.target_region)]
            )
            reason = tr("{number} is written {other} in this language", number=match[0], other=corrected)
            yield QaIssue(match.span(), reason)


def _grouping_separator(decimal: str, language: str, region: str) -> str:
    """Separator of groups of digits: a no-break space, an apostrophe in Switzerland, or else a comma or point.

    The comma or point is the one that is not the decimal separator (`decimal`).
    """
    if region in _POINT_REGIONS and language in _COMMA_LANGUAGES:
        return "’"
    if language in _SPACE_LANGUAGES:
        return "\u00a0"
    return "." if decimal == "," else ","


def _is_address(number: str) -> bool:
    """Whether a number may be an IP address: four numbers from 0 to 255 without leading zeros."""
    groups = number.split(".")
    return len(groups) == 4 and all(group in _BYTES for group in groups)


_BYTES = frozenset(map(str, range(256)))
_SEPARATORS = {
    (decimal, group): str.maketrans({"." if decimal == "," else ",": decimal, decimal: group})
    for decimal in ".," for group in (".", ",", "’", "\u00a0")
}  # fmt: skip
"""Tables for `str.translate` that correct a number, by the correct decimal separator and grouping separator."""
CHECK = Check.of_each(
    "separators",
    tr("Decimal and grouping separators"),
    tr(
        "A number copied from the source with the decimal or grouping separators of another language, such as "
        "1,234.50 or 2.5 % in German."
    ),
    _find,
)
