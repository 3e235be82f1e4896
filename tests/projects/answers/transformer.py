"""Respuestas a los pasos del proyecto del Transformer."""
# ruff: noqa: E501

WRONG = {
    "tf-norma": (
        ("comienzo", ("torch.ones(d_model)", "torch.zeros(d_model)")),
        ("sin-media", ("centered = x - x.mean(-1, keepdim=True)", "centered = x")),
        ("entre-n-1", ("centered.square().mean(-1, keepdim=True)", "x.var(-1, keepdim=True)")),
        ("epsilon", ("(variance + 1e-5).sqrt()", "(variance.sqrt() + 1e-5)")),
        ("epsilon", ("1e-5", "1e-6")),
        ("sin-raiz", ("(variance + 1e-5).sqrt()", "(variance + 1e-5)")),
        ("ganancia", ("self.gain * centered", "centered")),
        ("ganancia", (".sqrt() + self.bias", ".sqrt()")),
        ("eje", ("-1, keepdim", "1, keepdim")),
        ("prohibida", ("self.gain = nn.Parameter(torch.ones(d_model))", "self.gain = nn.Parameter(torch.ones(d_model))\n        self.done = nn.LayerNorm(d_model, elementwise_affine=False)")),
        ("parametros", ("self.bias = nn.Parameter(torch.zeros(d_model))", "self.bias = 0")),
    ),
    "tf-posiciones": (
        ("tipo-de-dato", (".flatten(1)", ".flatten(1).double()")),
        ("mitades", ("torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)", "torch.cat([angles.sin(), angles.cos()], dim=-1)")),
        ("al-reves", ("[angles.sin(), angles.cos()]", "[angles.cos(), angles.sin()]")),
        ("frecuencias", ("torch.arange(0, d_model, 2, dtype=torch.float32)", "torch.arange(d_model // 2, dtype=torch.float32)")),
        ("desde-uno", ("torch.arange(length,", "torch.arange(1, length + 1,")),
        ("ejes-cambiados", (".flatten(1)", ".flatten(1).T")),
    ),
    "tf-mascaras": (
        ("negada", ("(source != 0)", "(source == 0)"), ("past[None", "~past[None")),
        ("a-si-misma", (".tril()", ".tril(-1)")),
        ("futuro", (".tril()", ".triu()")),
        ("por-consultas", ("[:, None, None, :]", "[:, None, :, None]")),
        ("tipo-de-dato", ("past[None, None]", "past[None, None].float()")),
        ("eje-perdido", ("[:, None, None, :]", "")),
    ),
    "tf-atencion": (
        ("mascara", ("masked_fill(~mask", "masked_fill(mask")),
        ("mascara", ("if mask is not None", "if False")),
        ("tapado-con-un-numero", ("-math.inf", "-20.0")),
        ("tapado-con-un-numero", ("-math.inf", "-100.0")),
        ("escala", (" / math.sqrt(q.shape[-1])", "")),
        ("escala", ("math.sqrt(q.shape[-1])", "math.sqrt(x.shape[-1])")),
        ("softmax-eje", ("scores.softmax(-1)", "scores.softmax(-2)")),
        ("reparto", ("y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)", "y.reshape(len(y), self.n_heads, y.shape[1], -1)")),
        ("junta-mal", (".transpose(1, 2).flatten(2))", ".reshape(*x.shape))")),
        ("de-donde-sale", ("self.v_proj(memory)", "self.v_proj(x)")),
        ("sin-salida", ("self.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))", "(scores.softmax(-1) @ v).transpose(1, 2).flatten(2)")),
        ("constructor", ("n_heads: int):", "n_heads: int, dropout):")),
    ),
    "tf-red": (
        ("activacion", ("F.relu", "F.gelu")),
        ("activacion", ("F.relu(self.hidden(x))", "self.hidden(x)")),
        ("relu-final", ("return self.output(F.relu(self.hidden(x)))", "return F.relu(self.output(F.relu(self.hidden(x))))")),
        ("residuo", ("return self.output", "return x + self.output")),
    ),
    "tf-codificador": (
        ("norma-detras", ("y = self.norm1(x)\n        x = x + self.attention(y, y, mask)", "x = self.norm1(x + self.attention(x, x, mask))"), ("x + self.feed_forward(self.norm2(x))", "self.norm2(x + self.feed_forward(x))")),
        ("sin-residuo", ("x = x + self", "x = self"), ("return x + self", "return self")),
        ("residuo-normado", ("x = x + self", "x = y + self")),
        ("claves-sin-norma", ("(y, y, mask)", "(y, x, mask)")),
        ("sin-mascara", ("(y, y, mask)", "(y, y)")),
        ("una-norma", ("self.norm2(x)", "self.norm1(x)")),
    ),
    "tf-decodificador": (
        ("sin-causal", ("(y, y, mask)", "(y, y)")),
        ("memoria-con-relleno", ("memory, memory_mask)\n        return", "memory)\n        return")),
        ("orden", ("y = self.norm1(x)\n        x = x + self.attention(y, y, mask)\n        x = x + self.cross_attention(self.norm2(x), memory, memory_mask)", "x = x + self.cross_attention(self.norm2(x), memory, memory_mask)\n        y = self.norm1(x)\n        x = x + self.attention(y, y, mask)")),
        ("memoria-normada", ("(self.norm2(x), memory, memory_mask)", "(self.norm2(x), self.norm2(memory), memory_mask)")),
        ("se-mira-dos-veces", ("(self.norm2(x), memory, memory_mask)", "(self.norm2(x), self.norm2(x), mask)")),
        ("sin-residuo", ("x = x + self.cross", "x = self.cross")),
    ),
    "tf-modelo": (
        ("escala", ("x * math.sqrt(x.shape[-1])", "x")),
        ("sin-posiciones", (" + positions(*x.shape[1:]).to(x)", "")),
        ("normas-finales", ("self.encoder_norm(x), mask", "x, mask")),
        ("normas-finales", ("self.decoder_norm(x) @", "x @")),
        ("probabilidades", ("return self.decoder_norm(x) @ self.embedding.weight.T", "return (self.decoder_norm(x) @ self.embedding.weight.T).softmax(-1)")),
        ("sin-metodo", ("def encode(", "def lee("), ("self.encode(", "self.lee(")),
        ("cuantas", ("return self.encoder_norm(x), mask", "return self.encoder_norm(x)"), ("*self.encode(source))", "self.encode(source), masks(source, 1)[0])")),
        ("guardado", ("        sizes = ", "        self.register_buffer('places', positions(64, d_model))\n        sizes = ")),
        ("guardado", ("        self.embedding = nn.Embedding(n_tokens, d_model)", "        self.embedding = nn.Embedding(n_tokens, d_model)\n        self.head = nn.Linear(d_model, n_tokens, bias=False)\n        self.head.weight = self.embedding.weight")),
        ("parametros", ("self.encoder_norm, self.decoder_norm = LayerNorm(d_model), LayerNorm(d_model)", "self.encoder_norm = self.decoder_norm = LayerNorm(d_model)")),
    ),
    "tf-pesos": (
        ("tipo-de-dato", (".float()", "")),
        ("norma-de-la-red", ('"norm3" if name.startswith("decoder.") else "norm2"', '"norm2"')),
        ("norma-de-la-red", ('"norm3" if name.startswith("decoder.") else "norm2"', '"norm3"')),
        ("embedding", ('.replace("source.table", "embedding")', "")),
        ("traspuestas", ("value.float()", "value.float().T if value.ndim == 2 and 'table' not in name else value.float()")),
    ),
    "tf-perdida": (
        ("sin-suavizar", (", label_smoothing=smoothing", "")),
        ("relleno", (", ignore_index=0", "")),
        ("reparto", ("label_smoothing=smoothing", "label_smoothing=smoothing * logits.shape[-1] / (logits.shape[-1] - 1)")),
        ("suma", ("ignore_index=0", "ignore_index=0, reduction='sum'")),
        ("sin-gradiente", ("logits.flatten", "logits.detach().flatten")),
    ),
    "tf-ritmo": (
        ("maximo", ("min(", "max(")),
        ("un-tramo", ("min(step**-0.5, step * warmup**-1.5)", "step**-0.5")),
        ("con-d", ("d_model**-0.5", "d_model**0.5")),
        ("desde-cero", ("min(step**-0.5, step *", "min((step + 1)**-0.5, (step + 1) *")),
        ("sin-return", ("return ", "")),
    ),
    "tf-voraz": (
        ("no-para", ("row[: row.index(stop)] if stop in row else row for", "row for"), ("if ended.all()", "if False")),
        ("con-inicio", ("written[:, 1:]", "written")),
        ("con-fin", ("row[: row.index(stop)]", "row[: row.index(stop) + 1]")),
        ("la-primera", ("[:, -1]", "[:, 0]")),
        ("relee", ("token = model.decode(", "memory, mask = model.encode(source)\n        token = model.decode("), ("    memory, mask = model.encode(source)\n    written", "    written")),
        ("solo-uno", ("range(max_length)", "range(1)")),
        ("sigue", ("ended | (token == stop)", "ended & (token == stop)")),
    ),
}  # fmt: skip

