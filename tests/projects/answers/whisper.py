"""Respuestas a los pasos del proyecto de Whisper."""
# ruff: noqa: E501

WRONG = {
    "wh-potencia": (
        ("sin-ventana", (" * window", "")),
        ("ventana-simetrica", ("math.pi * n / n_fft", "math.pi * n / (n_fft - 1)")),
        ("sin-reflejar", ("F.pad(waves[:, None], (n_fft // 2, n_fft // 2), mode=\"reflect\")[:, 0]", "waves")),
        ("con-ceros", (", mode=\"reflect\"", "")),
        ("modulo", (".abs().square()", ".abs()")),
        ("todas", ("fft.rfft", "fft.fft")),
        ("traspuesto", (".square().transpose(1, 2)", ".square()")),
        ("prohibido", ("pieces = padded.unfold(-1, n_fft, hop) * window\n    return torch.fft.rfft(pieces).abs().square().transpose(1, 2)", "return torch.stft(waves, n_fft, hop, window=window, return_complex=True).abs().square()")),
        ("sin-gradiente", ("waves[:, None]", "waves.detach()[:, None]")),
    ),
    "wh-filtros": (
        ("en-hercios", ("corners = 700 * (10 ** (torch.linspace(0, top, n_mels + 2) / 2595) - 1)", "corners = torch.linspace(0, sample_rate / 2, n_mels + 2)")),
        ("sin-cortar", (".clamp(min=0)", "")),
        ("hasta-fs", ("sample_rate / 2 / 700", "sample_rate / 700")),
        ("separados", ("n_mels + 2", "2 * n_mels + 1"), ("corners[:-2, None], corners[1:-1, None], corners[2:, None]", "corners[:-2:2, None], corners[1:-1:2, None], corners[2::2, None]")),
        ("area", ("return torch.minimum(rising, falling).clamp(min=0)", "return torch.minimum(rising, falling).clamp(min=0) * 2 / (right - left)")),
        ("casillas", ("* sample_rate / n_fft", "* sample_rate / (n_fft // 2)")),
        ("traspuesto", (".clamp(min=0)", ".clamp(min=0).T")),
        ("forma", ("n_mels + 2", "n_mels + 1")),
        ("tipo-de-dato", (".clamp(min=0)", ".clamp(min=0).double()")),
    ),
    "wh-logmel": (
        ("suelo", (".clamp(min=1e-10)", "")),
        ("suelo", (".clamp(min=1e-10).log10()", ".add(1e-10).log10()")),
        ("ultima-columna", (", hop)[..., :-1]", ", hop)")),
        ("logaritmo", (".log10()", ".log()")),
        ("logaritmo", ("log10()", "log10() * 10")),
        ("sin-recortar", ("    x = x.maximum(x.amax((1, 2), keepdim=True) - 5)\n", "")),
        ("del-lote", ("x.amax((1, 2), keepdim=True)", "x.max()")),
        ("del-lote", ("x.mean((1, 2), keepdim=True), x.std((1, 2), keepdim=True, correction=0)", "x.mean(), x.std(correction=0)")),
        ("ejes", ("x.mean((1, 2), keepdim=True), x.std((1, 2),", "x.mean(2, keepdim=True), x.std(2,")),
        ("ejes", ("x.mean((1, 2), keepdim=True), x.std((1, 2),", "x.mean(1, keepdim=True), x.std(1,")),
        ("sin-nivelar", ("return (x - mean) / (std + 1e-5)", "return x")),
        ("sin-nivelar", ("return (x - mean) / (std + 1e-5)", "return x - mean")),
        ("epsilon", ("(std + 1e-5)", "std")),
        ("epsilon", ("(std + 1e-5)", "std.clamp(min=1e-5)")),
        ("epsilon", ("return (x - mean) / (std + 1e-5)", "return F.layer_norm(x, x.shape[1:])")),
        ("sin-return", ("return (x", "(x")),
    ),
    "wh-entrada": (
        ("activacion", ("F.gelu(", "F.relu(")),
        ("activacion", ("F.gelu(self.second(F.gelu(self.first(mels))))", "F.gelu(self.second(F.gelu(self.first(mels), approximate='tanh')), approximate='tanh')")),
        ("activacion", ("F.gelu(self.second(F.gelu(self.first(mels))))", "self.second(F.gelu(self.first(mels)))")),
        ("zancada", ("stride=2, ", "")),
        ("zancada", ("nn.Conv1d(n_mels, d_model, 3, padding=1)", "nn.Conv1d(n_mels, d_model, 3, stride=2, padding=1)"), ("nn.Conv1d(d_model, d_model, 3, stride=2, padding=1)", "nn.Conv1d(d_model, d_model, 3, padding=1)")),
        ("sin-relleno", (", padding=1", "")),
        ("sin-posiciones", ("x + torch.cat([angles.sin(), angles.cos()], dim=1)", "x")),
        ("orden", ("torch.cat([angles.sin(), angles.cos()], dim=1)", "torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)")),
        ("orden", ("[angles.sin(), angles.cos()]", "[angles.cos(), angles.sin()]")),
        ("frecuencias", ("(half - 1)", "half")),
        ("parametros", ("nn.Conv1d(n_mels, d_model, 3, padding=1)", "nn.Conv1d(n_mels, d_model, 5, padding=2)")),
        ("parametros", ("padding=1)\n\n", "padding=1)\n        self.places = nn.Parameter(torch.zeros(1))\n\n")),
        ("formas", ("x + torch.cat([angles.sin(), angles.cos()], dim=1)", "x + torch.cat([angles.sin(), angles.cos()], dim=1)[:16]")),
    ),
    "wh-atencion": (
        ("cambiadas", ("self.split(self.k_proj(source)), self.split(self.v_proj(source))", "self.split(self.v_proj(source)), self.split(self.k_proj(source))")),
        ("escala", (" / math.sqrt(q.shape[-1])", "")),
        ("escala", ("math.sqrt(q.shape[-1])", "math.sqrt(x.shape[-1])")),
        ("softmax-eje", ("scores.softmax(-1)", "scores.softmax(-2)")),
        ("ve-el-futuro", ("if causal:", "if False:")),
        ("ve-el-futuro", ("scores = scores.masked_fill(ones.triu(n_keys - n_queries + 1), -math.inf)", "return scores.softmax(-1) * ~ones.triu(n_keys - n_queries + 1)")),
        ("tapado-con-un-numero", ("-math.inf", "-20.0")),
        ("tapado-con-un-numero", ("-math.inf", "-100.0")),
        ("siempre-causal", ("if causal:", "if True:")),
        ("desde-el-principio", ("triu(n_keys - n_queries + 1)", "triu(1)")),
        ("reparto", ("x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)", "x.reshape(len(x), self.n_heads, x.shape[1], -1)")),
        ("junta-mal", ("mixed.transpose(1, 2).flatten(2)", "mixed.reshape(x.shape)")),
        ("sin-salida", ("return self.out_proj(mixed.transpose(1, 2).flatten(2))", "return mixed.transpose(1, 2).flatten(2)")),
        ("parametros", (", bias=False", "")),
        ("sin-metodo", ("def prepare", "def preparar")),
        ("numero-de-salidas", ("return self.split(self.k_proj(source)), self.split(self.v_proj(source))", "return self.split(self.k_proj(source))")),
        ("prohibida", ("mixed = self.weights(x, keys, causal) @ values", "mixed = F.scaled_dot_product_attention(self.split(self.q_proj(x)), keys, values)")),
    ),
    "wh-oyente": (
        ("norma-detras", ("y = self.norm1(x)\n        x = x + self.attention(y, *self.attention.prepare(y))", "x = self.norm1(x + self.attention(x, *self.attention.prepare(x)))"), ("return x + self.output(F.gelu(self.hidden(self.norm2(x))))", "return self.norm2(x + self.output(F.gelu(self.hidden(x))))")),
        ("sin-residuo", ("x = x + self", "x = self"), ("return x + self", "return self")),
        ("residuo-normado", ("x = x + self", "x = y + self")),
        ("claves-sin-norma", ("prepare(y)", "prepare(x)")),
        ("causal", ("prepare(y))", "prepare(y), True)")),
        ("activacion", ("F.gelu", "F.relu")),
        ("activacion", ("F.gelu(self.hidden(self.norm2(x)))", "F.gelu(self.hidden(self.norm2(x)), approximate='tanh')")),
        ("una-norma", ("self.norm2(x)", "self.norm1(x)")),
        ("epsilon", ("nn.LayerNorm(d_model), nn.LayerNorm(d_model)", "nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)")),
        ("parametros", ("self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)", "self.norm1 = self.norm2 = nn.LayerNorm(d_model)")),
    ),
    "wh-escritor": (
        ("orden", ("y = self.norm1(x)\n", "x = x + self.cross_attention(self.norm2(x), *heard)\n        y = self.norm1(x)\n"), ("causal=True)\n        x = x + self.cross_attention(self.norm2(x), *heard)\n", "causal=True)\n")),
        ("ve-el-futuro", (", causal=True", "")),
        ("cruzada-causal", ("*heard)", "*heard, causal=True)")),
        ("futuro-con-cache", ("causal=True", "causal=past is None")),
        ("epsilon", ("nn.LayerNorm(d_model)", "nn.LayerNorm(d_model, eps=1e-6)")),
        ("olvida", ("if past is not None:", "if False:")),
        ("solo-lo-nuevo", ("now = self.attention.prepare(y)\n", "now = fresh = self.attention.prepare(y)\n"), ("self.norm3(x)))), now", "self.norm3(x)))), fresh")),
        ("detras-lo-viejo", ("zip(past, now, strict=True)", "zip(now, past, strict=True)")),
        ("normas", ("self.norm2(x), *heard", "x, *heard")),
        ("normas", ("self.norm3(x)", "self.norm2(x)")),
        ("sin-residuo", ("x = x + self", "x = self"), ("return x + self", "return self")),
        ("activacion", ("F.gelu", "F.relu")),
        ("activacion", ("F.gelu(self.hidden(self.norm3(x)))", "F.gelu(self.hidden(self.norm3(x)), approximate='tanh')")),
        ("numero-de-salidas", ("return x + self.output(F.gelu(self.hidden(self.norm3(x)))), now", "return x + self.output(F.gelu(self.hidden(self.norm3(x))))")),
    ),
    "wh-modelo": (
        ("norma-al-oir", ("return self.heard_norm(x)", "return x")),
        ("norma-al-escribir", ("self.written_norm(x) @", "x @")),
        ("sin-posiciones", (" + self.places.weight[begin : begin + tokens.shape[1]]", "")),
        ("lugar-desde-cero", ("begin = 0 if past[0] is None else past[0][0].shape[2]", "begin = 0")),
        ("olvida", ("block(x, own, before)", "block(x, own)")),
        ("valores", ("now = []", "now, old = past, [*past]"), ("for block, own, before in zip(self.writing, heard, past, strict=True)", "for n, (block, own, before) in enumerate(zip(self.writing, heard, old, strict=True))"), ("now.append(kept)", "now[n] = kept")),
        ("valores", ("begin = 0 if past[0] is None else past[0][0].shape[2]", "begin = 0 if past[0] is None else self.count"), ("        now = []", "        self.count = begin + tokens.shape[1]\n        now = []")),
        ("probabilidades", ("@ self.embedding.weight.T, now", "@ self.embedding.weight.T).softmax(-1), now"), ("return self.written_norm(x)", "return (self.written_norm(x)")),
        ("un-bloque", ("for block in self.listening:", "for block in self.listening[:1]:"), ("        return self.written_norm(x)", "            break\n        return self.written_norm(x)")),
        ("numero-de-salidas", ("embedding.weight.T, now", "embedding.weight.T"), ("(mels)))[0]", "(mels)))")),
        ("sin-metodo", ("def start(", "def empezar("), ("self.start(", "self.empezar(")),
        ("parametros", ("self.written_norm = nn.LayerNorm(d_model)", "self.written_norm = nn.LayerNorm(d_model)\n        self.output = nn.Linear(d_model, n_tokens)")),
        ("constructor", ("d_hidden: int, n_layers: int,", "d_hidden: int,"), ("range(n_layers)", "range(2)")),
    ),
    "wh-pesos": (
        ("cabeza-ctc", ('name.startswith("ctc.") or ', "")),
        ("sesgo-de-las-claves", (' or name.endswith("k_proj.bias")', "")),
        ("norma-de-la-red", ('"norm2" if name.startswith("encoder") else "norm3"', '"norm2"')),
        ("norma-de-la-red", ('("around_cross_attention.norm", "norm2")', '("around_cross_attention.norm", "norm3")'), ('name.startswith("encoder") else "norm3"', 'name.startswith("encoder") else "norm2"')),
        ("red", ('            ("feed_forward.", ""), ', "            "), ("feed_forward.norm", "feed_forward.norm")),
        ("traspuestas", ("value.float()", "value.float().mT if value.ndim == 2 else value.float()")),
        ("tipo-de-dato", ("value.float()", "value")),
        ("tipo-de-dato", ("value.float()", "value.double()")),
    ),
    "wh-perdida": (
        ("cuenta-lo-dado", ("    counts[:, : n_prompt - 1] = False\n", "")),
        ("salta-una", ("n_prompt - 1", "n_prompt")),
        ("relleno", ("counts = ended == 0", "counts = ended >= 0")),
        ("relleno", ("return F.cross_entropy(logits[counts], wanted[counts])", "return F.cross_entropy(logits[counts], wanted[counts], reduction='sum') / counts.numel()")),
        ("sin-fin", ("counts = ended == 0", "counts = wanted != stop")),
        ("sin-desplazar", ("return F.cross_entropy(logits[counts], wanted[counts])", "return F.cross_entropy(logits[counts], tokens[:, :-1][counts])")),
        ("por-frase", ("return F.cross_entropy(logits[counts], wanted[counts])", "each = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), reduction='none').view_as(wanted)\n    return ((each * counts).sum(1) / counts.sum(1)).mean()")),
        ("suma", ("wanted[counts])", "wanted[counts], reduction='sum')")),
        ("sin-gradiente", ("logits[counts]", "logits.detach()[counts]")),
    ),
    "wh-voraz": (
        ("relee", ("model.step(tokens, heard, past)", "model.step(tokens, heard)"), ("tokens = last[:, None]", "tokens = torch.cat([tokens, last[:, None]], 1)")),
        ("relee-con-cache", ("tokens = last[:, None]", "tokens = torch.cat([tokens, last[:, None]], 1)")),
        ("sin-cache", ("model.step(tokens, heard, past)", "model.step(tokens, heard)")),
        ("repite-el-comienzo", ("        tokens = last[:, None]\n", "")),
        ("sin-comienzo", ("torch.tensor([prompt] *", "torch.tensor([prompt[-1:]] *")),
        ("oye-otra-vez", ("        logits, past", "        heard = model.start(model.encode(mels)) if written else heard\n        logits, past")),
        ("oye-otra-vez", ("heard, past = model.start(model.encode(mels)), None", "memory, past = model.encode(mels), None"), ("model.step(tokens, heard,", "model.step(tokens, model.start(memory),")),
        ("no-corta", ("return [row[: row.index(stop)] if stop in row else row for row in rows]", "return rows")),
        ("con-fin", ("row[: row.index(stop)]", "row[: row.index(stop) + 1]")),
        ("con-comienzo", ("return [row[: row.index(stop)] if stop in row else row for row in rows]", "return [prompt + (row[: row.index(stop)] if stop in row else row) for row in rows]")),
        ("oye-otra-vez", ("        logits, past", "        heard = model.start(model.encode(mels))\n        logits, past")),
        ("no-corta", ("return [row[: row.index(stop)] if stop in row else row for row in rows]", "return [[token for token in row if token != stop] for row in rows]")),
        ("para-en-la-primera", ("ended.all()", "ended.any()")),
        ("sin-parar", ("        if ended.all():\n            break\n", "")),
        ("sin-parar", ("    rows = torch", "    model.step(last[:, None], heard, past)\n    rows = torch")),
    ),
    "wh-wer": (
        ("por-frase", ("edits, words = edits + row[-1], words + len(right)", "edits, words = edits + row[-1] / len(right), words + 1")),
        ("entre-lo-escrito", ("words + len(right)", "words + len(said)")),
        ("letras", ("text.split(), wanted.split()", "list(text), list(wanted)")),
        ("sin-altas", ("row = row, [i]", "row = row, [0]"), ("before[j] + 1", "before[j]")),
        ("cambio-doble", ("(word != other)", "2 * (word != other)")),
        ("valores", ("start=1):\n            before", "start=2):\n            before")),
        ("hasta-uno", ("return edits / words", "return min(1.0, edits / words)")),
        ("sin-return", ("return edits", "edits")),
    ),
}  # fmt: skip

