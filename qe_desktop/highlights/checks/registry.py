"""The one list of checks: to add one, write its module and add a line here."""

from __future__ import annotations

from qe_desktop.highlights.checks import brackets, codes, consistency, doubled, numbers, spaces, untranslated
from qe_desktop.highlights.checks.check import Check

CHECKS: tuple[Check, ...] = (
    numbers.CHECK,
    untranslated.CHECK,
    doubled.CHECK,
    brackets.CHECK,
    codes.CHECK,
    spaces.CHECK,
    consistency.CHECK,
)
BY_NAME = {check.name: check for check in CHECKS}
