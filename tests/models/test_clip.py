"""CLIP: la pérdida y los logits son los de `transformers`, y las dos torres aprenden."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.losses.contrastive import sigmoid_loss, symmetric_loss
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.clip import MAX_SCALE, Clip, Siglip, similarity
from tfcourse.models.vit import ViT, ViTConfig


def small_clip(seed: int = 0) -> Clip:
    torch.manual_seed(seed)
    image = ViT(ViTConfig(12, image_size=8, patch_size=4, channels=3, d_model=16, n_heads=2))
    text = Bert(BertConfig(30, d_model=16, n_heads=2, n_layers=1, d_hidden=32))
    return Clip(image, text, 16, 12)


def a_batch(n: int = 6):
    generator = torch.Generator().manual_seed(1)
    images = torch.rand(n, 3, 8, 8, generator=generator)
    tokens = torch.randint(30, (n, 5), generator=generator)
    return images, tokens, torch.randint(2, 6, (n,), generator=generator)


def reference_clip():
    from transformers import CLIPConfig, CLIPModel

    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1}
    config = CLIPConfig(
        text_config=sizes
        | {"vocab_size": 30, "num_attention_heads": 2, "eos_token_id": 29, "bos_token_id": 28},
        vision_config=sizes | {"image_size": 8, "patch_size": 4, "num_attention_heads": 2},
        projection_dim=12,
        logit_scale_init_value=1.7,
    )
    return CLIPModel(config).double().eval()


def test_logits_and_loss_are_those_of_transformers():
    reference = reference_clip()
    images, tokens, _ = a_batch()
    tokens[:, -1] = 29
    with torch.no_grad():
        out = reference(input_ids=tokens, pixel_values=images.double(), return_loss=True)
        seen = reference.visual_projection(reference.vision_model(images.double())[1])
        read = reference.text_projection(reference.text_model(tokens)[1])
        ours = similarity(seen, read, reference.logit_scale.exp())
    torch.testing.assert_close(ours, out.logits_per_image, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(ours.T, out.logits_per_text, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(symmetric_loss(ours), out.loss, rtol=1e-10, atol=1e-12)


class Given(nn.Module):
    """Una torre que no mira lo que le dan: contesta siempre lo mismo."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def forward(self, *_):
        return self.answer


