"""Películas de la página: paradas hasta que se marca una casilla; las mueve CSS, sin guiones."""


def movie_html(name: str, rules: str, figures: str) -> str:
    """La casilla, las reglas de estilo y las figuras de una película.

    Solo se mueve lo que lleva la clase `q`, que las reglas de cada una dejan en pausa.
    """
    return (
        f'<div class="{name}"><style>{rules}'
        f".{name} input:checked~div .q{{animation-play-state:running}}</style>"
        f'<input type="checkbox" id="{name}"> <label for="{name}">En marcha</label>'
        f'<div style="display:flex;flex-wrap:wrap;gap:1rem">{figures}</div></div>'
    )
