"""Visión y lenguaje: paridad con LLaVA, dónde entra la imagen, por dónde va el gradiente."""

import pytest
import torch
from torch import nn

from tfcourse.models.answer_classifier import AnswerClassifier
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.models.vision_language import VisionLanguage, merge
from tfcourse.models.vit import ViT, ViTConfig

IMAGE = 9


def built(factor=2, positions="rotatorias"):
    torch.manual_seed(0)
    tower = ViT(ViTConfig(
        3, image_size=8, patch_size=2, channels=3, d_model=12, n_heads=2, n_layers=1, d_hidden=16,
        pool="media",
    ))  # fmt: skip
    language = GPT(GPTConfig(
        12, d_model=16, n_heads=2, n_layers=2, max_length=32, positions=positions,
        norm="cuadratica",
    ))  # fmt: skip
    model = VisionLanguage(tower, language, IMAGE, factor).double().eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    return model


def pictures(seed=1, n=2):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, 3, 8, 8, generator=generator).double()


def talk(n_image, n=2):
    return torch.tensor([[1, *[IMAGE] * n_image, 4, 5, 6, 7]] * n)


def test_same_as_llava_of_transformers_with_its_weights():
    library = pytest.importorskip("transformers")
    from tfcourse.official.loading import load_official

    sizes = dict(num_hidden_layers=2, num_attention_heads=2, hidden_size=16, intermediate_size=24)
    seen = dict(image_size=8, patch_size=2, **sizes)
    read = dict(vocab_size=12, max_position_embeddings=32, num_key_value_heads=1, **sizes)
    torch.manual_seed(0)
    theirs = library.LlavaForConditionalGeneration(library.LlavaConfig(
        vision_config=library.SiglipVisionConfig(**seen), text_config=library.LlamaConfig(**read),
        image_token_id=IMAGE, image_token_index=IMAGE, vision_feature_layer=-1,
        vision_feature_select_strategy="full",
    )).double().eval()  # fmt: skip
    for parameter in theirs.parameters():
        nn.init.normal_(parameter, std=0.2)
    tower = library.SiglipModel(library.SiglipConfig(
        vision_config=seen, text_config=dict(vocab_size=12, max_position_embeddings=8, **sizes)
    )).double()  # fmt: skip
    tower.vision_model.load_state_dict(theirs.model.vision_tower.state_dict(), strict=False)
    language = library.LlamaForCausalLM(library.LlamaConfig(**read)).double()
    language.model.load_state_dict(theirs.model.language_model.state_dict())
    language.lm_head.load_state_dict(theirs.lm_head.state_dict())
    ours = VisionLanguage(
        load_official(tower).model.image_tower, load_official(language).model, IMAGE
    ).double().eval()  # fmt: skip
    ours.tower.norm = nn.Identity()  # LLaVA lee la última capa sin la norma que la cierra
    projector = theirs.model.multi_modal_projector
    ours.projector.hidden.load_state_dict(projector.linear_1.state_dict())
    ours.projector.output.load_state_dict(projector.linear_2.state_dict())
    with torch.no_grad():
        wanted = theirs(input_ids=talk(16), pixel_values=pictures()).logits
        torch.testing.assert_close(ours(talk(16), pictures()), wanted, rtol=1e-6, atol=1e-8)


def test_the_image_goes_where_its_marks_are():
    model = built()
    tokens, images = talk(4), pictures()
    x, seen = model.embed(tokens, images), model.look(images)
    assert x[:, 1:5].equal(seen) and model.n_image == 4
    assert x[:, [0, 5, 6, 7, 8]].equal(model.language.embedding(tokens[:, [0, 5, 6, 7, 8]]))
    apart = torch.tensor([[IMAGE, 2, IMAGE, IMAGE, 3, IMAGE]])
    mixed = model.embed(apart, images[:1])
    assert mixed[0, [0, 2, 3, 5]].equal(seen[0])


def test_learned_places_are_added_to_the_image_too():
    model = built(positions="aprendidas")
    x = model.embed(talk(4), pictures())
    torch.testing.assert_close(
        x[:, 1:5], model.look(pictures()) + model.language.positions.weight[1:5]
    )


def test_without_image_it_is_the_language_model():
    model, tokens = built(), talk(0)
    torch.testing.assert_close(model(tokens), model.language(tokens))
    # Leer los vectores que daría la tabla es leer las palabras.
    torch.testing.assert_close(model.read(model.language.embedding(tokens)), model(tokens))


