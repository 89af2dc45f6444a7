"""A study on a cluster in a process of its own, for tests reach for no network themselves.

Arguments: the scheduler's address, how many repetitions, a file of sums or nothing, seconds of patience, and files of
certificates. After ten repetitions it says so and waits for a line; at its end it says what it found, as JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError
from qe_desktop.studies.sampling import dask_cluster as clusters
from qe_desktop.studies.sampling.sampling_study import study_sampling
from tests.studies.sampling.made import METRICS, options, scoring

FULL = options(mode="full", sizes=(5, 400))
PAUSE = 10


def watch(done: int, total: int) -> None:
    if done == PAUSE:
        print("ten", flush=True)
        sys.stdin.readline()


def main(address: str, repetitions: str, resume: str, patience: str, *pem: str) -> None:
    clusters.MAX_SECONDS_WITHOUT_WORKERS = clusters.CONNECT_SECONDS = float(patience)
    asked = replace(FULL, repetitions=int(repetitions))
    try:
        study = study_sampling(
            scoring(),
            METRICS,
            asked,
            run=clusters.connect_cluster(address, clusters.Certificates(*pem)),
            watch=watch,
            resume=Path(resume) if resume else None,
        )
        ended = "" if study.ended is None else [type(study.ended).__name__, study.ended.line()]
        found = {"ended": ended, "made": study.made, "p": study.p.tolist(), "means": study.means.tolist()}
    except QeError as error:
        found = {"refused": [type(error).__name__, error.line()]}
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
