"""El codificador de frases: la media sin el relleno, con longitud 1."""

import torch

from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.sentence import MeanEncoder


def test_it_is_the_mean_of_the_real_tokens_with_length_one():
    torch.manual_seed(0)
    bert = Bert(BertConfig(11, d_model=8, n_heads=2, n_layers=1, d_hidden=16, max_length=9)).eval()
    encoder = MeanEncoder(bert)
    tokens, lengths = torch.randint(1, 11, (3, 6)), torch.tensor([6, 2, 4])
    found = encoder(tokens, lengths)
    for row, length in enumerate(lengths.tolist()):
        states = bert(tokens[row : row + 1, :length], torch.tensor([length]))[0]
        mean = states.mean(dim=0)
        torch.testing.assert_close(found[row], mean / mean.norm(), rtol=1e-4, atol=1e-5)
