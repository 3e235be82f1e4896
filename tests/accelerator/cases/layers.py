"""Casos ligeros de las piezas."""

from functools import partial

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, counts, floats, ids, yes
from tfcourse.layers import (
    attention,
    attention_maps,
    blocks,
    cache,
    causal,
    experts,
    fusion,
    gated,
    grouped,
    initialization,
    latent,
    masks,
    modern_attention,
    modulation,
    norms,
    positions,
    quantized,
    relative,
    relative_bias,
    reversible,
    rotary,
    similarity,
    stretched,
    writing_block,
)

CASES: list[Case] = []
use = partial(case, CASES, mixed=True)
NOT_HERE = {
    "solo junta lo que le dan": ("layers.attention_maps.AttentionMaps",),
    "cambia las capas; las que cambia tienen su caso": (
        "layers.modulation.zeroed",
        "layers.recurrent.precision.keep_full_precision",
    ),
    "no recibe ningún tensor": (
        "layers.positions.check_length",
        "layers.gated.equal_cost_width",
        "layers.modern_attention.window_mask",
        "layers.stretched.attention_scale",
        "layers.stretched.kept_share",
        "layers.stretched.stretched_frequencies",
        "layers.kernels.windows.check_positive",
        "layers.kernels.KernelSizes",
        "layers.kernels.make_kernel",
        "layers.kernels.make_kernels",
        "layers.image.patches.check_patches",
        "layers.image.shifted_windows.check_windows",
        "layers.image.shifted_windows.window_shifts",
        "layers.image.video.check_tubes",
        "layers.recurrent.depth.power_law",
    ),
    "es un protocolo, sin código": ("layers.image.keypoint_heads.KeypointHead",),
}


@use(
    attention.masked_softmax,
    attention.attention_weights,
    attention.attention,
    attention.fused_attention,
    attention.check_attention_shapes,
)
def attention_formula(d):
    q, k, v = floats(d, 2, 3, 4), floats(d, 2, 5, 4), floats(d, 2, 5, 6)
    mask, bias = yes(d, 2, 1, 5), floats(d, 2, 3, 5)
    attention.check_attention_shapes(q, k, v, mask)
    return [
        attention.masked_softmax(bias, mask),
        attention.attention_weights(q, k, mask=mask, bias=bias),
        attention.attention(q, k, v, mask=mask, bias=bias),
        attention.fused_attention(q, k, v, mask=mask, bias=bias),
        attention.fused_attention(q, k, v),
    ]


@use(attention.MultiHeadAttention)
def multi_head(d):
    model, x = attention.MultiHeadAttention(8, 2).to(d), floats(d, 2, 3, 8)
    return model(x, x, x, mask=yes(d, 2, 1, 3, 3)), model.attention_maps(x, x)


@use(
    modulation.modulate,
    modulation.AdaLNZeroBlock,
    modulation.ModulatedHead,
    modulation.TimeEmbedding,
    modulation.time_waves,
)
def modulated(d):
    x, about = floats(d, 2, 3, 8), modulation.TimeEmbedding(8).to(d)(torch.rand(2, device=d))
    block, head = modulation.AdaLNZeroBlock(8, 2, 16), modulation.ModulatedHead(8, 4)
    block, head = block.to(d), head.to(d)
    waves = modulation.time_waves(torch.rand(2, device=d), 8)
    told = block(x, about), block.attention_maps(x, about), head(x, about)
    return *told, modulation.modulate(x, about, about), waves


@use(
    blocks.FeedForward,
    blocks.Residual,
    blocks.EncoderBlock,
    blocks.DecoderBlock,
    attention_maps.maps_by_layer,
    attention_maps.BlockMaps,
)
def transformer_blocks(d):
    x, memory = floats(d, 2, 3, 8), floats(d, 2, 5, 8)
    encoder = blocks.EncoderBlock(8, 2, 16, dropout=0.1, norm_first=True).to(d)
    decoder = blocks.DecoderBlock(8, 2, 16, dropout=0.1).to(d)
    look, seen = masks.causal_mask(3, device=d), yes(d, 2, 1, 1, 5)
    return [
        encoder(x, look),
        encoder.attention_maps(x, look),
        decoder(x, memory, look, seen),
        decoder.attention_maps(x, memory, look, seen),
        attention_maps.maps_by_layer([encoder, encoder], x, look),
    ]


@use(cache.LayerCache, cache.KVCache)
def key_cache(d):
    kept = cache.KVCache(2, 6)
    for layer in kept.layers:
        layer.extend(floats(d, 2, 2, 3, 4), floats(d, 2, 2, 3, 4))
        grown = layer.extend(floats(d, 2, 2, 1, 4), floats(d, 2, 2, 1, 4))
    assert kept.nbytes() > 0
    return kept.select(counts(d, 1, 0)), grown


