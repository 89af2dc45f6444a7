"""Which namespace a prefix of an XML document stands for, at any place of it."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from xml.parsers import expat

from qe_desktop.formats.bilingual.encodings import DecodedFile

_SCOPES = "scopes"


class NamespaceScopes:
    """The namespaces of prefixes from the places on at which they change, found in one pass over a document.

    Where the text has prefixes that are bound to nothing, a declaration holds until the next one of its prefix.
    """

    def __init__(self, text: DecodedFile) -> None:
        self._places: dict[str, list[int]] = defaultdict(list)
        self._namespaces: dict[str, list[str]] = defaultdict(list)
        self._parser = parser = expat.ParserCreate("UTF-8", " " if text.bound else None)
        if text.bound:
            outer: dict[str, list[str]] = defaultdict(lambda: [""])

            def begin(prefix: str | None, namespace: str | None) -> None:
                outer[prefix or ""].append(namespace or "")
                self._note(prefix or "", namespace or "")

            def end(prefix: str | None) -> None:
                outer[prefix or ""].pop()
                self._note(prefix or "", outer[prefix or ""][-1])

            parser.StartNamespaceDeclHandler = begin
            parser.EndNamespaceDeclHandler = end
        else:
            parser.StartElementHandler = self._declare
        try:
            parser.Parse(text.utf8, True)
        finally:
            # else parser and handlers would hold each other until garbage is collected
            parser.StartNamespaceDeclHandler = parser.EndNamespaceDeclHandler = parser.StartElementHandler = None

    def _declare(self, name: str, attributes: dict[str, str]) -> None:
        for key, value in attributes.items():
            if key.startswith("xmlns:"):
                self._note(key[6:], value)

    def _note(self, prefix: str, namespace: str) -> None:
        self._places[prefix].append(self._parser.CurrentByteIndex)
        self._namespaces[prefix].append(namespace)

    def namespace(self, prefix: str, at: int) -> str:
        """What a prefix stands for in the tag that begins at a place; empty where it is not bound there."""
        places = self._places.get(prefix)
        number = bisect(places, at) if places else 0
        return self._namespaces[prefix][number - 1] if number else ""


def namespace_at(text: DecodedFile, prefix: str, at: int) -> str:
    """The namespace of a prefix in the tag that begins at a place of a well-formed text; empty for an unbound one."""
    scopes = text.scopes.get(_SCOPES)
    if not isinstance(scopes, NamespaceScopes):
        scopes = text.scopes[_SCOPES] = NamespaceScopes(text)
    return scopes.namespace(prefix, at)
