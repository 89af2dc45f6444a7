"""Why an item may be skipped: the reasons that are offered, as ratings keep them, and as a person reads them.

They are kept in English, whatever is spoken: an owner can tell those of raters with other languages.
"""

from __future__ import annotations

from qe_desktop.ratings.campaign import Basis, Campaign
from qe_desktop.wording import tr

_OF_SOURCE = {
    "The source makes no sense": tr("The source makes no sense"),
    "The source is in the wrong language": tr("The source is in the wrong language"),
}
_OF_REFERENCE = {
    "The reference makes no sense": tr("The reference makes no sense"),
    "The reference is in the wrong language": tr("The reference is in the wrong language"),
}
_OF_TEXT = {"The text is in the wrong language": tr("The text is in the wrong language")}
_ALWAYS = {
    "The translation is empty or cut off": tr("The translation is empty or cut off"),
    "It cannot be judged without more context": tr("It cannot be judged without more context"),
    "I do not know enough about the subject": tr("I do not know enough about the subject"),
}
_SAID = _OF_SOURCE | _OF_REFERENCE | _OF_TEXT | _ALWAYS


def reasons(campaign: Campaign, *, target_only: bool) -> tuple[str, ...]:
    """Why an item may be skipped, as it is kept; `target_only`: neither source nor reference is shown."""
    shown = _OF_REFERENCE if campaign.basis is Basis.REFERENCE else _OF_SOURCE
    return (*(_OF_TEXT if target_only else shown), *_ALWAYS)


def reason_said(reason: str) -> str:
    """A reason that is kept as a person reads it; one in a rater's own words as it is."""
    return _SAID.get(reason, reason)
