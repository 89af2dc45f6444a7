"""Attributes and elements are identified by namespace, regardless of the prefixes in a file."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual import parse_document

CORE = "urn:oasis:names:tc:xliff:document:1.2"
MEMSOURCE = "http://www.memsource.com/mxlf/2.0"


def xliff(unit: str, root: str = "", body: str = "") -> bytes:
    return (
        f'<xliff version="1.2" xmlns="{CORE}" xmlns:x="urn:x" {root}><file source-language="en" target-language="de">'
        f"<body{body}>{unit}</body></file></xliff>"
    ).encode()


TEXTS = "<source>a</source><target{}>b</target>"


@pytest.mark.parametrize(
    ("unit", "target", "after"),
    [
        (' x:approved="yes"', "", (' x:approved="yes"', "")),
        (' x:approved="yes" approved="no"', "", (' x:approved="yes" approved="yes"', "")),
        (' approved="no" x:approved="no"', "", (' approved="yes" x:approved="no"', "")),
        ("", ' x:state="new" state="new"', ("", ' x:state="new" state="signed-off"')),
        ("", ' a="state=\'new\' " state="new"', ("", ' a="state=\'new\' " state="signed-off"')),
        ("", " xmlns:state='urn:s' state='new'", ("", " xmlns:state='urn:s' state='signed-off'")),
    ],
)
def test_status_is_written_to_the_xliff_attribute(unit, target, after):
    data = xliff(f'<trans-unit id="1"{unit}>{TEXTS.format(target)}</trans-unit>')
    new = parse_document(data, "x.xlf").with_targets({}, {0: ReviewStatus.CONFIRMED})
    assert new.data == xliff(f'<trans-unit id="1"{after[0]}>{TEXTS.format(after[1])}</trans-unit>')


def test_attributes_of_other_namespaces_are_ignored():
    texts = TEXTS.format(' x:state="final"')
    data = xliff(f'<trans-unit id="1" x:approved="yes" x:translate="no">{texts}</trans-unit>')
    document = parse_document(data, "x.xlf")
    assert (document.segments[0].state, document.segments[0].locked) == ("", False)
    assert document.with_targets({0: "c"}).data == data.replace(b">b<", b">c<")


@pytest.mark.parametrize("prefix", ["m", "mem", "x2"])
def test_namespace_prefix_of_the_file_is_used(prefix):
    unit = f'<trans-unit id="1" x:confirmed="9" confirmed="8" {prefix}:confirmed="{{}}">{TEXTS.format("")}</trans-unit>'
    root = f'xmlns:{prefix}="{MEMSOURCE}"'
    document = parse_document(xliff(unit.format(0), root), "x.mxliff")
    assert document.dialect == "mxliff"
    assert document.with_targets({}, {0: ReviewStatus.CONFIRMED}).data == xliff(unit.format(1), root)
    confirmed = parse_document(xliff(unit.format(1), root), "x.mxliff")
    assert confirmed.with_targets({}, {0: ReviewStatus.OPEN}).data == xliff(unit.format(0), root)


def test_prefix_rebound_within_a_unit_is_resolved():
    inner = f'<trans-unit id="1" xmlns:y="{MEMSOURCE}" xmlns:m="urn:x" m:confirmed="1" y:confirmed="{{0}}">'
    units = (
        f'{inner}{TEXTS.format("")}</trans-unit><trans-unit id="2" m:confirmed="{{0}}">{TEXTS.format("")}</trans-unit>'
    )
    root = f'xmlns:m="{MEMSOURCE}"'
    document = parse_document(xliff(units.format(0), root), "x.mxliff")
    statuses = {0: ReviewStatus.CONFIRMED, 1: ReviewStatus.CONFIRMED}
    assert document.with_targets({}, statuses).data == xliff(units.format(1), root)


def test_unbound_prefixes_have_their_conventional_meaning():
    unit = '<trans-unit id="1" m:confirmed="{}" q:confirmed="7">' + TEXTS.format("") + "</trans-unit>"
    # only the prefix z is bound to the namespace
    root = f'xmlns:z="{MEMSOURCE}"'
    document = parse_document(xliff(unit.format(0), root), "x.mxliff")
    assert not document.text.has_bound_prefixes
    assert document.with_targets({}, {0: ReviewStatus.CONFIRMED}).data == xliff(unit.format(1), root)


@pytest.mark.parametrize("foreign", ['xmlns=""', 'xmlns="http://www.lisa.org/tmx14"', 'xmlns="urn:x"'])
def test_elements_of_other_namespaces_are_ignored(foreign):
    foreign_elements = f"<target {foreign}>no</target><note {foreign}>no</note>"
    data = xliff(
        f'<trans-unit id="1"><source>a</source>{foreign_elements}<target>b</target><note>n</note></trans-unit>'
    )
    document = parse_document(data, "x.xlf")
    assert [(segment.target_line, segment.notes) for segment in document.segments] == [("b", ("n",))]
    assert document.with_targets({0: "c"}).data == data.replace(b"<target>b<", b"<target>c<")


def test_file_without_namespaces_is_read():
    data = xliff(f'<trans-unit id="1">{TEXTS.format("")}</trans-unit>').replace(f'xmlns="{CORE}"'.encode(), b"")
    assert parse_document(data, "x.xlf").segments[0].target_line == "b"
