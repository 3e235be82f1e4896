"""Ejercicio para comprender: el tamaño de una tabla de embeddings, con lápiz y papel."""

from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant

LENGTHS = {6: "seis", 7: "siete", 8: "ocho"}


@dataclass(frozen=True)
class _Table:
    """El vocabulario, el tamaño de sus embeddings y los números de una frase."""

    vocabulary: int = 8_000
    width: int = 64
    ids: tuple[int, ...] = (17, 5, 17, 901, 5, 17)

    @property
    def length(self) -> int:
        return len(self.ids)

    @property
    def different(self) -> int:
        return len(set(self.ids))

    def sizes(self, **changes):
        right = {
            "parametros": self.vocabulary * self.width,
            "numeros_one_hot": self.length * self.vocabulary,
            "numeros_embedding": self.length * self.width,
            "filas_con_gradiente": self.different,
        }
        return lambda: right | changes


TABLE_CARD = Card(
    id="tabla",
    title="¿Cuánto ocupa una tabla?",
    kind="comprender",
    difficulty=1,
    minutes=6,
    points=1,
    objective="distinguir el tamaño de la tabla, el de lo que sale de ella y lo que aprende",
    hints=(
        "La tabla tiene una fila por token del vocabulario; lo que sale de ella, una por token "
        "de la frase. ¿Cuál de las dos depende de la longitud de la frase?",
        "Un one-hot mide tanto como el vocabulario. Un embedding, D.",
        "Solo reciben gradiente las filas que se usan. El token 17 sale tres veces, pero es "
        "una sola fila.",
    ),
)


def _mistakes(table: _Table) -> tuple[Mistake, ...]:
    one_hot, embedding = table.length * table.vocabulary, table.length * table.width
    return (
        Mistake(
            "gradiente-repetido",
            "has contado dos veces la misma fila: un token repetido suma sus gradientes en una "
            "sola",
            (table.sizes(filas_con_gradiente=table.length),),
        ),
        Mistake(
            "gradiente-en-toda-la-tabla",
            "las filas que no se usan en la frase no reciben gradiente: su derivada es cero",
            (table.sizes(filas_con_gradiente=table.vocabulary),),
        ),
        Mistake(
            "tabla-de-la-frase",
            "la tabla guarda un vector por token del vocabulario, no por token de la frase",
            (
                table.sizes(parametros=embedding),
                table.sizes(parametros=table.different * table.width),
            ),
        ),
        Mistake(
            "un-solo-vector",
            f"has contado lo que ocupa un token, y la frase tiene {LENGTHS[table.length]}",
            (
                table.sizes(numeros_one_hot=table.vocabulary, numeros_embedding=table.width),
                table.sizes(numeros_one_hot=table.vocabulary),
                table.sizes(numeros_embedding=table.width),
            ),
        ),
        Mistake(
            "intercambiados",
            "has intercambiado los dos tamaños: el one-hot mide V y el embedding, D",
            (table.sizes(numeros_one_hot=embedding, numeros_embedding=one_hot),),
        ),
    )


def _task(table: _Table) -> Task:
    return Task(
        function="table_sizes",
        cases=(Case(f"una frase de {table.length} tokens", lambda: ()),),
        reference=table.sizes(),
        mistakes=_mistakes(table),
        tolerance=0.0,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otra frase, en la que un token sale tres veces y otro, dos; otra tabla."""
    singles = random.choice([length - 5 for length in LENGTHS])
    often, twice, *others = random.sample(range(3, 1_000), 2 + singles)
    ids = [often, often, often, twice, twice, *others]
    random.shuffle(ids)
    table = _Table(
        random.choice((2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 9_000)),
        random.choice((16, 32, 48, 50, 100, 128)),
        tuple(ids),
    )
    hint = TABLE_CARD.hints[-1].replace("17", str(often))
    card = replace(TABLE_CARD, hints=(*TABLE_CARD.hints[:-1], hint))
    return Variant(Exercise(card, _task(table)), _changes(table))


def _changes(table: _Table) -> tuple[tuple[str, str], ...]:
    return (
        ("$V = 8000$", f"$V = {table.vocabulary}$"),
        ("$D = 64$", f"$D = {table.width}$"),
        ("una frase de seis tokens", f"una frase de {LENGTHS[table.length]} tokens"),
        (_tex(_Table.ids), _tex(table.ids)),
    )


def _tex(ids) -> str:
    return r",\quad ".join(map(str, ids))


TABLE = Exercise(TABLE_CARD, _task(_Table()), _draw)
