"""Writing post-edits as the files of WMT18: source, MT and post-edit as tokens, tags of words and gaps, and HTER."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from qe_desktop.corpus import TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.numbers import write_scores
from qe_desktop.formats.tag_lines import write_tags
from qe_desktop.formats.writing import write_text


def write_wmt(
    folder: Path,
    name: str,
    *,
    source: Iterable[str],
    mt: TextColumn,
    post_edit: TextColumn,
    words: TagColumn,
    gaps: TagColumn,
    hter: Scores,
) -> tuple[Path, ...]:
    """Write NAME.src, .mt, .pe, .tags (gaps and words by turns, 2n+1) and .hter into a folder; gives the files.

    No source is written where all its lines are empty.
    """
    lines = [" ".join(line.split()) for line in source]
    texts = {"src": lines, "mt": list(mt.lines()), "pe": list(post_edit.lines())}
    written = []
    for suffix, text in texts.items():
        if any(text) or suffix != "src":
            written.append(folder / f"{name}.{suffix}")
            write_text(written[-1], "".join(f"{line}\n" for line in text))
    tags, rates = folder / f"{name}.tags", folder / f"{name}.hter"
    write_tags(tags, words, gaps=gaps)
    write_scores(rates, hter)
    return (*written, tags, rates)
