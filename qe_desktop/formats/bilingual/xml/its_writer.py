"""Issues of words written into a translator's file, as ITS 2.0 has them (8.17); nothing else of it changes.

XLIFF 1.2 gets `mrk mtype="x-its"`, XLIFF 2 `mrk type="its:generic"`, or `sm` and `em` where a mark would lie across an
element. Their attributes are all of the namespace of ITS, so that the one of XLIFF's ITS module (`itsm`) is not needed;
the root declares it, and the version of ITS that ITS 2.0 (6.1) asks for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from qe_desktop.corpus import Fault, Place, QeError
from qe_desktop.formats.bilingual.codes import Code, CodeKind, Content, text_of
from qe_desktop.formats.bilingual.document import Document, Rewritten
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.exports.marks import attribute
from qe_desktop.formats.bilingual.issue_marks import Ends, marked
from qe_desktop.formats.bilingual.its import NAMESPACE
from qe_desktop.formats.bilingual.quality import Issue
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.splices import Splice, spliced
from qe_desktop.formats.bilingual.xml_targets import InElement
from qe_desktop.formats.bilingual.xml_tree import Root, UnboundPrefixError, behind_tag, root_of
from qe_desktop.wording import tr

TYPES = frozenset((
    "terminology", "mistranslation", "omission", "untranslated", "addition", "duplication", "inconsistency", "grammar",
    "legal", "register", "locale-specific-content", "locale-violation", "style", "characters", "misspelling",
    "typographical", "formatting", "inconsistent-entities", "numbers", "markup", "pattern-problem", "whitespace",
    "internationalization", "length", "non-conformance", "uncategorized", "other",
))  # fmt: skip
"""The types of issues that ITS 2.0 knows (8.17)."""
_DECIMALS = 6
_IRI = ":/?#[]@!$&'()*+,;=%~-._"
_OWN = re.compile(rb"[\"']qe-([0-9]{1,9})[\"']")
"""Names of marks that this program gave."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a dialect writes a mark: the codes of its ends, of an element or, where one may be, of two that overlap."""

    element: Callable[[str, str], Ends]
    apart: Callable[[str, str], Ends] | None = None


def _element(tag: str) -> Ends:
    return Ends(
        Code(CodeKind.OPEN, "issue", f"<{tag}>", nests=True), Code(CodeKind.CLOSE, "issue", "</mrk>", nests=True)
    )


_FIRST = _Way(lambda name, said: _element(f'mrk mtype="x-its"{said}'))
_SECOND = _Way(
    lambda name, said: _element(f'mrk id="{name}" type="its:generic"{said}'),
    lambda name, said: Ends(
        Code(CodeKind.OPEN, "issue", f'<sm id="{name}" type="its:generic"{said}/>'),
        Code(CodeKind.CLOSE, "issue", f'<em startRef="{name}"/>'),
    ),
)
_WAYS = {"xliff-1": _FIRST, "okapi-xliff": _FIRST, "xliff-2": _SECOND}


def holds_issues(form: str) -> bool:
    """Whether files of a dialect, by its name, have a place for issues of words."""
    return form in _WAYS


def with_issues(document: Document, issues: Mapping[int, Sequence[Issue]], system: str = "") -> Rewritten:
    """A document in which words of targets have more issues, by the numbers of segments from 0.

    Those that a segment has already stay, and are not written again; others come as often as they are given, equal ones
    too. `system` is who says so, a name or an IRI. QeError where the format has no place for issues, and one that names
    each segment whose issues cannot be written.
    """
    way = _WAYS.get(document.form)
    if way is None:
        message = tr("{format} has no place for issues of words", format=document.shown_form)
        hint = tr("XLIFF 1.2 and XLIFF 2 have one: write the file as one of these first.")
        raise QeError(message, hint=hint, place=Place(document.name))
    contents = _contents(document, issues, _Writing(document.text, way, system))
    if not contents:
        return Rewritten(document.text.data, 0, len(document.text.data))
    splices = list(_declared(document.text))
    for number, (content, _) in contents.items():
        segment = document.segments[number]
        if isinstance(segment.place, InElement):
            # what the file says of the text stays true
            place = InElement(segment.place.start, segment.place.end)
            splices += place.splices(document.text, segment, {place: content})
    new, kept = spliced(document.text.utf8, splices)
    data = document.text.back(new)
    _refuse_other_changes(document, replace(document.text, data=data, utf8=new), contents)
    return Rewritten(data, len(contents), document.text.identical(kept))


_Contents = dict[int, tuple[Content, list[Issue]]]


