"""Extensión local del libro: lo que el curso añade a Sphinx y al tema, una pieza por módulo."""

import os

from sphinx.util.parallel import parallel_available

from course_site import (
    assets,
    bibliography,
    cards,
    chapter_card,
    chapters,
    course_map,
    feeds,
    finish,
    glossary,
    heads,
    in_parts,
    lettering,
    live_models,
    maths,
    neighbours,
    numbering,
    offline,
    palette,
    panels,
    plans,
    reference,
    row_heads,
    search,
    showcase,
    sidebar,
    spanish,
    symbols,
    terms,
    trail,
)

# Después de lo que hacen el tema (500) y las demás extensiones.
LATE = 900


def setup(app):
    """Conecta cada pieza con el momento de la construcción en que actúa."""
    bibliography.register()
    chapters.setup_chapters(app)
    course_map.setup_map(app)
    plans.setup_plans(app)
    glossary.setup_glossary(app)
    reference.setup_reference(app)
    maths.setup_maths(app)
    lettering.setup_lettering(app)
    assets.setup_assets(app)
    search.setup_search(app)
    showcase.setup_showcase(app)
    terms.setup_terms(app)
    heads.setup_heads(app)
    in_parts.setup_parts(app)
    row_heads.setup_row_heads(app)
    cards.setup_cards(app)
    chapter_card.setup_card(app)
    neighbours.setup_neighbours(app)
    sidebar.setup_sidebar(app)
    symbols.setup_symbols(app)
    trail.setup_trail(app)
    offline.setup_offline(app)
    feeds.setup_feeds(app)
    live_models.setup_live(app)
    palette.setup_palette(app)
    panels.setup_panels(app)
    app.connect("write-started", write_with_every_core)
    app.connect("builder-inited", spanish.use_spanish_messages, priority=LATE)
    app.connect("env-get-updated", numbering.number_by_chapter, priority=LATE)
    app.connect("build-finished", finish.finish_pages, priority=0)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def write_with_every_core(app, builder) -> None:
    """Escribe las páginas con todos los núcleos, cuatro como mucho.

    Leer no se puede repartir, porque no todas las extensiones lo admiten, y por eso no basta con
    pedírselo a Sphinx al empezar.
    """
    cores = min(4, os.cpu_count() or 1)
    if parallel_available and cores > 1:
        # Uno más, porque Sphinx cuenta también el proceso que reparte.
        app.parallel, builder.parallel_ok = cores + 1, True
