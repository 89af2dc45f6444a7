"""Units that are written as others before them are read as the parser reads them, whatever stands around them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.formats.bilingual import document_of, xliff1_alike, xml_alike, xml_tree
from qe_desktop.formats.bilingual.columns import Segments
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.layers import corpus_of

HEAD = (
    '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"{}>\n'
    '<file original="a" source-language="en" target-language="de" datatype="x"><body>\n'
)
FOOT = "</body></file></xliff>\n"
SPACES = {"": "", "mxliff": ' xmlns:m="http://www.memsource.com/mxlf/2.0"', "memoQ": ' xmlns:mq="MQXliff"'}
TEXTS = (
    "",
    "a",
    "Die Pumpe.",
    "ü\u2028€",
    "a &amp; &lt;b&gt;",
    "&amp;lt;",
    "&quot;",
    "&#13;",
    "&#x20ac;",
    "⟨1⟩",
    "a\nb",
)
ODD_TEXTS = ("c\r\nd", "x]]", "x]]>", "\r", "\x01", "\ufffe", "&nbsp;", "{1>b<1}", "  ", "<", "text <g")
CODES = (
    '<g id="1">c</g>', '<g id="2">d</g>', '<g id="1"/>', '<g id="3"><x id="4"/></g>', '<x id="1"/>', '<x a="/>"/>',
    '<bpt id="1">&lt;b&gt;</bpt>b<ept id="1">&lt;/b&gt;</ept>', '<ph id="9">{0}</ph>', '<mrk mtype="term">t</mrk>',
    '<x id="2" equiv-text="b"/>',
)  # fmt: skip
ODD_CODES = (
    "<!-- beside -->", "<![CDATA[<g>]]>", "<?go on?>", '<g id="1">', "</g>", "<q:x/>",
    '<q:g xmlns:q="u" id="1">q</q:g>',
)  # fmt: skip
ABOUT_UNIT = ("", "", "", ' approved="yes"', ' translate="no"', ' resname="r"', ' xml:space="preserve"', " a='1'")
ODD_ABOUT_UNIT = (
    ' id="again"',
    ' m:confirmed="1"',
    ' mq:status="Proofread"',
    ' xmlns="urn:x"',
    ' xmlns=""',
    ' a="&lt;"',
    ' a=">"',
)
ABOUT_TARGET = ("", "", ' state="new"', ' state="final" ', ' state="translated" state-qualifier="mt"', ' xml:lang="de"')
ODD_ABOUT_TARGET = (' q:a=""', ' a a=""', ' a="<"', "/")
ONE = '<trans-unit id="1"><source>a</source><target>b</target></trans-unit>'
CODED = ONE.replace(">a<", '><g id="1">c</g><')
PREFIXED = ONE.replace(">a<", "><q:x/><")
OTHER = ONE.replace("<target>", '<target state="new">')
BLANKS = ("", "\n", "\n  ", " ")
NOTES = ("", "", "<note>n</note>", "<note>&amp;</note>\n<note>n</note>", '<note from="me">n</note>')
ODD_NOTES = ("<note/>", "<alt-trans/>", "<note>&#9;</note>", "<note><g/></note>", "<note/>x</note>")
BESIDE = (
    "<!-- a unit -->",
    "<?x?>",
    "\n\n",
    '</body></file><file original="b"><body>',
    "<group>\n</group>",
    "text",
    "<alt/>",
)
ODD_BESIDE = (
    "<!--", "-->", "<![CDATA[", "]]>", "<group>", "</group>", '<group translate="no">', '<group xmlns="urn:other">',
    '<group xmlns:q="urn:q">', "<trans-unit id='9'>", '<x a="', "<?x", "\r", "<q:group xmlns:q='urn:q'>", "</q:group>",
)  # fmt: skip


@st.composite
def bodies(draw, least=0):
    """Units, and what may stand beside them; in some documents, what is odd in any way."""
    is_odd = draw(st.booleans())

    def one_of(usual, odd):
        return draw(st.sampled_from(odd if is_odd and draw(st.integers(0, 7)) == 0 else usual))

    def content():
        runs = [one_of(TEXTS, ODD_TEXTS)]
        for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
            runs += [one_of(CODES, ODD_CODES), one_of(TEXTS, ODD_TEXTS)]
        return "".join(runs)

    def unit(number):
        name = one_of([str(number)], ["1", "ü", "a b", "&amp;", "", "<"])
        blank = one_of(BLANKS, ["\r\n"])
        target = f"<target{one_of(ABOUT_TARGET, ODD_ABOUT_TARGET)}>{content()}</target>"
        return (
            f'<trans-unit{one_of(ABOUT_UNIT, ODD_ABOUT_UNIT)} id="{name}"{one_of([""], ODD_ABOUT_UNIT)}>{blank}'
            f"<source>{content()}</source>{blank}{one_of([target], ['', '<target/>'])}{blank}"
            f"{one_of(NOTES, ODD_NOTES)}</trans-unit>{one_of(BLANKS, [' '])}"
        )

    parts = []
    for number in range(draw(st.integers(least, 12))):
        if draw(st.integers(0, 4)) == 0:
            parts.append(one_of(BESIDE, ODD_BESIDE))
        if parts and draw(st.booleans()):
            # the same again, but for its name and a text, which is what is read without the parser
            named = re.sub(r'id="\d+"', f'id="{number}"', parts[-1], count=1)
            text = one_of(TEXTS, ODD_TEXTS)
            parts.append(re.sub("<source>[^<]*", lambda _, text=text: f"<source>{text}", named, count=1))
        else:
            parts.append(unit(number))
    return "".join(parts)


def read(data: bytes, *, alike: bool, piece: int = 1 << 18) -> Document | str:
    """A file, or what is wrong with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_alike, "PIECE", piece)
        if not alike:
            patch.setattr(xml_tree, "read_alike", lambda parsing, utf8, _: parsing.feed(0, len(utf8)))
        try:
            return document_of(data, "job.xlf")
        except QeError as error:
            return str(error)


