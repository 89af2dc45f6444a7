"""Selection of the tokenizer by name or, as in sacreBLEU, by language.

The language is the target of the language pair or, if the pair is unknown, is inferred from the script of the texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.corpus.languages import parse_language, split_language_pair
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.text.tokenizers import check_tokenizer, install_command, is_available
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings

DEFAULT_TOKENIZER = "13a"
"""Tokenizer for all languages that are not in `TOKENIZERS_BY_LANGUAGE`."""
FALLBACK_TOKENIZER = "char"
"""Tokenizer used if that of the language is not available; WMT21 used `char` for BLEU of Japanese."""
TOKENIZERS_BY_LANGUAGE: Mapping[str, str] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""sacreBLEU's tokenizers by target language; all other languages use `DEFAULT_TOKENIZER`."""
SPACE_BASED_TOKENIZERS = ("13a", "intl", "mteval", "none")
"""Tokenizers that cannot find words in text written without spaces."""
_ALIASES = {
    **dict.fromkeys(("zho", "chi", "cmn", "yue", "wuu", "nan", "hak", "gan", "hsn", "lzh"), "zh"),
    "jpn": "ja",
    "kor": "ko",
}
"""ISO 639-2 and 639-3 codes that are treated as `zh` (Chinese languages), `ja` or `ko`."""
LANGUAGE_NAMES: Mapping[str, str] = {
    "zh": tr("Chinese"),
    "ja": tr("Japanese"),
    "ko": tr("Korean"),
    "th": tr("Thai"),
    "lo": tr("Lao"),
    "km": tr("Khmer"),
    "my": tr("Burmese"),
}
"""Names, by code, of the languages that are recognized by their script."""


@dataclass(frozen=True, slots=True)
class Tokenization:
    """Selected options for tokenizing the texts of text metrics.

    Parameters
    ----------
    tokenizer
        sacreBLEU name; empty for the default of the language.
    lowercase
        Whether to convert texts to lower case.
    stemmer
        Language of a stemmer (`metrics.text.stemming`), or None.
    references
        Number of references; 0 for any.
    ter_asian, ter_normalized
        Options `asian_support` and `normalized` of TER in sacreBLEU. If None, an option is set for Chinese and Japanese
        only.
    language_pair
        Language pair such as en-zh, which takes precedence over that of the corpus; empty if unknown.
    """

    tokenizer: str = ""
    lowercase: bool = False
    stemmer: str | None = None
    references: int = 0
    ter_asian: bool | None = None
    ter_normalized: bool | None = None
    language_pair: str = ""

    def validate(self) -> Tokenization:
        """Return this tokenization. Raises QeError if its tokenizer is unknown."""
        if self.tokenizer:
            check_tokenizer(self.tokenizer)
        return self

    def settings(self, corpus: Corpus | None = None) -> TranslationMetricSettings:
        """Return the settings for the texts of a corpus.

        Without a corpus, the target language depends on `language_pair` only.
        """
        language = target_language(self.language_pair, corpus)
        column = None if corpus is None else _target_text(corpus)
        # TER of Korean counts words separated by spaces
        is_unspaced = language in ("zh", "ja")
        return TranslationMetricSettings(
            self.tokenizer or default_tokenizer(language),
            self.lowercase,
            self.stemmer,
            self.references,
            language,
            is_unspaced if self.ter_asian is None else self.ter_asian,
            is_unspaced if self.ter_normalized is None else self.ter_normalized,
            "" if column is None else column.cjk_language() or column.unspaced_language(),
        )

    def remarks(self, settings: TranslationMetricSettings) -> list[str]:
        """Return notes on a tokenizer that is not available or does not suit the texts; empty if there are none."""
        language, script = settings.language, settings.script
        if not language:
            return [_script_remark(settings)] if script and settings.tokenizer in SPACE_BASED_TOKENIZERS else []
        recommended = TOKENIZERS_BY_LANGUAGE[language]
        if not self.tokenizer and settings.tokenizer != recommended:
            return [
                tr(
                    "Texts in {language} are split into characters (tokenizer {tokenizer}), because tokenizer {usual} "
                    "is not installed or does not work. Install it with: {command}.",
                    language=LANGUAGE_NAMES[language],
                    tokenizer=settings.tokenizer,
                    usual=recommended,
                    command=install_command(recommended),
                )
            ]
        if settings.tokenizer in SPACE_BASED_TOKENIZERS:
            return [tr(
                "The target language is {language}; use tokenizer {usual} instead of {tokenizer}.",
                language=LANGUAGE_NAMES[language], tokenizer=settings.tokenizer, usual=recommended,
            )]  # fmt: skip
        return []


DEFAULT_TOKENIZATION = Tokenization()
"""Tokenization with the defaults for the language of the texts."""


def default_tokenizer(language: str) -> str:
    """Return the default tokenizer of a language.

    Parameters
    ----------
    language
        `zh`, `ja`, `ko`, or empty for others, as returned by `target_language`.

    Returns
    -------
    str
        sacreBLEU name; `char` if the tokenizer of the language is not available.
    """
    preferred = TOKENIZERS_BY_LANGUAGE.get(language, DEFAULT_TOKENIZER)
    return preferred if is_available(preferred) else FALLBACK_TOKENIZER


def target_language(pair: str, corpus: Corpus | None) -> str:
    """Return the target language, or an empty string for a language that needs no tokenizer of its own.

    Parameters
    ----------
    pair
        Language pair such as en-zh; if it is empty, the pair of the corpus is used.
    corpus
        Corpus, or None. If a language of the pair is unknown, the target language is inferred from the script of the
        first reference or, without references, of the first translation or the MT.

    Returns
    -------
    str
        `zh`, `ja` or `ko`, else empty.
    """
    language_pair = split_language_pair(pair) if pair or corpus is None else corpus.source_and_target()
    source, target = (parse_language(name).language for name in language_pair)
    if source and target:
        code = _ALIASES.get(target, target)
        return code if code in TOKENIZERS_BY_LANGUAGE else ""
    column = None if corpus is None else _target_text(corpus)
    return "" if column is None else column.cjk_language()


def _script_remark(settings: TranslationMetricSettings) -> str:
    """Return a remark on a tokenizer that does not suit `settings.script`; `settings.language` must be empty."""
    language, tokenizer = LANGUAGE_NAMES[settings.script], settings.tokenizer
    if settings.script in TOKENIZERS_BY_LANGUAGE:
        return tr(
            "The references are in {language}, but the language pair has another target language; the tokenizer is "
            "{tokenizer}. Correct the language pair, or use tokenizer {usual}.",
            language=language, tokenizer=tokenizer, usual=TOKENIZERS_BY_LANGUAGE[settings.script],
        )  # fmt: skip
    return tr(
        "The references are in {language}, which is written without spaces between words, and no built-in tokenizer "
        "splits it into words. Use chrF, replace tokenizer {tokenizer} with char, or tokenize the texts first.",
        language=language, tokenizer=tokenizer,
    )  # fmt: skip


def _target_text(corpus: Corpus) -> TextColumn | None:
    """Return a text in the target language, preferably a reference, or None if the corpus has no such text."""
    columns = (*corpus.references.values(), *corpus.translations.values())
    mt = corpus.text(TextRole.RAW_MT) or corpus.text(TextRole.MT)
    return next(iter(columns), mt)
