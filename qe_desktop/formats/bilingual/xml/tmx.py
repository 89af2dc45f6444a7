"""TMX: translation units with a text in each of several languages, of which one is the source and one the target.

The source is in the language of the header (`srclang`), or in that of the first text. Where there are several other
languages, a person says which one is the target. A target that is missing gets a `tuv` of its own.
"""

from __future__ import annotations

import re

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.bilingual_format import AUTO_COLUMNS, BilingualFormat, ColumnChoice
from qe_desktop.formats.bilingual.column_choice import ChoiceKind, ColumnOptions
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.segment_collector import SegmentCollector
from qe_desktop.formats.bilingual.segments import TargetLocation
from qe_desktop.formats.bilingual.xml.target_edits import ElementFrame, ElementTarget, FrameTarget, missing_element
from qe_desktop.formats.bilingual.xml.xml_contents import ContentBuilder, InlineElement, opaque_code
from qe_desktop.formats.bilingual.xml.xml_tree import Element, element_end, parse_xml
from qe_desktop.i18n.messages import join_localized, tr

NAME, DISPLAY_NAME = "tmx", tr("TMX")
_HINT = tr("Say which languages are source and target.")
_COMMAND_HINT = tr("Say which with --language-pair, such as en-de.")


def inline_of(element: Element) -> InlineElement:
    """The inline elements of TMX 1.4b (5): `x` tells which belong together in source and target, `i` within a text."""
    name, known, pair = element.name, element.get("x"), element.get("i")
    if name == "hi":
        return InlineElement(CodeKind.OPEN, f"hi:{known or element.get('type')}", True, element.get("type"))
    if name in ("bpt", "ept"):
        kind = CodeKind.OPEN if name == "bpt" else CodeKind.CLOSE
        # the end of a pair has no `x`, so that `i` is what all of them have
        return InlineElement(kind, f"bpt:{pair}", label=element.text())
    return opaque_code(element, known)


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """All units of a memory. QeError with its line for what is no TMX, or where the languages must be said."""
    return _TmxReader(text, choice).document()


class _TmxReader:
    def __init__(self, text: DecodedFile, choice: ColumnChoice) -> None:
        self.text, self.choice = text, choice
        self.gathered = SegmentCollector(text)
        self.contents = ContentBuilder(text, inline_of)
        self.header = ""
        self.languages: dict[str, str] = {}

    def document(self) -> Document:
        parse_xml(self.text, {"header": self._header, "tu": self._count})
        source, target = self._pair()
        parse_xml(self.text, {"tu": lambda unit: self._unit(unit, source, target)})
        chosen = ColumnChoice(source, target)
        segments = tuple(self.gathered.segments)
        return Document(
            self.text, NAME, DISPLAY_NAME, segments, lambda other: read(other, chosen), source, target, choice=chosen
        )

    def _header(self, header: Element) -> None:
        self.header = header.get("srclang")

    def _count(self, unit: Element) -> None:
        for text in unit.elements():
            if text.name == "tuv":
                self.languages.setdefault(_plain(language_of(text)), language_of(text))

    def _pair(self) -> tuple[str, str]:
        names = list(self.languages.values())
        if not names:
            return self.choice.source or self.header, self.choice.target
        told = "" if self.header.lower() in ("", "*all*") else self.header
        source = _among(names, self.choice.source or told)
        if not source:
            if self.choice.source:
                raise self._refused(self.choice.source)
            source = names[0]
        others = [name for name in names if _plain(name) != _plain(source)]
        target = _among(others, self.choice.target)
        if self.choice.target and not target:
            raise self._refused(self.choice.target)
        if not target and len(others) > 1:
            listed = join_localized(", ", others)
            message = tr("the file holds translations into several languages: {languages}", languages=listed)
            raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=self.text.place())
        return source, target or next(iter(others), "")

    def _refused(self, language: str) -> QeError:
        listed = join_localized(", ", list(self.languages.values()))
        message = tr("there is no text in {language}, but in {languages}", language=language, languages=listed)
        return QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=self.text.place())

    def _unit(self, unit: Element, source: str, target: str) -> None:
        number = len(self.gathered.segments) + 1
        texts: dict[str, Element] = {}
        for one in unit.elements():
            if one.name == "tuv":
                texts.setdefault(_plain(language_of(one)), one)
        from_it, into = texts.get(_plain(source)), texts.get(_plain(target))
        if into is from_it:
            # of one language alone, nothing is a translation
            into = None
        written = from_it.child("seg") if from_it is not None else None
        if from_it is None or written is None:
            return
        held = into.child("seg") if into is not None else None
        place: TargetLocation | None = None
        if held is not None:
            place = ElementTarget(held.start, held.end)
        elif into is None and target:
            place = FrameTarget(self._missing(from_it, written, target), 0)
        notes = tuple(child.text() for child in unit.elements() if child.name == "note")
        state = unit.get("changeid") or unit.get("creationid")
        self.gathered.add(
            unit.get("tuid") or str(number), unit.line, self.contents.of(written),
            None if held is None else self.contents.of(held), place, "", False, state, notes,
        )  # fmt: skip

    def _missing(self, beside: Element, written: Element, target: str) -> ElementFrame:
        """A text in the target language behind the one in the source language."""
        escaped = target.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        frame = missing_element(self.text, beside, "tuv", element_end(self.text, beside), f' xml:lang="{escaped}"')
        begin, end = frame.pieces
        within, close = missing_element(self.text, written, "seg", frame.start).pieces
        return ElementFrame(frame.start, frame.end, (begin + within, close + end))


def language_of(text: Element) -> str:
    """The language of a text: `xml:lang`, or `lang` as before TMX 1.2."""
    return text.get("xml:lang") or text.get("lang")


def _plain(language: str) -> str:
    return language.lower().replace("_", "-")


def _among(names: list[str], wanted: str) -> str:
    """The name of a language that is meant: itself, or else the only one of its kind, as `en-US` for `en`."""
    if not wanted:
        return ""
    exact = [name for name in names if _plain(name) == _plain(wanted)]
    primary = _plain(wanted).partition("-")[0]
    alike = [name for name in names if _plain(name).partition("-")[0] == primary]
    return exact[0] if exact else alike[0] if len(alike) == 1 else ""


_LANGUAGE = re.compile(rb"<tuv\b[^<>]*?\s(?:xml:)?lang\s*=\s*[\"']([^\"'<>&]{1,40})[\"']")
_HEADER = re.compile(rb"<header\b[^<>]*?\ssrclang\s*=\s*[\"']([^\"'<>&]{1,40})[\"']")


def tmx_language_options(head: bytes) -> ColumnOptions | None:
    """The languages of the first units, of which a person chooses two; None where there are not two."""
    found: dict[str, str] = {}
    for match in _LANGUAGE.finditer(head):
        name = match[1].decode("utf-8", "replace")
        found.setdefault(_plain(name), name)
    names = tuple(found.values())
    if len(names) < 2:
        return None
    header = _HEADER.search(head)
    source = _among(list(names), header[1].decode("utf-8", "replace") if header else "") or names[0]
    others = [name for name in names if name != source]
    return ColumnOptions(ChoiceKind.LANGUAGES, names, ColumnChoice(source, others[0] if len(others) == 1 else ""))


FORMAT = BilingualFormat(
    NAME,
    DISPLAY_NAME,
    lambda begins: 0.95 if begins.root is not None and begins.root.name == "tmx" else 0.0,
    read,
    tmx_language_options,
)
