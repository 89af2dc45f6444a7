"""The program, the seed, the names of the systems and the server's data do not reveal the key to a rater.

docs/evaluators.md describes the limits: a rater who knows a system's texts from elsewhere recognizes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from scipy import stats

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.campaign_tables import write_design
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.assignment.screen_drafts import OpaqueNames
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from tests.project.store.team import Team, fetch_rows

SYSTEMS = ("A", "B", "C", "D")
SEED = 4711
SECRET = bytes(range(1, 33))
SCREENS = 192
LEVEL = 1 - 1e-9
"""An attack is no better than chance if its correct guesses are within this quantile of random guessing: names are
random in every run, and no run may fail by chance."""
CAMPAIGN = Campaign(
    "192 screens", "192 screens", "direct-assessment", EvaluationBasis.SOURCE, "de", "en", created=1.7e9
)


def make_secret_design(secret: bytes, rater: str, systems: tuple[str, ...] = SYSTEMS) -> CampaignDesign:
    """Design with 160 items, 16 repeats and 16 control items, whose texts reveal nothing about their systems."""
    segments = range(40)
    setup = CampaignSetup(systems, tuple(segments), (rater,), repeats=0.1, controls=0.1, seed=SEED)
    passages = [Passage(segment, f"source {segment}", f"reference {segment}") for segment in segments]
    texts = {
        system: [f"output {(segment * 7 + index * 3) % 11} of {segment} in some words" for segment in segments]
        for index, system in enumerate(systems)
    }
    return design_campaign(replace(CAMPAIGN, raters=(rater,)), setup, passages, texts, secret=secret)


@dataclass(frozen=True)
class RaterData:
    """Data that the rater's own connection returns, in every order that can be requested."""

    rater: str
    uids: list[str]
    outputs: dict[str, str]
    orders: dict[str, list[str]]


def read_as_rater(team: Team) -> RaterData:
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        mine = f"FROM screens WHERE campaign = '{CAMPAIGN.uid}'"
        screen_rows = fetch_rows(connection, f"SELECT uid, outputs {mine} ORDER BY position")
        uids = [row[0] for row in screen_rows]
        outputs = {row[0]: row[1] for row in screen_rows}
        physical_order = [row[0] for row in fetch_rows(connection, f"SELECT uid {mine}")]
        by_output = dict(fetch_rows(connection, "SELECT '[\"' || uid || '\"]', row_number() OVER () FROM outputs"))
    orders = {
        "position": uids,
        "uid": sorted(uids),
        "as it lies": physical_order,
        "outputs' names": sorted(uids, key=outputs.__getitem__),
        "outputs as they lie": sorted(uids, key=lambda uid: by_output[outputs[uid]]),
    }
    return RaterData(team.roles["ann"], uids, outputs, orders)


Key = dict[str, tuple[str, int]]


def key_of(design: CampaignDesign) -> Key:
    """System and role of each screen."""
    systems = {key.output: key.systems[0] for key in design.output_keys}
    roles = {key.screen: int(key.role) for key in design.screen_keys}
    return {screen.uid: (systems[screen.outputs[0]], roles[screen.uid]) for screen in design.screens}


def guess_key(data: RaterData, secret: bytes) -> Key:
    """Key guessed by an attack that works without a secret: design the campaign again, match screens by position."""
    guess = make_secret_design(secret, data.rater)
    return dict(zip(data.uids, key_of(guess).values(), strict=True))


def matching_seeds(data: RaterData, secret: bytes) -> list[int]:
    """Seeds of 0..9999 that generate the name of the first screen for any segment."""
    setup, fitting = make_secret_design(b"", data.rater).setup, []
    for seed in range(10_000):
        names = OpaqueNames(CAMPAIGN, replace(setup, seed=seed), secret)
        if any(names.opaque_name("screen 0", 0, str(segment)) == data.uids[0] for segment in setup.segments):
            fitting.append(seed)
    return fitting


@pytest.fixture(scope="module")
def campaign(team: Team) -> Callable[[bytes], CampaignDesign]:
    """Function that writes a campaign of ann directly to the database: the program rejects one without a secret."""
    designs: list[CampaignDesign] = []

    def put_campaign(secret: bytes) -> CampaignDesign:
        for before in designs:
            assert before.secret == secret, "one campaign, once"
        if not designs:
            designs.append(make_secret_design(secret, team.roles["ann"]))
            with team.project._database.writing() as connection:
                write_design(connection, designs[0])
        return designs[0]

    return put_campaign


def count_correct(guess: Key, truth: Key) -> int:
    return sum(guess[uid] == answer for uid, answer in truth.items())