WHOLE_WRONG = {}

RIGHT = {
    "tf-norma": """
class LayerNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(width))
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        variance, mean = torch.var_mean(x, -1, keepdim=True, correction=0)
        return torch.addcmul(self.bias, (x - mean) * torch.rsqrt(variance + 1e-5), self.gain)
""",
    "tf-posiciones": """
def positions(length, d_model):
    table = torch.zeros(length, d_model)
    for m in range(length):
        for i in range(d_model // 2):
            angle = m * math.exp(-2 * i / d_model * math.log(10_000))
            table[m, 2 * i], table[m, 2 * i + 1] = math.sin(angle), math.cos(angle)
    return table
""",
    "tf-mascaras": """
def masks(source, length):
    places = torch.arange(length)
    return source.bool().unsqueeze(1).unsqueeze(1), (places <= places[:, None]).view(1, 1, length, length)
""",
    "tf-atencion": """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.out_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)

    def forward(self, x, memory, mask=None):
        q, k, v = self.q_proj(x), self.k_proj(memory), self.v_proj(memory)
        size, mixed = q.shape[-1] // self.h, []
        for h in range(self.h):
            own = slice(h * size, (h + 1) * size)
            scores = torch.bmm(q[..., own], k[..., own].transpose(1, 2)) * size**-0.5
            if mask is not None:
                scores = torch.where(mask[:, 0], scores, torch.finfo(scores.dtype).min)
            mixed.append(torch.softmax(scores, dim=-1) @ v[..., own])
        return self.out_proj(torch.cat(mixed, -1))
""",
    "tf-red": """
class FeedForward(nn.Module):
    def __init__(self, d_model, d_hidden):
        super().__init__()
        self.add_module("hidden", nn.Linear(d_model, d_hidden))
        self.add_module("output", nn.Linear(d_hidden, d_model))

    def forward(self, x):
        return self.output(torch.clamp(self.hidden(x), min=0))
""",
    "tf-codificador": """
class EncoderBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.feed_forward = FeedForward(d_model, d_hidden)
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm2 = LayerNorm(d_model)
        self.norm1 = LayerNorm(d_model)

    def forward(self, x, mask):
        x = x + self.attention(self.norm1(x), self.norm1(x), mask=mask)
        x = x + self.feed_forward(self.norm2(x))
        return x
""",
    "tf-decodificador": """
class DecoderBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        for name in ("norm1", "norm2", "norm3"):
            setattr(self, name, LayerNorm(d_model))
        for name in ("attention", "cross_attention"):
            setattr(self, name, MultiHeadAttention(d_model, n_heads))
        self.feed_forward = FeedForward(d_model, d_hidden)

    def forward(self, x, memory, mask, memory_mask):
        a = x + self.attention(self.norm1(x), self.norm1(x), mask)
        b = a + self.cross_attention(self.norm2(a), memory, memory_mask)
        return b + self.feed_forward(self.norm3(b))
""",
    "tf-modelo": """
class Transformer(nn.Module):
    def __init__(self, n_tokens, d_model, n_heads, d_hidden, n_layers):
        super().__init__()
        self.embedding = nn.Embedding(n_tokens, d_model)
        self.encoder, self.decoder = nn.ModuleList(), nn.ModuleList()
        for _ in range(n_layers):
            self.encoder.append(EncoderBlock(d_model, n_heads, d_hidden))
            self.decoder.append(DecoderBlock(d_model, n_heads, d_hidden))
        self.encoder_norm = LayerNorm(d_model)
        self.decoder_norm = LayerNorm(d_model)

    def look(self, tokens):
        d_model = self.embedding.embedding_dim
        return d_model**0.5 * self.embedding.weight[tokens] + positions(tokens.shape[1], d_model)

    def encode(self, source):
        x, mask = self.look(source), masks(source, 2)[0]
        for block in self.encoder:
            x = block(x, mask)
        return self.encoder_norm(x), mask

    def decode(self, target, memory, mask):
        x = self.look(target)
        for block in self.decoder:
            x = block(x, memory, masks(target, target.shape[1])[1], mask)
        return F.linear(self.decoder_norm(x), self.embedding.weight)

    def forward(self, source, target):
        memory, mask = self.encode(source)
        return self.decode(target, memory, mask)
""",
    "tf-pesos": """
def rename(weights):
    import re
    order = {"encoder": {"attention": 1, "feed_forward": 2}, "decoder": {"attention": 1, "cross_attention": 2, "feed_forward": 3}}
    found = {}
    for name, value in weights.items():
        side = name.split(".")[0]
        name = re.sub(r"around_(\\w+)[.]norm", lambda m: f"norm{order[side][m[1]]}", name)
        found["embedding.weight" if name == "source.table.weight" else name] = value.type(torch.float32)
    return found
""",
    "tf-perdida": """
def smoothed_loss(logits, target, smoothing):
    logs = logits.log_softmax(-1)[target != 0]
    right = logs.gather(-1, target[target != 0][:, None])[:, 0]
    return -((1 - smoothing) * right + smoothing * logs.mean(-1)).mean()
""",
    "tf-ritmo": """
def rate(step, d_model, warmup):
    shape = step / warmup**1.5 if step < warmup else 1 / math.sqrt(step)
    return shape / math.sqrt(d_model)
""",
    "tf-voraz": """
def translate(model, source, start, stop, max_length):
    memory, mask = model.encode(source)
    rows = []
    for i in range(len(source)):
        written = [start]
        while len(written) <= max_length:
            logits = model.decode(torch.tensor([written]).expand(len(source), -1), memory, mask)[i, -1]
            token = int(torch.argmax(logits))
            if token == stop:
                break
            written.append(token)
        rows.append(written[1:])
    return rows
""",
}
