"""Quality as ITS 2.0 writes it: confidence of MT (8.18), ratings (8.19) and issues (8.17) of localisation quality.

Issues stand with the words, on `mrk` or between `sm` and `em`, or apart from them in a list that the words refer to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Issue, Quality
from qe_desktop.formats.bilingual.xml.xml_contents import InlineOf
from qe_desktop.formats.bilingual.xml.xml_tree import Element, parse_xml
from qe_desktop.i18n.messages import tr

NAMESPACE = b"http://www.w3.org/2005/11/its"
MAX_STANDOFF_ISSUES = 1 << 16
"""Issues of a text: one list of them may be referred to by each of its words."""
StandoffIssues = Mapping[str, tuple[Issue, ...]]
"""Issues that are listed apart, by the name of their list, without places."""
_SILENT = Issue(0, 0)
_NUMBER = re.compile(r"\s*(\d{1,4}(?:\.\d{1,12})?|\.\d{1,12})\s*", re.ASCII)


def parse_xml_number(text: str) -> float | None:
    """A number as XML attributes have it, without a sign; None for anything else."""
    found = _NUMBER.fullmatch(text)
    return float(found[1]) if found else None


def standoff_issues(text: DecodedFile) -> dict[str, tuple[Issue, ...]]:
    """All lists of issues in a document, by their `xml:id`."""
    found: dict[str, tuple[Issue, ...]] = {}

    def listed(element: Element) -> None:
        names = element.get("xml:id")
        found[names] = tuple(_issue(one, "") for one in element.all("its:locQualityIssue"))

    if text.has(NAMESPACE) and text.has(b"locQualityIssues"):
        parse_xml(text, {"its:locQualityIssues": listed})
    return found


def _issue(element: Element, prefix: str) -> Issue:
    return Issue(
        0,
        0,
        element.get(f"{prefix}locQualityIssueType"),
        parse_xml_number(element.get(f"{prefix}locQualityIssueSeverity")),
        element.get(f"{prefix}locQualityIssueComment"),
    )


def _issues_at(element: Element, apart: StandoffIssues) -> tuple[Issue, ...]:
    """What is said on one element; its places still open."""
    if not element.attributes:
        return ()
    own: tuple[Issue, ...] = (_issue(element, "its:"),)
    if own[0] == _SILENT:
        own = ()
    # a list in another file is not read
    reference = element.get("its:locQualityIssuesRef")
    # XLIFF 2 says what kind of thing a reference is to
    name = reference[1:].removeprefix("its=")
    return (*own, *(apart.get(name, ()) if reference.startswith("#") else ()))


def inline_issues(
    element: Element, inline_of: InlineOf, apart: StandoffIssues, place: SourceLocation, *, of_source: bool
) -> Iterator[Issue]:
    """The issues of a source or target, on itself and on its words, with their places among its characters.

    QeError with the `place` of the segment where a text refers to more of them than any has.
    """
    opened: dict[str, tuple[int, tuple[Issue, ...]]] = {}
    found: list[Issue] = []

    def add(issues: Sequence[Issue], start: int, end: int, on_words: bool) -> None:
        if len(found) + len(issues) > MAX_STANDOFF_ISSUES:
            raise QeError(
                tr("the text of a segment has more than {n:,} issues", "", MAX_STANDOFF_ISSUES),
                hint=tr("Check that it is the file you meant."), place=place,
            )  # fmt: skip
        found.extend(replace(one, start=start, end=end, of_source=of_source, on_words=on_words) for one in issues)

    def walk(part: Element, at: int) -> int:
        begin, issues = at, _issues_at(part, apart)
        for child in part.children:
            if isinstance(child, str):
                at += len(child)
            elif child.name == "sm":
                opened[child.get("id")] = at, _issues_at(child, apart)
            elif child.name == "em":
                started, those = opened.pop(child.get("startRef"), (at, ()))
                add(those, started, at, True)
            elif not child.name.startswith("#") and inline_of(child).holds_text:
                at = walk(child, at)
        add(issues, begin, at, part is not element)
        return at

    walk(element, 0)
    return iter(found)


def nearest_qualities(*elements: Element | None) -> Iterator[Quality]:
    """Confidence and rating of a segment, as the nearest of its elements have them, and who says so.

    The elements lie around each other, the innermost first.
    """
    around = [element for element in elements if element is not None]
    while around[-1].parent is not None:
        around.append(around[-1].parent)
    for name in ("mtConfidence", "locQualityRatingScore", "locQualityRatingVote"):
        for element in around[: len(elements)]:
            value = parse_xml_number(element.get(f"its:{name}"))
            if value is not None:
                yield Quality(name, value, _annotator(around, "mt-confidence" if name == "mtConfidence" else "lqr"))
                break


def _annotator(around: list[Element], category: str) -> str:
    """Who made annotations of a kind, as the nearest element says (ITS 2.0, 5.7)."""
    for element in around:
        found = _annotator_in(element.get("its:annotatorsRef"), category)
        if found is not None:
            return found
    return ""


@lru_cache(maxsize=100)
def _annotator_in(references: str, category: str) -> str | None:
    parts = (part.partition("|") for part in references.split())
    return next((who for kind, bar, who in parts if bar and kind == category), None)
