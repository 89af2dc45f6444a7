"""Style of the standard controls: flat, with rounded corners, in palette colours, and scaled with the text."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionFrame,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from qe_desktop.ui import control_painter

_Metric = QStyle.PixelMetric
_Primitive = QStyle.PrimitiveElement
_Control = QStyle.ControlElement
_Complex = QStyle.ComplexControl
_Part = QStyle.SubControl
_Contents = QStyle.ContentsType
_Role = QPalette.ColorRole
_LINE_HEIGHT_FRACTIONS = {
    _Metric.PM_IndicatorWidth: 0.85,
    _Metric.PM_IndicatorHeight: 0.85,
    _Metric.PM_ExclusiveIndicatorWidth: 0.85,
    _Metric.PM_ExclusiveIndicatorHeight: 0.85,
    _Metric.PM_CheckBoxLabelSpacing: 0.4,
    _Metric.PM_RadioButtonLabelSpacing: 0.4,
    _Metric.PM_ButtonIconSize: 0.95,
    _Metric.PM_SmallIconSize: 0.95,
    _Metric.PM_TabBarScrollButtonWidth: 1.2,
}
"""Pixel metrics that scale with the text, as fractions of the line height."""
_INDICATORS = (
    _Primitive.PE_IndicatorCheckBox,
    _Primitive.PE_IndicatorRadioButton,
    _Primitive.PE_IndicatorItemViewItemCheck,
)


class FlatStyle(QProxyStyle):
    """Fusion style with flat controls. Buttons, combo boxes and fields with the same text size have the same height.

    Palette roles: `Base` fills a control, `Button` fills a hovered control, and `Midlight` fills a pressed or checked
    button. `Mid` is the colour of outlines. `Accent` is the colour of the outline of a control that has the focus, and
    fills the default button and the indicators of checked check boxes and radio buttons.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def pixelMetric(self, metric: _Metric, option: QStyleOption | None = None, widget: QWidget | None = None) -> int:
        """Return a pixel metric, such as the width of a check box; some metrics scale with the text."""
        fraction = _LINE_HEIGHT_FRACTIONS.get(metric)
        if fraction is None:
            return super().pixelMetric(metric, option, widget)
        metrics = QApplication.fontMetrics() if widget is None else widget.fontMetrics()
        return round(metrics.height() * fraction)

    def sizeFromContents(
        self, kind: _Contents, option: QStyleOption, contents: QSize, widget: QWidget | None = None
    ) -> QSize:
        """Return the size of a control, including its padding."""
        if isinstance(option, QStyleOptionButton) and kind == _Contents.CT_PushButton:
            return control_painter.button_size(option, option.icon, 0.75)
        if isinstance(option, QStyleOptionToolButton) and option.arrowType == Qt.ArrowType.NoArrow:
            return control_painter.button_size(option, control_painter.visible_icon(option), 0.5)
        size = super().sizeFromContents(kind, option, contents, widget)  # type: ignore[arg-type]  # None in Qt
        if isinstance(option, QStyleOptionFrame) and kind == _Contents.CT_LineEdit and option.lineWidth > 0:
            size.setWidth(size.width() + 2 * control_painter.part_gap(option.fontMetrics))
        if kind == _Contents.CT_ComboBox:
            padding = control_painter.part_gap(option.fontMetrics)
            size.setWidth(contents.width() + 3 * padding + control_painter.arrow_width(option.fontMetrics) + 2)
        if kind in (_Contents.CT_ComboBox, _Contents.CT_SpinBox) or (
            isinstance(option, QStyleOptionFrame) and kind == _Contents.CT_LineEdit and option.lineWidth > 0
        ):
            size.setHeight(max(size.height(), control_painter.control_height(option.fontMetrics)))
        return size

    def subElementRect(self, element: QStyle.SubElement, option: QStyleOption, widget: QWidget | None = None) -> QRect:
        """Return the rectangle of a part of a simple control; line edits have padding on both sides of the text."""
        rect = super().subElementRect(element, option, widget)  # type: ignore[arg-type]  # None in Qt
        if not isinstance(option, QStyleOptionFrame) or element != QStyle.SubElement.SE_LineEditContents:
            return rect
        if option.lineWidth > 0:
            gap = control_painter.part_gap(option.fontMetrics)
            rect.adjust(gap, 0, -gap, 0)
        return rect

    def subControlRect(
        self, control: _Complex, option: QStyleOptionComplex, part: _Part, widget: QWidget | None = None
    ) -> QRect:
        """Return the rectangle of a part of a complex control, such as a scroll bar."""
        if control == _Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return control_painter.scroll_bar_part(option, part)
        if control == _Complex.CC_ComboBox and part == _Part.SC_ComboBoxEditField:
            gap, arrow = control_painter.part_gap(option.fontMetrics), control_painter.arrow_width(option.fontMetrics)
            return QStyle.visualRect(option.direction, option.rect, option.rect.adjusted(gap, 2, -2 * gap - arrow, -2))
        return super().subControlRect(control, option, part, widget)  # type: ignore[arg-type]  # None in Qt

    def drawPrimitive(
        self, element: _Primitive, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """Draw a simple element."""
        palette = option.palette
        if element in _INDICATORS:
            painter.save()
            control_painter.draw_indicator(painter, option, is_round=element == _Primitive.PE_IndicatorRadioButton)
        elif element == _Primitive.PE_PanelLineEdit and isinstance(option, QStyleOptionFrame) and option.lineWidth > 0:
            painter.save()
            control_painter.draw_field(painter, option)
        elif element == _Primitive.PE_Frame:
            painter.save()
            painter.setPen(palette.color(_Role.Mid))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))
        elif element == _Primitive.PE_FrameFocusRect:
            painter.save()
            # the outline of a button shows the focus
            if not isinstance(widget, (QPushButton, QToolButton)):
                control_painter.draw_card(painter, option.rect, Qt.BrushStyle.NoBrush, palette.color(_Role.Accent))
        else:
            super().drawPrimitive(element, option, painter, widget)
            return
        painter.restore()

    def drawControl(
        self, element: _Control, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """Draw a control, or a part of one."""
        if element == _Control.CE_PushButton and isinstance(option, QStyleOptionButton):
            painter.save()
            control_painter.draw_push_button(painter, option)
        elif element == _Control.CE_ComboBoxLabel and isinstance(option, QStyleOptionComboBox):
            painter.save()
            control_painter.draw_combo_text(painter, option)
        elif element == _Control.CE_ProgressBar and isinstance(option, QStyleOptionProgressBar) and option.maximum:
            painter.save()
            control_painter.draw_progress(painter, option)
        else:
            super().drawControl(element, option, painter, widget)
            return
        painter.restore()

    def drawComplexControl(
        self, control: _Complex, option: QStyleOptionComplex, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        """Draw a control that consists of several parts."""
        painter.save()
        if isinstance(option, QStyleOptionToolButton) and option.arrowType == Qt.ArrowType.NoArrow:
            control_painter.draw_tool_button(painter, option)
        elif isinstance(option, QStyleOptionToolButton):
            control_painter.draw_arrow_button(painter, option)
        elif isinstance(option, QStyleOptionComboBox):
            control_painter.draw_field(painter, option)
            arrow = option.rect.adjusted(0, 0, -control_painter.part_gap(option.fontMetrics), 0)
            arrow.setLeft(arrow.right() + 1 - control_painter.arrow_width(option.fontMetrics))
            control_painter.draw_arrow(painter, option, QStyle.visualRect(option.direction, option.rect, arrow))
        elif isinstance(option, QStyleOptionSpinBox):
            control_painter.draw_field(painter, option)
            if option.buttonSymbols != QAbstractSpinBox.ButtonSymbols.NoButtons:
                up, down = (
                    self.subControlRect(control, option, part, widget)
                    for part in (_Part.SC_SpinBoxUp, _Part.SC_SpinBoxDown)
                )
                control_painter.draw_arrow(painter, option, up, Qt.ArrowType.UpArrow)
                control_painter.draw_arrow(painter, option, down)
        elif control == _Complex.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            control_painter.draw_scroll_bar(painter, option)
        elif control == _Complex.CC_Slider and isinstance(option, QStyleOptionSlider):
            groove, handle = (
                self.subControlRect(control, option, part, widget)
                for part in (_Part.SC_SliderGroove, _Part.SC_SliderHandle)
            )
            control_painter.draw_slider(painter, option, groove, handle)
        else:
            super().drawComplexControl(control, option, painter, widget)
        painter.restore()
