"""Secuencia a secuencia con redes recurrentes: contexto fijo, Bahdanau y Luong.

Un codificador lee la entrada; un decodificador escribe la salida, símbolo a símbolo. Los tres
decodificadores se distinguen solo en qué miran de la entrada y cuándo.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from tfcourse.layers.alignment.functions import AdditiveAlignment, GeneralAlignment
from tfcourse.layers.attention import masked_softmax
from tfcourse.layers.masks import padding_mask


@dataclass
class Memory:
    """Lo que el codificador deja dicho de la entrada.

    `states` tiene forma (B, Tx, 2H); `mask`, (B, 1, Tx); `summary`, (B, 2H), es el último estado de
    cada dirección. `keys` son las claves ya preparadas por la función de alineamiento.
    """

    states: Tensor
    mask: Tensor
    summary: Tensor
    keys: Tensor | None = None


class Encoder(nn.Module):
    """Codificador: una GRU bidireccional lee la entrada y anota cada posición.

    Fuente: Bahdanau, Cho y Bengio (2015), § 3.2.
    """

    def __init__(self, n_tokens: int, d_embedding: int, d_hidden: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.rnn = nn.GRU(d_embedding, d_hidden, batch_first=True, bidirectional=True)

    def forward(self, source: Int[Tensor, "B Tx"], lengths: Int[Tensor, "B"]) -> Memory:
        """Lee un lote de secuencias; el relleno no llega a ningún estado."""
        check_source(source, lengths, self.embedding.num_embeddings)
        packed = pack_padded_sequence(
            self.embedding(source), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        outputs, last = self.rnn(packed)
        states, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        mask = padding_mask(lengths, source.shape[1])[:, 0]
        return Memory(states, mask, summary=last.transpose(0, 1).flatten(1))


class FixedContextDecoder(nn.Module):
    """Decodificador de contexto fijo: todo lo que sabe de la entrada cabe en un vector.

    El resumen inicia el estado y acompaña a cada paso. Fuente: Cho et al. (2014), § 2.2.
    """

    def __init__(self, n_tokens: int, d_embedding: int, d_hidden: int, d_memory: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.start_proj = nn.Linear(d_memory, d_hidden)
        self.rnn = nn.GRU(d_embedding + d_memory, d_hidden, batch_first=True)
        self.output = nn.Linear(d_hidden + d_memory, n_tokens)

    def start(self, memory: Memory) -> tuple[Memory, Tensor]:
        """Prepara la memoria y el estado inicial s_0."""
        return memory, torch.tanh(self.start_proj(memory.summary))

    def forward(
        self, tokens: Int[Tensor, "B Ty"], state: Float[Tensor, "B H"], memory: Memory
    ) -> tuple[Float[Tensor, "B Ty V"], Float[Tensor, "B H"], None]:
        """Logits de cada paso, último estado, y ningún peso: aquí no se mira nada."""
        context = memory.summary[:, None].expand(-1, tokens.shape[1], -1)
        inputs = torch.cat([self.embedding(tokens), context], dim=-1)
        states, last = self.rnn(inputs, state[None])
        return self.output(torch.cat([states, context], dim=-1)), last[0], None


class BahdanauDecoder(nn.Module):
    """Decodificador con atención aditiva: antes de escribir cada símbolo, vuelve a mirar.

    El estado anterior s_{t−1} pregunta; el contexto c_t que obtiene entra en el nuevo estado s_t.
    Fuente: Bahdanau, Cho y Bengio (2015), § 3.1 y apéndice A (aquí la salida es lineal, sin
    «maxout»).
    """

    def __init__(self, n_tokens: int, d_embedding: int, d_hidden: int, d_memory: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.start_proj = nn.Linear(d_memory, d_hidden)
        self.alignment = AdditiveAlignment(d_hidden, d_memory, d_hidden)
        self.cell = nn.GRUCell(d_embedding + d_memory, d_hidden)
        self.output = nn.Linear(d_hidden + d_memory, n_tokens)

    def start(self, memory: Memory) -> tuple[Memory, Tensor]:
        """Prepara las claves, una sola vez, y el estado inicial s_0."""
        keys = self.alignment.prepare_keys(memory.states)
        prepared = Memory(memory.states, memory.mask, memory.summary, keys)
        return prepared, torch.tanh(self.start_proj(memory.summary))

    def forward(
        self, tokens: Int[Tensor, "B Ty"], state: Float[Tensor, "B H"], memory: Memory
    ) -> tuple[Float[Tensor, "B Ty V"], Float[Tensor, "B H"], Float[Tensor, "B Ty Tx"]]:
        """Logits de cada paso, último estado y pesos de atención."""
        features, weights = [], []
        for embedded in self.embedding(tokens).unbind(dim=1):
            scores = self.alignment(state[:, None], memory.keys)
            alpha = masked_softmax(scores, memory.mask)
            context = (alpha @ memory.states)[:, 0]
            state = self.cell(torch.cat([embedded, context], dim=-1), state)
            features.append(torch.cat([state, context], dim=-1))
            weights.append(alpha)
        return self.output(torch.stack(features, dim=1)), state, torch.cat(weights, dim=1)


class LuongDecoder(nn.Module):
    """Decodificador con atención multiplicativa: primero avanza, después mira.

    El estado nuevo s_t pregunta, y el contexto solo interviene en la salida; por eso, con forzado
    del profesor, todos los pasos atienden a la vez.
    Fuente: Luong, Pham y Manning (2015), § 3.1 («general», sin realimentar la salida).
    """

    def __init__(self, n_tokens: int, d_embedding: int, d_hidden: int, d_memory: int):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_embedding)
        self.start_proj = nn.Linear(d_memory, d_hidden)
        self.alignment = GeneralAlignment(d_hidden, d_memory)
        self.rnn = nn.GRU(d_embedding, d_hidden, batch_first=True)
        self.combine = nn.Linear(d_memory + d_hidden, d_hidden)
        self.output = nn.Linear(d_hidden, n_tokens)

    def start(self, memory: Memory) -> tuple[Memory, Tensor]:
        """Prepara las claves, una sola vez, y el estado inicial s_0."""
        keys = self.alignment.prepare_keys(memory.states)
        prepared = Memory(memory.states, memory.mask, memory.summary, keys)
        return prepared, torch.tanh(self.start_proj(memory.summary))

    def forward(
        self, tokens: Int[Tensor, "B Ty"], state: Float[Tensor, "B H"], memory: Memory
    ) -> tuple[Float[Tensor, "B Ty V"], Float[Tensor, "B H"], Float[Tensor, "B Ty Tx"]]:
        """Logits de cada paso, último estado y pesos de atención."""
        states, last = self.rnn(self.embedding(tokens), state[None])
        alpha = masked_softmax(self.alignment(states, memory.keys), memory.mask)
        attended = torch.tanh(self.combine(torch.cat([alpha @ memory.states, states], dim=-1)))
        return self.output(attended), last[0], alpha


# Tamaños: el del aula y el de Bahdanau, Cho y Bengio (2015, apéndice A.2 y B.2).
VARIANTS = {
    "aula": {"d_embedding": 32, "d_hidden": 64},
    "articulo": {"d_embedding": 620, "d_hidden": 1000},
}

DECODERS = {"fijo": FixedContextDecoder, "bahdanau": BahdanauDecoder, "luong": LuongDecoder}


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Configuración de un modelo secuencia a secuencia."""

    n_source: int
    n_target: int
    decoder: str = "bahdanau"
    d_embedding: int = VARIANTS["aula"]["d_embedding"]
    d_hidden: int = VARIANTS["aula"]["d_hidden"]

    def __post_init__(self):
        if self.decoder not in DECODERS:
            raise ValueError(
                f"decodificador desconocido: {self.decoder!r}; usa uno de {', '.join(DECODERS)}"
            )


