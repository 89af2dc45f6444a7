"""Rules for targets of PO catalogues: kinds of format strings from flags, and plural forms from the header.

As in `msgfmt --check`, a plural form that few numbers have may omit arguments of the source, as in “one file”.
"""

from __future__ import annotations

import gettext
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from qe_desktop.corpus.target_rules import NO_RULES, TargetRules

FORMATS = (
    "c-format", "python-format", "python-brace-format", "sh-format", "boost-format", "lisp-format", "scheme-format",
)  # fmt: skip
"""Flags of the kinds of format string that QA checks support."""
_PLURAL_FORMS = re.compile(r"^Plural-Forms: *nplurals *= *([0-9]{1,3}) *; *plural *= *([^\n]{1,1000})", re.MULTILINE)
_TESTED_NUMBERS = 1001
FREQUENT_COUNT = 5
"""Minimum number of occurrences of a frequent plural form among the numbers from 0 to 1,000."""


@dataclass(frozen=True, slots=True)
class PluralForms:
    """Plural forms of a catalogue: their number, and the indices of the frequent ones (`FREQUENT_COUNT`)."""

    count: int
    frequent: frozenset[int]


def parse_plural_forms(header: str) -> PluralForms | None:
    """Parse the field `Plural-Forms` of a header; None if it is missing or invalid."""
    match = _PLURAL_FORMS.search(header)
    if match is None:
        return None
    try:
        form = gettext.c2py(match[2].strip().rstrip(";").strip())
        counts = Counter(int(form(number)) for number in range(_TESTED_NUMBERS))
    except (ValueError, ArithmeticError, RecursionError, SyntaxError):
        return None
    return PluralForms(int(match[1]), frozenset(form for form, count in counts.items() if count >= FREQUENT_COUNT))


def format_flags(flags: list[bytes]) -> tuple[str, ...]:
    """Kinds of format strings in the flags of an entry; the prefix in `possible-c-format` is ignored."""
    names = {flag.decode("ascii", "replace").removeprefix("possible-") for flag in flags}
    return tuple(name for name in FORMATS if name in names)


@lru_cache(maxsize=4096)
def entry_rules(
    formats: tuple[str, ...], plural: str, form: int, entry_forms: int, plural_forms: PluralForms | None
) -> TargetRules:
    """Rules of the target with index `form` of an entry with `entry_forms` forms; `plural` is its msgid_plural.

    `entry_forms` is 0 for entries without plural forms.
    """
    if not formats and not entry_forms:
        return NO_RULES
    expected = plural_forms.count if plural_forms is not None and plural_forms.count != entry_forms else 0
    frequent = plural_forms is not None and form in plural_forms.frequent
    return TargetRules(
        formats=formats,
        plural_source=plural,
        may_omit_arguments=entry_forms > 1 and not frequent,
        expected_forms=expected if entry_forms else 0,
        plural_form=form + 1 if entry_forms else 0,
    )
