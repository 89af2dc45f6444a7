"""Completion of a truncated XML document, to preview a large file."""

from __future__ import annotations

from xml.parsers import expat


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
