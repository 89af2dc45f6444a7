"""Painting of flat controls: buttons, fields, check boxes, sliders and scroll bars, in the colours of the palette."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import (
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QStyleOptionToolButton,
)

CORNER_PX = 5
"""Radius of the corners of controls in pixels."""
_State = QStyle.StateFlag
_Part = QStyle.SubControl
_Role = QPalette.ColorRole


def control_height(metrics: QFontMetrics) -> int:
    """Return the height of controls, about 28 pixels at the default text size."""
    return round(metrics.height() * 1.65)


def draw_card(
    painter: QPainter, rect: QRect, fill: QColor | Qt.BrushStyle, line: QColor | None, width: int = 1
) -> None:
    """Draw a filled rectangle with rounded corners; unless `line` is None, draw an outline within the rectangle."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen if line is None else QPen(line, width))
    painter.setBrush(fill)
    inset = 0 if line is None else width / 2
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), CORNER_PX, CORNER_PX)


def _is_on(option: QStyleOption, state: _State) -> bool:
    return bool(option.state & state)


def part_gap(metrics: QFontMetrics) -> int:
    """Return the distance between the parts of a control, about 8 pixels at the default text size."""
    return round(metrics.height() * 0.5)


def arrow_width(metrics: QFontMetrics) -> int:
    """Return the width of the arrow of a menu button or combo box, in pixels."""
    return round(metrics.height() * 0.5)


# --- buttons

SUFFIX_SEPARATOR = "\t"
"""Separator between the text of a button and a suffix, such as a shortcut; the suffix is drawn smaller and muted."""
SUFFIX_SCALE = 0.85
"""Font size of the suffix of a button, as a fraction of the font size of its text."""


def suffix_width(metrics: QFontMetrics, suffix: str) -> int:
    """Return the width of the suffix of a button, including the gap before it, in pixels; 0 if the suffix is empty."""
    return part_gap(metrics) + ceil(metrics.horizontalAdvance(suffix) * SUFFIX_SCALE) if suffix else 0


def _text_width(option: QStyleOptionButton | QStyleOptionToolButton) -> int:
    """Return the width of the text of a button, including the suffix, in pixels."""
    text, _, suffix = _text(option).partition(SUFFIX_SEPARATOR)
    width = option.fontMetrics.size(Qt.TextFlag.TextShowMnemonic, text).width()
    return width + suffix_width(option.fontMetrics, suffix)


def _draw_text(
    painter: QPainter, option: QStyleOptionButton | QStyleOptionToolButton, box: QRect, muted: QColor
) -> None:
    """Draw the text of a button in the colour of the pen, and its suffix in the colour `muted`."""
    text, _, suffix = _text(option).partition(SUFFIX_SEPARATOR)
    width = suffix_width(option.fontMetrics, suffix)
    alignment = Qt.AlignmentFlag.AlignCenter
    main = QStyle.visualRect(option.direction, box, box.adjusted(0, 0, -width, 0))
    painter.drawText(main.adjusted(-1, 0, 1, 0), alignment | Qt.TextFlag.TextShowMnemonic, text)
    if suffix:
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * SUFFIX_SCALE)
        painter.setFont(font)
        painter.setPen(muted)
        after = box.adjusted(box.width() - width + part_gap(option.fontMetrics), 0, 0, 0)
        painter.drawText(QStyle.visualRect(option.direction, box, after).adjusted(-1, 0, 1, 0), alignment, suffix)


def _text(option: QStyleOptionButton | QStyleOptionToolButton) -> str:
    """Return the text that a button shows; empty for a tool button that shows only its icon."""
    icon_only = Qt.ToolButtonStyle.ToolButtonIconOnly
    return "" if isinstance(option, QStyleOptionToolButton) and option.toolButtonStyle == icon_only else option.text


def visible_icon(option: QStyleOptionToolButton) -> QIcon:
    """Return the icon of a tool button; null if the button shows only its text."""
    return QIcon() if option.toolButtonStyle == Qt.ToolButtonStyle.ToolButtonTextOnly else option.icon


def _has_menu(option: QStyleOptionButton | QStyleOptionToolButton) -> bool:
    if isinstance(option, QStyleOptionButton):
        return bool(option.features & QStyleOptionButton.ButtonFeature.HasMenu)
    return bool(option.features & QStyleOptionToolButton.ToolButtonFeature.HasMenu)


