"""Ver sin etiquetas: lo que aprenden MAE y un alumno con su maestro, y con quién se comparan.

`python -m benchmarks autosupervision --escribir` los entrena con cada semilla, sin etiquetas, y
mide lo aprendido con unas pocas por clase: vecinos y sonda lineal, con las cifras reservadas en su
sitio y movidas. Los rivales, un ViT y una red convolucional, solo tienen esas etiquetas, y leen
con gradiente la cuarta parte de imágenes que MAE y que el alumno, que son más de las que piden sus
recetas; y se repiten leyendo tantas como ellos, por si les faltaban pasos. También se ve qué le
pasa al maestro, en unos pocos pasos, sin centrar, sin afilar y con otras maneras de evitar el
colapso.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.pictures.augmentation import Augmentation, move_images
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.training.loop import History
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.classification.metrics import image_accuracy
from tfcourse.vision.self_supervision import masked, teacher
from tfcourse.vision.self_supervision.costs import equal_passes
from tfcourse.vision.self_supervision.few_labels import (
    ENCODER,
    Features,
    features_of,
    neighbour_accuracy,
    pixels,
    probe_accuracy,
)
from tfcourse.vision.self_supervision.looking import largest_norm

NAME = "autosupervision"
PER_CLASS, EVERY, BATCH = (1, 5, 20, 100), 5, 128
MASKED, TEACHER = masked.SHIPPED, teacher.SHIPPED
# Lo que se le cambia al maestro; para ver si se viene abajo bastan unos pasos.
BRIEF = replace(TEACHER, steps=150)
WARM = TEACHER.student_temperature
CHANGES = {
    "los dos": BRIEF,
    "sin centrar": replace(BRIEF, balance="nada"),
    "sin afilar": replace(BRIEF, teacher_temperature=WARM),
    "ninguno": replace(BRIEF, balance="nada", teacher_temperature=WARM),
    "Sinkhorn y Knopp": replace(BRIEF, balance="sinkhorn"),
    "solo normalizar": replace(BRIEF, balance="nada", batch_norm=True),
    "con registros": replace(BRIEF, n_registers=4),
}
N_STEPS = equal_passes(TEACHER, BATCH)
RIVALS = {
    "ViT": replace(
        classification.CONTESTANTS["ViT"], steps=N_STEPS // 4, batch_size=BATCH,
        options=dict(ENCODER),
    ),
    "CNN": replace(classification.CONTESTANTS["CNN"], steps=N_STEPS // 4, batch_size=BATCH),
}  # fmt: skip
SHORT = replace(TEACHER, steps=5)
MOVED = Augmentation(shift=1.0, degrees=15.0, scale=0.15)
# Con paciencia se lee cuatro veces más: el doble de pasos, con lotes el doble de grandes.
PATIENCE = {"steps": N_STEPS // 2, "batch_size": 2 * BATCH}
PLACES = ("en su sitio", "movidas")


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "masked": asdict(MASKED),
        "teacher": asdict(TEACHER),
        "changes": {name: asdict(recipe) for name, recipe in CHANGES.items()},
        "rivals": {name: asdict(recipe) for name, recipe in RIVALS.items()},
        "short": asdict(SHORT),
        "moved": asdict(MOVED),
        "per_class": list(PER_CLASS),
        "patient": PATIENCE,
        "every": EVERY,
    }


@cache
def asked(place: str) -> LabelledImages:
    """Las cifras reservadas, en su sitio o movidas; siempre de la misma manera."""
    test = split_digits()[1]
    if place == PLACES[0]:
        return test
    generator = torch.Generator().manual_seed(0)
    return LabelledImages(move_images(test.images, MOVED, generator), test.labels)


def labelled(name: str, how: str, seed: int, per_class: int, place: str, accuracy: float) -> dict:
    """La fila de un acierto con tantas etiquetas por clase."""
    return {
        "kind": "etiquetas", "name": name, "how": how, "seed": seed, "per_class": per_class,
        "place": place, "accuracy": round(accuracy, 4),
    }  # fmt: skip


def measured(name: str, features, seed: int) -> Iterator[dict]:
    """Vecinos y sonda sobre unos rasgos, con cada número de etiquetas."""
    for per_class in PER_CLASS:
        few = few_per_class(split_digits()[0], per_class, seed)
        for how, accuracy in (("vecinos", neighbour_accuracy), ("sonda", probe_accuracy)):
            for place in PLACES:
                hits = accuracy(features, few, asked(place))
                yield labelled(name, how, seed, per_class, place, hits)


def floors(seed: int) -> Iterator[dict]:
    """Quien no ha aprendido nada."""
    for name, features in unlearnt(TEACHER, seed):
        yield from measured(name, features, seed)


def painter(seed: int) -> Iterator[dict]:
    """Lo que aprende MAE."""
    encoder = masked.train(MASKED, seed).model.encoder
    yield from measured("MAE", features_of(encoder), seed)


def curve(history: History) -> dict[str, list[float]]:
    """Las dos entropías del maestro, una media cada `EVERY` pasos."""
    return {
        name: [round(float(part.mean()), 4) for part in torch.tensor(values).split(EVERY)]
        for name, values in history.terms.items()
    }


def pupil(name: str, recipe: teacher.Recipe, seed: int) -> tuple[dict, nn.Module]:
    """Entrena al alumno y al maestro de una receta; su fila y el codificador del maestro."""
    done = teacher.train(recipe, seed)
    encoder = done.model.teacher.encoder
    known, test = split_digits()
    features = features_of(encoder, prepare=recipe.prepared)
    hits = neighbour_accuracy(features, few_per_class(known, 5, seed), test)
    row = {
        "kind": "colapso", "name": name, "seed": seed, "accuracy": round(hits, 4),
        "norm": round(largest_norm(encoder, recipe.prepared(test.images)), 3),
    }  # fmt: skip
    return row | curve(done.history), encoder


def whole(seed: int) -> Iterator[dict]:
    """Lo que aprende el maestro entero."""
    row, encoder = pupil("entero", TEACHER, seed)
    yield row
    yield from measured("maestro", features_of(encoder, prepare=TEACHER.prepared), seed)


def change(name: str, seed: int) -> Iterator[dict]:
    """Qué le pasa al maestro con un cambio, o con muy pocos pasos."""
    yield pupil(name, (CHANGES | {"corto": SHORT})[name], seed)[0]


def repeated(few: LabelledImages, batch_size: int) -> LabelledImages:
    """Las mismas, repetidas hasta llenar un lote: cada una saldrá movida de otra manera."""
    return few.take(torch.arange(max(batch_size, len(few))) % len(few))


def coloured(side: int, steps: int, moves: Augmentation, **views) -> tuple:
    """Las recetas de MAE, del maestro y de los rivales con imágenes en color.

    Todas leen con gradiente las mismas y las mueven igual; `views` es lo demás del maestro.
    """
    options = ENCODER | {"channels": 3, "image_size": side, "patch_size": 4}
    common = {"steps": steps, "moves": moves, "options": options}
    pupil = replace(teacher.SHIPPED, **common, **views)
    rival = {"steps": equal_passes(pupil, BATCH), "batch_size": BATCH, "moves": moves}
    cnn = classification.CONTESTANTS["CNN"]
    return (
        replace(masked.SHIPPED, batch_size=BATCH, **common),
        pupil,
        {
            "ViT": replace(classification.CONTESTANTS["ViT"], options=options, **rival),
            "CNN": replace(cnn, options=cnn.options | {"channels": 3}, **rival),
        },
    )


def unlearnt(recipe: teacher.Recipe, seed: int) -> Iterator[tuple[str, Features]]:
    """Los rasgos de quien no ha aprendido nada: los píxeles, y un ViT con los pesos al azar."""
    yield "píxeles", pixels
    torch.manual_seed(seed)
    yield "al azar", features_of(teacher.build_encoder(recipe), prepare=recipe.prepared)


def learnt(
    painting: masked.Recipe, watching: teacher.Recipe, images: Float[Tensor, "N C H W"], seed: int
) -> Iterator[tuple[str, Features]]:
    """Los rasgos de MAE y del maestro, que aprenden de unas imágenes sin etiquetas."""
    yield "MAE", features_of(masked.train(painting, seed, images=images).model.encoder)
    pupil = teacher.train(watching, seed, images=images).model.teacher.encoder
    yield "maestro", features_of(pupil, prepare=watching.prepared)


def probed(
    features: Features, few: LabelledImages, test: LabelledImages
) -> Iterator[tuple[str, float]]:
    """Lo que aciertan los vecinos y la sonda con unas pocas etiquetas."""
    for how, accuracy in (("vecinos", neighbour_accuracy), ("sonda", probe_accuracy)):
        yield how, accuracy(features, few, test)


def taught(
    recipe: classification.Recipe, few: LabelledImages, test: LabelledImages, n_classes: int,
    seed: int,
) -> float:  # fmt: skip
    """Lo que acierta un rival que solo tiene unas imágenes con su etiqueta."""
    data = repeated(few, recipe.batch_size)
    model = classification.train(recipe, seed, data=data, n_classes=n_classes).model
    return image_accuracy(model, test)


def supervised(name: str, per_class: int, seed: int, *, patient: bool = False) -> Iterator[dict]:
    """Un rival que no ha visto nada más que esas imágenes con su etiqueta.

    Con `patient`, lee cuatro veces más, tantas como MAE y como el alumno.
    """
    recipe, how, known = RIVALS[name], "de cero", split_digits()[0]
    if patient:
        how = "con paciencia"
        recipe = replace(recipe, **PATIENCE)
    data = repeated(few_per_class(known, per_class, seed), recipe.batch_size)
    model = classification.train(recipe, seed, data=data).model
    for place in PLACES:
        yield labelled(name, how, seed, per_class, place, image_accuracy(model, asked(place)))


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de cada semilla: las entropías, y el acierto según las etiquetas que haya."""
    for seed in seeds:
        yield from floors(seed)
        yield from whole(seed)
        yield from painter(seed)
        for name in (*CHANGES, "corto"):
            yield from change(name, seed)
        for name in RIVALS:
            for patient in (False, True):
                for per_class in PER_CLASS:
                    yield from supervised(name, per_class, seed, patient=patient)
