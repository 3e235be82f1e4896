"""Casos ligeros de los modelos de secuencias."""

from functools import partial

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, counts, floats, ids
from tfcourse.models import (
    attentive,
    bert,
    classifier,
    fasttext,
    gap_filling,
    gato,
    glove,
    gpt,
    language,
    lookup,
    modern,
    needles,
    ngrams,
    permutation,
    readers,
    recurrent,
    risk,
    segmented_bert,
    sentence,
    seq2seq,
    t5,
    tfidf,
    transformer,
    transformer_xl,
    wirings,
    word2vec,
)
from tfcourse.tokenizers.token_rows import TokenBatch

CASES: list[Case] = []
use = partial(case, CASES, mixed=True)
V = 9  # tokens de los vocabularios de mentira
SMALL = dict(d_model=8, n_heads=2, n_layers=1, d_hidden=16)
NOT_HERE = {
    "es una configuración: no guarda tensores": (
        "models.bert.BertConfig",
        "models.gato.GatoConfig",
        "models.gpt.GPTConfig",
        "models.language.LanguageConfig",
        "models.lookup.LookupConfig",
        "models.modern.ModernConfig",
        "models.modern.build_attention",
        "models.modern.build_mixer",
        "models.modern.build_rotaries",
        "models.needles.NeedleConfig",
        "models.recurrent.RecurrentConfig",
        "models.seq2seq.Seq2SeqConfig",
        "models.t5.T5Config",
        "models.transformer.TransformerConfig",
        "models.transformer_xl.TransformerXLConfig",
    ),
    "trabaja con textos": (
        "models.fasttext.word_ngrams",
        "models.lexicon.Scope",
        "models.lexicon.LexiconScorer",
        "models.tfidf.TfIdf",
        "models.tfidf.TfIdfClassifier",
        "models.inverted.InvertedIndex",
        "models.inverted.TfIdfIndex",
        "models.inverted.Bm25",
    ),
    "solo construye o cuenta lo que usan los casos": (
        "models.lookup.output_layer",
        "models.t5.parameter_count",
        "models.gato.value_vectors",
    ),
}


def bert_of(d, kind):
    """Un modelo diminuto de la familia de BERT."""
    return kind(bert.BertConfig(V, **SMALL)).to(d)


@use(
    bert.Bert,
    bert.BertEmbedding,
    bert.MaskedHead,
    bert.MaskedLM,
    bert.bert_initialization,
    segmented_bert.SegmentedLM,
)
def berts(d):
    tokens, lengths, segments = ids(d, V, 2, 5), counts(d, 5, 3), ids(d, 2, 2, 5)
    model, filler = bert_of(d, bert.Bert), bert_of(d, bert.MaskedLM)
    model.apply(bert.bert_initialization)
    states = model(tokens, lengths, segments)
    return [
        model.summary(states),
        model.attention_maps(tokens[:1], lengths[:1], segments[:1]),
        filler(tokens, lengths),
        filler(tokens, lengths, chosen(d, 2, 5)),
        bert_of(d, segmented_bert.SegmentedLM)(tokens, lengths, segments, chosen(d, 2, 5)),
    ]


@use(permutation.PermutationLM, permutation.ask)
def permutations(d):
    order = torch.stack([torch.randperm(5, device=d) for _ in range(2)])
    return bert_of(d, permutation.PermutationLM)(ids(d, V, 2, 5), order)


@use(risk.RiskHead)
def risks(d):
    model = risk.RiskHead(bert_of(d, bert.Bert)).to(d)
    return model(ids(d, V, 2, 5), counts(d, 5, 3), ids(d, 2, 2, 5))


@use(
    classifier.first_state,
    classifier.mean_state,
    classifier.Classifier,
    readers.end_states,
    readers.max_state,
    readers.RecurrentEncoder,
    readers.ConvolutionEncoder,
    readers.AttentionEncoder,
)
def classifiers(d):
    tokens, lengths, said = ids(d, V, 2, 6), counts(d, 6, 3), []
    config = transformer.TransformerConfig(V, V, **SMALL)
    encoders = (
        (readers.RecurrentEncoder(V, 8, 5), 10, readers.end_states),
        (readers.ConvolutionEncoder(V, 8, 10), 10, readers.max_state),
        (readers.AttentionEncoder(config), 8, classifier.mean_state),
        (readers.AttentionEncoder(config), 8, classifier.first_state),
    )
    for encoder, width, pool in encoders:
        model = classifier.Classifier(encoder, width, 3, pool=pool).to(d)
        said.append(model(tokens, lengths))
    return said, encoder.attention_maps(tokens[:1], lengths[:1])


