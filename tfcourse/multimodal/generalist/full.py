"""A escala real: una red para las cinco tareas o una para cada una, con voces de personas."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tfcourse.datasets.agents.generalist import generalist_data
from tfcourse.datasets.folders.speech_commands import SPEECH_COMMANDS_SOURCE, speech_commands
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.gato import Gato
from tfcourse.multimodal.generalist.metrics import guess_rates, task_score
from tfcourse.multimodal.generalist.recipe import TASKS, Recipe, train
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device

RATE = 8_000  # muestras por segundo: las del sonido que lee un Gato


@dataclass(frozen=True)
class Full:
    """Pasos, cada cuánto se guarda, episodios de cada tarea, cuánto se mide y tamaño de la red.

    Cada especialista da los mismos pasos que la red de todas, con tantas filas de su tarea.
    """

    steps: int = 20_000
    save_every: int = 1_000
    n_episodes: int = 1_000
    copies: int = 1
    n_test: int = 1_000
    n_play: int = 100
    tasks: tuple = TASKS
    network: dict = field(default_factory=lambda: {"d_model": 384, "n_heads": 8, "n_layers": 8})


REHEARSAL = Full(
    steps=2, save_every=1, n_episodes=2, n_test=4, n_play=2, tasks=("oír", "carro"),
    network={"d_model": 8, "n_heads": 2, "n_layers": 1},
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """La nota de cada tarea, de 0 a 1: aciertos o, en las de control, la parte del experto.

    Las voces son las cifras de Speech Commands, en inglés, con su reparto; las escenas y los
    episodios se generan, y los de evaluar son otros.
    """
    known, spoken = (speech_commands(part, sample_rate=RATE) for part in ("training", "testing"))
    data = generalist_data(known, settings.n_episodes, settings.copies)
    chance = guess_rates(settings.n_test)
    rows = [
        {"red": "sin mirar", "parámetros": ""} | {task: chance[task] for task in settings.tasks}
    ]

    def learnt(tasks: Sequence[str], name: str) -> Gato:
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        made = train(
            Recipe(settings.steps), 0, data=data, tasks=tasks, checkpoint=point, **settings.network
        )
        return made.model.to(default_device())

    alone = {task: learnt([task], f"solo {task}") for task in settings.tasks}
    rows.append({"red": "una para cada tarea"} | row(alone, spoken, settings))
    whole = learnt(settings.tasks, "todas")
    rows.append(
        {"red": "una para todas"} | row(dict.fromkeys(settings.tasks, whole), spoken, settings)
    )
    return rows


def row(models: dict[str, Gato], spoken: SpokenWords, settings: Full) -> dict:
    """Cuántos parámetros suman las redes y la nota de cada tarea."""
    different = {id(model): n_parameters(model) for model in models.values()}
    return {"parámetros": sum(different.values())} | {
        task: task_score(model, task, spoken, settings.n_test, settings.n_play)
        for task, model in models.items()
    }


RUNS = {
    "gato": FullRun(
        name="gato",
        title="Gato, nota de cada tarea",
        sources=(SPEECH_COMMANDS_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=4,
        hours=6,
    )
}
