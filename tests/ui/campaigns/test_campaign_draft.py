"""Campaign drafts: their validation, the design made from them, and translations read from files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from qe_desktop.corpus import Corpus, QeError, TextColumn, TextRole
from qe_desktop.ratings.assignment.design import design_hash
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, EvaluationBasis
from qe_desktop.ratings.campaign_draft import CampaignDraft, SegmentScope, make_campaign, visible_segments
from qe_desktop.ratings.campaign_texts import CampaignTexts, read_translation
from qe_desktop.ui.campaigns.setup_footer import design_summary

from .conftest import SEGMENTS, SYSTEMS

GOOD = CampaignDraft(name="News", systems=SYSTEMS, raters="Ana\nBjörn", repeats=0, training=0, context=0)


@pytest.fixture
def texts(corpus: Callable[..., Corpus]) -> CampaignTexts:
    return CampaignTexts.of_corpus(corpus())


def test_corpus_translations_are_systems_and_the_post_edit_is_human(texts: CampaignTexts) -> None:
    assert tuple(texts.translations) == SYSTEMS
    assert list(texts.human) == ["post-edit"]
    assert texts.languages == ("en", "de")
    assert texts.translations["online-B"][1].startswith("online-B word0")
    assert texts.reference is not None
    assert texts.reference[0].startswith("edited")


def test_each_campaign_has_its_own_secret_and_states_its_design_hash(texts: CampaignTexts) -> None:
    designs = [make_campaign(GOOD, texts, "Olga") for _ in range(2)]
    assert [len(design.secret) for design in designs] == [32, 32]
    assert designs[0].secret != designs[1].secret
    assert not {screen.uid for screen in designs[0].screens} & {screen.uid for screen in designs[1].screens}
    assert [design.campaign.design_hash for design in designs] == [design_hash(design) for design in designs]


def test_valid_draft_has_no_notes(texts: CampaignTexts) -> None:
    assert GOOD.notes(texts) == {}


@pytest.mark.parametrize(
    ("change", "field", "text"),
    [
        ({"name": " "}, "name", "Enter a name"),
        ({"name": "Taken"}, "name", "This name is already in use"),
        ({"raters": " \n\n"}, "raters", "Enter at least one rater"),
        ({"raters": "Ana\nAna  "}, "raters", "“Ana” is listed twice"),
        ({"systems": ()}, "systems", "Select at least one system"),
        ({"systems": ("MT",), "protocol": "rank"}, "systems", "at least 2 systems"),
        ({"systems": ("gone",)}, "systems", "is no longer available"),
        ({"basis": EvaluationBasis.REFERENCE, "systems": ("reference",)}, "systems", "no longer available"),
        ({"systems": ("MT", "post-edit")}, "reference", "“post-edit” seems to be the reference"),
        (
            {"systems": ("post-edit",), "basis": EvaluationBasis.BOTH, "reference_rated": True},
            "basis",
            "compared with itself",
        ),
        ({"extent": SegmentScope.RANGE, "first": 9, "last": 3}, "segments", "ends before it starts"),
        ({"extent": SegmentScope.RANGE, "first": 1, "last": 99}, "segments", "only 24 segments"),
        ({"extent": SegmentScope.DRAWN, "count": 25}, "segments", "only 24 segments"),
    ],
)
def test_invalid_value_has_a_note_at_its_field(
    texts: CampaignTexts, change: dict[str, object], field: str, text: str
) -> None:
    note = replace(GOOD, **change).notes(texts, ["Taken"])[field]
    assert text in note.text
    assert note.is_error


@pytest.mark.parametrize("raters", ["Ana, Ben; Cleo", "Ana\nBen, Cleo"])
def test_several_names_on_a_line_are_noted_but_allowed(texts: CampaignTexts, raters: str) -> None:
    note = replace(GOOD, raters=raters).notes(texts)["raters"]
    assert "counts as one rater. Enter one name per line." in note.text
    assert not note.is_error


def test_system_equal_to_the_reference_requires_confirmation(texts: CampaignTexts) -> None:
    """The text is compared, not the name: a file of another name may contain the reference."""
    copied = texts.with_translation("human-A", [f"{line} " for line in texts.reference or ()])
    draft = replace(GOOD, systems=("MT", "human-A"))
    assert draft.notes(copied)["reference"].is_error
    assert replace(draft, reference_rated=True).notes(copied) == {}
    with pytest.raises(QeError, match="“human-A” seems to be the reference"):
        make_campaign(draft, copied, "Ana")
    design = make_campaign(replace(draft, reference_rated=True), copied, "Ana")
    assert {name for key in design.output_keys for name in key.systems} == {"MT", "human-A"}


def test_a_name_that_differs_only_in_spaces_at_its_ends_is_in_use(texts: CampaignTexts) -> None:
    first = replace(GOOD, name=" News ").campaign()
    assert first.name == "News"
    assert "already in use" in GOOD.notes(texts, [first.name])["name"].text


def test_missing_texts_are_reported(corpus: Callable[..., Corpus]) -> None:
    bare = CampaignTexts.of_corpus(corpus(documents=False, systems=False))
    notes = replace(GOOD, systems=(), by_document=True).notes(bare)
    assert "no translation" in notes["systems"].text
    assert "no document information" in notes["context"].text
    whole_document = replace(GOOD, context=WHOLE_DOCUMENT)
    assert "context" in whole_document.notes(bare)
    assert "context" not in replace(whole_document, protocol="fluency").notes(bare), "context is not displayed"
    assert "no reference" in replace(GOOD, basis=EvaluationBasis.BOTH).notes(bare)["basis"].text
    translated = CampaignTexts.of_corpus(corpus(documents=False))
    assert "no source" in replace(GOOD).notes(replace(translated, source=None))["basis"].text
    for basis in EvaluationBasis:
        text = replace(GOOD, basis=basis).notes(replace(bare, source=None))["basis"].text
        assert text.startswith("The corpus has neither a source nor a reference.")
    # the fluency protocol shows neither source nor reference
    assert "basis" not in replace(GOOD, protocol="fluency").notes(replace(bare, source=None))
    assert "No corpus is open" in GOOD.notes(None)["systems"].text


def test_translation_that_is_named_mt_does_not_hide_the_mt(corpus: Callable[..., Corpus]) -> None:
    whole = corpus()
    other = TextColumn.of([f"other {segment}" for segment in range(whole.size)])
    texts = CampaignTexts.of_corpus(replace(whole, translations={"MT": other}))
    assert {name: lines[0] for name, lines in texts.translations.items()} == {
        "MT": "other 0", "MT 2": whole.text(TextRole.MT)[0],
    }  # fmt: skip
    same = CampaignTexts.of_corpus(replace(whole, translations={"MT": whole.text(TextRole.MT)}))
    assert list(same.translations) == ["MT"]


def test_translation_that_is_named_as_a_human_one_does_not_hide_it(corpus: Callable[..., Corpus]) -> None:
    whole = corpus()
    edited, other = whole.text(TextRole.POST_EDIT), TextColumn.of([f"other {segment}" for segment in range(whole.size)])
    texts = CampaignTexts.of_corpus(replace(whole, translations={"post-edit": other}))
    assert {name: lines[0] for name, lines in texts.human.items()} == {"post-edit 2": edited[0]}
    assert texts.translations["post-edit"][0] == "other 0"
    assert CampaignTexts.of_corpus(replace(whole, translations={"post-edit": edited})).human == {}


def test_rankings_do_not_allow_a_plus_in_system_names(texts: CampaignTexts) -> None:
    """A plus joins the names of systems with identical outputs."""
    with_plus = texts.with_translation("a+b", texts.translations["MT"])
    draft = replace(GOOD, systems=("MT", "a+b"), protocol="rank")
    assert "“+”" in draft.notes(with_plus)["systems"].text
    assert "systems" not in replace(draft, protocol="adequacy").notes(with_plus)


def test_warnings_do_not_prevent_creating_a_campaign(texts: CampaignTexts) -> None:
    notes = replace(GOOD, raters="Ana").notes(texts)
    assert not notes["raters"].is_error
    assert not replace(GOOD, overlap=0).notes(texts)["overlap"].is_error
    assert "Only 3 systems" in replace(GOOD, protocol="rank").notes(texts)["per_screen"].text


def test_same_seed_samples_the_same_segments(texts: CampaignTexts) -> None:
    assert GOOD.segments(texts) == tuple(range(SEGMENTS))
    assert replace(GOOD, extent=SegmentScope.RANGE, first=3, last=5).segments(texts) == (2, 3, 4)
    drawn = replace(GOOD, extent=SegmentScope.DRAWN, count=7)
    assert len(set(drawn.segments(texts))) == 7
    assert drawn.segments(texts) == drawn.segments(texts)
    assert drawn.segments(texts) != replace(drawn, seed=2).segments(texts)
    document_segments = replace(drawn, by_document=True).segments(texts)
    assert len(document_segments) == 12, "documents of six segments, until there are seven"
    assert {segment // 6 for segment in document_segments} == {segment // 6 for segment in document_segments[::6]}


def test_visible_segments_include_the_context_and_training(texts: CampaignTexts) -> None:
    draft = replace(GOOD, extent=SegmentScope.RANGE, first=8, last=8)
    assert visible_segments(draft, texts, (7,)) == [7]
    assert visible_segments(replace(draft, context=2), texts, (7,)) == [5, 6, 7, 8, 9]
    assert visible_segments(replace(draft, context=1), texts, (0,)) == [0, 1]
    assert visible_segments(replace(draft, context=WHOLE_DOCUMENT), texts, (7,)) == [6, 7, 8, 9, 10, 11]
    assert visible_segments(replace(draft, context=2, protocol="fluency"), texts, (7,)) == [7]
    assert len(visible_segments(replace(draft, training=3), texts, (7,))) == SEGMENTS


@pytest.mark.parametrize("protocol", ["adequacy-fluency", "fluency", "rank", "pairwise", "direct-assessment"])
def test_design_follows_the_draft_and_the_summary_counts_its_screens(texts: CampaignTexts, protocol: str) -> None:
    draft = replace(GOOD, protocol=protocol, repeats=10, training=2, raters="Ana\n王芳", instructions="Be kind.")
    design = make_campaign(draft, texts, "Olga")
    campaign = design.campaign
    assert (campaign.name, campaign.protocol, campaign.raters) == ("News", protocol, ("Ana", "王芳"))
    assert campaign.instructions == "Be kind."
    assert campaign.created_by == "Olga"
    assert campaign.created > 0
    assert design.setup.systems == SYSTEMS
    screens = sum(screen.rater == "Ana" for screen in design.screens)
    assert design_summary(draft, texts)[0].number == f"{screens:,}"


def test_summary_is_empty_without_systems_or_texts(texts: CampaignTexts) -> None:
    assert design_summary(replace(GOOD, systems=()), texts) == []
    assert design_summary(GOOD, None) == []


def test_translation_is_named_after_its_file_and_validated(tmp_path: Path) -> None:
    path = tmp_path / "online-C.txt"
    path.write_text("eins\nzwei\n", encoding="utf-8")
    name, lines = read_translation(path, 2)
    assert name == "online-C"
    assert list(lines) == ["eins", "zwei"]
    assert lines[0:2] == ["eins", "zwei"]
    with pytest.raises(QeError, match="2 lines, but there are 3 segments"):
        read_translation(path, 3)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QeError):
        read_translation(path, 2)
