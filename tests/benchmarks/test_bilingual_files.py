"""How fast a bilingual file opens, relative to a pass of pyexpat over it with empty handlers.

QE_DESKTOP_BENCH_UNITS sets the size (100,000). A parse without handlers is measured too, and shown without a limit.
"""

from __future__ import annotations

import os
from pathlib import Path
from xml.parsers import expat

import numpy as np
import pytest

from qe_desktop.corpus import Corpus
from qe_desktop.formats.bilingual import read_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of

UNITS = int(os.environ.get("QE_DESKTOP_BENCH_UNITS", "100000"))
WORDS = "der die Pumpe startet von selbst Dichtung muss bündig sitzen bevor Deckel geschlossen wird".split()  # noqa: SIM905


def make_job(path: Path, units: int, seed: int) -> None:
    """Write an XLIFF of some 600 bytes per unit; every fifth unit has an inline code, every second a note."""
    rng = np.random.default_rng(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:'
        )
        file.write('1.2">\n<file original="a" source-language="en" target-language="de" datatype="x"><body>\n')
        for unit in range(units):
            words = [WORDS[index] for index in rng.integers(0, len(WORDS), 36)]
            code = f'<g id="1">{words[0]}</g> ' if unit % 5 == 0 else ""
            unit_note = f"<note>{words[1]} {words[2]}</note>\n" if unit % 2 else ""
            text = f"{' '.join(words[:20])} {code}&amp; {' '.join(words[20:])}."
            file.write(f'<trans-unit id="{unit}">\n<source>{text}</source>\n')
            file.write(f'<target state="needs-review-translation">{text}</target>\n{unit_note}</trans-unit>\n')
        file.write("</body></file></xliff>\n")


def pass_over(path: Path, *, with_handlers: bool) -> None:
    """Parse a file, with or without handlers of all elements and texts."""
    parser = expat.ParserCreate("UTF-8", " ")
    if with_handlers:
        parser.StartElementHandler = lambda name, attributes: None
        parser.EndElementHandler = lambda name: None
        parser.CharacterDataHandler = lambda text: None
    parser.Parse(path.read_bytes(), True)


@pytest.mark.benchmark
def test_time_of_reading_xliff_relative_to_pyexpat(benchmark, tmp_path):
    path = tmp_path / "job.xlf"
    make_job(path, UNITS, seed=1)
    document = benchmark.pedantic(read_document, (path,), rounds=2, warmup_rounds=1)
    assert len(document.segments) == UNITS
    time_ratio = time_ratio_of(lambda: read_document(path), lambda: pass_over(path, with_handlers=True), times=3)
    handlers_ratio = time_ratio_of(
        lambda: pass_over(path, with_handlers=True), lambda: pass_over(path, with_handlers=False), times=3
    )
    record_figure(f"open an XLIFF of {UNITS:,} units: relative to a pass of pyexpat", time_ratio, 4)
    record_figure("the same pass relative to one without handlers", handlers_ratio, float("inf"))
    assert time_ratio > 1


@pytest.mark.benchmark
def test_time_of_building_a_corpus_relative_to_pyexpat(benchmark, tmp_path):
    """The words of source and target are tokenized."""
    path = tmp_path / "job.xlf"
    make_job(path, UNITS, seed=1)
    document = read_document(path)
    corpus = benchmark.pedantic(corpus_from_documents, ([document], "job"), rounds=2, warmup_rounds=1)
    assert corpus.size == UNITS
    time_ratio = time_ratio_of(
        lambda: corpus_from_documents([document], "job"), lambda: pass_over(path, with_handlers=True), times=3
    )
    record_figure(f"a corpus of {UNITS:,} segments: relative to a pass of pyexpat", time_ratio, 2)


@pytest.mark.benchmark
def test_time_of_opening_xliff_relative_to_pyexpat(benchmark, tmp_path):
    """Reading and building a corpus in one go, because a user waits for both."""
    path = tmp_path / "job.xlf"
    make_job(path, UNITS, seed=1)

    def opened() -> Corpus:
        return corpus_from_documents([read_document(path)], "job")

    assert benchmark.pedantic(opened, rounds=2, warmup_rounds=1).size == UNITS
    time_ratio = time_ratio_of(opened, lambda: pass_over(path, with_handlers=True))
    record_figure(f"open an XLIFF of {UNITS:,} segments as a corpus: relative to a pass of pyexpat", time_ratio, 5)
