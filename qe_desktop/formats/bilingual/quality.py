"""What a translator's file says of the quality of a segment: scores of the whole, and issues of some of its words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quality:
    """A score of a segment. `kind` is what the file calls it, `value` in the file's own range, `system` who says so.

    `form` tells which words a value stands for, where the file has words (`corpus.score_words`).
    """

    kind: str
    value: float
    system: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """Something wrong from character `start` to `end` (exclusive) of the target's text, or of the source's.

    Codes are no characters. `type` is that of ITS 2.0 (8.12), or what the file has; `severity` 0–100, None where the
    file says nothing of it. `on_words` tells that it lies on these words, and is not said of the segment as a whole.
    """

    start: int
    end: int
    type: str = ""
    severity: float | None = None
    comment: str = ""
    of_source: bool = False
    on_words: bool = False
