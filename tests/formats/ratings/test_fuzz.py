"""Damaged rating files are read, or refused with a one-line error; no other exception is raised."""

from __future__ import annotations

import random
import time

import pytest

from qe_desktop.corpus import Comment, PairwiseJudgement, QeError, Ratings, Score
from qe_desktop.formats.ratings import WRITABLE_FORMATS, read_journal, read_ratings, write_ratings
from tests.formats.ratings.test_appraise import SPANS, XML, row
from tests.formats.ratings.test_jsonl import HEADER as CAMPAIGN
from tests.formats.ratings.test_jsonl import event, jsonl
from tests.formats.ratings.test_wide_csv import TED
from tests.formats.ratings.test_wmt21_da import HEADER, ROWS
from tests.formats.ratings.test_wmt_rankings import FIVE, PAIRWISE
from tests.formats.test_fuzz import damage_text

VALID = {
    "wmt": PAIRWISE,
    "five": FIVE + "xx,yy,1,-1,1,j,1,A,2,B,3,C,4,D,5,E,1,2,2,-1,4\n",
    "xml": XML,
    "esa": row() + row(item=8, spans=SPANS) + row(user="u2", document="d#bad", kind="BAD"),
    "da": HEADER + ROWS,
    "means": "SYS SID RAW.SCR Z.SCR N \nA.7 177 100 0.62 1 \nB.1 177 49.5 -0.69 2 \n",
    "wide": TED,
    "numbers": "1 2 3\n4 5 3\n1 1 2\n",
    "long": "rater,segment,systems,ranks,score,time\nAda,1,A|B,1|2,,\nBen,2,,,4,2024-03-24\n",
    "journal": jsonl(CAMPAIGN, event("1", 1, "fluency", 3), event("2", 2, "ranks", [1]), event("3", 3, "skip", "no")),
}


@pytest.fixture(scope="module")
def written_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ours")
    ratings = Ratings.of(
        [Score("Ada", "A", "1", "score", 3.5, started=1.7e9, seconds=2.0), Score("Ben", "B", "2", "z", -1.0, flags=1)],
        [
            PairwiseJudgement("Ada", "1", "A", "B+C", 1, 2, "s"),
            PairwiseJudgement("Ada", "2", "A", "B+C", 1, 1, "t", started=1.7e9),
        ],
        [Comment("Ada", "1", "“odd”", ("A",), True)],
    )
    for form in WRITABLE_FORMATS:
        write_ratings(ratings, folder / form, form)
    return {form: (folder / form).read_text() for form in WRITABLE_FORMATS}


@pytest.mark.parametrize("name", [*VALID, *(f"ours-{form}" for form in WRITABLE_FORMATS)])
def test_damaged_files_are_read_or_refused(tmp_path, written_files, name):
    content = written_files[name.removeprefix("ours-")] if name.startswith("ours-") else VALID[name]
    path = tmp_path / "ratings"
    path.write_text(content)
    read_ratings(path)
    rng = random.Random(name)
    refusals = []
    for _ in range(150):
        changed = damage_text(content.encode(), rng)
        if rng.random() < 0.3 and changed:
            changed = damage_text(changed, rng)
        path.write_bytes(changed)
        started = time.thread_time()
        for read in (read_ratings, read_journal):
            try:
                read(path)
            except QeError as error:
                refusals.append(error)
        # processor time of this thread, independent of other load
        assert time.thread_time() - started < 5
    assert len(refusals) > 20
    for error in refusals:
        assert error.place is not None, error.line()
        assert error.hint, error.line()
        assert "\n" not in error.line()
