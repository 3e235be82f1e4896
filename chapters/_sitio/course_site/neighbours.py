"""El pie de cada capítulo: sus ejercicios, y los vecinos con la pregunta que responden."""

from course_site.chapters import all_chapters, load_map, numbered, published


def add_neighbours(app, pagename, _template, context, _doctree) -> None:
    """Da a la plantilla los enlaces del pie; donde no hay capítulo, los del tema."""
    context["neighbours"] = neighbours(app.env.found_docs, pagename)


def neighbours(docnames, pagename: str) -> list[dict]:
    """Enlaces del pie de una página: los que se dejan atrás, los ejercicios y los que vienen.

    En cada uno, `side` (antes, ahora o luego), `page`, `label` y `text`, la pregunta. La lista está
    vacía si la página no es de ningún capítulo.
    """
    pages = published(docnames)
    for slug, own in pages.items():
        if pagename in own.values():
            return _links(pages, slug, own, pagename)
    return []


def _links(pages: dict, slug: str, own: dict, pagename: str) -> list[dict]:
    ready = [name for name in pages if "capitulo" in pages[name] or name == slug]
    place = ready.index(slug)
    chapters = all_chapters(load_map())
    links = []
    if pagename == own.get("ejercicios"):
        if "capitulo" in own:
            links.append(_chapter("antes", "El capítulo", chapters[slug], pages))
    else:
        before = ready[:place][-1:]
        links += [_chapter("antes", "Antes", chapters[name], pages) for name in before]
        if "ejercicios" in own:
            page, text = own["ejercicios"], "Ejercicios que se corrigen solos"
            links.append({"side": "ahora", "page": page, "label": "Practica", "text": text})
    after = ready[place + 1 :][:1]
    return links + [_chapter("luego", "Después", chapters[name], pages) for name in after]


def _chapter(side: str, label: str, chapter: dict, pages: dict) -> dict:
    title = f"{label} · {numbered(chapter['numero'], chapter['titulo'])}"
    page = pages[chapter["slug"]]["capitulo"]
    return {"side": side, "page": page, "label": title, "text": chapter["pregunta"]}


def setup_neighbours(app) -> None:
    """Conecta el pie con la escritura de cada página."""
    app.connect("html-page-context", add_neighbours, priority=100)
