"""Derive the bundled sample corpora from their hand-written texts.

Each folder ``resources/samples/<pair>`` contains two hand-written files, ``authored.tsv`` (document, source, machine
translation, post-edit) and ``lexicon.tsv`` (word pairs for the word alignment; a trailing ``*`` matches any ending, and
the target ``-`` excludes the source word from all links), and optionally ``translations.tsv`` (one column per further
MT system) and ``reference_translations.tsv`` (one column per reference).  Every other file of the folder is derived
here, deterministically.

Gold tags
    The MT is aligned with its post-edit with the fewest word edits, respecting case.  Among several such alignments,
    the one that keeps the most words is used, then the one whose substituted words are most similar.  A substituted or
    deleted MT word is BAD; a gap is BAD if post-edit words were inserted there.  HTER is the number of edits divided by
    the number of words of the post-edit.

Word alignments
    IBM model 1 with a prior for the diagonal is trained by EM in both directions on the source with the post-edit and
    the source with the MT.  Known pairs (in the lexicon, with equal or similar spelling, or with equal numbers) get
    prior counts; punctuation links only to punctuation of the same kind.  The links are the pairs that both directions
    select; then known pairs that one direction selects, of two words without links, or of a word without links and one
    that is linked to a close neighbour of it; then other known pairs of two words without links, the nearest to the
    diagonal first; then pairs of two words without links that one direction selects with a high probability.  The words
    of a pair that is not known must occur together in several segments, and neither may have a known partner in the
    segment.

Source tags
    A source word is BAD if it is linked to a BAD MT word, or to a word of the post-edit that the MT lacks.

Detokenized texts
    ``sample.raw.*`` and the files in ``translations/`` and ``references/`` are detokenized.  All computations use the
    tokens.

Simulated systems
    The files in ``systems/`` are not the output of real systems.  For each word of the MT

        score = signal x evidence + difficulty + common noise + own noise

    where the evidence is the gold tag (1 for BAD) plus small weights of its neighbours' tags, and the difficulty is
    that of the segment (normal noise plus the difference of its share of BAD words from the average).  The common noise
    is the same for the four systems; both noises are smoothed over neighbouring words, so that errors form spans.  A
    system flags the ``rate`` x (number of BAD words in the gold) words with the highest scores; the published
    probability is a logistic function of the distance to that threshold.  Gaps are treated in the same way, with scores
    of their own.  All noise comes from ``random.Random``, seeded with the pair's number in ``SEEDS``, the pair's name
    and, for a system's own noise, ``simulated-`` with its name.  A system's sentence score is the HTER that it
    predicts: the sum of its probabilities of all words and gaps, divided by the number of words.

Simulated metric
    The scores in ``metrics/simulated-metric.seg.score`` are not those of a real metric.  A score is the logistic
    function of the quality of an output as all simulated raters see it, its closeness to the nearest reference in word
    edits, and noise; see ``sampling/metric.py``.

Simulated ratings
    ``sample.ratings.jsonl`` contains the ratings of three simulated raters; see ``sampling/campaign.py``.

Bilingual files
    ``jobs/qe/sample-qe.tags`` contains the tags of the system ``strong`` for the words of
    ``jobs/en-de/manuals.sdlxliff``.

Run ``python tools/make_samples.py`` to rewrite the derived files, or with ``--check`` only to compare them (exit code 1
if they differ).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sampling.alignment import DIAGONAL, Aligner, tag_source
from sampling.authored import Lexicon, Segment, read_authored, read_columns
from sampling.campaign import simulated_ratings
from sampling.gold import align_edits, interleave
from sampling.jobs import JOB, SYSTEM, TAGS, job_tags
from sampling.metric import simulated_scores
from sampling.simulation import SEEDS, SYSTEMS, predicted_hter, simulate
from sampling.written import as_written

PAIRS = tuple(SEEDS)
SAMPLES = Path(__file__).resolve().parent.parent / "resources" / "samples"
BY_HAND = frozenset({"authored.tsv", "lexicon.tsv", "translations.tsv", "reference_translations.tsv"})


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _tags(rows: Sequence[Sequence[bool]]) -> str:
    return _lines([" ".join("BAD" if flag else "OK" for flag in row) for row in rows])


def derive(folder: Path) -> dict[str, str]:
    """Return the texts of the derived files of a language pair, by path in its folder."""
    segments = read_authored(folder / "authored.tsv")
    edits = [align_edits(segment.mt, segment.pe) for segment in segments]
    bitext = [(segment.source, segment.pe) for segment in segments]
    bitext += [(segment.source, segment.mt) for segment in segments]
    aligner = Aligner(bitext, Lexicon.read(folder / "lexicon.tsv"), DIAGONAL[folder.name])
    mt_links = [aligner.links(segment.source, segment.mt) for segment in segments]
    pe_links = [aligner.links(segment.source, segment.pe) for segment in segments]
    source_bad = [tag_source(*parts) for parts in zip(segments, edits, mt_links, pe_links, strict=True)]
    files = {
        "sample.src": _lines([" ".join(segment.source) for segment in segments]),
        "sample.mt": _lines([" ".join(segment.mt) for segment in segments]),
        "sample.pe": _lines([" ".join(segment.pe) for segment in segments]),
        "sample.docs": _lines([segment.document for segment in segments]),
        "sample.tags": _tags([edit.interleaved() for edit in edits]),
        "sample.source_tags": _tags(source_bad),
        "sample.src-mt.alignments": _lines([" ".join(f"{i}-{j}" for i, j in links) for links in mt_links]),
        "sample.hter": _lines(
            [f"{edit.count / len(segment.pe):.6f}" for edit, segment in zip(edits, segments, strict=True)]
        ),
    }
    for system in SYSTEMS:
        words = simulate(system, folder.name, "words", [edit.word_bad for edit in edits])
        gaps = simulate(system, folder.name, "gaps", [edit.gap_bad for edit in edits])
        flags = [
            interleave([chance > 0.5 for chance in row], [chance > 0.5 for chance in between])
            for row, between in zip(words, gaps, strict=True)
        ]
        files[f"systems/{system.name}.tags"] = _tags(flags)
        files[f"systems/{system.name}.hter"] = _lines([f"{score:.4f}" for score in predicted_hter(words, gaps)])
        if system.probabilities:
            rows = [" ".join(f"{chance:.4f}" for chance in row) for row in words]
            files[f"systems/{system.name}.probabilities"] = _lines(rows)
    return {**files, **_as_written(folder, segments), **_for_judging(folder, segments)}


def _as_written(folder: Path, segments: Sequence[Segment]) -> dict[str, str]:
    """Return the files with the detokenized source, MT and post-edit of a pair."""
    source, target = folder.name.split("-")
    return {
        "sample.raw.src": _lines([as_written(segment.source, source) for segment in segments]),
        "sample.raw.mt": _lines([as_written(segment.mt, target) for segment in segments]),
        "sample.raw.pe": _lines([as_written(segment.pe, target) for segment in segments]),
    }


def _for_judging(folder: Path, segments: Sequence[Segment]) -> dict[str, str]:
    """Return the files with further MT systems, references, ratings, and metric scores of a pair, if it has any."""
    further = read_columns(folder / "translations.tsv", len(segments))
    references = read_columns(folder / "reference_translations.tsv", len(segments))
    target = folder.name.split("-")[1]
    files = {
        f"{place}/{name}.txt": _lines([as_written(line.split(" "), target) for line in lines])
        for place, texts in (("translations", further), ("references", references))
        for name, lines in texts.items()
    }
    translations = {"MT": [" ".join(segment.mt) for segment in segments], **further}
    if further:
        sources = [" ".join(segment.source) for segment in segments]
        documents = [segment.document for segment in segments]
        files["sample.ratings.jsonl"] = simulated_ratings(sources, documents, translations)
    if further and references:
        files["metrics/simulated-metric.seg.score"] = simulated_scores(translations, references.values())
    return files


def derive_jobs(samples: Path) -> dict[str, str]:
    """Return the texts of the files derived from a bilingual file and the sample, by path in the samples' folder."""
    pair = samples / "en-de"
    lines = [(pair / name).read_text(encoding="utf-8").splitlines() for name in ("sample.raw.mt", "sample.mt", SYSTEM)]
    return {TAGS: _tags(job_tags(samples / JOB, *lines))}


