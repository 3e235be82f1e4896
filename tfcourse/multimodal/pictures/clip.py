"""La receta de CLIP: dibujos y nombres en un mismo espacio; buscar en él y clasificar."""

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import mean

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.pictures.named_pictures import MAX_LENGTH, NamedPictures, picture_batches
from tfcourse.datasets.text.article_topics import encode_texts
from tfcourse.losses.contrastive import sigmoid_loss, symmetric_loss
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.clip import Clip, Siglip
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.multimodal.pictures.pairs import split_named
from tfcourse.multimodal.pictures.retrieval import class_vectors, recall_at
from tfcourse.text.bert.recipe import load as load_bert
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_TEST = 200
TEMPLATES = ("{}", "un dibujo de {}", "dibujo: {}")
# Maneras de decir cada grupo, con palabras corrientes: es todo lo que se le da.
WAYS = {
    "caras y emociones": ("cara", "cara sonriente", "cara triste", "cara enfadada", "corazón"),
    "personas y cuerpo": ("persona", "hombre", "mujer", "niño", "mano"),
    "animales y naturaleza": ("animal", "perro", "pájaro", "pez", "insecto", "flor", "árbol"),
    "comida y bebida": ("comida", "fruta", "verdura", "pan", "carne", "sopa", "vaso de bebida"),
    "viajes y lugares": ("coche", "tren", "avión", "barco", "casa", "edificio", "reloj", "nube"),
    "actividades": ("pelota", "juego", "deporte", "medalla", "fiesta"),
    "objetos": ("libro", "teléfono", "herramienta", "ropa", "instrumento musical", "caja"),
    "símbolos": ("símbolo", "botón", "señal", "flecha", "ideograma japonés", "signo del zodiaco"),
}


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos y los tamaños de las dos torres."""

    steps: int = 220
    batch_size: int = 128
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    dropout: float = 0.1
    d_shared: int = 64
    text_layers: int = 1
    widths: tuple[int, ...] = (16, 32, 64, 96)


def empty_clip(recipe: Recipe, text: BertConfig, kind: type[Clip] = Clip) -> Clip:
    """Las dos torres, sin entrenar."""
    image = SmallCnn(CnnConfig(recipe.d_shared, channels=3, widths=tuple(recipe.widths)))
    return kind(image, Bert(text), text.d_model, recipe.d_shared, recipe.dropout)


def text_config(bert: Bert, n_layers: int) -> BertConfig:
    """Los tamaños de un BERT recortado a sus primeros bloques."""
    return replace(bert.config, n_layers=n_layers, pooler=False)


def build(recipe: Recipe, kind: type[Clip] = Clip) -> Clip:
    """Un CLIP cuya torre de texto parte de los embeddings y primeros bloques del BERT del curso.

    Con `kind=Siglip`, el de la otra pérdida.
    """
    masked, _ = load_bert("bert_espanol")
    model = empty_clip(recipe, text_config(masked.bert, recipe.text_layers), kind)
    tower = model.text_tower
    tower.embedding = copy.deepcopy(masked.bert.embedding)
    tower.blocks = copy.deepcopy(masked.bert.blocks[: recipe.text_layers])
    return model


def clip_loss(model: Clip, batch: tuple) -> Float[Tensor, ""]:
    """La pérdida de un lote `(imágenes, tokens, longitudes, grupos)`: la de CLIP o la de SigLIP."""
    loss = sigmoid_loss if isinstance(model, Siglip) else symmetric_loss
    return loss(model(*batch[:3]))


def batches(recipe: Recipe, seed: int, pairs: NamedPictures) -> Iterator[tuple]:
    """Lotes sin fin de esas parejas: `(imágenes, tokens, longitudes, grupos)`."""
    return picture_batches(pairs, recipe.batch_size, seed)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    pairs: NamedPictures,
    kind: type[Clip] = Clip,
) -> Trained:
    """Construye y entrena un CLIP con esas parejas; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe, kind), batches(recipe, seed, pairs), clip_loss, recipe, seed, budget
    )


@torch.no_grad()
def pair_table(model: Clip, pairs: NamedPictures) -> Float[Tensor, "N N"]:
    """Coseno de cada nombre (filas) con cada dibujo (columnas)."""
    model.eval()
    return model.read(pairs.tokens, pairs.lengths) @ model.see(pairs.images).T


def retrieval(model: Clip, pairs: NamedPictures) -> dict[str, float]:
    """Recuperación en los dos sentidos: la pareja, la primera o entre las cinco primeras."""
    table = pair_table(model, pairs)
    return {
        f"{way}, {k}": recall_at(scores, k)
        for way, scores in (("nombre → dibujo", table), ("dibujo → nombre", table.T))
        for k in (1, 5)
    }


def reader(model: Clip, tokenizer: Tokenizer) -> Callable[[Sequence[str]], Tensor]:
    """La torre de texto lista para leer frases: un vector de longitud 1 por frase."""

    @torch.no_grad()
    def read(sentences: Sequence[str]) -> Float[Tensor, "N D"]:
        return model.eval().read(*encode_texts(list(sentences), tokenizer, MAX_LENGTH))

    return read


def zero_shot_logits(
    model: Clip,
    tokenizer: Tokenizer,
    pairs: NamedPictures,
    classes: Sequence[Sequence[str]] = tuple(WAYS.values()),
    templates: Sequence[str] = TEMPLATES,
) -> Float[Tensor, "N K"]:
    """Coseno de cada dibujo con cada clase, sin haber visto ni un dibujo con su clase."""
    classifier = class_vectors(reader(model, tokenizer), classes, templates)
    with torch.no_grad():
        return model.see(pairs.images) @ classifier.T


def zero_shot_accuracy(
    model: Clip,
    tokenizer: Tokenizer,
    pairs: NamedPictures,
    classes: Sequence[Sequence[str]] = tuple(WAYS.values()),
) -> float:
    """Qué parte acierta de cada grupo, en media; las clases, en el orden de `GROUP_NAMES`.

    Todos los grupos pesan igual, tengan los dibujos que tengan: quien conteste siempre lo mismo
    acierta uno de cada ocho.
    """
    guess = zero_shot_logits(model, tokenizer, pairs, classes).argmax(dim=1)
    right = (guess == pairs.groups).float()
    return mean(float(right[pairs.groups == k].mean()) for k in pairs.groups.unique())


WEIGHTS = {
    "clip_dibujos": Shipped(
        train=lambda: train(Recipe(), 0, pairs=split_named(0, N_TEST)[0]),
        score=lambda model: retrieval(model, split_named(0, N_TEST)[1]),
        blind=lambda: {f"al azar, {k}": k / N_TEST for k in (1, 5)},
        data=(
            "dibujos de OpenMoji (CC BY-SA 4.0) y sus nombres en español de CLDR (Unicode License "
            "v3), los de entrenar de split_pictures(); el texto parte de «bert_espanol»"
        ),
        config=lambda model: {"text": asdict(model.text_tower.config)},
    )
}


def load(name: str) -> tuple[Clip, Tokenizer]:
    """Un CLIP que viene con el curso y su tokenizador, que es el del BERT.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    card, (_, tokenizer) = weights_card(name), load_bert("bert_espanol")
    recipe = Recipe(**card.recipe | {"widths": tuple(card.recipe["widths"])})
    model = empty_clip(recipe, BertConfig(**card.config["text"]))
    load_weights(name, model)
    return model.eval(), tokenizer
