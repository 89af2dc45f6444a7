"""Run a sampling study on a cluster in a separate process, because tests may not use the network.

Arguments: the address of the scheduler, the number of repetitions, a checkpoint file or an empty string, the timeout in
seconds, and certificate files. Prints a line after ten repetitions and waits for input; prints the result as JSON.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError
from qe_desktop.studies.sampling import executors as clusters
from qe_desktop.studies.sampling.sampling_study import study_sampling
from tests.studies.sampling.small_data_sets import METRICS, sampling_options, small_scoring

FULL = sampling_options(mode="full", sizes=(5, 400))
PAUSE = 10


def watch(done: int, total: int) -> None:
    if done == PAUSE:
        print("ten", flush=True)
        sys.stdin.readline()


def main(address: str, repetitions: str, resume: str, patience: str, *pem: str) -> None:
    clusters.MAX_SECONDS_WITHOUT_WORKERS = clusters.CONNECT_SECONDS = float(patience)
    chosen = replace(FULL, repetitions=int(repetitions))
    try:
        study = study_sampling(
            small_scoring(),
            METRICS,
            chosen,
            run=clusters.connect_cluster(address, clusters.Certificates(*pem)),
            on_progress=watch,
            resume=Path(resume) if resume else None,
        )
        end = "" if study.stop_reason is None else [type(study.stop_reason).__name__, study.stop_reason.line()]
        result = {"ended": end, "made": study.completed, "p": study.p.tolist(), "means": study.means.tolist()}
    except QeError as error:
        result = {"refused": [type(error).__name__, error.line()]}
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
