"""Reads damaged files in every way that a file can be read, in separate processes, and reports the results.

python -m tests.torture.damaged_files_run FOLDER FIRST BEYOND
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
from tests.tag_comparison import word_metrics
from tests.torture.file_damage import damage_content
from tests.torture.valid_files import UNDAMAGED_FILES, corpus_files, job_files, rating_files

Way = tuple[str, Callable[[], object]]
"""Name of a way in which a file can be read, and a function that does so."""
SMALL_BYTES = 20_000
"""Size in bytes below which files share a process."""
FILES_PER_PROCESS = 50
MAX_SHARED_BYTES = 300_000_000
"""Memory in bytes above which a process is not used for a further file."""
OF_RATINGS = ("ratings", "journal")
MAX_ADDRESS_BYTES = 6 << 30
"""Limit of a process's address space in bytes; the memory that it really uses is measured."""
MAX_CPU_SECONDS = 60
"""Seconds of CPU time after which reading a file counts as endless."""


def main(folder: str, first: int, beyond: int) -> None:
    """Read the files of a range, and print a line of JSON for each."""
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    texts = {**corpus_files(), **rating_files(root)}
    seeds = {name: text.encode() for name, text in texts.items()} | job_files()
    names = sorted(seeds)
    undamaged = {name: seeds[name] for name in UNDAMAGED_FILES}
    opened = root / "opened"
    write_files(opened, undamaged)
    write_files(root / "tried", undamaged)
    before = build_corpus(plan_imports([opened])[0])
    gc.freeze()
    batch: list[DamagedFile] = []
    for number in range(first, beyond):
        name = names[number % len(names)]
        item = DamagedFile(number, name, damage_content(seeds[name], number))
        if item.is_small() and number + 1 < beyond and len(batch) < FILES_PER_PROCESS:
            batch.append(item)
            continue
        for items in ([*batch, item],) if item.is_small() else (batch, [item]):
            report_results(root, undamaged, items, before)
        batch = []


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """A damaged file: its number, name and content."""

    number: int
    name: str
    content: bytes

    def is_small(self) -> bool:
        """Whether the file can hardly need much memory, so that it may share a process with others."""
        return len(self.content) < SMALL_BYTES and not self.content.startswith(b"\x1f\x8b")


def report_results(root: Path, undamaged: dict[str, bytes], files: list[DamagedFile], before: Corpus) -> None:
    """Print the results of files that share a process; if a file ends the process, a new one reads the rest."""
    while files:
        lines, ended, size = run_in_process(lambda files=files: read_files(root, undamaged, files, before))
        for item, line in zip(files, lines, strict=False):
            result = json.loads(line)
            about = {"number": item.number, "name": item.name, "size": len(item.content)}
            print(json.dumps({**about, **result, "bytes": size if len(files) == 1 else result["bytes"]}), flush=True)
        files = files[len(lines) :]
        if files and ended:
            item, *files = files
            restore_folders(root, undamaged, item)
            about = {"number": item.number, "name": item.name, "size": len(item.content)}
            print(json.dumps({**about, "fault": ended, "seconds": 0.0, "bytes": size}), flush=True)


def read_files(root: Path, undamaged: dict[str, bytes], files: list[DamagedFile], before: Corpus) -> None:
    """Read files until one needs so much memory that the use of further ones could not be measured."""
    for item in files:
        if read_one(root, undamaged, item, before) > MAX_SHARED_BYTES:
            return


def read_one(root: Path, undamaged: dict[str, bytes], item: DamagedFile, before: Corpus) -> int:
    """Read one file, write the result as a line to standard output, and return the peak memory in bytes."""
    folder = root / "tried"
    write_files(folder, {item.name: item.content})
    if item.name in UNDAMAGED_FILES:
        # overwrite, in place, the very file that was opened before
        write_files(root / "opened", {item.name: item.content})
    result = read_in_selected_ways(folder, item, before)
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    os.write(1, json.dumps({**result, "bytes": size}).encode() + b"\n")
    restore_folders(root, undamaged, item)
    return size


