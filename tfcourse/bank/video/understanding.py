"""Ejercicio para comprender: cuánto es cada cosa en una secuencia de vídeo y texto."""

from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

# Estos no se sortean: con ellos está hecho también el ejemplo del enunciado.
TUBE_FRAMES = 3
SPECIALS = 3
FIRST_PLACES = 5


@dataclass(frozen=True)
class _Video:
    """El árbol de palabras visuales, el clip, la frase y los clips entre los que se busca."""

    floors: int
    branches: int
    frames: int
    words: int
    clips: int

    @property
    def tubes(self) -> int:
        return self.frames // TUBE_FRAMES

    def answer(self, **wrong):
        """Los cuatro números: los correctos, salvo los que se digan."""
        right = {
            "visual_words": self.branches**self.floors,
            "distances": self.branches * self.floors,
            "tokens": SPECIALS + self.tubes + self.words,
            "by_chance": FIRST_PLACES / self.clips,
        }
        return lambda: tuple((right | wrong).values())


PUBLISHED = _Video(floors=3, branches=10, frames=24, words=9, clips=40)


def _card(video: _Video) -> Card:
    return Card(
        id="contar-en-videobert",
        title="Contar en VideoBERT",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="saber cuántas palabras visuales hay, qué cuesta hallarlas y qué es el azar",
        hints=(
            "Cada piso multiplica las palabras por el número de ramas.",
            "Para hallar la palabra se elige una rama en cada piso: las distancias se suman.",
            "La secuencia lleva tres especiales. Y el azar, entre los cinco primeros de "
            f"{video.clips}, es cinco veces el de acertar a la primera.",
        ),
    )


def _mistakes(video: _Video) -> tuple[Mistake, ...]:
    answer, branches, floors = video.answer, video.branches, video.floors
    nodes = sum(branches**floor for floor in range(1, floors + 1))
    frame_by_frame = video.frames + video.words
    return (
        Mistake(
            "pisos-sumados",
            "has sumado los pisos al contar palabras: cada rama de uno se abre en todas las "
            "del siguiente, y se multiplican",
            (answer(visual_words=branches * floors),),
        ),
        Mistake(
            "todas-las-distancias",
            "has comparado con todas las palabras: con pisos basta mirar las ramas de la ya "
            "elegida",
            (answer(distances=branches**floors), answer(distances=nodes)),
        ),
        Mistake(
            "sin-especiales",
            "en los tokens faltan los especiales: [CLS], [>] y [SEP]",
            (answer(tokens=video.tubes + video.words),),
        ),
        Mistake(
            "fotogramas-por-tubos",
            "has contado un token por fotograma: un tubo abarca tres",
            (answer(tokens=SPECIALS + frame_by_frame), answer(tokens=frame_by_frame)),
        ),
        Mistake(
            "azar-del-primero",
            "ese es el azar de acertar a la primera: aquí vale cualquiera de cinco puestos",
            (answer(by_chance=1 / video.clips),),
        ),
    )


def _task(video: _Video) -> Task:
    return Task(
        function="count_visual",
        cases=(Case("los datos del enunciado", lambda: ()),),
        reference=video.answer(),
        outputs=("las palabras", "las distancias", "los tokens", "el azar"),
        mistakes=_mistakes(video),
        differentiable=False,
        reveals=False,
    )


# Pisos y ramas que se sortean: ninguno da tantas palabras como el publicado o como el ejemplo.
OTHER_TREES = (
    *((2, branches) for branches in (6, 7, 8, 9, 10, 11, 12)),
    *((3, branches) for branches in (4, 5, 6, 7, 8, 9)),
    *((4, branches) for branches in (3, 4, 5, 6)),
)


def _draw(random: Random) -> Variant:
    """Otro árbol, otro clip, otra frase y otros clips, que dan un azar de pocos decimales."""
    floors, branches = random.choice(OTHER_TREES)
    video = _Video(
        floors=floors,
        branches=branches,
        frames=TUBE_FRAMES * random.randint(4, 16),
        words=random.randint(4, 14),
        clips=random.choice((20, 25, 40, 50, 80, 100, 125, 200)),
    )
    changes = (
        (_tree(PUBLISHED), _tree(video)),
        ("**24 fotogramas**", f"**{video.frames} fotogramas**"),
        ("**9 palabras**", f"**{video.words} palabras**"),
        ("su clip entre **40**", f"su clip entre **{video.clips}**"),
    )
    return Variant(Exercise(_card(video), _task(video)), changes)


def _tree(video: _Video) -> str:
    return f"**{spell_number(video.floors)} pisos de {spell_number(video.branches)} ramas**"


VISUAL_COUNTS = Exercise(_card(PUBLISHED), _task(PUBLISHED), _draw)
