"""Lo que cuesta cada manera de aprender: contra cuentas a mano."""

from dataclasses import replace

from tfcourse.metrics.multiplications import vit_macs
from tfcourse.models.cnn import CnnConfig
from tfcourse.models.masked_autoencoder import MAEConfig
from tfcourse.models.vit import ViTConfig
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.self_supervision import costs, masked, teacher


def test_a_masked_autoencoder_by_hand():
    config = MAEConfig(d_model=8, n_heads=2, n_layers=1, d_hidden=10, decoder_width=4,
                       decoder_heads=2, decoder_layers=1, decoder_hidden=6)  # fmt: skip
    read = 4 * 5 * 64 + 2 * 25 * 8 + 2 * 5 * 8 * 10  # el de clase y cuatro parches
    painted = 4 * 17 * 16 + 2 * 289 * 4 + 2 * 17 * 4 * 6
    assert costs.masked_macs(config, 0.75) == read + painted + 16 * 4 * 12 + 5 * 8 * 4
    assert costs.masked_macs(config, 0.5) > costs.masked_macs(config, 0.75)


def test_a_convolutional_network_by_hand():
    config = CnnConfig(10, widths=(3, 5))
    by_hand = 9 * 64 * (3 + 9) + 9 * 16 * (15 + 25) + 50
    assert costs.cnn_macs(config, 8) == by_hand


def test_the_teacher_reads_a_third_more():
    recipe = replace(teacher.SHIPPED, batch_size=3, n_views=2)
    width = ViTConfig(1, **recipe.options).d_model
    head = 3 * width * width + width // 2 * recipe.n_prototypes
    one = vit_macs(ViTConfig(1, **recipe.options)) + head
    assert costs.teacher_step(recipe) == 4 * 6 * one
    assert costs.teacher_step(replace(recipe, n_registers=2)) > costs.teacher_step(recipe)


def test_steps_grow_with_the_batch():
    rival = classification.CONTESTANTS["ViT"]
    twice = replace(rival, batch_size=2 * rival.batch_size)
    assert costs.classifier_step(twice) == 2 * costs.classifier_step(rival)
    assert costs.masked_step(masked.SHIPPED) < costs.teacher_step(teacher.SHIPPED)
    assert costs.equal_passes(replace(teacher.SHIPPED, steps=10, batch_size=6, n_views=2), 4) == 30
