"""Placeholders, markup, access keys, addresses and line breaks, which must be the same in source and target."""

from __future__ import annotations

import pytest

from qe_desktop.corpus.translation_job import TargetRules
from qe_desktop.local_qe.qa_checks.check import SegmentPair
from qe_desktop.local_qe.qa_checks.placeholders.icu_messages import parse_icu_message
from qe_desktop.local_qe.qa_checks.placeholders.placeholder_check import find_placeholders
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME


def messages(name: str, source: str, mt: str, form: str = "", **more) -> list[str]:
    """Messages of a check about a pair, with the text that they mark."""
    pair = SegmentPair(0, source, mt, target_language="de", source_language="en", file_format=form, **more)
    rows = []
    for _, issue in CHECK_BY_NAME[name].find([pair]):
        if not issue.is_in_source:
            assert 0 <= issue.span[0] <= issue.span[1] <= len(mt)
            rows.append(f"{mt[slice(*issue.span)]}: {issue.reason}".removeprefix(": "))
    return rows


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("%d of %d files", "%d von %d Dateien", []),
        ("%1$s in %2$s", "in %2$s: %1$s", []),
        ("%s in %d", "%2$d: %1$s", []),
        ("%s in %d", "%d: %s", ["%d: %d is out of order; use numbered placeholders, such as %1$s"]),
        ("%s in %d", "%1$d: %2$s", ["%1$d: the source has %s, not %1$d", "%2$s: the source has %d, not %2$s"]),
        ("%1$s here", "%2$s hier", [
            "%2$s: the placeholder %2$s is not in the source", "the placeholder %1$s is missing from the target",
        ]),
        ("%s is here", "hier", ["the placeholder %s is missing from the target"]),
        ("here", "%s hier", ["%s: the placeholder %s is not in the source"]),
        ("%s here", "%d hier", ["%d: the source has %s, not %d"]),
        ("%(name)s!", "%(nome)s!", [
            "%(nome)s: the placeholder %(nome)s is not in the source",
            "the placeholder %(name)s is missing from the target",
        ]),
        ("{0} of {1}", "{1}: {0}", []),
        ("{} of {}", "{}", ["the placeholder {} occurs a different number of times in the source"]),
        ("Hello {name}", "Hallo {Name}", [
            "{Name}: the placeholder {Name} is not in the source", "the placeholder {name} is missing from the target",
        ]),
        ("In ${HOME} and {{user}}", "In ${HOME} und {{user}}", []),
        ("In ${HOME}", "In $HOME", ["the placeholder ${HOME} is missing from the target"]),
        ("{...} here", "{…} hier", []),
        ("50% discount", "50 % der Kosten", []),
        ("100% sure", "100 % sicher", []),
        ("50% discount", "%50 indirim", []),
        ("5.2% more", "%5,2 daha fazla", []),
        ("half price", "%50 indirim", []),
        ("%50 indirim", "50 % Rabatt", []),
        ("%50 indirim", "50 Prozent Rabatt", []),
        ("%50 indirim", "Rabatt", ["the placeholder %50 is missing from the target"]),
        ("%1: 50% discount", "%1: %50 indirim", []),
        ("%1: discount", "%1: %2 indirim", ["%2: the placeholder %2 is not in the source"]),
        ("%1 of %2", "%2: %1", []),
        ("%1% of %2%", "%2%: %1%", []),
        ("%1% of %2%", "%1%", ["the placeholder %2% is missing from the target"]),
        ("%|1$s| of %|2$d|", "%|2$d|: %|1$s|", []),
        ("%|1$s| of %|2$d|", "%|2$d|", ["the placeholder %|1$s| is missing from the target"]),
        ("|a|%|b|", "x", []),
        ("%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", []),
        ("%a, %d %b %Y", "%d.%m.%Y", []),
        ("%B %d", "%-e. %B", []),
        ("%m/%d", "%d.%m.", []),
        ("%I:%M %p", "%H:%M", []),
        ("on %Y-%m-%d", "am %d.%m.%Y um %s", ["%s: the placeholder %s is not in the source"]),
        ("%Y-%m-%d: {name}", "%d.%m.%Y", ["the placeholder {name} is missing from the target"]),
        ("%s on %Y-%m-%d", "am %d.%m.%Y", ["%d: the source has %s, not %d",
                                             "the placeholder %d is missing from the target"]),
        ("%d days", "Tage", ["the placeholder %d is missing from the target"]),
        ("%d: %m", "%s: %m", ["%s: the source has %d, not %s"]),
        ("%<count>d files", "%<count>d Dateien", []),
        ("%<count>d files", "%<zahl>d Dateien", [
            "%<zahl>d: the placeholder %<zahl>d is not in the source",
            "the placeholder %<count>d is missing from the target",
        ]),
        ("%1 of %2", "%1", ["the placeholder %2 is missing from the target"]),
        ("%n file(s)", "Dateien", ["the placeholder %n is missing from the target"]),
        ("Line %d of %d", "第%d行，共%d行", []),
        ("Line %d of %d", "第%d行，共行", ["the placeholder %d is missing from the target"]),
        ("%s files", "%sファイル", []),
        ("Delete %s?", "%s을(를) 삭제하시겠습니까?", []),
        ("Delete %s now", "ลบ%sตอนนี้", []),
        ("Open %@", "打开%@文件", []),
        ("unknown %%(trailers) argument: %s", "unbekanntes %%(trailers)-Argument: %s", []),
        ("%(count) directory", "%(count) Verzeichnis", []),
        ("%%%s of %s", "%%%s von %s", []),
        ("%%%s here", "hier", [
            "the placeholder %s is missing from the target",
            "the placeholder %% occurs a different number of times in the source",
        ]),
        ("%d%% of it", "%d% davon", ["the placeholder %% occurs a different number of times in the source"]),
        ("%(n)d%% of it", "%(n)d %% davon", []),
        ("%(n)d of it", "%(n)d %% davon", ["the placeholder %% occurs a different number of times in the source"]),
        ("100%% sure", "100 % sicher", []),
        ("第%d行", "Line %d", []),
        ("100 % sure", "100 %sicher", []),
        ("%sAuthor: %s", "%s作者：%s", []),
        ("{count, plural, one {# file} other {# files}}", "{count, plural, one {# Datei} other {# Dateien}}", []),
        ("{count, plural, one {# file} other {# files}}", "{count, plural, one {# plik} few {# pliki} other {#}}", []),
        ("{count, plural, one {# file} other {# files}}", "{count, plural, one {# Datei}}",
         ["the argument “count” has no form “other”"]),
        ("{count, plural, one {# file} other {# files}}", "{count, plural, one {# Datei} other {# Dateien}",
         ["a brace is not closed"]),
        ("{n, plural, one {# file} other {# files}}", "{n, plural, eins {# Datei} other {# Dateien}}",
         ["“eins” is not a plural form; ICU messages have forms such as one, few and other"]),
        ("{n, plural, offset:1 =0 {none} other {#}}", "{n, plural, other {#}}",
         ["the form “=0” of the argument “n” is missing"]),
        ("{n, plural, =0 {none} other {#}}", "{n, plural, =0 {keine} =1 {eine} few {#} other {#}}", []),
        ("{g, select, male {He} other {They}}", "{g, select, mann {Er} other {Sie}}", [
            "the form “mann” of the argument “g” is not in the source",
            "the form “male” of the argument “g” is missing",
        ]),
        ("{n, plural, one {{n} file in {d}} other {{n} files in {d}}}",
         "{n, plural, one {Eine Datei} other {{n} Dateien in {d}}}",
         ["the argument “d” is missing from the form “one”"]),
        ("{g, select, male {He saw {who}} other {Seen}}", "{g, select, male {Er sah {who}} other {Gesehen}}", []),
        ("{g, select, male {He saw {who}} other {{who}}}", "{g, select, male {Er sah} other {{who}}}",
         ["the argument “who” is missing from the form “male”"]),
        ("{n, number} of {who}", "{n} von {wer}", [
            "the argument “n” has a different type in the source", "the argument “who” is missing from the target",
            "the argument “wer” is not in the source",
        ]),
    ],
)  # fmt: skip
def test_placeholders(source, mt, expected):
    assert messages("placeholders", source, mt) == expected


