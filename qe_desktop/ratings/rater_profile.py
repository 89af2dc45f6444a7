"""What is asked of a rater once: languages and expertise."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS, clean_text

LANGUAGE_LEVELS = ("first language", "very good", "good", "basic", "none")
"""How well a rater knows a language, best first. Profiles keep these words, and those below, whatever is spoken."""
EXPERTISE_LEVELS = (
    "professional translator",
    "translation student",
    "linguist",
    "machine translation developer or researcher",
    "none of these",
)


@dataclass(frozen=True, slots=True)
class RaterProfile:
    """A rater's own words: each field is empty until it is answered; levels are of `LEVELS`."""

    source_level: str = ""
    target_level: str = ""
    other_languages: str = ""
    expertise: str = ""
    remarks: str = ""

    def text(self) -> str:
        """As JSON text, the value of a “profile” event."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, text: str) -> RaterProfile:
        """A profile from its JSON text; what is unknown or damaged is left out."""
        try:
            held = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(held, dict):
            return cls()
        known = {one.name for one in fields(cls)}
        return cls(**{name: clean_text(str(value))[:MAX_TEXT_CHARS] for name, value in held.items() if name in known})
