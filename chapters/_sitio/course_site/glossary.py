"""Glosario: el papel `{py}`, que marca un nombre importable, y la tabla de equivalencias."""

from html import escape

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

# Los campos que puede llevar una definición y, en este orden, las columnas de la tabla.
COLUMNS = ("Otros textos", "En el curso", "PyTorch", "Hugging Face")


class ImportableName(SphinxRole):
    """Papel `{py}`: un nombre que se puede importar; los del curso enlazan con su referencia."""

    def run(self):
        """Escribe el nombre en letra de código, sin repetir el `tfcourse.` de los nuestros."""
        name = self.text
        shown = nodes.literal(text=name.removeprefix("tfcourse."), classes=["py-name"])
        if not name.startswith("tfcourse."):
            return [shown], []
        reference = addnodes.pending_xref(
            "",
            shown,
            refdomain="py",
            reftype="obj",
            reftarget=name,
            refexplicit=True,
            refwarn=True,
        )
        reference["refdoc"] = self.env.docname
        return [reference], []


class equivalences(nodes.General, nodes.Element):
    """Hueco de la tabla: se rellena cuando el glosario entero está leído."""


class EquivalencesDirective(SphinxDirective):
    """Directiva `{equivalencias}`: una fila por término que tenga algún equivalente."""

    def run(self):
        """Deja el hueco."""
        return [equivalences()]


def mark_english(_app, doctree) -> None:
    """Dice en qué lengua están los nombres en cursiva de «Otros textos», para que se lean bien."""
    for field in doctree.findall(nodes.field):
        if field[0].astext() == COLUMNS[0]:
            for name in list(field.findall(nodes.emphasis)):
                html = f'<em lang="en">{escape(name.astext())}</em>'
                name.parent.replace(name, nodes.raw("", html, format="html"))


def fill_equivalences(_app, doctree) -> None:
    """Sustituye cada hueco por la tabla que sale de las definiciones de su página."""
    for hole in list(doctree.findall(equivalences)):
        rows = [_row(item) for item in doctree.findall(nodes.definition_list_item)]
        hole.replace_self(_table([row for row in rows if any(row[1:])]))


def _row(item):
    """El término, enlazado a su definición, y sus equivalentes en el orden de las columnas."""
    term = next(item.findall(nodes.term))
    fields = {
        field[0].astext(): [child.deepcopy() for child in field[1].children]
        for field in item.findall(nodes.field)
    }
    name = term.astext()
    link = nodes.reference("", name, internal=True, refid=term["ids"][0])
    return [[nodes.paragraph("", "", link)], *(fields.get(column, []) for column in COLUMNS)]


def _table(rows):
    table, group = nodes.table(classes=["equivalencias"]), nodes.tgroup(cols=len(COLUMNS) + 1)
    group += [nodes.colspec(colwidth=1) for _ in range(len(COLUMNS) + 1)]
    head = [[nodes.paragraph(text=title)] for title in ("Término", *COLUMNS)]
    group += nodes.thead("", _table_row(head))
    group += nodes.tbody("", *map(_table_row, rows))
    table += group
    return table


def _table_row(cells):
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def setup_glossary(app) -> None:
    """Da de alta el papel, la directiva y el relleno de la tabla."""
    app.add_role("py", ImportableName())
    app.add_node(equivalences)
    app.add_directive("equivalencias", EquivalencesDirective)
    app.connect("doctree-read", mark_english, priority=400)
    app.connect("doctree-read", fill_equivalences)
