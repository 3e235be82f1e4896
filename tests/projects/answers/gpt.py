"""Respuestas a los pasos del proyecto de GPT."""
# ruff: noqa: E501

WRONG = {
    "gpt-norma": (
        ("comienzo", ("torch.ones(d_model)", "torch.randn(d_model)")),
        ("resta-la-media", ("return self.gain * x *", "x = x - x.mean(-1, keepdim=True)\n        return self.gain * x *")),
        ("suma", (".mean(-1, keepdim=True)", ".sum(-1, keepdim=True)")),
        ("epsilon", ("(x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()", "(1 / (x.square().mean(-1, keepdim=True).sqrt() + 1e-6))")),
        ("epsilon", (" + 1e-6", "")),
        ("epsilon", ("1e-6", "1e-5")),
        ("sin-raiz", (").rsqrt()", ").reciprocal()")),
        ("ganancia", ("self.gain * x *", "self.gain + x *")),
        ("eje", ("mean(-1,", "mean(1,")),
        ("parametros", ("self.gain", "self.scale")),
        ("parametros", ("self.gain = nn.Parameter(torch.ones(d_model))", "self.gain = torch.ones(d_model)")),
        ("parametros", ("torch.ones(d_model)", "torch.ones(1)")),
        ("sin-super", ("super().__init__()", "object.__setattr__(self, 'training', False)"), ("self.gain = nn.Parameter(torch.ones(d_model))", "pass")),
        ("no-es-modulo", ("(nn.Module)", "")),
        ("constructor", ("d_model: int)", "d_model: int, eps)")),
        ("sin-gradiente", ("self.gain * x", "self.gain.data * x")),
        ("prohibida", ("return self.gain * x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()", "return F.rms_norm(x, self.gain.shape, self.gain, 1e-6)")),
        ("sin-return", ("return self.gain", "self.gain")),
        ("nombre", ("x.square()", "y.square()")),
    ),
    "gpt-giro": (
        ("vecinas", ("first, second = x.chunk(2, dim=-1)", "first, second = x[..., ::2], x[..., 1::2]"), ("torch.cat([", "torch.stack(["), ("], dim=-1)", "], dim=-1).flatten(-2)")),
        ("al-reves", ("cos - second * sin", "cos + second * sin"), ("cos + first * sin", "cos - first * sin")),
        ("start", ("torch.arange(start, start + length,", "torch.arange(0, length,")),
        ("start", ("torch.arange(start, start + length,", "torch.arange(start + 1, start + 1 + length,")),
        ("frecuencias", ("/ half)", "/ x.shape[-1])")),
        ("sin-gradiente", ("x.chunk(2, dim=-1)", "x.detach().chunk(2, dim=-1)")),
    ),
    "gpt-atencion": (
        ("guardado", ("        super().__init__()\n", "        super().__init__()\n        self.register_buffer('future', torch.ones(9, 9).triu(1))\n")),
        ("futuro", ("scores.masked_fill(future, -math.inf)", "scores")),
        ("a-si-misma", ("future.triu(n_keys - n_queries + 1)", "future.triu(n_keys - n_queries)"), ("scores = q", "future[:, 0] = False\n        scores = q")),
        ("tapa-despues", ("scores.masked_fill(future, -math.inf).softmax(-1)", "scores.softmax(-1).masked_fill(future, 0.0)")),
        ("tapado-con-un-numero", ("-math.inf", "-20.0")),
        ("tapado-con-un-numero", ("-math.inf", "-100.0")),
        ("ultimas", ("triu(n_keys - n_queries + 1)", "triu(1)")),
        ("escala", (" / math.sqrt(q.shape[-1])", "")),
        ("escala", ("math.sqrt(q.shape[-1])", "q.shape[-1]")),
        ("softmax-eje", (".softmax(-1)", ".softmax(-2)")),
        ("reparto", ("y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)", "y.reshape(len(y), self.n_heads, y.shape[1], -1)")),
        ("junta-mal", ("(weights @ v).transpose(1, 2).flatten(2)", "(weights @ v).reshape(len(q), n_queries, -1)")),
        ("que-se-gira", ("rotate(k, start), v", "rotate(k, start), rotate(v, start)")),
        ("que-se-gira", ("rotate(k, start), v", "k, v")),
        ("start", ("rotate(q, start), rotate(k, start)", "rotate(q, 0), rotate(k, 0)")),
        ("valores", ("start: int = 0)", "start: int = 1)")),
        ("sin-salida", ("self.out_proj((weights @ v).transpose(1, 2).flatten(2))", "(weights @ v).transpose(1, 2).flatten(2)")),
        ("sin-metodo", ("def mix", "def blend"), ("self.mix", "self.blend")),
        ("parametros", ("nn.Linear(d_model, d_model) for", "nn.Linear(d_model, d_model, bias=False) for")),
        ("prohibida", ("return self.out_proj((weights @ v)", "weights = F.scaled_dot_product_attention(q, k, v)\n        return self.out_proj((weights)")),
    ),
    "gpt-red": (
        ("gelu-exacta", (', approximate="tanh"', "")),
        ("activacion", ('F.gelu(self.hidden(x), approximate="tanh")', "F.relu(self.hidden(x))")),
        ("activacion", ('F.gelu(self.hidden(x), approximate="tanh")', "self.hidden(x)")),
        ("residuo", ("return self.output", "return x + self.output")),
        ("parametros", ("self.hidden", "self.first")),
        ("parametros", ("nn.Linear(d_model, d_hidden)", "nn.Linear(d_model, d_model)")),
    ),
    "gpt-bloque": (
        ("norma-detras", ("x + self.attention(self.norm1(x))", "self.norm1(x + self.attention(x))"), ("x + self.feed_forward(self.norm2(x))", "self.norm2(x + self.feed_forward(x))")),
        ("sin-residuo", ("x = x + self", "x = self"), ("return x + self", "return self")),
        ("residuo-normado", ("x = x + self", "x = self.norm1(x) + self")),
        ("en-paralelo", ("x = x + self", "y = x + self"), ("return x + self", "return y + self")),
        ("normas", ("self.feed_forward(self.norm2(x))", "self.feed_forward(self.norm1(x))")),
        ("normas", ("self.feed_forward(self.norm2(x))", "self.feed_forward(x)")),
        ("parametros", ("4 * d_model", "2 * d_model")),
    ),
    "gpt-modelo": (
        ("cuantas", ("[*found, self.closing_norm(found[-1])]", "[*found[1:], self.closing_norm(found[-1])]")),
        ("norma-final", ("self.closing_norm(found[-1])", "found[-1]")),
        ("escala", ("[self.embedding(tokens)]", "[self.embedding(tokens) * self.embedding.embedding_dim**0.5]")),
        ("el-mismo-bloque", ("found.append(block(found[-1]))", "found.append(self.blocks[0](found[-1]))")),
        ("probabilidades", ("return self.states(tokens)[-1] @ self.embedding.weight.T", "return (self.states(tokens)[-1] @ self.embedding.weight.T).softmax(-1)")),
        ("parametros", ("nn.ModuleList(Block(d_model, n_heads) for _ in range(n_layers))", "[Block(d_model, n_heads) for _ in range(n_layers)]")),
        ("sin-metodo", ("states", "floors")),
    ),
    "gpt-pesos": (
        ("tipo-de-dato", (".float()", "")),
        ("cruzadas", ('"norm1"', '"x"'), ('"norm2"', '"norm1"'), ('"x"', '"norm2"')),
        ("una-norma", ("own.replace(\"around_feed_forward.norm\", \"norm2\")", "own")),
        ("traspuestas", ("value.float()", "value.float().T if value.ndim == 2 and 'embedding' not in name else value.float()")),
        ("claves", ("return found", "return {}")),
    ),
    "gpt-perdida": (
        ("sin-desplazar", ("logits[:, :-1]", "logits"), ("tokens[:, 1:]", "tokens")),
        ("hacia-atras", ("logits[:, :-1]", "logits[:, 1:]"), ("tokens[:, 1:]", "tokens[:, :-1]")),
        ("suma", ("tokens[:, 1:].flatten())", "tokens[:, 1:].flatten(), reduction='sum')")),
        ("aplana-y-desplaza", ("logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()", "logits.flatten(0, 1)[:-1], tokens.flatten()[1:]")),
        ("sin-gradiente", ("logits[:, :-1]", "logits.detach()[:, :-1]")),
        ("tipo-equivocado", ("tokens[:, 1:].flatten())", "tokens[:, 1:].flatten()).item()")),
    ),
    "gpt-entrenador": (
        ("acumula", ("optimizer.zero_grad()", "pass")),
        ("sin-recorte", ("nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "pass")),
        ("recorta-siempre", ("nn.utils.clip_grad_norm_(model.parameters(), 1.0)", "norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0).clamp(max=1)\n        for p in model.parameters():\n            p.grad.div_(norm)")),
        ("recorta-a-dos", ("clip_grad_norm_(model.parameters(), 1.0)", "clip_grad_norm_(model.parameters(), 2.0)")),
        ("calentamiento", ("(t + 1) / warmup", "t / warmup")),
        ("coseno", ("if t < warmup else cosine", "if t < warmup else 1")),
        ("coseno", ("(t - warmup) / (len(batches) - warmup)", "t / len(batches)")),
        ("decaimiento", ('"weight_decay": 0.0', '"weight_decay": 0.1')),
        ("decaimiento", ('"weight_decay": 0.1', '"weight_decay": 0.0')),
        ("betas", (", betas=(0.9, 0.99)", ", betas=(0.9, 0.999)")),
        ("modo", ("model.train()", "pass")),
        ("modo-final", ("model.eval()", "pass")),
        ("elementos-tensor", ("losses.append(loss.item())", "losses.append(loss)")),
        ("sin-return", ("return losses", "losses")),
    ),
    "gpt-sorteo": (
        ("falta-el-que-cruza", ("before = probabilities.cumsum(-1) - probabilities", "before = probabilities.cumsum(-1)"), ("before >= top_p, 0.0", "(before > top_p) & (torch.arange(before.shape[-1]) > 0), 0.0")),
        ("valores", ("before >= top_p", "before > top_p")),
        ("uno-de-mas", ("before >= top_p", "before.roll(1, -1).index_fill(-1, torch.tensor([0]), 0) >= top_p")),
        ("recorta-antes", ("(logits / temperature).softmax(-1).sort(-1, descending=True)", "logits.softmax(-1).sort(-1, descending=True)"), ("torch.multinomial(kept,", "torch.multinomial(kept ** (1 / temperature),")),
        ("temperatura", ("logits / temperature", "logits * temperature")),
        ("sin-semilla", ("1, generator=generator", "1")),
        ("sin-nucleo", ("probabilities.masked_fill(before >= top_p, 0.0)", "probabilities")),
        ("al-reves", ("descending=True", "descending=False")),
        ("lugares", ("order.gather(-1, place)[:, 0]", "place[:, 0]")),
        ("forma", ("order.gather(-1, place)[:, 0]", "order.gather(-1, place)")),
        ("todos-iguales", ("torch.multinomial(kept,", "torch.multinomial((kept > 0).float(),")),
        ("el-mayor", ("place = torch.multinomial(kept, 1, generator=generator)", "place = kept.argmax(-1, keepdim=True)")),
        ("tipo-equivocado", ("return order.gather(-1, place)[:, 0]", "return 3")),
    ),
    "gpt-cache": (
        ("olvida", ("if self.past[depth] is not None", "if False"), ("self.length +=", "self.ignored =")),
        ("start", ("self.length)\n", "0)\n")),
        ("solo-el-comienzo", ("self.past[depth] = k, v", "self.past[depth] = self.past[depth] or (k, v)")),
        ("compartida", ("self.past = [None] * len(model.blocks)\n        self.length = 0", "self.past = vars(model).setdefault('past', [None] * len(model.blocks))\n        self.counts = vars(model).setdefault('counts', [0])"), ("self.length)\n", "self.counts[0])\n"), ("self.length += tokens.shape[1]", "self.counts[0] += tokens.shape[1]")),
        ("sin-metodo", ("def read", "def ride")),
        ("formas", ("dim=2", "dim=1")),
    ),
    "gpt-haz": (
        ("voraz", ("[:width]", "[:1]")),
        ("voraz", ("for token, extra in enumerate(step(tokens))", "for token, extra in [max(enumerate(step(tokens)), key=lambda pair: pair[1])]")),
        ("suma-probabilidades", ("score + extra", "score + math.exp(extra)")),
        ("solo-el-ultimo", ("(score + extra,", "(extra,")),
        ("con-comienzo", ("tokens[len(start) :]", "tokens")),
        ("la-peor", ("kept[0]", "kept[-1]")),
    ),
}  # fmt: skip

RELEE = """
class Writer:
    def __init__(self, model):
        self.model, self.tokens = model, None

    def read(self, tokens):
        self.tokens = tokens if self.tokens is None else torch.cat([self.tokens, tokens], 1)
        return self.model(self.tokens)[:, -tokens.shape[1] :]
"""
WHOLE_WRONG = {"gpt-cache": (("relee", RELEE),)}

RIGHT = {
    "gpt-norma": """
class RMSNorm(nn.Module):
    def __init__(self, size):
        super(RMSNorm, self).__init__()
        self.register_parameter("gain", nn.Parameter(torch.empty(size).fill_(1.0)))

    def forward(self, vectors):
        norm = torch.linalg.vector_norm(vectors, dim=-1, keepdim=True)
        return vectors / torch.sqrt(norm**2 / vectors.shape[-1] + 1e-6) * self.gain
""",
    "gpt-giro": """
def rotate(x, start=0):
    half = x.shape[-1] // 2
    angles = torch.outer(
        torch.arange(x.shape[-2]) + start, torch.exp(-math.log(1e4) * torch.arange(half) / half)
    )
    swapped = torch.cat([-x[..., half:], x[..., :half]], -1)
    return x * angles.cos().repeat(1, 2) + swapped * angles.sin().repeat(1, 2)
""",
    "gpt-atencion": """
class CausalAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def heads(self, x, start=0):
        b, length, d = x.shape
        q, k, v = (
            layer(x).view(b, length, self.h, d // self.h).permute(0, 2, 1, 3)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        return rotate(q, start), rotate(k, start), v

    def mix(self, q, k, v):
        rows = []
        for i in range(q.shape[2]):
            seen = k.shape[2] - q.shape[2] + i + 1
            scores = torch.einsum("bhd,bhkd->bhk", q[:, :, i], k[:, :, :seen]) * q.shape[-1] ** -0.5
            rows.append(torch.einsum("bhk,bhkd->bhd", scores.softmax(-1), v[:, :, :seen]).flatten(1))
        return self.out_proj(torch.stack(rows, 1))

    def forward(self, x):
        q, k, v = self.heads(x)
        return self.mix(q, k, v)
""",
    "gpt-red": """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.hidden, self.output = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.gelu = nn.GELU("tanh")

    def forward(self, x):
        return self.output(self.gelu(self.hidden(x)))
""",
    "gpt-bloque": """
class Block(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_model * 4)
        self.norm2 = RMSNorm(d_model)
        self.attention = CausalAttention(d_model, n_heads)
        self.norm1 = RMSNorm(d_model)

    def forward(self, x):
        mixed = x + self.attention.mix(*self.attention.heads(self.norm1(x), 0))
        return mixed + self.feed_forward(self.norm2(mixed))
""",
    "gpt-modelo": """
class GPT(nn.Module):
    def __init__(self, n_tokens, d_model, n_heads, n_layers):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_model)
        self.blocks = nn.Sequential(*[Block(d_model, n_heads) for _ in range(n_layers)])
        self.closing_norm = RMSNorm(d_model)
        self.register_buffer("unused", torch.zeros(3), persistent=False)

    def states(self, tokens):
        out = [x := self.embedding.weight[tokens]]
        out += [x := block(x) for block in self.blocks]
        out.append(self.closing_norm(x))
        return out

    def forward(self, tokens):
        return F.linear(self.closing_norm(self.blocks(self.embedding(tokens))), self.embedding.weight)
""",
    "gpt-pesos": """
def rename(weights):
    import re
    own = {"attention": "norm1", "feed_forward": "norm2"}
    return {
        re.sub(r"around_(attention|feed_forward)[.]norm", lambda m: own[m[1]], k): v.to(torch.float32)
        for k, v in weights.items()
    }
""",
    "gpt-perdida": """
def next_token_loss(logits, tokens):
    logs = F.log_softmax(logits, -1)
    picked = [logs[:, i, :].gather(1, tokens[:, i + 1 : i + 2]) for i in range(tokens.shape[1] - 1)]
    return -torch.cat(picked).mean()
""",
    "gpt-entrenador": """
def train(model, batches, lr, warmup):
    matrices = [p for p in model.parameters() if p.dim() > 1]
    vectors = [p for p in model.parameters() if p.dim() <= 1]
    opt = torch.optim.AdamW(
        [{"params": matrices}, {"params": vectors, "weight_decay": 0}],
        lr=lr, betas=(0.9, 0.99), weight_decay=0.1,
    )
    rest = len(batches) - warmup
    plan = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda t: (t + 1) / warmup if t < warmup
        else (1 + math.cos(math.pi * (t - warmup) / max(rest, 1))) / 2,
    )
    model.train(True)
    out = []
    for batch in batches:
        loss = next_token_loss(model(batch), batch)
        opt.zero_grad(set_to_none=False)
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*matrices, *vectors], max_norm=1)
        opt.step()
        plan.step()
        out.append(loss.item())
    model.train(False)
    return out
""",
    "gpt-sorteo": """
def choose(logits, temperature, top_p, generator=None):
    if temperature == 0:
        return torch.argmax(logits, dim=-1)
    p = torch.softmax(logits / temperature, -1)
    larger = (p[:, None, :] > p[:, :, None]).float()
    p = p * ((larger * p[:, None, :]).sum(-1) < top_p - 1e-6)
    p = p / p.sum(-1, keepdim=True)
    draw = torch.rand(len(p), 1, generator=generator)
    return (p.cumsum(-1) < draw).sum(-1).clamp(max=p.shape[-1] - 1)
""",
    "gpt-cache": """
class Writer:
    def __init__(self, model):
        self.model = model
        self.keys, self.values = {}, {}
        self.seen = 0

    def read(self, tokens):
        model, x = self.model, self.model.embedding(tokens)
        for block in model.blocks:
            q, k, v = block.attention.heads(block.norm1(x), start=self.seen)
            self.keys.setdefault(block, []).append(k)
            self.values.setdefault(block, []).append(v)
            k, v = torch.cat(self.keys[block], 2), torch.cat(self.values[block], 2)
            x = x + block.attention.mix(q, k, v)
            x = x + block.feed_forward(block.norm2(x))
        self.seen += x.shape[1]
        return F.linear(model.closing_norm(x), model.embedding.weight)
""",
    "gpt-haz": """
def beam_search(step, start, width, length):
    beams = {tuple(start): 0.0}
    for _ in range(length):
        options = {}
        for tokens, score in beams.items():
            logs = torch.tensor(step(list(tokens)))
            for token in logs.topk(min(width, len(logs))).indices.tolist():
                options[(*tokens, token)] = score + float(logs[token])
        beams = dict(sorted(options.items(), key=lambda item: -item[1])[:width])
    best = max(beams, key=beams.get)
    return list(best[len(start) :]), beams[best]
""",
}
