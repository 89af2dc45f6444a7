"""Names beside dots: within the picture, none over another or over a dot, and left out where there is no room."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.chart_model import MAX_DOT_LABELS, place_dot_labels


def overlapping(one, other):
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def test_no_name_is_over_another_or_over_a_dot_or_outside():
    dice = np.random.default_rng(3)
    x, y = dice.uniform(0, 400, 60), dice.uniform(0, 300, 60)
    widths = dice.uniform(20, 90, 60).tolist()
    found = place_dot_labels(x, y, widths, 14.0, (400.0, 300.0), 3.0)
    boxes = [(one[0], one[1], one[0] + width, one[1] + 14) for one, width in zip(found, widths, strict=True) if one]
    assert 10 < len(boxes) < 60
    dots = [(a - 3, b - 3, a + 3, b + 3) for a, b in zip(x, y, strict=True)]
    for place, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= 400
        assert box[3] <= 300
        assert not any(overlapping(box, other) for other in (*boxes[:place], *dots))


def test_a_dot_alone_has_its_name_at_its_upper_right_and_at_the_edge_on_the_other_side():
    (one,) = place_dot_labels(np.asarray([50.0]), np.asarray([50.0]), [20.0], 10.0, (100.0, 100.0), 2.0)
    assert one == (54.0, 39.0)
    (edge,) = place_dot_labels(np.asarray([95.0]), np.asarray([50.0]), [20.0], 10.0, (100.0, 100.0), 2.0)
    assert edge is not None
    assert edge[0] + 20 < 95
    assert place_dot_labels(np.asarray([50.0]), np.asarray([50.0]), [200.0], 10.0, (100.0, 100.0), 2.0) == [None]


def test_of_very_many_dots_the_first_are_named():
    many = MAX_DOT_LABELS + 5
    found = place_dot_labels(np.arange(many) * 50.0, np.zeros(many) + 50, [10.0] * many, 10.0, (1e6, 100.0), 2.0)
    assert [one is not None for one in found] == [True] * MAX_DOT_LABELS + [False] * 5


def test_a_name_is_over_an_arm_only_where_there_is_no_other_place():
    dot = np.asarray([50.0]), np.asarray([50.0]), [20.0], 10.0, (100.0, 100.0), 2.0
    above = np.asarray([[40.0, 0.0, 80.0, 45.0]])
    assert place_dot_labels(*dot, arms=above) == [(54.0, 51.0)]
    everywhere = np.asarray([[0.0, 0.0, 100.0, 100.0]])
    assert place_dot_labels(*dot, arms=everywhere) == place_dot_labels(*dot)
