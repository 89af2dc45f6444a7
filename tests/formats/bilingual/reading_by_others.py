"""Translators' files as another parser reads them: what stands in targets, and all the rest."""

from __future__ import annotations

import ast
import re

from lxml import etree

STATUS = {"state", "subState", "approved", "conf", "confirmed", "status"}
"""Attributes that may change with a target, without their namespaces."""
HOLDERS = {"target", "tuv"}


def root_of(data: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=True, remove_blank_text=False, recover=True
    )
    return etree.fromstring(data, parser)


def local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def targets(data: bytes, language: str) -> list[str]:
    """The texts of all targets that are no proposals, in the order of the file."""
    return ["".join(element.itertext()) for element in _targets(root_of(data), language)]


def _targets(root: etree._Element, language: str) -> list[etree._Element]:
    if local(root) == "tmx":
        return [one for one in root.iter("{*}tuv", "tuv") if _language(one) == language.lower()]
    return [one for one in root.iter("{*}target", "target") if local(one.getparent()) in ("trans-unit", "segment")]


def _language(element: etree._Element) -> str:
    return element.get("{http://www.w3.org/XML/1998/namespace}lang", element.get("lang", "")).lower()


def rest(data: bytes, language: str) -> bytes:
    """All but the targets and what is said of their state, without blanks between elements."""
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
    """The strings of a catalogue with their keywords, read line by line."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        line = line.strip()
        begun = re.match(r"(msg\w+(?:\[\d+\])?)\s*(.*)", line)
        if begun:
            found.append((begun[1], ast.literal_eval(begun[2]) if begun[2] else ""))
        elif line.startswith('"'):
            found[-1] = (found[-1][0], found[-1][1] + ast.literal_eval(line))
    return found
