"""Dot labels stay inside the chart, overlap neither labels nor dots, and are omitted where there is no space."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.chart_model import MAX_DOT_LABELS, place_dot_labels


def overlap(first, second):
    return first[0] < second[2] and first[2] > second[0] and first[1] < second[3] and first[3] > second[1]


def test_labels_overlap_no_label_and_no_dot_and_stay_inside():
    dice = np.random.default_rng(3)
    x, y = dice.uniform(0, 400, 60), dice.uniform(0, 300, 60)
    widths = dice.uniform(20, 90, 60).tolist()
    corners = place_dot_labels(x, y, widths, 14.0, (400.0, 300.0), 3.0)
    boxes = [
        (corner[0], corner[1], corner[0] + width, corner[1] + 14)
        for corner, width in zip(corners, widths, strict=True)
        if corner
    ]
    assert 10 < len(boxes) < 60
    dots = [(a - 3, b - 3, a + 3, b + 3) for a, b in zip(x, y, strict=True)]
    for index, box in enumerate(boxes):
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= 400
        assert box[3] <= 300
        assert not any(overlap(box, other_box) for other_box in (*boxes[:index], *dots))


def test_single_dot_is_labelled_at_the_upper_right_or_left_at_the_edge():
    (corner,) = place_dot_labels(np.asarray([50.0]), np.asarray([50.0]), [20.0], 10.0, (100.0, 100.0), 2.0)
    assert corner == (54.0, 39.0)
    (edge,) = place_dot_labels(np.asarray([95.0]), np.asarray([50.0]), [20.0], 10.0, (100.0, 100.0), 2.0)
    assert edge is not None
    assert edge[0] + 20 < 95
    assert place_dot_labels(np.asarray([50.0]), np.asarray([50.0]), [200.0], 10.0, (100.0, 100.0), 2.0) == [None]


def test_only_the_first_of_very_many_dots_are_labelled():
    many = MAX_DOT_LABELS + 5
    corners = place_dot_labels(np.arange(many) * 50.0, np.zeros(many) + 50, [10.0] * many, 10.0, (1e6, 100.0), 2.0)
    assert [corner is not None for corner in corners] == [True] * MAX_DOT_LABELS + [False] * 5


def test_label_covers_an_error_bar_only_if_there_is_no_free_position():
    dot = np.asarray([50.0]), np.asarray([50.0]), [20.0], 10.0, (100.0, 100.0), 2.0
    above = np.asarray([[40.0, 0.0, 80.0, 45.0]])
    assert place_dot_labels(*dot, bar_boxes=above) == [(54.0, 51.0)]
    everywhere = np.asarray([[0.0, 0.0, 100.0, 100.0]])
    assert place_dot_labels(*dot, bar_boxes=everywhere) == place_dot_labels(*dot)
