"""Rules that a bilingual file states for a target: a maximum length, format strings, plural forms, a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class TargetRules:
    """Rules for the target of a segment, as stated in its file.

    `max_length` is the maximum number of characters, `max_bytes` the maximum number of UTF-8 bytes; 0 means no limit.
    `formats` are the format-string types of source and target, such as `c-format`. `context` (msgctxt) distinguishes
    entries with the same source. `language` and `source_language` are the target and source language as in the file;
    each is set only if the files of a corpus, or the parts of a file, have several such languages.

    The other fields are about plural forms (PO). `plural_source` is the plural of the source (msgid_plural), with
    which placeholders are compared. `may_omit_arguments` is true in entries with several plural forms if the form
    applies to few numbers, or if the header has no valid plural rule. `expected_forms` is the number of plural forms
    according to the header if the entry has a different number, else 0. `plural_form` is the 1-based number of the
    plural form; 0 for entries without plural forms. `lacks_plural_rule` is true if the entry has plural forms, but the
    header has no valid plural rule.
    """

    max_length: int = 0
    formats: tuple[str, ...] = ()
    plural_source: str = ""
    may_omit_arguments: bool = False
    expected_forms: int = 0
    plural_form: int = 0
    context: str = ""
    language: str = ""
    max_bytes: int = 0
    source_language: str = ""
    lacks_plural_rule: bool = False

    def is_length_allowed(self, text: str) -> bool:
        """Whether a target is within the length limits."""
        return (not self.max_length or len(text) <= self.max_length) and (
            not self.max_bytes or len(text.encode()) <= self.max_bytes
        )

    @property
    def variant(self) -> tuple[int, str]:
        """Plural form and context; if either differs, equal sources may have different translations."""
        return self.plural_form, self.context


NO_RULES = TargetRules()
_DEFAULTS = {field.name: field.default for field in fields(TargetRules)}


def rules_to_json(rules: TargetRules) -> dict[str, object]:
    """Convert rules to JSON-serializable values by name; default values are left out."""
    values = {name: getattr(rules, name) for name in _DEFAULTS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != _DEFAULTS[name]
    }


def rules_from_json(values: Mapping[str, object]) -> TargetRules:
    """Restore rules from `rules_to_json`; unknown names are ignored. Raises ValueError if a value is invalid."""
    validated: dict[str, object] = {}
    for name, default in _DEFAULTS.items():
        value = values.get(name, default)
        if name == "formats" and isinstance(value, list):
            value = tuple(value)
        if type(value) is not type(default):
            raise ValueError(f"invalid {name}")
        if isinstance(value, tuple) and not all(isinstance(part, str) for part in value):
            raise ValueError(f"invalid {name}")
        if isinstance(value, int) and value < 0:
            raise ValueError(f"negative {name}")
        validated[name] = value
    return TargetRules(**validated)  # type: ignore[arg-type]