def job_differences(samples: Path) -> list[str]:
    """Return the names of the files derived from bilingual files that are missing or outdated."""
    files = derive_jobs(samples)
    return [
        name for name, text in files.items() if not (samples / name).is_file() or _read(samples / name) != text.encode()
    ]


def differences(folder: Path) -> list[str]:
    """Return the names of a pair's files that are missing, outdated, or neither derived nor hand-written."""
    files = derive(folder)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - BY_HAND
    wrong = [name for name, text in files.items() if name not in found or _read(folder / name) != text.encode()]
    return sorted([*wrong, *(found - set(files))])


def _read(path: Path) -> bytes:
    return path.read_bytes()


def write(folder: Path, files: dict[str, str] | None = None) -> list[str]:
    """Write `files` to a folder, or the derived files of its pair if `files` is None; return their names."""
    files = derive(folder) if files is None else files
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return sorted(files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite or check the sample corpora; return the exit code, 1 if a check fails."""
    parser = argparse.ArgumentParser(description="Derive the bundled sample corpora from their hand-written texts.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file differs")
    parser.add_argument(
        "--samples",
        type=Path,
        default=SAMPLES,
        help="the folder with one subfolder per language pair (default: resources/samples)",
    )
    options = parser.parse_args(arguments)
    code = 0
    for pair in PAIRS:
        folder = options.samples / pair
        if not options.check:
            print(f"{pair}: files written: {len(write(folder))}")
            continue
        for name in differences(folder):
            print(f"{pair}/{name} does not match the output of tools/make_samples.py", file=sys.stderr)
            code = 1
    if not options.check:
        print(f"jobs: files written: {len(write(options.samples, derive_jobs(options.samples)))}")
        return code
    for name in job_differences(options.samples):
        print(f"{name} does not match the output of tools/make_samples.py", file=sys.stderr)
        code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
