"""La familia de BERT: cuántos parámetros y bytes salen de cada configuración, y qué se publicó."""

from dataclasses import dataclass

from tfcourse.metrics.multiplications import feed_forward_macs, global_attention_macs
from tfcourse.models.bert import VARIANTS, BertConfig

BYTES_PER_PARAMETER = 4  # float32


@dataclass(frozen=True)
class ParameterCount:
    """Parámetros de un modelo, por partes; `head` es la cabeza con la que se entrenó."""

    embeddings: int
    blocks: int
    summary: int
    head: int

    @property
    def body(self) -> int:
        """Sin la cabeza: lo que se reutiliza."""
        return self.embeddings + self.blocks + self.summary

    @property
    def total(self) -> int:
        """Con la cabeza de huecos, que comparte la tabla de embeddings."""
        return self.body + self.head


def count_parameters(config: BertConfig) -> ParameterCount:
    """Cuenta los parámetros sin crear el modelo: solo multiplica las formas de sus matrices.

    Una capa lineal de n a m son nm + m; una normalización de anchura n, 2n.
    """
    d, e = config.d_model, config.embedding_width
    rows = config.n_tokens + config.max_length + config.n_segments
    widening = 0 if config.d_embedding is None else linear(e, d)
    attention = 4 * linear(d, d) + 2 * d
    feed_forward = linear(d, config.d_hidden) + linear(config.d_hidden, d) + 2 * d
    different_blocks = 1 if config.shared_layers else config.n_layers
    return ParameterCount(
        embeddings=rows * e + 2 * e + widening,
        blocks=different_blocks * (attention + feed_forward),
        summary=linear(d, d) if config.pooler else 0,
        head=linear(d, e) + 2 * e + config.n_tokens,
    )


def linear(n_inputs: int, n_outputs: int) -> int:
    """Parámetros de una capa lineal con sesgo."""
    return n_inputs * n_outputs + n_outputs


def body_macs(config: BertConfig, length: int) -> float:
    """Multiplicaciones de los bloques por token, al leer una secuencia de esa longitud.

    Los bloques compartidos se calculan tantas veces como capas hay.
    """
    block = global_attention_macs(length, config.d_model)
    block += feed_forward_macs(length, config.d_model, config.d_hidden)
    widening = 0 if config.d_embedding is None else config.d_embedding * config.d_model
    return config.n_layers * block / length + widening


def head_macs(config: BertConfig) -> int:
    """Multiplicaciones de la cabeza de huecos por token: transformar y comparar con la tabla."""
    return config.d_model * config.embedding_width + config.embedding_width * config.n_tokens


def xlnet_parameters(config: BertConfig) -> ParameterCount:
    """Los de XLNet: sin tabla de posiciones; a cambio, cada bloque proyecta las distancias.

    Sus proyecciones no llevan sesgo, y tiene tres sesgos y dos vectores de segmento por cabeza.
    Fuente: Yang et al. (2019), § 2.2 y 2.3, con la atención relativa de Dai et al. (2019).
    """
    d = config.d_model
    attention = 5 * d * d + 5 * d + 2 * d
    feed_forward = linear(d, config.d_hidden) + linear(config.d_hidden, d) + 2 * d
    return ParameterCount(
        embeddings=config.n_tokens * d + d,
        blocks=config.n_layers * (attention + feed_forward),
        summary=0,
        head=config.n_tokens,
    )


@dataclass(frozen=True)
class Published:
    """Lo que dice el artículo de un modelo: millones de parámetros y cómo se preentrenó."""

    millions: float
    text: str
    batch: str
    steps: str
    optimizer: str
    objective: str
    source: str


# Los millones que dan los artículos. El texto, en gigabytes sin comprimir; el lote, en secuencias;
# el ritmo es el mayor del calentamiento. El artículo de DistilBERT no dice pasos ni optimizador.
BERT_TRAINING = ("16 GB", "256", "1 000 000", "Adam, 0,0001", "huecos + NSP")
PUBLISHED = {
    "BERT-base": Published(110, *BERT_TRAINING, "Devlin et al. (2019), § 3 y A.2"),
    "BERT-large": Published(340, *BERT_TRAINING, "Devlin et al. (2019), § 3 y A.2"),
    "RoBERTa-large": Published(
        355, "160 GB", "8000", "500 000", "Adam, 0,0004", "huecos",
        "Liu et al. (2019), § 5 y tabla 9",
    ),
    "DistilBERT": Published(
        66, "16 GB", "4000", "no lo dice", "no lo dice", "destilación", "Sanh et al. (2019), § 3"
    ),
    "ALBERT-large": Published(
        18, "16 GB", "4096", "125 000", "LAMB, 0,00176", "huecos + SOP",
        "Lan et al. (2020), tabla 1 y § 4.1",
    ),
}  # fmt: skip


def family_table() -> list[dict]:
    """Una fila por modelo publicado: parámetros calculados, publicados, diferencia y bytes."""
    rows = []
    for name, published in PUBLISHED.items():
        config = BertConfig(**VARIANTS[name])
        count = count_parameters(config)
        rows.append(
            {
                "name": name,
                "config": config,
                "body": count.body,
                "total": count.total,
                "published": published,
                "error": count.total / (published.millions * 1e6) - 1,
                "megabytes": count.total * BYTES_PER_PARAMETER / 1e6,
            }
        )
    return rows