def test_format_strings_of_a_known_kind_are_left_to_the_rules_of_gettext():
    assert messages("placeholders", "%d", "x", rules=TargetRules(formats=("c-format",))) == []


def test_date_formats_are_arguments_in_format_strings_of_c():
    source, target = "%d.%m", "%m/%e"
    assert messages("placeholders", source, target) == []
    rules = TargetRules(formats=("c-format",))
    assert messages("gettext", source, target, "po", rules=rules) == [
        "format argument 1 has a different type in the source"
    ]


def test_arguments_of_nested_messages():
    text = "{who, select, other {{n, plural, one {'{' # of {total}} other {#}}}}"
    assert parse_icu_message(text).arguments == {"who": "select", "n": "plural", "total": ""}
    assert parse_icu_message(text).error == ""
    assert [item.text for item in find_placeholders("%%s %d{a}")] == ["%d", "{a}"]


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("<b>now</b>", "<b>jetzt</b>", []),
        ("<b>now</b> <i>or</i>", "<i>oder</i> <b>jetzt</b>", []),
        ("<b>now</b>", "<b>jetzt<b>", [
            "<b>: <b> occurs more often than in the source", "the tag </b> is missing from the target",
        ]),
        ("<b>a</b>", "</b>a<b>", ["</b>: the end tag </b> does not close an open element"]),
        ("a</b> b <b>c", "ä</b> b <b>c", []),
        ("<b>a</b><i>c</i>", "<i><b>a</i></b>", [
            "</i>: the element that </i> closes overlaps another element",
            "</b>: the end tag </b> does not close an open element",
        ]),
        ("<b>a<br>b</b>", "<b>ä<br>b</b>", []),
        ("<BR>now", "<br>jetzt", []),
        ("<B>now</B>", "<b>jetzt</b>", []),
        ("a&nbsp;b", "a&nbsb;b", ["&nbsb;: “&nbsb;” is not a valid HTML entity"]),
        ("a&product;b&amp;", "a&product;b&amp;", []),
        ("a&nbsp;b", "ä&ouml;b", []),
        ("a<br/>b", "ab", ["the tag <br> is missing from the target"]),
        ("use <file> and <name>", "nutze <Datei> und <Name>", []),
        ("a &lt; b &amp; c", "a &lt; b und c", []),
        ("a &lt; b", "a kleiner b", ["the HTML entity &lt; is missing from the target"]),
        ("a &amp; b", "a &amp b", ["&amp: “&amp” is not a valid HTML entity"]),
        ("R&D", "F&E", []),
    ],
)  # fmt: skip
def test_markup(source, mt, expected):
    assert messages("markup", source, mt) == expected


