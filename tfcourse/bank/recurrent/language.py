"""Ejercicios del modelo de lenguaje: los bits por carácter y las ventanas seguidas."""

import math

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _bits_by_loops(logits, targets):
    total, count = 0.0, 0
    for rows, chosen in zip(logits.tolist(), targets.tolist(), strict=True):
        for row, right in zip(rows, chosen, strict=True):
            top = max(row)  # sin él, con logits enormes la probabilidad saldría 0
            total += math.log2(sum(math.exp(x - top) for x in row))
            total -= (row[right] - top) / math.log(2)
            count += 1
    return torch.tensor(total / count, dtype=logits.dtype)


def _chosen(logits, targets, axis=-1):
    return logits.log_softmax(axis).gather(-1, targets[..., None])[..., 0]


def _accuracy(logits, targets):
    return (logits.argmax(-1) == targets).to(logits.dtype).mean()


def _case(batch, length, n_tokens, seed, scale=1.0, dtype=torch.float32):
    def make():
        (logits,) = random_tensors((batch, length, n_tokens), seed=seed, dtype=dtype)
        generator = seeded(seed)
        return scale * logits, torch.randint(n_tokens, (batch, length), generator=generator)

    return make


BITS = Exercise(
    Card(
        id="bits-por-caracter",
        title="Bits por carácter",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="medir un modelo de lenguaje a partir de sus logits, sin confundir unidades",
        hints=(
            "De los logits a las probabilidades hay un softmax, y de ellas solo interesa la del "
            "carácter que venía.",
            "log_softmax(dim=-1) da logaritmos neperianos sin desbordar; "
            "`gather(-1, targets[..., None])` toma el de cada carácter correcto.",
            "Cambia de signo, haz la media de todas las posiciones y divide entre ln 2, que es "
            "math.log(2).",
        ),
    ),
    Task(
        function="bits",
        cases=(
            Case("2 textos de 5 caracteres", _case(2, 5, 4, seed=0)),
            Case("un solo texto", _case(1, 7, 6, seed=1)),
            Case("logits enormes", _case(2, 4, 5, seed=2, scale=300.0)),
            Case("todos los ejes iguales", _case(4, 4, 4, seed=3)),
            Case("números de 64 bits", _case(3, 2, 5, seed=4, dtype=torch.float64)),
            example(torch.tensor([[[0.0, 0.0], [0.0, 1.0986]]]), torch.tensor([[0, 1]])),
        ),
        reference=_bits_by_loops,
        mistakes=(
            Mistake(
                "nats",
                "has usado el logaritmo neperiano: para medir en bits divide entre ln 2",
                (lambda logits, targets: -_chosen(logits, targets).mean(),),
            ),
            Mistake(
                "base-diez",
                "has usado el logaritmo decimal: los bits son logaritmos en base 2",
                (lambda logits, targets: -_chosen(logits, targets).mean() / math.log(10),),
            ),
            Mistake(
                "suma",
                "has sumado los bits de todos los caracteres: se pide la media",
                (lambda logits, targets: -_chosen(logits, targets).sum() / math.log(2),),
            ),
            Mistake(
                "media-de-textos",
                "has sumado los caracteres de cada texto: la media es sobre todas las posiciones",
                (lambda logits, targets: -_chosen(logits, targets).sum(1).mean() / math.log(2),),
            ),
            Mistake(
                "signo",
                "te ha salido negativo: el logaritmo de una probabilidad lo es, y falta cambiar el "
                "signo",
                (lambda logits, targets: _chosen(logits, targets).mean() / math.log(2),),
            ),
            Mistake(
                "perplejidad",
                "has calculado la perplejidad: los bits por carácter son su logaritmo en base 2",
                (lambda logits, targets: (-_chosen(logits, targets).mean()).exp(),),
            ),
            Mistake(
                "logaritmo-de-la-media",
                "has promediado las probabilidades antes del logaritmo: primero el logaritmo de "
                "cada una, y después la media",
                (lambda logits, targets: -_chosen(logits, targets).exp().mean().log2(),),
            ),
            Mistake(
                "eje-del-softmax",
                "has aplicado el softmax a lo largo del texto: las probabilidades suman 1 sobre el "
                "vocabulario, el último eje",
                (lambda logits, targets: -_chosen(logits, targets, 1).mean() / math.log(2),),
            ),
            Mistake(
                "desbordado",
                "con logits enormes la probabilidad se vuelve 0 y su logaritmo, infinito: usa "
                "`log_softmax`, que no pasa por ella",
                (
                    lambda logits, targets: (
                        -logits.softmax(-1).gather(-1, targets[..., None]).log2().mean()
                    ),
                ),
            ),
            Mistake(
                "aciertos",
                "has calculado la fracción de aciertos: aquí cuenta la probabilidad que se dio al "
                "carácter correcto",
                (_accuracy,),
            ),
        ),
    ),
)


