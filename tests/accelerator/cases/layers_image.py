"""Casos ligeros de las piezas para imágenes y vídeos."""

from functools import partial

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import floats, ids, yes
from tfcourse.layers.image import (
    anchors,
    coordinate_waves,
    detection_blocks,
    image_positions,
    keypoint_heads,
    patch_block,
    patch_head,
    patches,
    pixel_shuffle,
    pyramid,
    rollout,
    segmentation_blocks,
    shifted_windows,
    video,
)

CASES: list[Case] = []
NOT_HERE: dict[str, tuple[str, ...]] = {}
use = partial(case, CASES, mixed=True)


@use(anchors.inverse_sigmoid, anchors.SpatialBias, anchors.GaussianBias)
def anchor_biases(d):
    x, boxes = floats(d, 2, 3, 8), torch.rand(2, 3, 4, device=d)
    cells = coordinate_waves.cell_centers(2, 3).to(d)
    biases = [
        kind(8, 2).to(d)(x, boxes, cells) for kind in (anchors.SpatialBias, anchors.GaussianBias)
    ]
    return anchors.inverse_sigmoid(boxes), biases


@use(coordinate_waves.coordinate_waves)
def waves(d):
    return coordinate_waves.coordinate_waves(floats(d, 2, 3, 2), 4)


@use(
    detection_blocks.ImageEncoderBlock,
    detection_blocks.QueryBlock,
    detection_blocks.ObjectDecoderBlock,
    detection_blocks.SeparatedDecoderBlock,
    detection_blocks.QueryHead,
    detection_blocks.ConvBackbone,
)
def detection(d):
    x, memory = floats(d, 2, 3, 8), floats(d, 2, 6, 8)
    places, asked = coordinate_waves.grid_waves(2, 3, 8).to(d), floats(d, 3, 8)
    encoder = detection_blocks.ImageEncoderBlock(8, 2, 16).to(d)
    decoder = detection_blocks.ObjectDecoderBlock(8, 2, 16).to(d)
    apart = detection_blocks.SeparatedDecoderBlock(8, 2, 16).to(d)
    bias = floats(d, 2, 2, 3, 6)
    return [
        encoder(memory, positions=places),
        decoder(x, memory, query_positions=asked, positions=places, bias=bias),
        apart(x, memory, query_positions=asked, positions=places, bias=bias),
        decoder.attention_maps(x, memory, query_positions=asked, positions=places),
        detection_blocks.QueryHead(8, 4).to(d)(x),
        detection_blocks.ConvBackbone(8).to(d)(floats(d, 2, 3, 32, 32)),
    ]


NOT_HERE["solo construye capas"] = ("layers.image.detection_blocks.convolution",)


@use(image_positions.resize_positions, image_positions.FixedPositions)
def grid_positions(d):
    table = image_positions.sinusoidal_positions_2d(2, 3, 8)
    fixed = image_positions.FixedPositions(table).to(d)
    return image_positions.resize_positions(table.to(d), (2, 3), (4, 6)), fixed(floats(d, 2, 7, 8))


@use(
    keypoint_heads.RegressionHead,
    keypoint_heads.SimCCHead,
    keypoint_heads.HeatmapHead,
    keypoint_heads.bell,
    keypoint_heads.heatmaps,
    keypoint_heads.peaks,
    keypoint_heads.refined,
)
def keypoints(d):
    tokens, points = floats(d, 2, 3, 8), torch.rand(2, 3, 2, device=d)
    heads = (
        keypoint_heads.RegressionHead(8),
        keypoint_heads.SimCCHead(8, 16),
        keypoint_heads.HeatmapHead(8, 8),
    )
    said = []
    for head in heads:
        predicted = head.to(d)(tokens)
        said.append((predicted, head.loss(predicted, points), head.decode(predicted)))
    return said, keypoint_heads.heatmaps(points, 8), keypoint_heads.peaks(floats(d, 2, 3, 8, 8))


@use(patch_block.ResidualPatchEmbedding)
def residual_patches(d):
    return patch_block.ResidualPatchEmbedding(3, 8, (2, 2), 8).to(d)(floats(d, 8, 3, 8, 8))


@use(patch_head.PatchHead, patch_head.patch_labels, patch_head.patch_loss)
def patch_classes(d):
    logits, real = patch_head.PatchHead(8, 5).to(d)(floats(d, 2, 4, 8)), ids(d, 6, 2, 16, 16)
    return logits, patch_head.patch_loss(logits, real)


@use(
    patches.split_patches,
    patches.join_patches,
    patches.shuffle_patches,
    patches.PatchShuffle,
    patches.PatchEmbedding,
    patches.ConvStem,
)
def image_patches(d):
    images = floats(d, 2, 3, 8, 8)
    cut = patches.split_patches(images, 4)
    return [
        patches.join_patches(cut, 3, (2, 2)),
        patches.shuffle_patches(images),
        patches.PatchShuffle()(images),
        patches.PatchEmbedding(3, 4, 8).to(d)(images),
        patches.ConvStem(3, 4, 8).to(d)(images),
    ]


@use(pixel_shuffle.pixel_shuffle, pixel_shuffle.Projector)
def joined_neighbours(d):
    states = floats(d, 2, 16, 4)
    return pixel_shuffle.pixel_shuffle(states, 2), pixel_shuffle.Projector(4, 8, 2).to(d)(states)


@use(pyramid.soft_split, pyramid.SpatialReductionAttention)
def pyramids(d):
    model = pyramid.SpatialReductionAttention(8, 2, 2).to(d)
    return pyramid.soft_split(floats(d, 2, 3, 8, 8), 3, 2, 1), model(floats(d, 2, 16, 8), (4, 4))


@use(rollout.attention_rollout)
def rollouts(d):
    return rollout.attention_rollout([floats(d, 2, 2, 5, 5).softmax(dim=-1) for _ in range(2)])


@use(segmentation_blocks.PixelDecoder, segmentation_blocks.MaskedDecoderBlock)
def segmentation(d):
    maps = [floats(d, 2, k, side, side) for k, side in ((4, 8), (8, 4), (16, 2))]
    x, memory, places = floats(d, 2, 3, 8), floats(d, 2, 4, 8), floats(d, 4, 8)
    block = segmentation_blocks.MaskedDecoderBlock(8, 2, 16).to(d)
    return [
        segmentation_blocks.PixelDecoder((4, 8, 16), 8).to(d)(maps),
        block(
            x,
            memory,
            memory_mask=yes(d, 2, 1, 3, 4),
            query_positions=floats(d, 3, 8),
            positions=places,
        ),
    ]


@use(
    shifted_windows.split_windows,
    shifted_windows.join_windows,
    shifted_windows.WindowBias,
    shifted_windows.WindowAttention,
)
def windows(d):
    model = shifted_windows.WindowAttention(8, 2, 4, shift=2).to(d)
    return model(floats(d, 2, 8, 8, 8)), model(floats(d, 2, 7, 6, 8)), model.bias()


@use(video.split_tubes, video.TubeEmbedding)
def tubes(d):
    videos = floats(d, 2, 3, 4, 8, 8)
    return video.split_tubes(videos, (2, 4, 4)), video.TubeEmbedding(3, (2, 4, 4), 8).to(d)(videos)