@pytest.mark.parametrize(
    ("source", "mt", "form", "expected"),
    [
        ("&File", "&Datei", "po", []),
        ("&File", "Datei", "po", ["the access key &F is missing from the target"]),
        ("&File", "&Da&tei", "xliff-1", ["&t: the target has more than one access key"]),
        ("&File", "ファイル(&F)", "po", []),
        ("&File", "&&Datei", "po", ["the access key &F is missing from the target"]),
        ("&Save && quit", "&Sichern && beenden", "po", []),
        ("E&xit", "Beenden", "po", ["the access key &x is missing from the target"]),
        ("E&xit", "Beenden", "bilingual-table", ["the access key &x is missing from the target"]),
        ("E&xit", "Beenden", "xlsx", ["the access key &x is missing from the target"]),
        ("R&D and AT&T", "F+E und ATT", "po", []),
        ("Save && quit", "Sichern", "po", []),
        ("&File", "Datei", "sdlxliff", []),
        ("_Open", "Öffnen", "po", ["the access key _O is missing from the target"]),
        ("_Open", "Ö_ffnen", "po", []),
        ("_Open", "__Öffnen", "po", ["the access key _O is missing from the target"]),
        ("__init failed", "Start schlug fehl", "po", []),
        ("_Open", "Öffnen", "xliff-1", []),
        ("E_xit", "Beenden", "po", ["the access key _x is missing from the target"]),
        ("write_error failed", "Schreibfehler", "po", []),
        ("&nbsp; here", "hier", "po", []),
    ],
)
def test_access_keys(source, mt, form, expected):
    assert messages("access-keys", source, mt, form) == expected


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("see https://example.org/a.", "siehe https://example.org/a", []),
        ("see `https://example.org/a.html`.", "siehe https://example.org/a.html", []),
        ("see https://example.org/en/a", "siehe https://de.example.org/a", []),
        ("see https://example.org/a", "siehe dort", ["the address https://example.org/a is missing from the target"]),
        ("see https://example.org/a", "siehe http://other.net",
         ["the address https://example.org/a is missing from the target"]),
        ("see https://example.org/a/b", "siehe https://example.org/ a/b",
         ["the address https://example.org/a/b is missing from the target"]),
        ("see https://example.org/a/b", "siehe https://example. org/a/b",
         ["the address https://example.org/a/b is missing from the target"]),
        ("see http://localhost:8080/a", "siehe http://localhost:8080/a", []),
        ("see https://example.org/a/b", "siehe https://example.org/a/c",
         ["the address https://example.org/a/b is missing from the target"]),
        ("see https://example.org/a/b", "siehe https://example.org/de/c", []),
        ("see https://example.org/x?id=5&l=en", "siehe https://example.org/x?id=7&l=en",
         ["the address https://example.org/x?id=5&l=en is missing from the target"]),
        ("see https://example.com/a", "siehe https://example.de/b", []),
        ("see https://www.bbc.co.uk/news", "siehe https://www.amazon.co.uk/x",
         ["the address https://www.bbc.co.uk/news is missing from the target"]),
        ("see https://www.bbc.co.uk/news", "siehe https://bbc.de/x", []),
        ("see http://example.org/a", "siehe https://example.org/a", []),
        ("see https://example.org/a now", "请访问https://example.org/a现在", []),
        ("请访问www.example.org现在", "see www.example.org now", []),
        ("write to a@b.org", "联系a@b.org。", []),
        ("请发邮件至a@b.org。", "write to a@b.org", []),
        ("see www.example.org", "siehe www.example.org", []),
        ("write to a@example.org.", "an a@example.org", []),
        ("write to a@example.org", "an b@example.org", ["the address a@example.org is missing from the target"]),
        ("@foo", "x", []),
    ],
)  # fmt: skip
def test_addresses(source, mt, expected):
    assert messages("addresses", source, mt) == expected


