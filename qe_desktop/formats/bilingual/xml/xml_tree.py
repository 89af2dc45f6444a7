"""XML as small trees with places in the text, one unit after the other; bounded, and nothing of it is ever loaded.

The standard library's pyexpat reads it; no entity is expanded but the five of XML itself, and no DTD is fetched. Names
come as short ones: `trans-unit` of any XLIFF, `sdl:seg` for what is in a namespace that is known, `{namespace}name`
for others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from xml.parsers import expat

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.xml.namespaces import namespace_at
from qe_desktop.i18n.messages import tr

MAX_DEPTH = 200
"""How many elements may lie within each other: groups, units and codes of real files reach 30."""
MAX_ELEMENTS = 1 << 18
"""How many elements may be in one that is read as a whole: a unit, or a row of a sheet, which has 16,384 cells."""
PARSE_BLOCK_BYTES = 1 << 20
"""Bytes that are read in one go, as pyexpat itself does; between them other threads may have a turn."""
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
}
"""The namespaces that are known, and the prefix by which this program calls each, whatever a file does."""
_UNBOUND = 27  # XML_ERROR_UNBOUND_PREFIX
_HINT = tr("Save it again in the program that it comes from.")
TAG_PATTERN = re.compile(rb"<[^\"'>]*(?:\"[^\"]*\"[^\"'>]*|'[^']*'[^\"'>]*)*>")
"""A tag, in XML that is known to be well-formed."""
_ATTRIBUTE = re.compile(rb"\s+([^\s=]+)\s*=\s*(\"[^\"]*\"|'[^']*')")


class Element:
    """An element: `start` is the place of its start tag, `end` of its end tag, or behind it where it is empty.

    `children` are elements and texts by turns. `parent` is what is around it, but for what lies in an element that was
    taken: trees that know their own way up would wait for the garbage collection.
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
        """An attribute; empty where there is none."""
        attributes = self.attributes
        if not attributes:
            return ""
        return attributes.get(_FULL[name], "")

    def child(self, name: str) -> Element | None:
        """The first child of this name."""
        for child in self.children:
            if child.__class__ is Element and child.name == name:
                return child
        return None

    def elements(self) -> Iterator[Element]:
        """The children that are elements."""
        return (child for child in self.children if isinstance(child, Element))

    def all(self, name: str) -> Iterator[Element]:
        """All elements of this name below, in the order of the file."""
        for child in self.elements():
            if child.name == name:
                yield child
            yield from child.all(name)

    def text(self) -> str:
        """All text below."""
        children = self.children
        if len(children) == 1 and children[0].__class__ is str:
            return children[0]
        return "".join(child if isinstance(child, str) else child.text() for child in children)


class _ShortNames(dict[str, str]):
    """Names of attributes as the parser gives them, by their short ones."""

    def __missing__(self, name: str) -> str:
        prefix, colon, local = name.partition(":")
        namespace = _NAMESPACES.get(prefix) if colon else None
        full = self[name] = f"{namespace} {local}" if namespace else name
        return full


_NAMESPACES = {prefix: namespace for namespace, prefix in PREFIXES.items() if prefix}
_FULL = _ShortNames()
ElementHandlers = Mapping[str, Callable[[Element], None]]
_Start = Callable[[str, dict[str, str]], None]


