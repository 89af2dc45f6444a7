"""What is asked of a rater once: languages and expertise."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from qe_desktop.ratings.admitting import MOST_TEXT, clean_text
from qe_desktop.wording import tr

_LEVELS = {
    "first language": tr("first language"),
    "very good": tr("very good", "how well a language is known"),
    "good": tr("good", "how well a language is known"),
    "basic": tr("basic", "how well a language is known"),
    "none": tr("none", "how well a language is known"),
}
_EXPERTISE = {
    "professional translator": tr("professional translator"),
    "translation student": tr("translation student"),
    "linguist": tr("linguist"),
    "machine translation developer or researcher": tr("machine translation developer or researcher"),
    "none of these": tr("none of these"),
}
LEVELS = tuple(_LEVELS)
"""How well a rater knows a language, best first, as profiles keep it: in English, whatever is spoken."""
EXPERTISE = tuple(_EXPERTISE)
"""What a rater is, as profiles keep it."""


def answer_said(answer: str) -> str:
    """One of `LEVELS` or `EXPERTISE` as a person reads it; anything else as it is."""
    return (_LEVELS | _EXPERTISE).get(answer, answer)


@dataclass(frozen=True, slots=True)
class Profile:
    """A rater's own words: each field is empty until it is answered; levels are of `LEVELS`."""

    source_level: str = ""
    target_level: str = ""
    other_languages: str = ""
    expertise: str = ""
    remarks: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether everything that is asked has an answer."""
        return bool(self.source_level and self.target_level and self.expertise)

    def text(self) -> str:
        """As JSON text, the value of a “profile” event."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, text: str) -> Profile:
        """A profile from its JSON text; what is unknown or damaged is left out."""
        try:
            held = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(held, dict):
            return cls()
        known = {one.name for one in fields(cls)}
        return cls(**{name: clean_text(str(value))[:MOST_TEXT] for name, value in held.items() if name in known})
