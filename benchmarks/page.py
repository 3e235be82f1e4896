"""La página del libro con las medidas: se escribe a partir de los resultados guardados.

`python -m benchmarks.page` comprueba que está al día; con `--escribir`, la pone al día.
"""

import argparse
import sys
from pathlib import Path

from benchmarks import generation_corpus, generation_decoding, live_figures, live_figures_clock
from tfcourse.stored.results import load_results, measuring_command

PAGE = Path(__file__).parents[1] / "chapters" / "referencia" / "medidas.md"
TABLES = (
    ("Un GPT pequeño con texto en español", generation_corpus),
    ("Escribir con caché", generation_decoding),
    ("Contestar en la página", live_figures),
    ("Esperar la primera respuesta", live_figures_clock),
)
INTRO = """# Medidas

Lo que dicen los capítulos se comprueba en cada cambio con ejecuciones cortas. Estas son largas:
cada tabla sale de una orden que ejecuta lo que se compara, una cosa al lado de otra, y se guarda
con su receta y su huella. Los segundos dependen de la máquina; lo que se compara son las razones.
"""


def spanish(value: float) -> str:
    """Número con dos decimales y coma."""
    return f"{value:.2f}".replace(".", ",")


def build() -> str:
    """El texto de la página."""
    parts = [INTRO]
    for title, module in TABLES:
        rows = load_results(module.NAME, module.settings())
        command = f"{measuring_command(module.NAME)} --escribir"
        parts.append(f"## {title}\n\n{module.markdown(spanish, rows)}\n\n"
                     f"Se vuelve a medir con `{command}`.\n")  # fmt: skip
    return "\n".join(parts)


def main() -> None:
    """Comprueba o escribe la página."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--escribir", action="store_true", help="escribe la página")
    if parser.parse_args().escribir:
        PAGE.write_text(build(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != build():
        sys.exit("la página de medidas no está al día: python -m benchmarks.page --escribir")
    print(f"bien: {PAGE.name} dice lo medido")


if __name__ == "__main__":
    main()