class _Writing:
    """Makes marks for one document, each with a name of its own."""

    def __init__(self, text: Text, way: _Way, system: str) -> None:
        self.text, self.way = text, way
        self.prefix = _prefix(_root(text)) or "its"
        self.system = quote(system, safe=_IRI)
        self.names = max((int(found[1]) for found in _OWN.finditer(text.utf8)), default=0)

    def content(self, content: Content, issues: Sequence[Issue]) -> Content:
        """A content with marks of issues, the widest first. QeError without a place for one that has none."""
        for issue in sorted(issues, key=lambda one: (one.start, -one.end)):
            content = self._marked(content, issue)
        return content

    def _marked(self, content: Content, issue: Issue) -> Content:
        said = self._said(issue)
        self.names += 1
        for ends in (self.way.element, self.way.apart):
            found = None if ends is None else marked(content, issue.start, issue.end, ends(f"qe-{self.names}", said))
            if found is not None:
                return found
        words = text_of(content)[issue.start : issue.end]
        message = tr("the issue of “{words}” lies across a code or another issue", words=words)
        raise QeError(message, hint=tr("XLIFF 2 can hold it; in XLIFF 1.2, end it where the code or the issue does."))

    def _said(self, issue: Issue) -> str:
        severity = None if issue.severity is None else f"{issue.severity:.{_DECIMALS}f}".rstrip("0").rstrip(".")
        given = [
            ("locQualityIssueType", issue.type or None),
            ("locQualityIssueSeverity", severity),
            ("locQualityIssueComment", issue.comment or None),
            ("annotatorsRef", f"localization-quality-issue|{self.system}" if self.system else None),
        ]
        said = "".join([f" {self.prefix}:{name}={attribute(value)}" for name, value in given if value is not None])
        codec = self.text.codec
        return said if codec == "utf-8" else said.encode(codec, "xmlcharrefreplace").decode(codec)


def _contents(document: Document, issues: Mapping[int, Sequence[Issue]], writing: _Writing) -> _Contents:
    """The contents of segments with marks for the issues that are new, and these issues."""
    contents: _Contents = {}
    faults: list[Fault] = []
    hint = ""
    for number, given in sorted(issues.items()):
        segment = document.segments[number]
        missing = Counter(map(_as_read, given)) - Counter(map(_as_read, segment.issues))
        new = [*missing.elements()]
        try:
            for issue in new:
                _refuse(segment, issue)
            if new:
                contents[number] = writing.content(segment.target or (), new), new
        except QeError as error:
            said = tr("segment {number:,}: {fault}", number=number + 1, fault=error.message)
            faults.append(Fault(Place(document.name, segment.line), said))
            hint = hint or error.hint
    if faults:
        raise QeError(faults[0].message, hint=hint, faults=faults)
    return contents


def _as_read(issue: Issue) -> Issue:
    """An issue as it comes back from a file."""
    return issue if issue.severity is None else replace(issue, severity=round(issue.severity, _DECIMALS))


def _refuse(segment: Segment, issue: Issue) -> None:
    """QeError for an issue that no mark in this target can hold."""
    if not isinstance(segment.place, InElement) or segment.target is None:
        raise QeError(tr("it has no target in the file that could hold an issue"), hint=tr("Write its target first."))
    if issue.of_source or not issue.on_words:
        message = tr("only issues of words of the target are written")
        raise QeError(message, hint=tr("Leave out those of the source and of whole segments."))
    if not 0 <= issue.start <= issue.end <= len(text_of(segment.target)):
        message = tr("the issue lies from character {start:,} to {end:,}, where the target has {n:,}",
                     "", len(text_of(segment.target)), start=issue.start, end=issue.end)  # fmt: skip
        raise QeError(message, hint=tr("Check that the issues are of this text."))
    if issue.type and issue.type not in TYPES:
        hint = tr("Choose one of ITS 2.0, such as mistranslation, grammar, other or uncategorized.")
        raise QeError(tr("ITS 2.0 knows no issues of type {type}", type=issue.type), hint=hint)
    if not issue.type and not issue.comment:
        message = tr("an issue needs a type or a comment")
        raise QeError(message, hint=tr("Give it the type uncategorized."))
    if issue.severity is not None and not 0 <= issue.severity <= 100:
        message = tr("the severity {number:g} is not between 0 and 100", number=issue.severity)
        raise QeError(message, hint=tr("Give a number from 0 to 100."))


def _root(text: Text) -> Root:
    # what was read has one
    return root_of(text.utf8) or Root()


def _prefix(root: Root) -> str:
    """By which prefix the root knows ITS; empty where it does not."""
    return next((prefix for prefix, name in root.prefixes.items() if prefix and name == NAMESPACE.decode()), "")


def _declared(text: Text) -> Iterator[Splice]:
    """What the root lacks: the namespace, and the version of ITS."""
    root = _root(text)
    prefix, name = _prefix(root), NAMESPACE.decode()
    said = "" if prefix else f' xmlns:its="{name}"'
    if f"{name} version" not in root.attributes:
        said += f' {prefix or "its"}:version="2.0"'
    if said:
        at = behind_tag(text, root.start) - 1
        yield Splice(at, at, said.encode())


def _refuse_other_changes(document: Document, text: Text, contents: _Contents) -> None:
    """Read what would be written, and refuse it where anything but the issues that were given has changed."""
    refused = QeError(
        tr("these issues cannot be written without changing more of the file than their words"),
        hint=tr("Nothing was written. Please report this, with the file."),
        place=Place(document.name),
    )
    try:
        found = document.again(text)
    except (QeError, UnboundPrefixError) as error:
        raise refused from error
    if len(found.segments) != len(document.segments):
        raise refused
    for number, (before, after) in enumerate(zip(document.segments, found.segments, strict=True)):
        content, new = contents.get(number, (before.target, []))
        same = _written(content) == _written(after.target) and _beside(before) == _beside(after)
        if not same or Counter(after.issues) != Counter(before.issues) + Counter(new):
            raise refused


def _written(content: Content | None) -> list[str]:
    """A target as it is written, whatever numbers its codes have."""
    return [run.raw if isinstance(run, Code) else run for run in content or ()]


def _beside(segment: Segment) -> Segment:
    """All that is said of a segment beside its target, its place and its issues."""
    return segment._replace(target=None, place=None, issues=(), line=0)
