"""The hash of a design, and designs regenerated from a secret and a seed, or, as formerly, from a seed alone."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.ratings.assignment import design as design_module
from qe_desktop.ratings.assignment.design import design_campaign, differences
from qe_desktop.ratings.assignment.design import design_hash as hash_of
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis
from tests.ratings.campaigns import make_campaign, make_passages, make_random_design, make_setup, make_translations

SECRET = bytes(range(32))
DIGESTS_WITHOUT_SECRET = {
    ("adequacy-fluency", 3): ("93012f25839ddf59", "e3774dbcd35d82f0"),
    ("rank", 6): ("01fcbae264e11b1e", "ca43622ee2db5817"),
    ("pairwise", 3): ("19d4243411ba9b4c", "36d0d5fde90c2ba8"),
    ("direct-assessment", 2): ("8aaa4bdf3ed050fa", "e9d7574797a1798e"),
    ("fluency", 2): ("adadc9f0499a2d84", "e4a1512757ed04d6"),
}
"""Digests of designs without a secret, by protocol and number of systems: by segment, and by document."""


def make_design(secret: bytes = SECRET, **changes: object) -> CampaignDesign:
    return design_campaign(
        make_campaign("rank", context=1),
        make_setup(5, 12, 2, repeats=0.2, controls=0.2, training=2, per_screen=3, seed=5, **changes),
        make_passages(20), make_translations(5, 20, same=0.3), secret=secret,
    )  # fmt: skip


@pytest.mark.parametrize(("protocol", "systems"), list(DIGESTS_WITHOUT_SECRET))
def test_campaigns_without_a_secret_are_regenerated_unchanged(protocol, systems):
    for by_document, known in zip((False, True), DIGESTS_WITHOUT_SECRET[protocol, systems], strict=True):
        design = make_random_design(
            protocol, systems, 20, 2, same=0.3, repeats=0.1, controls=0.1, training=3, overlap=0.5,
            by_document=by_document, seed=77,
        )  # fmt: skip
        content = repr([design.outputs, design.screens, design.output_keys, design.screen_keys])
        assert hashlib.sha256(content.encode()).hexdigest()[:16] == known
        assert (design.secret, design.campaign.design_hash) == (b"", "")


def test_secret_and_seed_regenerate_the_same_campaign():
    first, second = make_design(), make_design()
    assert first == second
    assert first.campaign.design_hash == hash_of(first)
    assert differences(first, second) == []
    assert make_design(bytes(32)).campaign.design_hash != first.campaign.design_hash


def test_hash_is_the_same_in_all_versions():
    # a fixed value, because every later version must reproduce published hashes
    assert hash_of(make_design()) == "f6d8d7f21814154a62dada41a3c748bfcebb2cc16c567ba875860fe22999023d"


def test_hash_covers_every_field_of_a_design():
    design = make_design()
    assert {field.name for field in fields(Campaign)} == {*design_module._CAMPAIGN_FIELDS, "basis", "design_hash"}
    assert {field.name for field in fields(CampaignSetup)} == set(design_module._SETUP_FIELDS)
    for part, names in design_module._ROW_FIELDS.items():
        assert {field.name for field in fields(getattr(design, part)[0])} == set(names)
    rest = {"campaign", "setup", "secret", "trained_from"}
    assert {field.name for field in fields(CampaignDesign)} == {*design_module._ROW_FIELDS, *rest}


@given(st.data())
def test_every_change_changes_the_hash_and_is_reported(data):
    design = make_design()
    part = data.draw(st.sampled_from(list(design_module._ROW_FIELDS)))
    rows = list(getattr(design, part))
    index = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(design_module._ROW_FIELDS[part]))
    value = getattr(rows[index], name)
    if isinstance(value, bool):
        new_value: object = not value
    elif isinstance(value, int):
        new_value = type(value)((int(value) + 1) % 5)
    else:
        new_value = (*value, "x") if isinstance(value, tuple) else f"{value}x"
    rows[index] = replace(rows[index], **{name: new_value})
    changed = replace(design, **{part: tuple(rows)})
    assert hash_of(changed) != hash_of(design)
    [difference] = differences(changed, design)
    assert f"1 of {len(rows):,} is different" in difference
    assert f"number {index + 1:,}" in difference


def test_characters_escaped_by_a_database_do_not_change_the_hash():
    design = make_design()
    original = replace(design, outputs=(replace(design.outputs[0], text="a \0 \udcff"), *design.outputs[1:]))
    escaped = replace(design, outputs=(replace(design.outputs[0], text="a \\x00 \\udcff"), *design.outputs[1:]))
    assert hash_of(original) == hash_of(escaped)


@pytest.mark.parametrize(
    ("protocol", "basis", "shown"),
    [
        ("adequacy", EvaluationBasis.SOURCE, (True, False)),
        ("adequacy", EvaluationBasis.REFERENCE, (False, True)),
        ("adequacy", EvaluationBasis.BOTH, (True, True)),
        ("fluency", EvaluationBasis.BOTH, (False, False)),
    ],
)
def test_design_contains_only_texts_that_raters_see(protocol, basis, shown):
    design = make_random_design(protocol, 2, 6, 1, basis=basis)
    assert all((bool(passage.source), bool(passage.reference)) == shown for passage in design.passages)
    assert all(passage.document for passage in design.passages)


def test_system_equal_to_the_reference_is_refused_unless_intended():
    texts = make_translations(3, 20)
    known_passages = make_passages(20)
    for share, refused in ((20, True), (18, True), (17, False)):
        same = [known_passages[n].reference + " " if n < share else f"else {n}" for n in range(20)]
        outputs_by_system = {**texts, "system-2": same}
        for basis in (EvaluationBasis.SOURCE, EvaluationBasis.BOTH):

            def make(
                basis: EvaluationBasis = basis,
                outputs_by_system: dict[str, list[str]] = outputs_by_system,
                **more: bool,
            ) -> CampaignDesign:
                return design_campaign(
                    make_campaign("adequacy", basis),
                    make_setup(3, 20, 1),
                    known_passages,
                    outputs_by_system,
                    secret=SECRET,
                    **more,
                )

            if not refused:
                make()
                continue
            with pytest.raises(QeError, match="“system-2” seems to be the reference"):
                make()
            if basis is EvaluationBasis.SOURCE:
                assert make(reference_rated=True).outputs
            else:
                # the displayed reference cannot be rated against itself
                with pytest.raises(QeError, match="compared with itself"):
                    make(reference_rated=True)