class _Tree:
    """The parser with its handlers, and the elements that are open."""

    def __init__(self, text: DecodedFile, take: ElementHandlers, namespaces: bool) -> None:
        self.text, self.take = text, take
        self.utf8 = memoryview(text.utf8)
        self.root = Element("", {}, 0, None)
        self.opened = [self.root]
        self.namespace: str | None = None
        """That of the root, whose names come without a prefix; None before it is known."""
        self.names: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        # names need not be the same objects: each is looked up here, and most of those of ends by nobody
        self.parser = parser = expat.ParserCreate("UTF-8", " " if namespaces else None, None)
        parser.buffer_text = True
        # defaults that a DTD gives to attributes stand nowhere in the file
        parser.specified_attributes = True
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        start = self._handlers()
        parser.StartElementHandler = start if namespaces else partial(self._start_plainly, start)

    def read(self) -> Element:
        """The root, with all that was not taken."""
        parser, utf8 = self.parser, self.utf8
        try:
            for low in range(0, len(utf8), PARSE_BLOCK_BYTES):
                parser.Parse(utf8[low : low + PARSE_BLOCK_BYTES], False)
            parser.Parse(b"", True)
        finally:
            # else tree and parser would hold each other, and all that was read, until garbage is collected
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
            parser.CommentHandler = parser.ProcessingInstructionHandler = None
            parser.EntityDeclHandler = parser.SkippedEntityHandler = None
        return next(self.root.elements(), self.root)

    def _handlers(self) -> _Start:
        """Set the handlers of what elements hold, and give that of their beginnings.

        They are called for every tag: names of their own are found at once, those of an object are looked up.
        """
        parser, take, new, names, opened = self.parser, self.take, Element.__new__, self.names, self.opened
        level = count = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal level, count
            around, element = opened[-1], new(Element)
            if level == len(opened):
                # texts count within the children of what is taken; what stands between those is blank
                parser.CharacterDataHandler = characters
            around.children.append(element)
            opened.append(element)
            element.name = short = names.get(name) or self._short(name)
            element.attributes = attributes
            element.start = parser.CurrentByteIndex
            element.children = []
            element.line = 0
            element.parent = None if level else around
            if short in take:
                # the parser counts lines as it goes, whether anybody asks or not
                element.line = parser.CurrentLineNumber
                level, count = (level, count) if level else (len(opened), 0)
            elif len(opened) > MAX_DEPTH:
                raise self._too_deep()
            count += level > 0
            if count > MAX_ELEMENTS:
                raise self._too_many()

        def end(name: str) -> None:
            nonlocal level
            element = opened.pop()
            element.end = parser.CurrentByteIndex
            if len(opened) == level:
                parser.CharacterDataHandler = None
            if element.line:
                level = level if len(opened) >= level else 0
                take[element.name](element)
                # what was taken is let go, so that no file becomes one tree
                opened[-1].children.pop()

        def characters(text: str) -> None:
            opened[-1].children.append(text)

        def beside(name: str, text: str) -> None:
            if parser.CharacterDataHandler is not None:
                element = Element(name, {}, parser.CurrentByteIndex, None)
                element.children.append(text)
                opened[-1].children.append(element)

        parser.EndElementHandler = end
        parser.CommentHandler = partial(beside, "#comment")
        parser.ProcessingInstructionHandler = lambda target, text: beside("#instruction", f"{target} {text}")
        return start

    def _too_many(self) -> QeError:
        message = tr("a unit has more than {n:,} elements", "", MAX_ELEMENTS)
        return self._refused(message, tr("Check that it is the file you meant."))

    def _too_deep(self) -> QeError:
        message = tr("elements lie within each other deeper than {n:,}", "", MAX_DEPTH)
        return self._refused(message, tr("Check that it is the file you meant."))

    def _start_plainly(self, start: _Start, name: str, attributes: dict[str, str]) -> None:
        """Names with prefixes of which some are bound to nothing; those are known by what programs write."""
        for key, value in attributes.items():
            if key == "xmlns" or key.startswith("xmlns:"):
                self.declared[key[6:]] = value
        start(self._bound(name, ""), {self._bound(key, None): value for key, value in attributes.items()})

    def _bound(self, name: str, default: str | None) -> str:
        prefix, colon, local = name.rpartition(":")
        namespace = None
        if colon or default is not None:
            namespace = self.declared.get(prefix) or (_NAMESPACES.get(prefix) if colon else None)
        return f"{namespace} {local}" if namespace else name

    def _entity(
        self, name: str, parameter: bool, value: str | None, base: str | None, system: str | None, *_: str | None
    ) -> None:
        if system:
            message = tr("the file declares the external entity {name}, which is never read", name=name)
        else:
            message = tr("the file declares the entity {name}, which is not read for safety", name=name)
        raise self._refused(message, tr("Remove the declaration, and write the text in its place."))

    def _skipped(self, name: str, parameter: bool) -> None:
        if not parameter:
            raise self._refused(tr("the entity {name} is not known", name=name), tr("Write the text in its place."))

    def _short(self, name: str) -> str:
        namespace, space, local = name.rpartition(" ")
        prefix = PREFIXES.get(namespace) if space else ""
        if self.namespace is None:
            self.namespace = namespace
        if prefix == "" and self.namespace not in (namespace, ""):
            # the names of another vocabulary mean something else
            prefix = None
        short = f"{{{namespace}}}{local}" if prefix is None else f"{prefix}:{local}" if prefix else local
        return self.names.setdefault(name, short)

    def _refused(self, message: str, hint: str) -> QeError:
        return QeError(message, hint=hint, place=SourceLocation(self.text.name, self.parser.CurrentLineNumber))


