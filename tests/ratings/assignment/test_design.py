"""A whole campaign from a setup: who sees what, when, and what the names may not tell."""

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
from qe_desktop.ratings.assignment.repeats import MIN_REPEAT_DISTANCE, share_count
from qe_desktop.ratings.assignment.screen_order import min_distance
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, CampaignDesign, Passage, Screen
from qe_desktop.ratings.protocols import PROTOCOLS
from tests.ratings.campaigns import Key, campaign, designed, passages, setup, translations

ABSOLUTE = [name for name, protocol in PROTOCOLS.items() if not protocol.compares]
shares = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])


@st.composite
def designs(draw) -> CampaignDesign:
    protocol = PROTOCOLS[draw(st.sampled_from(list(PROTOCOLS)))]
    return designed(
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
def test_what_holds_for_every_design(of: CampaignDesign):
    key = Key(of)
    protocol = PROTOCOLS[of.campaign.protocol]
    assert of.campaign.raters == of.setup.raters
    uids = [screen.uid for screen in of.screens]
    assert len(set(uids)) == len(uids)
    assert [one.screen for one in of.screen_keys] == uids
    assert [one.output for one in of.output_keys] == [output.uid for output in of.outputs] == sorted(key.output)
    assert {passage.segment for passage in of.passages} == {screen.segment for screen in of.screens}
    assert {output for screen in of.screens for output in screen.outputs} == set(key.output)
    for rater in of.setup.raters:
        screens = key.screens[rater]
        assert [screen.position for screen in screens] == list(range(len(screens)))
        assert [screen.training for screen in screens] == [True] * of.setup.training + [False] * (
            len(screens) - of.setup.training
        )
        for screen in screens:
            check_screen(key, screen, protocol.compares)
        check_shares(key, rater)


def check_screen(key: Key, screen: Screen, ranks: bool) -> None:
    role, earlier = key.role(screen), key.screen[screen.uid].repeats
    assert (role is ItemRole.TRAINING) == screen.training
    shown = [key.text[output] for output in screen.outputs]
    assert len(set(shown)) == len(shown)
    assert 1 <= len(shown) <= (min(5, max(2, key.design.setup.per_screen)) if ranks else 1)
    original = next((other for other in key.screens[screen.rater] if other.uid == earlier), None)
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
        # the degraded copy can be told from its original by its words alone
        assert key.output[bad[0]].systems in [key.output[output].systems for output in original.outputs]
        assert key.text[bad[0]] not in [key.text[output] for output in original.outputs]
        if ranks:
            same = [output for output in screen.outputs if key.output[output].systems == key.output[bad[0]].systems]
            assert len(same) == 2
            assert len(screen.outputs) == max(2, len(original.outputs))


def check_shares(key: Key, rater: str) -> None:
    """Repeats and controls are the shares of a rater's own items, up to one document."""
    of = key.design
    roles = Counter(key.role(screen) for screen in key.screens[rater])
    core = roles[ItemRole.SYSTEM]
    slack = 5 if of.campaign.by_document else 0
    for role, share in ((ItemRole.REPEAT, of.setup.repeats), (ItemRole.BAD, of.setup.controls)):
        assert abs(roles[role] - share_count(share, core)) <= slack
        assert (roles[role] > 0) == (share > 0)
    own = Counter((screen.segment, frozenset(key.systems(screen))) for screen in key.core(rater))
    assert max(own.values()) == 1


@given(designs())
def test_everything_is_judged_and_the_common_part_by_all(of: CampaignDesign):
    key = Key(of)
    by_item = defaultdict(set)
    for rater in of.setup.raters:
        for screen in key.core(rater):
            by_item[screen.segment, tuple(sorted(key.systems(screen)))].add(rater)
    raters = len(of.setup.raters)
    assert set(map(len, by_item.values())) <= {1, raters}
    segments = len(of.setup.segments)
    if PROTOCOLS[of.campaign.protocol].compares:
        assert {segment for segment, _ in by_item} == set(range(segments))
        assert len(by_item) == segments
    else:
        assert len(by_item) == segments * len(of.setup.systems)
    common = sum(len(judges) == raters for judges in by_item.values())
    if raters > 1:
        slack = 5 if of.campaign.by_document else 0.5
        assert abs(common - of.setup.overlap * len(by_item)) <= slack or common == 1


@given(st.sampled_from(list(PROTOCOLS)), st.integers(2, 6), st.integers(1, 3), shares, shares, st.integers(0, 999))
def test_documents_stay_whole_and_in_order(protocol, systems, raters, repeats, controls, seed):
    of = designed(protocol, systems, 23, raters, repeats=repeats, controls=controls, by_document=True, seed=seed)
    key = Key(of)
    ranks = PROTOCOLS[protocol].compares
    for rater in of.setup.raters:
        blocks = []
        for _, run in groupby(
            key.screens[rater],
            key=lambda screen: (screen.segment // 5, key.role(screen), *([] if ranks else key.systems(screen))),
        ):
            blocks += in_documents([screen.segment for screen in run])
        assert all(block == whole_document(block[0]) for block in blocks)
        documents = [block[0] // 5 for block in blocks]
        times = Counter(documents)
        # no document comes twice running, unless its copies cannot be kept apart
        if max(times.values()) * 2 <= len(documents) and repeats == controls == 0:
            assert min_distance(documents) >= 2


def whole_document(segment: int) -> list[int]:
    return list(range(segment, min(segment + 5, 23)))


def in_documents(segments: list[int]) -> list[list[int]]:
    """A run of one document, one after the other where it comes twice running."""
    begins = [place for place, segment in enumerate(segments) if segment % 5 == 0]
    return [segments[begin:end] for begin, end in zip(begins, [*begins[1:], len(segments)], strict=True)]


@given(st.sampled_from(ABSOLUTE), st.integers(2, 5), st.integers(20, 40), st.integers(0, 999))
def test_a_source_does_not_return_soon(protocol, systems, segments, seed):
    of = designed(protocol, systems, segments, 2, overlap=0.5, seed=seed)
    for screens in Key(of).screens.values():
        shown = [screen.segment for screen in screens]
        most = max(Counter(shown).values())
        if most > 1:
            assert min_distance(shown) >= min(
                REPEAT_DISTANCE, (len(shown) - Counter(Counter(shown).values())[most]) // (most - 1)
            )


def test_repeats_and_control_items_keep_their_distance():
    of = designed("adequacy", 3, 60, 2, repeats=0.1, controls=0.1)
    key = Key(of)
    for screens in key.screens.values():
        place = {screen.uid: screen.position for screen in screens}
        for screen in screens:
            earlier = key.screen[screen.uid].repeats
            if key.role(screen) is ItemRole.REPEAT:
                assert place[screen.uid] - place[earlier] >= MIN_REPEAT_DISTANCE
            elif key.role(screen) is ItemRole.BAD:
                assert abs(place[screen.uid] - place[earlier]) >= REPEAT_DISTANCE
        assert min_distance([screen.segment for screen in screens]) >= REPEAT_DISTANCE


def test_repeats_and_controls_are_chosen_evenly_over_systems():
    of = designed("adequacy", 4, 50, 3, repeats=0.1, controls=0.2)
    key = Key(of)
    for rater in of.setup.raters:
        for role, count in ((ItemRole.REPEAT, 5), (ItemRole.BAD, 10)):
            shown = Counter(key.systems(one)[0] for one in key.screens[rater] if key.role(one) is role)
            assert shown == dict.fromkeys(of.setup.systems, count)
    first, second = (
        {(one.segment, *key.systems(one)) for one in key.screens[rater] if key.role(one) is ItemRole.REPEAT}
        for rater in of.setup.raters[:2]
    )
    assert first != second


def test_the_same_setup_gives_the_same_design():
    for protocol in PROTOCOLS:
        make = {"overlap": 0.3, "repeats": 0.2, "controls": 0.2, "training": 3}
        assert designed(protocol, 4, 20, 3, **make) == designed(protocol, 4, 20, 3, **make)
        other = designed(protocol, 4, 20, 3, **make, seed=2)
        mine = designed(protocol, 4, 20, 3, **make)
        assert [screen.segment for screen in mine.screens] != [screen.segment for screen in other.screens]
        assert not {screen.uid for screen in mine.screens} & {screen.uid for screen in other.screens}
        assert not {output.uid for output in mine.outputs} & {output.uid for output in other.outputs}


def test_two_campaigns_of_one_setup_have_the_same_order_and_other_names():
    texts, given_passages, choices = translations(3, 10), passages(10), setup(3, 10, 2)
    one = design_campaign(campaign(), choices, given_passages, texts)
    two = design_campaign(replace(campaign(), uid="c2"), choices, given_passages, texts)
    assert [screen.segment for screen in one.screens] == [screen.segment for screen in two.screens]
    assert not {screen.uid for screen in one.screens} & {screen.uid for screen in two.screens}


def test_a_design_is_written_down_once_and_for_all():
    # the replay of campaigns that exist depends on this order
    of = designed("adequacy", 2, 4, 1)
    key = Key(of)
    assert [(screen.segment, *key.systems(screen)) for screen in of.screens] == [
        (2, "system-1"),
        (0, "system-2"),
        (1, "system-2"),
        (3, "system-1"),
        (2, "system-2"),
        (0, "system-1"),
        (1, "system-1"),
        (3, "system-2"),
    ]


# --- blindness


@pytest.mark.parametrize("protocol", ["adequacy", "rank", "pairwise"])
def test_neither_place_nor_name_nor_order_tells_the_system(protocol):
    of = designed(protocol, 4, 300, 3, overlap=0.5, repeats=0.1, controls=0.1, per_screen=4)
    key = Key(of)
    places: dict[str, list[float]] = defaultdict(list)
    for rater in of.setup.raters:
        screens = key.screens[rater]
        for screen in screens:
            for place, output in enumerate(screen.outputs):
                whole = (screen.position, len(screens)) if len(screen.outputs) == 1 else (place, len(screen.outputs))
                places[key.output[output].systems[0]].append((whole[0] + 0.5) / whole[1])
    assert len(places) == 4
    for held in places.values():
        # uniform on 0..1: standard deviation at most 0.29
        assert abs(np.mean(held) - 0.5) < 4 * 0.29 / len(held) ** 0.5
    listed = defaultdict(list)
    for place, one in enumerate(of.output_keys):
        listed[one.systems[0]].append(place / len(of.outputs))
        listed[one.role].append(place / len(of.outputs))
    assert all(abs(np.mean(held) - 0.5) < 4 * 0.29 / len(held) ** 0.5 for held in listed.values())


def test_each_letter_shows_each_system_as_often():
    key = Key(designed("rank", 5, 400, 2))
    seen = Counter(
        (place, key.output[output].systems)
        for screen in key.design.screens
        for place, output in enumerate(screen.outputs)
    )
    # 800 screens: 160 expected, standard deviation 11
    assert len(seen) == 25
    assert all(abs(count - 160) < 50 for count in seen.values())


def test_what_raters_get_has_no_word_of_systems_or_roles():
    of = designed("rank", 3, 10, 2, repeats=0.3, controls=0.3, training=2)
    said = repr((of.campaign, of.passages, of.outputs, of.screens)).lower()
    assert not any(word in said for word in ("system", "bad", "repeat", "setup", "key", "seed", "role"))
    assert {len(one.uid) for one in (*of.outputs, *of.screens)} == {20}


def test_control_screens_stand_anywhere():
    of = designed("adequacy", 4, 100, 3, repeats=0.2, controls=0.2)
    key = Key(of)
    places = [
        (screen.position + 0.5) / len(key.screens[screen.rater])
        for screen in of.screens
        if key.role(screen) is ItemRole.BAD
    ]
    assert abs(np.mean(places) - 0.5) < 4 * 0.29 / len(places) ** 0.5
    counts = np.histogram(places, 5, (0, 1))[0]
    # 240 items in fifths: 48 expected
    assert counts.min() > 20


# --- rankings


def test_identical_outputs_are_shown_once():
    texts = {"a": ["x y", "same"], "b": ["x y", "same"], "c": ["z", " same "]}
    of = design_campaign(
        campaign("rank"), replace(setup(0, 2, 1), systems=("a", "b", "c")), passages(2), texts,
    )  # fmt: skip
    key = Key(of)
    shown = {screen.segment: sorted(key.output[output].systems for output in screen.outputs) for screen in of.screens}
    assert shown == {0: [("a", "b"), ("c",)], 1: [("a", "b", "c")]}


def test_more_systems_than_a_screen_shows_meet_about_equally_often():
    of = designed("rank", 8, 200, 4, overlap=0.2, per_screen=4)
    key = Key(of)
    for rater in of.setup.raters:
        shown = Counter(name for screen in key.core(rater) for name in key.systems(screen))
        assert max(shown.values()) - min(shown.values()) <= 1
    everyone = Counter(name for rater in of.setup.raters for one in key.core(rater) for name in key.systems(one))
    assert max(everyone.values()) - min(everyone.values()) <= 4


def test_a_pairwise_control_screen_shows_an_output_beside_its_degraded_copy():
    key = Key(designed("pairwise", 3, 20, 1, controls=0.2))
    controls = [screen for screen in key.design.screens if key.role(screen) is ItemRole.BAD]
    assert len(controls) == 4
    for screen in controls:
        one, other = (key.output[output] for output in screen.outputs)
        assert one.systems == other.systems
        assert {one.role, other.role} == {ItemRole.SYSTEM, ItemRole.BAD}


# --- training


def test_training_takes_segments_outside_the_campaign():
    choices = replace(setup(3, 10, 2, training=4), segments=tuple(range(5)))
    of = design_campaign(campaign("adequacy"), choices, passages(10), translations(3, 10))
    trained = [screen for screen in of.screens if screen.training]
    assert len(trained) == 8
    assert {screen.segment for screen in trained} <= set(range(5, 10))
    assert len({screen.segment for screen in trained}) == 4
    by_rater = [[screen.segment for screen in trained if screen.rater == rater] for rater in choices.raters]
    assert by_rater[0] == by_rater[1]
    assert len({Key(of).systems(screen)[0] for screen in trained}) == 3


def test_training_takes_the_campaigns_segments_where_there_are_no_others():
    of = designed("rank", 3, 4, 1, training=6)
    trained = [screen.segment for screen in of.screens if screen.training]
    assert sorted(trained[:4]) == [0, 1, 2, 3]
    texts = translations(3, 6)
    texts["system-2"][4] = ""
    choices = replace(setup(3, 6, 1, training=2), segments=(0, 1, 2, 3))
    no_source = [*passages(5), Passage(5)]
    inside = design_campaign(campaign("rank"), choices, no_source, texts)
    assert all(screen.segment < 4 for screen in inside.screens)


# --- what is in view


@pytest.mark.parametrize(("context", "expected"), [(0, [7]), (1, [6, 7, 8]), (3, [5, 6, 7, 8, 9])])
def test_neighbours_of_the_same_document_are_in_view(context, expected):
    choices = replace(setup(2, 0, 1), segments=(7,))
    of = design_campaign(
        campaign("adequacy", context=context), choices, passages(20, [place // 5 for place in range(20)]),
        translations(2, 20),
    )  # fmt: skip
    assert [passage.segment for passage in of.passages] == expected


def test_whole_documents_are_in_view():
    choices = replace(setup(2, 0, 1), segments=(7, 12))
    known = passages(20, [place // 5 for place in range(20)])
    of = design_campaign(campaign("adequacy", context=WHOLE_DOCUMENT), choices, known, translations(2, 20))
    assert [passage.segment for passage in of.passages] == list(range(5, 15))


def test_segments_without_a_document_stand_alone():
    known = passages(6, [0, 0, 0, 0, 0, 0])
    known[2] = replace(known[2], document="")
    known[4] = replace(known[4], document="")
    of = design_campaign(campaign("rank", by_document=True), setup(2, 6, 1), known, translations(2, 6))
    order = [screen.segment for screen in of.screens]
    begin = order.index(0)
    assert order[begin : begin + 4] == [0, 1, 3, 5]


def test_too_many_raters_for_the_items():
    with pytest.raises(QeError, match="too few items for 9 raters"):
        designed("rank", 2, 5, 9, overlap=0.0)
