"""The metrics of translations against references, by name, for a way of cutting texts into tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qe_desktop.metrics import bleu, characters, meteor, nist, unigrams, word_errors
from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.ter import TercomTokens, ter
from qe_desktop.metrics.tokenizers import Cut


@dataclass(frozen=True, slots=True)
class Settings:
    """How texts are cut: the tokeniser as sacreBLEU calls it, whether case counts, and what stems words, if anything.

    `references` is their number; 0 for as many as there are. `language` is `zh`, `ja` or `ko` where that is the
    language of the texts, else empty. `ter_asian` and `ter_normalized` are sacreBLEU's options of TER.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stemmer: str | None = None
    references: int = 0
    language: str = ""
    ter_asian: bool = False
    ter_normalized: bool = False

    @property
    def cut(self) -> Cut:
        """How metrics of words cut."""
        return Cut(self.tokenizer, self.lowercase, self.stemmer)

    @property
    def nist_cut(self) -> Cut:
        """How NIST cuts: as mteval does, in whose tokens case never counts; where these would be whole sentences, in
        the tokens of the other metrics.
        """
        tokenizer = self.tokenizer if self.language and self.tokenizer != "13a" else "mteval"
        return Cut(tokenizer, lowercase=True, stemmer=self.stemmer)

    @property
    def ter_cut(self) -> TercomTokens:
        """How TER cuts; as sacreBLEU has it, TER takes no notice of case."""
        return TercomTokens(normalized=self.ter_normalized, asian_support=self.ter_asian)


USUAL = Settings()
"""How texts of most languages are cut."""


def translation_metrics(settings: Settings | None = None) -> dict[str, Metric]:
    """All metrics of texts; a QeError where a tokeniser or a stemmer is not there."""
    settings = settings or Settings()
    cut, references = settings.cut, settings.references
    said = "|".join(f"{name}:{value}" for name, value in cut.signature.items())
    edits = ter(settings.ter_cut)
    found = [
        *bleu.bleu_metrics(bleu.Bleu(references, cut)),
        *nist.nist_metrics(nist.Nist(references, settings.nist_cut)),
        *characters.metrics(references, characters.Settings(lowercase=settings.lowercase)),
        replace(edits, signature=f"nrefs:{references or 'var'}|{edits.signature}"),
        *word_errors.metrics(cut, references, tokens=said),
        *unigrams.metrics(cut, references, tokens=said),
        *unigrams.metrics(cut, references, corpus="macro", tokens=said),
        *meteor.metrics(cut, references, tokens=said),
    ]
    return {metric.name: metric for metric in found}
