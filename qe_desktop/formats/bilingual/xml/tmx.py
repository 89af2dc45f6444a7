"""TMX: translation units with texts in several languages, one of them the source and one the target.

The source language is the one that the user selects, else the one in the header (`srclang`), else the one of the first
text. If there are several other languages, the user must select the target language. A missing target is written as a
new `tuv`.

TMX has no statuses. The reviewer's note is a `note` element of the unit. Since `note` elements have no author, the text
of the note begins with the mark of this program. The key of the mark is the target language. A mark without a key is
accepted only if the file has at most one target language.
"""

from __future__ import annotations

import re

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.columns import ChoiceKind, ColumnOptions
from qe_desktop.formats.bilingual.document import AUTO_COLUMNS, BilingualFormat, ColumnChoice, Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.reviewer_notes import NoteMark, NoteRule, parse_prefix
from qe_desktop.formats.bilingual.segments import Segment, SegmentCollector, TargetLocation
from qe_desktop.formats.bilingual.xml.unit_notes import (
    MarkedText,
    SegmentNote,
    UnitNoteEdits,
    escape_note,
    note_location,
    segment_notes,
)
from qe_desktop.formats.bilingual.xml.xml_targets import (
    ContentBuilder,
    ElementFrame,
    ElementTarget,
    FrameTarget,
    InlineElement,
    missing_element,
    opaque_code,
)
from qe_desktop.formats.bilingual.xml.xml_tree import Element, element_end, parse_xml
from qe_desktop.i18n.messages import join_localized, tr

NAME, DISPLAY_NAME = "tmx", tr("TMX")
_HINT = tr("Select the source and target languages.")
_COMMAND_HINT = tr("Specify the source and target languages with --language-pair, for example en-de.")


def inline_of(element: Element) -> InlineElement:
    """Properties of an inline element (TMX 1.4b, section 5).

    `bpt` and `ept` elements are matched by their attribute `i`, other elements by their attribute `x`, if present.
    """
    name, code_id, pair = element.name, element.get("x"), element.get("i")
    if name == "hi":
        return InlineElement(CodeKind.OPEN, f"hi:{code_id or element.get('type')}", True, element.get("type"), True)
    if name in ("bpt", "ept"):
        kind = CodeKind.OPEN if name == "bpt" else CodeKind.CLOSE
        # the end of a pair has no `x`, so pairs are matched by `i`
        return InlineElement(kind, f"bpt:{pair}", label=element.text())
    return opaque_code(element, code_id)


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """Parse a TMX file.

    Raises QeError with the line if the XML is invalid, and without a line if the languages are ambiguous or missing
    from the file. Raises UnboundPrefixError as `parse_xml` does.
    """
    return _TmxReader(text, choice).document()


