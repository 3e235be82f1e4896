"""Casos ligeros de los modelos de imágenes, de sonido y de varias modalidades."""

from functools import partial

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, counts, floats, ids
from tfcourse.models import (
    anchored_detr,
    answer_classifier,
    bert,
    bottom_up,
    clip,
    cnn,
    convnext,
    deit,
    detr,
    dit,
    fusion,
    gpt,
    hybrid,
    late_fusion,
    mmbt,
    pix2seq,
    pose,
    segmentation,
    sepformer,
    setr,
    sound_classifier,
    swin,
    vision_language,
    vit,
    wav2vec2,
    whisper,
)

CASES: list[Case] = []
use = partial(case, CASES, mixed=True)
WIDTHS = dict(d_model=8, n_heads=2, d_hidden=16)
ONE_LAYER = dict(n_layers=1, **WIDTHS)
TWO_STACKS = dict(n_encoder=1, n_decoder=1, **WIDTHS)
NOT_HERE = {
    "es una configuración: no guarda tensores": (
        "models.anchored_detr.AnchoredConfig",
        "models.bottom_up.BottomUpConfig",
        "models.cnn.CnnConfig",
        "models.convnext.ConvNeXtConfig",
        "models.deit.DeiTConfig",
        "models.detr.DETRConfig",
        "models.dit.DiTConfig",
        "models.fusion.FusionConfig",
        "models.fusion.Variant",
        "models.mmbt.MmbtConfig",
        "models.pix2seq.Pix2SeqConfig",
        "models.pose.PoseConfig",
        "models.segmentation.MaskFormerConfig",
        "models.sepformer.SepFormerConfig",
        "models.setr.SETRConfig",
        "models.sound_classifier.SoundConfig",
        "models.swin.SwinConfig",
        "models.vit.ViTConfig",
        "models.wav2vec2.Wav2Vec2Config",
        "models.whisper.WhisperConfig",
    ),
    "solo construye lo que usan los casos": (
        "models.pose.build_head",
        "models.swin.swin_stage",
        "models.vit.image_positions",
        "models.whisper.whisper_sinusoids",
    ),
    "hace sus máscaras, en la CPU, para dibujarlas": ("models.fusion.variant_masks",),
}


def pictures(d, channels: int = 3, side: int = 32):
    """Dos imágenes."""
    return floats(d, 2, channels, side, side)


@use(
    anchored_detr.AnchoredDETR,
    anchored_detr.LearnedStart,
    detr.Detections,
    detr.ImageEncoder,
    detr.DETR,
)
def detectors(d):
    images, said = pictures(d), []
    sizes = dict(n_queries=4, **TWO_STACKS)
    models = [detr.DETR(detr.DETRConfig(3, **sizes))]
    for everything in (True, False):
        options = dict.fromkeys(("refined", "separated", "gaussian", "two_stage"), everything)
        config = anchored_detr.AnchoredConfig(3, **options, **sizes)
        models.append(anchored_detr.AnchoredDETR(config))
    for model in models:
        model = model.to(d)
        said += [model(images), model.attention_maps(images)]
    return said


@use(
    bottom_up.BottomUpPose,
    bottom_up.KeypointMaps,
    pose.KeypointTransformer,
    pose.check_image_side,
)
def poses(d):
    images = pictures(d, side=64)
    said = [bottom_up.BottomUpPose(bottom_up.BottomUpConfig(3, **ONE_LAYER)).to(d)(images)]
    for head in pose.HEADS:
        model = pose.KeypointTransformer(pose.PoseConfig(3, 64, head=head, **ONE_LAYER)).to(d)
        said += [model(images), model.locate(images), model.attention_maps(images)]
    return said