def held(corpus: Corpus) -> object:
    """All that a corpus holds of a file."""
    job = corpus.job
    assert job is not None
    return (
        {role: column.data for role, column in corpus.texts.items()},
        {key: layer.data.tolist() for key, layer in corpus.layers.items() if isinstance(layer.data, np.ndarray)},
        (job.sources.data, job.targets.data, job.statuses.tolist(), job.without_target.tolist()),
        (job.notes, job.states, job.origins, job.labels),
    )


def same(data: bytes, piece: int) -> None:
    expected, found = read(data, alike=False), read(data, alike=True, piece=piece)
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    # columns before segments: those that were made leave nothing to be shown
    assert held(corpus_of([found], "a")) == held(corpus_of([expected], "a"))
    assert list(found.segments) == list(expected.segments)
    assert found.notes == expected.notes


@pytest.mark.parametrize("piece", [1, 60, 300, 1 << 18])
@pytest.mark.parametrize("space", sorted(SPACES))
@given(bodies())
@example(ONE * 3)
@example(f"{ONE * 3}<![CDATA[{ONE * 9}]]>{ONE * 3}")
@example(f"{ONE * 3}\r\r\n{ONE * 9}\r{ONE * 9}\r\n{ONE * 3}")
@example(f"{ONE * 3}<!--{ONE * 9}-->{ONE * 3}")
@example(f'{ONE * 3}<group xmlns="urn:x">{ONE * 9}</group>{ONE * 3}')
@example(f'{ONE * 3}<group translate="no">{ONE * 9}</group>{ONE * 3}')
@example(f'{ONE * 3}<trans-unit id="0">{ONE * 9}</trans-unit>{ONE * 3}')
@example(f'{(ONE + OTHER) * 2}<group translate="no">{(ONE + OTHER) * 2}</group>')
@example(f"{ONE * 3}{ONE.replace('>a<', '>a]]><')}{ONE * 3}")
@example(f"{ONE * 3}{ONE.replace('>a<', '>a<1<')}")
@example(f"{CODED * 3}{CODED.replace('</g>', '</g><', 1)}")
@example(ONE * 3 + ONE.replace(">a<", ">\x01<") + ONE * 3)
@example(ONE * 3 + ONE.replace(">a<", ">\ufffe<") + ONE * 3)
@example(f"{CODED * 3}{CODED.replace('</g>', '')}{CODED * 3}")
@example(f"{CODED * 3}{CODED.replace('</g></source>', '</source>').replace('</target>', '</g></target>')}")
@example(f'{ONE * 2}<group xmlns:q="u">{PREFIXED * 2}</group>{ONE * 2}{PREFIXED}')
@example(f"{ONE * 3}<x a='{ONE * 9}'/>{ONE * 3}")
def test_what_is_written_alike_is_read_as_the_parser_reads_it(space, piece, body):
    same((HEAD.format(SPACES[space]) + body + FOOT).encode(), piece)


