"""Con qué pesos empieza un Transformer: Xavier y T-Fixup."""

import torch
from torch import nn

from tfcourse.layers.norms import LayerNorm


def xavier_initialization(model: nn.Module) -> nn.Module:
    """Inicialización de Xavier en todas las capas lineales, con los sesgos a cero.

    Cada matriz (n, m) se sortea con varianza 2/(n + m): así ni la señal crece al avanzar ni el
    gradiente al volver. Fuente: Glorot y Bengio (2010), ec. 16.
    """
    for layer in model.modules():
        if isinstance(layer, nn.Linear):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)
    return model


def remove_norms(model: nn.Module) -> nn.Module:
    """Cambia cada normalización de capa por la identidad."""
    for module in list(model.modules()):
        for name, child in module.named_children():
            if isinstance(child, LayerNorm):
                setattr(module, name, nn.Identity())
    return model


@torch.no_grad()
def t_fixup(model: nn.Module) -> nn.Module:
    """T-Fixup: un Transformer sin normalización ni calentamiento, con los pesos encogidos.

    `model` es un `tfcourse.models.transformer.Transformer`.
    Parte de Xavier, y de embeddings de desviación d^(−½). Multiplica por (9N)^(−¼) los embeddings
    y, en el decodificador, las matrices de valores y de salida de cada atención y las dos de cada
    red; en el codificador, esas mismas matrices por 0,67 · N^(−¼). N es el número de bloques.
    Fuente: Huang et al. (2020), § 3.2.
    """
    remove_norms(xavier_initialization(model))
    depth = model.config.n_layers
    encoder_scale, decoder_scale = 0.67 * depth**-0.25, (9 * depth) ** -0.25
    for table in (model.source.table, model.target.table):
        nn.init.normal_(table.weight, std=model.config.d_model**-0.5)
        table.weight *= decoder_scale
    for blocks, scale in ((model.encoder, encoder_scale), (model.decoder, decoder_scale)):
        for matrix in scaled_matrices(blocks):
            matrix *= scale
    return model


def scaled_matrices(blocks: nn.ModuleList) -> list[nn.Parameter]:
    """Las matrices que T-Fixup encoge: valores y salida de cada atención, y las de la red."""
    found = []
    for block in blocks:
        attentions = [block.attention]
        if hasattr(block, "cross_attention"):
            attentions.append(block.cross_attention)
        for attention in attentions:
            found += [attention.v_proj.weight, attention.out_proj.weight]
        found += [block.feed_forward.hidden.weight, block.feed_forward.output.weight]
    return found