def _parts(option: QStyleOptionButton | QStyleOptionToolButton, icon: QIcon) -> tuple[int, int, int]:
    """Return the widths of the icon, the text and the arrow of a button, in pixels; 0 for a missing part."""
    return (
        0 if icon.isNull() else option.iconSize.width(),
        _text_width(option),
        arrow_width(option.fontMetrics) if _has_menu(option) else 0,
    )


def button_size(option: QStyleOptionButton | QStyleOptionToolButton, icon: QIcon, padding: float) -> QSize:
    """Return the size of a button; `padding` is the padding on each side, as a fraction of the line height."""
    widths = [width for width in _parts(option, icon) if width]
    height = control_height(option.fontMetrics)
    content = sum(widths) + part_gap(option.fontMetrics) * (len(widths) - 1)
    return QSize(max(height, content + 2 * round(option.fontMetrics.height() * padding)), height)


def _draw_contents(
    painter: QPainter, option: QStyleOptionButton | QStyleOptionToolButton, icon: QIcon, ink: QColor, mode: QIcon.Mode
) -> None:
    """Draw the icon, the text with its suffix, and the arrow in the centre of a button."""
    widths = _parts(option, icon)
    gap = part_gap(option.fontMetrics)
    x = option.rect.x() + (option.rect.width() - sum(widths) - gap * (sum(map(bool, widths)) - 1)) // 2
    boxes = []
    for width in widths:
        box = QRect(max(x, option.rect.x()), option.rect.y(), width, option.rect.height())
        boxes.append(QStyle.visualRect(option.direction, option.rect, box))
        x += width + gap if width else 0
    state = QIcon.State.On if _is_on(option, _State.State_On) else QIcon.State.Off
    if widths[0]:
        icon.paint(painter, boxes[0], Qt.AlignmentFlag.AlignCenter, mode, state)
    if widths[2]:
        draw_arrow(painter, option, boxes[2])
    if widths[1]:
        painter.setPen(ink)
        muted = option.palette.color(_Role.PlaceholderText) if mode == QIcon.Mode.Normal else ink
        _draw_text(painter, option, boxes[1], muted)


def draw_push_button(painter: QPainter, option: QStyleOptionButton) -> None:
    """Draw a push button; an enabled default button is filled with the accent colour."""
    palette, feature = option.palette, QStyleOptionButton.ButtonFeature
    enabled, hovered = _is_on(option, _State.State_Enabled), _is_on(option, _State.State_MouseOver)
    if enabled and option.features & feature.DefaultButton:
        fill = palette.color(_Role.Accent)
        if hovered or _is_on(option, _State.State_Sunken):
            fill = fill.darker(115)
        draw_card(painter, option.rect, fill, None)
        if _is_on(option, _State.State_HasFocus):
            draw_card(painter, option.rect, Qt.BrushStyle.NoBrush, palette.color(_Role.ButtonText), 2)
        _draw_contents(painter, option, option.icon, palette.color(_Role.HighlightedText), QIcon.Mode.Selected)
        return
    _draw_ground(painter, option, is_quiet=bool(option.features & feature.Flat))
    mode = QIcon.Mode.Normal if enabled else QIcon.Mode.Disabled
    _draw_contents(painter, option, option.icon, palette.color(_Role.ButtonText), mode)


def draw_tool_button(painter: QPainter, option: QStyleOptionToolButton) -> None:
    """Draw a tool button; an auto-raise button has no background unless it is hovered, pressed or checked."""
    _draw_ground(painter, option, is_quiet=_is_on(option, _State.State_AutoRaise))
    mode = QIcon.Mode.Normal if _is_on(option, _State.State_Enabled) else QIcon.Mode.Disabled
    _draw_contents(painter, option, visible_icon(option), option.palette.color(_Role.ButtonText), mode)


def draw_arrow_button(painter: QPainter, option: QStyleOptionToolButton) -> None:
    """Draw a button with only an arrow; it is opaque, so that a scroll button of a tab bar hides the tabs under it."""
    painter.fillRect(option.rect, option.palette.color(_Role.Window))
    _draw_ground(painter, option, is_quiet=True)
    draw_arrow(painter, option, option.rect, option.arrowType)