@use(fasttext.SubwordSkipGram, word2vec.SkipGram, word2vec.negative_sampling_loss)
def skip_grams(d):
    subwords = fasttext.SubwordSkipGram(["casa", "casas", "caso", "mesa"], 5).to(d)
    batch = ids(d, 4, 6), ids(d, 4, 6), ids(d, 4, 3)
    losses = [
        word2vec.negative_sampling_loss(model, batch)
        for model in (word2vec.SkipGram(4, 5).to(d), subwords)
    ]
    return losses, subwords.vectors(), subwords.vector_of("casita")


@use(glove.GloVe, glove.glove_loss)
def gloves(d):
    model = glove.GloVe(4, 5).to(d)
    batch = ids(d, 4, 6), ids(d, 4, 6), torch.rand(6, device=d) + 1
    return glove.glove_loss(model, batch), model.vectors()


@use(gap_filling.GapFiller)
def gaps(d):
    model = gap_filling.GapFiller(V, 4, d_embedding=4, d_before=5, d_after=5).to(d)
    return model(ids(d, V, 2, 3), ids(d, V, 2, 4))


@use(gato.Gato, gato.gato_loss, gato.next_scored, gato.allowed_only)
def generalists(d):
    config = gato.GatoConfig(
        12, 4, 4, channels=1, sound_features=6, max_length=8, d_model=8, n_heads=2, n_layers=1
    )
    model, tokens = gato.Gato(config).to(d), ids(d, 5, 2, 6)
    tokens[0, :4], tokens[1, 2] = config.patch_id, config.sound_id  # una imagen y un sonido
    batch = TokenBatch(
        tokens, ids(d, 4, 2, 6), chosen(d, 2, 6), floats(d, 4, 1, 4, 4), floats(d, 1, 6)
    )
    logits, cache = model(batch), model.cache()
    with torch.no_grad():
        model.states(batch, cache)
    return logits, gato.gato_loss(model, batch), gato.allowed_only(logits, ids(d, 12, 3))


@use(gpt.GPT, gpt.GPTBlock, gpt.initialize_gpt)
def gpts(d):
    written = []
    for positions in ("aprendidas", "rotatorias"):
        config = gpt.GPTConfig(V, 8, 2, 1, 12, positions=positions)
        model, tokens = gpt.initialize_gpt(gpt.GPT(config).to(d)), ids(d, V, 2, 5)
        with torch.no_grad():
            stepped, _ = model.step(tokens[:, :1], model.start(tokens))
        written += [model(tokens), stepped, model.attention_maps(tokens[:1])]
    return written


@use(sentence.MeanEncoder)
def sentences(d):
    encoder = sentence.MeanEncoder(bert.Bert(bert.BertConfig(V, **SMALL, max_length=8))).to(d)
    return encoder(ids(d, V, 2, 5), counts(d, 5, 3))


@use(modern.ModernLM, modern.ModernBlock, modern.initialize)
def moderns(d):
    written = []
    for pieces in ({"d_latent": 4, "d_rotary": 2}, {"mixer": "expertos", "window": 2}):
        config = modern.ModernConfig(V, 8, 2, 1, 12, 6, **pieces)
        model, tokens = modern.ModernLM(config).to(d), ids(d, V, 2, 5)
        modern.initialize(model)
        with torch.no_grad():
            stepped, _ = model.step(tokens[:, :1], model.start(tokens))
        written += [model(tokens), stepped]
    return written


@use(language.RecurrentLM)
def recurrent_languages(d):
    written = []
    for cell in ("rnn", "lstm", "gru"):
        model = language.RecurrentLM(language.LanguageConfig(V, 4, 5, cell)).to(d)
        logits, state = model(ids(d, V, 2, 4))
        written += [logits, model.step(ids(d, V, 2, 1), state)]
    return written


@use(lookup.LookupReader)
def lookups(d):
    model = lookup.LookupReader(lookup.LookupConfig(d_model=8)).to(d)
    game = ids(d, 16, 2, 5), ids(d, 10, 2, 5), ids(d, 16, 2, 2)
    return model(*game), model.attention_maps(*game)


@use(needles.NeedleFinder)
def every_needle(d):
    from tfcourse.layers.kernels import KERNELS

    tokens, found = (ids(d, 3, 2, 16), ids(d, 8, 2, 16), ids(d, 10, 2, 16)), []
    for kernel in KERNELS:
        config = needles.NeedleConfig(16, kernel, n_questions=2, d_model=8, budget=4)
        found.append(needles.NeedleFinder(config).to(d)(*tokens))
    return found


