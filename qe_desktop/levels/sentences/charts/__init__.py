"""What can be seen of scores of segments, as Graham 2015 shows it. Each picture is made when somebody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.levels.level import Asked, Picture
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.levels.drawings import Panels


def _beside_gold(asked: Asked) -> Panels | str:
    # only the window draws, and only when somebody looks
    from qe_desktop.levels.sentences.pictures.beside_gold import beside_gold

    return beside_gold(asked)


def _if_rescaled(asked: Asked) -> Panels | str:
    from qe_desktop.levels.sentences.pictures.if_rescaled import if_rescaled

    return if_rescaled(asked)


def _between_systems(asked: Asked) -> Panels | str:
    from qe_desktop.levels.sentences.pictures.between_systems import between_systems

    return between_systems(asked)


PICTURES = (
    Picture(
        "beside-gold", tr("Beside the gold"),
        tr("The scores of the system chosen above beside the gold: each segment, and how they spread."),
        _beside_gold,
    ),
    Picture(
        "if-rescaled", tr("If rescaled"),
        tr("The errors that each system would have if its scores had the mean of the gold and half its deviation."),
        _if_rescaled,
    ),
    Picture(
        "between-systems", tr("Between systems"),
        tr("How the scores of systems correlate with each other."),
        _between_systems,
    ),
)  # fmt: skip