@use(causal.causal_attention, causal.CausalSelfAttention, rotary.RotaryPositions, rotary.rotate)
def causal_attention(d):
    q = floats(d, 2, 2, 3, 4)
    model = causal.CausalSelfAttention(8, 2, rotary.RotaryPositions(8, 4)).to(d)
    kept, x = cache.LayerCache(8), floats(d, 2, 3, 8)
    written = [model(x, x, x), model.attention_maps(x, x)]
    with torch.no_grad():  # lo escrito se guarda en su sitio: no se entrena así
        first = x[:, :1]
        written += [model(x, x, x, cache=kept), model(first, first, first, cache=kept)]
    return causal.causal_attention(q, q, q), *written


@use(fusion.ModalityEmbedding, fusion.CrossBlock, fusion.FusionStage, fusion.placed)
def modalities(d):
    a, b = floats(d, 2, 3, 8), floats(d, 2, 4, 8)
    sizes = dict(d_model=8, n_heads=2, d_hidden=16)
    enter = fusion.ModalityEmbedding(3, 8).to(d)
    stages = [fusion.FusionStage(look, **sizes).to(d) for look in masks.LOOKS]
    seen = [(stage(a, b), stage.attention_maps(a, b)) for stage in stages]
    return enter(a, chosen(d, 2)), seen, fusion.placed(a, 8, 3, left=True)


@use(
    initialization.xavier_initialization,
    initialization.remove_norms,
    initialization.t_fixup,
    initialization.scaled_matrices,
)
def initializations(d):
    from tfcourse.models.transformer import Transformer, TransformerConfig

    config = TransformerConfig(9, 9, d_model=8, n_heads=2, n_layers=2, d_hidden=16)
    model = initialization.xavier_initialization(Transformer(config).to(d))
    model = initialization.t_fixup(model)
    return initialization.remove_norms(model), initialization.scaled_matrices(model.encoder)


@use(
    masks.padding_mask,
    masks.permutation_mask,
    masks.foreground_mask,
    masks.modality_mask,
    masks.combine_masks,
    masks.check_mask,
)
def look_masks(d):
    padding = masks.padding_mask(counts(d, 2, 4), 4)
    order = torch.stack([torch.randperm(4, device=d) for _ in range(2)])
    masks.check_mask(padding)
    return [
        masks.combine_masks(padding, masks.causal_mask(4, device=d), None),
        masks.prefix_mask(2, 4, device=d),
        masks.permutation_mask(order),
        masks.foreground_mask(floats(d, 2, 3, 8, 8), (4, 4)),
        masks.modality_mask(counts(d, 0, 0, 1), "propia"),
    ]


NOT_HERE["recibe el dispositivo y hace su tensor en él: lo usan los casos de los bloques"] = (
    "layers.masks.causal_mask",
    "layers.masks.prefix_mask",
)


@use(norms.layer_norm, norms.LayerNorm, norms.RMSNorm, norms.check_width)
def normalizations(d):
    x = floats(d, 2, 3, 8)
    norms.check_width(x, 8)
    return (
        norms.layer_norm(x, floats(d, 8), floats(d, 8), 1e-5),
        norms.LayerNorm(8).to(d)(x),
        norms.RMSNorm(8).to(d)(x),
    )


@use(positions.SinusoidalPositions, positions.LearnedPositions)
def word_positions(d):
    x = floats(d, 2, 3, 8)
    return positions.SinusoidalPositions(5, 8).to(d)(x), positions.LearnedPositions(5, 8).to(d)(x)


NOT_HERE["hace una tabla, en la CPU, que quien la guarda lleva a su dispositivo"] = (
    "layers.positions.sinusoidal_positions",
    "layers.rotary.rotary_angles",
    "layers.image.coordinate_waves.cell_centers",
    "layers.image.coordinate_waves.grid_waves",
    "layers.image.image_positions.sinusoidal_positions_2d",
    "layers.image.shifted_windows.window_regions",
    "layers.image.shifted_windows.shift_mask",
    "layers.image.shifted_windows.relative_places",
    "layers.kernels.low_rank.pooling_matrix",
    "layers.kernels.random_features.gaussian_directions",
    "layers.recurrent.gates.memory_biases",
)


@use(relative.relative_shift, relative.RelativeAttention)
def relative_attention(d):
    model, x = relative.RelativeAttention(8, 2).to(d), floats(d, 2, 3, 8)
    return relative.relative_shift(floats(d, 2, 2, 3, 3)), model(x), model(x, floats(d, 2, 4, 8))


