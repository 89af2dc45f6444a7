"""The beginning of an XML document as a document of its own: enough to show what is in a large file."""

from __future__ import annotations

from xml.parsers import expat


def close_head(utf8: bytes) -> bytes:
    """The beginning of a document up to the last end of an element in it, and the ends of all that are open there.

    Empty where that cannot be told: no element ends in it, it is not well-formed, or it declares entities.
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
        # else it is the place behind an element that is one tag, before an end that was cut
        last = utf8.find(b">", last) + 1 or last
    # what began behind this place is not in it
    return utf8[:last] + "".join([f"</{name}>" for name in reversed(opened[:count])]).encode()
