"""Comprobaciones de lo que miran los detectores, comunes a todos."""

import torch


def check_the_maps_are_the_ones_used(model, images):
    """Con esos pesos y los valores de la memoria sale lo que el modelo mezcló de verdad."""
    weights = model.attention_maps(images).cross[-1]
    cross, mixed = model.decoder[-1].cross_attention, []
    cross.register_forward_hook(lambda module, args, output: mixed.append(output))
    model(images)
    v = cross.split(cross.v_proj(model.encoder(images)[0]))
    wanted = cross.out_proj((weights @ v).transpose(1, 2).flatten(2))
    torch.testing.assert_close(mixed[0], wanted)