def _windows_by_lists(ids, batch_size, window):
    text = ids.tolist()
    strip = len(text) // batch_size
    inputs, targets = [], []
    for first in range(0, strip - window, window):
        starts = [row * strip + first for row in range(batch_size)]
        inputs.append([text[s : s + window] for s in starts])
        targets.append([text[s + 1 : s + 1 + window] for s in starts])
    return torch.tensor(inputs), torch.tensor(targets)


def _cut(strips, window, shift=1):
    inputs, targets = [], []
    for first in range(0, strips.shape[1] - window, window):
        inputs.append(strips[:, first : first + window])
        targets.append(strips[:, first + shift : first + shift + window])
    return torch.stack(inputs), torch.stack(targets)


def _strips(ids, batch_size):
    length = len(ids) // batch_size
    return ids[: batch_size * length].view(batch_size, length)


def _interleaved(ids, batch_size, window):
    length = len(ids) // batch_size
    return _cut(ids[: batch_size * length].view(length, batch_size).T, window)


def _one_after_another(ids, batch_size, window):
    n_windows = (len(ids) // batch_size - 1) // window
    size = n_windows * batch_size * window
    shape = (n_windows, batch_size, window)
    return ids[:size].view(shape), ids[1 : size + 1].view(shape)


def _swapped_axes(ids, batch_size, window):
    inputs, targets = _cut(_strips(ids, batch_size), window)
    return inputs.transpose(0, 1), targets.transpose(0, 1)


def _overlapping(ids, batch_size, window):
    strips = _strips(ids, batch_size)
    firsts = range(strips.shape[1] - window)
    inputs = torch.stack([strips[:, first : first + window] for first in firsts])
    return inputs, torch.stack([strips[:, first + 1 : first + 1 + window] for first in firsts])


def _text(n_characters, batch_size, window, seed):
    def make():
        generator = seeded(seed)
        return torch.randint(50, (n_characters,), generator=generator), batch_size, window

    return make


WINDOWS = Exercise(
    Card(
        id="ventanas",
        title="¿Cuánto vale cada ingrediente?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir qué aporta cada pieza de una receta cambiando una sola cosa cada vez",
        hints=(
            "Primero parte el texto en batch_size tiras seguidas, una por fila: la primera fila es "
            "el principio del texto. Lo que sobra al final se descarta.",
            "Una ventana son `window` columnas de las tiras. La primera empieza en la columna 0; "
            "la segunda, en `window`… Los objetivos son las mismas columnas corridas un lugar.",
            "Para el experimento: cambia una sola cosa cada vez, repite con varias semillas y di "
            "antes qué resultado te haría cambiar de opinión.",
        ),
    ),
    Task(
        function="windows",
        cases=(
            Case("26 caracteres, 2 tiras, ventanas de 4", _text(26, 2, 4, seed=0)),
            Case("sobran caracteres", _text(50, 3, 5, seed=1)),
            Case("una sola tira", _text(16, 1, 3, seed=2)),
            Case("ventanas de un carácter", _text(20, 4, 1, seed=3)),
            example(torch.arange(10), 2, 2),
        ),
        reference=_windows_by_lists,
        outputs=("inputs", "targets"),
        mistakes=(
            Mistake(
                "tiras-intercaladas",
                "has repartido las letras una a una entre las tiras: cada una es un trozo seguido",
                (_interleaved,),
            ),
            Mistake(
                "sin-tiras",
                "has puesto cada ventana a continuación de la otra dentro del lote: así, la fila 2 "
                "no continúa a la fila 2 de la ventana anterior y el estado heredado no le sirve",
                (_one_after_another,),
            ),
            Mistake(
                "objetivos-iguales",
                "los objetivos son las propias entradas: deben ir un carácter por delante",
                (lambda ids, b, w: _cut(_strips(ids, b), w, shift=0),),
            ),
            Mistake(
                "objetivos-intercambiados",
                "has devuelto los objetivos antes que las entradas",
                (lambda ids, b, w: _cut(_strips(ids, b), w)[::-1],),
            ),
            Mistake(
                "ejes-intercambiados",
                "el primer eje debe ser el de las ventanas, y el segundo, el de las tiras",
                (_swapped_axes,),
            ),
            Mistake(
                "solapadas",
                "tus ventanas se pisan: cada una empieza donde acabó la anterior",
                (_overlapping,),
            ),
        ),
        differentiable=False,
    ),
)
