import pytest
from PySide6.QtGui import QColor, QPalette

from qe_desktop.report.render import svg
from qe_desktop.ui import theme

ENOUGH = 4.5
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
def test_every_ink_can_be_read_on_the_grounds(name, ground, ink):
    one = theme.THEMES[name]
    assert theme.contrast_ratio(getattr(one, ink), getattr(one, ground)) >= ENOUGH


@pytest.mark.parametrize("name", theme.THEMES)
@pytest.mark.parametrize("fill", FILLS)
def test_text_can_be_read_on_every_fill(name, fill):
    one = theme.THEMES[name]
    assert theme.contrast_ratio(one.text, getattr(one, fill)) >= (7 if name == "contrast" else ENOUGH)


@pytest.mark.parametrize("name", theme.THEMES)
def test_text_can_be_read_on_the_accent_and_on_each_step_of_the_matrix(name):
    one = theme.THEMES[name]
    for fill in (one.accent, *one.matrix):
        assert theme.contrast_ratio(one.on(fill), fill) >= ENOUGH
    assert theme.contrast_ratio(one.on_accent, one.accent) >= ENOUGH


def test_contrast_of_known_pairs():
    assert theme.contrast_ratio(QColor("white"), QColor("black")) == pytest.approx(21)
    assert theme.contrast_ratio(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", theme.THEMES)
def test_the_palette_sets_every_role(name):
    palette = theme.palette(theme.THEMES[name])
    roles = [
        role for role in QPalette.ColorRole if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles)
    ]
    assert all(palette.isBrushSet(QPalette.ColorGroup.Active, role) for role in roles)
    faint = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert faint != palette.color(QPalette.ColorGroup.Active, QPalette.ColorRole.Text)


@pytest.mark.usefixtures("usual_theme")
def test_applying_a_theme_tells_and_reaches_the_application(qapp, qtbot):
    with qtbot.waitSignal(theme.themes.theme_changed):
        theme.apply(qapp, "dark")
    assert theme.current() is theme.DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == theme.DARK.window


@pytest.mark.usefixtures("usual_theme")
def test_an_unknown_choice_is_as_the_desktop(qapp):
    theme.apply(qapp, "mauve")
    assert theme.themes.choice == "system"
    assert theme.current() in theme.THEMES.values()


def test_pictures_in_files_have_the_colours_of_the_light_theme():
    assert {token: getattr(theme.LIGHT, token).name() for token in svg.TOKEN_COLORS} == svg.TOKEN_COLORS
