"""Sentences shared by the instructions of several protocols: basis of comparison, context, and closing advice.

Raters compare translations with the meaning of the source or, if no source is displayed, of the reference.
"""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Campaign, EvaluationBasis

_LANGUAGE_NAMES = {
    "af": tr("Afrikaans"), "am": tr("Amharic"), "ar": tr("Arabic"), "as": tr("Assamese"), "az": tr("Azerbaijani"),
    "be": tr("Belarusian"), "bg": tr("Bulgarian"), "bn": tr("Bengali"), "bs": tr("Bosnian"), "ca": tr("Catalan"),
    "cs": tr("Czech"), "cy": tr("Welsh"), "da": tr("Danish"), "de": tr("German"), "el": tr("Greek"),
    "en": tr("English"), "eo": tr("Esperanto"), "es": tr("Spanish"), "et": tr("Estonian"), "eu": tr("Basque"),
    "fa": tr("Persian"), "fi": tr("Finnish"), "fr": tr("French"), "ga": tr("Irish"), "gl": tr("Galician"),
    "gu": tr("Gujarati"), "ha": tr("Hausa"), "he": tr("Hebrew"), "hi": tr("Hindi"), "hr": tr("Croatian"),
    "hu": tr("Hungarian"), "hy": tr("Armenian"), "id": tr("Indonesian"), "ig": tr("Igbo"), "is": tr("Icelandic"),
    "it": tr("Italian"), "iu": tr("Inuktitut"), "ja": tr("Japanese"), "jv": tr("Javanese"), "ka": tr("Georgian"),
    "kk": tr("Kazakh"), "km": tr("Khmer"), "kn": tr("Kannada"), "ko": tr("Korean"), "ku": tr("Kurdish"),
    "ky": tr("Kyrgyz"), "la": tr("Latin"), "lb": tr("Luxembourgish"), "lo": tr("Lao"), "lt": tr("Lithuanian"),
    "lv": tr("Latvian"), "mg": tr("Malagasy"), "mi": tr("Māori"), "mk": tr("Macedonian"), "ml": tr("Malayalam"),
    "mn": tr("Mongolian"), "mr": tr("Marathi"), "ms": tr("Malay"), "mt": tr("Maltese"), "my": tr("Burmese"),
    "nb": tr("Norwegian"), "ne": tr("Nepali"), "nl": tr("Dutch"), "nn": tr("Norwegian Nynorsk"), "no": tr("Norwegian"),
    "om": tr("Oromo"), "or": tr("Odia"), "pa": tr("Punjabi"), "pl": tr("Polish"), "ps": tr("Pashto"),
    "pt": tr("Portuguese"), "ro": tr("Romanian"), "ru": tr("Russian"), "rw": tr("Kinyarwanda"), "sd": tr("Sindhi"),
    "si": tr("Sinhala"), "sk": tr("Slovak"), "sl": tr("Slovenian"), "so": tr("Somali"), "sq": tr("Albanian"),
    "sr": tr("Serbian"), "sv": tr("Swedish"), "sw": tr("Swahili"), "ta": tr("Tamil"), "te": tr("Telugu"),
    "tg": tr("Tajik"), "th": tr("Thai"), "ti": tr("Tigrinya"), "tk": tr("Turkmen"), "tl": tr("Tagalog"),
    "tr": tr("Turkish"), "tt": tr("Tatar"), "ug": tr("Uyghur"), "uk": tr("Ukrainian"), "ur": tr("Urdu"),
    "uz": tr("Uzbek"), "vi": tr("Vietnamese"), "xh": tr("Xhosa"), "yi": tr("Yiddish"), "yo": tr("Yoruba"),
    "zh": tr("Chinese"), "zu": tr("Zulu"),
}  # fmt: skip
_TWO_LETTER_CODES = {
    "afr": "af", "amh": "am", "ara": "ar", "asm": "as", "aze": "az", "bel": "be", "bul": "bg", "ben": "bn",
    "bos": "bs", "cat": "ca", "ces": "cs", "cze": "cs", "cym": "cy", "wel": "cy", "dan": "da", "deu": "de",
    "ger": "de", "ell": "el", "gre": "el", "eng": "en", "epo": "eo", "spa": "es", "est": "et", "baq": "eu",
    "eus": "eu", "fas": "fa", "per": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "gle": "ga", "glg": "gl",
    "guj": "gu", "hau": "ha", "heb": "he", "hin": "hi", "hrv": "hr", "hun": "hu", "arm": "hy", "hye": "hy",
    "ind": "id", "ibo": "ig", "ice": "is", "isl": "is", "ita": "it", "iku": "iu", "jpn": "ja", "jav": "jv",
    "geo": "ka", "kat": "ka", "kaz": "kk", "khm": "km", "kan": "kn", "kor": "ko", "kur": "ku", "kir": "ky",
    "lat": "la", "ltz": "lb", "lao": "lo", "lit": "lt", "lav": "lv", "mlg": "mg", "mao": "mi", "mri": "mi",
    "mac": "mk", "mkd": "mk", "mal": "ml", "mon": "mn", "mar": "mr", "may": "ms", "msa": "ms", "mlt": "mt",
    "bur": "my", "mya": "my", "nob": "nb", "nep": "ne", "dut": "nl", "nld": "nl", "nno": "nn", "nor": "no",
    "orm": "om", "ori": "or", "pan": "pa", "pol": "pl", "pus": "ps", "por": "pt", "ron": "ro", "rum": "ro",
    "rus": "ru", "kin": "rw", "snd": "sd", "sin": "si", "slk": "sk", "slo": "sk", "slv": "sl", "som": "so",
    "alb": "sq", "sqi": "sq", "srp": "sr", "swe": "sv", "swa": "sw", "tam": "ta", "tel": "te", "tgk": "tg",
    "tha": "th", "tir": "ti", "tuk": "tk", "tgl": "tl", "tur": "tr", "tat": "tt", "uig": "ug", "ukr": "uk",
    "urd": "ur", "uzb": "uz", "vie": "vi", "xho": "xh", "yid": "yi", "yor": "yo", "chi": "zh", "zho": "zh",
    "zul": "zu",
}  # fmt: skip
"""Maps ISO 639-2 codes (three letters) to ISO 639-1 codes (two letters)."""


