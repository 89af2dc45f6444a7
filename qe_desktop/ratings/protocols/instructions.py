"""The names of languages, for anchors such as “Flawless German”."""

from __future__ import annotations

from qe_desktop.wording import tr

_NAMES = {
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
_LONGER = {
    "ara": "ar", "ben": "bn", "ces": "cs", "cze": "cs", "deu": "de", "ger": "de", "ell": "el", "gre": "el",
    "eng": "en", "est": "et", "fas": "fa", "per": "fa", "fin": "fi", "fra": "fr", "fre": "fr", "guj": "gu",
    "hau": "ha", "heb": "he", "hin": "hi", "hun": "hu", "isl": "is", "ice": "is", "ita": "it", "jpn": "ja",
    "kaz": "kk", "khm": "km", "kor": "ko", "lit": "lt", "lav": "lv", "mar": "mr", "nep": "ne", "nld": "nl",
    "dut": "nl", "pol": "pl", "por": "pt", "pus": "ps", "ron": "ro", "rum": "ro", "rus": "ru", "sin": "si",
    "spa": "es", "swe": "sv", "tam": "ta", "tel": "te", "tur": "tr", "ukr": "uk", "urd": "ur", "xho": "xh",
    "zho": "zh", "chi": "zh", "zul": "zu",
}  # fmt: skip
"""Codes of three letters, of ISO 639-2."""


def language_name(language: str) -> str:
    """The name behind an ISO 639 code, with or without a region (“de”, “pt-BR”); a name, or what is unknown, as is.

    >>> language_name("de"), language_name("pt_BR"), language_name("Klingon")
    ('German', 'Portuguese', 'Klingon')
    """
    code = language.strip().replace("_", "-").partition("-")[0].lower()
    return _NAMES.get(_LONGER.get(code, code), language.strip())