@case(CASES, ngrams.Counts, ngrams.CountModel)
def word_counts(d):
    model = ngrams.CountModel(3, V).fit(ids(d, V, 40))
    logits, _ = model.step(ids(d, V, 2, 1), ids(d, V, 2, 3))
    return model.probability(model.windows(ids(d, V, 6))), logits, model.tables[0][0]


@case(CASES, tfidf.LogisticRegression)
def regressions(d):
    x, labels = floats(d, 6, 4).detach(), counts(d, 0, 1, 2, 0, 1, 2)
    return tfidf.LogisticRegression().fit(x, labels, 3).logits(x)


@use(recurrent.RecurrentReader)
def recurrent_readers(d):
    written = []
    for cell in ("rnn", "lstm", "gru"):
        model = recurrent.RecurrentReader(recurrent.RecurrentConfig(cell, d_hidden=5)).to(d)
        written += [model(floats(d, 2, 4, 2)), model.cell()]
    return written


@use(
    seq2seq.Memory,
    seq2seq.Encoder,
    seq2seq.FixedContextDecoder,
    seq2seq.BahdanauDecoder,
    seq2seq.LuongDecoder,
    seq2seq.Seq2Seq,
    seq2seq.check_source,
    attentive.AttentiveDecoder,
)
def sequences_to_sequences(d):
    from tfcourse.layers.alignment.aligned import AlignedAttention
    from tfcourse.layers.alignment.functions import AdditiveAlignment

    source, lengths, target = ids(d, V, 2, 5, low=3), counts(d, 5, 3), ids(d, V, 2, 4)
    configs = [
        seq2seq.Seq2SeqConfig(V, V, name, d_embedding=4, d_hidden=6)
        for name in ("fijo", "bahdanau", "luong")
    ]
    attention = AlignedAttention(AdditiveAlignment(6, 12, 8))
    decoder = attentive.AttentiveDecoder(V, 4, 6, 12, attention)
    models = [*map(seq2seq.Seq2Seq, configs), seq2seq.Seq2Seq(configs[1], decoder)]
    written = []
    for model in models:
        state = model.to(d).start(source, lengths)
        written += [model(source, lengths, target), model.step(target[:, :1], state), state[0]]
    return written, models[1].attention_maps(source, lengths, target)


@use(
    t5.T5,
    t5.T5Attention,
    t5.T5FeedForward,
    t5.T5Block,
    t5.T5Stack,
    transformer.Memory,
    transformer.TokenEmbedding,
    transformer.Rereader,
    transformer.Transformer,
)
def transformers(d):
    source, lengths, target = ids(d, V, 2, 5, low=3), counts(d, 5, 3), ids(d, V, 2, 4)
    models = (
        t5.T5(t5.T5Config(V, d_head=4, **SMALL)),
        transformer.Transformer(transformer.TransformerConfig(V, V, dropout=0.1, **SMALL)),
    )
    written = []
    for model in models:
        state = model.to(d).start(source, lengths)
        logits, state = model.step(target[:, :1], state)
        written += [model(source, lengths, target), logits, model.select(state, counts(d, 1, 1))]
    return written, models[1].attention_maps(source, lengths, target)


@use(transformer_xl.TransformerXL, transformer_xl.TransformerXLBlock)
def long_memories(d):
    config = transformer_xl.TransformerXLConfig(V, memory_length=4, **SMALL)
    model = transformer_xl.TransformerXL(config).to(d)
    _, memory = model(ids(d, V, 2, 4))
    return model(ids(d, V, 2, 4), memory)


@use(
    wirings.OutputEachStep,
    wirings.SingleOutput,
    wirings.OutputFeedback,
    wirings.VectorToSequence,
)
def every_wiring(d):
    x = floats(d, 2, 3, 4)
    described = wirings.VectorToSequence(4, V, 3, 5).to(d)
    feedback = wirings.OutputFeedback(4, 5, 2).to(d)
    state = described.start(x[:, 0])
    return [
        wirings.OutputEachStep(4, 5, 2).to(d)(x),
        wirings.SingleOutput(4, 5, 2).to(d)(x),
        feedback(x),
        feedback(x, floats(d, 2, 3, 2)),
        described(x[:, 0], ids(d, V, 2, 3)),
        described.step(ids(d, V, 2, 1), state),
    ]
