"""XML parser that builds a small tree with byte offsets for each unit and loads no external resources.

Uses pyexpat from the standard library. Only the five predefined entities are expanded, no DTD is loaded, and nesting
depth and number of elements are limited. Names are shortened: `trans-unit` in any version of XLIFF, `sdl:seg` in other
known namespaces, `{namespace}name` in unknown namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from xml.parsers import expat

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.xml.xml_scopes import namespace_at
from qe_desktop.i18n.messages import tr

MAX_DEPTH = 200
"""Maximum nesting depth; groups, units and codes in real files are nested up to 30 levels deep."""
MAX_ELEMENTS = 1 << 18
"""Maximum number of elements in a unit that is parsed as a whole; a worksheet row has up to 16,384 cells."""
PARSE_BLOCK_BYTES = 1 << 20
"""Number of bytes parsed per step, as in pyexpat; other threads can run between steps."""
PREFIXES = {
    "urn:oasis:names:tc:xliff:document:1.1": "",
    "urn:oasis:names:tc:xliff:document:1.2": "",
    "urn:oasis:names:tc:xliff:document:2.0": "",
    "urn:oasis:names:tc:xliff:document:2.2": "",
    "http://www.lisa.org/tmx14": "",
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "",
    "http://schemas.openxmlformats.org/package/2006/relationships": "",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/2005/11/its": "its",
    "urn:oasis:names:tc:xliff:itsm:2.1": "itsm",
    "urn:oasis:names:tc:xliff:matches:2.0": "mtc",
    "http://sdl.com/FileTypes/SdlXliff/1.0": "sdl",
    "http://www.memsource.com/mxlf/2.0": "m",
    "MQXliff": "mq",
    "okapi-framework:xliff-extensions": "okp",
    "urn:oasis:names:tc:xliff:sizerestriction:2.0": "slr",
}
"""Prefix that this program uses for each known namespace, regardless of the prefixes that a file declares."""
_UNBOUND = 27  # XML_ERROR_UNBOUND_PREFIX
_TRUNCATED = frozenset((3, 5, 6, 20))
"""Codes of parser errors in truncated files: no element, unclosed token, partial character, unclosed CDATA section."""
_HINT = tr("Save the file again in the program that created it.")
TAG_PATTERN = re.compile(rb"<[^\"'>]*(?:\"[^\"]*\"[^\"'>]*|'[^']*'[^\"'>]*)*>")
"""Pattern of a tag in well-formed XML."""
_ATTRIBUTE = re.compile(rb"(?<!\s)\s+([^\s=]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


class Element:
    """XML element with its attributes, children and offsets in the file.

    `start` is the offset of its start tag; `end` is the offset of its end tag or, if the start tag is self-closing, the
    offset after it.

    `children` are elements and texts, in order; comments and processing instructions are elements whose names begin
    with `#`. `line` is set only for elements that are passed to a handler (`parse_xml`), else 0. `parent` is None for
    the descendants of such an element, because reference cycles would delay freeing the trees.
    """

    __slots__ = ("attributes", "children", "end", "line", "name", "parent", "start")

    def __init__(self, name: str, attributes: dict[str, str], start: int, parent: Element | None) -> None:
        self.name = name
        self.attributes = attributes
        self.start = start
        self.end = start
        self.line = 0
        self.parent = parent
        self.children: list[Element | str] = []

    def get(self, name: str) -> str:
        """Value of an attribute; empty if it is missing."""
        attributes = self.attributes
        if not attributes:
            return ""
        return attributes.get(_PARSER_NAMES[name], "")

    def child(self, name: str) -> Element | None:
        """First child with this name; None if there is none."""
        for child in self.children:
            if child.__class__ is Element and child.name == name:
                return child
        return None

    def elements(self) -> Iterator[Element]:
        """Child elements."""
        return (child for child in self.children if isinstance(child, Element))

    def all(self, name: str) -> Iterator[Element]:
        """Descendants with this name, in document order."""
        for child in self.elements():
            if child.name == name:
                yield child
            yield from child.all(name)

    def text(self) -> str:
        """Text of the element and its descendants, including comments and processing instructions."""
        children = self.children
        if len(children) == 1 and children[0].__class__ is str:
            return children[0]
        return "".join(child if isinstance(child, str) else child.text() for child in children)


class _ShortNames(dict[str, str]):
    """Mapping from short attribute names to the names that the parser uses, filled on first use."""

    def __missing__(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        namespace = _NAMESPACES.get(prefix) if colon else None
        full = self[name] = f"{namespace} {local}" if namespace else name
        return full


_NAMESPACES = {prefix: namespace for namespace, prefix in PREFIXES.items() if prefix}
_PARSER_NAMES = _ShortNames()
ElementHandlers = Mapping[str, Callable[[Element], None]]
_Start = Callable[[str, dict[str, str]], None]


class _Tree:
    """Parser with its handlers, and the stack of open elements."""

    def __init__(self, text: DecodedFile, handlers: ElementHandlers, namespaces: bool) -> None:
        self.text, self.handlers = text, handlers
        self.utf8 = memoryview(text.utf8)
        self.root = Element("", {}, 0, None)
        self.open_elements = [self.root]
        self.namespace: str | None = None
        """Namespace of the root, empty if it has none; None before the root is known."""
        self.short_names: dict[str, str] = {}
        self.declared_namespaces: dict[str, str] = {}
        # interning wastes time: start names are looked up here, and most end names are not used
        self.parser = parser = expat.ParserCreate("UTF-8", " " if namespaces else None, None)
        parser.buffer_text = True
        # DTD default attributes have no offset in the file
        parser.specified_attributes = True
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._reject_skipped_entity
        start = self._handlers()
        parser.StartElementHandler = start if namespaces else partial(self._start_unbound, start)

    def read(self) -> Element:
        """Parse the text and return the root element, from which handled elements have been removed."""
        parser, utf8 = self.parser, self.utf8
        try:
            for start in range(0, len(utf8), PARSE_BLOCK_BYTES):
                parser.Parse(utf8[start : start + PARSE_BLOCK_BYTES], False)
            parser.Parse(b"", True)
        finally:
            # otherwise tree and parser form a reference cycle
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
            parser.CommentHandler = parser.ProcessingInstructionHandler = None
            parser.EntityDeclHandler = parser.SkippedEntityHandler = None
        return next(self.root.elements(), self.root)

    def _handlers(self) -> _Start:
        """Set the handlers for content and return the one for start tags.

        Handlers are local functions for speed: they run for every tag, and local variables are faster than attributes.
        """
        parser, handlers, new, names, opened = (
            self.parser,
            self.handlers,
            Element.__new__,
            self.short_names,
            self.open_elements,
        )
        level = count = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal level, count
            parent, element = opened[-1], new(Element)
            if level == len(opened):
                # text matters only within handled elements; in between there is white space
                parser.CharacterDataHandler = characters
            parent.children.append(element)
            opened.append(element)
            element.name = short = names.get(name) or self._shorten_name(name)
            element.attributes = attributes
            element.start = parser.CurrentByteIndex
            element.children = []
            element.line = 0
            element.parent = None if level else parent
            if short in handlers:
                # only handled elements need a line; the parser counts lines anyway
                element.line = parser.CurrentLineNumber
                level, count = (level, count) if level else (len(opened), 0)
            elif len(opened) > MAX_DEPTH:
                raise self._too_deep_error()
            count += level > 0
            if count > MAX_ELEMENTS:
                raise self._too_many_error()

        def end(name: str) -> None:
            nonlocal level
            element = opened.pop()
            element.end = parser.CurrentByteIndex
            if len(opened) == level:
                parser.CharacterDataHandler = None
            if element.line:
                level = level if len(opened) >= level else 0
                handlers[element.name](element)
                # free handled elements, so that the file never becomes one tree
                opened[-1].children.pop()

        def characters(text: str) -> None:
            opened[-1].children.append(text)

        def add_special(name: str, text: str) -> None:
            if parser.CharacterDataHandler is not None:
                element = Element(name, {}, parser.CurrentByteIndex, None)
                element.children.append(text)
                opened[-1].children.append(element)

        parser.EndElementHandler = end
        parser.CommentHandler = partial(add_special, "#comment")
        parser.ProcessingInstructionHandler = lambda target, text: add_special("#instruction", f"{target} {text}")
        return start

    def _too_many_error(self) -> QeError:
        message = tr("a unit has more than {n:,} elements", "", MAX_ELEMENTS)
        return self._error(message, tr("Check that it is the right file."))

    def _too_deep_error(self) -> QeError:
        message = tr("elements are nested more than {n:,} levels deep", "", MAX_DEPTH)
        return self._error(message, tr("Check that it is the right file."))

    def _start_unbound(self, start: _Start, name: str, attributes: dict[str, str]) -> None:
        """Handle a start tag in XML with unbound prefixes, which get their namespaces from `PREFIXES` if known."""
        for key, value in attributes.items():
            if key == "xmlns" or key.startswith("xmlns:"):
                self.declared_namespaces[key[6:]] = value
        start(self._expand_name(name, ""), {self._expand_name(key, None): value for key, value in attributes.items()})

    def _expand_name(self, name: str, default: str | None) -> str:
        prefix, colon, local = name.rpartition(":")
        namespace = None
        if colon or default is not None:
            namespace = self.declared_namespaces.get(prefix) or (_NAMESPACES.get(prefix) if colon else None)
        return f"{namespace} {local}" if namespace else name

    def _entity(
        self, name: str, parameter: bool, value: str | None, base: str | None, system: str | None, *_: str | None
    ) -> None:
        if system:
            message = tr("the file declares the external entity {name}; external entities are not supported", name=name)
        else:
            message = tr("the file declares the entity {name}, which is rejected for security reasons", name=name)
        raise self._error(message, tr("Remove the declaration and replace the entity with its text."))

    def _reject_skipped_entity(self, name: str, parameter: bool) -> None:
        if not parameter:
            raise self._error(tr("the entity {name} is undefined", name=name), tr("Replace the entity with its text."))

    def _shorten_name(self, name: str) -> str:
        namespace, space, local = name.rpartition(" ")
        prefix = PREFIXES.get(namespace) if space else ""
        if self.namespace is None:
            self.namespace = namespace
        if prefix == "" and self.namespace not in (namespace, ""):
            # local names of another vocabulary have other meanings
            prefix = None
        short = f"{{{namespace}}}{local}" if prefix is None else f"{prefix}:{local}" if prefix else local
        return self.short_names.setdefault(name, short)

    def _error(self, message: str, hint: str) -> QeError:
        return QeError(message, hint=hint, place=SourceLocation(self.text.name, self.parser.CurrentLineNumber))


class UnboundPrefixError(Exception):
    """Error for an unbound prefix; the document must be parsed again without namespace processing."""


def parse_xml(text: DecodedFile, take: ElementHandlers) -> Element:
    """Parse XML; each element whose name is in `take` is passed to its handler at its end tag, and then freed.

    Returns the root without handled elements. Texts are dropped, except within handled elements. Raises QeError with
    the line if the XML is not well-formed, is nested too deeply, has too many elements within a handled element, or
    declares or uses entities other than the predefined ones. Raises UnboundPrefixError if a prefix is unbound, unless
    `text.has_bound_prefixes` is false.
    """
    tree = _Tree(text, take, namespaces=text.has_bound_prefixes)
    try:
        return tree.read()
    except expat.ExpatError as error:
        if error.code == _UNBOUND and text.has_bound_prefixes:
            raise UnboundPrefixError from None
        reason = expat.ErrorString(error.code)
        message = (
            tr("the end of the file is missing (not well-formed XML: {reason})", reason=reason)
            if error.code in _TRUNCATED
            else tr("not well-formed XML: {reason}", reason=reason)
        )
        location = SourceLocation(text.name, error.lineno)
        raise QeError(message, hint=_HINT, place=location) from None


class _RootFoundError(Exception):
    """Exception that stops the parser at the start tag of the root."""


class XmlRoot:
    """Root of a document: short name, offset of the start tag, and attributes under the names that the parser uses.

    `prefixes` maps declared prefixes to namespaces; the default namespace has an empty prefix.
    """

    def __init__(self) -> None:
        self.name = ""
        self.attributes: dict[str, str] = {}
        self.start = 0
        self.prefixes: dict[str, str] = {}

    @property
    def namespaces(self) -> frozenset[str]:
        """Namespaces declared by the root."""
        return frozenset(self.prefixes.values())


def parse_root(utf8: bytes) -> XmlRoot | None:
    """Parse the root element at the beginning of a document; None if there is none or the data are not XML."""
    root = XmlRoot()
    parser = expat.ParserCreate("UTF-8", " ")

    def start_namespace(prefix: str | None, namespace: str | None) -> None:
        root.prefixes[prefix or ""] = namespace or ""

    def start(name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        prefix = PREFIXES.get(namespace)
        root.name = local if prefix == "" or not namespace else f"{{{namespace}}}{local}"
        root.attributes = attributes
        root.start = parser.CurrentByteIndex
        raise _RootFoundError

    parser.StartNamespaceDeclHandler = start_namespace
    parser.StartElementHandler = start
    # entities are irrelevant: parsing stops at the first tag
    with suppress(_RootFoundError, expat.ExpatError):
        parser.Parse(utf8, False)
    return root if root.name else None


def tag_end(text: DecodedFile, start: int) -> int:
    """Offset after the tag that begins at `start`; `start` itself if there is no tag."""
    tag = TAG_PATTERN.match(text.utf8, start)
    return tag.end() if tag else start


def is_empty(text: DecodedFile, element: Element) -> bool:
    """Whether an element is a self-closing tag, `<x/>`."""
    return text.utf8[tag_end(text, element.start) - 2 : tag_end(text, element.start)] == b"/>"


def element_end(text: DecodedFile, element: Element) -> int:
    """Offset of the first byte after an element."""
    return element.end if is_empty(text, element) else tag_end(text, element.end)


def inner_span(text: DecodedFile, element: Element) -> tuple[int, int]:
    """Return the start and end of an element's content; for a self-closing tag, both are the offset after the tag."""
    return (element.end, element.end) if is_empty(text, element) else (tag_end(text, element.start), element.end)


