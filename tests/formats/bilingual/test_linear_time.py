"""Reading, building a corpus and writing take time linear in the file size, regardless of repetitions.

Each file has two sizes, the second four times the first: linear work takes four times as long,
quadratic work sixteen times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual import parse_document, segments
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.xml import its_reader
from qe_desktop.formats.ratings.registry import RATING_FORMATS
from qe_desktop.formats.registry import FORMATS
from qe_desktop.formats.text_files import TextFile

SIZE, SIZE_FACTOR, MAX_RATIO = 1500, 4, 10
SDL = ' xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"'
ITS = ' xmlns:its="http://www.w3.org/2005/11/its"'
OKAPI = ' xmlns:okp="okapi-framework:xliff-extensions"'
ALTERNATIVE = '<alt-trans match-quality="1"><target>a</target></alt-trans>'


def xliff(body: str, root: str = "") -> str:
    return (
        f'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"{root}>'
        f'<file source-language="en" target-language="de"><body>{body}</body></file></xliff>'
    )


def unit(source: str, target: str = "", more: str = "", name: object = 1) -> str:
    return f'<trans-unit id="{name}"><source>{source}</source>{target}{more}</trans-unit>'


def segmented_unit(n: int, more: str = "", root: str = "", *, translated: bool = True) -> str:
    marks = "".join(f'<mrk mtype="seg" mid="{number}">a</mrk>' for number in range(n))
    target = f"<target>{marks}</target>" if translated else ""
    return xliff(unit("a", target, f"<seg-source>{marks}</seg-source>{more}"), root)


def issues(n: int) -> str:
    """Return a file with a list of issues to which each of many segments refers."""
    mark = '<target><mrk mtype="x" its:locQualityIssuesRef="#q">a</mrk></target>'
    listed = '<its:locQualityIssue locQualityIssueType="a"/>' * n
    body = "".join(unit("a", mark, name=number) for number in range(n))
    return xliff(f'{body}<its:locQualityIssues xml:id="q">{listed}</its:locQualityIssues>', ITS)


def xliff2_matches(n: int) -> str:
    matches = "".join(f'<mtc:match ref="#{number}"><target>a</target></mtc:match>' for number in range(n))
    markup = "".join(f'<segment id="{number}"><source>a</source><target>a</target></segment>' for number in range(n))
    return (
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:mtc="urn:oasis:names:tc:xliff:'
        f'matches:2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u"><mtc:matches>{matches}</mtc:matches>'
        f"{markup}</unit></file></xliff>"
    )


def unit_of_codes(codes: str) -> str:
    return xliff(unit(codes, f"<target>{codes}</target>"))


def catalogue(entry: str) -> str:
    return f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n{entry}'


def plural(n: int) -> str:
    forms = "".join(f'msgstr[{form}] "a"\n' for form in range(n // 8))
    return catalogue("#, fuzzy\n" * n + f'msgid "a"\nmsgid_plural "b"\n{forms}')


FILES: dict[str, Callable[[int], str]] = {
    "an attribute that is repeated": lambda n: xliff("<trans-unit " + 'id="a" ' * 20 * n + ">"),
    "units without targets": lambda n: xliff("".join(unit("a", name=index) for index in range(n))),
    "a unit of many segments without targets": lambda n: segmented_unit(n, translated=False),
    "a unit of many segments and notes": lambda n: segmented_unit(n, "<note>n</note>" * n),
    "a unit of many segments and proposals": lambda n: segmented_unit(n, ALTERNATIVE * n),
    "a unit of many proposals": lambda n: xliff(
        unit("a", "<target>" + '<x id="1"/>a' * n + "</target>", ALTERNATIVE * n)
    ),
    "a unit of many segments in SDLXLIFF": lambda n: segmented_unit(
        n, "<sdl:seg-defs>" + "".join(f'<sdl:seg id="{index}"/>' for index in range(n)) + "</sdl:seg-defs>", SDL
    ),
    "a unit of many segments and proposals of Okapi": lambda n: segmented_unit(n, '<alt-trans mid="x"/>' * n, OKAPI),
    "a unit of many segments and matches in XLIFF 2": xliff2_matches,
    "codes that overlap": lambda n: unit_of_codes(
        "".join(f'<bpt id="{index}"/>' for index in range(n)) + "".join(f'<ept id="{index}"/>' for index in range(n))
    ),
    "codes of one name": lambda n: unit_of_codes('<x id="1"/>' * n),
    "annotators of many segments": lambda n: xliff(
        "".join(unit("a", '<target its:mtConfidence="1">a</target>', name=index) for index in range(n)),
        f'{ITS} its:annotatorsRef="{"a|b " * 10 * n}"',
    ),
    "a catalogue of blank lines": lambda n: 'msgid "a"\n' + " \n" * 4 * n,
    "flags of many plural forms": plural,
    "a string of many lines": lambda n: catalogue('msgid "a"\nmsgstr ""\n' + '"a"\n' * 4 * n),
    "white space in the tag of a target": lambda n: xliff(unit("a", f'<target state="new"{" " * 2 * n}>a</target>')),
    "white space in the tag of a unit": lambda n: xliff(
        f'<trans-unit id="1" {" " * 2 * n}><source>a</source><target>a</target></trans-unit>'
    ),
}


def edit_document(data: bytes) -> None:
    document = parse_document(data, "job")
    corpus_from_documents([document], "job")
    lines = {
        number: f"Q{segment.target_line or segment.source_line}" for number, segment in enumerate(document.segments)
    }
    statuses = dict.fromkeys(lines, ReviewStatus.CONFIRMED) if document.status_rule else {}
    document.with_targets(lines, statuses, other_codes=True)
    if statuses:
        document.with_targets(lines, dict.fromkeys(lines, ReviewStatus.REJECTED), other_codes=True)


def rows(header: str, row: str) -> Callable[[int], str]:
    """Table of four rows with a long cell or a number in place of `*`."""
    return lambda n: (
        header
        + "".join(
            row.replace("#", str(number)).replace("*", "1" * n + "-" if number % 2 else "0.125")
            for number in range(1, 5)
        )
    )


TABLES: dict[str, Callable[[int], str]] = {
    "system scores": rows("", "s#\t*\n"),
    "scores": rows("", "m\t#\t*\n"),
    "scores with a header": rows("lp\tmethod\tsegment\tscore\n", "en-de\tm\t#\t*\n"),
    "scores of systems": rows("seg\tgold\tA\n", "#\t0.1234\t*\n"),
    "fine scores of systems": rows("seg\tA\tB\n", "#\t0.1234\t*\n"),
    "lines of scores": rows("", "*\n"),
    "ratings": rows("rater,system,segment,scale,score\n", "r,s,#,da,*\n"),
    "times of ratings": rows("rater,system,segment,scale,score,started\n", "r,s,#,da,1,*\n"),
    "ratings of raters": rows("system,segment,rater1,rater2\n", "s,#,*,2\n"),
    "segments of ratings": rows("rater,system,segment,scale,score\n", "r,s,*,da,1\n"),
    "rankings": rows("srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank\n",
                     "en,de,#,#,r,a,*,b,2\n"),
    "Appraise": rows("", "r,s,#,TGT,eng,deu,*,d,False,1.0,2.0\n"),
    "JSON lines": rows("", '{"rater": "r", "system": "s", "segment": "#", "score": "*"}\n'),
}  # fmt: skip


def read_table(data: bytes) -> None:
    """Detect and read a file in each format of scores, tags and ratings."""
    opened = TextFile(Path("x.seg.score"), "x", data, 0)
    readers = [(format.confidence, format.read) for format in FORMATS]
    readers += [(format.confidence, partial(format.read, language_pair="")) for format in RATING_FORMATS]
    for confidence, read in readers:
        confidence(opened.head(), "x.seg.score")
        with suppress(QeError):
            read(opened)


def seconds(work: Callable[[bytes], None], data: bytes) -> float:
    """Return the processor time of work on a file; the minimum of two runs."""
    times = []
    for _ in range(2):
        started = time.process_time()
        with suppress(QeError):
            work(data)
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.parametrize("kind", FILES)
def test_bilingual_files_are_processed_in_linear_time(kind):
    assert_linear(edit_document, FILES[kind])


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_scores_and_ratings_are_read_in_linear_time(kind):
    assert_linear(read_table, TABLES[kind])


def assert_linear(work: Callable[[bytes], None], make: Callable[[int], str]) -> None:
    assert seconds(work, make(SIZE_FACTOR * SIZE).encode()) < MAX_RATIO * max(seconds(work, make(SIZE).encode()), 0.005)


def test_number_of_standoff_issues_is_limited(monkeypatch):
    monkeypatch.setattr(segments, "MAX_COLLECTED_ISSUES", 99)
    assert len(parse_document(issues(9).encode(), "job").segments) == 9
    with pytest.raises(QeError, match="job:1: there are more than 99 issues"):
        parse_document(issues(10).encode(), "job")
    monkeypatch.setattr(its_reader, "MAX_SEGMENT_ISSUES", 8)
    with pytest.raises(QeError, match="job:1: the text of a segment has more than 8 issues"):
        parse_document(issues(9).encode(), "job")