def restore_folders(root: Path, undamaged: dict[str, bytes], item: DamagedFile) -> None:
    """Restore the folders after a file was read."""
    if item.name in UNDAMAGED_FILES:
        for folder in (root / "tried", root / "opened"):
            write_files(folder, {item.name: undamaged[item.name]})
    else:
        (root / "tried" / item.name).unlink(missing_ok=True)


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write files into a folder."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def run_in_process(do: Callable[[], object]) -> tuple[list[bytes], str, int]:
    """Run a function in a separate process; return its output lines, how it failed, and its memory in bytes."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        os.dup2(writer, 1)
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MAX_ADDRESS_BYTES, MAX_ADDRESS_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
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
    _, status, usage = os.wait4(child, 0)
    ended = f"the process ended with {status} after {usage.ru_utime + usage.ru_stime:.0f} s" if status else ""
    return lines, ended, usage.ru_maxrss * 1024


def read_in_selected_ways(folder: Path, item: DamagedFile, before: Corpus) -> dict[str, Any]:
    """Read a file in every selected way; return the longest time and the first fault."""
    path, digest = folder / item.name, digest_of(before)
    worst, slowest, fault, refusals = 0.0, "", "", 0
    for way, do in select_ways(list(all_ways(folder, path, before)), item):
        start = time.process_time()
        try:
            do()
        except QeError as error:
            refusals += 1
            fault = fault or describe_bad_message(error, way)
        except BaseException:
            fault = fault or f"{way}: {traceback.format_exc()[-3000:]}"
        seconds = time.process_time() - start
        if seconds > worst:
            worst, slowest = seconds, way
    if digest_of(before) != digest:
        fault = fault or "what was opened before is another now"
    return {"fault": fault, "seconds": worst, "slowest": slowest, "refusals": refusals}


def describe_bad_message(error: QeError, way: str) -> str:
    """Describe what is wrong with an error message; empty if nothing is."""
    line = error.line()
    if "\n" in line or not error.hint or len(line) > 2000:
        return f"{way}: an error of {len(line)} characters, or without a hint: {line[:300]!r}"
    line.encode("utf-8")
    return ""


def all_ways(folder: Path, path: Path, before: Corpus) -> Iterator[Way]:
    """Yield all ways in which the program reads a file."""
    mt, source = before.text(TextRole.MT), before.text(TextRole.SOURCE)
    answers = QuestionAnswers(LineUnit.TOKENS, ProbabilityOf.OK)
    yield "folder", lambda: build_and_score(answer_all(plan_imports([folder])[0]))
    yield "added", lambda: build_corpus(answer_all(plan_imports([path])[0]), base_corpus=before)
    yield "tags", lambda: read_tags(path, None, mt=mt, source=source)
    yield "tags alone", lambda: read_tags(path, Kind.WORDS, lines=LineUnit.TOKENS)
    yield (
        "score words",
        lambda: tag_inputs.read_tag_inputs(str(folder / "a.tags"), [str(path)]),
    )
    yield "scores", lambda: read_scores(path)
    yield "probabilities", lambda: read_probabilities(path, mt=mt, answers=answers)
    yield "pieces", lambda: read_probabilities(folder / "a.tags", mt=mt, pieces=read_text(path), answers=answers)
    for format in FORMATS:
        yield format.name, lambda format=format: read(open_file(path), format.name)
    yield "ratings", lambda: read_ratings(path)
    yield "journal", lambda: read_journal(path)
    yield "job", lambda: rewrite_bilingual_file(path)


def select_ways(ways: list[Way], item: DamagedFile) -> list[Way]:
    """Select ways of reading a file: into a corpus, those that belong to its format, and some of the others."""
    rng = random.Random(item.number)
    if item.name.startswith("job-"):
        return [way for way in ways if way[0] == "job" or (way[0] == "folder" and item.number % 5 == 0)]
    rated = item.name.endswith((".csv", ".xml", ".jsonl"))
    into = ways[:2] if not item.is_small() else rng.choice((ways[:1], ways[1:2], [] if rated else ways[:1]))
    own = [way for way in ways[2:] if way[0] in OF_RATINGS] if rated else []
    rest = [way for way in ways[2:] if way not in own]
    return [*into, *own, *rng.sample(rest, 2 if rated else 4)]


def rewrite_bilingual_file(path: Path) -> object:
    """Read a bilingual file, write it unchanged, and write it with changed targets."""
    document = read_document(path)
    assert document.with_targets({}).data == document.text.data
    able = [
        number
        for number, segment in enumerate(document.segments)
        if segment.target_location is not None and not segment.locked
    ][:3]
    return document.with_targets({number: f"{document.segments[number].target_line} x" for number in able})


def answer_all(plan: CorpusPlan) -> CorpusPlan:
    """Return the import plan with all questions answered."""
    return plan.with_answer(ProbabilityOf.BAD).with_answer(LineUnit.TOKENS) if plan.files_with_questions() else plan


def build_and_score(plan: CorpusPlan) -> object:
    """Build a corpus and score all of its systems that have tags."""
    corpus = build_corpus(plan)
    gold = corpus.gold(Kind.WORDS)
    systems = [layer.tags for layer in corpus.find(Provenance.SYSTEM, Kind.WORDS)]
    return compute_totals(metric_families(word_metrics(WORD_METRICS)), gold.tags, systems) if gold and systems else None


def digest_of(corpus: Corpus) -> str:
    """Return a digest of the texts and layers of a corpus."""
    digest = hashlib.sha256()
    for text in corpus.texts.values():
        digest.update("\n".join(text.lines()).encode())
    for key, layer in corpus.layers.items():
        digest.update(str(key).encode())
        column = layer.column
        for part in (column.values, column.offsets) if hasattr(column, "offsets") else (column,):
            digest.update(part.tobytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
