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
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote

from qe_desktop.corpus import Fault, QeError, SourceLocation, TagColumn
from qe_desktop.formats.bilingual.document import Document, RewrittenDocument
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.exports.code_markup import quote_attribute
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content, content_text
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK_PATTERN
from qe_desktop.formats.bilingual.segments import Issue, Segment, TextEdit, apply_edits
from qe_desktop.formats.bilingual.tokenization import word_spans
from qe_desktop.formats.bilingual.xml.its_reader import NAMESPACE
from qe_desktop.formats.bilingual.xml.target_edits import ElementTarget
from qe_desktop.formats.bilingual.xml.xml_tree import UnboundPrefixError, XmlRoot, parse_root, tag_end
from qe_desktop.i18n.messages import tr


class MarkEnds(NamedTuple):
    """The codes that begin and end a mark."""

    begin: Code
    end: Code


def mark_content(content: Content, start: int, end: int, ends: MarkEnds) -> Content | None:
    """A content with a mark around its characters from `start` to `end` (exclusive), as narrow as may be.

    None where the ends are those of an element (`nests`) that would lie across another one. ValueError for places that
    the text does not have.
    """
    runs = _split_at(content, {start, end})
    befores, behinds = _slots(runs, start), _slots(runs, end)
    pairs = sorted((high - low, low, high) for low in befores for high in behinds if high >= low)
    if not pairs:
        raise ValueError("the text ends before the mark does")
    for _, low, high in pairs:
        if not ends.begin.nests or _is_whole(runs[low:high]):
            return (*runs[:low], ends.begin, *runs[low:high], ends.end, *runs[high:])
    return None


def element_ends(content: Content) -> list[int]:
    """At which characters the elements of a content begin and end."""
    return [at for at, run in _with_offsets(content) if isinstance(run, Code) and run.nests]


def _with_offsets(runs: Sequence[str | Code]) -> Iterator[tuple[int, str | Code]]:
    """Each run with the number of characters before it."""
    at = 0
    for run in runs:
        yield at, run
        if isinstance(run, str):
            at += len(run)


def _split_at(content: Content, places: set[int]) -> list[str | Code]:
    """The same runs, with those of text cut where they hold one of the places."""
    runs: list[str | Code] = []
    for at, run in _with_offsets(content):
        if isinstance(run, Code):
            runs.append(run)
            continue
        cuts = [0, *sorted(place - at for place in places if 0 < place - at < len(run)), len(run)]
        runs += [run[low:high] for low, high in pairwise(cuts)]
    return runs


def _slots(runs: Sequence[str | Code], place: int) -> list[int]:
    """Between which runs a place among the characters is: before the run of each number given."""
    total = sum(len(run) for run in runs if isinstance(run, str))
    befores = [number for number, (at, _) in enumerate(_with_offsets(runs)) if at == place]
    return [*befores, len(runs)] if total == place else befores


def _is_whole(runs: Sequence[str | Code]) -> bool:
    """Whether every element that begins here ends here, and no other does."""
    depth = 0
    for run in runs:
        if isinstance(run, Code) and run.nests:
            depth += 1 if run.kind is CodeKind.OPEN else -1
            if depth < 0:
                return False
    return depth == 0


ISSUE_TYPES = frozenset((
    "terminology", "mistranslation", "omission", "untranslated", "addition", "duplication", "inconsistency", "grammar",
    "legal", "register", "locale-specific-content", "locale-violation", "style", "characters", "misspelling",
    "typographical", "formatting", "inconsistent-entities", "numbers", "markup", "pattern-problem", "whitespace",
    "internationalization", "length", "non-conformance", "uncategorized", "other",
))  # fmt: skip
"""The types of issues that ITS 2.0 knows (8.17)."""
_DECIMALS = 6
_IRI = ":/?#[]@!$&'()*+,;=%~-._"
_QE_ID = re.compile(rb"[\"']qe-([0-9]{1,9})[\"']")
"""Names of marks that this program gave."""


@dataclass(frozen=True, slots=True)
class _MarkSyntax:
    """How a dialect writes a mark: the codes of its ends, of an element or, where one may be, of two that overlap."""

    element: Callable[[str, str], MarkEnds]
    apart: Callable[[str, str], MarkEnds] | None = None


def _element(tag: str) -> MarkEnds:
    return MarkEnds(
        Code(CodeKind.OPEN, "issue", f"<{tag}>", nests=True), Code(CodeKind.CLOSE, "issue", "</mrk>", nests=True)
    )


_FIRST = _MarkSyntax(lambda name, said: _element(f'mrk mtype="x-its"{said}'))
_SECOND = _MarkSyntax(
    lambda name, said: _element(f'mrk id="{name}" type="its:generic"{said}'),
    lambda name, said: MarkEnds(
        Code(CodeKind.OPEN, "issue", f'<sm id="{name}" type="its:generic"{said}/>'),
        Code(CodeKind.CLOSE, "issue", f'<em startRef="{name}"/>'),
    ),
)
_MARK_SYNTAXES = {"xliff-1": _FIRST, "okapi-xliff": _FIRST, "xliff-2": _SECOND}


