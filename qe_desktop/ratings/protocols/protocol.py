"""Protocols: the answers of a screen, the displayed texts, and the instructions for raters.

Raters compare translations with the meaning of the source or, if no source is displayed, of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from qe_desktop.answers.answer_type import AnswerType
from qe_desktop.answers.event_history import EventValue
from qe_desktop.answers.scale import ScaleAnswer
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


@dataclass(frozen=True, slots=True)
class Protocol:
    """Protocol of human evaluation.

    `title_in_sentence` is the title as written within a sentence. `answers` are the answers that a screen requires, in
    order; their texts suit any campaign. `campaign_scales`, if set, returns the scales with texts for one campaign.
    `task_paragraphs` returns the description of the task. With `target_first`, the source or reference is hidden until
    the first answer has been given; with `target_only`, neither is ever displayed. `seconds` is the usual time for a
    screen with the maximum number of outputs.
    """

    id: str
    title: str
    summary: str
    answers: tuple[AnswerType, ...]
    task_paragraphs: Callable[[Campaign], tuple[str, ...]]
    campaign_scales: Callable[[Campaign], tuple[ScaleAnswer, ...]] | None = None
    title_in_sentence: str = ""
    target_first: bool = False
    target_only: bool = False
    seconds: float = 30.0

    @property
    def outputs(self) -> tuple[int, int]:
        """Minimum and maximum number of outputs per screen."""
        return self.answers[0].outputs

    def estimated_seconds(self, screens: int, outputs: int) -> float:
        """Return the estimated total time, in seconds, for `screens` screens with `outputs` outputs each.

        The time for a screen is proportional to its number of outputs.
        """
        return screens * self.seconds * max(1, outputs) / self.outputs[1]

    @property
    def compares(self) -> bool:
        """Whether raters compare the outputs of several systems on one screen."""
        return self.outputs[1] > 1

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the required answers of a screen, in order."""
        return tuple(answer.name for answer in self.answers)

    @property
    def integer_ranges(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest whole number that each answer may contain, by the name of the answer."""
        return {answer.name: answer.integer_range for answer in self.answers}

    @property
    def ranges(self) -> tuple[tuple[str, float, float], ...]:
        """Name, minimum and maximum of each answer that is a value on a scale."""
        return tuple((answer.name, *answer.span) for answer in self.answers if answer.span is not None)

    @property
    def pre_reveal_answer(self) -> str:
        """Name of the answer that raters enter with only the translation displayed; empty if there is none."""
        return self.fields[0] if self.target_first or self.target_only else ""

    @property
    def scales(self) -> tuple[ScaleAnswer, ...]:
        """Answers that are scales."""
        return tuple(answer for answer in self.answers if isinstance(answer, ScaleAnswer))

    def answer(self, name: str) -> AnswerType | None:
        """Return the answer with this name; None if there is none."""
        return next((answer for answer in self.answers if answer.name == name), None)

    def missing_answers(self, values: Mapping[str, EventValue]) -> list[AnswerType]:
        """Return the answers of a screen that are missing or incomplete in `values`."""
        return [answer for answer in self.answers if not answer.is_complete(values.get(answer.name))]

    def scales_for(self, campaign: Campaign) -> tuple[ScaleAnswer, ...]:
        """Return the scales, with texts that name the languages and the basis of the campaign."""
        return self.scales if self.campaign_scales is None else self.campaign_scales(campaign)

    def instructions(self, campaign: Campaign) -> str:
        """Return the instructions for raters as plain text; the owner's instructions are last.

        Paragraphs are separated by an empty line.
        """
        comparison = "" if self.target_only else f"{basis_sentence(campaign)} {context_sentence(campaign)}"
        paragraphs = (*self.task_paragraphs(campaign), comparison, closing_sentence(), campaign.instructions.strip())
        return "\n\n".join(filter(None, paragraphs))


_SOURCE_REASONS = {
    "The source makes no sense": tr("The source makes no sense"),
    "The source is in the wrong language": tr("The source is in the wrong language"),
}
_REFERENCE_REASONS = {
    "The reference makes no sense": tr("The reference makes no sense"),
    "The reference is in the wrong language": tr("The reference is in the wrong language"),
}
_TEXT_REASONS = {"The text is in the wrong language": tr("The text is in the wrong language")}
_COMMON_REASONS = {
    "The translation is empty or cut off": tr("The translation is empty or cut off"),
    "It cannot be judged without more context": tr("It cannot be judged without more context"),
    "I do not know enough about the subject": tr("I do not know enough about the subject"),
}
_REASON_TEXTS = _SOURCE_REASONS | _REFERENCE_REASONS | _TEXT_REASONS | _COMMON_REASONS


def skip_reason_ids(campaign: Campaign, *, target_only: bool) -> tuple[str, ...]:
    """Return the ids of reasons to skip an item; `target_only` means that only the translation is displayed."""
    text_reasons = _REFERENCE_REASONS if campaign.basis is EvaluationBasis.REFERENCE else _SOURCE_REASONS
    return (*(_TEXT_REASONS if target_only else text_reasons), *_COMMON_REASONS)


def skip_reason_text(reason: str) -> str:
    """Return the text of a reason, given the id; a rater's own reason is returned unchanged."""
    return _REASON_TEXTS.get(reason, reason)
