"""The colours of drawings in a dark theme: each of the light theme's has one that stands for it.

SVG carries both: a browser that asks for dark pages gets the dark ones by a style sheet, whose
selectors are the colours that the shapes were drawn in.
"""

from __future__ import annotations

PAGE = ("white", "#ffffff")
DARK_PAGE = "#14181d"

DARK_FILLS = {
    "#ffffff": "#262d36",
    "#dceafa": "#173a5e",
    "#e2f3e2": "#1d4426",
    "#fdeedd": "#573712",
    "#f2e6fa": "#46275f",
    "#fbe4e4": "#5e2323",
    "#e0f4f4": "#10474a",
    "#f6f6d8": "#4a4713",
    "#e9e9e9": "#3a4047",
}
"""What fills boxes."""

DARK_LINES = {
    "#5b6b7b": "#9fb0c0",
    "#b35900": "#ff9a3d",
    "#8a4500": "#ffb066",
    "#b02020": "#ff8080",
    "#1f6fb2": "#6db8f5",
    "#1f5f95": "#8cc6f5",
    "#20303f": "#e6edf3",
    "#c3ccd5": "#4b5661",
    "#44515e": "#b6c2cd",
}
"""What draws arrows, frames and texts."""

_TEXT, DARK_TEXT = "#000000", "#eef2f6"


def style_sheet() -> str:
    """The rules that give a drawing of Graphviz its dark colours."""
    rules = [f"svg{{background:{DARK_PAGE}}}", f"text{{fill:{DARK_TEXT}}}"]
    rules += [f'polygon[fill="{PAGE[0]}"]{{fill:{DARK_PAGE};stroke:none}}']
    for light, dark in DARK_FILLS.items():
        rules.append(f'path[fill="{light}"],polygon[fill="{light}"]{{fill:{dark}}}')
    for light, dark in (*DARK_LINES.items(), (_TEXT, DARK_TEXT), ("black", DARK_TEXT)):
        rules.append(f'[stroke="{light}"]{{stroke:{dark}}}')
        rules.append(f'polygon[fill="{light}"],ellipse[fill="{light}"]{{fill:{dark}}}')
        rules.append(f'text[fill="{light}"]{{fill:{dark}}}')
    for light, dark in DARK_FILLS.items():  # The squares of the legend.
        rules.append(f'tspan[fill="{light}"]{{fill:{dark}}}')
    return f"@media (prefers-color-scheme: dark){{{''.join(rules)}}}"
