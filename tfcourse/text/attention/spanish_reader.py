"""Las cabezas de un modelo que aprendió leyendo: el BERT en español que viene con el curso."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.text.article_topics import plain_text
from tfcourse.datasets.text.articles import split_articles
from tfcourse.datasets.text.masking import BERT_TOKENS, CLS, SEP, pack_sequences
from tfcourse.models.bert import Bert, BertConfig, MaskedLM
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.training import seed_everything
from tfcourse.weights.shipped import load_weights, weights_card

NAME = "bert_espanol"


@dataclass(frozen=True)
class SpanishReader:
    """Un codificador y su tokenizador. `untrained` es su gemelo, con los pesos de partida."""

    model: Bert
    untrained: Bert
    tokenizer: WordPieceTokenizer

    @property
    def special(self) -> list[int]:
        """Los números de [CLS] y [SEP], que marcan dónde empieza y acaba lo que se lee."""
        return [self.tokenizer.token_id(CLS), self.tokenizer.token_id(SEP)]

    def windows(self, n_windows: int) -> Int[Tensor, "N L"]:
        """Ventanas de artículos que no leyó al entrenar, sin relleno."""
        texts = [self.tokenizer.encode(plain_text(each.text)) for each in split_articles()[1]]
        start_id, end_id = self.special
        length = self.model.config.max_length
        packed = pack_sequences(texts, length=length, start_id=start_id, end_id=end_id)
        return packed[:n_windows]

    def sentence(self, text: str) -> Int[Tensor, "1 L"]:
        """Una frase, entre sus dos marcas."""
        start_id, end_id = self.special
        return torch.tensor([[start_id, *self.tokenizer.encode(text), end_id]])

    def words(self, tokens: Int[Tensor, " L"]) -> list[str]:
        """Los tokens de una frase, escritos."""
        return [self.tokenizer.tokens[number] for number in tokens.tolist()]


def load_spanish_reader() -> SpanishReader:
    """El modelo entrenado, su gemelo sin entrenar y el tokenizador que comparten."""
    config = dict(weights_card(NAME).config)
    tokens = config.pop("vocabulary").split(" ")
    seed_everything(0)
    untrained, trained = (MaskedLM(BertConfig(**config)).eval() for _ in range(2))
    load_weights(NAME, trained)
    return SpanishReader(trained.bert, untrained.bert, WordPieceTokenizer(tokens, BERT_TOKENS))


def all_head_maps(model: Bert, tokens: Int[Tensor, "B L"]) -> Float[Tensor, "B H L L"]:
    """Los pesos de todas las cabezas, las de la primera capa delante."""
    lengths = torch.full((len(tokens),), tokens.shape[1], device=tokens.device)
    return torch.cat(model.attention_maps(tokens, lengths), dim=1)