@use(clip.similarity, clip.Clip, clip.Siglip, mmbt.Mmbt)
def pictures_and_texts(d):
    tokens, lengths = ids(d, 9, 2, 5), counts(d, 5, 3)
    reader = bert.Bert(bert.BertConfig(9, **ONE_LAYER)).to(d)
    seer = vit.ViT(vit.ViTConfig(8, image_size=8, channels=3, **ONE_LAYER)).to(d)
    joined = clip.Clip(seer, reader, 8, 8).to(d)
    asked = clip.Siglip(seer, reader, 8, 8).to(d)
    both = mmbt.Mmbt(reader, mmbt.MmbtConfig(3, cls_id=1, sep_id=2)).to(d)
    images = pictures(d, side=16)
    small = pictures(d, side=8)
    said = joined(small, tokens, lengths), asked(small, tokens, lengths)
    return *said, both(images, tokens, lengths)


@use(
    cnn.SmallCnn,
    deit.DeiT,
    hybrid.FeatureTokens,
    hybrid.Hybrid,
    vit.ViT,
    vit.check_images,
    vit.resized,
)
def image_classifiers(d):
    images = pictures(d, 1, 8)
    backbone = cnn.SmallCnn(cnn.CnnConfig(3, widths=(4, 8)))
    config = vit.ViTConfig(3, **ONE_LAYER)
    patch = backbone.config.stride
    mixed = hybrid.Hybrid(vit.ViTConfig(3, patch_size=patch, **ONE_LAYER), backbone).to(d)
    plain = vit.ViT(config).to(d)
    student = deit.DeiT(deit.DeiTConfig(3, **ONE_LAYER)).to(d)
    return [
        backbone(images),
        mixed(images),
        plain(images),
        plain.attention_maps(images),
        vit.resized(plain, 16)(pictures(d, 1, 16)),
        student(images),
        student.both(images),
    ]


@use(dit.DiT)
def image_makers(d):
    model = dit.DiT(dit.DiTConfig(3, **ONE_LAYER)).to(d)
    asked = pictures(d, 1, 8), torch.rand(2, device=d), ids(d, 3, 2)
    return model(*asked), model.attention_maps(*asked)


@use(answer_classifier.AnswerClassifier, vision_language.VisionLanguage, vision_language.merge)
def readers_of_images(d):
    tower = vit.ViT(vit.ViTConfig(3, pool="media", **ONE_LAYER)).to(d)
    reader = gpt.GPT(gpt.GPTConfig(9, d_model=8, n_heads=2, n_layers=1)).to(d)
    model = vision_language.VisionLanguage(tower, reader, 0, factor=2).to(d)
    specialist = answer_classifier.AnswerClassifier(tower, 9, 3, 8, 2).to(d)
    tokens = torch.tensor([[1, 0, 0, 0, 0, 5]] * 2, device=d)
    asked = tokens, pictures(d, 1, 8)
    cache = model.start(*asked)
    said = reader.step(tokens[:, -1:], cache)[0], specialist(*asked)
    looks = [*model.attention_maps(*asked), *specialist.attention_maps(*asked)]
    return [model(*asked), *looks, *said]


@use(fusion.FusionEncoder, fusion.SoundTokens, fusion.FusionClassifier)
def fusions(d):
    images, waves, said = pictures(d, 1, 8), floats(d, 2, 8_000), []
    for name in (*fusion.VARIANTS, *fusion.UNIMODAL):
        model = fusion.FusionClassifier(fusion.FusionConfig(name, **(ONE_LAYER | {"n_layers": 2})))
        model = model.to(d)
        said += [model(images, waves), model(images, waves, chosen(d, 2, 2))]
    return said, model.attention_maps(images, waves)


@use(
    late_fusion.BottleneckEncoder,
    late_fusion.BottleneckClassifier,
    late_fusion.JointHeadClassifier,
)
def late_fusions(d):
    images, waves, said = pictures(d, 1, 8), floats(d, 2, 8_000), []
    config = fusion.FusionConfig("por separado", **(ONE_LAYER | {"n_layers": 2}))
    for kind in (late_fusion.BottleneckClassifier, late_fusion.JointHeadClassifier):
        model = kind(config).to(d)
        said += [model(images, waves), model.attention_maps(images, waves)]
    return said


