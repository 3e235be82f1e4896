"""Las filas del mapa: palabras en vectores, el Transformer y la atención eficiente."""

from functools import cache

from tfcourse.course_map.rows import Row
from tfcourse.datasets.text.articles import join_texts, split_articles
from tfcourse.datasets.text.contexts import word_corpus
from tfcourse.models.fasttext import SubwordSkipGram
from tfcourse.models.glove import GloVe
from tfcourse.models.lookup import LookupConfig, LookupReader
from tfcourse.models.needles import NeedleConfig, NeedleFinder
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.models.transformer_xl import TransformerXL, TransformerXLConfig
from tfcourse.models.word2vec import SkipGram

WIDTH = 64  # de los vectores de palabras
N_ENGLISH, N_SPANISH = 89, 147  # las palabras de la gramática
VECTORS = "2_transformer/embeddings"
HEADS = "2_transformer/autoatencion_multicabeza"
WHOLE = "2_transformer/transformer_completo"
CHEAP = "2_transformer/atencion_eficiente"
NEIGHBOURS = "nada: cada palabra y sus vecinas, de dos en dos"


@cache
def corpus_words() -> list[str]:
    """Las palabras que salen al menos cinco veces en los artículos de entrenar."""
    return word_corpus(join_texts(split_articles()[0]), min_count=5).words


ROWS = (
    Row(
        "word2vec", VECTORS, lambda: SkipGram(len(corpus_words()), WIDTH), "palabras",
        "si dos palabras son vecinas de verdad", "un producto de vectores", instead=NEIGHBOURS,
        reads="centre", writes="context",
    ),
    Row(
        "FastText", VECTORS, lambda: SubwordSkipGram(corpus_words(), WIDTH),
        "palabras y sus trozos",
        "si dos palabras son vecinas de verdad", "un producto de vectores", instead=NEIGHBOURS,
        reads="centre", writes="context",
    ),
    Row(
        "GloVe", VECTORS, lambda: GloVe(len(corpus_words()), WIDTH), "palabras",
        "cuántas veces salen juntas", "un producto de vectores", instead=NEIGHBOURS,
        reads="centre", writes="context",
    ),
    Row(
        "Lector de ficheros", HEADS, lambda: LookupReader(LookupConfig()),
        "fichas: una letra y su cifra", "las cifras de dos letras", "dos cifras a la vez",
        looks=(("la pregunta", "una consulta"),), reads="letter", writes="output",
    ),
    Row(
        "Transformer", WHOLE, lambda: Transformer(TransformerConfig(N_ENGLISH, N_SPANISH)),
        "palabras", "la palabra siguiente de la traducción", "la tabla de palabras, al revés",
        looks=(
            ("lo leído", "todos"), ("lo escrito", "causal"), ("lo escrito a lo leído", "cruzada"),
        ),
        reads="source.table", writes="target.table",
    ),
    Row(
        "Transformer-XL", CHEAP,
        lambda: TransformerXL(TransformerXLConfig(n_tokens=50, n_layers=3, memory_length=128)),
        "símbolos", "el símbolo siguiente", "una clase por símbolo",
        looks=(("lo escrito", "causal con memoria"),), reads="embedding", writes="output",
    ),
    Row(
        "Buscador de agujas", CHEAP, lambda: NeedleFinder(NeedleConfig(256)),
        "letras, cifras y preguntas", "la cifra de cada letra", "una cifra por pregunta",
        looks=(("uno de los quince núcleos", "local"),), reads="letter", writes="output",
    ),
)  # fmt: skip