WHOLE_WRONG = {
    "wh-voraz": (
        ("fila-a-fila", """
@torch.no_grad()
def write(model, mels, prompt, stop, max_length):
    rows = []
    for mel in mels:
        heard, past, row = model.start(model.encode(mel[None])), None, []
        tokens = torch.tensor([prompt])
        while len(row) < max_length:
            logits, past = model.step(tokens, heard, past)
            token = logits[0, -1].argmax().item()
            if token == stop:
                break
            row.append(token)
            tokens = torch.tensor([[token]])
        rows.append(row)
    return rows
"""),
        ("de-una-vez", """
@torch.no_grad()
def write(model, mels, prompt, stop, max_length):
    tokens = torch.tensor([prompt] * len(mels))
    while tokens.shape[1] < len(prompt) + max_length:
        tokens = torch.cat([tokens, model(mels, tokens)[:, -1:].argmax(-1)], 1)
        if (tokens[:, len(prompt) :] == stop).any(1).all():
            break
    rows = tokens[:, len(prompt) :].tolist()
    return [row[: row.index(stop)] if stop in row else row for row in rows]
"""),
    ),
    "wh-wer": (
        ("intercambio", """
def word_error_rate(written, expected):
    edits = count = 0
    for a, b in zip(written, expected):
        a, b = a.split(), b.split()
        d = [[max(i, j) for j in range(len(b) + 1)] for i in range(len(a) + 1)]
        for i in range(1, len(a) + 1):
            for j in range(1, len(b) + 1):
                change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1])
                d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, change)
                if i > 1 and j > 1 and a[i - 2 : i] == b[j - 2 : j][::-1]:
                    d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1)
        edits, count = edits + d[-1][-1], count + len(b)
    return edits / count
"""),
        ("sitio-a-sitio", """
def word_error_rate(written, expected):
    pairs = [(a.split(), b.split()) for a, b in zip(written, expected)]
    edits = sum(sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b)) for a, b in pairs)
    return edits / sum(len(b) for _, b in pairs)
"""),
        ("frases-mal", """
def word_error_rate(written, expected):
    return sum(a != b for a, b in zip(written, expected)) / len(expected)
"""),
    ),
}  # fmt: skip