class _TmxReader:
    def __init__(self, text: DecodedFile, choice: ColumnChoice) -> None:
        self.text, self.choice = text, choice
        self.collector = SegmentCollector(text)
        self.contents = ContentBuilder(text, inline_of)
        self.header = ""
        self.languages: dict[str, str] = {}
        self.is_numbered = False
        """Whether any unit has no `tuid` and is therefore named by its position."""

    def document(self) -> Document:
        parse_xml(self.text, {"header": self._header, "tu": self._count})
        source, target = self._pair()
        parse_xml(self.text, {"tu": lambda unit: self._unit(unit, source, target)})
        chosen = ColumnChoice(source, target)
        segments = tuple(self.collector.segments)
        return Document(
            self.text,
            NAME,
            DISPLAY_NAME,
            segments,
            lambda new_text: read(new_text, chosen),
            source,
            target,
            choice=chosen,
            note_rule=NOTE_RULE,
            positional_names=self.is_numbered,
        )

    def _header(self, header: Element) -> None:
        self.header = header.get("srclang")

    def _count(self, unit: Element) -> None:
        for text in unit.elements():
            if text.name == "tuv":
                self.languages.setdefault(_normalize_language(language_of(text)), language_of(text))

    def _pair(self) -> tuple[str, str]:
        names = list(self.languages.values())
        if not names:
            return self.choice.source or self.header, self.choice.target
        declared = "" if self.header.lower() in ("", "*all*") else self.header
        source = _find_language(names, self.choice.source or declared)
        if not source:
            if self.choice.source:
                raise self._language_error(self.choice.source)
            source = names[0]
        other_names = [name for name in names if _normalize_language(name) != _normalize_language(source)]
        target = _find_language(other_names, self.choice.target)
        if self.choice.target and not target and _find_language([source], self.choice.target):
            message = tr("the source and target languages are both {language}", language=source)
            raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=self.text.location())
        if self.choice.target and not target:
            raise self._language_error(self.choice.target)
        if not target and len(other_names) > 1:
            names_text = join_localized(", ", other_names)
            message = tr("the file contains several target languages: {languages}", languages=names_text)
            raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=self.text.location())
        return source, target or next(iter(other_names), "")

    def _language_error(self, language: str) -> QeError:
        listed = join_localized(", ", list(self.languages.values()))
        message = tr("the file has no text in {language}, only in {languages}", language=language, languages=listed)
        return QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=self.text.location())

    def _unit(self, unit: Element, source: str, target: str) -> None:
        number = len(self.collector.segments) + 1
        texts: dict[str, Element] = {}
        for variant in unit.elements():
            if variant.name == "tuv":
                texts.setdefault(_normalize_language(language_of(variant)), variant)
        source_variant, target_variant = texts.get(_normalize_language(source)), texts.get(_normalize_language(target))
        if target_variant is source_variant:
            # with one language there is no translation
            target_variant = None
        source_segment = source_variant.child("seg") if source_variant is not None else None
        if source_variant is None or source_segment is None:
            return
        target_segment = target_variant.child("seg") if target_variant is not None else None
        location: TargetLocation | None = None
        if target_segment is not None:
            location = ElementTarget(target_segment.start, target_segment.end)
        elif target_variant is None and target:
            location = FrameTarget(self._missing_text_frame(source_variant, source_segment, target), 0)
        note = self._note(unit, target)
        state = unit.get("changeid") or unit.get("creationid")
        self.is_numbered = self.is_numbered or not unit.get("tuid")
        target_content = None if target_segment is None else self.contents.build(target_segment)
        self.collector.add(
            Segment(
                unit.get("tuid") or str(number),
                unit.line,
                self.contents.build(source_segment),
                target_content,
                location,
                origin=state,
                notes=note.other_notes,
                note=note.note,
                note_location=note.location,
            )
        )

    def _note(self, unit: Element, target: str) -> SegmentNote:
        notes = [child for child in unit.elements() if child.name == "note"]
        first_variant = next(child for child in unit.elements() if child.name == "tuv")
        single = len(self.languages) <= 2

        def mark_of(note: Element) -> MarkedText:
            marked = parse_prefix(note.text())
            if marked is None:
                return None
            key = _normalize_language(marked[0].key)
            # a file without any translation has no target language
            if target and key != _normalize_language(target) and not (single and not key):
                return None
            return marked[0]._replace(key=target), marked[1]

        return segment_notes(notes, [note_location(unit, first_variant, target, before=True)], mark_of)[0]

    def _missing_text_frame(self, variant: Element, segment: Element, target: str) -> ElementFrame:
        """Frame for a new `tuv` in the target language, after the `tuv` of the source."""
        escaped = target.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        frame = missing_element(self.text, variant, "tuv", element_end(self.text, variant), f' xml:lang="{escaped}"')
        begin, end = frame.pieces
        segment_start, segment_end = missing_element(self.text, segment, "seg", frame.start).pieces
        return ElementFrame(frame.start, frame.end, (begin + segment_start, segment_end + end))


def _write_note(text: DecodedFile, prefix: str, mark: NoteMark, note: str) -> str:
    return f"<{prefix}note>{escape_note(text, mark.prepend_to(note))}</{prefix}note>"


NOTE_RULE = NoteRule(UnitNoteEdits(_write_note))


def language_of(text: Element) -> str:
    """Language of a `tuv`: `xml:lang`, or `lang`, which was used before TMX 1.2; empty if neither is present."""
    return text.get("xml:lang") or text.get("lang")


def _normalize_language(language: str) -> str:
    return language.lower().replace("_", "-")


def _find_language(names: list[str], requested: str) -> str:
    """Name equal to `requested`, else the only name with the same primary language (`en-US` for `en`), else empty."""
    if not requested:
        return ""
    exact = [name for name in names if _normalize_language(name) == _normalize_language(requested)]
    primary = _normalize_language(requested).partition("-")[0]
    variants = [name for name in names if _normalize_language(name).partition("-")[0] == primary]
    return exact[0] if exact else variants[0] if len(variants) == 1 else ""


_LANGUAGE = re.compile(rb"<tuv\b[^<>]*?\s(?:xml:)?lang\s*=\s*[\"']([^\"'<>&]{1,40})[\"']")
_HEADER = re.compile(rb"<header\b[^<>]*?\ssrclang\s*=\s*[\"']([^\"'<>&]{1,40})[\"']")


def tmx_language_options(head: bytes) -> ColumnOptions | None:
    """Languages at the beginning of a TMX file that can be selected as source or target.

    If there are more than two, the default has no target language. Returns None if there are fewer than two.
    """
    languages: dict[str, str] = {}
    for match in _LANGUAGE.finditer(head):
        name = match[1].decode("utf-8", "replace")
        languages.setdefault(_normalize_language(name), name)
    names = tuple(languages.values())
    if len(names) < 2:
        return None
    header = _HEADER.search(head)
    source = _find_language(list(names), header[1].decode("utf-8", "replace") if header else "") or names[0]
    other_names = [name for name in names if name != source]
    return ColumnOptions(
        ChoiceKind.LANGUAGES, names, ColumnChoice(source, other_names[0] if len(other_names) == 1 else "")
    )


FORMAT = BilingualFormat(
    NAME,
    DISPLAY_NAME,
    lambda begins: 0.95 if begins.root is not None and begins.root.name == "tmx" else 0.0,
    read,
    tmx_language_options,
)
