"""Lo que cuesta cada manera de aprender, en multiplicaciones: para comparar a igual gasto."""

from torch import nn

from tfcourse.metrics.multiplications import feed_forward_macs, global_attention_macs, vit_macs
from tfcourse.models.cnn import CnnConfig
from tfcourse.models.masked_autoencoder import MAEConfig
from tfcourse.models.vit import ViTConfig
from tfcourse.vision.classification import recipe as classification
from tfcourse.vision.self_supervision import masked, teacher

# Leer cuesta una vez; el gradiente, el doble de leer: el de los pesos y el de lo que entra.
LEARNING = 3


def stack_macs(tokens: int, width: int, hidden: int, n_layers: int) -> int:
    """Multiplicaciones de una pila de bloques que leen tantos tokens."""
    block = global_attention_macs(tokens, width) + feed_forward_macs(tokens, width, hidden)
    return n_layers * block


def masked_macs(config: MAEConfig, share: float) -> int:
    """Multiplicaciones de un MAE con una imagen: el codificador lee lo que se ve, y nada más."""
    encoder, decoder = config.encoder, config.decoder
    rows, columns = encoder.grid
    n_patches, patch = rows * columns, config.channels * config.patch_size**2
    seen = 1 + int(n_patches * (1 - share))
    reading = stack_macs(seen, encoder.d_model, encoder.d_hidden, encoder.n_layers)
    painting = stack_macs(1 + n_patches, decoder.d_model, decoder.d_hidden, decoder.n_layers)
    edges = n_patches * patch * (encoder.d_model + decoder.d_model)
    return reading + painting + edges + seen * encoder.d_model * decoder.d_model


def cnn_macs(config: CnnConfig, side: int) -> int:
    """Multiplicaciones de una red convolucional con una imagen: nueve por casilla y pareja de
    canales."""
    total, before = config.widths[-1] * config.n_classes, config.channels
    for index, width in enumerate(config.widths):
        places = (side // 2**index) ** 2
        total += 9 * places * (before * width + width * width)
        before = width
    return total


def masked_step(recipe: masked.Recipe) -> int:
    """Multiplicaciones de un paso de MAE."""
    return LEARNING * recipe.batch_size * masked_macs(MAEConfig(**recipe.options), recipe.share)


def teacher_step(recipe: teacher.Recipe) -> int:
    """Multiplicaciones de un paso del alumno y el maestro: cada uno lee todas las vistas."""
    config = ViTConfig(1, **recipe.options)
    width = config.d_model
    head = width * 2 * width + width * width + (width // 2) * recipe.n_prototypes
    reading = vit_macs(config) + recipe.n_registers * per_token(config) + head
    return (LEARNING + 1) * recipe.n_views * recipe.batch_size * reading


def per_token(config: ViTConfig) -> int:
    """Lo que cuesta un token más, sin contar que los demás también lo miran."""
    return config.n_layers * (4 * config.d_model**2 + 2 * config.d_model * config.d_hidden)


def classifier_step(recipe: classification.Recipe, n_classes: int = 10) -> int:
    """Multiplicaciones de un paso de un clasificador con etiquetas."""
    model: nn.Module = classification.build(recipe, n_classes)
    config = model.config
    one = cnn_macs(config, 8) if isinstance(config, CnnConfig) else vit_macs(config)
    return LEARNING * recipe.batch_size * one


def equal_passes(rival: teacher.Recipe, batch_size: int) -> int:
    """Cuántos pasos de un clasificador leen con gradiente tantas imágenes como el alumno.

    Una lectura con gradiente es una hacia delante y otra hacia atrás; el maestro, que solo lee
    hacia delante, no cuenta.
    """
    return round(rival.steps * rival.n_views * rival.batch_size / batch_size)
