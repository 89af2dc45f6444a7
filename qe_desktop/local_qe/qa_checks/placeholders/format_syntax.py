"""Syntax of a kind of format string, and the comparison of the arguments of source and target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from qe_desktop.i18n.messages import tr

Arguments = TypeVar("Arguments")


class InvalidFormatError(ValueError):
    """Error for a text that is not a valid format string; its message is localized."""

    @classmethod
    def of_conversion(cls, directive: str, conversion: str) -> InvalidFormatError:
        """Return the error for an unknown conversion or, if `conversion` is empty, for an incomplete directive."""
        if conversion:
            return cls(tr("“{directive}” has an unknown conversion", directive=directive))
        return cls(tr("“{directive}” is not complete", directive=directive))


@dataclass(frozen=True, slots=True)
class FormatSyntax(Generic[Arguments]):
    """Kind of format string: its flag in PO files, its name, its parser, and the comparison of arguments.

    `parse` takes a text and whether it is a translation, and returns the arguments of the text. It raises
    InvalidFormatError if the text is not a valid format string. `difference` takes the arguments of source and target
    and whether the target may omit some; it returns a message, or an empty string if the arguments match.
    """

    flag: str
    display_name: str
    parse: Callable[[str, bool], Arguments]
    difference: Callable[[Arguments, Arguments, bool], str]

    def error_message(self, source: str, target: str, *, may_omit: bool) -> str:
        """Localized message about a problem in a target; empty if there is no problem or if the source is invalid."""
        try:
            expected = self.parse(source, False)
        except InvalidFormatError:
            return ""
        try:
            actual = self.parse(target, True)
        except InvalidFormatError as error:
            return tr("the target is not a valid {kind} format string: {reason}", kind=self.display_name, reason=error)
        return self.difference(expected, actual, may_omit)


def sequence_difference(expected: Sequence[str], actual: Sequence[str], may_omit: bool) -> str:
    """Message about the first difference in number or type between unnamed arguments; empty if there is none."""
    if len(actual) > len(expected) or (len(actual) < len(expected) and not may_omit):
        return tr(
            "the source has {n:,} format {n:argument|arguments}, but the target has {count:,}", "", len(expected),
            count=len(actual),
        )  # fmt: skip
    for number, (source_type, target_type) in enumerate(zip(expected, actual, strict=False), 1):
        if source_type != target_type:
            return tr("format argument {number:,} has a different type in the source", number=number)
    return ""


def name_difference(expected: Mapping[str, str], actual: Mapping[str, str], may_omit: bool) -> str:
    """Message about the first difference in name or type between named arguments; empty if there is none."""
    for name in sorted(actual.keys() - expected.keys()):
        return tr("the format argument “{name}” is not in the source", name=name)
    for name in () if may_omit else sorted(expected.keys() - actual.keys()):
        return tr("the format argument “{name}” is missing from the target", name=name)
    for name, kind in actual.items():
        if kind != expected[name]:
            return tr("the format argument “{name}” has a different type in the source", name=name)
    return ""
