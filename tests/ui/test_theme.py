"""Themes: contrast, palettes, and their application."""

import pytest
from PySide6.QtGui import QColor, QPalette

from qe_desktop.report.render import svg
from qe_desktop.ui import theme

MIN_CONTRAST = 4.5
INKS = (
    "text",
    "muted",
    "accent",
    "bad",
    "false_alarm",
    "miss",
    "ok",
    "error",
    "warning",
    "info",
    "positive",
    "negative",
)
FILLS = [token for token in theme._TOKENS if token.endswith("_fill") or token in ("selection", "raised")]


@pytest.fixture
def usual_theme(qapp):
    yield
    theme.apply(qapp, "light")


@pytest.mark.parametrize("name", theme.THEMES)
@pytest.mark.parametrize("ground", ["window", "surface"])
@pytest.mark.parametrize("ink", INKS)
def test_text_colours_have_enough_contrast_on_backgrounds(name, ground, ink):
    named_theme = theme.THEMES[name]
    assert theme.contrast_ratio(getattr(named_theme, ink), getattr(named_theme, ground)) >= MIN_CONTRAST


@pytest.mark.parametrize("name", theme.THEMES)
@pytest.mark.parametrize("fill", FILLS)
def test_text_has_enough_contrast_on_every_fill(name, fill):
    named_theme = theme.THEMES[name]
    assert theme.contrast_ratio(named_theme.text, getattr(named_theme, fill)) >= (
        7 if name == "contrast" else MIN_CONTRAST
    )


@pytest.mark.parametrize("name", theme.THEMES)
def test_text_has_enough_contrast_on_accent_and_matrix_colours(name):
    named_theme = theme.THEMES[name]
    for fill in (named_theme.accent, *named_theme.matrix):
        assert theme.contrast_ratio(named_theme.text_colour_on(fill), fill) >= MIN_CONTRAST
    assert theme.contrast_ratio(named_theme.on_accent, named_theme.accent) >= MIN_CONTRAST


def test_contrast_ratio_of_known_pairs():
    assert theme.contrast_ratio(QColor("white"), QColor("black")) == pytest.approx(21)
    assert theme.contrast_ratio(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", theme.THEMES)
def test_palette_sets_every_role(name):
    palette = theme.palette(theme.THEMES[name])
    roles = [
        role for role in QPalette.ColorRole if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles)
    ]
    assert all(palette.isBrushSet(QPalette.ColorGroup.Active, role) for role in roles)
    faint = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert faint != palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)


@pytest.mark.usefixtures("usual_theme")
def test_applying_a_theme_emits_a_signal_and_sets_the_palette(qapp, qtbot):
    with qtbot.waitSignal(theme.themes.theme_changed):
        theme.apply(qapp, "dark")
    assert theme.current() is theme.DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.DARK.window


@pytest.mark.usefixtures("usual_theme")
def test_system_theme_follows_the_contrast_of_the_desktop(qapp, usual_theme, monkeypatch):
    theme.apply(qapp, "system")
    monkeypatch.setattr(theme, "_desktop_theme", lambda app: theme.CONTRAST)
    style_hints = qapp.styleHints()
    hints = style_hints.accessibility()
    hints.contrastPreferenceChanged.emit(hints.contrastPreference())
    assert theme.current() is theme.CONTRAST


def test_unknown_theme_falls_back_to_the_system_theme(qapp):
    theme.apply(qapp, "mauve")
    assert theme.themes.choice == "system"
    assert theme.current() in theme.THEMES.values()


def test_svg_colours_equal_the_light_theme():
    assert {token: getattr(theme.LIGHT, token).name() for token in svg.TOKEN_COLORS} == svg.TOKEN_COLORS
