"""Ejercicio de código: poner los vectores de la imagen donde la frase lo marca."""

import torch

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _place_by_place(tokens, table, seen, image_id):
    """Fila a fila y token a token, con una cuenta de los que ya se han puesto."""
    rows = []
    for ids, own in zip(tokens, seen, strict=True):
        put, row = 0, []
        for number in ids.tolist():
            if number == image_id:
                row.append(own[put])
                put += 1
            else:
                row.append(table[number])
        rows.append(torch.stack(row))
    return torch.stack(rows)


def _start_of(tokens, table, seen, image_id):
    """Los pone siempre delante."""
    x = table[tokens]
    return torch.cat([seen, x[:, seen.shape[1] :]], dim=1)


def _inserted(tokens, table, seen, image_id):
    """Los añade, sin quitar las marcas."""
    return torch.cat([seen, table[tokens]], dim=1)


def _added(tokens, table, seen, image_id):
    """Los suma al vector de la marca."""
    base = table[tokens]
    alone = _place_by_place(tokens, torch.zeros_like(table), seen, image_id)
    return base + alone


def _turned(tokens, table, seen, image_id):
    """En orden contrario."""
    return _place_by_place(tokens, table, seen.flip(1), image_id)


def _of_the_first(tokens, table, seen, image_id):
    """A todas las filas, la imagen de la primera."""
    return _place_by_place(tokens, table, seen[:1].expand_as(seen), image_id)


def _averaged(tokens, table, seen, image_id):
    """En cada marca, la media de la imagen."""
    return _place_by_place(tokens, table, seen.mean(1, keepdim=True).expand_as(seen), image_id)


def _case(n, length, n_image, width, seed, dtype=torch.float32, image_id=0):
    """Marcas en sitios distintos de cada fila."""

    def make():
        random = chance(seed)
        table, seen = random_tensors((9, width), (n, n_image, width), seed=seed, dtype=dtype)
        words = [number for number in range(9) if number != image_id]
        tokens = torch.tensor([random.choices(words, k=length) for _ in range(n)])
        for row in tokens:
            for place in random.sample(range(length), n_image):
                row[place] = image_id
        return tokens, table, seen, image_id

    return make


PLACING = Exercise(
    Card(
        id="cada-marca-su-trozo",
        title="Cada marca, su trozo",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=2,
        objective="mezclar los vectores de unas imágenes con los de unas frases",
        hints=(
            "Empieza por buscar todos los tokens en la tabla, `table[tokens]`, como si las marcas "
            "fueran palabras: después se sustituyen.",
            "`tokens == image_id` dice dónde están las marcas. Los vectores de `seen` van en ese "
            "orden, fila a fila.",
            "`x.masked_scatter(mascara[..., None], seen)` pone los valores de `seen` en los sitios "
            "marcados, por orden, y deja pasar el gradiente.",
        ),
    ),
    Task(
        function="placed",
        cases=(
            Case("2 frases de 7 tokens, 3 de imagen", _case(2, 7, 3, 4, 0)),
            Case("4 frases, marcas repartidas", _case(4, 9, 4, 3, 1)),
            Case("una frase que es toda imagen", _case(1, 5, 5, 2, 2)),
            Case("otra marca, de 64 bits", _case(3, 6, 2, 4, 3, torch.float64, image_id=7)),
            example(
                torch.tensor([[1, 0, 0, 2]]),
                torch.tensor([[9.0], [1.0], [2.0]]),
                torch.tensor([[[5.0], [6.0]]]),
                0,
            ),
        ),
        reference=_place_by_place,
        mistakes=(
            Mistake(
                "siempre-delante",
                "la imagen va donde están sus marcas, que no siempre es al principio",
                (_start_of,),
            ),
            Mistake(
                "sin-quitar-las-marcas",
                "la frase ha crecido: cada vector de la imagen sustituye a una marca",
                (_inserted,),
            ),
            Mistake(
                "sumados",
                "has sumado los dos vectores: el de la marca no se usa",
                (_added,),
            ),
            Mistake("al-reves", "los vectores van en su orden, el primero delante", (_turned,)),
            Mistake(
                "la-misma-imagen",
                "has puesto la primera imagen en todas las frases",
                (_of_the_first,),
            ),
            Mistake("la-media", "cada marca lleva su vector, no la media", (_averaged,)),
        ),
        differentiable=False,
    ),
)