def supports_issues(form: str) -> bool:
    """Whether files of a dialect, by its name, have a place for issues of words."""
    return form in _MARK_SYNTAXES


def with_issues(document: Document, issues: Mapping[int, Sequence[Issue]], system: str = "") -> RewrittenDocument:
    """A document in which words of targets have more issues, by the numbers of segments from 0.

    Those that a segment has already stay, and are not written again; others come as often as they are given, equal ones
    too. `system` is who says so, a name or an IRI. QeError where the format has no place for issues, and one that names
    each segment whose issues cannot be written.
    """
    way = _MARK_SYNTAXES.get(document.form)
    if way is None:
        message = tr("{format} has no place for issues of words", format=document.shown_form)
        hint = tr("XLIFF 1.2 and XLIFF 2 have one: write the file as one of these first.")
        raise QeError(message, hint=hint, place=SourceLocation(document.name))
    contents = _contents(document, issues, _IssueWriter(document.text, way, system))
    if not contents:
        return RewrittenDocument(document.text.data, 0, len(document.text.data))
    splices = list(_root_declarations(document.text))
    for number, (content, _) in contents.items():
        segment = document.segments[number]
        if isinstance(segment.place, ElementTarget):
            # what the file says of the text stays true
            place = ElementTarget(segment.place.start, segment.place.end)
            splices += place.splices(document.text, segment, {place: content})
    new, kept = apply_edits(document.text.utf8, splices)
    data = document.text.back(new)
    _check_only_marks_changed(document, replace(document.text, data=data, utf8=new), contents)
    return RewrittenDocument(data, len(contents), document.text.identical(kept))


_Contents = dict[int, tuple[Content, list[Issue]]]


class _IssueWriter:
    """Makes marks for one document, each with a name of its own."""

    def __init__(self, text: DecodedFile, way: _MarkSyntax, system: str) -> None:
        self.text, self.way = text, way
        self.prefix = _prefix(_root(text)) or "its"
        self.system = quote(system, safe=_IRI)
        self.names = max((int(found[1]) for found in _QE_ID.finditer(text.utf8)), default=0)

    def content(self, content: Content, issues: Sequence[Issue]) -> Content:
        """A content with marks of issues, the widest first. QeError without a place for one that has none."""
        for issue in sorted(issues, key=lambda one: (one.start, -one.end)):
            content = self._marked(content, issue)
        return content

    def _marked(self, content: Content, issue: Issue) -> Content:
        said = self._said(issue)
        self.names += 1
        for ends in (self.way.element, self.way.apart):
            found = (
                None if ends is None else mark_content(content, issue.start, issue.end, ends(f"qe-{self.names}", said))
            )
            if found is not None:
                return found
        words = content_text(content)[issue.start : issue.end]
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
        said = "".join(
            [f" {self.prefix}:{name}={quote_attribute(value)}" for name, value in given if value is not None]
        )
        codec = self.text.codec
        return said if codec == "utf-8" else said.encode(codec, "xmlcharrefreplace").decode(codec)


def _contents(document: Document, issues: Mapping[int, Sequence[Issue]], writing: _IssueWriter) -> _Contents:
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
                _unwritable_issue(segment, issue)
            if new:
                contents[number] = writing.content(segment.target or (), new), new
        except QeError as error:
            said = tr("segment {number:,}: {fault}", number=number + 1, fault=error.message)
            faults.append(Fault(SourceLocation(document.name, segment.line), said))
            hint = hint or error.hint
    if faults:
        raise QeError(faults[0].message, hint=hint, faults=faults)
    return contents


def _as_read(issue: Issue) -> Issue:
    """An issue as it comes back from a file."""
    return issue if issue.severity is None else replace(issue, severity=round(issue.severity, _DECIMALS))


def _unwritable_issue(segment: Segment, issue: Issue) -> None:
    """QeError for an issue that no mark in this target can hold."""
    if not isinstance(segment.place, ElementTarget) or segment.target is None:
        raise QeError(tr("it has no target in the file that could hold an issue"), hint=tr("Write its target first."))
    if issue.of_source or not issue.on_words:
        message = tr("only issues of words of the target are written")
        raise QeError(message, hint=tr("Leave out those of the source and of whole segments."))
    if not 0 <= issue.start <= issue.end <= len(content_text(segment.target)):
        message = tr("the issue lies from character {start:,} to {end:,}, where the target has {n:,}",
                     "", len(content_text(segment.target)), start=issue.start, end=issue.end)  # fmt: skip
        raise QeError(message, hint=tr("Check that the issues are of this text."))
    if issue.type and issue.type not in ISSUE_TYPES:
        hint = tr("Choose one of ITS 2.0, such as mistranslation, grammar, other or uncategorized.")
        raise QeError(tr("ITS 2.0 knows no issues of type {type}", type=issue.type), hint=hint)
    if not issue.type and not issue.comment:
        message = tr("an issue needs a type or a comment")
        raise QeError(message, hint=tr("Give it the type uncategorized."))
    if issue.severity is not None and not 0 <= issue.severity <= 100:
        message = tr("the severity {number:g} is not between 0 and 100", number=issue.severity)
        raise QeError(message, hint=tr("Give a number from 0 to 100."))