def attribute_span(text: DecodedFile, start: int, name: str) -> tuple[int, int, int] | None:
    """Offsets in the tag at `start`: of the white space before an attribute, of its value, and of the attribute's end.

    `name` is a short name as in `Element.get`, independent of the prefixes in the file. Returns None if there is no
    such attribute.
    """
    tag = TAG_PATTERN.match(text.utf8, start)
    if tag is None:
        return None
    namespace, _, local = _PARSER_NAMES[name].rpartition(" ")
    for match in _ATTRIBUTE.finditer(text.utf8, start, tag.end()):
        prefix, colon, local_name = match[1].decode().rpartition(":")
        if local_name == local and bool(colon) == bool(namespace) and _is_bound_to(text, start, prefix, namespace):
            return match.start(), match.start(2) + 1, match.end()
    return None


def _is_bound_to(text: DecodedFile, start: int, prefix: str, namespace: str) -> bool:
    """Whether a prefix in the tag at `start` is bound to `namespace`; an empty prefix means an empty namespace."""
    if not prefix:
        return not namespace
    if prefix in ("xml", "xmlns"):
        return namespace == _NAMESPACES.get(prefix)
    return (
        namespace_at(text, prefix, start) or (_NAMESPACES.get(prefix) if not text.has_bound_prefixes else "")
    ) == namespace
