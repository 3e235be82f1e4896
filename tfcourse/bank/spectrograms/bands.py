"""Ejercicio abierto: tapar bandas para saber cuáles importan."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(spectrogram, first, last):
    """Clip a clip y banda a banda."""
    found = []
    for clip in spectrogram.tolist():
        lowest = min(min(row) for row in clip)
        found.append(
            [[lowest] * len(row) if first <= b < last else row for b, row in enumerate(clip)]
        )
    return torch.tensor(found)


def _variant(keep=False, value=None, time=False, inclusive=False, whole=False, mean=False):
    def silence(spectrogram, first, last):
        axis = 2 if time else 1
        places = torch.arange(spectrogram.shape[axis])
        gone = (places >= first) & (places < last + inclusive)
        gone = gone[None, None, :] if time else gone[None, :, None]
        if keep:
            gone = ~gone
        if value is not None:
            return spectrogram.masked_fill(gone, value)
        fill = spectrogram.amin(dim=(1, 2), keepdim=True)
        if mean:
            fill = spectrogram.mean(dim=(1, 2), keepdim=True)
        if whole:
            fill = spectrogram.min()
        return torch.where(gone, fill, spectrogram)

    return silence


def _same(spectrogram, first, last):
    return spectrogram


def _case(count, bands, frames, first, last, seed=0):
    def make():
        generator = seeded(seed)
        return torch.randn(count, bands, frames, generator=generator), first, last

    return make


SILENCED = Exercise(
    Card(
        id="que-bandas-importan",
        title="¿Qué bandas importan?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="averiguar con un experimento qué parte del sonido usa el modelo",
        hints=(
            "Para silence_bands: spectrogram.amin(dim=(1, 2), keepdim=True) es el mínimo de cada "
            "clip.",
            "torch.arange da los números de banda; compáralos con first y last, y da a la máscara "
            "la forma (1, bandas, 1). torch.where no cambia el tensor que te llega.",
            "Para el experimento: compara siempre con tapar otras tantas bandas al azar, y piensa "
            "qué frecuencias dejaba pasar un teléfono antiguo: de 300 a 3400 Hz.",
        ),
    ),
    Task(
        function="silence_bands",
        cases=(
            Case("una banda", _case(2, 4, 3, 1, 2)),
            Case("las graves", _case(3, 6, 5, 0, 3, seed=1)),
            Case("las agudas", _case(2, 6, 7, 4, 6, seed=2)),
            Case("ninguna", _case(2, 4, 5, 2, 2, seed=3)),
            Case("todas", _case(2, 5, 4, 0, 5, seed=4)),
            example(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]), 1, 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "ceros",
                "has puesto ceros: en un logaritmo, 0 no es silencio; el silencio es el mínimo",
                (_variant(value=0.0),),
            ),
            Mistake(
                "tapa-las-demas",
                "has tapado las que había que dejar",
                (_variant(keep=True),),
            ),
            Mistake(
                "instantes",
                "has tapado instantes en lugar de bandas: el eje de las bandas es el segundo",
                (_variant(time=True),),
            ),
            Mistake(
                "una-de-mas",
                "has tapado también la banda `last`: no entra, como en un range",
                (_variant(inclusive=True),),
            ),
            Mistake(
                "minimo-de-todos",
                "has usado el mínimo de todo el lote: cada clip tiene el suyo",
                (_variant(whole=True),),
            ),
            Mistake(
                "media",
                "has puesto la media del clip: el silencio es su mínimo",
                (_variant(mean=True),),
            ),
            Mistake(
                "sin-tapar",
                "devuelves el espectrograma tal como llegó",
                (_same,),
            ),
        ),
        differentiable=False,
    ),
)