@use(pix2seq.Pix2Seq, pix2seq.fine_waves)
def written_boxes(d):
    model = pix2seq.Pix2Seq(pix2seq.Pix2SeqConfig(3, 9, 2, **TWO_STACKS)).to(d)
    images, words = pictures(d), ids(d, 5, 2, 2, 6)
    with torch.no_grad():
        stepped = model.step(words[:, 0, :1], model.start(images))
    waves = pix2seq.fine_waves(torch.rand(3, 2, device=d), 8)
    return waves, model(images, words), stepped, model.attention_maps(images, words)


@use(
    segmentation.Segments,
    segmentation.PixelReader,
    segmentation.MaskFormer,
    segmentation.Mask2Former,
    setr.SETR,
)
def segmenters(d):
    images = pictures(d, side=64)
    config = segmentation.MaskFormerConfig(3, n_queries=4, d_pixel=8, **TWO_STACKS)
    sizes = dict(WIDTHS, n_encoder=1, d_model=16)
    return [
        segmentation.MaskFormer(config).to(d)(images),
        segmentation.Mask2Former(config).to(d)(images),
        setr.SETR(setr.SETRConfig(3, **sizes)).to(d)(images),
    ]


@use(sepformer.MaskNet, sepformer.SepFormer, sepformer.separate)
def separators(d):
    said = []
    for front, filters in (("stft", 0), ("aprendido", 8)):
        config = sepformer.SepFormerConfig(
            front=front, n_filters=filters, kernel=64, stride=16, n_blocks=1, chunk=6, **WIDTHS
        )
        model = sepformer.SepFormer(config).to(d)
        said += [model(floats(d, 2, 800)), sepformer.separate(model, floats(d, 800), 16_000)]
    return said


@use(sound_classifier.LogMel, sound_classifier.SoundStem, sound_classifier.SoundClassifier)
def sound_classifiers(d):
    config = sound_classifier.SoundConfig(3, center_bands=True, **ONE_LAYER)
    model, waves = sound_classifier.SoundClassifier(config).to(d), floats(d, 2, 8_000)
    return model(waves), model.attention_maps(waves)


@use(convnext.ConvNeXt, convnext.ConvNeXtBlock, convnext.ChannelsFirst)
def modern_convolutions(d):
    model = convnext.ConvNeXt(convnext.ConvNeXtConfig(3)).to(d)
    return model(pictures(d, 1, 32)), model.maps(pictures(d, 1, 32))


@use(swin.Swin, swin.SwinBlock, swin.PatchMerging)
def swins(d):
    model = swin.Swin(swin.SwinConfig(3)).to(d)
    return model(pictures(d, 1, 32)), model.maps(pictures(d, 1, 32))


@use(
    wav2vec2.normalized,
    wav2vec2.WaveEncoder,
    wav2vec2.ConvPositions,
    wav2vec2.Wav2Vec2,
    wav2vec2.Guess,
    wav2vec2.Wav2Vec2Pretraining,
    wav2vec2.WaveTagger,
)
def unlabelled_voices(d):
    config, waves = wav2vec2.Wav2Vec2Config(), floats(d, 2, 4_000)
    model = wav2vec2.Wav2Vec2Pretraining(config).to(d)
    length = config.frames(4_000)
    tagger = wav2vec2.WaveTagger(model.wav2vec2, 3, segments=2, frozen=True).to(d)
    guess = model(waves, chosen(d, 2, length), ids(d, length, 2, length, 4))
    return guess, tagger(waves), wav2vec2.normalized(waves)


@use(
    whisper.SpeechBlock,
    whisper.AudioEncoder,
    whisper.TextDecoder,
    whisper.Whisper,
    whisper.check_mels,
)
def transcribers(d):
    model = whisper.Whisper(whisper.WhisperConfig(9, **TWO_STACKS)).to(d)
    mels, written = floats(d, 2, 40, 60), ids(d, 9, 2, 4)
    with torch.no_grad():
        logits, state = model.step(written, model.start(mels))
    chosen_state = model.select(state, counts(d, 1, 0))
    return model(mels, written), logits, chosen_state, model.attention_maps(mels, written)
