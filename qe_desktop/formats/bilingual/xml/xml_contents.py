"""Conversion of source and target elements to text and codes, and back to markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise

from qe_desktop.formats.bilingual.encodings import DecodedFile, escape_unencodable
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content
from qe_desktop.formats.bilingual.xml.xml_tree import Element, element_end, tag_end

MAX_LABEL_CHARS = 80
"""Maximum number of characters that the label of a code takes from the content of the code."""


@dataclass(frozen=True, slots=True)
class InlineElement:
    """Properties of an inline element: kind, matching key, and whether its content is text (`holds_text`).

    An element whose content is text becomes an opening and a closing code. Any other element, with all of its content,
    becomes one code.
    `is_annotation` is as in `Code`.
    """

    kind: CodeKind
    key: str
    holds_text: bool = False
    label: str = ""
    is_annotation: bool = False


GetInlineElement = Callable[[Element], InlineElement]
"""Function that maps an element to its properties in a dialect."""


def opaque_code(element: Element, key: str = "") -> InlineElement:
    """Return the properties of an element that is one standalone code, regardless of its content."""
    return InlineElement(
        CodeKind.STANDALONE, f"{element.name}:{key or element.text()}", label=element.text()[:MAX_LABEL_CHARS]
    )


class ContentBuilder:
    """Converter of elements to text and codes. Codes are cached by markup, since most occur in many segments."""

    def __init__(self, text: DecodedFile, inline_of: GetInlineElement) -> None:
        self.text, self.inline_of = text, inline_of
        self._pairs: dict[bytes, tuple[Code, Code]] = {}
        self._standalone: dict[str, Code] = {}

    def build(self, element: Element) -> Content:
        """Content of a source or target; its codes are not yet numbered."""
        children = element.children
        if len(children) == 1 and children[0].__class__ is str:
            return (children[0],)
        if len(children) == 3:
            # fast path: most contents with codes have one cached element with text around it
            before, inline, after = children
            if before.__class__ is str and inline.__class__ is Element and after.__class__ is str:
                inner = inline.children
                if len(inner) == 1 and inner[0].__class__ is str and (codes := self._cached_codes(inline)) is not None:
                    return (before, codes[0], inner[0], codes[1], after)
        runs: list[str | Code] = []
        self._add(children, runs)
        return _merge_runs(runs)

    def _add(self, children: Iterable[Element | str], runs: list[str | Code]) -> None:
        for child in children:
            if isinstance(child, str):
                runs.append(child)
            else:
                self._code(child, runs)

    def _code(self, element: Element, runs: list[str | Code]) -> None:
        codes = self._cached_codes(element) or self._create_codes(element)
        if isinstance(codes, Code):
            runs.append(codes)
            return
        children = element.children
        if len(children) == 1 and children[0].__class__ is str:
            runs += (codes[0], children[0], codes[1])
            return
        runs.append(codes[0])
        self._add(children, runs)
        runs.append(codes[1])

    def _cached_codes(self, element: Element) -> tuple[Code, Code] | None:
        """Return the opening and closing codes cached for the start tag of an element; None if there are none."""
        utf8, start = self.text.utf8, element.start
        # a cached tag contains no > before its end
        return self._pairs.get(utf8[start : utf8.find(b">", start) + 1])

    def _create_codes(self, element: Element) -> tuple[Code, Code] | Code:
        """Return the opening and closing codes of an element if its content is text; else one code for the element."""
        text = self.text
        if element.name[0] == "#":
            label = element.text()
            return Code(
                CodeKind.STANDALONE,
                f"{element.name} {label}",
                _non_element_code(text, element),
                label[:MAX_LABEL_CHARS],
            )
        inline = self.inline_of(element)
        if inline.holds_text:
            tag = text.text_between(element.start, tag_end(text, element.start))
            codes = self._pairs[tag.encode()] = _pair(tag, inline)
            return codes
        raw = text.text_between(element.start, element_end(text, element))
        code = self._standalone.get(raw)
        if code is None:
            code = self._standalone[raw] = Code(
                inline.kind, inline.key, raw, inline.label, is_annotation=inline.is_annotation
            )
        return code


def _merge_runs(runs: list[str | Code]) -> Content:
    """Merge adjacent text runs, into which the XML parser splits long texts."""
    if not any(run.__class__ is str is next_run.__class__ for run, next_run in pairwise(runs)):
        return tuple(runs)
    joined: list[str | Code] = []
    for is_code, group in groupby(runs, lambda run: isinstance(run, Code)):
        members = list(group)
        joined += members if is_code else ["".join([run for run in members if isinstance(run, str)])]
    return tuple(joined)


def _pair(tag: str, inline: InlineElement) -> tuple[Code, Code]:
    """Return the opening and closing codes of an element; a self-closing tag is split into two."""
    begin = f"{tag[:-2].rstrip()}>" if tag.endswith("/>") else tag
    end = f"</{begin[1:].split(None, 1)[0].rstrip('>')}>"
    return (
        Code(CodeKind.OPEN, inline.key, begin, inline.label, must_nest=True, is_annotation=inline.is_annotation),
        Code(CodeKind.CLOSE, inline.key, end, inline.label, must_nest=True, is_annotation=inline.is_annotation),
    )


def _non_element_code(text: DecodedFile, element: Element) -> str:
    """Markup of a comment or processing instruction, as written."""
    end = b"-->" if element.name == "#comment" else b"?>"
    return text.text_between(element.start, text.utf8.index(end, element.start) + len(end))


def content_markup(text: DecodedFile, content: Content) -> bytes:
    """Serialize content as XML; characters that the encoding lacks become character references."""
    return "".join(run.raw if isinstance(run, Code) else _escape(run, text.codec) for run in content).encode()


def _escape(text: str, codec: str) -> str:
    # a literal CR would be read as LF (XML 1.0, 2.11)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return escape_unencodable(text, codec)
