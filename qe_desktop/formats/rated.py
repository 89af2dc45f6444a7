"""The ratings in a file that a plan takes for ratings, whatever it was recognised as."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.opening import open_file
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.regular_files import Watch
from qe_desktop.formats.system_scores import FORMAT as SYSTEM_SCORES
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qe_desktop.corpus import Ratings


def read_rated(file: PlannedFile, pair: str, size: int | None, watch: Watch) -> Ratings:
    """What people said. Lines with a score of a segment each must be as many as the `size` segments of the corpus."""
    # here, so that nobody waits for these formats who has no files of them
    from qe_desktop.formats.ratings import read_ratings
    from qe_desktop.formats.ratings.system_lines import read_people

    if file.format == SYSTEM_SCORES.name:
        return read_people(open_file(file.path, watch), size)
    return read_ratings(file.path, pair, unsure=True)


def refuse_again(known: Ratings | None, read: Sequence[Ratings]) -> None:
    """QeError where ratings of a file are added to those that are `known` already: each would count twice."""
    origins = [] if known is None else known.origin.split(", ")
    for ratings in read:
        if ratings.origin and ratings.origin in origins:
            message, hint = tr("the ratings of this file are open already"), tr("Open all files anew to read it again.")
            raise QeError(message, hint=hint, place=Place(ratings.origin))
