"""Matching of the segments of a changed file with those of an earlier version."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.project.journal.former_review import match_segments, segment_identities
from tests.project.journal.journal_translator import SOURCES, xliff

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
PLURAL = 'msgid "a file"\nmsgid_plural "%d files"\nmsgstr[0] ""\nmsgstr[1] ""\n\n'


def entry(context, source):
    return f'msgctxt "{context}"\nmsgid "{source}"\nmsgstr ""\n\n'


def catalogue(*entries):
    return "job.po", (HEAD + "".join(entries)).encode()


def table(*sources):
    rows = "".join(f"{source},\n" for source in sources)
    return "job.csv", f"source,target\n{rows}".encode()


def job(sources, names):
    return "job.xlf", xliff([""] * len(sources), sources, names)


def parts(*languages, names="abcd"):
    """A file with a part for each language, whose units have the same names and sources."""
    units = "".join(
        f'<trans-unit id="{name}"><source>{source}</source><target>x</target></trans-unit>'
        for name, source in zip(names, SOURCES, strict=False)
    )
    attributes = [f' target-language="{language}"' if language else "" for language in languages]
    files = "".join(
        f'<file original="a" datatype="x" source-language="en"{attribute}><body>{units}</body></file>'
        for attribute in attributes
    )
    return "job.xlf", f'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">{files}</xliff>'.encode()


OPEN = [entry("menu", "Open"), entry("door", "Open")]
CASES = {
    "an entry before equal ones of two contexts": (
        catalogue(*OPEN, PLURAL),
        catalogue(entry("menu", "Hello"), *OPEN, PLURAL),
        {1: 0, 2: 1, 3: 2, 4: 3},
    ),
    "another context before them": (catalogue(*OPEN), catalogue(entry("button", "Open"), *OPEN), {1: 0, 2: 1}),
    "entries in another order": (catalogue(*OPEN, PLURAL), catalogue(PLURAL, *OPEN[::-1]), {0: 2, 1: 3, 2: 1, 3: 0}),
    "a context added to an entry": (
        catalogue('msgid "Quit"\nmsgstr ""\n\n'),
        catalogue(entry("menu", "Quit")),
        {0: 0},
    ),
    "a unit with a consecutive number removed": (
        job(["Open", "OK", "OK", "Close"], "1234"),
        job(["Open", "OK", "Close"], "134"),
        {0: 0, 1: 2, 2: 3},
    ),
    "units with other names": (job(["Open", "OK"], "12"), job(["OK", "Open"], "ab"), {0: 1, 1: 0}),
    "parts of two languages in another order": (
        parts("de", "fr", names="ab"),
        parts("fr", "de", names="ab"),
        {
            0: 2,
            1: 3,
            2: 0,
            3: 1,
        },
    ),
    "a part of another language": (parts("de", names="ab"), parts("fr", "de", names="ab"), {2: 0, 3: 1}),
    "a language with a region": (parts("de", names="ab"), parts("de-AT", names="ab"), {0: 0, 1: 1}),
    "a language that was not stated": (parts("", names="ab"), parts("de", names="ab"), {0: 0, 1: 1}),
    "a row before equal ones": (
        table("OK", "Open", "OK", "Close"),
        table("New", "OK", "Open", "OK", "Close"),
        {1: 0, 2: 1, 3: 2, 4: 3},
    ),
    "one of two equal rows removed": (table("Open", "OK", "OK", "Close"), table("Open", "OK", "Close"), {0: 0, 2: 3}),
    "an equal row added elsewhere": (
        table("Open", "OK", "Close"),
        table("OK", "Exit", "Open", "OK", "Close"),
        {2: 0, 3: 1, 4: 2},
    ),
}


def identities(*files):
    choices = [ColumnChoice("source", "target") if name.endswith("csv") else ColumnChoice() for name, _ in files]
    documents = [parse_document(data, name, choice) for (name, data), choice in zip(files, choices, strict=True)]
    return segment_identities(enumerate(documents))


@pytest.mark.parametrize("case", CASES)
def test_segments_are_found_again(case):
    before, now, expected = CASES[case]
    assert match_segments(identities(now), identities(before)) == expected


def test_a_segment_does_not_match_one_of_a_file_in_another_language():
    before = identities(parts("de", names="abc"), parts("fr", names="abcd"))
    now = identities(parts("de", names="abcd"), parts("fr", names="abc"))
    assert match_segments(now, before) == {0: 0, 1: 1, 2: 2, 4: 3, 5: 4, 6: 5}
    # a segment may have been moved to another file in the same language
    before, now = (identities(parts("de", names=a), parts("de", names=b)) for a, b in (("a", "abcd"), ("abcd", "a")))
    assert match_segments(now, before) == {0: 0, 1: 2, 2: 3, 3: 4, 4: 1}


@given(st.lists(st.sampled_from("abcd"), max_size=12), st.randoms(use_true_random=False))
def test_segments_match_once_and_only_with_an_equal_source(sources, random):
    before = identities(table("x", *sources))
    assert match_segments(before, before) == {index: index for index in range(len(before))}
    now = [source for source in sources if random.random() < 0.8]
    random.shuffle(now)
    after = identities(table("x", *now))
    matched = match_segments(after, before)
    assert len({*matched.values()}) == len(matched)
    assert all(after[new].source == before[old].source for new, old in matched.items())