class Seq2Seq(nn.Module):
    """Modelo secuencia a secuencia: un codificador y un decodificador que se entrenan juntos.

    `decoder`, si se da, ocupa el lugar del que nombra `config`: así se prueba uno propio.
    """

    def __init__(self, config: Seq2SeqConfig, decoder: nn.Module | None = None):
        super().__init__()
        self.encoder = Encoder(config.n_source, config.d_embedding, config.d_hidden)
        self.decoder = decoder or DECODERS[config.decoder](
            config.n_target, config.d_embedding, config.d_hidden, d_memory=2 * config.d_hidden
        )

    def forward(
        self, source: Int[Tensor, "B Tx"], lengths: Int[Tensor, "B"], target: Int[Tensor, "B Ty"]
    ) -> Float[Tensor, "B Ty V"]:
        """Logits con forzado del profesor: `target` es la salida correcta, desde el inicio."""
        memory, state = self.start(source, lengths)
        return self.decoder(target, state, memory)[0]

    def start(self, source: Int[Tensor, "B Tx"], lengths: Int[Tensor, "B"]) -> tuple[Memory, Any]:
        """Lee la entrada: la memoria y el estado con los que se empieza a escribir."""
        return self.decoder.start(self.encoder(source, lengths))

    def step(
        self, tokens: Int[Tensor, "B 1"], state: tuple[Memory, Any]
    ) -> tuple[Float[Tensor, "B V"], tuple[Memory, Any]]:
        """Escribe un símbolo más: logits del siguiente y estado nuevo."""
        memory, hidden = state
        logits, hidden, _ = self.decoder(tokens, hidden, memory)
        return logits[:, -1], (memory, hidden)

    @torch.no_grad()
    def attention_maps(
        self, source: Int[Tensor, "B Tx"], lengths: Int[Tensor, "B"], target: Int[Tensor, "B Ty"]
    ) -> list[Float[Tensor, "B 1 Ty Tx"]]:
        """Pesos con los que se lee la entrada al escribir `target`: una capa, con una cabeza.

        Errores: `ValueError` si el decodificador no atiende.
        """
        memory, state = self.start(source, lengths)
        weights = self.decoder(target, state, memory)[2]
        if weights is None:
            raise ValueError("el decodificador de contexto fijo no tiene pesos de atención")
        return [weights[:, None]]


def check_source(source: Tensor, lengths: Tensor, n_tokens: int) -> None:
    """Comprueba un lote de entrada antes de que el error aparezca lejos de su causa.

    Errores: `ValueError` si hay secuencias vacías, longitudes que no caben o números de token
    fuera del vocabulario.
    """
    if source.ndim != 2 or lengths.shape != source.shape[:1]:
        raise ValueError(
            f"la entrada tiene forma {tuple(source.shape)} y las longitudes "
            f"{tuple(lengths.shape)}; se esperaba (B, Tx) y (B,)"
        )
    if source.numel() == 0 or int(lengths.min()) < 1:
        raise ValueError("hay una secuencia vacía en el lote: cada una necesita al menos un token")
    if int(source.max()) >= n_tokens or int(source.min()) < 0:
        raise ValueError(
            f"hay números de token entre {int(source.min())} y {int(source.max())}, pero el "
            f"vocabulario va de 0 a {n_tokens - 1}: ¿codificaste con otro vocabulario?"
        )