def _root(text: DecodedFile) -> XmlRoot:
    # what was read has one
    return parse_root(text.utf8) or XmlRoot()


def _prefix(root: XmlRoot) -> str:
    """By which prefix the root knows ITS; empty where it does not."""
    return next((prefix for prefix, name in root.prefixes.items() if prefix and name == NAMESPACE.decode()), "")


def _root_declarations(text: DecodedFile) -> Iterator[TextEdit]:
    """What the root lacks: the namespace, and the version of ITS."""
    root = _root(text)
    prefix, name = _prefix(root), NAMESPACE.decode()
    said = "" if prefix else f' xmlns:its="{name}"'
    if f"{name} version" not in root.attributes:
        said += f' {prefix or "its"}:version="2.0"'
    if said:
        at = tag_end(text, root.start) - 1
        yield TextEdit(at, at, said.encode())


def _check_only_marks_changed(document: Document, text: DecodedFile, contents: _Contents) -> None:
    """Read what would be written, and refuse it where anything but the issues that were given has changed."""
    refused = QeError(
        tr("these issues cannot be written without changing more of the file than their words"),
        hint=tr("Nothing was written. Please report this, with the file."),
        place=SourceLocation(document.name),
    )
    try:
        found = document.again(text)
    except (QeError, UnboundPrefixError) as error:
        raise refused from error
    if len(found.segments) != len(document.segments):
        raise refused
    for number, (before, after) in enumerate(zip(document.segments, found.segments, strict=True)):
        content, new = contents.get(number, (before.target, []))
        same = _target_text(content) == _target_text(after.target) and _side_values(before) == _side_values(after)
        if not same or Counter(after.issues) != Counter(before.issues) + Counter(new):
            raise refused


def _target_text(content: Content | None) -> list[str]:
    """A target as it is written, whatever numbers its codes have."""
    return [run.raw if isinstance(run, Code) else run for run in content or ()]


def _side_values(segment: Segment) -> Segment:
    """All that is said of a segment beside its target, its place and its issues."""
    return segment._replace(target=None, place=None, issues=(), line=0)


UNCATEGORIZED = "uncategorized"
"""What ITS 2.0 calls an issue of which nobody has said what it is (8.17); a tag says no more."""


def issues_from_tags(document: Document, tags: TagColumn) -> dict[int, list[Issue]]:
    """An issue for each word that is BAD, by the numbers of segments from 0; the words are those of `words`.

    A word in which an element begins or ends gets one for each of its parts. ValueError where the tags are not one for
    each word.
    """
    issues: dict[int, list[Issue]] = {}
    for number, (segment, row) in enumerate(zip(document.segments, range(len(tags)), strict=True)):
        target = segment.target or ()
        words = word_spans(content_text(target))
        bad = [word for word, tag in zip(words, tags[row].tolist(), strict=True) if tag]
        if bad:
            ends = element_ends(target)
            issues[number] = [_issue(*part) for low, high in bad for part in _parts(low, high, ends)]
    return issues


def issues_from_spans(document: Document, spans: Mapping[int, Sequence[tuple[int, int]]]) -> dict[int, list[Issue]]:
    """An issue for each span of the texts of targets, by the numbers of segments from 0.

    Spans are places in the lines of targets without codes, where a line break is one character whatever the file has.
    """
    issues: dict[int, list[Issue]] = {}
    for number, marked in spans.items():
        target = document.segments[number].target or ()
        more = [
            (found.start(), len(found[0]) - 1)
            for found in LINE_BREAK_PATTERN.finditer(content_text(target))
            if len(found[0]) > 1
        ]
        ends = element_ends(target)
        found = [_parts(_file_offset(low, more), _file_offset(high, more), ends) for low, high in marked]
        # what several checks mark is one issue
        issues[number] = [_issue(*part) for part in dict.fromkeys(part for parts in found for part in parts)]
    return issues


def _file_offset(place: int, breaks: Sequence[tuple[int, int]]) -> int:
    """A place in a line as one in the text of the file, whose longer line breaks are given with their places."""
    for at, more in breaks:
        place += more if at < place else 0
    return place


def _issue(start: int, end: int) -> Issue:
    return Issue(start, end, UNCATEGORIZED, on_words=True)


def _parts(low: int, high: int, ends: list[int]) -> list[tuple[int, int]]:
    cuts = [low, *dict.fromkeys(end for end in ends if low < end < high), high]
    return list(pairwise(cuts))