@given(st.data())
def test_a_file_that_is_spoilt_is_refused_as_the_parser_refuses_it(data):
    whole = HEAD.format("") + data.draw(bodies(least=3)) + FOOT
    at = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(at, min(at + 4, len(whole))))
    new = data.draw(st.sampled_from(["", "<", ">", '"', "&", "/", "=", "-->", "]", "\r", "é"]))
    same((whole[:at] + new + whole[end:]).encode(), data.draw(st.sampled_from([80, 1 << 18])))


def many(count: int, unit: str) -> bytes:
    return (HEAD.format("") + "".join(unit.format(number) for number in range(count)) + FOOT).encode()


UNIT = (
    '<trans-unit id="{0}"><source>a {0} <g id="1">b</g></source>\n'
    '<target state="new">ü &amp; {0} <g id="1">b</g></target><note>n</note></trans-unit>\n'
)


def test_the_parser_reads_the_first_of_units_that_are_written_alike_and_no_other(monkeypatch):
    fed: list[bytes] = []
    feed = xml_tree._Tree.feed

    def noted(self, low: int, high: int) -> bool:
        fed.append(bytes(self.utf8[low:high]))
        return feed(self, low, high)

    monkeypatch.setattr(xml_tree._Tree, "feed", noted)
    document = document_of(many(500, UNIT), "job.xlf")
    assert len(document.segments) == 500
    assert b"".join(fed).count(b"<trans-unit") == 1


def test_no_segment_is_made_before_one_is_asked_for(monkeypatch):
    made = []
    segments = xliff1_alike.AlikeUnits.segments
    monkeypatch.setattr(xliff1_alike.AlikeUnits, "segments", lambda self: made.append(self) or segments(self))
    document = document_of(many(50, UNIT), "job.xlf")
    corpus = corpus_of([document], "a")
    assert isinstance(document.segments, Segments)
    assert (corpus.size, made) == (50, [])
    assert document.segments[49].source_line == "a 49 ⟨1⟩b⟨/1⟩"
    assert document.segments[-2:] == tuple(document.segments)[48:]
    assert len(made) == 1


@pytest.mark.parametrize(
    ("cut", "line"),
    [
        (b"</note></trans-unit>\n</body>", 103),
        (b"</body></file>", 104),
        (b'<trans-unit id="30">', 64),
        (b'id="1">b</g></source>', 4),
    ],
)
def test_the_line_of_what_is_wrong_is_that_of_the_file(cut, line):
    data = many(50, UNIT)
    assert data.count(cut)
    data = data.replace(cut, b"<", 1)
    found = read(data, alike=True)
    assert found == read(data, alike=False)
    assert isinstance(found, str)
    assert re.search(rf"job\.xlf:{line}\b", found)


def test_a_name_that_is_there_twice_and_a_text_that_is_too_long_are_found_among_many(monkeypatch):
    twice = many(50, UNIT).replace(b'id="30"', b'id="7"')
    document = read(twice, alike=True)
    assert isinstance(document, Document)
    assert document.notes == ("1 unit has the name of another one",)
    long = many(50, UNIT).replace(b"a 30 ", b"a" * 100_001)
    assert read(long, alike=True) == read(long, alike=False) != ""
    assert isinstance(read(long, alike=True), str)


def test_a_target_is_written_into_a_unit_that_the_parser_did_not_see():
    document = document_of(many(40, UNIT), "job.xlf")
    written = document.with_targets({39: "neu ⟨1⟩b⟨/1⟩"}).data
    assert written == many(40, UNIT).replace(
        '<target state="new">ü &amp; 39 <g id="1">b</g></target>'.encode(),
        b'<target state="needs-review-translation">neu <g id="1">b</g></target>',
    )
