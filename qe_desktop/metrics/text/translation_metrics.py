"""The metrics of translations against references, by name, for a way of cutting texts into tokens."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.ter import TercomLineTokenizer, ter_metric
from qe_desktop.metrics.text import bleu, chrf, meteor, nist, unigram_prf, wer_per
from qe_desktop.metrics.text.tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class TranslationMetricSettings:
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
    def cut(self) -> Tokenizer:
        """How metrics of words cut."""
        return Tokenizer(self.tokenizer, self.lowercase, self.stemmer)

    @property
    def nist_cut(self) -> Tokenizer:
        """How NIST cuts: as mteval does, in whose tokens case never counts; where these would be whole sentences, in
        the tokens of the other metrics.
        """
        tokenizer = self.tokenizer if self.language and self.tokenizer != "13a" else "mteval"
        return Tokenizer(tokenizer, lowercase=True, stemmer=self.stemmer)

    @property
    def ter_cut(self) -> TercomLineTokenizer:
        """How TER cuts; as sacreBLEU has it, TER takes no notice of case."""
        return TercomLineTokenizer(normalized=self.ter_normalized, asian_support=self.ter_asian)


DEFAULT_METRIC_SETTINGS = TranslationMetricSettings()
"""How texts of most languages are cut."""


def translation_metrics(settings: TranslationMetricSettings | None = None) -> dict[str, Metric]:
    """All metrics of texts; a QeError where a tokeniser or a stemmer is not there."""
    settings = settings or TranslationMetricSettings()
    cut, references = settings.cut, settings.references
    said = "|".join(f"{name}:{value}" for name, value in cut.signature.items())
    edits = ter_metric(settings.ter_cut)
    found = [
        *bleu.bleu_metrics(bleu.BleuSettings(references, cut)),
        *nist.nist_metrics(nist.NistSettings(references, settings.nist_cut)),
        *chrf.chrf_metrics(references, chrf.ChrfSettings(lowercase=settings.lowercase)),
        replace(edits, signature=f"nrefs:{references or 'var'}|{edits.signature}"),
        *wer_per.word_error_metrics(cut, references, tokens=said),
        *unigram_prf.unigram_metrics(cut, references, tokens=said),
        *unigram_prf.unigram_metrics(cut, references, corpus="macro", tokens=said),
        *meteor.meteor_metrics(cut, references, tokens=said),
    ]
    return {metric.name: metric for metric in found}
