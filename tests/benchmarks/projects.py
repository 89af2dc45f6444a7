"""Large projects for benchmarks, created once per size, schema version and machine next to the large folders."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Provenance
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project.events import EditRow, new_uid
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables import schema
from tests.benchmarks.corpora import WORDS, write_large_folder

BATCH = 20_000


def write_large_project(segments: int) -> Path:
    """A project of the large folder's corpus, with as many edits of gold as segments, by two people."""
    folder = write_large_folder(segments)
    path = folder.with_name(f"{folder.name}-project-{schema.VERSION}.qedesk")
    if path.exists():
        return path
    part = path.with_suffix(f".{os.getpid()}.qedesk")
    corpus = build_corpus(plan_imports([folder])[0])
    Project.create(part, corpus, person="Anna").close()
    gold = next(layer for key, layer in corpus.layers.items() if key.provenance is Provenance.GOLD)
    rng = np.random.default_rng(3)
    where, which = rng.integers(0, segments, segments), rng.integers(0, WORDS, segments)
    before = gold.tags.values[where * WORDS + which]
    for person, start in (("Ben", 0), ("Anna", segments // 2)):
        with Project.open(part, person=person) as project:
            stop = segments if start else segments // 2
            for first in range(start, stop, BATCH):
                part_of = slice(first, min(stop, first + BATCH))
                project.append(
                    [
                        EditRow(
                            new_uid(), gold.key, segment, (word,), (1 - tag,), (tag,),
                            text=f"word {word + 1}, segment {segment + 1}", at=1.7e9 + first, person=person,
                            window=project.window,
                        )
                        for segment, word, tag in zip(
                            where[part_of].tolist(), which[part_of].tolist(), before[part_of].tolist(), strict=True
                        )
                    ]
                )  # fmt: skip
                project.flush()
    part.rename(path)
    return path