def _draw_ground(painter: QPainter, option: QStyleOption, *, is_quiet: bool) -> None:
    """Draw the background of a button (if `is_quiet`, only when hovered, pressed or checked) and its focus outline."""
    palette = option.palette
    enabled, hovered = _is_on(option, _State.State_Enabled), _is_on(option, _State.State_MouseOver)
    pressed = _is_on(option, _State.State_Sunken) or _is_on(option, _State.State_On)
    if pressed:
        fill = palette.color(_Role.Midlight)
    elif enabled and hovered:
        fill = palette.color(_Role.Button)
    else:
        fill = palette.color(_Role.Base if enabled else _Role.Window)
    line = palette.color(_Role.PlaceholderText if enabled and hovered else _Role.Mid)
    if not is_quiet:
        draw_card(painter, option.rect, fill, line)
    elif enabled and (hovered or pressed):
        draw_card(painter, option.rect, fill, None)
    if _is_on(option, _State.State_HasFocus):
        draw_card(painter, option.rect, Qt.BrushStyle.NoBrush, palette.color(_Role.Accent), 2)


# --- fields


def draw_field(painter: QPainter, option: QStyleOption) -> None:
    """Draw the background of a line edit, spin box or combo box."""
    palette = option.palette
    enabled, hovered = _is_on(option, _State.State_Enabled), _is_on(option, _State.State_MouseOver)
    focused = _is_on(option, _State.State_HasFocus)
    role = _Role.Accent if focused else _Role.PlaceholderText if enabled and hovered else _Role.Mid
    draw_card(painter, option.rect, palette.color(_Role.Base if enabled else _Role.Window), palette.color(role))
    if focused:
        draw_card(painter, option.rect, Qt.BrushStyle.NoBrush, palette.color(role), 2)


def draw_combo_text(painter: QPainter, option: QStyleOptionComboBox) -> None:
    """Draw the current text of a combo box; nothing is drawn for an editable one, whose line edit shows the text."""
    if option.editable:
        return
    gap = part_gap(option.fontMetrics)
    rect = option.rect.adjusted(gap, 0, -2 * gap - arrow_width(option.fontMetrics), 0)
    painter.setPen(option.palette.color(_Role.ButtonText))
    text = option.fontMetrics.elidedText(option.currentText, Qt.TextElideMode.ElideRight, rect.width() + 1)
    alignment = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    painter.drawText(QStyle.visualRect(option.direction, option.rect, rect), alignment, text)


_ARROW_ROTATIONS = {
    Qt.ArrowType.DownArrow: 0,
    Qt.ArrowType.LeftArrow: 90,
    Qt.ArrowType.UpArrow: 180,
    Qt.ArrowType.RightArrow: 270,
}
"""Clockwise rotation in degrees that turns an arrow that points down into an arrow of each type."""


def draw_arrow(
    painter: QPainter, option: QStyleOption, rect: QRect, arrow: Qt.ArrowType = Qt.ArrowType.DownArrow
) -> None:
    """Draw an arrow, as a triangle, in the centre of a rectangle."""
    half = arrow_width(option.fontMetrics) / 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(option.palette.color(_Role.PlaceholderText if _is_on(option, _State.State_Enabled) else _Role.Mid))
    painter.translate(QRectF(rect).center())
    painter.rotate(_ARROW_ROTATIONS[arrow])
    painter.drawPolygon(QPolygonF([QPointF(-half, -half / 2), QPointF(half, -half / 2), QPointF(0, half / 2)]))
    painter.restore()


