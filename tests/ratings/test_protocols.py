"""The rating protocols and their texts for raters."""

from __future__ import annotations

import pytest

from qe_desktop.answers.ranking import CHOICES, LETTERS
from qe_desktop.corpus import QeError
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, EvaluationBasis
from qe_desktop.ratings.protocols import PROTOCOLS, get_protocol, language_name, skip_reason_text, skip_reasons
from tests.ratings.campaigns import make_campaign


def test_fields_and_properties_of_the_six_protocols():
    assert {name: protocol.fields for name, protocol in PROTOCOLS.items()} == {
        "adequacy-fluency": ("fluency", "adequacy"),
        "adequacy": ("adequacy",),
        "fluency": ("fluency",),
        "rank": ("ranks",),
        "pairwise": ("ranks",),
        "direct-assessment": ("score",),
    }
    assert [name for name, protocol in PROTOCOLS.items() if protocol.target_first] == ["adequacy-fluency"]
    assert [name for name, protocol in PROTOCOLS.items() if protocol.target_only] == ["fluency"]
    assert [PROTOCOLS[name].outputs for name in ("rank", "pairwise", "adequacy")] == [(2, 5), (2, 2), (1, 1)]
    assert all(name == protocol.id for name, protocol in PROTOCOLS.items())
    assert len(LETTERS) == PROTOCOLS["rank"].outputs[1]


def test_anchors_have_the_wording_of_the_ldc_and_of_neubig():
    fluency, adequacy = PROTOCOLS["adequacy-fluency"].scales_for(make_campaign())
    assert [(anchor.value, anchor.label) for anchor in adequacy.anchors] == [
        (5, "All"), (4, "Most"), (3, "Much"), (2, "Little"), (1, "None"),
    ]  # fmt: skip
    assert [(anchor.value, anchor.label) for anchor in fluency.anchors] == [
        (5, "Flawless German"), (4, "Good German"), (3, "Non-native German"), (2, "Disfluent German"),
        (1, "Incomprehensible"),
    ]  # fmt: skip
    for scale in (fluency, adequacy):
        assert [anchor.value for anchor in scale.anchors if anchor.meaning] == [5, 3, 1]
        assert (scale.min_value, scale.max_value, scale.has_slider) == (1, 5, False)
    assert fluency.anchors[2].meaning == "slightly stilted"
    assert (adequacy.label(4), adequacy.label(7)) == ("Most", "")


def test_anchors_without_a_language_name_none():
    for scales in (PROTOCOLS["fluency"].scales, PROTOCOLS["fluency"].scales_for(make_campaign(target_language=""))):
        assert scales[0].anchors[0].label == "Flawless"


def test_slider_of_direct_assessment():
    (scale,) = PROTOCOLS["direct-assessment"].scales_for(make_campaign("direct-assessment", EvaluationBasis.REFERENCE))
    assert (scale.min_value, scale.max_value, scale.has_slider) == (0, 100, True)
    assert scale.question == "The translation in German adequately expresses the meaning of the reference."
    assert [(anchor.value, anchor.label) for anchor in scale.anchors] == [(100, "Perfectly"), (0, "Not at all")]


@pytest.mark.parametrize("name", PROTOCOLS)
@pytest.mark.parametrize("basis", EvaluationBasis)
@pytest.mark.parametrize("context", [0, 1, 2, WHOLE_DOCUMENT])
def test_instructions_fit_every_campaign(name, basis, context):
    text = PROTOCOLS[name].instructions(
        make_campaign(name, basis, context=context, instructions="  Bitte <b>genau</b>. ")
    )
    assert text.endswith("Bitte <b>genau</b>.")
    assert len(text) < 1200
    assert "  " not in text
    assert "{" not in text
    assert "German" in text
    # raters of fluency alone see no source to compare with
    assert ("Compare" in text) == (name != "fluency")
    if name != "fluency":
        assert (" reference" in text) == (basis is not EvaluationBasis.SOURCE)
        assert ("document" in text) == (context == WHOLE_DOCUMENT)


def test_answers_of_a_pairwise_comparison_are_ranks():
    assert dict(CHOICES) == {"A better": (1, 2), "Tie": (1, 1), "B better": (2, 1)}


def test_skip_reasons_mention_only_what_is_displayed():
    assert any("reference" in reason for reason in skip_reasons(make_campaign(basis=EvaluationBasis.REFERENCE)))
    assert not any("reference" in reason for reason in skip_reasons(make_campaign()))
    hidden = skip_reasons(make_campaign("adequacy-fluency"), revealed=False)
    assert hidden == skip_reasons(make_campaign("fluency"))
    assert not any("source" in reason or "reference" in reason for reason in hidden)


def test_standard_and_custom_skip_reasons_are_displayed_unchanged():
    reasons = [*skip_reasons(make_campaign()), *skip_reasons(make_campaign("fluency")), "names of people"]
    assert [skip_reason_text(reason) for reason in reasons] == reasons


def test_languages_by_code_or_name():
    assert [language_name(code) for code in ("de", "deu", "pt-BR", "zh_TW", "Swiss German", "qaa", "")] == [
        "German", "German", "Portuguese", "Chinese", "Swiss German", "qaa", "",
    ]  # fmt: skip


def test_codes_of_three_letters_are_named_like_those_of_two():
    codes = {
        "bul": "bg",
        "dan": "da",
        "slk": "sk",
        "hrv": "hr",
        "vie": "vi",
        "nob": "nb",
        "kat": "ka",
        "srp_Latn": "sr",
    }
    names = list(map(language_name, codes))
    assert names == list(map(language_name, codes.values()))
    assert not set(names) & {*codes, *codes.values()}


def test_unknown_protocol_is_refused():
    with pytest.raises(QeError, match=r"there is no protocol “stars”.*direct-assessment"):
        get_protocol("stars")