def max_correct_by_chance(guess: Key, truth: Key) -> float:
    """Maximum number of correct guesses if the same systems and roles are guessed in random order."""
    share = Counter(guess.values())
    chance = sum(share[answer] * count for answer, count in Counter(truth.values()).items()) / len(truth) ** 2
    return float(stats.binom.ppf(LEVEL, len(truth), chance))


def test_without_a_secret_the_seed_reveals_the_key():
    """The attack works on campaigns as earlier versions designed them."""
    design = make_secret_design(b"", "ann")
    data = RaterData("ann", [screen.uid for screen in design.screens], {}, {})
    truth = key_of(design)
    assert len(truth) == SCREENS
    assert count_correct(guess_key(data, b""), truth) == SCREENS > max_correct_by_chance(guess_key(data, b""), truth)
    assert matching_seeds(data, b"") == [SEED]


def test_seed_and_server_data_reveal_no_more_than_chance(team, campaign):
    truth = key_of(campaign(SECRET))
    data = read_as_rater(team)
    assert sorted(data.uids) == sorted(truth)
    assert len(truth) == SCREENS
    for secret in (b"", bytes(32), bytes([255] * 32)):
        guess = guess_key(data, secret)
        assert count_correct(guess, truth) <= max_correct_by_chance(guess, truth)
        assert matching_seeds(data, secret) == []
    # the owner, who has the secret, can reproduce the design from the seed
    assert count_correct(guess_key(data, SECRET), truth) == SCREENS


def test_row_orders_are_independent_of_systems_and_roles(team, campaign):
    """In four parts of each order, systems and roles are distributed as expected by chance (chi-squared test)."""
    truth = key_of(campaign(SECRET))
    for name, order in read_as_rater(team).orders.items():
        for what in (0, 1):
            parts = [Counter(truth[uid][what] for uid in order[start : start + 48]) for start in range(0, SCREENS, 48)]
            kinds = sorted({truth[uid][what] for uid in order})
            # a repeat always comes after its first occurrence, which is not secret
            if what == 1 and name == "position":
                continue
            table = [[part[kind] for kind in kinds] for part in parts]
            assert stats.chi2_contingency(table).pvalue > 1 - LEVEL, (name, what)
            turns = [Counter(truth[uid][what] for uid in order[turn::4]) for turn in range(4)]
            table = [[turn[kind] for kind in kinds] for turn in turns]
            assert stats.chi2_contingency(table).pvalue > 1 - LEVEL, (name, what)


def test_raters_cannot_read_the_secret(team, campaign):
    design = campaign(SECRET)
    secret = design.secret.hex()
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        public = fetch_rows(connection, f"SELECT public FROM campaigns WHERE uid = '{CAMPAIGN.uid}'")[0][0]
        assert secret not in public
        assert design.campaign.design_hash in public
        assert "seed" not in public
        # views, functions, policies, comments, defaults and statistics do not contain it either
        for catalogue in ("pg_views", "pg_rules", "pg_policies", "pg_description", "pg_proc", "pg_stats", "pg_attrdef",
                          "pg_stat_activity", "pg_settings", "pg_sequences", "pg_trigger"):  # fmt: skip
            texts = fetch_rows(connection, f"SELECT CAST(t AS text) FROM pg_catalog.{catalogue} t")
            assert not any(secret in (row[0] or "") for row in texts), catalogue
    assert secret not in repr(design)


def test_a_server_rejects_a_campaign_without_a_secret(team):
    with pytest.raises(QeError, match="no secret"):
        team.project.add_campaign(make_secret_design(b"", team.roles["ann"]))


def test_raters_cannot_read_references_that_are_not_displayed(team):
    """In source-based evaluation, the reference would reveal which output is equal or similar to it."""
    with team.connect_as("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        texts = fetch_rows(connection, "SELECT source, reference FROM passages WHERE campaign = 'campaign-1'")
    assert texts
    assert all(source and not reference for source, reference in texts)


def test_two_campaigns_with_one_seed_are_unrelated():
    first, second = (make_secret_design(secret, "ann") for secret in (SECRET, bytes(32)))
    first_keys, second_keys = list(key_of(first).values()), list(key_of(second).values())
    guess = dict(zip(key_of(first), second_keys, strict=True))
    assert count_correct(guess, key_of(first)) <= max_correct_by_chance(guess, key_of(first))
    assert Counter(first_keys) == Counter(second_keys)
    assert {screen.uid for screen in first.screens}.isdisjoint({screen.uid for screen in second.screens})


def test_copies_of_a_project_keep_the_secret_of_a_campaign(team, tmp_path, campaign):
    design = campaign(SECRET)
    with team.project.save_as(tmp_path / "copy.qedesk") as copy:
        assert copy.design(CAMPAIGN.uid) == design
    with Project.open(tmp_path / "copy.qedesk", person="ann") as project:
        assert project.design(CAMPAIGN.uid).secret == SECRET