@pytest.mark.parametrize(
    ("source", "mt", "form", "expected"),
    [
        ("a\u2028", "b", "xliff-1", ["only one of source and target ends with a line break"]),
        ("a", "\u2028b", "xliff-1", ["only one of source and target begins with a line break"]),
        ("a\u2028", "b", "po", []),
        ("a\\n", "b", "csv", ["only one of source and target ends with \\n"]),
        ("\\ta", "\\tb", "csv", []),
    ],
)
def test_line_breaks(source, mt, form, expected):
    assert messages("line-breaks", source, mt, form) == expected


def test_empty_and_long_targets_and_copies():
    assert messages("empty", "a word", "") == ["the target is empty"]
    # numbers and signs without letters are lost as well
    assert messages("empty", "$19.99", "") == messages("empty", "12", " ") == ["the target is empty"]
    assert messages("empty", " ", "") == []
    sentence = "This is a whole sentence."
    assert messages("empty", sentence, sentence) == [f"{sentence}: the target is the same as the source"]
    assert messages("empty", "Microsoft Windows NT", "Microsoft Windows NT") == []
    rules = TargetRules(max_length=5)
    assert messages("length", "a", "12345", rules=rules) == []
    assert messages("length", "a", "1234567", rules=rules) == [
        "67: 7 characters, 2 more than the 5 that the file allows"
    ]
    assert messages("length", "Size", "Größe", rules=TargetRules(max_bytes=7)) == []
    assert messages("length", "Size", "Größere", rules=TargetRules(max_bytes=7)) == [
        "re: 9 bytes, 2 more than the 7 that the file allows"
    ]
    assert messages("length", "Size", "öö", rules=TargetRules(max_bytes=3)) == [
        "ö: 4 bytes, 1 more than the 3 that the file allows"
    ]


@pytest.mark.parametrize("name", ["placeholders", "markup", "addresses", "access-keys", "line-breaks", "untranslated"])
@pytest.mark.parametrize(
    "piece",
    [
        "%",
        "{",
        "{a,plural,",
        "<a ",
        "&",
        "http://",
        "a@",
        "%(",
        "'",
        "a.",
        "\u2028  a",
        "  ",
        "%%",
        "%da",
        "%<a>",
        "<b></i>",
        "{a,plural,one{b}}",
        "http://a.b/c ",
        "[-",
        "run abcd ",
        "打开",
    ],
)
def test_long_texts_take_linear_time(name, piece):
    text = piece * 40_000
    messages(name, text, text + "x", "po")


@pytest.mark.parametrize(
    ("source", "mt", "few", "expected"),
    [
        ("One file", "Eine Datei", True, []),
        ("One file", "%d Datei", True, []),
        ("%d file", "Eine Datei", True, []),
        # a form that applies to many numbers, such as that of 1, 21 and 31 in Russian
        ("One file", "%d Datei", False, []),
        ("One file", "Eine Datei", False, ["the placeholder %d is missing from the target"]),
        ("%d files", "Dateien", False, ["the placeholder %d is missing from the target"]),
        ("%d file", "%s Datei", True, ["%s: the source has %d, not %s"]),
        ("One file", "Eine Datei in {n}", True, ["{n}: the placeholder {n} is not in the source",
                                                "the placeholder %d is missing from the target"]),
    ],
)  # fmt: skip
def test_plural_forms_are_compared_with_the_plural(source, mt, few, expected):
    rules = TargetRules(plural_source="%d files", may_omit_arguments=few, plural_form=1)
    assert messages("placeholders", source, mt, "po", rules=rules) == expected


@pytest.mark.parametrize("mt", ["Eine Datei", "{n} Datei", "%(n)s Datei"])
def test_brackets_of_placeholders_are_left_to_their_own_check(mt):
    assert messages("brackets", "{n} file", mt, "po") == messages("brackets", "%(n)s file", mt, "po") == []
