"""Reads spoilt files in every way a file is read, each in a process of its own, and tells what became of it.

python -m tests.torture.reading_run FOLDER FIRST BEYOND
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qe_desktop.corpus import Corpus, Kind, Provenance, QeError, TextRole
from qe_desktop.formats import (
    CorpusPlan,
    LineUnit,
    ProbabilityOf,
    QuestionAnswers,
    build_corpus,
    open_file,
    plan_imports,
    read,
    read_probabilities,
    read_scores,
    read_tags,
    read_text,
)
from qe_desktop.formats.bilingual import read_document
from qe_desktop.formats.ratings import read_journal, read_ratings
from qe_desktop.formats.registry import FORMATS
from qe_desktop.levels.words import tag_inputs
from qe_desktop.metrics import WORD_METRICS, compute_totals, metric_families
from tests.comparing import word_metrics
from tests.torture.spoiling import spoilt
from tests.torture.whole_files import BESIDE, corpus_files, job_files, rating_files

Way = tuple[str, Callable[[], object]]
"""A way in which a file comes into the program, and what it is called."""
SMALL = 20_000
"""Bytes below which files share a process."""
AT_ONCE = 50
MUCH = 300_000_000
"""Bytes beyond which a process is not used for a further file."""
OF_RATINGS = ("ratings", "journal")
ROOM = 6 << 30
"""Bytes of addresses that a process may have; what it really takes is measured."""
GIVEN_UP = 60
"""Seconds of processor time after which a file counts as one that never ends."""


def main(folder: str, first: int, beyond: int) -> None:
    """Try the files of a range, and print a line of JSON for each."""
    here = Path(folder)
    here.mkdir(parents=True, exist_ok=True)
    texts = {**corpus_files(), **rating_files(here)}
    seeds = {name: text.encode() for name, text in texts.items()} | job_files()
    names = sorted(seeds)
    beside = {name: seeds[name] for name in BESIDE}
    opened = here / "opened"
    lay_out(opened, beside)
    lay_out(here / "tried", beside)
    before = build_corpus(plan_imports([opened])[0])
    gc.freeze()
    batch: list[Tried] = []
    for number in range(first, beyond):
        name = names[number % len(names)]
        one = Tried(number, name, spoilt(seeds[name], number))
        if one.is_small() and number + 1 < beyond and len(batch) < AT_ONCE:
            batch.append(one)
            continue
        for some in ([*batch, one],) if one.is_small() else (batch, [one]):
            tell(here, beside, some, before)
        batch = []


@dataclass(frozen=True, slots=True)
class Tried:
    """A spoilt file: its number, the name it has, what it holds."""

    number: int
    name: str
    content: bytes

    def is_small(self) -> bool:
        """Whether it can hardly take much, so that it may share a process with others."""
        return len(self.content) < SMALL and not self.content.startswith(b"\x1f\x8b")


def tell(here: Path, beside: dict[str, bytes], some: list[Tried], before: Corpus) -> None:
    """Print what became of some files that share a process; behind one that ends it, another one is begun."""
    while some:
        lines, ended, size = in_a_process(lambda some=some: one_by_one(here, beside, some, before))
        for one, line in zip(some, lines, strict=False):
            told = json.loads(line)
            about = {"number": one.number, "name": one.name, "size": len(one.content)}
            print(json.dumps({**about, **told, "bytes": size if len(some) == 1 else told["bytes"]}), flush=True)
        some = some[len(lines) :]
        if some and ended:
            one, *some = some
            put_back(here, beside, one)
            about = {"number": one.number, "name": one.name, "size": len(one.content)}
            print(json.dumps({**about, "fault": ended, "seconds": 0.0, "bytes": size}), flush=True)


def one_by_one(here: Path, beside: dict[str, bytes], some: list[Tried], before: Corpus) -> None:
    """Read some files, up to one that takes so much that what others take could not be told any more."""
    for one in some:
        if each(here, beside, one, before) > MUCH:
            return


def each(here: Path, beside: dict[str, bytes], one: Tried, before: Corpus) -> int:
    """Read one file, say what became of it in a line on the standard output, and give the bytes taken so far."""
    folder = here / "tried"
    lay_out(folder, {one.name: one.content})
    if one.name in BESIDE:
        # the very file that was opened before is written over, in place
        lay_out(here / "opened", {one.name: one.content})
    found = tried(folder, one, before)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    os.write(1, json.dumps({**found, "bytes": size}).encode() + b"\n")
    put_back(here, beside, one)
    return size


def put_back(here: Path, beside: dict[str, bytes], one: Tried) -> None:
    """Leave the folders as they were before a file was tried."""
    if one.name in BESIDE:
        for folder in (here / "tried", here / "opened"):
            lay_out(folder, {one.name: beside[one.name]})
    else:
        (here / "tried" / one.name).unlink(missing_ok=True)


def lay_out(folder: Path, files: dict[str, bytes]) -> None:
    """Write files into a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def in_a_process(do: Callable[[], object]) -> tuple[list[bytes], str, int]:
    """The lines that this writes in a process of its own, how that ended if not well, and the bytes that it took."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        os.dup2(writer, 1)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
        resource.setrlimit(resource.RLIMIT_CPU, (GIVEN_UP, GIVEN_UP))
        try:
            do()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        lines = [line for line in pipe.read().split(b"\n") if line]
    _, status, taken = os.wait4(child, 0)
    ended = f"the process ended with {status} after {taken.ru_utime + taken.ru_stime:.0f} s" if status else ""
    return lines, ended, taken.ru_maxrss * 1024


def tried(folder: Path, one: Tried, before: Corpus) -> dict[str, Any]:
    """Read a file in every way. The worst seconds that one of them took, and the first fault."""
    path, digest = folder / one.name, digest_of(before)
    worst, slowest, fault, refusals = 0.0, "", "", 0
    for way, do in chosen(list(ways(folder, path, before)), one):
        begun = time.process_time()
        try:
            do()
        except QeError as error:
            refusals += 1
            fault = fault or wrong_with(error, way)
        except BaseException:
            fault = fault or f"{way}: {traceback.format_exc()[-3000:]}"
        taken = time.process_time() - begun
        if taken > worst:
            worst, slowest = taken, way
    if digest_of(before) != digest:
        fault = fault or "what was opened before is another now"
    return {"fault": fault, "seconds": worst, "slowest": slowest, "refusals": refusals}


def wrong_with(error: QeError, way: str) -> str:
    """What is wrong with an error that people read."""
    line = error.line()
    if "\n" in line or not error.hint or len(line) > 2000:
        return f"{way}: an error of {len(line)} characters, or without a hint: {line[:300]!r}"
    line.encode("utf-8")
    return ""


def ways(folder: Path, path: Path, before: Corpus) -> Iterator[Way]:
    """All the ways in which a file comes into the program."""
    mt, source = before.text(TextRole.MT), before.text(TextRole.SOURCE)
    said = QuestionAnswers(LineUnit.TOKENS, ProbabilityOf.OK)
    yield "folder", lambda: scored(answered(plan_imports([folder])[0]))
    yield "added", lambda: build_corpus(answered(plan_imports([path])[0]), onto=before)
    yield "tags", lambda: read_tags(path, None, mt=mt, source=source)
    yield "tags alone", lambda: read_tags(path, Kind.WORDS, lines=LineUnit.TOKENS)
    yield (
        "score words",
        lambda: tag_inputs.read_tag_inputs(str(folder / "a.tags"), [str(path)]),
    )
    yield "scores", lambda: read_scores(path)
    yield "probabilities", lambda: read_probabilities(path, mt=mt, answers=said)
    yield "pieces", lambda: read_probabilities(folder / "a.tags", mt=mt, pieces=read_text(path), answers=said)
    for format in FORMATS:
        yield format.name, lambda format=format: read(open_file(path), format.name)
    yield "ratings", lambda: read_ratings(path)
    yield "journal", lambda: read_journal(path)
    yield "job", lambda: edited(path)


def chosen(found: list[Way], one: Tried) -> list[Way]:
    """The ways in which a file is read: into a corpus, those that belong to its form, and some of the others."""
    rng = random.Random(one.number)
    if one.name.startswith("job-"):
        return [way for way in found if way[0] == "job" or (way[0] == "folder" and one.number % 5 == 0)]
    rated = one.name.endswith((".csv", ".xml", ".jsonl"))
    into = found[:2] if not one.is_small() else rng.choice((found[:1], found[1:2], [] if rated else found[:1]))
    own = [way for way in found[2:] if way[0] in OF_RATINGS] if rated else []
    rest = [way for way in found[2:] if way not in own]
    return [*into, *own, *rng.sample(rest, 2 if rated else 4)]


def edited(path: Path) -> object:
    """A translator's file, as it is and with other targets; what it is not is refused, and nothing else differs."""
    document = read_document(path)
    assert document.with_targets({}).data == document.text.data
    able = [number for number, one in enumerate(document.segments) if one.place is not None and not one.locked][:3]
    return document.with_targets({number: f"{document.segments[number].target_line} x" for number in able})


def answered(chosen: CorpusPlan) -> CorpusPlan:
    """A plan in which all questions are answered."""
    return chosen.answered(ProbabilityOf.BAD).answered(LineUnit.TOKENS) if chosen.unanswered() else chosen


def scored(chosen: CorpusPlan) -> object:
    """A corpus, and the scores of all systems in it that have tags."""
    corpus = build_corpus(chosen)
    gold = corpus.gold(Kind.WORDS)
    systems = [layer.tags for layer in corpus.find(Provenance.SYSTEM, Kind.WORDS)]
    return compute_totals(metric_families(word_metrics(WORD_METRICS)), gold.tags, systems) if gold and systems else None


def digest_of(corpus: Corpus) -> str:
    """A digest of all that a corpus holds."""
    found = hashlib.sha256()
    for text in corpus.texts.values():
        found.update("\n".join(text.lines()).encode())
    for key, layer in corpus.layers.items():
        found.update(str(key).encode())
        column = layer.column
        for part in (column.values, column.offsets) if hasattr(column, "offsets") else (column,):
            found.update(part.tobytes())
    return found.hexdigest()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
