"""Damaged files of every format are read, or refused with a one-line error; no other exception is raised."""

import gzip
import random
import time

import pytest

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.formats import build_corpus, plan_imports, read_probabilities, read_scores, read_tags

MT = ["Das ist gut .", "Ja !", "größer als „du“", "x"]
SOURCE = ["This is good .", "Yes !", "larger than you", "x y"]
RNG = random.Random(11)


def tag_lines(extra=0, each=1):
    return "".join(" ".join(RNG.choices(["OK", "BAD"], k=each * len(line.split()) + extra)) + "\n" for line in MT)


def table(front, words=MT):
    return "".join(
        f"{front}{segment}\t{index}\t{word}\t{RNG.choice(['OK', 'BAD'])}\n"
        for segment, line in enumerate(words)
        for index, word in enumerate(line.split())
    )


VALID = {
    "a.tags": tag_lines(),
    "b.tags": tag_lines(extra=1),
    "c.tags": tag_lines(extra=1, each=2),
    "d.txt": "1\n2\n3\n" + table("en-de\tm\tMT\t"),
    "e.txt": table("m\t"),
    "f.txt": "".join(
        f"1.{s}\t{i}\t{w}\tOK\tOK\tBAD\n" for s, line in enumerate(MT) for i, w in enumerate(line.split())
    ),
    "g.txt": table("en-de\tREFERENCE\tmt\t") + table("en-de\tREFERENCE\tsource\t", SOURCE),
    "h.probabilities": "".join(" ".join(f"{RNG.random():.4f}" for _ in line.split()) + "\n" for line in MT),
    "i.probabilities": "".join(" ".join(f"-{RNG.random():.4f}" for _ in line.split()) + " -1\n" for line in MT),
    "j.hter": "0.5\n0.25\n1e-3\n-2\n",
    "k.txt": "1\n2\n3\n" + "".join(f"en-de\tm\t{segment}\t0.{segment}\n" for segment in range(4)),
    "l.txt": "".join(f"m\t{segment}\t0.{segment}\t{segment + 1}\n" for segment in range(4)),
    "u.tsv": "seg\tgold\tA\tB\n" + "".join(f"{segment}\t0.{segment}\t-1\t{segment}e-3\n" for segment in range(4)),
    "v.tsv": "METRIC\tSID\tSCORE\tRANK\tHUMAN\n"
    + "".join(f"{name}\t{segment + 1}\t0.{segment}\t0\t{segment}\n" for name in "AB" for segment in range(4)),
    "t.src-mt.alignments": "0-0 1-1\n0-0 1-1\n\n1-0\n",
    "t.src": "".join(f"{line}\n" for line in SOURCE),
    "t.mt": "".join(f"{line}\n" for line in MT),
    "t.docs": "one\none\ntwo\ntwo\n",
}
ODD = [
    b"\0",
    b"\xff",
    b"\xc3",
    b"\r",
    b"\n",
    b"\t",
    b" ",
    b"OK",
    b"-",
    b"9" * 30,
    b"\xe2\x80\xa8",
    b"nan",
    b"1e400",
    b"<EOS>",
]


def damage_text(content: bytes, rng: random.Random) -> bytes:
    """Return the content with a flipped bit, a dropped, duplicated or shuffled line, an insertion or a truncation."""
    lines = content.splitlines(keepends=True)
    offset = rng.randrange(len(content))
    line = rng.randrange(len(lines))
    match rng.randrange(8):
        case 0:
            return content[:offset] + bytes([content[offset] ^ (1 << rng.randrange(8))]) + content[offset + 1 :]
        case 1:
            return b"".join(lines[:line] + lines[line + 1 :])
        case 2:
            return b"".join([*lines[:line], lines[line], *lines[line:]])
        case 3:
            return content[:offset]
        case 4:
            return content[:offset] + rng.choice(ODD) + content[offset:]
        case 5:
            return gzip.compress(content)[: rng.randrange(1, 60)]
        case 6:
            compressed = bytearray(gzip.compress(content))
            compressed[rng.randrange(2, len(compressed))] ^= 1 << rng.randrange(8)
            return bytes(compressed)
        case _:
            rng.shuffle(lines)
            return b"".join(lines)


@pytest.fixture
def folder(tmp_path):
    for name in ("t.src", "t.mt", "t.docs", "a.tags"):
        (tmp_path / name).write_text(VALID[name])
    return tmp_path


@pytest.mark.parametrize("name", VALID)
def test_undamaged_file_is_read(folder, name):
    (folder / name).write_text(VALID[name])
    for file_path in folder.iterdir():
        if file_path.name not in (name, "t.src", "t.mt"):
            file_path.unlink()
    (plan,) = plan_imports([folder])
    assert [file.problem for file in plan.files] == [None] * len(plan.files)
    assert build_corpus(plan).size == 4


@pytest.mark.parametrize("name", VALID)
def test_damaged_files_are_read_or_refused(folder, name):
    rng = random.Random(name)
    mt, source = TextColumn.of(MT), TextColumn.of(SOURCE)
    path = folder / name
    refusals: list[QeError] = []
    for _ in range(80):
        content = damage_text(VALID[name].encode(), rng)
        if rng.random() < 0.3 and content:
            content = damage_text(content, rng)
        path.write_bytes(content)
        started = time.thread_time()
        for read in (
            lambda: build_corpus(plan_imports([folder])[0]),
            lambda: read_tags(path, None, mt=mt, source=source),
            lambda: read_tags(path, None),
            lambda: read_scores(path),
            lambda: read_probabilities(path, mt=mt, pieces=mt),
        ):
            try:
                read()
            except QeError as error:
                refusals.append(error)
        # processor time of this thread, independent of other load
        assert time.thread_time() - started < 5
    assert len(refusals) > 80
    for error in refusals:
        assert error.place is not None, error.line()
        assert error.hint
        assert "\n" not in error.line()
