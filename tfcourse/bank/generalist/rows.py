"""Ejercicio de código: un episodio entero en una fila, y de qué tokens se aprende."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(seen, done, separator):
    ids, learnt = [], []
    for observation, action in zip(seen.tolist(), done.tolist(), strict=True):
        ids += [*observation, separator, *action]
        learnt += [False] * (len(observation) + 1) + [True] * len(action)
    return torch.tensor(ids), torch.tensor(learnt)


def _variant(separate=True, first="observation", scored="action"):
    def row(seen, done, separator):
        ids, learnt = [], []
        for observation, action in zip(seen.tolist(), done.tolist(), strict=True):
            mark = [separator] if separate else []
            both = [(t, scored == "all") for t in observation]
            both += [(t, scored in ("all", "mark")) for t in mark]
            acts = [(t, True) for t in action]
            both = both + acts if first == "observation" else acts + both
            ids += [t for t, _ in both]
            learnt += [s for _, s in both]
        return torch.tensor(ids), torch.tensor(learnt)

    return row


def _all_seen_first(seen, done, separator):
    ids = torch.cat([seen.flatten(), torch.tensor([separator]), done.flatten()])
    return ids, torch.arange(len(ids)) > seen.numel()


def _shifted(seen, done, separator):
    ids, learnt = _by_loops(seen, done, separator)
    return ids, learnt.roll(-1)


def _by_its_number(seen, done, separator):
    """Señala los tokens que están entre las acciones, también si se han visto."""
    ids, _ = _by_loops(seen, done, separator)
    return ids, torch.isin(ids, done)


def _case(steps, n_seen, n_done, seed, words=900):
    def make():
        g = seeded(seed)
        seen = torch.randint(100, 100 + words, (steps, n_seen), generator=g)
        done = torch.randint(100, 100 + words, (steps, n_done), generator=g)
        seen[0, 0] = done[0, 0]  # el mismo número puede verse y hacerse
        return seen, done, 2000

    return make


ROWS = Exercise(
    Card(
        id="un-episodio-en-fila",
        title="Un episodio en fila",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="poner un episodio en una sola fila y decir de qué tokens se aprende",
        hints=(
            "Un paso es observación, separador y acción, en ese orden; y los pasos van en orden.",
            "Haz una tabla por paso con `torch.cat([seen, marks, done], dim=1)` y aplánala.",
            "La segunda salida tiene la misma forma que la primera: `True` solo en las acciones.",
        ),
    ),
    Task(
        function="episode_row",
        cases=(
            Case("un paso", _case(1, 2, 1, 0)),
            Case("cuatro números y una acción", _case(3, 4, 1, 1)),
            Case("una acción de dos componentes", _case(4, 3, 2, 2)),
            Case("un solo número", _case(5, 1, 1, 3)),
            Case("se ve lo mismo que se hace", _case(4, 3, 2, 4, words=2)),
            example(torch.tensor([[7, 8]]), torch.tensor([[3]]), 99),
        ),
        reference=_by_loops,
        outputs=("los tokens", "los que se aprenden"),
        mistakes=(
            Mistake(
                "sin-separador",
                "falta el separador: va en cada paso, entre la observación y la acción",
                (_variant(separate=False),),
            ),
            Mistake(
                "accion-delante",
                "la acción va detrás de lo que se ha visto: no se puede decidir antes de mirar",
                (_variant(first="action"),),
            ),
            Mistake(
                "todo-lo-visto-delante",
                "has puesto todas las observaciones delante: van paso a paso",
                (_all_seen_first,),
            ),
            Mistake(
                "se-aprende-todo",
                "de las observaciones no se aprende: `True` solo en las acciones",
                (_variant(scored="all"),),
            ),
            Mistake(
                "se-aprende-el-separador",
                "el separador siempre está en el mismo sitio: no hay que aprender a predecirlo",
                (_variant(scored="mark"),),
            ),
            Mistake(
                "por-su-numero",
                "has señalado los tokens por su número, y lo que se hace también puede verse: se "
                "señalan por su sitio en el paso",
                (_by_its_number,),
            ),
            Mistake(
                "corrida",
                "has marcado la posición de antes: aquí se señala el token, no desde dónde se "
                "predice",
                (_shifted,),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
