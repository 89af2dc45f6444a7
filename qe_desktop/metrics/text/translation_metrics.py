"""Metrics that compare translations with references, by name, and their tokenization settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from qe_desktop.metrics.family import Metric
from qe_desktop.metrics.ter import TercomLineTokenizer, ter_metric
from qe_desktop.metrics.text import bleu, chrf, meteor, nist, unigram_prf, wer_per
from qe_desktop.metrics.text.tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class TranslationMetricSettings:
    """Tokenization of texts, and the number of references.

    Parameters
    ----------
    tokenizer
        sacreBLEU name of the tokenizer.
    lowercase
        Whether to ignore case.
    stemmer
        Language of a stemmer (`metrics.text.stemming`), or None.
    references
        Number of references; 0 for any.
    language
        `zh`, `ja` or `ko` for texts in one of these languages, else empty.
    ter_asian, ter_normalized
        Options `asian_support` and `normalized` of TER in sacreBLEU.
    script
        Language inferred from the script of the texts: `zh`, `ja` or `ko`. For texts without spaces between words, it
        can also be `th`, `lo`, `km` or `my`. Empty for all other texts.
    """

    tokenizer: str = "13a"
    lowercase: bool = False
    stemmer: str | None = None
    references: int = 0
    language: str = ""
    ter_asian: bool = False
    ter_normalized: bool = False
    script: str = ""

    @property
    def word_tokenizer(self) -> Tokenizer:
        """Tokenizer of word-based metrics."""
        return Tokenizer(self.tokenizer, self.lowercase, self.stemmer)

    @property
    def nist_tokenizer(self) -> Tokenizer:
        """Tokenizer of NIST: `mteval`, always case-insensitive.

        For Chinese, Japanese and Korean, the tokenizer of the other metrics is used instead, unless it is `13a`.
        """
        tokenizer = self.tokenizer if self.language and self.tokenizer != "13a" else "mteval"
        return Tokenizer(tokenizer, lowercase=True, stemmer=self.stemmer)

    @property
    def ter_tokenizer(self) -> TercomLineTokenizer:
        """Tokenizer of TER, case-insensitive as in sacreBLEU."""
        return TercomLineTokenizer(normalized=self.ter_normalized, asian_support=self.ter_asian)


DEFAULT_METRIC_SETTINGS = TranslationMetricSettings()
"""Default settings, which suit most languages."""


def translation_metrics(settings: TranslationMetricSettings | None = None) -> dict[str, Metric]:
    """Return all text metrics.

    Parameters
    ----------
    settings
        Settings of the metrics; None for the defaults.

    Returns
    -------
    dict of str to Metric
        Metrics by name.

    Raises
    ------
    QeError
        If a tokenizer is unknown or not available. An unknown stemmer raises QeError only when texts are tokenized.
    """
    settings = settings or TranslationMetricSettings()
    tokenizer, references = settings.word_tokenizer, settings.references
    signature = "|".join(f"{name}:{value}" for name, value in tokenizer.signature.items())
    ter = ter_metric(settings.ter_tokenizer)
    metrics = [
        *bleu.bleu_metrics(bleu.BleuSettings(references, tokenizer)),
        *nist.nist_metrics(nist.NistSettings(references, settings.nist_tokenizer)),
        *chrf.chrf_metrics(references, chrf.ChrfSettings(lowercase=settings.lowercase)),
        replace(ter, signature=f"nrefs:{references or 'var'}|{ter.signature}"),
        *wer_per.word_error_metrics(tokenizer, references, tokens=signature),
        *unigram_prf.unigram_metrics(tokenizer, references, tokens=signature),
        *unigram_prf.unigram_metrics(tokenizer, references, corpus="macro", tokens=signature),
        *meteor.meteor_metrics(tokenizer, references, tokens=signature),
    ]
    return {metric.name: metric for metric in metrics}
