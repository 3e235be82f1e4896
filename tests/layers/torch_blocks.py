"""Copia de pesos entre nuestros bloques y los de PyTorch, para las pruebas de paridad."""

import torch


def copy_attention(theirs, ours):
    """nn.MultiheadAttention ← nuestra atención multicabeza."""
    projections = (ours.q_proj, ours.k_proj, ours.v_proj)
    theirs.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
    theirs.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())


def copy_norm(theirs, ours):
    """nn.LayerNorm ← nuestra normalización."""
    theirs.weight.copy_(ours.gain)
    theirs.bias.copy_(ours.bias)


def copy_block(theirs, ours):
    """nn.TransformerEncoderLayer o DecoderLayer ← nuestro bloque."""
    residuals = [ours.around_attention, ours.around_feed_forward]
    copy_attention(theirs.self_attn, ours.attention)
    if hasattr(ours, "cross_attention"):
        copy_attention(theirs.multihead_attn, ours.cross_attention)
        residuals.insert(1, ours.around_cross_attention)
    theirs.linear1.load_state_dict(ours.feed_forward.hidden.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.output.state_dict())
    for position, residual in enumerate(residuals, start=1):
        copy_norm(getattr(theirs, f"norm{position}"), residual.norm)