def language_name(language: str) -> str:
    """Return the name of a language, given its ISO 639 code with or without a region (“de”, “pt-BR”).

    Unknown codes and other texts are returned unchanged, apart from surrounding spaces.

    >>> language_name("de"), language_name("pt_BR"), language_name("Klingon")
    ('German', 'Portuguese', 'Klingon')
    """
    code = language.strip().replace("_", "-").partition("-")[0].lower()
    return _LANGUAGE_NAMES.get(_TWO_LETTER_CODES.get(code, code), language.strip())


def target_language_name(campaign: Campaign) -> str:
    """Return the name of the target language; empty if the campaign does not specify a target language."""
    return language_name(campaign.target_language)


def one_at_a_time_sentence(campaign: Campaign) -> str:
    """Return the sentence telling raters that they will see one translation at a time."""
    language = target_language_name(campaign)
    if language:
        return tr("You will see one translation in {language} at a time.", language=language)
    return tr("You will see one translation at a time.")


def basis_sentence(campaign: Campaign) -> str:
    """Return sentences that tell raters which text to compare each translation with."""
    if campaign.basis is EvaluationBasis.REFERENCE:
        return tr(
            "Compare each translation with the reference, a human translation. Different wording can be just "
            "as correct: rate the meaning, not the number of identical words."
        )
    language = language_name(campaign.source_language)
    with_source = (
        tr("Compare each translation with the source ({language}).", language=language)
        if language
        else tr("Compare each translation with the source.")
    )
    if campaign.basis is EvaluationBasis.SOURCE:
        return with_source
    about_reference = tr("The reference is one possible human translation; different wording can be just as correct.")
    return f"{with_source} {about_reference}"


def context_sentence(campaign: Campaign) -> str:
    """Return sentences on the displayed context or, without context, “Judge each segment on its own.”"""
    if campaign.context == WHOLE_DOCUMENT:
        return tr("The whole document is shown as context. Judge only the marked segment, as part of that document.")
    if campaign.context == 1:
        return tr("The previous and the next segment are shown as context. Judge only the marked segment.")
    if campaign.context:
        return tr(
            "The {n} {n:segment|segments} before the marked segment and the {n} {n:segment|segments} after it are "
            "shown as context. Judge only the marked segment.",
            "",
            campaign.context,
        )
    return tr("Judge each segment on its own.")


def closing_sentence() -> str:
    """Return closing advice for raters, the same for all protocols."""
    return tr(
        "Work at a steady pace and trust your first impression. If you cannot judge an item, skip it and "
        "state the reason. You can go back and change your answers at any time."
    )
