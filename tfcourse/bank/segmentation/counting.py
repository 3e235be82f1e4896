"""Ejercicio para comprender: cuántos segmentos pide cada tarea."""

from dataclasses import dataclass
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import listed

GROUNDS = {
    "hierba": "la hierba",
    "cielo": "el cielo",
    "arena": "la arena",
    "agua": "el agua",
    "camino": "el camino",
}


@dataclass(frozen=True)
class Scene:
    """Una foto: unos perros que se tocan, unos gatos sueltos y los fondos, que no se cuentan."""

    dogs: int
    cats: int
    grounds: tuple[str, ...]

    @property
    def classes(self) -> int:
        """Perro, gato y los fondos."""
        return 2 + len(self.grounds)

    @property
    def things(self) -> int:
        """Lo que se puede contar."""
        return self.dogs + self.cats

    @property
    def everything(self) -> int:
        """Cada cosa por su lado y cada fondo, una vez."""
        return self.things + len(self.grounds)

    @property
    def blobs(self) -> int:
        """Todos los perros hacen una mancha; cada gato, la suya."""
        return 1 + self.cats

    @property
    def answer(self) -> tuple[int, ...]:
        """Lo que pide el enunciado, en su orden."""
        return self.classes, self.things, self.everything, self.blobs

    def told(self) -> str:
        """La foto, como la cuenta el enunciado."""
        row = " (cada uno con el siguiente)" if self.dogs > 2 else ""
        cats = f"{spell_number(self.cats)} gatos aparte (sin tocarse)"
        alone = cats if self.cats > 1 else "un gato aparte"
        classes = listed(("perro", "gato", *self.grounds))
        return (
            f"{spell_number(self.dogs)} perros que **se tocan**{row}, {alone}, "
            f"{listed(self.grounds)}. Las clases son {classes}; las "
            f"{spell_number(len(self.grounds))} últimas"
        )


SCENE = Scene(dogs=2, cats=1, grounds=("hierba", "cielo"))


def _numbers(*numbers):
    return lambda: numbers


def _card(scene: Scene) -> Card:
    return Card(
        id="cuantos-segmentos",
        title="Cuántos segmentos",
        kind="comprender",
        difficulty=1,
        minutes=6,
        points=1,
        objective="distinguir las tres segmentaciones por lo que tienen que contestar",
        hints=(
            f"La semántica reparte los puntos entre clases: {spell_number(scene.dogs)} perros "
            "son una clase.",
            f"La de instancias solo habla de cosas que se pueden contar; {_named(scene)} no.",
            "La panóptica cubre la imagen entera: cada cosa por su lado y cada fondo, una vez. Una "
            "mancha seguida de la misma clase es un solo objeto para quien solo ve clases.",
        ),
    )


def _named(scene: Scene) -> str:
    return listed([GROUNDS[ground] for ground in scene.grounds])


def _mistakes(scene: Scene) -> tuple[Mistake, ...]:
    dogs, ends = spell_number(scene.dogs), (scene.blobs, scene.things)
    dogs_apart = scene.classes + scene.dogs - 1
    return (
        Mistake(
            "fondos-contados",
            f"has contado {_named(scene)} como instancias: no son cosas que se cuenten",
            tuple(_numbers(scene.classes, scene.everything, scene.everything, end) for end in ends),
        ),
        Mistake(
            "perros-separados",
            f"en la semántica los {dogs} perros son la misma clase: no se separan",
            tuple(
                _numbers(first, scene.things, scene.everything, end)
                for first in (scene.everything, dogs_apart)
                for end in ends
            ),
        ),
        Mistake(
            "sin-fondo",
            f"la panóptica cubre la imagen entera: faltan {_named(scene)}",
            tuple(_numbers(scene.classes, scene.things, scene.things, end) for end in ends),
        ),
        Mistake(
            "manchas-separadas",
            f"los {dogs} perros se tocan y son de la misma clase: en un mapa de clases son una "
            "sola mancha",
            (_numbers(scene.classes, scene.things, scene.everything, scene.things),),
        ),
    )


def _task(scene: Scene) -> Task:
    return Task(
        function="count_segments",
        cases=(Case("la foto del enunciado", lambda: ()),),
        reference=_numbers(*scene.answer),
        outputs=("los de la semántica", "los de instancias", "los de la panóptica", "las manchas"),
        mistakes=_mistakes(scene),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otros animales y otros fondos, con otra respuesta."""
    scene = SCENE
    while scene.answer == SCENE.answer:
        grounds = tuple(random.sample([*GROUNDS], random.randint(2, 4)))
        scene = Scene(random.randint(2, 5), random.randint(1, 4), grounds)
    return Variant(Exercise(_card(scene), _task(scene)), ((SCENE.told(), scene.told()),))


COUNTING = Exercise(_card(SCENE), _task(SCENE), _draw)