class UnboundPrefixError(Exception):
    """A prefix is bound to no namespace: the document is to be read again, as one whose prefixes are names."""


def parse_xml(text: DecodedFile, take: ElementHandlers) -> Element:
    """Read XML; each element with a name in `take` is handed on when it ends, with all below it, and then let go.

    Gives what was not taken, without texts. QeError with the line for what is not well-formed, lies deeper than any
    translator's file, or declares entities. UnboundPrefixError where `text` is not known to have such prefixes.
    """
    tree = _Tree(text, take, namespaces=text.bound)
    try:
        return tree.read()
    except expat.ExpatError as error:
        if error.code == _UNBOUND and text.bound:
            raise UnboundPrefixError from None
        message = tr("this is no well-formed XML: {reason}", reason=expat.ErrorString(error.code))
        place = SourceLocation(text.name, error.lineno)
        raise QeError(message, hint=_HINT, place=place) from None


class _RootFoundError(Exception):
    """Ends the reading at the root."""


class XmlRoot:
    """How a document begins: the short name of its root, where it starts, and its attributes as the parser names them.

    `prefixes` are the namespaces declared with it, by their prefixes, the default one by an empty one.
    """

    def __init__(self) -> None:
        self.name = ""
        self.attributes: dict[str, str] = {}
        self.start = 0
        self.prefixes: dict[str, str] = {}

    @property
    def namespaces(self) -> frozenset[str]:
        """The namespaces declared with it."""
        return frozenset(self.prefixes.values())


def parse_root(utf8: bytes) -> XmlRoot | None:
    """The root of a document of which the beginning is given; None where there is none so far, or no XML."""
    root = XmlRoot()
    parser = expat.ParserCreate("UTF-8", " ")

    def declared(prefix: str | None, namespace: str | None) -> None:
        root.prefixes[prefix or ""] = namespace or ""

    def start(name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        prefix = PREFIXES.get(namespace)
        root.name = local if prefix == "" or not namespace else f"{{{namespace}}}{local}"
        root.attributes = attributes
        root.start = parser.CurrentByteIndex
        raise _RootFoundError

    parser.StartNamespaceDeclHandler = declared
    parser.StartElementHandler = start
    # what an entity stands for is never asked: the reading ends at the first tag
    with suppress(_RootFoundError, expat.ExpatError):
        parser.Parse(utf8, False)
    return root if root.name else None


def tag_end(text: DecodedFile, start: int) -> int:
    """The place behind the tag that begins at one."""
    found = TAG_PATTERN.match(text.utf8, start)
    return found.end() if found else start


def is_empty(text: DecodedFile, element: Element) -> bool:
    """Whether an element is written as one tag, `<x/>`."""
    return text.utf8[tag_end(text, element.start) - 2 : tag_end(text, element.start)] == b"/>"


def element_end(text: DecodedFile, element: Element) -> int:
    """The place behind an element."""
    return element.end if is_empty(text, element) else tag_end(text, element.end)


def inner_span(text: DecodedFile, element: Element) -> tuple[int, int]:
    """The places where an element's content begins and ends; both behind it where it is written as one tag."""
    return (element.end, element.end) if is_empty(text, element) else (tag_end(text, element.start), element.end)


def attribute_span(text: DecodedFile, start: int, name: str) -> tuple[int, int, int] | None:
    """Where an attribute of the tag at `start` stands: its beginning with the blank before it, its value, its end.

    `name` is as `Element.get` takes it, whatever prefix the file has for its namespace; None where there is no such
    attribute.
    """
    tag = TAG_PATTERN.match(text.utf8, start)
    if tag is None:
        return None
    namespace, _, local = _FULL[name].rpartition(" ")
    for found in _ATTRIBUTE.finditer(text.utf8, start, tag.end()):
        prefix, colon, own = found[1].decode().rpartition(":")
        if own == local and bool(colon) == bool(namespace) and _is_of(text, start, prefix, namespace):
            return found.start(), found.start(2) + 1, found.end()
    return None


def _is_of(text: DecodedFile, start: int, prefix: str, namespace: str) -> bool:
    """Whether a prefix in the tag at `start` stands for a namespace; without a prefix, for none."""
    if not prefix:
        return not namespace
    if prefix in ("xml", "xmlns"):
        return namespace == _NAMESPACES.get(prefix)
    return (namespace_at(text, prefix, start) or (_NAMESPACES.get(prefix) if not text.bound else "")) == namespace