RIGHT = {
    "wh-potencia": """
def power_spectrogram(waves, n_fft, hop):
    half = n_fft // 2
    padded = torch.cat([waves[:, 1 : half + 1].flip(1), waves, waves[:, -half - 1 : -1].flip(1)], 1)
    n = torch.arange(n_fft)
    window = torch.sin(math.pi * n / n_fft) ** 2
    angles = 2 * math.pi / n_fft * (n[:, None] * torch.arange(half + 1) % n_fft)
    kernels = torch.cat([window[:, None] * angles.cos(), window[:, None] * angles.sin()], 1)
    real, imaginary = F.conv1d(padded[:, None], kernels.T[:, None], stride=hop).chunk(2, 1)
    return real**2 + imaginary**2
""",
    "wh-filtros": """
def mel_filters(sample_rate, n_fft, n_mels):
    top = 1127.01048 * math.log(1 + sample_rate / 1400)
    corners = [700 * math.expm1(top * i / (n_mels + 1) / 1127.01048) for i in range(n_mels + 2)]
    bank = torch.zeros(n_mels, n_fft // 2 + 1)
    for i in range(n_mels):
        low, middle, high = corners[i : i + 3]
        for k in range(n_fft // 2 + 1):
            f = k * sample_rate / n_fft
            if low < f <= middle:
                bank[i, k] = (f - low) / (middle - low)
            elif middle < f < high:
                bank[i, k] = (high - f) / (high - middle)
    return bank
""",
    "wh-logmel": """
def log_mel(waves, filters, hop):
    power = power_spectrogram(waves, 2 * filters.shape[1] - 2, hop)
    mels = torch.einsum("mf,bft->bmt", filters, power[:, :, : waves.shape[1] // hop])
    x = torch.log10(torch.clamp(mels, 1e-10))
    flat = x.flatten(1)
    flat = torch.maximum(flat, flat.max(1, keepdim=True).values - 5.0)
    centered = flat - flat.mean(1, keepdim=True)
    return (centered / (centered.pow(2).mean(1, keepdim=True).sqrt() + 1e-5)).view_as(x)
""",
    "wh-entrada": """
class AudioInput(nn.Module):
    def __init__(self, n_mels, d_model):
        super().__init__()
        self.second = nn.Conv1d(d_model, d_model, kernel_size=3, padding="same")
        self.first = nn.Conv1d(n_mels, d_model, kernel_size=3, padding="same")

    def forward(self, mels):
        gelu = nn.GELU()
        x = gelu(self.second(gelu(self.first(mels))))[:, :, ::2].mT
        rates = 10_000 ** -torch.linspace(0, 1, x.shape[-1] // 2)
        angles = torch.outer(torch.arange(x.shape[1], dtype=torch.float32), rates)
        return torch.cat((torch.sin(angles), torch.cos(angles)), -1) + x
""",
    "wh-atencion": """
class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h, self.size = n_heads, d_model // n_heads
        for name in ("out_proj", "v_proj", "k_proj", "q_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=name != "k_proj"))

    def prepare(self, source):
        return [torch.stack(y.chunk(self.h, -1), 1) for y in (self.k_proj(source), self.v_proj(source))]

    def weights(self, x, keys, causal=False):
        q = torch.stack(self.q_proj(x).chunk(self.h, -1), 1)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, keys) * self.size**-0.5
        if causal:
            places = torch.arange(keys.shape[2], device=x.device)
            own = places[-x.shape[1] :]
            scores = torch.where(places > own[:, None], float("-inf"), scores)
        return torch.softmax(scores, dim=-1)

    def forward(self, x, keys, values, causal=False):
        mixed = self.weights(x, keys, causal) @ values
        return self.out_proj(torch.cat(list(mixed.unbind(1)), -1))
""",
    "wh-oyente": """
class EncoderBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = Attention(d_model, n_heads)
        self.output, self.hidden = nn.Linear(d_hidden, d_model), nn.Linear(d_model, d_hidden)
        for name in ("norm2", "norm1"):
            setattr(self, name, nn.LayerNorm([d_model]))

    def forward(self, x):
        keys, values = self.attention.prepare(self.norm1(x))
        x = x + self.attention(self.norm1(x), keys, values)
        h = self.hidden(self.norm2(x))
        return x + self.output(h * 0.5 * (1 + torch.erf(h * 0.5**0.5)))
""",
    "wh-escritor": """
class DecoderBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        for name in ("norm1", "norm2", "norm3"):
            setattr(self, name, nn.LayerNorm(d_model))
        for name in ("cross_attention", "attention"):
            setattr(self, name, Attention(d_model, n_heads))
        self.output, self.hidden = nn.Linear(d_hidden, d_model), nn.Linear(d_model, d_hidden)

    def forward(self, x, heard, past=None):
        keys, values = self.attention.prepare(self.norm1(x))
        if past:
            keys, values = torch.cat([past[0], keys], -2), torch.cat([past[1], values], -2)
        x = x + self.attention(self.norm1(x), keys, values, True)
        x = self.cross_attention(self.norm2(x), heard[0], heard[1]) + x
        return x + self.output(nn.GELU()(self.hidden(self.norm3(x)))), [keys, values]
""",
    "wh-modelo": """
class Whisper(nn.Module):
    def __init__(self, n_tokens, n_mels, max_length, d_model, n_heads, d_hidden, n_layers):
        super().__init__()
        self.written_norm, self.heard_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.places, self.embedding = nn.Embedding(max_length, d_model), nn.Embedding(n_tokens, d_model)
        self.writing, self.listening = nn.ModuleList(), nn.ModuleList()
        for _ in range(n_layers):
            self.writing.append(DecoderBlock(d_model, n_heads, d_hidden))
            self.listening.append(EncoderBlock(d_model, n_heads, d_hidden))
        self.input = AudioInput(n_mels, d_model)

    def encode(self, mels):
        return self.heard_norm(nn.Sequential(*self.listening)(self.input(mels)))

    def start(self, memory):
        return [block.cross_attention.prepare(memory) for block in self.writing]

    def step(self, tokens, heard, past=None):
        count, past = past if past else (0, [None] * len(self.writing))
        places = torch.arange(count, count + tokens.shape[1], device=tokens.device)
        x, kept = self.embedding(tokens) + self.places(places), []
        for n, block in enumerate(self.writing):
            x, pair = block(x, heard[n], past[n])
            kept.append(pair)
        logits = F.linear(self.written_norm(x), self.embedding.weight)
        return logits, (count + tokens.shape[1], kept)

    def forward(self, mels, tokens):
        logits, _ = self.step(tokens, self.start(self.encode(mels)))
        return logits
""",
    "wh-pesos": """
def rename(weights):
    parts = {"encoder.stem": "input", "encoder.blocks": "listening", "encoder.norm": "heard_norm",
             "decoder.table": "embedding", "decoder.places": "places", "decoder.blocks": "writing",
             "decoder.norm": "written_norm"}
    found = {}
    for name, value in weights.items():
        if "ctc" in name or "k_proj.bias" in name:
            continue
        first, second, *rest = name.split(".")
        rest = [word for word in rest if word != "feed_forward"]
        if "norm" in rest:
            which = {"around_attention": 1, "around_cross_attention": 2}
            number = which.get(rest[1], 2 if first == "encoder" else 3)
            rest = [rest[0], f"norm{number}", rest[-1]]
        found[".".join([parts[f"{first}.{second}"], *rest])] = value.to(torch.float32)
    return found
""",
    "wh-perdida": """
def writing_loss(logits, tokens, n_prompt, stop):
    total, count = 0.0, 0
    for own, row in zip(logits, tokens):
        ends = (row[n_prompt:] == stop).nonzero()
        last = n_prompt + int(ends[0]) if len(ends) else len(row) - 1
        chosen = own[n_prompt - 1 : last]
        total = total + F.cross_entropy(chosen, row[n_prompt : last + 1], reduction="sum")
        count += len(chosen)
    return total / count
""",
    "wh-voraz": """
def write(model, mels, prompt, stop, max_length):
    heard = model.start(model.encode(mels))
    texts, going, past = [[] for _ in mels], list(range(len(mels))), None
    fed = torch.tensor(prompt, device=mels.device).repeat(len(mels), 1)
    while going and max(map(len, texts)) < max_length:
        logits, past = model.step(fed, heard, past)
        fed = logits[:, -1:].argmax(-1)
        for row in list(going):
            token = fed[row, 0].item()
            if token == stop:
                going.remove(row)
            else:
                texts[row].append(token)
    return texts
""",
    "wh-wer": """
def word_error_rate(written, expected):
    def distance(a, b):
        if not a or not b:
            return len(a) + len(b)
        key = len(a), len(b)
        if key not in known:
            change = distance(a[1:], b[1:]) + (a[0] != b[0])
            known[key] = min(change, distance(a[1:], b) + 1, distance(a, b[1:]) + 1)
        return known[key]

    edits = 0
    for text, wanted in zip(written, expected):
        known = {}
        edits += distance(text.split(), wanted.split())
    return edits / len(" ".join(expected).split())
""",
}
