"""Las filas del mapa: lenguaje."""

from functools import partial

from tfcourse.course_map.rows import Row, shipped
from tfcourse.models.bert import Bert, BertConfig, MaskedLM
from tfcourse.models.classifier import Classifier
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.models.inverted import Bm25, InvertedIndex, TfIdfIndex
from tfcourse.models.modern import ModernLM
from tfcourse.models.modernbert_published import (
    GeluGatedFeedForward,
    ModernBertBlock,
    ModernBertLM,
    RotaryAttention,
)
from tfcourse.models.permutation import PermutationLM
from tfcourse.models.sentence import MeanEncoder
from tfcourse.models.t5 import T5, T5Config
from tfcourse.models.t5_gated import GatedFeedForward, GatedT5
from tfcourse.models.tfidf import LogisticRegression, TfIdf, TfIdfClassifier
from tfcourse.text.modern.recipe import LADDER
from tfcourse.text.modern.recipe import build as build_rung
from tfcourse.text.sentiment.recipe import (
    ATTENTION,
    CONVOLUTION,
    N_CLASSES,
    RECIPES,
    RECURRENT,
    build,
)
from tfcourse.text.sentiment.texts import spanish_scorer

ALL = (("lo leído", "todos"),)
N_REVIEW_WORDS = 398  # las de 4800 reseñas limpias
BERT, FEELING = "3_lenguaje/bert", "3_lenguaje/sentimiento"
SEARCH = "3_lenguaje/buscar"


def bert_config() -> BertConfig:
    """El BERT en español que viene con el curso."""
    return BertConfig(**shipped("bert_espanol", without=["vocabulary"]))


def modern_rung() -> ModernLM:
    """El último peldaño denso de la escalera, con las piezas de Qwen3."""
    return build_rung(LADDER["QK-norm (Qwen3)"], 1024)


def task_box() -> T5:
    """El T5 que viene con el curso."""
    return T5(T5Config(**shipped("t5_tareas")["model"]))


def tuned_bert() -> Classifier:
    """El mismo, con una capa encima que dice la clase."""
    config = bert_config()
    return Classifier(Bert(config), config.d_model, N_CLASSES)


def permutations() -> PermutationLM:
    """El que se prueba junto a BERT."""
    return PermutationLM(BertConfig(2048, 64, 4, 1, 128, max_length=16))


def reader(name: str, title: str, writes: str = "output", reads: str = "encoder.table", **more):
    """Un lector de reseñas, con el resumen que lleva."""
    untrained = partial(build, RECIPES[name], name, N_REVIEW_WORDS)
    return Row(
        title, FEELING, untrained, "palabras", "la opinión de una reseña", "una clase por opinión",
        reads=reads, writes=writes, **more,
    )  # fmt: skip


ROWS = (
    Row(
        "BERT", BERT, lambda: MaskedLM(bert_config()), "trozos de palabra",
        "los tokens que se han tapado", "la tabla de tokens, al revés", looks=ALL,
        reads="bert.embedding.table", writes="head",
        also=(ModernBertLM, ModernBertBlock, RotaryAttention, GeluGatedFeedForward),
    ),
    Row(
        "BERT ajustado", BERT, tuned_bert, "trozos de palabra",
        "la clase de un texto, con pocas etiquetas", "una capa sobre el primer token", looks=ALL,
        reads="encoder.embedding.table", writes="output",
    ),
    Row(
        "XLNet, en pequeño", BERT, permutations, "trozos de palabra",
        "cada token, en un orden sorteado", "la tabla de tokens, al revés",
        looks=(("lo leído", "por turnos"),), reads="bert.embedding.table", writes="head",
    ),
    Row(
        "TF-IDF y regresión logística", BERT, LogisticRegression, "palabras, sin orden",
        "la clase de un texto", "una clase por tema", instead="nada: se cuentan palabras",
        also=(TfIdf, TfIdfClassifier),
    ),
    Row(
        "BM25", SEARCH, lambda: Bm25(("un documento",)), "palabras, sin orden",
        "nada: se cuentan", "una suma por documento", instead="nada: se cuentan palabras",
        also=(InvertedIndex, TfIdfIndex),
    ),
    Row(
        "Codificador de frases", SEARCH, lambda: MeanEncoder(Bert(bert_config())),
        "trozos de palabra", "la pareja de cada texto, entre las del lote",
        "la media de los vectores", looks=ALL, reads="bert.embedding.table",
    ),
    Row(
        "GPT", "3_lenguaje/gpt", lambda: GPT(GPTConfig(**shipped("gpt_espanol"))),
        "trozos de palabra", "el token siguiente", "la tabla de tokens, al revés",
        looks=(("lo escrito", "causal"),), reads="embedding", writes="embedding",
    ),
    Row(
        "El bloque de hoy", "3_lenguaje/bloque_actual", modern_rung, "trozos de palabra",
        "el token siguiente", "la tabla de tokens, al revés", looks=(("lo escrito", "causal"),),
        reads="embedding", writes="embedding",
    ),
    Row(
        "Asistente", "3_lenguaje/asistente", lambda: GPT(GPTConfig(**shipped("asistente"))),
        "trozos de palabra y tres marcas", "los tokens de la respuesta",
        "la tabla de tokens, al revés", looks=(("lo escrito", "causal"),), reads="embedding",
        writes="embedding",
    ),
    Row(
        "T5", "3_lenguaje/t5", task_box, "trozos de palabra",
        "los tramos tapados, y siete tareas escritas", "la tabla de tokens, al revés",
        looks=(*ALL, ("lo escrito", "causal"), ("lo escrito a lo leído", "cruzada")),
        reads="table", writes="table", also=(GatedT5, GatedFeedForward),
    ),
    Row(
        "Léxico con reglas", FEELING, spanish_scorer, "palabras", "nada: lo escribe una persona",
        "un número, de negativo a positivo", instead="reglas sobre las palabras de alrededor",
    ),
    reader(RECURRENT, "LSTM bidireccional", instead="dos estados, uno en cada sentido"),
    reader(CONVOLUTION, "Convolución en una dimensión", instead="ventanas de unas pocas palabras"),
    reader(
        ATTENTION, "Un bloque de Transformer", reads="encoder.embedding.table",
        looks=ALL,
    ),
)  # fmt: skip
