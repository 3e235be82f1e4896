"""Receta para entrenar el traductor de inglés a español que viene con el curso."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.sequences import encode_pairs
from tfcourse.datasets.text.interface import (
    Pair,
    interface_pairs,
    pairs_hash,
    split_pairs,
)
from tfcourse.decoding.beam import beam_search
from tfcourse.metrics.translation import translation_scores
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.bytes import byte_characters
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import History
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_TEST = 1_000
MAX_LENGTH = 64  # trozos de una traducción, como mucho
SMOOTHING = 0.1


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cuántos trozos de palabra, qué modelo y a qué ritmo.

    Una sola tabla de embeddings sirve para leer, para escribir y para dar los puntajes, como en
    Vaswani et al. (2017), § 3.4.
    """

    n_tokens: int = 4_000
    d_model: int = 128
    n_heads: int = 4
    n_layers: int = 2
    d_hidden: int = 512
    dropout: float = 0.1
    batch_size: int = 96
    muon_lr: float = 0.02
    adam_lr: float = 0.008
    # Sin anotar no es un campo: no se escribe en la ficha de los pesos.
    warmup = 0.1

    @property
    def sizes(self) -> dict:
        """Los tamaños del modelo, tal como los pide `TransformerConfig`."""
        names = ("d_model", "n_heads", "n_layers", "d_hidden", "dropout")
        return {name: getattr(self, name) for name in names} | {"norm_first": True}


def learn_pieces(recipe: Recipe, pairs: Sequence[Pair]) -> BPETokenizer:
    """El BPE de las dos lenguas juntas."""
    return BPETokenizer.train((text for pair in pairs for text in pair), recipe.n_tokens)


def merges_text(pieces: BPETokenizer) -> str:
    """Las fusiones de un BPE de bytes, una por línea: lo que hace falta para rehacerlo."""
    return "\n".join(" ".join(pair) for pair in pieces.merges)


def pieces_from(merges: str) -> BPETokenizer:
    """El BPE de bytes de unas fusiones escritas con `merges_text`."""
    pairs = [tuple(line.split(" ")) for line in merges.split("\n")]
    alphabet = sorted(byte_characters().values())
    # Dos fusiones distintas pueden escribir lo mismo: es un solo trozo.
    tokens = dict.fromkeys([*alphabet, *(left + right for left, right in pairs)])
    return BPETokenizer(tokens, pairs)


def build(recipe: Recipe, n_tokens: int) -> Transformer:
    """El Transformer del curso, con una sola tabla de embeddings para las dos lenguas."""
    model = Transformer(TransformerConfig(n_tokens, n_tokens, **recipe.sizes))
    model.source.table = model.target.table
    return model


def batches(recipe: Recipe, seed: int, pairs: Sequence[Pair], pieces: BPETokenizer) -> Iterator:
    """Lotes sin fin de parejas de longitud parecida."""
    encoded = encode_pairs(*zip(*pairs, strict=True), pieces, pieces)
    return encoded.batches(batch_size=recipe.batch_size, seed=seed, similar_lengths=True)


def smoothed_teacher_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """Forzado del profesor con las etiquetas suavizadas: `smoothed_loss`, con la de PyTorch.

    Fuente: Vaswani et al. (2017), § 5.4.
    """
    source, lengths, target = batch
    logits = model(source, lengths, target[:, :-1])
    return F.cross_entropy(
        logits.flatten(0, 1),
        target[:, 1:].flatten(),
        ignore_index=Vocabulary.pad_id,
        label_smoothing=SMOOTHING,
    )


