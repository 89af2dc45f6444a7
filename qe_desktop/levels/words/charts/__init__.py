"""What can be seen of tags. Each picture is made when somebody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.levels.level import Asked, Picture
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.levels.drawings import Panels


def _hits_and_misses(asked: Asked) -> Panels | str:
    # only the window draws, and only when somebody looks
    from qe_desktop.levels.words.pictures.hits_and_misses import hits_and_misses

    return hits_and_misses(asked)


PICTURES = (
    Picture(
        "hits-and-misses", tr("Hits and misses"),
        tr("What each system did with what is BAD: found it, missed it, or raised a false alarm."),
        _hits_and_misses, at_once=True,
    ),
)  # fmt: skip
