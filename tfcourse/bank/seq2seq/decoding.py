"""Ejercicio de código: decodificar eligiendo siempre el símbolo más probable."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.exercises.student import StoppedByChecker

START, STOP, N_TOKENS = 0, 1, 8
MAX_CALLS = 200


class ToyDecoder:
    """Decodificador de juguete: escribe un guion si se le llama bien; si no, se desvía.

    El símbolo que propone depende del último leído y del estado, que cuenta los pasos: quien
    olvida uno de los dos escribe otra cosa. Corta al que no deja de llamar.
    """

    def __init__(self, script: tuple[int, ...]):
        self.expected = dict(enumerate(zip((START, *script), (*script, STOP), strict=True)))
        self.calls = 0

    def __call__(self, token, state):
        self.calls += 1
        if self.calls > MAX_CALLS:
            reason = f"has llamado a `step` más de {MAX_CALLS} veces: tu bucle no termina"
            raise StoppedByChecker("no-termina", reason)
        token, state = _integer(token, "token"), _integer(state, "state")
        read, write = self.expected.get(state, (None, None))
        if token != read:
            write = 2 + (3 * token + state) % (N_TOKENS - 2)
        logits = torch.arange(N_TOKENS, dtype=torch.float32) / N_TOKENS - 3.0
        logits[write] = 2.0
        return logits, state + 1


def _integer(value, name):
    try:
        return int(value)
    except Exception:
        likely = (
            f"has llamado a `step` con un `{name}` que no vale: pásale el último símbolo (un "
            "entero) y el estado que devolvió la llamada anterior, en ese orden"
        )
        raise StoppedByChecker("llamada-a-step", likely) from None


def _greedy(
    extra=0, stops=True, includes_stop=False, prefix=False, feed="last", keep=False, pick="argmax"
):
    """Decodificación voraz con alguna pieza cambiada: así se fabrican los errores típicos."""

    def greedy(step, state, start, stop, max_length):
        written, token = [start] if prefix else [], start
        for _ in range(max_length + extra):
            logits, new_state = step(start if feed == "start" else token, state)
            state = state if keep else new_state
            token = int(getattr(logits, pick)())
            if token == stop and stops:
                return [*written, token] if includes_stop else written
            written.append(token)
        return written

    return greedy


def _greedy_by_recursion(step, state, start, stop, max_length):
    if max_length == 0:
        return []
    logits, state = step(start, state)
    best = max(range(len(logits)), key=lambda token: logits[token].item())
    if best == stop:
        return []
    return [best, *_greedy_by_recursion(step, state, best, stop, max_length - 1)]


def _script_case(script, max_length):
    return lambda: (ToyDecoder(script), 0, START, STOP, max_length)


def _random_script_case(length, max_length, seed):
    def make():
        random = chance(seed)
        script = tuple(random.randrange(2, N_TOKENS) for _ in range(length))
        return ToyDecoder(script), 0, START, STOP, max_length

    return make


GREEDY = Exercise(
    Card(
        id="decodificador-voraz",
        title="Cuatro fallos en un decodificador",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="encontrar y arreglar los fallos de un bucle que convierte un modelo que predice "
        "un símbolo en uno que escribe una frase",
        hints=(
            "Sigue dos vueltas con lápiz. ¿Qué dos cosas deben pasar de una a la siguiente, y "
            "cuáles pasan?",
            "El estado que devuelve step sustituye al anterior, y el símbolo elegido es el que se "
            "lee en la vuelta siguiente; solo la primera lee start. ¿Cuántos símbolos caben?",
            "Comprueba si el símbolo es stop antes de añadirlo a la lista: así no aparece en el "
            "resultado. int(logits.argmax()) da un entero de Python.",
        ),
    ),
    Task(
        function="greedy",
        cases=(
            Case("una salida de 4 símbolos", _script_case((4, 6, 2, 5), max_length=10)),
            Case("una salida con símbolos repetidos", _script_case((3, 3, 7, 3, 3), max_length=10)),
            Case(
                "una salida que no cabe en max_length", _script_case((2, 4, 6, 3, 5), max_length=3)
            ),
            Case("una salida que cabe justa", _script_case((6, 2), max_length=2)),
            Case("una salida vacía", _script_case((), max_length=5)),
            Case("una salida al azar", _random_script_case(7, max_length=10, seed=0)),
            Case(
                "una salida al azar que no cabe en max_length",
                _random_script_case(9, max_length=6, seed=1),
            ),
            example(
                lambda token, state: (
                    torch.nn.functional.one_hot(torch.tensor(token - 1), 5).float(),
                    state,
                ),
                None,
                4,
                0,
                10,
            ),
            Case(
                "el otro ejemplo del enunciado",
                lambda: (
                    lambda token, state: (
                        torch.nn.functional.one_hot(torch.tensor(token - 1), 5).float(),
                        state,
                    ),
                    None,
                    4,
                    0,
                    2,
                ),
            ),
        ),
        reference=_greedy_by_recursion,
        mistakes=(
            Mistake(
                "no-para",
                "no te detienes al salir `stop`: sigues escribiendo hasta max_length",
                (_greedy(stops=False),),
            ),
            Mistake(
                "incluye-stop",
                "has incluido `stop` en el resultado: compruébalo antes de añadir el símbolo",
                (_greedy(includes_stop=True),),
            ),
            Mistake(
                "incluye-start",
                "has incluido `start` en el resultado: solo sirve para la primera llamada",
                (_greedy(prefix=True), _greedy(prefix=True, includes_stop=True)),
            ),
            Mistake(
                "siempre-start",
                "lees `start` en todas las vueltas: después de la primera se lee el último símbolo "
                "elegido",
                (_greedy(feed="start"), _greedy(feed="start", includes_stop=True)),
            ),
            Mistake(
                "estado-viejo",
                "usas siempre el estado inicial: guarda el que devuelve `step` para la vuelta "
                "siguiente",
                (_greedy(keep=True), _greedy(keep=True, includes_stop=True)),
            ),
            Mistake(
                "uno-de-mas",
                "escribes un símbolo más de los que permite `max_length`",
                (_greedy(extra=1),),
            ),
            Mistake(
                "uno-de-menos",
                "escribes un símbolo menos de los que permite `max_length`",
                (_greedy(extra=-1),),
            ),
            Mistake(
                "el-menos-probable",
                "eliges el símbolo de menor logit: se busca el mayor (`argmax`)",
                (_greedy(pick="argmin"),),
            ),
        ),
        differentiable=False,
    ),
)
