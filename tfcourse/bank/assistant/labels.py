"""Ejercicio de código: lo que se lee y lo que se pide en una conversación de varios turnos."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

USER, ASSISTANT, IGNORED = "usuario", "asistente", -100
MARKS, END = {USER: 1, ASSISTANT: 2}, 3


def _place_by_place(turns, marks, end, max_length):
    """Con dos listas que crecen a la par: el token y si lo escribe el asistente."""
    tokens, its = [], []
    for role, ids in turns:
        tokens.append(marks[role])
        its.append(False)
        for token in [*ids, end]:
            tokens.append(token)
            its.append(role == ASSISTANT)
    while len(tokens) > max_length:
        del tokens[0], its[0]
    asked = [tokens[t] if its[t] else IGNORED for t in range(1, len(tokens))]
    return tokens[:-1], asked


def _variant(ending=True, mark=False, user_end=False, user=False, shift=True, right=False):
    def labelled(turns, marks, end, max_length):
        tokens, asked = [], []
        for role, ids in turns:
            writes = role == ASSISTANT
            tokens += [marks[role], *ids, end]
            asked += [marks[role] if mark and writes else IGNORED]
            asked += [token if writes or user else IGNORED for token in ids]
            asked += [end if (ending if writes else user_end or user) else IGNORED]
        kept = slice(max_length) if right else slice(max(0, len(tokens) - max_length), None)
        tokens, asked = tokens[kept], asked[kept]
        return tokens[:-1], asked[1:] if shift else asked[:-1]

    return labelled


def _cut_by_turns(turns, marks, end, max_length):
    """Quita turnos enteros hasta que cabe."""
    turns = list(turns)
    while sum(len(ids) + 2 for _, ids in turns) > max_length:
        del turns[0]
    return _place_by_place(turns, marks, end, max_length)


def _case(n_turns, seed, spare=0):
    def make():
        random = chance(seed)
        turns = [
            ((USER, ASSISTANT)[turn % 2], random.sample(range(10, 90), random.randint(2, 5)))
            for turn in range(n_turns)
        ]
        total = sum(len(ids) + 2 for _, ids in turns)
        return turns, dict(MARKS), END, total + spare

    return make


LABELS = Exercise(
    Card(
        id="lo-que-se-lee-y-lo-que-se-pide",
        title="Lo que se lee y lo que se pide",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="preparar una conversación de varios turnos para aprender solo las respuestas",
        hints=(
            "Haz dos listas que crezcan a la vez: los tokens, y lo que se pide en ese mismo sitio, "
            "que es el propio token o −100.",
            "De un turno del asistente se piden sus tokens y su `end`; de uno del usuario, nada. "
            "La marca del principio no se pide nunca.",
            "Corta las dos listas por el mismo sitio, quédate con los últimos `max_length` y, al "
            "final, desplaza: se lee sin el último y se pide sin el primero.",
        ),
    ),
    Task(
        function="labelled",
        cases=(
            Case("cuatro turnos, que caben", _case(4, 0)),
            Case("seis turnos, con sitio de sobra", _case(6, 1, spare=5)),
            Case("se corta a mitad del primer turno", _case(4, 2, spare=-2)),
            Case("se corta más de un turno", _case(6, 3, spare=-12)),
            Case(
                "empieza el asistente",
                lambda: ([(ASSISTANT, [20, 21]), (USER, [30])], dict(MARKS), END, 9),
            ),
            Case(
                "una respuesta vacía",
                lambda: ([(USER, [40]), (ASSISTANT, [])], dict(MARKS), END, 8),
            ),
            Case(
                "se corta a mitad de la respuesta",
                lambda: ([(USER, [50, 51]), (ASSISTANT, [60, 61, 62])], dict(MARKS), END, 3),
            ),
            example([(USER, [7, 8]), (ASSISTANT, [9])], MARKS, END, 6),
        ),  # fmt: skip
        reference=_place_by_place,
        mistakes=(
            Mistake(
                "sin-el-fin",
                "falta pedir el fin de cada respuesta: sin él, el modelo no aprende a terminar",
                (_variant(ending=False),),
            ),
            Mistake(
                "con-la-marca",
                "pides la marca del asistente: se la dan escrita, y no tiene que aprenderla",
                (_variant(mark=True),),
            ),
            Mistake(
                "el-fin-del-usuario",
                "pides también el fin de los turnos del usuario: ahí escribe otra persona",
                (_variant(user_end=True),),
            ),
            Mistake(
                "tambien-el-usuario",
                "pides lo que dice el usuario: solo se aprende lo que escribe el asistente",
                (_variant(user=True), _variant(user=True, mark=True)),
            ),
            Mistake(
                "sin-desplazar",
                "cada posición pide el token que está leyendo: tiene que pedir el siguiente",
                (_variant(shift=False),),
            ),
            Mistake(
                "por-la-derecha",
                "te quedas con los primeros tokens: se pide quedarse con los últimos",
                (_variant(right=True),),
            ),
            Mistake(
                "turnos-enteros",
                "quitas turnos enteros: se cortan tokens, aunque un turno quede a medias",
                (_cut_by_turns,),
            ),
        ),
        outputs=("lo que se lee", "lo que se pide"),
        differentiable=False,
    ),
)
