"""Writer of word issues to bilingual files as ITS 2.0 markup (section 8.17); nothing else in the files changes.

In XLIFF 1.2, an issue is marked by `mrk mtype="x-its"`; in XLIFF 2, by `mrk type="its:generic"` or, if this element
would overlap another one, by `sm` and `em`. All attributes are in the ITS namespace, so that XLIFF's ITS module
(`itsm`) is not needed. The root declares this namespace and, as ITS 2.0 (section 6.1) requires, the ITS version.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, pairwise
from typing import NamedTuple
from urllib.parse import quote

from qe_desktop.corpus import Fault, QeError, SourceLocation, TagColumn
from qe_desktop.formats.bilingual.document import Document, RewrittenDocument
from qe_desktop.formats.bilingual.encodings import DecodedFile, escape_unencodable
from qe_desktop.formats.bilingual.exports.xliff_export import quote_attribute
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content, content_text
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK_PATTERN
from qe_desktop.formats.bilingual.segments import Issue, Segment, TextEdit, apply_edits
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.formats.bilingual.xml.its_reader import NAMESPACE
from qe_desktop.formats.bilingual.xml.xml_targets import ElementTarget, prefix_of_tag
from qe_desktop.formats.bilingual.xml.xml_tree import UnboundPrefixError, XmlRoot, parse_root, tag_end
from qe_desktop.i18n.messages import tr


class MarkEnds(NamedTuple):
    """Codes that open and close a mark."""

    opening: Code
    closing: Code


def mark_content(content: Content, start: int, end: int, ends: MarkEnds) -> Content | None:
    """Wrap the characters from `start` to `end` (exclusive) of the content in a mark, as narrowly as possible.

    Returns None if the mark is an element (`Code.must_nest`) that would overlap another element. Raises ValueError if
    an offset is outside the text, or if `end` is before `start`.
    """
    runs = _split_at(content, {start, end})
    start_slots, end_slots = _insert_indices(runs, start), _insert_indices(runs, end)
    pairs = sorted((last - first, first, last) for first in start_slots for last in end_slots if last >= first)
    if not pairs:
        raise ValueError("the text ends before the mark does")
    for _, first, last in pairs:
        if not ends.opening.must_nest or _is_properly_nested(runs[first:last]):
            return (*runs[:first], ends.opening, *runs[first:last], ends.closing, *runs[last:])
    return None


def element_ends(content: Content) -> list[int]:
    """Character offsets at which elements of the content begin or end."""
    return [at for at, run in _with_offsets(content) if isinstance(run, Code) and run.must_nest]


def _with_offsets(runs: Sequence[str | Code]) -> Iterator[tuple[int, str | Code]]:
    """Iterate over the runs with their character offsets."""
    offset = 0
    for run in runs:
        yield offset, run
        if isinstance(run, str):
            offset += len(run)


def _split_at(content: Content, offsets: set[int]) -> list[str | Code]:
    """Split the text runs of the content at character offsets."""
    runs: list[str | Code] = []
    for at, run in _with_offsets(content):
        if isinstance(run, Code):
            runs.append(run)
            continue
        cuts = [0, *sorted(offset - at for offset in offsets if 0 < offset - at < len(run)), len(run)]
        runs += [run[start:stop] for start, stop in pairwise(cuts)]
    return runs


def _insert_indices(runs: Sequence[str | Code], offset: int) -> list[int]:
    """Indices in `runs` at which a code can be inserted so that its character offset is `offset`."""
    total = sum(len(run) for run in runs if isinstance(run, str))
    slots = [index for index, (at, _) in enumerate(_with_offsets(runs)) if at == offset]
    return [*slots, len(runs)] if total == offset else slots


def _is_properly_nested(runs: Sequence[str | Code]) -> bool:
    depth = 0
    for run in runs:
        if isinstance(run, Code) and run.must_nest:
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
"""Issue types of ITS 2.0 (section 8.17)."""
_DECIMALS = 6
_IRI = ":/?#[]@!$&'()*+,;=%~-._"
_QE_ID = re.compile(rb"[\"']qe-([0-9]{1,9})[\"']")
"""Pattern of the quoted id of a mark that this program wrote."""
_DECLARATION = rb"\sxmlns:%b\s*=\s*[\"']([^\"']*)"
"""Pattern of the declaration of a namespace prefix (`%b`); the group matches the namespace."""


@dataclass(frozen=True, slots=True)
class _MarkSyntax:
    """Syntax of a mark in a dialect: one element or, if supported, two empty elements so that marks can overlap.

    The functions take the namespace prefix of the target element (with its colon), the id of the mark, and the ITS
    attributes of the mark.
    """

    element: Callable[[str, str, str], MarkEnds]
    empty_elements: Callable[[str, str, str], MarkEnds] | None = None


def _element(prefix: str, attributes: str) -> MarkEnds:
    return MarkEnds(
        Code(CodeKind.OPEN, "issue", f"<{prefix}mrk {attributes}>", must_nest=True),
        Code(CodeKind.CLOSE, "issue", f"</{prefix}mrk>", must_nest=True),
    )


_XLIFF_1_SYNTAX = _MarkSyntax(lambda prefix, name, attributes: _element(prefix, f'mtype="x-its"{attributes}'))
_XLIFF_2_SYNTAX = _MarkSyntax(
    lambda prefix, name, attributes: _element(prefix, f'id="{name}" type="its:generic"{attributes}'),
    lambda prefix, name, attributes: MarkEnds(
        Code(CodeKind.OPEN, "issue", f'<{prefix}sm id="{name}" type="its:generic"{attributes}/>'),
        Code(CodeKind.CLOSE, "issue", f'<{prefix}em startRef="{name}"/>'),
    ),
)
_MARK_SYNTAXES = {"xliff-1": _XLIFF_1_SYNTAX, "okapi-xliff": _XLIFF_1_SYNTAX, "xliff-2": _XLIFF_2_SYNTAX}


def supports_issues(form: str) -> bool:
    """Whether files of the dialect `form` can store word issues."""
    return form in _MARK_SYNTAXES


def with_issues(document: Document, issues: Mapping[int, Sequence[Issue]], system: str = "") -> RewrittenDocument:
    """Add issues of target words to a document; `issues` maps 0-based segment numbers to the issues.

    Existing issues are kept, and issues equal to them are not written again. Equal new issues are all written. `system`
    identifies the annotator by name or IRI; empty if unknown. Raises QeError if the format does not support issues, if
    issues cannot be written (with an error per segment), or if the new file, when parsed again, differs from the
    document in anything but the new issues.
    """
    syntax = _MARK_SYNTAXES.get(document.dialect)
    if syntax is None:
        message = tr("{format} does not support word issues", format=document.dialect_name)
        hint = tr("Export the file as XLIFF 1.2 or XLIFF 2 first.")
        raise QeError(message, hint=hint, place=SourceLocation(document.name))
    contents = _marked_contents(document, issues, _IssueWriter(document.text, syntax, system))
    if not contents:
        return RewrittenDocument(document.text.data, 0, len(document.text.data))
    edits = list(_root_declarations(document.text))
    for number, (content, _) in contents.items():
        segment = document.segments[number]
        if isinstance(segment.target_location, ElementTarget):
            # a location without `stale_edits`: the text does not change, so its metadata stay valid
            location = ElementTarget(segment.target_location.start, segment.target_location.end)
            edits += location.edits(document.text, segment, {location: content})
    new, kept_pieces = apply_edits(document.text.utf8, edits)
    data = document.text.encode_file(new)
    _check_only_marks_changed(document, replace(document.text, data=data, utf8=new), contents)
    return RewrittenDocument(data, len(contents), document.text.unchanged_size(kept_pieces))


_NewContents = dict[int, tuple[Content, list[Issue]]]


class _IssueWriter:
    """Creator of issue marks with unique ids for a document."""

    def __init__(self, text: DecodedFile, syntax: _MarkSyntax, system: str) -> None:
        self.text, self.syntax = text, syntax
        self.prefix = _its_prefix(text)
        self.system = quote(system, safe=_IRI)
        self.max_id = max((int(match[1]) for match in _QE_ID.finditer(text.utf8)), default=0)

    def content(self, content: Content, issues: Sequence[Issue], element_prefix: str) -> Content:
        """Return the content with marks for issues.

        Issues are marked in the order of their start offsets; if several have the same start, the longest comes first.
        Raises QeError without a location if an issue cannot be marked.
        """
        for issue in sorted(issues, key=lambda issue: (issue.start, -issue.end)):
            content = self._mark_issue(content, issue, element_prefix)
        return content

    def _mark_issue(self, content: Content, issue: Issue, element_prefix: str) -> Content:
        attributes = self._attributes(issue)
        self.max_id += 1
        for ends in (self.syntax.element, self.syntax.empty_elements):
            marked = (
                None
                if ends is None
                else mark_content(
                    content, issue.start, issue.end, ends(element_prefix, f"qe-{self.max_id}", attributes)
                )
            )
            if marked is not None:
                return marked
        words = content_text(content)[issue.start : issue.end]
        message = tr("the issue on “{words}” overlaps an inline code or another issue", words=words)
        raise QeError(message, hint=tr("Split the issue, or use XLIFF 2, which allows overlaps."))

    def _attributes(self, issue: Issue) -> str:
        severity = None if issue.severity is None else f"{issue.severity:.{_DECIMALS}f}".rstrip("0").rstrip(".")
        values = [
            ("locQualityIssueType", issue.type or None),
            ("locQualityIssueSeverity", severity),
            ("locQualityIssueComment", issue.comment or None),
            ("annotatorsRef", f"localization-quality-issue|{self.system}" if self.system else None),
        ]
        attributes = "".join(
            [f" {self.prefix}:{name}={quote_attribute(value)}" for name, value in values if value is not None]
        )
        return escape_unencodable(attributes, self.text.codec)


def _marked_contents(document: Document, issues: Mapping[int, Sequence[Issue]], writer: _IssueWriter) -> _NewContents:
    """Contents with marks for new issues, and the new issues, by segment. Raises QeError if any cannot be marked."""
    contents: _NewContents = {}
    faults: list[Fault] = []
    hint = ""
    for number, segment_issues in sorted(issues.items()):
        segment = document.segments[number]
        missing = Counter(map(_round_severity, segment_issues)) - Counter(map(_round_severity, segment.issues))
        new = [*missing.elements()]
        try:
            for issue in new:
                _check_issue(segment, issue)
            if new and isinstance(segment.target_location, ElementTarget):
                element_prefix = prefix_of_tag(document.text, segment.target_location.start)
                contents[number] = writer.content(segment.target or (), new, element_prefix), new
        except QeError as error:
            message = tr("segment {number:,}: {fault}", number=number + 1, fault=error.message)
            faults.append(Fault(SourceLocation(document.name, segment.line), message))
            hint = hint or error.hint
    if faults:
        raise QeError(faults[0].message, hint=hint, faults=faults)
    return contents


def _round_severity(issue: Issue) -> Issue:
    """Round the severity of an issue to the precision with which it is written to files."""
    return issue if issue.severity is None else replace(issue, severity=round(issue.severity, _DECIMALS))


def _check_issue(segment: Segment, issue: Issue) -> None:
    """Raise QeError if an issue cannot be written to the target of a segment."""
    if not isinstance(segment.target_location, ElementTarget) or segment.target is None:
        raise QeError(tr("no target in the file"), hint=tr("Add a target to the segment first."))
    if issue.is_in_source or not issue.is_on_words:
        message = tr("only issues of target words can be written")
        raise QeError(message, hint=tr("Remove the issues of the source and of whole segments."))
    if not 0 <= issue.start <= issue.end <= len(content_text(segment.target)):
        message = tr("the issue spans offsets {start:,} to {end:,}, but the target has {n:,} {n:character|characters}",
                     "", len(content_text(segment.target)), start=issue.start, end=issue.end)  # fmt: skip
        raise QeError(message, hint=tr("Check that the issues belong to this text."))
    if issue.type and issue.type not in ISSUE_TYPES:
        hint = tr("Use a type of ITS 2.0, such as mistranslation, grammar, other or uncategorized.")
        raise QeError(tr("ITS 2.0 has no issue type {type}", type=issue.type), hint=hint)
    if not issue.type and not issue.comment:
        message = tr("an issue must have a type or a comment")
        raise QeError(message, hint=tr("Add a comment, or use the type “uncategorized”."))
    if issue.severity is not None and not 0 <= issue.severity <= 100:
        message = tr("the severity {number:g} is not between 0 and 100", number=issue.severity)
        raise QeError(message, hint=tr("Use a number from 0 to 100."))


def _root(text: DecodedFile) -> XmlRoot:
    # a parsed document has a root
    return parse_root(text.utf8) or XmlRoot()


def _its_prefix(text: DecodedFile) -> str:
    """Prefix that is bound only to the ITS namespace: one that the root declares, or else a new one."""
    declared = [prefix for prefix, name in _root(text).prefixes.items() if prefix and name == NAMESPACE.decode()]
    candidates = chain(declared, ["its"], (f"its{number}" for number in count(2)))
    return next(
        prefix
        for prefix in candidates
        if all(match[1] == NAMESPACE for match in re.finditer(_DECLARATION % prefix.encode(), text.utf8))
    )


def _root_declarations(text: DecodedFile) -> Iterator[TextEdit]:
    """Edit that adds the declarations that the root lacks: the namespace and the version of ITS."""
    root = _root(text)
    prefix, name = _its_prefix(text), NAMESPACE.decode()
    declarations = "" if root.prefixes.get(prefix) == name else f' xmlns:{prefix}="{name}"'
    if f"{name} version" not in root.attributes:
        declarations += f' {prefix}:version="2.0"'
    if declarations:
        offset = tag_end(text, root.start) - 1
        yield TextEdit(offset, offset, declarations.encode())


def _check_only_marks_changed(document: Document, text: DecodedFile, contents: _NewContents) -> None:
    """Parse the new text and raise QeError if anything but the new issues has changed."""
    rejected = QeError(
        tr("writing these issues would change other parts of the file"),
        hint=tr("Nothing was written. Report this problem and attach the file."),
        place=SourceLocation(document.name),
    )
    try:
        reread = document.parse_again(text)
    except (QeError, UnboundPrefixError) as error:
        raise rejected from error
    if len(reread.segments) != len(document.segments):
        raise rejected
    for number, (before, after) in enumerate(zip(document.segments, reread.segments, strict=True)):
        content, new = contents.get(number, (before.target, []))
        is_same = _target_text(content) == _target_text(after.target) and _side_values(before) == _side_values(after)
        if not is_same or Counter(after.issues) != Counter(before.issues) + Counter(new):
            raise rejected


def _target_text(content: Content | None) -> list[str]:
    """Texts and code markup of a target, as written in the file; code numbers are ignored."""
    return [run.raw if isinstance(run, Code) else run for run in content or ()]


def _side_values(segment: Segment) -> Segment:
    """Copy of a segment without its target, issues and line number, and without the locations of target and note."""
    return segment._replace(target=None, target_location=None, issues=(), line=0, note_location=None)


UNCATEGORIZED = "uncategorized"
"""ITS 2.0 type of an unspecified issue (section 8.17), used for issues from tags and spans."""


def issues_from_tags(document: Document, tags: TagColumn) -> dict[int, list[Issue]]:
    """Create issues for BAD words, by 0-based segment number; words are those of `word_tokenization`.

    Segments without BAD words are omitted. A BAD word gets one issue, or one per part if elements begin or end within
    the word. Raises ValueError if `tags` differs from the document in the number of segments, or from a segment in the
    number of words.
    """
    issues: dict[int, list[Issue]] = {}
    for number, (segment, row) in enumerate(zip(document.segments, range(len(tags)), strict=True)):
        target = segment.target or ()
        words = word_spans(content_text(target))
        bad = [word for word, tag in zip(words, tags[row].tolist(), strict=True) if tag]
        if bad:
            ends = element_ends(target)
            issues[number] = [_issue(*part) for start, stop in bad for part in _parts(start, stop, ends)]
    return issues


def issues_from_spans(document: Document, spans: Mapping[int, Sequence[tuple[int, int]]]) -> dict[int, list[Issue]]:
    """Create issues for spans of target texts, by 0-based segment number.

    The offsets of spans refer to target lines without codes, in which each line break is one character. A span gets one
    issue, or one per part if elements begin or end within the span. Only one of several equal issues is created.
    """
    issues: dict[int, list[Issue]] = {}
    for number, marked in spans.items():
        target = document.segments[number].target or ()
        breaks = [
            (line_break.start(), len(line_break[0]) - 1)
            for line_break in LINE_BREAK_PATTERN.finditer(content_text(target))
            if len(line_break[0]) > 1
        ]
        ends = element_ends(target)
        spans_parts = [_parts(_file_offset(start, breaks), _file_offset(stop, breaks), ends) for start, stop in marked]
        # spans marked by several checks are one issue
        issues[number] = [_issue(*part) for part in dict.fromkeys(part for parts in spans_parts for part in parts)]
    return issues


def _file_offset(offset: int, breaks: Sequence[tuple[int, int]]) -> int:
    """Convert a character offset in a target line to one in the target text of the file.

    `breaks` lists the line breaks that are longer than one character: the offset of each in the target text of the
    file, and its length minus one.
    """
    for at, extra in breaks:
        offset += extra if at < offset else 0
    return offset


def _issue(start: int, end: int) -> Issue:
    return Issue(start, end, UNCATEGORIZED, is_on_words=True)


def _parts(start: int, stop: int, ends: list[int]) -> list[tuple[int, int]]:
    cuts = [start, *dict.fromkeys(end for end in ends if start < end < stop), stop]
    return list(pairwise(cuts))
