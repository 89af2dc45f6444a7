"""Campaigns designed from a setup: screens of each rater, their order, blinding and displayed texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.ratings.assignment.design import REPEAT_DISTANCE, design_campaign
from qe_desktop.ratings.assignment.quality_control import MIN_REPEAT_DISTANCE, share_count
from qe_desktop.ratings.assignment.screen_order import min_distance
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, CampaignDesign, Passage, Screen
from qe_desktop.ratings.protocols import PROTOCOLS
from tests.ratings.campaigns import (
    BlindingKey,
    make_campaign,
    make_passages,
    make_random_design,
    make_setup,
    make_translations,
)

ABSOLUTE = [name for name, protocol in PROTOCOLS.items() if not protocol.compares]
shares = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])


@st.composite
def designs(draw) -> CampaignDesign:
    protocol = PROTOCOLS[draw(st.sampled_from(list(PROTOCOLS)))]
    return make_random_design(
        protocol.id,
        draw(st.integers(protocol.outputs[0], 7)),
        draw(st.integers(16, 30)),
        draw(st.integers(1, 4)),
        same=draw(st.sampled_from([0.0, 0.5, 1.0])),
        overlap=draw(shares),
        repeats=draw(shares),
        controls=draw(shares),
        training=draw(st.integers(0, 4)),
        per_screen=draw(st.integers(2, 5)),
        by_document=draw(st.booleans()),
        seed=draw(st.integers(0, 2**40)),
    )


@given(designs())
def test_invariants_of_every_design(design: CampaignDesign):
    key = BlindingKey(design)
    protocol = PROTOCOLS[design.campaign.protocol]
    assert design.campaign.raters == design.setup.raters
    uids = [screen.uid for screen in design.screens]
    assert len(set(uids)) == len(uids)
    assert [row.screen for row in design.screen_keys] == uids
    assert [row.output for row in design.output_keys] == [output.uid for output in design.outputs] == sorted(key.output)
    assert {passage.segment for passage in design.passages} == {screen.segment for screen in design.screens}
    assert {output for screen in design.screens for output in screen.outputs} == set(key.output)
    for rater in design.setup.raters:
        screens = key.screens[rater]
        assert [screen.position for screen in screens] == list(range(len(screens)))
        assert [screen.training for screen in screens] == [True] * design.setup.training + [False] * (
            len(screens) - design.setup.training
        )
        for screen in screens:
            check_screen(key, screen, protocol.compares)
        check_shares(key, rater)


def check_screen(key: BlindingKey, screen: Screen, ranks: bool) -> None:
    role, earlier = key.role(screen), key.screen[screen.uid].repeats
    assert (role is ItemRole.TRAINING) == screen.training
    shown = [key.text[output] for output in screen.outputs]
    assert len(set(shown)) == len(shown)
    assert 1 <= len(shown) <= (min(5, max(2, key.design.setup.per_screen)) if ranks else 1)
    original = next((candidate for candidate in key.screens[screen.rater] if candidate.uid == earlier), None)
    bad = [output for output in screen.outputs if key.output[output].role is ItemRole.BAD]
    assert len(bad) == (role is ItemRole.BAD)
    if role in (ItemRole.SYSTEM, ItemRole.TRAINING):
        assert original is None
        return
    assert original is not None
    assert (original.segment, key.role(original)) == (screen.segment, ItemRole.SYSTEM)
    if role is ItemRole.REPEAT:
        assert original.position < screen.position
        assert sorted(original.outputs) == sorted(screen.outputs)
        assert original.outputs != screen.outputs or len(screen.outputs) == 1
    else:
        assert set(key.systems(screen)) <= set(key.systems(original))
        assert set(screen.outputs) - set(bad) <= set(original.outputs)
        # only the text of the degraded copy differs from that of its original
        assert key.output[bad[0]].systems in [key.output[output].systems for output in original.outputs]
        assert key.text[bad[0]] not in [key.text[output] for output in original.outputs]
        if ranks:
            same = [output for output in screen.outputs if key.output[output].systems == key.output[bad[0]].systems]
            assert len(same) == 2
            assert len(screen.outputs) == max(2, len(original.outputs))


def check_shares(key: BlindingKey, rater: str) -> None:
    """Check the shares of repeats and controls among the items of a rater, up to one document."""
    design = key.design
    roles = Counter(key.role(screen) for screen in key.screens[rater])
    core = roles[ItemRole.SYSTEM]
    slack = 5 if design.campaign.by_document else 0
    for role, share in ((ItemRole.REPEAT, design.setup.repeats), (ItemRole.BAD, design.setup.controls)):
        assert abs(roles[role] - share_count(share, core)) <= slack
        assert (roles[role] > 0) == (share > 0)
    own = Counter((screen.segment, frozenset(key.systems(screen))) for screen in key.core(rater))
    assert max(own.values()) == 1


@given(designs())
def test_every_item_is_judged_by_one_rater_or_by_all(design: CampaignDesign):
    key = BlindingKey(design)
    by_item = defaultdict(set)
    for rater in design.setup.raters:
        for screen in key.core(rater):
            by_item[screen.segment, tuple(sorted(key.systems(screen)))].add(rater)
    raters = len(design.setup.raters)
    assert set(map(len, by_item.values())) <= {1, raters}
    segments = len(design.setup.segments)
    if PROTOCOLS[design.campaign.protocol].compares:
        assert {segment for segment, _ in by_item} == set(range(segments))
        assert len(by_item) == segments
    else:
        assert len(by_item) == segments * len(design.setup.systems)
    common = sum(len(item_raters) == raters for item_raters in by_item.values())
    if raters > 1:
        slack = 5 if design.campaign.by_document else 0.5
        assert abs(common - design.setup.overlap * len(by_item)) <= slack or common == 1


@given(st.sampled_from(list(PROTOCOLS)), st.integers(2, 6), st.integers(1, 3), shares, shares, st.integers(0, 999))
def test_documents_stay_whole_and_in_order(protocol, systems, raters, repeats, controls, seed):
    design = make_random_design(
        protocol, systems, 23, raters, repeats=repeats, controls=controls, by_document=True, seed=seed
    )
    key = BlindingKey(design)
    ranks = PROTOCOLS[protocol].compares
    for rater in design.setup.raters:
        blocks = []
        for _, run in groupby(
            key.screens[rater],
            key=lambda screen: (screen.segment // 5, key.role(screen), *([] if ranks else key.systems(screen))),
        ):
            blocks += split_passes([screen.segment for screen in run])
        assert all(block == whole_document(block[0]) for block in blocks)
        documents = [block[0] // 5 for block in blocks]
        times = Counter(documents)
        # no document follows itself, unless its copies cannot be separated
        if max(times.values()) * 2 <= len(documents) and repeats == controls == 0:
            assert min_distance(documents) >= 2


def whole_document(segment: int) -> list[int]:
    return list(range(segment, min(segment + 5, 23)))


def split_passes(segments: list[int]) -> list[list[int]]:
    """Split a run of screens of one document into passes through the document."""
    starts = [index for index, segment in enumerate(segments) if segment % 5 == 0]
    return [segments[start:stop] for start, stop in zip(starts, [*starts[1:], len(segments)], strict=True)]


@given(st.sampled_from(ABSOLUTE), st.integers(2, 5), st.integers(20, 40), st.integers(0, 999))
def test_screens_of_one_source_keep_their_distance(protocol, systems, segments, seed):
    design = make_random_design(protocol, systems, segments, 2, overlap=0.5, seed=seed)
    for screens in BlindingKey(design).screens.values():
        shown = [screen.segment for screen in screens]
        max_count = max(Counter(shown).values())
        if max_count > 1:
            assert min_distance(shown) >= min(
                REPEAT_DISTANCE, (len(shown) - Counter(Counter(shown).values())[max_count]) // (max_count - 1)
            )


def test_repeats_and_control_items_keep_their_distance():
    design = make_random_design("adequacy", 3, 60, 2, repeats=0.1, controls=0.1)
    key = BlindingKey(design)
    for screens in key.screens.values():
        positions = {screen.uid: screen.position for screen in screens}
        for screen in screens:
            earlier = key.screen[screen.uid].repeats
            if key.role(screen) is ItemRole.REPEAT:
                assert positions[screen.uid] - positions[earlier] >= MIN_REPEAT_DISTANCE
            elif key.role(screen) is ItemRole.BAD:
                assert abs(positions[screen.uid] - positions[earlier]) >= REPEAT_DISTANCE
        assert min_distance([screen.segment for screen in screens]) >= REPEAT_DISTANCE


def test_repeats_and_controls_are_distributed_evenly_over_systems():
    design = make_random_design("adequacy", 4, 50, 3, repeats=0.1, controls=0.2)
    key = BlindingKey(design)
    for rater in design.setup.raters:
        for role, count in ((ItemRole.REPEAT, 5), (ItemRole.BAD, 10)):
            shown = Counter(key.systems(screen)[0] for screen in key.screens[rater] if key.role(screen) is role)
            assert shown == dict.fromkeys(design.setup.systems, count)
    first, second = (
        {(screen.segment, *key.systems(screen)) for screen in key.screens[rater] if key.role(screen) is ItemRole.REPEAT}
        for rater in design.setup.raters[:2]
    )
    assert first != second


def test_the_same_setup_gives_the_same_design():
    for protocol in PROTOCOLS:
        options = {"overlap": 0.3, "repeats": 0.2, "controls": 0.2, "training": 3}
        assert make_random_design(protocol, 4, 20, 3, **options) == make_random_design(protocol, 4, 20, 3, **options)
        second = make_random_design(protocol, 4, 20, 3, **options, seed=2)
        first = make_random_design(protocol, 4, 20, 3, **options)
        assert [screen.segment for screen in first.screens] != [screen.segment for screen in second.screens]
        assert not {screen.uid for screen in first.screens} & {screen.uid for screen in second.screens}
        assert not {output.uid for output in first.outputs} & {output.uid for output in second.outputs}


def test_campaigns_of_one_setup_have_the_same_order_and_different_uids():
    texts, known_passages, choices = make_translations(3, 10), make_passages(10), make_setup(3, 10, 2)
    first = design_campaign(make_campaign(), choices, known_passages, texts)
    second = design_campaign(replace(make_campaign(), uid="c2"), choices, known_passages, texts)
    assert [screen.segment for screen in first.screens] == [screen.segment for screen in second.screens]
    assert not {screen.uid for screen in first.screens} & {screen.uid for screen in second.screens}


def test_order_of_a_design_is_the_same_in_all_versions():
    # regenerating existing campaigns depends on this order
    design = make_random_design("adequacy", 2, 4, 1)
    key = BlindingKey(design)
    assert [(screen.segment, *key.systems(screen)) for screen in design.screens] == [
        (2, "system-1"),
        (0, "system-2"),
        (1, "system-2"),
        (3, "system-1"),
        (2, "system-2"),
        (0, "system-1"),
        (1, "system-1"),
        (3, "system-2"),
    ]


# --- blinding


@pytest.mark.parametrize("protocol", ["adequacy", "rank", "pairwise"])
def test_positions_uids_and_order_do_not_reveal_the_system(protocol):
    design = make_random_design(protocol, 4, 300, 3, overlap=0.5, repeats=0.1, controls=0.1, per_screen=4)
    key = BlindingKey(design)
    positions: dict[str, list[float]] = defaultdict(list)
    for rater in design.setup.raters:
        screens = key.screens[rater]
        for screen in screens:
            for index, output in enumerate(screen.outputs):
                whole = (screen.position, len(screens)) if len(screen.outputs) == 1 else (index, len(screen.outputs))
                positions[key.output[output].systems[0]].append((whole[0] + 0.5) / whole[1])
    assert len(positions) == 4
    for values in positions.values():
        # uniform on 0..1: standard deviation at most 0.29
        assert abs(np.mean(values) - 0.5) < 4 * 0.29 / len(values) ** 0.5
    listed = defaultdict(list)
    for index, row in enumerate(design.output_keys):
        listed[row.systems[0]].append(index / len(design.outputs))
        listed[row.role].append(index / len(design.outputs))
    assert all(abs(np.mean(values) - 0.5) < 4 * 0.29 / len(values) ** 0.5 for values in listed.values())


def test_each_letter_shows_each_system_equally_often():
    key = BlindingKey(make_random_design("rank", 5, 400, 2))
    counts = Counter(
        (position, key.output[output].systems)
        for screen in key.design.screens
        for position, output in enumerate(screen.outputs)
    )
    # 800 screens: 160 expected, standard deviation 11
    assert len(counts) == 25
    assert all(abs(count - 160) < 50 for count in counts.values())


def test_data_for_raters_name_neither_systems_nor_roles():
    design = make_random_design("rank", 3, 10, 2, repeats=0.3, controls=0.3, training=2)
    text = repr((design.campaign, design.passages, design.outputs, design.screens)).lower()
    assert not any(word in text for word in ("system", "bad", "repeat", "setup", "key", "seed", "role"))
    assert {len(row.uid) for row in (*design.outputs, *design.screens)} == {20}


def test_control_screens_are_spread_over_all_positions():
    design = make_random_design("adequacy", 4, 100, 3, repeats=0.2, controls=0.2)
    key = BlindingKey(design)
    positions = [
        (screen.position + 0.5) / len(key.screens[screen.rater])
        for screen in design.screens
        if key.role(screen) is ItemRole.BAD
    ]
    assert abs(np.mean(positions) - 0.5) < 4 * 0.29 / len(positions) ** 0.5
    counts = np.histogram(positions, 5, (0, 1))[0]
    # 240 items in fifths: 48 expected
    assert counts.min() > 20


# --- rankings


def test_identical_outputs_are_shown_once():
    texts = {"a": ["x y", "same"], "b": ["x y", "same"], "c": ["z", " same "]}
    design = design_campaign(
        make_campaign("rank"), replace(make_setup(0, 2, 1), systems=("a", "b", "c")), make_passages(2), texts,
    )  # fmt: skip
    key = BlindingKey(design)
    shown = {
        screen.segment: sorted(key.output[output].systems for output in screen.outputs) for screen in design.screens
    }
    assert shown == {0: [("a", "b"), ("c",)], 1: [("a", "b", "c")]}


def test_systems_are_shown_equally_often_if_not_all_fit_on_a_screen():
    design = make_random_design("rank", 8, 200, 4, overlap=0.2, per_screen=4)
    key = BlindingKey(design)
    for rater in design.setup.raters:
        shown = Counter(name for screen in key.core(rater) for name in key.systems(screen))
        assert max(shown.values()) - min(shown.values()) <= 1
    total = Counter(
        name for rater in design.setup.raters for ranking in key.core(rater) for name in key.systems(ranking)
    )
    assert max(total.values()) - min(total.values()) <= 4


def test_pairwise_control_screen_shows_an_output_and_its_degraded_copy():
    key = BlindingKey(make_random_design("pairwise", 3, 20, 1, controls=0.2))
    controls = [screen for screen in key.design.screens if key.role(screen) is ItemRole.BAD]
    assert len(controls) == 4
    for screen in controls:
        first, second = (key.output[output] for output in screen.outputs)
        assert first.systems == second.systems
        assert {first.role, second.role} == {ItemRole.SYSTEM, ItemRole.BAD}


# --- training


def test_training_uses_segments_outside_the_campaign():
    choices = replace(make_setup(3, 10, 2, training=4), segments=tuple(range(5)))
    design = design_campaign(make_campaign("adequacy"), choices, make_passages(10), make_translations(3, 10))
    training_screens = [screen for screen in design.screens if screen.training]
    assert len(training_screens) == 8
    assert {screen.segment for screen in training_screens} <= set(range(5, 10))
    assert len({screen.segment for screen in training_screens}) == 4
    by_rater = [[screen.segment for screen in training_screens if screen.rater == rater] for rater in choices.raters]
    assert by_rater[0] == by_rater[1]
    assert len({BlindingKey(design).systems(screen)[0] for screen in training_screens}) == 3


def test_training_uses_segments_of_the_campaign_if_there_are_no_others():
    design = make_random_design("rank", 3, 4, 1, training=6)
    training_screens = [screen.segment for screen in design.screens if screen.training]
    assert sorted(training_screens[:4]) == [0, 1, 2, 3]
    texts = make_translations(3, 6)
    texts["system-2"][4] = ""
    choices = replace(make_setup(3, 6, 1, training=2), segments=(0, 1, 2, 3))
    no_source = [*make_passages(5), Passage(5)]
    inside = design_campaign(make_campaign("rank"), choices, no_source, texts)
    assert all(screen.segment < 4 for screen in inside.screens)


# --- displayed context


@pytest.mark.parametrize(("context", "expected"), [(0, [7]), (1, [6, 7, 8]), (3, [5, 6, 7, 8, 9])])
def test_neighbours_in_the_same_document_are_displayed(context, expected):
    choices = replace(make_setup(2, 0, 1), segments=(7,))
    design = design_campaign(
        make_campaign("adequacy", context=context), choices, make_passages(20, [index // 5 for index in range(20)]),
        make_translations(2, 20),
    )  # fmt: skip
    assert [passage.segment for passage in design.passages] == expected


def test_whole_documents_are_displayed():
    choices = replace(make_setup(2, 0, 1), segments=(7, 12))
    known = make_passages(20, [index // 5 for index in range(20)])
    campaign = make_campaign("adequacy", context=WHOLE_DOCUMENT)
    design = design_campaign(campaign, choices, known, make_translations(2, 20))
    assert [passage.segment for passage in design.passages] == list(range(5, 15))


def test_segments_without_a_document_are_not_grouped():
    known = make_passages(6, [0] * 6)
    known[2], known[4] = (replace(known[segment], document="") for segment in (2, 4))
    campaign = make_campaign("rank", by_document=True)
    design = design_campaign(campaign, make_setup(2, 6, 1), known, make_translations(2, 6))
    order = [screen.segment for screen in design.screens]
    begin = order.index(0)
    assert order[begin : begin + 4] == [0, 1, 3, 5]


def test_too_many_raters_are_refused():
    with pytest.raises(QeError, match="too few items for 9 raters"):
        make_random_design("rank", 2, 5, 9, overlap=0.0)
