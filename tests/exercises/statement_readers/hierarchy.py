"""Lectores de los enunciados de la jerarquía: las ventanas y las etapas."""

from tests.exercises.statement_readers import asked_in_table, count, integers, only, pieces


def _local_pairs(side, window):
    """Las parejas de un mapa de ese lado: en cada ventana, todas sus casillas con todas."""
    return pieces(side, window) ** 2 * (window**2) ** 2


def _windows(image, patch, window):
    side = pieces(image, patch)
    local = _local_pairs(side, window)
    return {
        "casillas": side**2, "ventanas": pieces(side, window) ** 2, "globales": side**4,
        "locales": local, "al_doblar": pieces(_local_pairs(2 * side, window), local),
    }  # fmt: skip


def window_counts(text):
    keys = asked_in_table(text)
    assert "parejas locales al doblar el lado" in keys["al_doblar"]
    image, patch, window = map(int, only(
        r"^Una imagen de (\d+) × \1 se corta en parches de (\d+) × \2, y el mapa de casillas se "
        r"reparte en ventanas de (\d+) × \3 casillas\.",
        text,
    ))  # fmt: skip
    smaller, inside, shown = only(
        r"una imagen de (\d+) × \1, los mismos parches y ventanas de (\d+) × \2 serían (.+)\.$",
        text,
    )
    example = _windows(int(smaller), patch, int(inside))
    assert [example[key] for key in keys] == integers(shown)
    return _windows(image, patch, window)


def _swin(stages, image, patch, window, width):
    side = pieces(image, patch)
    first = pieces(side, window) ** 2
    for _ in range(stages - 1):
        side, width = pieces(side, 2), 2 * width
        pieces(side, window)  # en cada etapa caben ventanas enteras
    return {"lado": side, "ancho": width, "ventanas": first, "tokens": side**2}


def swin_stages(text):
    keys = asked_in_table(text)
    assert "**primera** etapa" in keys["ventanas"]
    stages, *sizes = only(
        r"^Un Swin de \*\*(\w+)\*\* etapas lee imágenes de (\d+) × \2 con parches de (\d+) × \3, "
        r"ventanas de (\d+) × \4 y anchura inicial (\d+)\.",
        text,
    )
    image, patch, window, width = map(int, sizes)
    fewer, smaller, inside, narrow, shown = only(
        r"con (\w+) etapas, imágenes de (\d+) × \2, ventanas de (\d+) × \3 y anchura (\d+) "
        r"serían (.+)\.$",
        text,
    )
    # El ejemplo no dice otros parches: son los mismos.
    example = _swin(count(fewer), int(smaller), patch, int(inside), int(narrow))
    assert [example[key] for key in keys] == integers(shown)
    return _swin(count(stages), image, patch, window, width)


READERS = {"lo-que-ahorran-las-ventanas": window_counts, "las-etapas-de-un-swin": swin_stages}
