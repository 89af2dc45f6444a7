"""Reader of ITS 2.0 annotations: MT confidence, quality ratings and issues (sections 8.17 to 8.19).

Issues are either inline (on `mrk`, or between `sm` and `em`) or standoff (in a list to which the text refers).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Issue, Quality
from qe_desktop.formats.bilingual.xml.xml_targets import GetInlineElement
from qe_desktop.formats.bilingual.xml.xml_tree import Element, parse_xml
from qe_desktop.i18n.messages import tr

NAMESPACE = b"http://www.w3.org/2005/11/its"
MAX_SEGMENT_ISSUES = 1 << 16
"""Maximum number of issues per text; words that refer to long lists could otherwise create far too many."""
StandoffIssues = Mapping[str, tuple[Issue, ...]]
"""Standoff issues by the id of the list that contains them; their offsets are not set."""
_NO_ISSUE = Issue(0, 0)
_NUMBER = re.compile(r"\s*(\d{1,4}(?:\.\d{1,12})?|\.\d{1,12})\s*", re.ASCII)


def parse_xml_number(text: str) -> float | None:
    """Parse an unsigned decimal number below 10,000, as in XML attributes; None if `text` is not such a number."""
    match = _NUMBER.fullmatch(text)
    return float(match[1]) if match else None


def standoff_issues(text: DecodedFile) -> dict[str, tuple[Issue, ...]]:
    """Standoff issue lists of a document, by `xml:id`; empty if there are none. Raises errors as `parse_xml` does."""
    issues_by_list: dict[str, tuple[Issue, ...]] = {}

    def add_list(element: Element) -> None:
        list_id = element.get("xml:id")
        issues_by_list[list_id] = tuple(_issue(issue, "") for issue in element.all("its:locQualityIssue"))

    if text.contains(NAMESPACE) and text.contains(b"locQualityIssues"):
        parse_xml(text, {"its:locQualityIssues": add_list})
    return issues_by_list


def _issue(element: Element, prefix: str) -> Issue:
    return Issue(
        0,
        0,
        element.get(f"{prefix}locQualityIssueType"),
        parse_xml_number(element.get(f"{prefix}locQualityIssueSeverity")),
        element.get(f"{prefix}locQualityIssueComment"),
    )


def _issues_at(element: Element, standoff: StandoffIssues) -> tuple[Issue, ...]:
    """Issues annotated on an element, without offsets."""
    if not element.attributes:
        return ()
    own_issues: tuple[Issue, ...] = (_issue(element, "its:"),)
    if own_issues[0] == _NO_ISSUE:
        own_issues = ()
    # lists in other files are not read
    reference = element.get("its:locQualityIssuesRef")
    # XLIFF 2 references have a prefix for their kind
    name = reference[1:].removeprefix("its=")
    return (*own_issues, *(standoff.get(name, ()) if reference.startswith("#") else ()))


def inline_issues(
    element: Element,
    inline_of: GetInlineElement,
    standoff: StandoffIssues,
    location: SourceLocation,
    *,
    of_source: bool,
) -> Iterator[Issue]:
    """Issues of a source or target element and of the words in it, with character offsets.

    Raises QeError at `location`, the location of the segment, if there are too many issues.
    """
    opened: dict[str, tuple[int, tuple[Issue, ...]]] = {}
    issues_found: list[Issue] = []

    def add(issues: Sequence[Issue], start: int, end: int, on_words: bool) -> None:
        if len(issues_found) + len(issues) > MAX_SEGMENT_ISSUES:
            raise QeError(
                tr("the text of a segment has more than {n:,} issues", "", MAX_SEGMENT_ISSUES),
                hint=tr("Check that it is the right file."), place=location,
            )  # fmt: skip
        issues_found.extend(
            replace(issue, start=start, end=end, is_in_source=of_source, is_on_words=on_words) for issue in issues
        )

    def walk(part: Element, offset: int) -> int:
        start_offset, issues = offset, _issues_at(part, standoff)
        for child in part.children:
            if isinstance(child, str):
                offset += len(child)
            elif child.name == "sm":
                opened[child.get("id")] = offset, _issues_at(child, standoff)
            elif child.name == "em":
                issue_start, inner = opened.pop(child.get("startRef"), (offset, ()))
                add(inner, issue_start, offset, True)
            elif not child.name.startswith("#") and inline_of(child).holds_text:
                offset = walk(child, offset)
        add(issues, start_offset, offset, part is not element)
        return offset

    walk(element, 0)
    return iter(issues_found)


def nearest_qualities(*elements: Element | None) -> Iterator[Quality]:
    """MT confidence and quality ratings of a segment, each with its annotator.

    `elements` are nested, innermost first. Each value is taken from the first element that has it. `elements` may
    contain None, but must contain at least one element.
    """
    ancestors = [element for element in elements if element is not None]
    nested = len(ancestors)
    while ancestors[-1].parent is not None:
        ancestors.append(ancestors[-1].parent)
    for name in ("mtConfidence", "locQualityRatingScore", "locQualityRatingVote"):
        for element in ancestors[:nested]:
            value = parse_xml_number(element.get(f"its:{name}"))
            if value is not None:
                yield Quality(name, value, _annotator(ancestors, "mt-confidence" if name == "mtConfidence" else "lqr"))
                break


def _annotator(ancestors: list[Element], category: str) -> str:
    """Annotator of a data category, from the nearest element that has one (ITS 2.0, section 5.7), else empty."""
    for element in ancestors:
        annotator = _annotator_in(element.get("its:annotatorsRef"), category)
        if annotator is not None:
            return annotator
    return ""


@lru_cache(maxsize=100)
def _annotator_in(references: str, category: str) -> str | None:
    parts = (part.partition("|") for part in references.split())
    return next(
        (annotator for part_category, separator, annotator in parts if separator and part_category == category), None
    )
