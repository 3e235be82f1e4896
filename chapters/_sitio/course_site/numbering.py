"""Numeración por capítulos: figuras, tablas y ecuaciones se llaman 3.1, 3.2…

Sphinx numera según el orden de todas las páginas del índice, ejercicios incluidos. Aquí manda el
número del capítulo, y sus ejercicios siguen su cuenta.
"""

from course_site.chapters import chapters, published


def number_by_chapter(_app, env) -> list[str]:
    """Reescribe los números que Sphinx acaba de repartir; ninguna página más cambia por ello."""
    pages = published(env.found_docs)
    for slug, docnames in pages.items():
        counters: dict[str, int] = {}
        for kind in ("capitulo", "ejercicios"):
            for figure_type, numbers in env.toc_fignumbers.get(docnames.get(kind), {}).items():
                for target in sorted(numbers, key=numbers.get):
                    counters[figure_type] = counters.get(figure_type, 0) + 1
                    numbers[target] = (chapters()[slug].number, counters[figure_type])
    return []
