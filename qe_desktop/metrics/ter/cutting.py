"""How TER cuts lines into tokens: as tercom does, in sacreBLEU's form (Snover et al. 2006; Post 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TercomTokens:
    """Tokens between white space, in lower case unless `case_sensitive`.

    `normalized` sets punctuation apart and resolves XML's entities; `no_punct` leaves punctuation out; `asian_support`
    makes either of them know Chinese and Japanese characters, and does nothing without one of them.
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The tokens of each line."""
        if not (self.normalized or self.no_punct):
            return [line.split() if self.case_sensitive else line.lower().split() for line in lines]
        # sacreBLEU takes a while to import, and the plain way needs none of it
        from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

        cut = TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        return [cut(line.rstrip()).split() for line in lines]

    @property
    def signature(self) -> str:
        """What sacreBLEU's signature says of these choices."""
        said = {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": _yes_or_no(self.normalized),
            "punct": _yes_or_no(not self.no_punct),
            "asian": _yes_or_no(self.asian_support),
        }
        return "|".join(f"{name}:{value}" for name, value in said.items())


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"
