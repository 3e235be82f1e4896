"""Ejercicio para comprender: qué hace word2vec con las palabras frecuentes y con las raras."""

from dataclasses import dataclass
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Corpus:
    """Cuántas palabras tiene el corpus y cuántas veces sale una frecuente y una rara."""

    total: int = 1_000_000
    often: int = 40_000
    rare: int = 250
    threshold: float = 1e-3

    def kept(self, count: int) -> float:
        return min(1.0, (self.threshold * self.total / count) ** 0.5)

    def answers(self, **changes):
        right = {
            "p_frecuente": self.kept(self.often),
            "p_rara": self.kept(self.rare),
            "quedan": self.often * self.kept(self.often),
            "veces_mas": (self.often / self.rare) ** 0.75,
        }
        return lambda: right | changes


def _mistakes(corpus: _Corpus) -> tuple[Mistake, ...]:
    linear = corpus.threshold * corpus.total / corpus.often
    return (
        Mistake(
            "sin-raiz",
            "falta la raíz: la probabilidad de conservarla es √(t/f), no t/f",
            (
                corpus.answers(p_frecuente=linear, quedan=linear * corpus.often),
                corpus.answers(p_frecuente=linear),
            ),
        ),
        Mistake(
            "mas-de-uno",
            "una probabilidad no pasa de 1: la palabra rara se conserva siempre",
            (corpus.answers(p_rara=(corpus.threshold * corpus.total / corpus.rare) ** 0.5),),
        ),
        Mistake(
            "las-que-se-quitan",
            "has dado la probabilidad de quitarla: se pide la de conservarla",
            (
                corpus.answers(
                    p_frecuente=1 - corpus.kept(corpus.often),
                    p_rara=0.0,
                    quedan=corpus.often * (1 - corpus.kept(corpus.often)),
                ),
                corpus.answers(p_frecuente=1 - corpus.kept(corpus.often)),
            ),
        ),
        Mistake(
            "sin-exponente",
            "las negativas se sortean con la frecuencia elevada a ¾, que acerca a las dos",
            (corpus.answers(veces_mas=corpus.often / corpus.rare),),
        ),
        Mistake(
            "al-reves",
            "has dividido al revés: se pide cuántas veces más sale la frecuente",
            (corpus.answers(veces_mas=(corpus.rare / corpus.often) ** 0.75),),
        ),
    )


def _task(corpus: _Corpus) -> Task:
    return Task(
        function="frequent_and_rare",
        cases=(Case("el corpus del enunciado", lambda: ()),),
        reference=corpus.answers(),
        mistakes=_mistakes(corpus),
        tolerance=0.01,
        differentiable=False,
        reveals=False,
    )


CARD = Card(
    id="submuestreo",
    title="Las frecuentes y las raras",
    kind="comprender",
    difficulty=2,
    minutes=10,
    points=2,
    objective="calcular qué palabras quita el submuestreo y cuáles salen de negativas",
    hints=(
        "Primero, la frecuencia: veces entre palabras del corpus. Después, √(t/f), sin pasar de 1.",
        "Las que quedan son, de media, las que había por la probabilidad de conservar cada una.",
        "La distribución de las negativas es proporcional a la cuenta elevada a ¾: el cociente de "
        "dos palabras es el de sus cuentas elevado a ¾.",
    ),
)


def _draw(random: Random) -> Variant:
    """Otras dos cuentas, en el mismo corpus."""
    corpus = _Corpus(
        often=random.randrange(10_000, 70_000, 1_000), rare=random.randrange(50, 900, 10)
    )
    first = _Corpus()
    changes = (
        (f"«de», {first.often} veces", f"«de», {corpus.often} veces"),
        (f"«poeta», {first.rare}", f"«poeta», {corpus.rare}"),
    )
    return Variant(Exercise(CARD, _task(corpus)), changes)


SUBSAMPLING = Exercise(CARD, _task(_Corpus()), _draw)
