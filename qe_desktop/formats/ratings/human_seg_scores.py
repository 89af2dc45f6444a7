"""Human segment scores of systems, one `system⇥score` per line, as the WMT metrics tasks publish them.

The lines of a system are in segment order; the score of an unrated segment is `None`. Raters and segments are not named
in the file: the rater is `MEAN_RATER`, and segments are numbered from 1. Only the file name indicates the content:
`mqm.seg.score` contains human scores, `COMET.seg.score` metric scores.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Ratings, ScoreRatings
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.importing.file_names import metric_name
from qe_desktop.formats.importing.questions import ScoreDirection
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.ratings.rating_format import RatingFormat
from qe_desktop.formats.ratings.wmt21_da import MEAN_RATER
from qe_desktop.formats.scores.metric_scores import check_score_sizes
from qe_desktop.formats.scores.score_direction import usual_direction
from qe_desktop.formats.scores.system_scores import is_system_scores, read_system_scores
from qe_desktop.i18n.messages import tr

SCALE = "score"
"""Scale name of human segment scores."""
_KINDS = "humans?|people|raters?|appraise|wmt|mqm|esa|da|p?sqm|csqm"
_HUMAN_NAME = re.compile(
    rf"(?:{_KINDS}|round\d+)(?:[-_.](?:{_KINDS}|raw|z|means?|avg|merged|(?:rater|round)?\d+))*", re.I
)


def is_human_scores_name(path: Path) -> bool:
    """Return whether a file has the name of human scores, such as `en-de.mqm.seg.score` or `wmt-z.seg.score`.

    Metrics whose names contain that of a human score, such as `COMET-DA` or `GEMBA-MQM`, do not count.
    """
    return _HUMAN_NAME.fullmatch(metric_name(path)) is not None


def read_human_scores(opened: TextFile, size: int | None = None) -> Ratings:
    """Read human scores. Penalties, such as those of MQM, are negated so that higher is better.

    `size` is the expected number of segments (None: any). Raises QeError as `read_system_scores` does, and if the
    number of segments is not `size`.
    """
    system_scores = read_system_scores(opened)
    check_score_sizes(system_scores.size, size, opened, next(iter(system_scores.systems)))
    values, negation_notes = without_penalties(opened.path, np.stack(list(system_scores.systems.values())))
    notes = (tr("segment scores; raters are not named"), *negation_notes)
    system, segment = np.nonzero(~np.isnan(values))
    rows = len(system)
    unknown = np.full(rows, np.nan)
    scores = ScoreRatings(
        (MEAN_RATER,), tuple(system_scores.systems), tuple(str(number) for number in range(1, system_scores.size + 1)),
        (SCALE,),
        np.zeros(rows, np.int32), system.astype(np.int32), segment.astype(np.int32), np.zeros(rows, np.int32),
        values[system, segment], np.zeros(rows, np.uint8), unknown, unknown, np.zeros(rows, np.uint8),
    )  # fmt: skip
    return Ratings(scores, origin=opened.name, notes=notes)


def without_penalties(path: Path, values: Scores) -> tuple[Scores, tuple[str, ...]]:
    """Negate the values of a file if they are penalties, so that higher is better.

    Returns the values, and a note if they were negated.
    """
    if usual_direction(metric_name(path), [values.ravel()]) is not ScoreDirection.LESS:
        return values, ()
    note = tr("scores are penalties; they are negated so that higher is better")
    return np.negative(values, where=values != 0, out=values.copy()), (note,)


def _confidence(head: bytes, name: str) -> float:
    return 0.97 if is_human_scores_name(Path(name)) and is_system_scores(head) else 0.0


def _read(opened: TextFile, language_pair: str) -> Ratings:
    return read_human_scores(opened)


FORMAT = RatingFormat("seg-score", tr("human segment scores, one system⇥score per line"), _confidence, _read)
