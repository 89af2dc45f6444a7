"""Small valid files of every format that the program reads, by name."""

from __future__ import annotations

import random
from pathlib import Path
from zipfile import ZIP_STORED

from qe_desktop.corpus import Comment, PairwiseJudgement, Ratings, Score
from qe_desktop.formats.ratings import WRITABLE_FORMATS, write_ratings
from tests.formats.bilingual.samples import NAMES, read_sample
from tests.formats.bilingual.workbook import pack_workbook, workbook_parts
from tests.formats.ratings.test_fuzz import VALID as RATED
from tests.formats.test_fuzz import MT, SOURCE, VALID, table, tag_lines

UNDAMAGED_FILES = ("t.src", "t.mt", "t.docs", "a.tags")
"""Undamaged files in the folder of the damaged one."""
_RNG = random.Random(5)


def _numbers(line: str, low: float = 0.0, high: float = 1.0) -> str:
    return " ".join(f"{_RNG.uniform(low, high):.4f}" for _ in line.split())


def corpus_files() -> dict[str, str]:
    """Return texts, tags, numbers, tables, alignments and documents."""
    return {
        **VALID,
        "t.pe": "".join(f"{line}\n" for line in MT),
        "t.ref": "".join(f"{line} .\n" for line in MT),
        "translations/one.txt": "".join(f"{line}\n" for line in MT),
        "translations/two.txt": "".join(f"{line} x\n" for line in MT),
        "one.tags": tag_lines().replace("\n", "\n\n").replace(" ", "\n"),
        "gaps.tags": tag_lines(extra=1),
        "t.source_tags": "".join(" ".join("OK" for _ in line.split()) + "\n" for line in SOURCE),
        "crlf.tags": tag_lines().replace("\n", "\r\n"),
        "small.tags": tag_lines().lower().replace("ok", "Good"),
        "binary.probs": "".join(" ".join(_RNG.choice("01") for _ in line.split()) + "\n" for line in MT),
        "lines.probs": "\n".join(_numbers(line).replace(" ", "\n") + "\n" for line in MT),
        "logs.probs": "".join(_numbers(line, -9, 0) + "\n" for line in MT),
        "z.scores": "1\n2\n3\n4\n",
        "wmt14.txt": "".join(
            f"1.{s}\t{i}\t{w} OK\tOK\tBAD\n" for s, line in enumerate(MT) for i, w in enumerate(line.split())
        ),
        "wmt20.txt": table("en-de\tm\tmt\t"),
        "wmt21.txt": "100\n200\n" + table("en-de\tm\tmt\t"),
        "gold20.txt": table("en-de\tREFERENCE\tmt\t") + table("en-de\tREFERENCE\tgap\t", [f"{line} x" for line in MT]),
        "scores15.txt": "".join(f"m\t{segment + 1}\t0.{segment}\t0\n" for segment in range(4)),
        "references/A.txt": "".join(f"{line} .\n" for line in MT),
        "metrics/TER.seg.score": "".join(
            f"{system}\t0.{segment}\n" for system in ("one", "two") for segment in range(4)
        ),
        "metrics/table.tsv": "segment\tone\ttwo\n" + "".join(f"{segment}\t0.{segment}\tNone\n" for segment in range(4)),
        "commas.csv": "seg,gold,one\n" + "".join(f'{segment},0.{segment},"0.5"\n' for segment in range(4)),
    }


def rating_files(folder: Path) -> dict[str, str]:
    """Return ratings in every format, including those that the program writes."""
    ratings = Ratings.of(
        [Score("Ada", "A", "1", "score", 3.5, started=1.7e9, seconds=2.0), Score("Ben", "B", "2", "z", -1.0, flags=1)],
        [
            PairwiseJudgement("Ada", "1", "A", "B+C", 1, 2, "s"),
            PairwiseJudgement("Ada", "2", "A", "B+C", 1, 1, "t", started=1.7e9),
        ],
        [Comment("Ada", "1", "“odd”", ("A",), True)],
    )
    files = {f"{name}.csv": content for name, content in RATED.items()}
    for form in WRITABLE_FORMATS:
        write_ratings(ratings, folder / form, form)
        files[f"ours-{form}.jsonl" if form == "jsonl" else f"ours-{form}.csv"] = (folder / form).read_text()
    files["xml.xml"] = files.pop("xml.csv")
    files["journal.jsonl"] = files.pop("journal.csv")
    return files


def job_files() -> dict[str, bytes]:
    """Return bilingual files of every format, and a workbook with uncompressed parts, so that damage affects them."""
    jobs = {f"job-{name}": read_sample(name) for name in NAMES}
    return jobs | {
        "job-book.xlsx": pack_workbook(workbook_parts(), ZIP_STORED),
        "job-packed.xlsx": pack_workbook(workbook_parts()),
    }
