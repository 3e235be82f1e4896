"""Ejercicio para comprender: cuántas claves mira cada núcleo."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


@dataclass(frozen=True)
class _Sequence:
    """La secuencia y los núcleos por los que se pregunta; el salto divide a la longitud."""

    length: int
    window: int
    stride: int
    summary: int

    @property
    def last(self) -> int:
        return self.length - 1

    @property
    def jumps(self) -> int:
        """A cuántas posiciones se llega desde la última saltando, sin contarla a ella."""
        return self.last // self.stride

    def answer(self, *, window=None, strided=None, summary=None):
        """Las claves de cada núcleo; las que se den, equivocadas."""
        # Cerca, la propia posición y las de un salto atrás; lejos, desde el segundo salto.
        values = {
            "completa": self.length,
            "ventana": window or 2 * self.window + 1,
            "saltos": strided or self.stride + 1 + self.jumps - 1,
            "resumen": summary or self.summary,
        }
        return lambda: dict(values)

    def described(self) -> tuple[str, ...]:
        """Los trozos del enunciado que lo dicen."""
        return (
            f"Una secuencia mide $L = {self.length}$",
            f"una ventana de $w = {self.window}$ a cada lado",
            f"causal con $s = {self.stride}$, para la última posición, la {self.last} contando",
            f"Linformer con $k = {self.summary}$",
        )

    def hints(self) -> tuple[str, ...]:
        step, far = self.stride, self.jumps * self.stride
        return (
            "La ventana va hacia los dos lados, y cada posición también se mira a sí misma.",
            f"En el patrón a saltos hay dos grupos: de 0 a {step} pasos atrás, y los múltiplos de "
            f"{step}. ¿Qué posiciones están en los dos?",
            f"Desde la posición {self.last}, los múltiplos de {step} que caben son 0, {step}, "
            f"{2 * step}… hasta {far}. Los dos primeros ya están en el grupo de cerca.",
        )


SEQUENCE = _Sequence(length=4096, window=64, stride=64, summary=256)

KEYS_CARD = Card(
    id="claves-que-se-miran",
    title="¿Cuántas claves mira cada una?",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="contar lo que compara un patrón sin contar nada dos veces",
    hints=SEQUENCE.hints(),
)


def _keys_mistakes(sequence: _Sequence) -> tuple[Mistake, ...]:
    window, stride, jumps = sequence.window, sequence.stride, sequence.jumps
    return (
        Mistake(
            "un-solo-lado",
            f"has contado solo un lado de la ventana: llega a {window} posiciones hacia atrás y a "
            f"otras {window} hacia delante",
            (sequence.answer(window=window + 1), sequence.answer(window=window)),
        ),
        Mistake(
            "no-se-mira",
            "te falta la propia posición en la ventana: también se mira a sí misma",
            (sequence.answer(window=2 * window),),
        ),
        Mistake(
            "contadas-dos-veces",
            "en los saltos has contado dos veces alguna posición: las que están a 0 y a "
            f"{stride} pasos son de los dos grupos",
            (
                sequence.answer(strided=stride + 1 + jumps + 1),
                sequence.answer(strided=stride + 1 + jumps),
            ),
        ),
        Mistake(
            "solo-saltos",
            "en los saltos has contado un solo grupo: son las vecinas y, además, una de cada "
            f"{stride}",
            tuple(
                sequence.answer(strided=group) for group in (jumps + 1, jumps, stride + 1, stride)
            ),
        ),
        Mistake(
            "trozo-del-resumen",
            "has contado cuántas claves entran en cada resumen; se pregunta con cuántos "
            "resúmenes se compara una consulta",
            (sequence.answer(summary=sequence.length // sequence.summary),),
        ),
    )


def _keys_task(sequence: _Sequence) -> Task:
    return Task(
        function="keys_seen",
        cases=(Case("la secuencia del enunciado", lambda: ()),),
        reference=sequence.answer(),
        mistakes=_keys_mistakes(sequence),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw_keys(random: Random) -> Variant:
    """Otra secuencia y otros núcleos. Ninguna longitud es el cuadrado de un resumen."""
    sequence = _Sequence(
        length=random.choice((2048, 8192, 32768)),
        window=random.choice((16, 24, 32, 48, 96, 128)),
        stride=random.choice((16, 32, 64, 128)),
        summary=random.choice((32, 64, 128, 256, 512)),
    )
    card = replace(KEYS_CARD, hints=sequence.hints())
    changes = tuple(zip(SEQUENCE.described(), sequence.described(), strict=True))
    return Variant(Exercise(card, _keys_task(sequence)), changes)


KEYS_SEEN = Exercise(KEYS_CARD, _keys_task(SEQUENCE), _draw_keys)
