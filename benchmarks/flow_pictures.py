"""Generar imágenes: un DiT que dibuja emojis de 32 × 32 a partir de su nombre en español.

Se vuelve a medir con `python -m benchmarks generar_dibujos --escribir`, unos veinte minutos de
procesador. El juez es `clip_dibujos`, que aprendió de los mismos dibujos de entrenar: ordena los
nombres por lo que se parecen a cada dibujo, y se mira en qué puesto queda el que se pidió. Con los
nombres reservados no ha aprendido nadie, ni el juez. Aparte se guardan unos dibujos, para verlos.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from statistics import mean

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torchvision.io import encode_png

from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.datasets.pictures.named_pictures import MAX_LENGTH
from tfcourse.datasets.pictures.openmoji import Pictures, split_pictures
from tfcourse.datasets.text.article_topics import encode_texts
from tfcourse.models.classifier import mean_state
from tfcourse.models.dit import DiT
from tfcourse.multimodal.flow.losses import image_flow_loss
from tfcourse.multimodal.flow.metrics import copied, copy_threshold, diversity, nearest
from tfcourse.multimodal.flow.named import build_named, train_named
from tfcourse.multimodal.flow.recipe import N_STEPS, Recipe, batches, draw
from tfcourse.multimodal.pictures.clip import N_TEST, reader
from tfcourse.multimodal.pictures.clip import load as load_clip
from tfcourse.multimodal.pictures.retrieval import recall_at
from tfcourse.text.bert.recipe import load as load_bert

NAME = "generar_dibujos"
SIZES = {"image_size": 32, "patch_size": 4, "channels": 3, "d_model": 96, "d_hidden": 288}
RECIPE = Recipe(steps=4_000, batch_size=32, options=SIZES | {"n_layers": 3})
SPLIT = 0  # el reparto con que se entrenó «clip_dibujos»
N_NAMES, TOP = 200, 5  # de cuántos nombres se busca el suyo, y entre cuántos primeros
SIDES = ("entrenar", "reservados")
GUIDANCES = (1.0, 3.0)
N_REPEATED, N_NOISES = 10, 4  # cuántos nombres se dibujan varias veces, y cuántas
SHOWN, SHOWN_GUIDANCE = 8, 3.0  # los dibujos que se guardan de cada lado
N_BATCHES, LOSS_SEED = 10, 1_000
SHORT = 3  # pasos de un entrenamiento cortísimo, que se repite en una prueba
REAL, NEIGHBOUR, MAKER = "de verdad", "el vecino", "DiT"


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {
        "recipe": asdict(RECIPE),
        "names": [N_NAMES, TOP],
        "guidances": list(GUIDANCES),
        "steps": N_STEPS,
        "repeated": [N_REPEATED, N_NOISES],
        "shown": [SHOWN, SHOWN_GUIDANCE],
        "loss": [N_BATCHES, LOSS_SEED],
        "short": SHORT,
    }


@dataclass(frozen=True)
class NamedData:
    """Los dibujos de entrenar y los reservados, y el vector de cada nombre, en ese orden.

    Un nombre es su lugar: primero los de entrenar y después los reservados.
    """

    train: Pictures
    held_out: Pictures
    vectors: Float[Tensor, "N d"]


@torch.no_grad()
def name_vectors(names: Sequence[str]) -> Float[Tensor, "N d"]:
    """La media de lo que da el BERT del curso al leer cada nombre, con media 0 y varianza 1."""
    masked, tokenizer = load_bert("bert_espanol")
    tokens, lengths = encode_texts(names, tokenizer, MAX_LENGTH)
    states = mean_state(masked.bert.eval()(tokens, lengths), lengths)
    return (states - states.mean(0)) / states.std(0)


@cache
def named_data() -> NamedData:
    """Los dibujos, repartidos por familias como en el capítulo de imagen y texto."""
    train, held_out = split_pictures(N_TEST, SPLIT)
    return NamedData(train, held_out, name_vectors([*train.names, *held_out.names]))


def train(recipe: Recipe, seed: int, data: NamedData):
    """Entrena con los dibujos de entrenar; los reservados solo prestan su nombre."""
    return train_named(recipe, seed, images=data.train.images, vectors=data.vectors)


def asked(side: str, data: NamedData) -> Int[Tensor, " N"]:
    """Los nombres que se piden de cada lado: unos cuantos de entrenar, o los reservados."""
    if side == "reservados":
        return len(data.train) + torch.arange(len(data.held_out))[:N_NAMES]
    order = torch.randperm(len(data.train), generator=torch.Generator().manual_seed(0))
    return order[:N_NAMES]


def all_names(data: NamedData) -> list[str]:
    """Los nombres, en el orden de sus números."""
    return [*data.train.names, *data.held_out.names]


@torch.no_grad()
def found(images: Float[Tensor, "N C H W"], names: Int[Tensor, " N"], data: NamedData) -> dict:
    """Acuerdo del juez: de cada dibujo, si el nombre pedido es de los primeros."""
    clip, tokenizer = load_clip("clip_dibujos")
    texts = reader(clip, tokenizer)([all_names(data)[i] for i in names.tolist()])
    scores = clip.see(images) @ texts.T
    return {"first": recall_at(scores, 1), "top": recall_at(scores, TOP)}


def numbers(images: Float[Tensor, "N C H W"], names: Int[Tensor, " N"], data: NamedData) -> dict:
    """Las medidas de un dibujo por nombre."""
    known, held_out = data.train.images, data.held_out.images
    return found(images, names, data) | {
        "spread": float(torch.pdist(images.flatten(1)).mean()),
        "distance": float(nearest(images, known)[0].median()),
        "copied": copied(images, known, copy_threshold(known, held_out)),
    }


def neighbours(names: Int[Tensor, " N"], data: NamedData) -> Int[Tensor, " N"]:
    """De cada nombre, el de entrenar cuyo vector se le parece más, sin contarse a sí mismo."""
    unit = torch.nn.functional.normalize(data.vectors, dim=-1)
    scores = unit[names] @ unit[: len(data.train)].T
    rows = torch.arange(len(names))
    own = names < len(data.train)
    scores[rows[own], names[own]] = -1
    return scores.argmax(1)


def controls(data: NamedData) -> Iterator[dict]:
    """Los dibujos de verdad, y quien copia el de entrenar con el nombre más parecido."""
    images = torch.cat([data.train.images, data.held_out.images])
    for side in SIDES:
        names = asked(side, data)
        for who, rows in ((REAL, names), (NEIGHBOUR, neighbours(names, data))):
            yield {"part": "medidas", "who": who, "names": side, "seed": 0} | numbers(
                images[rows], names, data
            )


@torch.no_grad()
def final_loss(model: DiT, side: str, data: NamedData) -> float:
    """La pérdida del modelo con los dibujos de un lado, en viajes que no son los de entrenar."""
    pictures, start = data.train, 0
    if side == "reservados":
        pictures, start = data.held_out, len(data.train)
    labels = start + torch.arange(len(pictures))
    examples = LabelledImages(pictures.images, labels)
    trips = batches(RECIPE, LOSS_SEED, examples, len(data.vectors))
    return mean(float(image_flow_loss(model, next(trips))) for _ in range(N_BATCHES))


def drawn_rows(model: DiT, seed: int, data: NamedData) -> Iterator[dict]:
    """Una fila por lado y guía, con un dibujo por nombre y, de unos cuantos, varios."""
    for side in SIDES:
        loss, names = final_loss(model, side, data), asked(side, data)
        several = names[:N_REPEATED].repeat_interleave(N_NOISES)
        for guidance in GUIDANCES:
            images = draw(model, names, guidance=guidance, seed=seed).images
            again = draw(model, several, guidance=guidance, seed=seed + 1)
            yield {
                "part": "medidas", "who": MAKER, "names": side, "seed": seed, "loss": loss,
                "guidance": guidance, "variety": diversity(again),
            } | numbers(images, names, data)  # fmt: skip


def shown_rows(model: DiT, seed: int, data: NamedData) -> Iterator[dict]:
    """Unos dibujos de cada lado, en fila y en un PNG: los primeros nombres, sin escogerlos."""
    for side in SIDES:
        names = asked(side, data)[:SHOWN]
        images = draw(model, names, guidance=SHOWN_GUIDANCE, seed=seed).images
        strip = torch.cat([*images], dim=2).mul(255).round().byte()
        png = base64.b64encode(bytes(encode_png(strip).tolist())).decode()
        symbols = [[*data.train.symbols, *data.held_out.symbols][i] for i in names.tolist()]
        yield {"part": "dibujos", "names": side, "seed": seed, "symbols": symbols, "png": png}


def run(recipe: Recipe, seed: int, data: NamedData) -> Iterator[dict]:
    """Entrena con una semilla y mide lo que dibuja; de la primera se guardan unos dibujos."""
    model = train(recipe, seed, data).model
    yield from drawn_rows(model, seed, data)
    if seed == 0:
        yield from shown_rows(model, seed, data)


def about(data: NamedData) -> dict:
    """Cuántos dibujos hay, cuánto se entrena y entre cuántos nombres se acierta."""
    learnt = build_named(RECIPE, data.vectors).parameters()
    return {
        "part": "datos", "train": len(data.train), "held_out": len(data.held_out),
        "steps": RECIPE.steps, "batch_size": RECIPE.batch_size,
        "parameters": sum(value.numel() for value in learnt), "names": N_NAMES, "top": TOP,
    }  # fmt: skip


def short_loss(data: NamedData) -> dict:
    """La pérdida de los primeros pasos: lo que se repite en una prueba."""
    losses = train(replace(RECIPE, steps=SHORT), 0, data).history.loss
    return {"part": "corta", "seed": 0, "losses": [round(loss, 4) for loss in losses]}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Las filas de comparación, y las de cada semilla."""
    data = named_data()
    yield about(data)
    yield from controls(data)
    yield short_loss(data)
    for seed in seeds:
        yield from run(RECIPE, seed, data)
