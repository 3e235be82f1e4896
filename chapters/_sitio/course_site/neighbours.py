"""El pie de cada capítulo: sus ejercicios, y los vecinos con la pregunta que responden."""

from course_site.course_map import all_chapters, load_map, published


def add_neighbours(app, pagename, _template, context, _doctree) -> None:
    """Da a la plantilla los enlaces del pie; donde no hay capítulo, los del tema."""
    context["neighbours"] = neighbours(app.env.found_docs, pagename)


def neighbours(docnames, pagename: str) -> list[dict]:
    """Enlaces del pie de una página: los que se dejan atrás, los ejercicios y los que vienen.

    En cada uno, `side` (antes, ahora o luego), `page`, `label` y `text`, la pregunta. La lista está
    vacía si la página no es de ningún capítulo.
    """
    pages = published(docnames)
    for number, own in pages.items():
        if pagename in own.values():
            return _links(pages, number, own, pagename)
    return []


def _links(pages: dict, number: int, own: dict, pagename: str) -> list[dict]:
    ready = sorted(n for n in pages if "capitulo" in pages[n])
    chapters = all_chapters(load_map())
    links = []
    if pagename == own.get("ejercicios"):
        if "capitulo" in own:
            links.append(_chapter("antes", "El capítulo", chapters[number], pages))
    else:
        links += [_chapter("antes", "Antes", chapters[n], pages) for n in ready if n < number][-1:]
        if "ejercicios" in own:
            page, text = own["ejercicios"], "Ejercicios que se corrigen solos"
            links.append({"side": "ahora", "page": page, "label": "Practica", "text": text})
    return (
        links + [_chapter("luego", "Después", chapters[n], pages) for n in ready if n > number][:1]
    )


def _chapter(side: str, label: str, chapter: dict, pages: dict) -> dict:
    number = chapter["numero"]
    title = f"{label} · {number}. {chapter['titulo']}"
    page = pages[number]["capitulo"]
    return {"side": side, "page": page, "label": title, "text": chapter["pregunta"]}


def setup_neighbours(app) -> None:
    """Conecta el pie con la escritura de cada página."""
    app.connect("html-page-context", add_neighbours, priority=100)
