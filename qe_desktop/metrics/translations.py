"""The metrics of translations against references, by name, for a way of cutting texts into tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qe_desktop.metrics import bleu, characters, meteor, nist, unigrams, word_errors
from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.ter import ter
from qe_desktop.metrics.tokenizers import Cut


@dataclass(frozen=True, slots=True)
class Settings:
    """How texts are cut: the tokeniser as sacreBLEU calls it, whether case counts, and what stems words, if anything.

    `references` is their number; 0 for as many as there are.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stemmer: str | None = None
    references: int = 0

    @property
    def cut(self) -> Cut:
        """How metrics of words cut."""
        return Cut(self.tokenizer, self.lowercase, self.stemmer)


def translation_metrics(settings: Settings | None = None) -> dict[str, Metric]:
    """All metrics of texts; a QeError where a tokeniser or a stemmer is not there."""
    settings = settings or Settings()
    cut, references = settings.cut, settings.references
    said = "|".join(f"{name}:{value}" for name, value in cut.signature.items())
    # NIST has its own tokeniser, in which case never counts
    words = replace(nist.Nist().cut, stemmer=settings.stemmer)
    # as sacreBLEU has it, TER takes no notice of case
    edits = ter()
    found = [
        *bleu.bleu_metrics(bleu.Bleu(references, cut)),
        *nist.nist_metrics(nist.Nist(references, words)),
        *characters.metrics(references, characters.Settings(lowercase=settings.lowercase)),
        replace(edits, signature=f"nrefs:{references or 'var'}|{edits.signature}"),
        *word_errors.metrics(cut, references, tokens=said),
        *unigrams.metrics(cut, references, tokens=said),
        *unigrams.metrics(cut, references, corpus="macro", tokens=said),
        *meteor.metrics(cut, references, tokens=said),
    ]
    return {metric.name: metric for metric in found}
