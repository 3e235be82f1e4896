"""Una página por símbolo de la notación: qué es, cómo se llama en el código y dónde aparece.

No se escriben a mano: salen de las tablas de `notacion.md` y de las fórmulas de los capítulos.
"""

import re
from dataclasses import dataclass, field
from html import escape

from docutils import nodes

from course_site import maths
from course_site.chapters import published

NOTATION = "chapters/notacion"
FOLDER = "chapters/simbolos"
MEANING, OURS = "qué es", ("símbolo", "en el curso")
TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[^\s{}]")
# Lo que viste una letra no cambia de qué símbolo se habla.
DRESSING = re.compile(r"\\(?:mathbf|boldsymbol|left|right|,|;|!|:)(?![a-zA-Z])\s*")
# «R, Z» son dos símbolos; «\\alpha_{t,i}» y «(B, L)», uno.
COMMA = re.compile(r",\s*(?![^{}]*\})(?![^()]*\))(?![^\[\]]*\])")
LONGEST_SLUG = 60


@dataclass
class Symbol:
    """Un símbolo: sus fórmulas, su nombre, su fila de la tabla y dónde aparece."""

    slug: str
    formulas: list[str]
    name: str  # sin fórmulas: para el título de la ventana y los buscadores
    meaning: str  # en HTML
    row: list[tuple[str, nodes.Node]]
    places: dict[str, dict[str, str]] = field(default_factory=dict)


def tokens(tex: str) -> tuple[str, ...]:
    """Las piezas de una fórmula, sin llaves ni adornos."""
    return tuple(TOKEN.findall(DRESSING.sub("", tex)))


def appears(symbol: tuple[str, ...], formula: tuple[str, ...]) -> bool:
    """Si el símbolo está en la fórmula, y no como parte de otro ni como subíndice o exponente."""
    size = len(symbol)
    for start in range(len(formula) - size + 1):
        if formula[start : start + size] == symbol:
            before, after = formula[start - 1 : start], formula[start + size : start + size + 1]
            if before not in (("_",), ("^",)) and after != ("_",):
                return True
    return False


def read_symbols(doctree) -> list[Symbol]:
    """Los símbolos de las tablas que dicen qué es cada uno."""
    symbols: dict[str, Symbol] = {}
    for table in doctree.findall(nodes.table):
        header, *rows = list(table.findall(nodes.row))
        titles = [cell.astext().strip() for cell in header]
        if MEANING not in titles:
            continue
        for row in rows:
            meaning = row[titles.index(MEANING)]
            cell = symbol_cell(titles, row)
            name = short_name(meaning)
            slug = free_slug(name, symbols)
            formulas = [math.astext() for math in cell.findall(nodes.math)]
            symbols[slug] = Symbol(
                slug, formulas, name, rendered(meaning), list(zip(titles, row, strict=True))
            )
    return list(symbols.values())


def symbol_cell(titles: list[str], row) -> nodes.Node:
    """La casilla con el símbolo: la del curso si tiene fórmula; si no, la primera."""
    ours = [row[titles.index(title)] for title in OURS if title in titles]
    return next((cell for cell in ours if any(cell.findall(nodes.math))), row[0])


def short_name(cell) -> str:
    """Lo que significa, si no lleva fórmulas; si las lleva, hasta la primera pausa."""
    text = cell.astext()
    return re.split(r"[,:;(]", text)[0].strip() if any(cell.findall(nodes.math)) else text


def rendered(node) -> str:
    """Un texto en HTML, con sus fórmulas compuestas."""
    parts = (
        maths.typeset_raw(escape(leaf.astext())) if in_formula(leaf) else escape(leaf.astext())
        for leaf in node.findall(nodes.Text)
    )
    return "".join(parts)


def in_formula(leaf) -> bool:
    """Si un texto es el de una fórmula."""
    return isinstance(leaf.parent, nodes.math)


def free_slug(name: str, taken) -> str:
    """Nombre de archivo a partir de lo que significa; con un número si ya está cogido."""
    base = nodes.make_id(re.split(r"[,:;(]", name)[0])[:LONGEST_SLUG].strip("-") or "simbolo"
    names = (base if n == 1 else f"{base}-{n}" for n in range(1, 100))
    return next(name for name in names if name not in taken)