def draw_indicator(painter: QPainter, option: QStyleOption, *, is_round: bool) -> None:
    """Draw the box of a check box, or the circle of a radio button if `is_round`, with the mark inside."""
    palette, side = option.palette, min(option.rect.width(), option.rect.height())
    enabled, hovered = _is_on(option, _State.State_Enabled), _is_on(option, _State.State_MouseOver)
    is_set = _is_on(option, _State.State_On) or _is_on(option, _State.State_NoChange)
    box = QRectF(option.rect.x(), option.rect.y(), side, side)
    box.moveCenter(QRectF(option.rect).center())
    fill = palette.color(_Role.Accent if is_set else _Role.Base if enabled else _Role.Window)
    line = palette.color(_Role.Accent if is_set or (enabled and hovered) else _Role.PlaceholderText)
    radius = side / 2 if is_round else 3
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(line, 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
    mark_colour = palette.color(_Role.HighlightedText)
    if is_round and is_set:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mark_colour)
        painter.drawEllipse(box.center(), side * 0.2, side * 0.2)
    elif is_set:
        painter.setPen(
            QPen(mark_colour, side * 0.13, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        is_checked = _is_on(option, _State.State_On)
        corners = [(0.26, 0.52), (0.43, 0.7), (0.75, 0.33)] if is_checked else [(0.28, 0.5), (0.72, 0.5)]
        painter.drawPolyline([QPointF(box.x() + x * side, box.y() + y * side) for x, y in corners])


# --- sliders, scroll bars and progress bars


def draw_progress(painter: QPainter, option: QStyleOptionProgressBar) -> None:
    """Draw a determinate progress bar."""
    palette, filled = option.palette, QRect(option.rect)
    draw_card(painter, option.rect, palette.color(_Role.Base), palette.color(_Role.Mid))
    span = option.maximum - option.minimum
    filled.setWidth(round(filled.width() * (option.progress - option.minimum) / span) if span > 0 else 0)
    if filled.width() > 0:
        draw_card(painter, QStyle.visualRect(option.direction, option.rect, filled), palette.color(_Role.Accent), None)


def scroll_bar_part(option: QStyleOptionSlider, part: _Part) -> QRect:
    """Return the rectangle of a part of a scroll bar; empty for arrow buttons, because the scroll bars have none."""
    rect, horizontal = option.rect, option.orientation == Qt.Orientation.Horizontal
    length, extent = (rect.width(), rect.height()) if horizontal else (rect.height(), rect.width())
    span = option.maximum - option.minimum
    slider = length if span <= 0 else max(min(2 * extent, length), length * option.pageStep // (span + option.pageStep))
    start = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - slider, option.upsideDown
    )
    bounds = {
        _Part.SC_ScrollBarGroove: (0, length),
        _Part.SC_ScrollBarSlider: (start, slider),
        _Part.SC_ScrollBarSubPage: (0, start),
        _Part.SC_ScrollBarAddPage: (start + slider, length - start - slider),
    }.get(part)
    if bounds is None:
        return QRect()
    begin, size = bounds
    if not horizontal:
        return QRect(rect.x(), rect.y() + begin, extent, size)
    return QStyle.visualRect(option.direction, rect, QRect(rect.x() + begin, rect.y(), size, extent))


def draw_scroll_bar(painter: QPainter, option: QStyleOptionSlider) -> None:
    """Draw a scroll bar, without a handle if there is nothing to scroll."""
    palette = option.palette
    painter.fillRect(option.rect, palette.color(_Role.Window))
    if option.maximum <= option.minimum:
        return
    used = _is_on(option, _State.State_Sunken) or _is_on(option, _State.State_MouseOver)
    handle = scroll_bar_part(option, _Part.SC_ScrollBarSlider).adjusted(3, 3, -3, -3)
    fill = palette.color(_Role.PlaceholderText)
    fill.setAlphaF(1.0 if used else 0.5)
    draw_card(painter, handle, fill, None)


def draw_slider(painter: QPainter, option: QStyleOptionSlider, groove: QRect, handle: QRect) -> None:
    """Draw the groove and the handle of a slider in the rectangles `groove` and `handle`."""
    palette, line = option.palette, QRect(groove)
    if option.orientation == Qt.Orientation.Horizontal:
        line.setTop(groove.center().y() - 1)
        line.setHeight(4)
    else:
        line.setLeft(groove.center().x() - 1)
        line.setWidth(4)
    draw_card(painter, line, palette.color(_Role.Mid), None)
    side = min(handle.width(), handle.height())
    knob = QRectF(0, 0, side - 2, side - 2)
    knob.moveCenter(QRectF(handle).center())
    accent = palette.color(_Role.Accent)
    painter.setPen(QPen(palette.color(_Role.ButtonText) if _is_on(option, _State.State_HasFocus) else accent, 2))
    painter.setBrush(accent if _is_on(option, _State.State_MouseOver) else palette.color(_Role.Base))
    painter.drawEllipse(knob)
