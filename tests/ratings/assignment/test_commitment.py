"""The hash of a design, and designs drawn again: from a secret and a seed, or from a seed alone as they once were."""

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
from tests.ratings.campaigns import campaign, designed, passages, setup, translations

SECRET = bytes(range(32))
BEFORE = {
    ("adequacy-fluency", 3): ("93012f25839ddf59", "e3774dbcd35d82f0"),
    ("rank", 6): ("01fcbae264e11b1e", "ca43622ee2db5817"),
    ("pairwise", 3): ("19d4243411ba9b4c", "36d0d5fde90c2ba8"),
    ("direct-assessment", 2): ("8aaa4bdf3ed050fa", "e9d7574797a1798e"),
    ("fluency", 2): ("adadc9f0499a2d84", "e4a1512757ed04d6"),
}
"""What designs came to before there were secrets, by protocol and systems: segments apart, and documents whole."""


def a_design(secret: bytes = SECRET, **changes: object) -> CampaignDesign:
    return design_campaign(
        campaign("rank", context=1),
        setup(5, 12, 2, repeats=0.2, controls=0.2, training=2, per_screen=3, seed=5, **changes),
        passages(20), translations(5, 20, same=0.3), secret=secret,
    )  # fmt: skip


@pytest.mark.parametrize(("protocol", "systems"), list(BEFORE))
def test_campaigns_of_before_are_drawn_as_they_were(protocol, systems):
    for by_document, known in zip((False, True), BEFORE[protocol, systems], strict=True):
        of = designed(
            protocol, systems, 20, 2, same=0.3, repeats=0.1, controls=0.1, training=3, overlap=0.5,
            by_document=by_document, seed=77,
        )  # fmt: skip
        drawn = repr([of.outputs, of.screens, of.output_keys, of.screen_keys])
        assert hashlib.sha256(drawn.encode()).hexdigest()[:16] == known
        assert (of.secret, of.campaign.design_hash) == (b"", "")


def test_a_secret_and_a_seed_give_the_same_campaign_again():
    one, other = a_design(), a_design()
    assert one == other
    assert one.campaign.design_hash == hash_of(one)
    assert differences(one, other) == []
    assert a_design(bytes(32)).campaign.design_hash != one.campaign.design_hash


def test_the_hash_is_the_same_for_ever():
    # written down once: what was published must be found again by every later version
    assert hash_of(a_design()) == "f6d8d7f21814154a62dada41a3c748bfcebb2cc16c567ba875860fe22999023d"


def test_nothing_of_a_design_is_left_out_of_its_hash():
    of = a_design()
    assert {one.name for one in fields(Campaign)} == {*design_module._CAMPAIGN, "basis", "design_hash"}
    assert {one.name for one in fields(CampaignSetup)} == set(design_module._SETUP)
    for part, names in design_module._ROWS.items():
        assert {one.name for one in fields(getattr(of, part)[0])} == set(names)
    rest = {"campaign", "setup", "secret", "trained_from"}
    assert {one.name for one in fields(CampaignDesign)} == {*design_module._ROWS, *rest}


@given(st.data())
def test_any_change_changes_the_hash_and_is_named(data):
    of = a_design()
    part = data.draw(st.sampled_from(list(design_module._ROWS)))
    rows = list(getattr(of, part))
    place = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(design_module._ROWS[part]))
    value = getattr(rows[place], name)
    if isinstance(value, bool):
        other: object = not value
    elif isinstance(value, int):
        other = type(value)((int(value) + 1) % 5)
    else:
        other = (*value, "x") if isinstance(value, tuple) else f"{value}x"
    rows[place] = replace(rows[place], **{name: other})
    changed = replace(of, **{part: tuple(rows)})
    assert hash_of(changed) != hash_of(of)
    [said] = differences(changed, of)
    assert f"1 of {len(rows):,} differ" in said
    assert f"number {place + 1:,}" in said


def test_what_a_database_makes_of_a_text_does_not_change_the_hash():
    of = a_design()
    odd = replace(of, outputs=(replace(of.outputs[0], text="a \0 \udcff"), *of.outputs[1:]))
    kept = replace(of, outputs=(replace(of.outputs[0], text="a \\x00 \\udcff"), *of.outputs[1:]))
    assert hash_of(odd) == hash_of(kept)


@pytest.mark.parametrize(
    ("protocol", "basis", "shown"),
    [
        ("adequacy", EvaluationBasis.SOURCE, (True, False)),
        ("adequacy", EvaluationBasis.REFERENCE, (False, True)),
        ("adequacy", EvaluationBasis.BOTH, (True, True)),
        ("fluency", EvaluationBasis.BOTH, (False, False)),
    ],
)
def test_a_design_holds_no_text_that_raters_are_not_shown(protocol, basis, shown):
    of = designed(protocol, 2, 6, 1, basis=basis)
    assert all((bool(one.source), bool(one.reference)) == shown for one in of.passages)
    assert all(one.document for one in of.passages)


def test_a_system_that_is_the_reference_is_refused_unless_that_is_meant():
    texts = translations(3, 20)
    given = passages(20)
    for share, refused in ((20, True), (18, True), (17, False)):
        same = [given[n].reference + " " if n < share else f"else {n}" for n in range(20)]
        held = {**texts, "system-2": same}
        for basis in (EvaluationBasis.SOURCE, EvaluationBasis.BOTH):

            def make(basis: EvaluationBasis = basis, held: dict[str, list[str]] = held, **more: bool) -> CampaignDesign:
                return design_campaign(campaign("adequacy", basis), setup(3, 20, 1), given, held, secret=SECRET, **more)

            if not refused:
                make()
                continue
            with pytest.raises(QeError, match="“system-2” is identical to the reference"):
                make()
            if basis is EvaluationBasis.SOURCE:
                assert make(reference_rated=True).outputs
            else:
                # what is shown beside it cannot be judged against itself
                with pytest.raises(QeError, match="compared with itself"):
                    make(reference_rated=True)
