"""Registry of protocols by id. A new protocol needs a module and an entry in `PROTOCOLS`."""

from __future__ import annotations

from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols.adequacy_fluency import ADEQUACY, ADEQUACY_FLUENCY, FLUENCY
from qe_desktop.ratings.protocols.direct_assessment import DIRECT_ASSESSMENT
from qe_desktop.ratings.protocols.protocol import Protocol, language_name, skip_reason_ids, skip_reason_text
from qe_desktop.ratings.protocols.ranking import PAIRWISE, RANK

__all__ = [
    "PROTOCOLS",
    "Protocol",
    "find_scale",
    "get_protocol",
    "language_name",
    "scale_title",
    "skip_reason_text",
    "skip_reasons",
]

PROTOCOLS: dict[str, Protocol] = {
    protocol.id: protocol for protocol in (ADEQUACY_FLUENCY, ADEQUACY, FLUENCY, RANK, PAIRWISE, DIRECT_ASSESSMENT)
}


def get_protocol(name: str) -> Protocol:
    """Return the protocol with the id `name`.

    Raises QeError, which lists the available ids, if the id is unknown.
    """
    if name not in PROTOCOLS:
        raise QeError(
            tr("there is no protocol “{name}”", name=name), hint=tr("Use one of {names}.", names=", ".join(PROTOCOLS))
        )
    return PROTOCOLS[name]


def find_scale(name: str) -> ScaleAnswer | None:
    """Return the scale with this name; None if no protocol has such a scale (rating files may have other scales)."""
    scales = (scale for protocol in PROTOCOLS.values() for scale in protocol.scales)
    return next((scale for scale in scales if scale.name == name), None)


def scale_title(name: str) -> str:
    """Return the title of a scale or, if no protocol has the scale, its name in sentence case.

    >>> scale_title("adequacy"), scale_title("ease of use")
    ('Adequacy', 'Ease of use')
    """
    scale = find_scale(name)
    return sentence_case(name) if scale is None else scale.title


def skip_reasons(campaign: Campaign, *, revealed: bool = True) -> tuple[str, ...]:
    """Return the ids of reasons for skipping an item (see `skip_reason_text`); raters may also write their own.

    If the source or reference is not yet `revealed`, the reasons that concern it are left out.
    """
    return skip_reason_ids(campaign, target_only=not revealed or get_protocol(campaign.protocol).target_only)
