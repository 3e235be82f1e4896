"""Ejercicio de código: encontrar los tres fallos de la entrada de un reconocedor."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example

FLOOR = 1e-10


def _by_loops(power, filters, dynamic_range):
    """Clip a clip, banda a banda y columna a columna."""
    found = []
    for clip in power:
        energies = [[float((row * column).sum()) for column in clip.mT] for row in filters]
        levels = [
            [torch.tensor(max(e, FLOOR), dtype=torch.float64).log10().item() for e in row]
            for row in energies
        ]
        bottom = max(map(max, levels)) - dynamic_range
        found.append([[(max(level, bottom) + 4) / 4 for level in row] for row in levels])
    return torch.tensor(found, dtype=power.dtype)


def _variant(natural=False, together=False, bare=False, late=False, dims=(1, 2), above=False):
    """La entrada con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def speech_input(power, filters, dynamic_range):
        mel = filters @ power
        mel = mel if bare or late else mel.clamp_min(FLOOR)
        levels = mel.log() if natural else mel.log10()
        levels = levels.clamp_min(FLOOR) if late else levels
        bottom = (levels.max() if together else levels.amax(dims, keepdim=True)) - dynamic_range
        kept = levels.minimum(bottom) if above else levels.maximum(bottom)
        return (kept + 4) / 4

    return speech_input


FAULTS = {
    "natural": "el logaritmo es el natural: un margen de 8 se queda en 35 decibelios, y no en 80",
    "together": "el máximo es el de todo el lote: cada clip tiene el suyo",
    "bare": "falta poner un suelo antes del logaritmo: un clip en silencio da −∞",
}


def _case(n_clips, dynamic_range, seed, volumes=None, silent=None, dtype=torch.float32):
    """Potencias entre 10⁻⁵ y 10, y tantos filtros como quepan de dos en dos bandas."""

    def make():
        generator = seeded(seed)
        power = 10 ** (6 * torch.rand(n_clips, 6, 5, generator=generator, dtype=dtype) - 5)
        if volumes:
            power = power * torch.tensor(volumes, dtype=dtype)[:, None, None]
        if silent is not None:
            power[silent] = 0
        filters = torch.eye(3, dtype=dtype).repeat_interleave(2, dim=1)
        return power, filters, dynamic_range

    return make


SPEECH_INPUT = Exercise(
    Card(
        id="fallos-en-la-entrada",
        title="Tres fallos antes de la primera capa",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar, por lo que le pasa a cada clip, los fallos de la entrada de Whisper",
        hints=(
            "Haz tres pruebas: un clip de ceros; un clip flojo, solo y en un lote con otro fuerte; "
            "y uno con dos potencias, 1 y 10⁻⁶, que están a 60 decibelios.",
            "Un margen de 8 son 80 decibelios si el logaritmo es decimal. ¿Cuántos son con "
            "`.log()`?",
            "El suelo, 10⁻¹⁰, va antes del logaritmo: `clamp(min=1e-10)`. Y el máximo, por clip: "
            "`amax(dim=(1, 2), keepdim=True)`.",
        ),
    ),
    Task(
        function="speech_input",
        cases=(
            Case("un clip", _case(1, 8.0, 0)),
            Case("un clip flojo junto a uno fuerte", _case(2, 3.0, 1, volumes=(1e4, 1e-3))),
            Case("un clip en silencio", _case(1, 8.0, 2, silent=0)),
            Case("un clip en silencio junto a otro", _case(2, 8.0, 3, silent=1)),
            Case("tan flojo que llega al suelo", _case(1, 8.0, 4, volumes=(1e-7,))),
            Case("tres clips y poco margen", _case(3, 1.0, 5)),
            Case("64 bits", _case(2, 5.0, 6, dtype=torch.float64)),
            example(torch.tensor([[[1.0, 1e-6, 0.0]]]), torch.tensor([[1.0]]), 8.0),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, _variant),
            Mistake(
                "suelo-tarde",
                "has puesto el suelo después del logaritmo: ahí 10⁻¹⁰ es casi 0, y se lleva por "
                "delante todo lo que suena por debajo de 1",
                (_variant(late=True),),
            ),
            Mistake(
                "maximo-por-columna",
                "has tomado un máximo para cada instante o para cada banda: es uno por clip",
                (_variant(dims=(1,)), _variant(dims=(2,))),
            ),
            Mistake(
                "por-arriba",
                "has recortado por arriba: lo que se pierde es lo que apenas suena",
                (_variant(above=True),),
            ),
        ),
    ),
)
