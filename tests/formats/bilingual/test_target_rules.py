"""Rules for targets in files: maximum lengths in dialects of XLIFF, format strings and plural forms in PO."""

from __future__ import annotations

import pytest

from qe_desktop.corpus.translation_job import NO_RULES, TargetRules, rules_from_json, rules_to_json
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.po_metadata import parse_plural_forms
from qe_desktop.formats.bilingual.registry import read_document

UNIT = "<source>a</source><target>b</target></trans-unit>"
XLIFF_1 = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:mq="MQXliff"><file original="a" '
    'source-language="en" target-language="de" datatype="plaintext"><body>{}</body></file></xliff>'
)
XLIFF_2 = (
    '<xliff version="2.1" srcLang="en" trgLang="de" xmlns="urn:oasis:names:tc:xliff:document:2.0" '
    'xmlns:slr="urn:oasis:names:tc:xliff:sizerestriction:2.0"><file id="f"><slr:profiles generalProfile="{}"/>{}</file>'
    "</xliff>"
)


def lengths(tmp_path, text: str) -> list[int]:
    path = tmp_path / "a.xlf"
    path.write_text(text)
    document = read_document(path)
    job = corpus_from_documents([document], "a").job
    assert job.rules == {n: segment.rules for n, segment in enumerate(document.segments) if segment.rules != NO_RULES}
    return [segment.rules.max_length for segment in document.segments]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('maxwidth="20" size-unit="char"', 20),
        ('maxwidth="20" size-unit="pixel"', 0),
        ('maxwidth="20"', 0),
        ('size-unit="char"', 0),
        ('maxwidth="-1" size-unit="char"', 0),
        ('maxwidth="many" size-unit="char"', 0),
        ('maxwidth="99999999999999999999" size-unit="char"', 0),
        ('mq:maxlengthchars="12"', 12),
    ],
)
def test_xliff_1(tmp_path, attributes, expected):
    assert lengths(tmp_path, XLIFF_1.format(f'<trans-unit id="1" {attributes}>{UNIT}')) == [expected]


@pytest.mark.parametrize(("attributes", "expected"), [('maxbytes="20"', 20), ('maxbytes="x"', 0)])
def test_maximum_number_of_bytes(tmp_path, attributes, expected):
    path = tmp_path / "a.xlf"
    path.write_text(XLIFF_1.format(f'<trans-unit id="1" {attributes}>{UNIT}'))
    (segment,) = read_document(path).segments
    assert (segment.rules.max_length, segment.rules.max_bytes) == (0, expected)


@pytest.mark.parametrize(
    ("profile", "size", "expected"),
    [
        ("xliff:codepoints", "22", 22),
        ("xliff:codepoints", "3,22", 22),
        ("xliff:codepoints", "3,*", 0),
        ("xliff:codepoints", "*", 0),
        ("other", "22", 0),
    ],
)
def test_xliff_2(tmp_path, profile, size, expected):
    unit = (
        f'<unit id="u" slr:sizeRestriction="{size}"><segment><source>a</source><target>b</target></segment></unit>'
        '<unit id="v"><segment><source>a</source></segment></unit>'
    )
    assert lengths(tmp_path, XLIFF_2.format(profile, unit)) == [expected, 0]


PO = r"""msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"

#, fuzzy, c-format
msgid "%d"
msgstr "%d"

#, possible-python-format, no-wrap
msgid "one"
msgid_plural "%d"
msgstr[0] "eins"
msgstr[1] "%d"

#, no-c-format
msgid "x"
msgstr "y"

msgid "a"
msgid_plural "many"
msgstr[0] "eins"
"""


def test_po(tmp_path):
    path = tmp_path / "a.po"
    path.write_text(PO)
    assert [segment.rules for segment in read_document(path).segments] == [
        TargetRules(formats=("c-format",)),
        TargetRules(formats=("python-format",), plural_source="%d", may_omit_arguments=True, plural_form=1),
        TargetRules(formats=("python-format",), plural_source="%d", plural_form=2),
        NO_RULES,
        TargetRules(plural_source="many", expected_forms=2, plural_form=1),
    ]


@pytest.mark.parametrize(
    "expression", ["n", "(" * 900, "1/0", "n %", "__import__('os')", "n ? " * 200 + "0", "-n", "n*n*n*n*n*n", ""]
)
def test_any_plural_expression_is_read_or_ignored(expression):
    forms = parse_plural_forms(f"Plural-Forms: nplurals=2; plural={expression};\n")
    assert forms is None or forms.count == 2


def test_rules_are_stored_as_plain_values():
    for rules in (NO_RULES, TargetRules(3, ("c-format",), "a", True, 2, 1)):
        assert rules_from_json(rules_to_json(rules)) == rules
    assert rules_from_json({"later": 1}) == NO_RULES
    for bad in ({"max_length": "3"}, {"max_length": -3}, {"formats": [1]}, {"may_omit_arguments": 1}):
        with pytest.raises(ValueError, match=r"max_length|formats|may_omit"):
            rules_from_json(bad)