def find_places(env, symbols: list[Symbol]) -> None:
    """Apunta en qué apartados de cada capítulo sale cada símbolo."""
    known = [
        (symbol, [tokens(part) for tex in symbol.formulas for part in COMMA.split(tex)])
        for symbol in symbols
    ]
    for pages in published(env.found_docs).values():
        if "capitulo" not in pages:
            continue
        doctree = env.get_doctree(pages["capitulo"])
        for formula in doctree.findall(lambda n: isinstance(n, nodes.math | nodes.math_block)):
            pieces = tokens(formula.astext())
            section = section_of(formula)
            for symbol, forms in known:
                if section and any(appears(form, pieces) for form in forms):
                    anchor, title = section
                    symbol.places.setdefault(pages["capitulo"], {}).setdefault(anchor, title)


def section_of(node) -> tuple[str, str] | None:
    """Ancla y título, en HTML, del apartado en que está un nodo."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.section):
            return node["ids"][0], rendered(node.next_node(nodes.title))
    return None


def link_rows(app, doctree, docname) -> None:
    """En la página de la notación, cada símbolo lleva a la suya."""
    if docname != NOTATION or app.builder.format != "html":
        return
    for symbol in read_symbols(doctree):
        titles, cells = zip(*symbol.row, strict=True)
        for paragraph in list(symbol_cell(list(titles), list(cells)).findall(nodes.paragraph))[:1]:
            address = app.builder.get_relative_uri(NOTATION, f"{FOLDER}/{symbol.slug}")
            link = nodes.reference("", "", *paragraph.children, refuri=address, internal=True)
            # El nombre, para quien no lee la fórmula.
            link["reftitle"] = f"Página del símbolo: {symbol.name}"
            paragraph.children = []
            paragraph += link


def symbol_pages(app):
    """Las páginas de los símbolos, para que Sphinx las escriba con la plantilla de siempre."""
    if app.builder.format != "html":
        return
    doctree = app.env.get_and_resolve_doctree(NOTATION, app.builder)
    symbols = read_symbols(doctree)
    find_places(app.env, symbols)
    for symbol in symbols:
        title = f"Símbolo: {symbol.name}"
        context = {"title": escape(title), "body": body(app, symbol), "summary": summary(symbol)}
        context["parents"] = [{"link": "../notacion.html", "title": "Notación"}]
        yield f"{FOLDER}/{symbol.slug}", context, "page.html"


def summary(symbol: Symbol) -> str:
    """La descripción de la página."""
    return f"«{symbol.name}»: cómo se escribe, cómo se llama en el código y dónde sale en el curso."


def body(app, symbol: Symbol) -> str:
    """El cuerpo de la página de un símbolo."""
    shown = ", ".join(maths.typeset_raw(escape(tex)) for tex in symbol.formulas)
    rows = "".join(
        f"<dt>{escape(title[:1].upper() + title[1:])}</dt><dd>{fragment(app, cell)}</dd>"
        for title, cell in symbol.row
        if title != MEANING
    )
    return (
        f'<section><h1 id="{symbol.slug}">{shown}: {symbol.meaning}</h1>'
        f'<dl class="simbolo">{rows}</dl>{places(app, symbol)}'
        '<p><a href="../notacion.html">Toda la notación</a></p></section>'
    )


def fragment(app, cell) -> str:
    """Lo que hay en una casilla, con los enlaces vistos desde la carpeta de los símbolos."""
    inside = "".join(app.builder.render_partial(child)["fragment"] for child in cell.children)
    inside = re.sub(r"</?p[^>]*>", "", inside)
    inside = re.sub(r'<a [^>]*href="simbolos/[^>]*>(.*?)</a>', r"\1", inside, flags=re.DOTALL)
    return re.sub(r'href="(?!https?:|#)', 'href="../', inside)


def places(app, symbol: Symbol) -> str:
    """Los apartados en que aparece, por capítulos."""
    if not symbol.places:
        return "<p>Ningún capítulo publicado lo usa en una fórmula.</p>"
    items = []
    for docname, found in symbol.places.items():
        address = app.builder.get_relative_uri(f"{FOLDER}/{symbol.slug}", docname)
        links = ", ".join(
            f'<a href="{address}#{anchor}">{title}</a>' for anchor, title in found.items()
        )
        items.append(f"<li>{escape(app.env.titles[docname].astext())}: {links}.</li>")
    return f"<h2>Dónde aparece</h2><ul>{''.join(items)}</ul>"


def setup_symbols(app) -> None:
    """Conecta los enlaces de la tabla y la escritura de las páginas."""
    app.connect("doctree-resolved", link_rows)
    app.connect("html-collect-pages", symbol_pages)
