"""Scopes in XML: namespaces of prefixes at any offset, and elements that are open where a document is truncated."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from xml.parsers import expat

from qe_desktop.formats.bilingual.encodings import DecodedFile

_SCOPES = "scopes"


class NamespaceScopes:
    """Namespaces of prefixes by the offset at which they change, collected in one pass over a document.

    If the text has unbound prefixes, a declaration applies until the next declaration of the same prefix.
    """

    def __init__(self, text: DecodedFile) -> None:
        self._offsets: dict[str, list[int]] = defaultdict(list)
        self._namespaces: dict[str, list[str]] = defaultdict(list)
        self._parser = parser = expat.ParserCreate("UTF-8", " " if text.has_bound_prefixes else None)
        if text.has_bound_prefixes:
            outer: dict[str, list[str]] = defaultdict(lambda: [""])

            def begin(prefix: str | None, namespace: str | None) -> None:
                outer[prefix or ""].append(namespace or "")
                self._record(prefix or "", namespace or "")

            def end(prefix: str | None) -> None:
                outer[prefix or ""].pop()
                self._record(prefix or "", outer[prefix or ""][-1])

            parser.StartNamespaceDeclHandler = begin
            parser.EndNamespaceDeclHandler = end
        else:
            parser.StartElementHandler = self._declare
        try:
            parser.Parse(text.utf8, True)
        finally:
            # otherwise parser and handlers form a reference cycle
            parser.StartNamespaceDeclHandler = parser.EndNamespaceDeclHandler = parser.StartElementHandler = None

    def _declare(self, name: str, attributes: dict[str, str]) -> None:
        for key, value in attributes.items():
            if key.startswith("xmlns:"):
                self._record(key[6:], value)

    def _record(self, prefix: str, namespace: str) -> None:
        self._offsets[prefix].append(self._parser.CurrentByteIndex)
        self._namespaces[prefix].append(namespace)

    def namespace(self, prefix: str, offset: int) -> str:
        """Namespace of a prefix in the tag that begins at an offset; empty if the prefix is unbound."""
        offsets = self._offsets.get(prefix)
        count = bisect(offsets, offset) if offsets else 0
        return self._namespaces[prefix][count - 1] if count else ""


def namespace_at(text: DecodedFile, prefix: str, offset: int) -> str:
    """Namespace of a prefix in the tag that begins at an offset of well-formed XML; empty if the prefix is unbound."""
    scopes = text.lookup_caches.get(_SCOPES)
    if not isinstance(scopes, NamespaceScopes):
        scopes = text.lookup_caches[_SCOPES] = NamespaceScopes(text)
    return scopes.namespace(prefix, offset)


def close_head(utf8: bytes) -> bytes:
    """Cut a document after the last complete element, and append the end tags of the elements still open.

    Returns b"" if the document is complete, has no complete element, is not well-formed, or declares entities.
    """
    opened: list[str] = []
    count = last = 0
    parser = expat.ParserCreate("UTF-8")

    def start(name: str, attributes: dict[str, str]) -> None:
        opened.append(name)

    def end(name: str) -> None:
        nonlocal count, last
        opened.pop()
        count, last = len(opened), parser.CurrentByteIndex

    def entity(*_: object) -> None:
        raise ValueError

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(utf8, False)
    except (expat.ExpatError, ValueError):
        return b""
    if not last or not count:
        return b""
    if utf8.startswith(b"</", last):
        # at the end of a self-closing tag, the offset is already after the tag
        last = utf8.find(b">", last) + 1 or last
    # elements that begin after this offset are dropped
    return utf8[:last] + "".join([f"</{name}>" for name in reversed(opened[:count])]).encode()