def test_siglip_is_that_of_transformers():
    from transformers import SiglipConfig, SiglipModel

    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1}
    marks = {"bos_token_id": 28, "eos_token_id": 29}
    config = SiglipConfig(
        text_config=sizes | marks | {"vocab_size": 30, "num_attention_heads": 2},
        vision_config=sizes | {"image_size": 8, "patch_size": 4, "num_attention_heads": 2},
    )
    reference = SiglipModel(config).double().eval()
    with torch.no_grad():
        reference.logit_scale.fill_(0.7)
        reference.logit_bias.fill_(-2.5)
        images, tokens, lengths = a_batch()
        out = reference(input_ids=tokens, pixel_values=images.double(), return_loss=True)
        # Los vectores de la biblioteca hacen de torres: todos los tokens de un texto, el suyo.
        said = out.text_embeds[:, None].expand(-1, 5, -1)
        ours = Siglip(Given(out.image_embeds), Given(said), 16, 16).double()
        ours.text_projection.weight.copy_(torch.eye(16))
        ours.log_scale.copy_(reference.logit_scale[0])
        ours.bias.copy_(reference.logit_bias[0])
        found = ours(images.double(), tokens, lengths)
    torch.testing.assert_close(found, out.logits_per_image, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(sigmoid_loss(found), out.loss, rtol=1e-10, atol=1e-12)


def test_sigmoid_loss_asks_each_square_apart():
    """Casilla a casilla, con sus probabilidades; y otra pareja no cambia las que ya estaban."""
    logits = torch.tensor([[2.0, -1.0], [0.5, 1.0]]).double()
    yes = [logits[i, i].sigmoid().log() for i in range(2)]
    no = [(1 - logits[i, 1 - i].sigmoid()).log() for i in range(2)]
    torch.testing.assert_close(sigmoid_loss(logits), -(sum(yes) + sum(no)) / 2)
    wider = torch.full((3, 3), -50.0).double()
    wider[:2, :2], wider[2, 2] = logits, 50.0
    torch.testing.assert_close(3 * sigmoid_loss(wider), 2 * sigmoid_loss(logits))


def test_siglip_starts_saying_no():
    """Con el sesgo de partida, la pérdida es la de decir que no a todo menos a la diagonal."""
    torch.manual_seed(0)
    base = small_clip()
    model = Siglip(base.image_tower, base.text_tower, 16, 12).eval()
    logits = model(*a_batch())
    assert float(logits.detach()[~torch.eye(6, dtype=torch.bool)].sigmoid().mean()) < 0.1
    with pytest.raises(ValueError, match="llegaron 2 imágenes y 3 textos"):
        sigmoid_loss(torch.zeros(2, 3))


def test_loss_by_hand():
    """Con probabilidades escritas una a una: por filas y por columnas."""
    logits = torch.tensor([[2.0, 0.0, 1.0], [0.5, 1.0, -1.0], [0.0, 3.0, 0.0]]).double()
    table = logits.exp()
    rows = [-(table[i, i] / table[i].sum()).log() for i in range(3)]
    columns = [-(table[i, i] / table[:, i].sum()).log() for i in range(3)]
    expected = (sum(rows) / 3 + sum(columns) / 3) / 2
    torch.testing.assert_close(symmetric_loss(logits), expected)
    assert not torch.isclose(sum(rows), sum(columns))


def test_same_loss_if_the_roles_are_swapped():
    logits = torch.randn(5, 5, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(symmetric_loss(logits), symmetric_loss(logits.T))


def test_the_scale_is_learned_and_has_a_ceiling():
    model = small_clip()
    assert float(model.scale.detach()) == pytest.approx(1 / 0.07)
    symmetric_loss(model(*a_batch())).backward()
    assert model.log_scale.grad is not None and float(model.log_scale.grad) != 0
    model.log_scale.data.fill_(9.0)
    assert float(model.scale.detach()) == MAX_SCALE


def test_vectors_have_length_one_and_logits_are_cosines():
    model = small_clip().double().eval()
    images, tokens, lengths = a_batch()
    images = images.double()
    with torch.no_grad():
        seen, read = model.see(images), model.read(tokens, lengths)
        logits = model(images, tokens, lengths)
    for vectors in (seen, read):
        torch.testing.assert_close(vectors.norm(dim=-1), torch.ones(6).double())
    cosines = F.cosine_similarity(seen[:, None], read[None], dim=-1)
    torch.testing.assert_close(logits, cosines / 0.07, rtol=1e-5, atol=1e-6)


def test_each_vector_depends_only_on_its_own_input():
    model = small_clip().eval()
    images, tokens, lengths = a_batch()
    with torch.no_grad():
        torch.testing.assert_close(model.see(images)[2:3], model.see(images[2:3]))
        torch.testing.assert_close(
            model.read(tokens, lengths)[2:3], model.read(tokens[2:3], lengths[2:3])
        )


def test_padding_does_not_count():
    model = small_clip().eval()
    _, tokens, lengths = a_batch()
    changed = tokens.clone()
    changed[torch.arange(5) >= lengths[:, None]] = 0
    with torch.no_grad():
        torch.testing.assert_close(model.read(changed, lengths), model.read(tokens, lengths))


@pytest.mark.lento
def test_memorises_a_batch():
    model, batch = small_clip(), a_batch()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(150):
        loss = symmetric_loss(model(*batch))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (model(*batch).argmax(dim=1) == torch.arange(6)).all()


def test_text_order_permutes_the_columns():
    model = small_clip().eval()
    images, tokens, lengths = a_batch()
    order = torch.tensor([3, 1, 0, 5, 2, 4])
    with torch.no_grad():
        torch.testing.assert_close(
            model(images, tokens[order], lengths[order]), model(images, tokens, lengths)[:, order]
        )


def test_a_batch_needs_as_many_texts_as_images():
    with pytest.raises(ValueError, match="cada imagen va con su texto"):
        symmetric_loss(torch.zeros(2, 3))


def test_dropout_only_while_training():
    torch.manual_seed(0)
    base = small_clip()
    model = Clip(base.image_tower, copy.deepcopy(base.text_tower), 16, 12, dropout=0.5)
    assert isinstance(model.dropout, nn.Dropout)
    _, tokens, lengths = a_batch()
    with torch.no_grad():
        assert not torch.equal(model.train().read(tokens, lengths), model.read(tokens, lengths))
        model.eval()
        assert torch.equal(model.read(tokens, lengths), model.read(tokens, lengths))
