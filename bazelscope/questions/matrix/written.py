"""The answer to `matrix` as CSV and as a page of HTML."""

from __future__ import annotations

import csv
import html
import io

from bazelscope.questions.matrix.answer import MatrixAnswer
from bazelscope.questions.matrix.text import heading, table

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_STYLE = (
    ":root{color-scheme:light dark}body{font:14px sans-serif}table{border-collapse:collapse}"
    "td,th{border:1px solid #8888;padding:.3em .6em;text-align:left}"
    ".other{background:#fe9}.problem{background:#fbb}"
    "@media (prefers-color-scheme:dark){.other{background:#650}.problem{background:#722}}"
)


def to_csv(answer: MatrixAnswer) -> str:
    """A line for each cell: its value on each axis, outcome, group, problem."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        [*(axis.name for axis in answer.axes), "outcome", "group", "problem", "refused"]
    )
    for cell in answer.cells:
        values = [*cell.at, cell.outcome, str(cell.group), cell.problem, cell.refused or ""]
        writer.writerow([_plain(value) for value in values])
    return text.getvalue()


def _plain(value: str) -> str:
    """A spreadsheet takes what begins like a formula for one."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def to_html(answer: MatrixAnswer) -> str:
    """A page without scripts: the table, then what differs."""
    rows = table(answer)
    others = len(rows[0]) - 1
    lines = ["<!DOCTYPE html>", '<meta charset="utf-8">']
    asked = html.escape(" ".join((answer.question.value, *answer.arguments)))
    lines += [f"<title>{asked}</title>", f"<style>{_STYLE}</style>", f"<h1>{asked}</h1>", "<table>"]
    lines.append("<tr>" + "".join(f"<th>{html.escape(text)}</th>" for text in rows[0]) + "</tr>")
    for number, line in enumerate(rows[1:]):
        cells = answer.cells[number * others : (number + 1) * others]
        tds = []
        for cell in cells:
            kind = (
                "problem" if cell.problem or cell.refused else "g0" if cell.group == 0 else "other"
            )
            title = html.escape(cell.problem or cell.refused or "", quote=True)
            tds.append(f'<td class="{kind}" title="{title}">{html.escape(cell.outcome)}</td>')
        lines.append(f"<tr><th>{html.escape(line[0])}</th>{''.join(tds)}</tr>")
    lines.append("</table>")
    for group in answer.groups[1:]:
        lines.append(f"<h2>{html.escape(heading(answer, group))}</h2><ul>")
        for sign, items in (("+", group.more), ("-", group.fewer)):
            lines += [f"<li>{sign} {html.escape(member)}</li>" for member in items]
        lines.append("</ul>")
    return "\n".join(lines) + "\n"
