"""Bilingual files as an independent parser reads them: the targets, and everything else."""

from __future__ import annotations

import ast
import re

from lxml import etree

STATUS = {"state", "subState", "approved", "conf", "confirmed", "status"}
"""Attributes that may change with a target, without their namespaces."""
HOLDERS = {"target", "tuv"}


def root_of(data: bytes) -> etree._Element:
    """Return the root element; entities are not resolved, and errors are tolerated."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=True, remove_blank_text=False, recover=True
    )
    return etree.fromstring(data, parser)


def local(element: etree._Element) -> str:
    """Return the name of an element without its namespace."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def read_targets(data: bytes, language: str) -> list[str]:
    """Return the texts of all targets that are not alternative translations, in file order."""
    return ["".join(element.itertext()) for element in _targets(root_of(data), language)]


def _targets(root: etree._Element, language: str) -> list[etree._Element]:
    if local(root) == "tmx":
        return [element for element in root.iter("{*}tuv", "tuv") if _language(element) == language.lower()]
    return [
        element
        for element in root.iter("{*}target", "target")
        if local(element.getparent()) in ("trans-unit", "segment")
    ]


def _language(element: etree._Element) -> str:
    return element.get("{http://www.w3.org/XML/1998/namespace}lang", element.get("lang", "")).lower()


def content_without_targets(data: bytes, language: str) -> bytes:
    """Return the file without targets, their states, and white space between elements."""
    root = root_of(data)
    for element in _targets(root, language):
        parent, before = element.getparent(), element.getprevious()
        tail = element.tail or ""
        if before is not None:
            before.tail = (before.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
        parent.remove(element)
    for element in root.iter(etree.Element):
        for name in list(element.attrib):
            if etree.QName(name).localname in STATUS:
                del element.attrib[name]
        if not (element.text or "").strip():
            element.text = None
        if not (element.tail or "").strip():
            element.tail = None
    return etree.tostring(root, encoding="utf-8")


def po_strings(text: str) -> list[tuple[str, str]]:
    """Return the keywords and strings of a PO catalogue, read line by line."""
    strings: list[tuple[str, str]] = []
    for line in text.splitlines():
        line = line.strip()
        match = re.match(r"(msg\w+(?:\[\d+\])?)\s*(.*)", line)
        if match:
            strings.append((match[1], ast.literal_eval(match[2]) if match[2] else ""))
        elif line.startswith('"'):
            strings[-1] = (strings[-1][0], strings[-1][1] + ast.literal_eval(line))
    return strings
