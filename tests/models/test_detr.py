"""DETR: los mismos números que el de transformers, y lo que un detector de conjuntos cumple."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from tests.models.looking import check_the_maps_are_the_ones_used
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, make_scenes
from tfcourse.layers.image.coordinate_waves import grid_waves
from tfcourse.models.detr import DETR, VARIANTS, DETRConfig, ImageEncoder
from tfcourse.vision.detection.losses import DETR_LOSS

SMALL = {"n_queries": 5, "d_model": 16, "n_heads": 2, "n_encoder": 2, "n_decoder": 2}


class Reference(nn.Module):
    """La red convolucional de la referencia, para que las dos lean lo mismo."""

    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def forward(self, images):
        mask = torch.ones(len(images), *images.shape[-2:], dtype=torch.long)
        return self.backbone(images, mask)[-1][0]


def reference_detr():
    from transformers import DetrConfig, DetrForObjectDetection, ResNetConfig

    torch.manual_seed(0)
    resnet = ResNetConfig(
        embedding_size=8,
        hidden_sizes=[8, 16],
        depths=[1, 1],
        out_features=["stage2"],
        layer_type="basic",
    )
    config = DetrConfig(
        use_timm_backbone=False,
        backbone_config=resnet,
        d_model=16,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        num_queries=5,
        num_labels=3,
    )
    return DetrForObjectDetection(config).eval()


def copy_weights(theirs, ours):
    """Pasa los pesos de la referencia a los nuestros, nombre a nombre."""

    def linear(target, source):
        target.load_state_dict({k: v.clone() for k, v in source.state_dict().items()})

    def attention(target, source):
        for name in "qkv":
            linear(getattr(target, f"{name}_proj"), getattr(source, f"{name}_proj"))
        linear(target.out_proj, source.o_proj)

    def block(target, source):
        attention(target.attention, source.self_attn)
        linear(target.feed_forward.hidden, source.mlp.fc1)
        linear(target.feed_forward.output, source.mlp.fc2)
        for around, norm in (("attention", "self_attn"), ("feed_forward", "final")):
            residual = getattr(target, f"around_{around}").norm
            norm = getattr(source, f"{norm}_layer_norm")
            residual.load_state_dict(norm.state_dict())

    linear(ours.encoder.projection, theirs.model.input_projection)
    for target, source in zip(ours.encoder.blocks, theirs.model.encoder.layers, strict=True):
        block(target, source)
    for target, source in zip(ours.decoder, theirs.model.decoder.layers, strict=True):
        block(target, source)
        attention(target.cross_attention, source.encoder_attn)
        target.around_cross_attention.norm.load_state_dict(
            source.encoder_attn_layer_norm.state_dict()
        )
    ours.norm.load_state_dict(theirs.model.decoder.layernorm.state_dict())
    linear(ours.queries, theirs.model.query_position_embeddings)
    linear(ours.class_head, theirs.class_labels_classifier)
    for target, source in zip(list(ours.box_head)[::2], theirs.bbox_predictor.layers, strict=True):
        linear(target, source)


def test_parity_with_transformers():
    """Mismos pesos, misma imagen: las clases y las cajas coinciden."""
    theirs = reference_detr().double()
    config = DETRConfig(3, d_hidden=32, norm_first=False, **SMALL)
    encoder = ImageEncoder(config, Reference(theirs.model.backbone))
    ours = DETR(config, encoder).double().eval()
    copy_weights(theirs, ours)
    images = torch.rand(2, 3, 48, 64, generator=torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        wanted = theirs(images)
        found = ours(images)
    torch.testing.assert_close(found[-1].logits, wanted.logits, atol=2e-5, rtol=0)
    torch.testing.assert_close(found[-1].boxes, wanted.pred_boxes, atol=2e-6, rtol=0)


def tiny(seed=0, **changes):
    torch.manual_seed(seed)
    return DETR(DETRConfig(4, d_hidden=32, **SMALL | changes)).eval()


def test_shapes_and_bounds():
    images = torch.rand(3, 3, 64, 64)
    layers = tiny()(images)
    assert len(layers) == 2
    for found in layers:
        assert found.logits.shape == (3, 5, 5) and found.boxes.shape == (3, 5, 4)
        assert (found.boxes > 0).all() and (found.boxes < 1).all()


def test_attention_maps_are_the_ones_used():
    model = tiny().double()
    images = torch.rand(2, 3, 64, 64, dtype=torch.float64)
    check_the_maps_are_the_ones_used(model, images)


def test_a_layer_answers_like_a_model_that_ends_in_it():
    """La misma norma y las mismas cabezas para todas las capas."""
    model, images = tiny().double(), torch.rand(2, 3, 64, 64, dtype=torch.float64)
    first = model(images)[0]
    model.decoder = model.decoder[:1]
    (alone,) = model(images)
    torch.testing.assert_close(first.logits, alone.logits)
    torch.testing.assert_close(first.boxes, alone.boxes)


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_memory_ends_in_one_norm(norm_first):
    """Con Post-LN la última norma es la del bloque; con Pre-LN hace falta una más."""
    torch.manual_seed(0)
    encoder = ImageEncoder(DETRConfig(4, **SMALL | {"norm_first": norm_first}))
    last = encoder.norm if norm_first else encoder.blocks[-1].around_feed_forward.norm
    nn.init.constant_(last.weight, 3.0)
    nn.init.constant_(last.bias, 1.0)
    memory, _ = encoder(torch.rand(2, 3, 64, 64))
    spread = memory.std(-1, unbiased=False)
    torch.testing.assert_close(memory.mean(-1), torch.ones(2, 64), atol=1e-4, rtol=0)
    torch.testing.assert_close(spread, torch.full((2, 64), 3.0), atol=0.05, rtol=0)


def test_permuting_queries_permutes_predictions():
    model = tiny().double()
    images = torch.rand(2, 3, 64, 64, dtype=torch.float64)
    with torch.no_grad():
        before = model(images)[-1]
        order = torch.tensor([2, 4, 0, 3, 1])
        model.queries.weight.copy_(model.queries.weight[order])
        after = model(images)[-1]
    torch.testing.assert_close(after.boxes, before.boxes[:, order])
    torch.testing.assert_close(after.logits, before.logits[:, order])


def test_queries_tell_predictions_apart():
    """Con las consultas iguales, todas responden lo mismo: son lo único que las distingue."""
    model = tiny().train()  # BatchNorm, sin haber visto nada, aplasta los rasgos
    images = torch.rand(1, 3, 64, 64)
    assert model(images)[-1].boxes.std(dim=1).max() > 1e-4
    with torch.no_grad():
        model.queries.weight.copy_(model.queries.weight[:1].expand(5, -1))
    assert model(images)[-1].boxes.std(dim=1).max() < 1e-5


@pytest.mark.lento
def test_it_memorises_one_batch():
    torch.manual_seed(0)
    model = DETR(DETRConfig(4, n_queries=5, d_model=32, n_heads=4, n_encoder=1, n_decoder=1))
    batch = make_scenes(2, torch.Generator().manual_seed(1), SHAPE_SCENES)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(150):
        loss = DETR_LOSS(model, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.35 * losses[0]


def test_more_objects_than_queries_is_explained():
    model = tiny(n_queries=2)
    scenes = make_scenes(30, torch.Generator().manual_seed(0), SHAPE_SCENES)
    with pytest.raises(ValueError, match=r"solo hace 2 predicciones: usa n_queries=4 o más"):
        DETR_LOSS(model, scenes)


@pytest.mark.parametrize("place_content", [False, True])
def test_content_knows_its_place_only_if_told(place_content):
    """En una imagen lisa, las casillas del centro son iguales salvo que se les diga dónde están."""
    torch.manual_seed(0)
    config = DETRConfig(4, **SMALL | {"n_encoder": 0, "place_content": place_content})
    memory, _ = ImageEncoder(config).eval()(torch.full((1, 3, 128, 128), 0.5))
    middle = memory.view(16, 16, 16)[6:10, 6:10].flatten(0, 1)
    assert (torch.cdist(middle, middle).max() < 1e-4) is not place_content


def test_the_place_is_added_once_to_the_content():
    torch.manual_seed(0)
    config = DETRConfig(4, **SMALL | {"n_encoder": 0, "norm_first": False})
    plain, told = ImageEncoder(config), ImageEncoder(replace(config, place_content=True))
    told.load_state_dict(plain.state_dict())
    images = torch.rand(1, 3, 32, 48)
    added = told.eval()(images)[0] - plain.eval()(images)[0]
    torch.testing.assert_close(added[0], grid_waves(4, 6, 16))


def test_variants_and_bad_sizes():
    assert VARIANTS["base"]["n_queries"] == 100 and VARIANTS["base"]["d_model"] == 256
    assert DETRConfig(1, n_queries=1).n_queries == 1
    with pytest.raises(ValueError, match="n_classes=0 y n_queries=8"):
        DETRConfig(0)
    with pytest.raises(ValueError, match="n_classes=1 y n_queries=0"):
        DETRConfig(1, n_queries=0)
