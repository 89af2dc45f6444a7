"""Spoilt files of every format: they are read, or refused with one clear line, and never anything else."""

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


def spoilt(content: bytes, rng: random.Random) -> bytes:
    """The content with something flipped, dropped, doubled, swapped, inserted or cut."""
    lines = content.splitlines(keepends=True)
    place = rng.randrange(len(content))
    line = rng.randrange(len(lines))
    match rng.randrange(8):
        case 0:
            return content[:place] + bytes([content[place] ^ (1 << rng.randrange(8))]) + content[place + 1 :]
        case 1:
            return b"".join(lines[:line] + lines[line + 1 :])
        case 2:
            return b"".join([*lines[:line], lines[line], *lines[line:]])
        case 3:
            return content[:place]
        case 4:
            return content[:place] + rng.choice(ODD) + content[place:]
        case 5:
            return gzip.compress(content)[: rng.randrange(1, 60)]
        case 6:
            packed = bytearray(gzip.compress(content))
            packed[rng.randrange(2, len(packed))] ^= 1 << rng.randrange(8)
            return bytes(packed)
        case _:
            rng.shuffle(lines)
            return b"".join(lines)


@pytest.fixture
def folder(tmp_path):
    for name in ("t.src", "t.mt", "t.docs", "a.tags"):
        (tmp_path / name).write_text(VALID[name])
    return tmp_path


@pytest.mark.parametrize("name", VALID)
def test_the_unspoilt_file_is_read(folder, name):
    (folder / name).write_text(VALID[name])
    for other in folder.iterdir():
        if other.name not in (name, "t.src", "t.mt"):
            other.unlink()
    (found,) = plan_imports([folder])
    assert [file.problem for file in found.files] == [None] * len(found.files)
    assert build_corpus(found).size == 4


@pytest.mark.parametrize("name", VALID)
def test_spoilt_files_are_read_or_refused(folder, name):
    rng = random.Random(name)
    mt, source = TextColumn.of(MT), TextColumn.of(SOURCE)
    path = folder / name
    refusals: list[QeError] = []
    for _ in range(80):
        content = spoilt(VALID[name].encode(), rng)
        if rng.random() < 0.3 and content:
            content = spoilt(content, rng)
        path.write_bytes(content)
        begun = time.thread_time()
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
        # of this thread alone, whatever else the machine does
        assert time.thread_time() - begun < 5
    assert len(refusals) > 80
    for error in refusals:
        assert error.place is not None, error.line()
        assert error.hint
        assert "\n" not in error.line()