def test_each_picture_changes_its_row_and_only_what_comes_after():
    model, images = built(), pictures()
    tokens = torch.tensor([[1, 2, *[IMAGE] * 4, 4, 5]] * 2)
    other = images.clone()
    other[1] = pictures(7)[1]
    change = (model(tokens, other) - model(tokens, images)).abs().amax(-1)
    assert not change[0].any() and not change[1, :2].any() and (change[1, 2:] > 1e-9).all()


def test_writing_token_by_token_is_reading_at_once():
    model, tokens, images = built(), talk(4), pictures()
    whole = model(tokens, images)
    cache = model.start(tokens[:, :-2], images)
    for place in (-2, -1):
        logits, cache = model.language.step(tokens[:, place, None], cache)
        torch.testing.assert_close(logits, whole[:, place])


def test_the_gradient_reaches_the_projector_through_a_frozen_reader():
    model = built().train()
    model.requires_grad_(False)
    model.projector.requires_grad_(True)
    before = model.language.embedding.weight.clone()
    model(talk(4), pictures()).logsumexp(-1).sum().backward()
    moved = {name for name, value in model.named_parameters() if value.grad is not None}
    assert moved == {f"projector.{part}.{kind}" for part in ("hidden", "output")
                     for kind in ("weight", "bias")}  # fmt: skip
    assert all(model.get_parameter(name).grad.abs().max() > 0 for name in moved)
    assert model.language.embedding.weight.equal(before)


def test_maps_are_those_of_the_reader_and_look_back():
    model = built()
    towers, *maps = model.attention_maps(talk(4), pictures())
    torch.testing.assert_close(towers, model.tower.attention_maps(pictures())[0])
    without = model.attention_maps(talk(0))
    torch.testing.assert_close(without, model.language.attention_maps(talk(0)))
    assert [tuple(one.shape) for one in maps] == [(2, 2, 9, 9)] * 2
    assert all(one.triu(1).abs().max() == 0 for one in maps)
    torch.testing.assert_close(maps[0].sum(-1), torch.ones(2, 2, 9).double())


def test_a_wrong_number_of_marks_is_explained():
    model = built()
    with pytest.raises(ValueError, match="tiene 3 marcas de imagen y la imagen da 4 tokens"):
        model(talk(3), pictures())
    with pytest.raises(ValueError, match="tiene 4 marcas de imagen y la imagen da 0 tokens"):
        model(talk(4))
    with pytest.raises(ValueError, match="tiene 2 marcas"):
        merge(torch.zeros(1, 3, 2), torch.tensor([[True, True, False]]), torch.zeros(1, 1, 2))


@pytest.mark.lento
def test_it_memorises_a_batch():
    model = built().float().train()
    images, tokens = pictures(n=6).float(), talk(4, 6)
    tokens[:, -1] = torch.arange(6)
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(80):
        logits = model(tokens[:, :-1], images)[:, -1]
        loss = nn.functional.cross_entropy(logits, tokens[:, -1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.05


def specialist():
    torch.manual_seed(0)
    model = AnswerClassifier(built().tower, 12, 5, d_model=20, n_heads=2).double().eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.3)
    nn.init.zeros_(model.embedding.weight[0])
    return model


def test_the_specialist_reads_a_bag_of_words_and_skips_the_padding():
    model, images = specialist(), pictures()
    words = torch.tensor([[3, 4, 5], [6, 7, 0]])
    said = model(words, images)
    assert said.shape == (2, 5)
    torch.testing.assert_close(model(words[:, [2, 0, 1]], images), said)
    torch.testing.assert_close(model(words[1:, :2], images[1:]), said[1:])
    assert not torch.allclose(model(words, images.flip(0)), said)
    states = model.seen(images)
    _, maps = model.attention_maps(words, images)
    assert maps.shape == (2, 2, 1, 16)
    torch.testing.assert_close(maps, model.attention.attention_maps(model.asked(words), states))


def test_the_specialist_can_tell_where_its_patches_are():
    """Los mismos parches en otro orden: sin posiciones propias, «dónde» no se podría contestar."""
    model, words, order = specialist(), torch.tensor([[3, 4, 5]]), torch.randperm(16)
    states = model.tower.encode(pictures(n=1))
    saying = {}
    for name, own in (("en su sitio", states), ("movidos", states[:, order])):
        model.tower.encode = lambda _, own=own: own
        saying[name] = model(words, pictures(n=1))
    assert not torch.allclose(saying["en su sitio"], saying["movidos"])
