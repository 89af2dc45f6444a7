"""Profile that each rater fills in once: languages and expertise."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS, clean_text

LANGUAGE_LEVELS = ("first language", "very good", "good", "basic", "none")
"""Levels of language proficiency, best first. Profiles store these texts, and `EXPERTISE_LEVELS`, in English."""
EXPERTISE_LEVELS = (
    "professional translator",
    "translation student",
    "linguist",
    "machine translation developer or researcher",
    "none of these",
)


@dataclass(frozen=True, slots=True)
class RaterProfile:
    """Answers of a rater about languages and expertise; missing answers are empty.

    The language levels are from `LANGUAGE_LEVELS`, and `expertise` is from `EXPERTISE_LEVELS`.
    """

    source_level: str = ""
    target_level: str = ""
    other_languages: str = ""
    expertise: str = ""
    remarks: str = ""

    def text(self) -> str:
        """Return the profile as JSON text for the value of a “profile” event."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, text: str) -> RaterProfile:
        """Parse a profile from JSON text; unknown fields are ignored.

        The profile is empty if the text is not a JSON object.
        """
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(values, dict):
            return cls()
        field_names = {field.name for field in fields(cls)}
        values_of_fields = {
            name: str(value) for name, value in values.items() if name in field_names and value is not None
        }
        return cls(**{name: clean_text(text)[:MAX_TEXT_CHARS] for name, text in values_of_fields.items()})
