"""Data read from each dialect, and the changes in the file when a target changes."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.corpus.layers import STUDIO_RANKS
from qe_desktop.formats.bilingual import ColumnChoice, Issue, Quality, parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.inline_codes import content_codes
from tests.formats.bilingual.samples import NAMES, line_pairs, parse_sample, read_sample

DIALECTS = {
    "plain.xlf": "xliff-1", "studio.sdlxliff": "sdlxliff", "phrase.mxliff": "mxliff", "memoq.mqxliff": "mqxliff",
    "okapi.xlf": "okapi-xliff", "two.xlf": "xliff-2", "memory.tmx": "tmx", "catalogue.po": "po",
    "table.csv": "bilingual-table", "table.tsv": "bilingual-table",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_dialect_is_detected_by_content_and_unedited_files_stay_identical(name):
    document = parse_document(read_sample(name), "job")
    assert document.dialect == DIALECTS[name]
    same = document.with_targets({number: segment.target_line for number, segment in enumerate(document.segments)})
    assert (same.data, same.changed_segments, same.unchanged_bytes) == (document.text.data, 0, len(document.text.data))


def test_xliff_1_segments_are_read():
    document = parse_sample("plain.xlf")
    assert (document.source_language, document.target_language) == ("en", "de")
    assert line_pairs(document) == [
        ("The pump starts by itself.", "Die Pumpe startet von selbst."),
        ("Press ⟨1⟩Stop⟨/1⟩ twice⟨2/⟩ & wait.", "Drücken Sie zweimal ⟨1⟩Stopp⟨/1⟩⟨2/⟩ & warten."),
        ("QX-7", "QX-7"),
        ("Never open it.", ""),
        ("Wait.", "Warten."),
        ("⟨1⟩Then⟨/1⟩ go.", ""),
        ("One.", ""),
        ("Two.", ""),
        ("5 ⟨⟨ 6 and <b>", ""),
    ]
    first, second, third, *_ = document.segments
    assert (first.name, first.line, first.state, first.notes) == ("1", 6, "final", ("Chapter 1",))
    assert (second.state, second.origin) == ("new", "leveraged-mt")
    assert second.qualities == (Quality("match-quality", 83.33, "engine"),)
    assert [segment.locked for segment in document.segments] == [False, False, True, *[False] * 6]
    assert third.name == "3"


def changed_lines(name: str, targets: dict[int, str]) -> list[tuple[str, str]]:
    """Return the lines of a sample that differ after an edit, as pairs of old and new."""
    before = parse_sample(name)
    rewritten = before.with_targets(targets)
    assert rewritten.changed_segments == len(targets)
    old, new = before.text.data.decode().split("\n"), rewritten.data.decode().split("\n")
    if len(old) == len(new):
        return [(old_line, new_line) for old_line, new_line in zip(old, new, strict=True) if old_line != new_line]
    return [("", new_line) for new_line in new if new_line not in old]


def test_xliff_1_targets_are_written():
    assert changed_lines("plain.xlf", {0: "Die Pumpe läuft < an."}) == [
        ('<trans-unit id="1" approved="yes">', '<trans-unit id="1" approved="no">'),
        (
            '  <target state="final">Die Pumpe startet von selbst.</target>',
            '  <target state="needs-review-translation">Die Pumpe läuft &lt; an.</target>',
        ),
    ]
    # codes retain their markup in the target
    assert [new for _, new in changed_lines("plain.xlf", {1: "⟨2/⟩⟨1⟩Halt⟨/1⟩"})] == [
        '  <target state="needs-review-translation" state-qualifier="leveraged-mt"><x id="2" />'
        "<g id='1' ctype='bold'>Halt</g></target>"
    ]
    # a segment without a target uses the codes of the source
    assert changed_lines("plain.xlf", {3: "Nie öffnen."}) == [("", "  <target>Nie öffnen.</target>")]
    assert [new for _, new in changed_lines("plain.xlf", {5: "⟨1⟩Dann⟨/1⟩ los."})] == [
        '  <target><mrk mtype="seg" mid="a">Warten.</mrk> <mrk mtype="seg" mid="b">'
        '<bpt id="1">&lt;b></bpt>Dann<ept id="1">&lt;/b></ept> los.</mrk></target>'
    ]
    assert changed_lines("plain.xlf", {7: "Zwei."}) == [
        (
            "",
            '  <target><x id="9"/><mrk mtype="seg" mid="a"></mrk> <mrk mtype="seg" mid="b">Zwei.</mrk></target>',
        )
    ]
    assert changed_lines("plain.xlf", {6: "Eins.", 7: "Zwei."})[0][1].count("mrk") == 4
    assert changed_lines("plain.xlf", {8: "⟨⟨ ]]>"})[0][1].endswith("<target>⟨ ]]&gt;</target></trans-unit>")


def test_sdlxliff_is_read_and_written():
    document = parse_sample("studio.sdlxliff")
    assert [segment.name for segment in document.segments] == ["u2/1", "u2/2", "u3/3", "u4/4", "u4/5", "u5/6"]
    assert [segment.state for segment in document.segments] == [
        "ApprovedTranslation",
        "Draft",
        "Translated",
        "",
        "",
        "",
    ]
    assert [segment.origin for segment in document.segments][:3] == ["interactive", "mt", "tm"]
    assert [segment.locked for segment in document.segments] == [False, False, True, False, False, False]
    assert document.segments[1].qualities == (Quality("quality_estimation", 2.0, "Engine", STUDIO_RANKS),)
    assert document.segments[2].qualities == (Quality("percent", 100.0),)
    forms = {key.name: layer.form for key, layer in corpus_from_documents([document], "job").layers.items()}
    assert forms == {"percent": "", "quality_estimation": STUDIO_RANKS}
    ((_, new),) = changed_lines("studio.sdlxliff", {0: "Die Pumpe läuft an."})
    assert '<mrk mtype="seg" mid="1">Die Pumpe läuft an.</mrk> <mrk mtype="seg" mid="2"><g id="7">Stoppen</g>' in new
    assert '<sdl:seg id="1" conf="Draft" origin="interactive"><sdl:prev-origin origin="mt" /></sdl:seg>' in new
    ((_, new),) = changed_lines("studio.sdlxliff", {4: "Nicht das."})
    assert '<target><x id="ph1" /><mrk mtype="seg" mid="4" /> <mrk mtype="seg" mid="5">Nicht das.</mrk></target>' in new
    ((_, new),) = changed_lines("studio.sdlxliff", {5: "Ziel."})
    assert '</seg-source><target><mrk mtype="seg" mid="6">Ziel.</mrk></target><sdl:seg-defs>' in new


def sdl_file(tags: str, *segments: str) -> str:
    units = "".join(
        f'<trans-unit id="{tags[:9].count("1")}{number}"><source>{text}</source><seg-source><mrk mtype="seg" mid="1">'
        f'{text}</mrk></seg-source><target><mrk mtype="seg" mid="1">{text}</mrk></target></trans-unit>'
        for number, text in enumerate(segments)
    )
    header = f'<header><tag-defs xmlns="http://sdl.com/FileTypes/SdlXliff/1.0">{tags}</tag-defs></header>'
    return f'<file original="a" source-language="en" target-language="de">{header}<body>{units}</body></file>'


def test_sdlxliff_code_labels_are_read_from_tag_definitions():
    first = (
        '<tag id="1"><bpt name="cf">&lt;cf bold="on"&gt;</bpt><ept name="cf">&lt;/cf&gt;</ept></tag>'
        '<tag id="p"><ph name="img" equiv-text="a picture">&lt;img src="x"/&gt;</ph></tag>'
        '<tag id="c"><ph name="Comment">&lt;!-- no --&gt;</ph></tag><tag id="n"><bpt name="b"/></tag><tag id="e"/>'
    )
    second = '<tag id="1"><bpt name="i">&lt;i&gt;</bpt></tag>'
    head = '<xliff xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0" version="1.2" '
    files = [
        sdl_file(first, 'a <g id="1">b</g> <x id="p"/>', '<x id="c"/> <g id="n">d</g> <x id="e"/> <x id="else"/>'),
        sdl_file(second, '<g id="1">e</g>', '<x id="p"/> f'),
    ]
    data = f'{head}xmlns="urn:oasis:names:tc:xliff:document:1.2">{"".join(files)}</xliff>'.encode()
    document = parse_document(data, "job")
    assert document.dialect == "sdlxliff"
    labels = [[code.label for code in content_codes(segment.source)] for segment in document.segments]
    assert labels == [
        ['<cf bold="on">', '<cf bold="on">', "a picture"], ["Comment", "b", "b", "", ""], ["<i>", "<i>"], [""],
    ]  # fmt: skip
    # labels are not part of the codes, which are written unchanged
    same = document.with_targets({number: segment.target_line for number, segment in enumerate(document.segments)})
    assert same.data == data
    job = corpus_from_documents([document], "job").job
    assert job.labels[0] == {1: '<cf bold="on">', 2: "a picture"}


def test_mxliff_writes_codes_as_text():
    document = parse_sample("phrase.mxliff")
    assert line_pairs(document)[0] == (
        "Press ⟨1⟩Stop⟨/1⟩ and ⟨2⟩wait⟨/2⟩⟨3/⟩.",
        "Drücken Sie ⟨1⟩Stopp⟨/1⟩, ⟨2⟩warten⟨/2⟩ Sie⟨3/⟩.",
    )
    assert document.segments[0].qualities == (Quality("m:score", 0.87),)
    assert [segment.state for segment in document.segments] == ["", "confirmed", ""]
    assert [segment.locked for segment in document.segments] == [False, False, True]
    ((_, new),) = changed_lines("phrase.mxliff", {0: "⟨3/⟩⟨1⟩Stopp⟨/1⟩⟨2⟩w⟨/2⟩"})
    assert new.strip() == "<target>{2}{1&gt;Stopp&lt;1}{b&gt;w&lt;b}</target>"
    assert 'm:confirmed="0"' in changed_lines("phrase.mxliff", {1: "Bereit."})[0][1]


def test_mqxliff_is_read_and_written():
    document = parse_sample("memoq.mqxliff")
    assert [segment.state for segment in document.segments] == ["MachineTranslated", "ManuallyConfirmed", "NotStarted"]
    assert document.segments[0].origin == "mt"
    assert document.segments[1].qualities == (Quality("percent", 102.0),)
    assert document.segments[2].locked
    assert line_pairs(document)[0][1] == "Ein ⟨1⟩fettes⟨/1⟩ Wort⟨2/⟩."
    ((_, new),) = changed_lines("memoq.mqxliff", {1: "Erledigt."})
    assert new.startswith('<trans-unit id="2" mq:status="PartiallyEdited" mq:percent="102"')


def test_okapi_qualities_and_its2_issues_are_read():
    first, second = parse_sample("okapi.xlf").segments
    assert first.origin == "mt"
    assert first.qualities == (
        Quality("match-quality", 75.0, "Engine"),
        Quality("mtConfidence", 0.75, "https://engine.example/1"),
    )
    assert first.issues == (Issue(4, 9, "mistranslation", 60.0, "wrong pump", is_on_words=True),)
    assert second.issues == (Issue(0, 8, "omission", None, "it"),)
    assert second.qualities == (Quality("locQualityRatingScore", 80.0),)


def test_xliff_2_is_read_and_written():
    document = parse_sample("two.xlf")
    first, _, third, fourth = document.segments
    assert [item.name for item in document.segments] == ["u1/s1", "u1/s2", "u2", "u3"]
    assert (first.state, first.origin, first.notes) == ("reviewed", "mt", ("Chapter 1",))
    assert first.qualities == (Quality("matchQuality", 81.5, "Engine"), Quality("matchSuitability", 70.0, "Engine"))
    assert third.locked
    assert not fourth.locked
    # overlapping annotations, which `sm` … `em` allow
    assert set(fourth.issues) == {
        Issue(5, 18, "grammar", is_on_words=True), Issue(12, 18, "misspelling", 20.0, is_on_words=True),
    }  # fmt: skip
    assert changed_lines("two.xlf", {0: "⟨1⟩Stopp⟨/1⟩ drücken."}) == [
        ('   <segment id="s1" state="reviewed" subState="x:y">', '   <segment id="s1" state="translated">'),
        (
            '    <target>Drücken Sie <pc id="1">Stopp</pc>.</target>',
            '    <target><pc id="1">Stopp</pc> drücken.</target>',
        ),
    ]
    new = [new for _, new in changed_lines("two.xlf", {1: "Jetzt ⟨1⟩warten⟨/1⟩⟨2/⟩."})]
    assert new[1] == '    <target>Jetzt <sc id="2"/>warten<ec startRef="2"/><ph id="3" disp="{x}"/>.</target>'
    # issue annotations may be lost when a target changes; only the codes of the source are required
    assert changed_lines("two.xlf", {3: "Drei kleine Wörter"})[0][1].strip() == "<target>Drei kleine Wörter</target>"


def test_tmx_is_read_and_written():
    document = parse_sample("memory.tmx")
    assert (document.source_language, document.target_language) == ("en-US", "de-DE")
    assert [(segment.name, segment.origin, segment.notes) for segment in document.segments] == [
        ("one", "ADA", ("Chapter 1",)), ("2", "", ()),
    ]  # fmt: skip
    assert changed_lines("memory.tmx", {1: "Warten."}) == [("", ' <tuv xml:lang="de-DE"><seg>Warten.</seg></tuv>')]
    assert changed_lines("memory.tmx", {0: "⟨1⟩S⟨/1⟩⟨2/⟩"})[0][1] == (
        ' <tuv xml:lang="de-DE"><seg><bpt i="1" x="1">&lt;b></bpt>S<ept i="1">&lt;/b></ept>'
        '<ph x="2">{0}</ph></seg></tuv>'
    )


def test_po_is_read_and_written():
    document = parse_sample("catalogue.po")
    assert document.target_language == "de"
    assert line_pairs(document)[-1] == ('Two lines\u2028of "text"\\.', "Zwei Zeilen\u2028mit „Text“.")
    assert [segment.state for segment in document.segments] == ["fuzzy", "untranslated", "fuzzy", "fuzzy", "translated"]
    assert [segment.notes for segment in document.segments][:2] == [("Chapter 1",), ("context: menu",)]
    assert changed_lines("catalogue.po", {0: "%s öffnen"}) == [
        ("#, fuzzy, c-format", "#, c-format"), ('msgstr "%s offnen"', 'msgstr "%s öffnen"'),
    ]  # fmt: skip
    new = document.with_targets({2: "%d „Datei“", 3: "a\tb\u2028c", 4: 'nur "eine"'}).data.decode()
    assert '\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d „Datei“"\nmsgstr[1] ""\n"a\\tb\\n"\n"c"\n' in new
    assert 'msgstr "nur \\"eine\\""\n' in new
    assert new.count("fuzzy") == 1


def test_tmx_with_several_target_languages_needs_a_choice():
    french = b'<tuv xml:lang="fr"><seg>Attendez.</seg></tuv>\n <tuv xml:lang="en-US"><seg>Wait'
    several = read_sample("memory.tmx").replace(b'<tuv xml:lang="en-US"><seg>Wait', french)
    with pytest.raises(QeError, match="several target languages: de-DE, fr"):
        parse_document(several, "memory.tmx")
    into_french = parse_document(several, "memory.tmx", ColumnChoice("en", "fr"))
    assert line_pairs(into_french) == [("Press ⟨1⟩Stop⟨/1⟩⟨2/⟩", ""), ("Wait.", "Attendez.")]
    with pytest.raises(QeError, match="no text in ja"):
        parse_document(several, "memory.tmx", ColumnChoice("en", "ja"))
    with pytest.raises(QeError, match="source and target languages are both en-US"):
        parse_document(several, "memory.tmx", ColumnChoice("en", "en"))


def test_tables_are_read_and_written():
    document = parse_sample("table.csv")
    assert line_pairs(document) == [
        ("Press “Stop”, twice.", "Drücken Sie „Stopp“, zweimal."),
        ('Say "go"', 'Sagen Sie\u2028"los"'),
        ("Wait.", ""),
        ("Short.", ""),
    ]
    assert [segment.line for segment in document.segments] == [2, 3, 5, 6]
    assert document.segments[3].target_location is None
    assert changed_lines("table.csv", {2: "Warten."}) == [("3,Wait.,,x", "3,Wait.,Warten.,x")]
    assert changed_lines("table.csv", {2: 'Halt, "jetzt"'}) == [("3,Wait.,,x", '3,Wait.,"Halt, ""jetzt""",x')]
    assert line_pairs(parse_sample("table.tsv")) == [('5" pipe', '5"-Rohr'), ("a, b", "")]
    assert changed_lines("table.tsv", {0: 'Rohr 5"'}) == [('5" pipe\t5"-Rohr', '5" pipe\t"Rohr 5"""')]
    named = parse_document(b"a;b;c\n1;2;3\n", "x.csv", ColumnChoice("b", "a"))
    assert line_pairs(named) == [("2", "1")]
    assert named.with_targets({0: "4"}).data == b"a;b;c\n4;2;3\n"
    with pytest.raises(QeError, match="cannot be determined from the columns a, b"):
        parse_document(b"a,b\n1,2\n", "x.csv", ColumnChoice("a", "c"))
    with pytest.raises(QeError, match="a closing quotation mark is missing"):
        parse_document(b'source,target\na,"b\n', "x.csv")


def test_a_comment_of_phrase_follows_the_elements_of_xliff():
    proposal = b"</target>\n      <alt-trans><target>Stop.</target></alt-trans>\n      <m:tunit-metadata/>"
    phrase = read_sample("phrase.mxliff").replace(b"</target>", proposal, 1)
    new = parse_document(phrase, "a.mxliff").with_targets({}, {}, {0: "x"}).data
    before, after = new.split(b"</alt-trans>")
    assert before == phrase.split(b"</alt-trans>")[0]
    assert after.lstrip().startswith(b"<m:comment")
    assert after.index(b"</m:comment>") < after.index(b"<m:tunit-metadata/>")
    assert parse_document(new, "a.mxliff").with_targets({}, {}, {0: ""}).data == phrase
