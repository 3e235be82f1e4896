"""Casos ligeros de las medidas."""

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, counts, floats, ids, yes
from tfcourse.metrics import (
    calibration,
    classes,
    coco,
    multiplications,
    ranking,
    sequences,
    time_and_memory,
)

CASES: list[Case] = []
NOT_HERE = {
    "no recibe tensores: números, textos o una configuración": (
        "metrics.edit_distance.edit_distance",
        "metrics.edit_distance.error_rate",
        "metrics.intervals.wilson_interval",
        "metrics.intervals.mean_interval",
        "metrics.intervals.mcnemar",
        "metrics.intervals.paired_bootstrap",
        "metrics.multiplications.global_attention_macs",
        "metrics.multiplications.cross_attention_macs",
        "metrics.multiplications.window_attention_macs",
        "metrics.multiplications.reduced_attention_macs",
        "metrics.multiplications.feed_forward_macs",
        "metrics.multiplications.vit_macs",
        "metrics.multiplications.swin_macs",
        "metrics.multiplications.convnext_macs",
        "metrics.backends.attention_backend",
        "metrics.backends.kernel_dtype",
        "metrics.coco.official_precision",
        "metrics.translation.translation_scores",
        "metrics.translation.scores_by_length",
        "metrics.multiplications.stage_macs",
        "metrics.multiplications.fusion_macs",
        "metrics.multiplications.soft_split_side",
        "metrics.sequences.exact_match",
        "metrics.time_and_memory.growth_exponent",
        "metrics.time_and_memory.now",
    ),
    "no toca los tensores: los crea la función que recibe": (
        "metrics.time_and_memory.saved_bytes",
        "metrics.time_and_memory.peak_bytes",
        "metrics.time_and_memory.training_seconds",
    ),
}


@case(
    CASES,
    calibration.Reliability,
    calibration.reliability,
    calibration.confidence_and_hits,
)
def confidence(d):
    sure, hits = calibration.confidence_and_hits(floats(d, 2, 5, 7).detach(), ids(d, 7, 2, 5), 0)
    measured = calibration.reliability(sure, hits)
    assert 0 <= measured.error <= 1
    return measured


@case(CASES, coco.coco_precision, coco.corner_and_size, coco.packed)
def coco_rules(d):
    box, mask = torch.tensor([0.5, 0.5, 0.5, 0.5], device=d), chosen(d, 8, 8)
    row = {"image_id": 0, "category_id": 1, "bbox": coco.corner_and_size(box, 8), "area": 16.0}
    truth = [row | {"id": 1, "iscrowd": 0}]
    found = coco.coco_precision("bbox", truth, [row | {"score": 0.9}], floats(d, 1, 3, 8, 8))
    assert found["AP"] > 0.9 and coco.packed(mask)["size"] == [8, 8]


@case(CASES, multiplications.n_parameters)
def sizes(d):
    assert multiplications.n_parameters(torch.nn.Linear(2, 3).to(d)) == 9


@case(CASES, ranking.area_under_roc)
def rankings(d):
    assert 0 <= ranking.area_under_roc(floats(d, 6).detach(), counts(d, 0, 1, 0, 1, 1, 0)) <= 1


@case(
    CASES,
    ranking.ranked,
    ranking.recall_at,
    ranking.reciprocal_rank,
    ranking.ndcg_at,
    ranking.check_search,
)
def searches(d):
    right = torch.eye(3, 6, dtype=torch.bool, device=d)
    hits = ranking.ranked(floats(d, 3, 6).detach(), right)
    ranking.check_search(hits, 2)
    return ranking.recall_at(hits, 2), ranking.reciprocal_rank(hits), ranking.ndcg_at(hits, 2)


@case(
    CASES,
    classes.class_scores,
    sequences.masked_accuracy,
    sequences.masked_perplexity,
    sequences.attended_mass,
    sequences.bits_per_character,
    sequences.text_log_probabilities,
    sequences.window_bits,
)
def texts(d):
    from tfcourse.models.bert import BertConfig, MaskedLM
    from tfcourse.models.gpt import GPT, GPTConfig
    from tfcourse.models.language import LanguageConfig, RecurrentLM

    filler = MaskedLM(BertConfig(9, d_model=8, n_heads=2, n_layers=1, d_hidden=16)).to(d).eval()
    # Los huecos llegan de la CPU, como los de un conjunto de datos.
    masks = torch.randint(9, (3, 4)), torch.randint(9, (3, 4)), torch.rand(3, 4) < 2
    assert 0 <= sequences.masked_accuracy(filler, masks) <= 1
    assert sequences.masked_perplexity(filler, masks) >= 1
    assert 0 <= classes.class_scores(ids(d, 3, 8), ids(d, 3, 8))["acierto"] <= 1
    weights = floats(d, 2, 3, 5).softmax(dim=-1)
    assert 0 <= sequences.attended_mass(weights, yes(d, 2, 3, 5)) <= 1.001

    reader = RecurrentLM(LanguageConfig(9, 4, 5)).to(d)
    window = ids(d, 9, 2, 4), ids(d, 9, 2, 4), torch.zeros(2, dtype=torch.bool, device=d)
    read = sequences.text_log_probabilities(reader, [window, window])
    assert sequences.bits_per_character(read) > 0
    gpt = GPT(GPTConfig(9, d_model=8, n_heads=2, n_layers=1, max_length=8)).to(d)
    assert sequences.window_bits(gpt, ids(d, 9, 40), 40, length=8, stride=4) > 0
    return read


@case(CASES)
def costs(d):
    x, weight = floats(d, 4, 5), floats(d, 5, 3)

    def forward():
        return (x @ weight).exp()

    assert time_and_memory.saved_bytes(forward) > 0
    assert time_and_memory.peak_bytes(forward) > 0
    time_and_memory.training_seconds({"una": forward}, repeats=1)
