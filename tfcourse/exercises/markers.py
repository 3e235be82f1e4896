"""Marcas con las que una sola fuente sirve al lector y a nbgrader.

Las usan `nbgrader_config.py` y el generador de cuadernos: así no pueden discrepar.
"""

BEGIN_SOLUTION = "### INICIO SOLUCIÓN"
END_SOLUTION = "### FIN SOLUCIÓN"

BLANK_MESSAGE = "Todavía no has escrito tu respuesta"
CODE_STUB = (
    "# Escribe aquí tu respuesta y borra la línea siguiente.\n"
    f'raise NotImplementedError("{BLANK_MESSAGE}")'
)
TEXT_STUB = "*Escribe aquí tu respuesta.*"


def split_solution(source: str) -> tuple[list[str], list[str], list[str]]:
    """Líneas de una celda antes de la solución, dentro de ella y después.

    Errores: `ValueError` si las marcas faltan, se repiten o están en mal orden.
    """
    lines = source.split("\n")
    begins = [i for i, line in enumerate(lines) if BEGIN_SOLUTION in line]
    ends = [i for i, line in enumerate(lines) if END_SOLUTION in line]
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise ValueError(
            f"una celda de solución necesita una línea «{BEGIN_SOLUTION}» y, más abajo, otra "
            f"«{END_SOLUTION}»; hay {len(begins)} y {len(ends)}: revisa la celda que empieza por "
            f"{lines[0]!r}"
        )
    return lines[: begins[0]], lines[begins[0] + 1 : ends[0]], lines[ends[0] + 1 :]


def solved(source: str) -> str:
    """La celda con su solución y sin marcas."""
    before, solution, after = split_solution(source)
    return "\n".join([*before, *solution, *after])


def blanked(source: str, stub: str = CODE_STUB) -> str:
    """La celda con el hueco en lugar de la solución, sangrado como estaba la marca."""
    before, _, after = split_solution(source)
    marker = source.split("\n")[len(before)]
    indent = marker[: len(marker) - len(marker.lstrip())]
    return "\n".join([*before, *(indent + line for line in stub.split("\n")), *after])