@dataclass
class Translator(Trained):
    """Un traductor entrenado, con sus trozos de palabra."""

    pieces: BPETokenizer

    def write(self, sentences: Sequence[str], batch_size: int = 100) -> list[str]:
        """Las traducciones, voraces. Las frases de longitud parecida se escriben juntas."""
        order = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
        written = [""] * len(sentences)
        for start in range(0, len(order), batch_size):
            rows = order[start : start + batch_size]
            for row, ids in zip(rows, self._greedy([sentences[r] for r in rows]), strict=True):
                written[row] = self.pieces.decode(ids).strip()
        return written

    @torch.no_grad()
    def _greedy(self, sentences: Sequence[str]) -> list[list[int]]:
        """Lo que escribiría `translate`, sin seguir con las frases que ya han acabado."""
        source, lengths = self._read(sentences)
        state, alive = self.model.start(source, lengths), list(range(len(sentences)))
        last = torch.full_like(lengths, self.pieces.start_id)[:, None]
        written: list[list[int]] = [[] for _ in sentences]
        for _ in range(MAX_LENGTH):
            logits, state = self.model.step(last, state)
            chosen = logits.argmax(dim=-1)
            going = (chosen != self.pieces.stop_id).nonzero().squeeze(1)
            if not len(going):
                break
            alive = [alive[place] for place in going.tolist()]
            state, last = self.model.select(state, going), chosen[going, None]
            for row, token in zip(alive, chosen[going].tolist(), strict=True):
                written[row].append(token)
        return written

    def write_with_beam(self, sentence: str, beam_size: int = 4) -> str:
        """Una traducción, por búsqueda en haz."""
        source, lengths = self._read([sentence])
        with torch.no_grad():
            state = self.model.start(source, lengths)
        ids, _ = beam_search(
            self.model.step, state, self.model.select,
            first=self.pieces.start_id, stop_id=self.pieces.stop_id,
            max_length=MAX_LENGTH, beam_size=beam_size, device=source.device,
        )  # fmt: skip
        return self.pieces.decode(ids).strip()

    def _read(self, sentences: Sequence[str]) -> tuple[Tensor, Tensor]:
        device = next(self.model.parameters()).device
        encoded = encode_pairs(sentences, sentences, self.pieces, self.pieces).to(device)
        return encoded.source, encoded.lengths


def train(
    recipe: Recipe, seed: int, budget: Budget, *, pairs: Sequence[Pair], **options
) -> Translator:
    """Aprende los trozos y entrena el traductor hasta gastar `budget`.

    `options` son las de `fit_with_muon`.
    """
    pieces = learn_pieces(recipe, pairs)
    done = trained(
        lambda: build(recipe, len(pieces)), batches(recipe, seed, pairs, pieces),
        smoothed_teacher_loss, recipe, seed, budget, **options,
    )  # fmt: skip
    return Translator(done.model, recipe, done.history, pieces)


# Los pesos que vienen con el curso. Para rehacerlos hacen falta los paquetes de `interface`.
WORKSHOP = Recipe()
WORKSHOP_TIME = CpuSeconds(2100.0)


@cache
def shipped_pairs() -> tuple[list[Pair], list[Pair]]:
    """Las parejas con que se entrena y se mide el traductor del curso. Errores: `archives`."""
    return split_pairs(interface_pairs(), N_TEST)


@cache
def _pieces() -> BPETokenizer:
    return learn_pieces(WORKSHOP, shipped_pairs()[0])


def score_written(written: Sequence[str]) -> dict[str, float]:
    """BLEU y chrF de unas traducciones de las parejas de evaluar."""
    return translation_scores(written, [[spanish] for _, spanish in shipped_pairs()[1]])


def _score(model: nn.Module) -> dict[str, float]:
    translator = Translator(model, WORKSHOP, History(), _pieces())
    return score_written(translator.write([english for english, _ in shipped_pairs()[1]]))


def _copying() -> dict[str, float]:
    scores = score_written([english for english, _ in shipped_pairs()[1]])
    return {f"{name}_copiar": value for name, value in scores.items()}


def _shipped_recipe(done: Translator) -> dict:
    known, test = shipped_pairs()
    return asdict(done.recipe) | {
        "steps": len(done.history.loss),
        "pairs": len(known),
        "data_sha256": pairs_hash(known + test),
    }


WEIGHTS = {
    "traductor": Shipped(
        train=lambda: train(WORKSHOP, 0, WORKSHOP_TIME, pairs=shipped_pairs()[0]),
        score=_score,
        blind=_copying,
        data="Catálogos de mensajes de quince programas; las licencias, en PACKAGES de "
        "tfcourse.datasets.text.interface",
        config=lambda _: {"n_tokens": len(_pieces()), "merges": merges_text(_pieces())},
        recipe=_shipped_recipe,
    )
}


def load(name: str) -> Translator:
    """Un traductor de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    card = weights_card(name)
    recipe = Recipe(**{field.name: card.recipe[field.name] for field in fields(Recipe)})
    model = build(recipe, card.config["n_tokens"]).eval()
    load_weights(name, model)
    return Translator(model, recipe, History(), pieces_from(card.config["merges"]))