@use(relative_bias.relative_bucket, relative_bias.RelativeBias)
def distance_bias(d):
    model = relative_bias.RelativeBias(2).to(d)
    offset = torch.arange(-4, 5, device=d)
    return relative_bias.relative_bucket(offset), model(3), model(2, 5)


@use(reversible.ReversibleBlock, reversible.ReversibleSequence, reversible.Sublayer)
def reversible_blocks(d):
    def block():
        heads = attention.MultiHeadAttention(8, 2)
        look = reversible.Sublayer(norms.LayerNorm(8), heads, attends=True)
        think = reversible.Sublayer(norms.LayerNorm(8), blocks.FeedForward(8, 16))
        return reversible.ReversibleBlock(look, think)

    model = reversible.ReversibleSequence([block(), block()]).to(d)
    x = floats(d, 2, 3, 8)
    return model(x), model.plain(x), model.blocks[0].inverse(x, x)


@use(similarity.contrastive_logits)
def contrastive(d):
    x = floats(d, 2, 4, 8)
    return similarity.contrastive_logits(x, floats(d, 2, 4, 8), ids(d, 4, 2, 4, 3))


@use(writing_block.WritingBlock, writing_block.WritingBlocks, writing_block.WritingState)
def writing_blocks(d):
    model = writing_block.WritingBlocks(
        [writing_block.WritingBlock(8, 2, 16) for _ in range(2)]
    ).to(d)
    x, memory = floats(d, 2, 3, 8), floats(d, 2, 5, 8)
    state = model.start(memory, 6)
    stepped = model.step(x[:, :1], state)
    repeated = state.select(counts(d, 1, 1))
    return model(x, memory), stepped, repeated, model.attention_maps(x, memory)


@use(grouped.GroupedQueryAttention, grouped.spread_heads, latent.LatentAttention)
def fewer_keys(d):
    turns = rotary.RotaryPositions(8, 2)
    groups = grouped.GroupedQueryAttention(8, 4, 2, turns).to(d)
    compressed = latent.LatentAttention(8, 2, 4, 3, 2, 8).to(d)
    x, shelf = floats(d, 2, 5, 8), cache.LayerCache(5)
    whole = compressed(x, absorb=True)
    return groups(x), compressed(x[:, :3], shelf), compressed(x[:, 3:], shelf), whole


@use(gated.GatedFeedForward, modern_attention.ModernAttention)
def todays_block(d):
    x, kept = floats(d, 2, 5, 8), cache.LayerCache(6)
    turns = stretched.StretchedRotary(6, 4, kind="yarn", factor=2.0, trained_length=3)
    layer = modern_attention.ModernAttention(
        8, 2, 1, turns, qk_norm=True, window=1, n_sinks=1
    ).to(d)  # fmt: skip
    written = [gated.GatedFeedForward(8, 6).to(d)(x), layer(x)]
    with torch.no_grad():
        written += [layer(x, kept), layer(x[:, :1], kept)]
    return written


@use(stretched.StretchedRotary, stretched.stretched_copy)
def stretched_turns(d):
    layer = modern_attention.ModernAttention(8, 2, 2, rotary.RotaryPositions(3, 4)).to(d)
    longer = stretched.stretched_copy(layer, "ntk", 2.0, 6, 3)
    turns = stretched.StretchedRotary(6, 4, kind="interpolar", factor=2.0).to(d)
    return longer(floats(d, 1, 6, 8)), turns(floats(d, 1, 2, 6, 4))


@use(
    experts.Routing,
    experts.Router,
    experts.ExpertMixture,
    experts.balance_loss,
    experts.effective_experts,
)
def mixtures(d):
    layer, routes = experts.ExpertMixture(8, 4, 4, 2, 1, "sigmoide").to(d), []
    mixed = layer(floats(d, 2, 3, 8), routes)
    layer.router.adjust(routes[0])
    assert 1 <= experts.effective_experts(routes[0].load()) <= 4
    return mixed, experts.balance_loss(routes[0]), layer.router.correction


@use(
    quantized.quantize,
    quantized.dequantize,
    quantized.pack_nibbles,
    quantized.unpack_nibbles,
    quantized.QuantizedLinear,
    quantized.quantize_model,
    quantized.linear_bytes,
)
def few_bits(d):
    model = torch.nn.Sequential(torch.nn.Linear(8, 6)).to(d)
    codes, scales = quantized.quantize(floats(d, 6, 8).detach(), 4, 4)
    back = quantized.unpack_nibbles(quantized.pack_nibbles(codes))
    small = quantized.quantize_model(model, 4, 2)
    assert quantized.linear_bytes(small) < quantized.linear_bytes(model)
    return quantized.dequantize(back, scales), small(floats(d, 3, 8))
