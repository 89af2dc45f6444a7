"""The content of a source or target element as runs of text and codes, and as markup again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, pairwise

from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content
from qe_desktop.formats.bilingual.xml.xml_tree import Element, element_end, tag_end

MAX_LABEL_CHARS = 80
"""Characters of a code's content that its label shows."""


@dataclass(frozen=True, slots=True)
class InlineElement:
    """What an inline element is: its kind, what it is known by, and whether its content is text (`holds_text`).

    An element that holds text opens and closes; one that does not is one code with all that is in it.
    """

    kind: CodeKind
    key: str
    holds_text: bool = False
    label: str = ""


InlineOf = Callable[[Element], InlineElement]
"""Says of an element what it is in a dialect."""


def opaque_code(element: Element, key: str = "") -> InlineElement:
    """A code that stands alone, whatever is in it."""
    return InlineElement(
        CodeKind.ALONE, f"{element.name}:{key or element.text()}", label=element.text()[:MAX_LABEL_CHARS]
    )


class ContentBuilder:
    """Makes contents of elements. Codes that are written alike, as most are in many segments, are made once."""

    def __init__(self, text: DecodedFile, inline_of: InlineOf) -> None:
        self.text, self.inline_of = text, inline_of
        self._pairs: dict[bytes, tuple[Code, Code]] = {}
        self._alone: dict[str, Code] = {}

    def of(self, element: Element) -> Content:
        """The content of a source or target, its codes not yet numbered."""
        children = element.children
        if len(children) == 1 and children[0].__class__ is str:
            return (children[0],)
        if len(children) == 3:
            # most that have codes have one element of text, which is known, with text around it
            before, inline, behind_it = children
            if before.__class__ is str and inline.__class__ is Element and behind_it.__class__ is str:
                within = inline.children
                if len(within) == 1 and within[0].__class__ is str and (known := self._known(inline)) is not None:
                    return (before, known[0], within[0], known[1], behind_it)
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
        known = self._known(element) or self._ends(element)
        if isinstance(known, Code):
            runs.append(known)
            return
        children = element.children
        if len(children) == 1 and children[0].__class__ is str:
            runs += (known[0], children[0], known[1])
            return
        runs.append(known[0])
        self._add(children, runs)
        runs.append(known[1])

    def _known(self, element: Element) -> tuple[Code, Code] | None:
        """The codes of an element whose tag is written as one before."""
        utf8, start = self.text.utf8, element.start
        # a tag that is known ends at the first sign of an end, or it would be another one
        return self._pairs.get(utf8[start : utf8.find(b">", start) + 1])

    def _ends(self, element: Element) -> tuple[Code, Code] | Code:
        """The codes of an element that holds text, or the one that it is with all that is in it."""
        text = self.text
        if element.name[0] == "#":
            label = element.text()
            return Code(
                CodeKind.ALONE, f"{element.name} {label}", _non_element_code(text, element), label[:MAX_LABEL_CHARS]
            )
        inline = self.inline_of(element)
        if inline.holds_text:
            tag = text.cut(element.start, tag_end(text, element.start))
            known = self._pairs[tag.encode()] = _pair(tag, inline)
            return known
        raw = text.cut(element.start, element_end(text, element))
        alone = self._alone.get(raw)
        if alone is None:
            alone = self._alone[raw] = Code(inline.kind, inline.key, raw, inline.label)
        return alone


def _merge_runs(runs: list[str | Code]) -> Content:
    """Runs in which no text stands beside another one, as it does around an element that is not kept."""
    if not any(one.__class__ is str is other.__class__ for one, other in pairwise(runs)):
        return tuple(runs)
    joined: list[str | Code] = []
    for is_code, group in groupby(runs, lambda run: isinstance(run, Code)):
        members = list(group)
        joined += members if is_code else ["".join([run for run in members if isinstance(run, str)])]
    return tuple(joined)


def _pair(tag: str, inline: InlineElement) -> tuple[Code, Code]:
    """The codes of an element's two ends; one that is written as one tag gets two."""
    begin = f"{tag[:-2].rstrip()}>" if tag.endswith("/>") else tag
    end = f"</{begin[1:].split(None, 1)[0].rstrip('>')}>"
    return (
        Code(CodeKind.OPEN, inline.key, begin, inline.label, nests=True),
        Code(CodeKind.CLOSE, inline.key, end, inline.label, nests=True),
    )


def _non_element_code(text: DecodedFile, element: Element) -> str:
    """A comment or a processing instruction as it is written."""
    end = b"-->" if element.name == "#comment" else b"?>"
    return text.cut(element.start, text.utf8.index(end, element.start) + len(end))


def content_markup(text: DecodedFile, content: Content) -> bytes:
    """A content as it stands in the file; what its encoding lacks is written as references to characters."""
    return "".join(run.raw if isinstance(run, Code) else _escape(run, text.codec) for run in content).encode()


def _escape(text: str, codec: str) -> str:
    # a CR that is written as it is comes back as LF (XML 1.0, 2.11)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    return text if codec == "utf-8" else text.encode(codec, "xmlcharrefreplace").decode(codec)
