"""Respuestas a los pasos del proyecto de CLIP."""
# ruff: noqa: E501

WRONG = {
    "clip-etapa": (
        ("sin-norma", ("self.norm1(self.conv1(x))", "self.conv1(x)"), ("self.norm2(self.conv2(x))", "self.conv2(x)")),
        ("de-este-lote", ("x = F.relu(self.norm1(self.conv1(x)))", "self.norm1.train()\n        self.norm2.train()\n        x = F.relu(self.norm1(self.conv1(x)))")),
        ("una-norma", ("self.norm2(self", "self.norm1(self")),
        ("relu-delante", ("F.relu(self.norm1(self.conv1(x)))", "self.norm1(F.relu(self.conv1(x)))"), ("F.relu(self.norm2(self.conv2(x)))", "self.norm2(F.relu(self.conv2(x)))")),
        ("falta-una-relu", ("return F.relu(self.norm2(self.conv2(x)))", "return self.norm2(self.conv2(x))")),
        ("falta-una-relu", ("x = F.relu(self.norm1(self.conv1(x)))", "x = self.norm1(self.conv1(x))")),
        ("siempre-guardadas", ("self.norm1(self.conv1(x))", "F.batch_norm(self.conv1(x), self.norm1.running_mean, self.norm1.running_var, self.norm1.weight, self.norm1.bias)"), ("self.norm2(self.conv2(x))", "F.batch_norm(self.conv2(x), self.norm2.running_mean, self.norm2.running_var, self.norm2.weight, self.norm2.bias)")),
        ("residuo", ("x = F.relu(self.norm1(self.conv1(x)))", "first, x = x, F.relu(self.norm1(self.conv1(x)))"), ("return F.relu", "return first + F.relu")),
        ("parametros", ("padding=1, bias=False", "padding=1")),
        ("parametros", ("nn.BatchNorm2d(d_out), nn.BatchNorm2d(d_out)", "nn.BatchNorm2d(d_out, track_running_stats=False), nn.BatchNorm2d(d_out)")),
        ("forma", ("3, padding=1", "3")),
    ),
    "clip-imagen": (
        ("sin-reducir", ("F.max_pool2d(x, 2)", "x")),
        ("media-al-reducir", ("max_pool2d", "avg_pool2d")),
        ("donde-se-reduce", ("self.stages[0](images)", "self.stages[0](F.max_pool2d(images, 2))")),
        ("donde-se-reduce", ("return self.head(x", "x = F.max_pool2d(x, 2)\n        return self.head(x")),
        ("resumen", ("x.mean((2, 3))", "x.amax((2, 3))")),
        ("resumen", ("x.mean((2, 3))", "x.sum((2, 3))")),
        ("resumen", ("x.mean((2, 3))", "x[:, :, 0, 0]")),
        ("normalizada", ("return self.head(x.mean((2, 3)))", "return F.normalize(self.head(x.mean((2, 3))), dim=-1)")),
        ("sin-gradiente", ("x.mean((2, 3))", "x.mean((2, 3)).detach()")),
        ("parametros", ("nn.Linear(widths[-1], d_shared)", "nn.Linear(widths[-1], d_shared, bias=False)")),
    ),
    "clip-atencion": (
        ("sin-mascara", ("scores = scores.masked_fill(~mask[:, None, None], -torch.inf)", "")),
        ("despues", ("scores = scores.masked_fill(~mask[:, None, None], -torch.inf)", ""), ("scores.softmax(-1)", "(scores.softmax(-1) * mask[:, None, None])")),
        ("a-cero", ("-torch.inf", "0.0")),
        ("tapado-con-un-numero", ("-torch.inf", "-20.0")),
        ("tapado-con-un-numero", ("-torch.inf", "-100.0")),
        ("al-reves", ("~mask", "mask")),
        ("escala", ("q.shape[-1]", "x.shape[-1]")),
        ("escala", (" / math.sqrt(q.shape[-1])", "")),
        ("reparto", ("y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)", "y.reshape(len(y), self.n_heads, y.shape[1], -1)")),
        ("junta-mal", (".transpose(1, 2).flatten(2)", ".reshape(x.shape)")),
        ("sin-salida", ("self.out_proj((scores", "((scores")),
        ("nan", ("mask[:, None, None]", "mask[:, None, :, None]")),
        ("prohibida", ("self.out_proj((scores.softmax(-1) @ v)", "self.out_proj(F.scaled_dot_product_attention(q, k, v, mask[:, None, None])")),
    ),
    "clip-bloque": (
        ("norma-delante", ("x = self.norm1(x + self.attention(x, mask))", "x = x + self.attention(self.norm1(x), mask)"), ("return self.norm2(x + self.output(F.gelu(self.hidden(x))))", "return x + self.output(F.gelu(self.hidden(self.norm2(x))))")),
        ("residuo-fuera", ("self.norm1(x + self.attention(x, mask))", "x + self.norm1(self.attention(x, mask))"), ("self.norm2(x + self.output(F.gelu(self.hidden(x))))", "x + self.norm2(self.output(F.gelu(self.hidden(x))))")),
        ("sin-residuo", ("x + self.attention", "self.attention"), ("x + self.output", "self.output")),
        ("sin-mascara", ("self.attention(x, mask)", "self.attention(x, torch.ones_like(mask))")),
        ("activacion", ("F.gelu", "F.relu")),
        ("activacion", ("F.gelu(self.hidden(x))", "F.gelu(self.hidden(x), approximate='tanh')")),
        ("epsilon", (", eps=1e-12", "")),
        ("una-norma", ("self.norm2(x", "self.norm1(x")),
        ("parametros", ("eps=1e-12", "eps=1e-12, bias=False")),
    ),
    "clip-texto": (
        ("sin-posiciones", (" + self.positions.weight[: tokens.shape[1]]", "")),
        ("posiciones-corridas", ("self.positions.weight[: tokens.shape[1]]", "self.positions.weight[1 : tokens.shape[1] + 1]")),
        ("escala", ("self.embedding(tokens)", "self.embedding(tokens) * self.norm.weight.numel() ** 0.5")),
        ("donde-va-la-norma", ("self.norm(self.embedding(tokens) + self.positions.weight[: tokens.shape[1]])", "self.embedding(tokens) + self.positions.weight[: tokens.shape[1]]")),
        ("donde-va-la-norma", ("return x\n", "return self.norm(x)\n")),
        ("sin-mascara", ("x = block(x, mask)", "x = block(x, torch.ones_like(mask))")),
        ("media-con-relleno", (".masked_fill(~mask[..., None], 0.0)", ""), ("kept.sum(1) / lengths[:, None]", "kept.mean(1)")),
        ("media-con-relleno", ("kept.sum(1) / lengths[:, None]", "kept.mean(1)")),
        ("un-solo-token", ("kept.sum(1) / lengths[:, None]", "kept[:, 0]")),
        ("un-solo-token", ("kept.sum(1) / lengths[:, None]", "kept[torch.arange(len(kept)), lengths - 1]")),
        ("un-bloque", ("for block in self.blocks:", "for block in self.blocks[:1]:")),
        ("del-token", ("torch.arange(tokens.shape[1], device=tokens.device) < lengths[:, None]", "tokens != 0"), ("/ lengths[:, None]", "/ mask.sum(1, keepdim=True)")),
        ("epsilon", ("self.norm = nn.LayerNorm(d_model, eps=1e-12)", "self.norm = nn.LayerNorm(d_model)")),
        ("sin-metodo", ("def states(", "def lee("), ("self.states(", "self.lee(")),
    ),
    "clip-modelo": (
        ("sin-normalizar", ("F.normalize(self.image_tower(images), dim=-1)", "self.image_tower(images)"), ("F.normalize(self.text_projection(self.text_tower(tokens, lengths)), dim=-1)", "self.text_projection(self.text_tower(tokens, lengths))")),
        ("sin-normalizar", ("F.normalize(self.image_tower(images), dim=-1)", "self.image_tower(images)")),
        ("sin-normalizar", ("F.normalize(self.text_projection(self.text_tower(tokens, lengths)), dim=-1)", "self.text_projection(self.text_tower(tokens, lengths))")),
        ("sin-normalizar", ("F.normalize(self.text_projection(self.text_tower(tokens, lengths)), dim=-1)", "self.text_projection(F.normalize(self.text_tower(tokens, lengths), dim=-1))")),
        ("tope", (".clamp(max=100)", "")),
        ("tope", ("self.log_scale.exp().clamp(max=100)", "self.log_scale.clamp(max=100).exp()")),
        ("comienzo", ("math.log(1 / 0.07)", "0.07")),
        ("temperatura", ("self.log_scale.exp()", "(-self.log_scale).exp()")),
        ("sin-exponencial", ("self.log_scale.exp()", "self.log_scale")),
        ("textos-por-filas", ("self.see(images) @ self.read(tokens, lengths).T", "self.read(tokens, lengths) @ self.see(images).T")),
        ("sin-escala", ("self.scale() * self.see", "self.see")),
        ("parametros", ("d_shared, bias=False", "d_shared")),
        ("sin-metodo", ("def scale(", "def factor("), ("self.scale()", "self.factor()")),
        ("sin-gradiente", ("return self.log_scale.exp()", "return self.log_scale.detach().exp()")),
        ("sin-gradiente", ("self.scale() * self.see", "self.scale().detach() * self.see")),
        ("comienzo", ("math.log(1 / 0.07)", "0.0")),
        ("comienzo", ("math.log(1 / 0.07)", "1 / 0.07")),
        ("congelado", ("torch.tensor(math.log(1 / 0.07))", "torch.tensor(math.log(1 / 0.07)), requires_grad=False")),
        ("parametros", ("self.log_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))", "self.register_buffer('log_scale', torch.tensor(math.log(1 / 0.07)))")),
    ),
    "clip-pesos": (
        ("cruzadas", ('"around_attention.norm": "norm1"', '"around_attention.norm": "norm2"'), ('"around_feed_forward.norm": "norm2"', '"around_feed_forward.norm": "norm1"')),
        ("sin-segmento", ("found[places] + first", "found[places]")),
        ("segmento-equivocado", ("first, _ =", "_, first =")),
        ("segmento-equivocado", ('first, _ = found.pop("text_tower.embedding.segments.weight")', 'first = found.pop("text_tower.embedding.segments.weight").sum(0)')),
        ("segmento-en-los-tokens", ('places = "text_tower.positions.weight"', 'places = "text_tower.embedding.weight"')),
        ("en-media-precision", ("found[name] = value.float()", "found[name] = value"), ("return found | {places: found[places] + first}", "return {name: value.float() for name, value in (found | {places: found[places] + first}).items()}")),
        ("tipo-de-dato", ("value.float()", "value.double()")),
        ("claves", ('"gain": "weight",', "")),
        ("modifica-entradas", ("return found | {places: found[places] + first}", "found[places] += first\n    return found")),
    ),
    "clip-recuerdo": (
        ("empates", ("(scores >= own[:, None])", "1 + (scores > own[:, None])"), ("(scores >= own).sum(0)", "(1 + (scores > own).sum(0))")),
        ("empates", ("(scores >= own[:, None]).sum(1), (scores >= own).sum(0)", "1 + (scores > own[:, None]).sum(1), 1 + (scores > own).sum(0)")),
        ("un-sentido", ("(by_column <= k)", "(by_row <= k)")),
        ("cruzados", ("by_row, by_column =", "by_column, by_row =")),
        ("corrido", ("(by_row <= k)", "(by_row < k)"), ("(by_column <= k)", "(by_column < k)")),
        ("cuantas", ("(by_row <= k).float().mean().item(), (by_column <= k).float().mean().item()", "(by_row <= k).float().sum().item(), (by_column <= k).float().sum().item()")),
        ("numero-de-salidas", ("return (by_row <= k).float().mean().item(), (by_column <= k).float().mean().item()", "return ((by_row <= k).float().mean().item(),)")),
    ),
    "clip-clases": (
        ("frases-sin-normalizar", ("unit = F.normalize(vectors, dim=-1)", "unit = vectors")),
        ("media-sin-normalizar", ("return F.normalize(torch.stack(means), dim=-1)", "return torch.stack(means)")),
        ("una-frase", ("unit[owners == kind].mean(0)", "unit[owners == kind][0]")),
        ("de-quien-es", ("means = [unit[owners == kind].mean(0) for kind in range(n_classes)]", "means = [part.mean(0) for part in unit.chunk(n_classes)]")),
        ("sin-gradiente", ("F.normalize(vectors, dim=-1)", "F.normalize(vectors.detach(), dim=-1)")),
    ),
    "clip-perdida": (
        ("un-sentido", ("(F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2", "F.cross_entropy(logits, pairs)")),
        ("un-sentido", ("F.cross_entropy(logits, pairs) +", "F.cross_entropy(logits.T, pairs) +")),
        ("sin-mitad", (") / 2", ")")),
        ("suma", ("logits, pairs)", "logits, pairs, reduction='sum')"), ("logits.T, pairs)", "logits.T, pairs, reduction='sum')")),
        ("tabla-entera", ("return (F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)) / 2", "return -logits.flatten().log_softmax(0).view_as(logits).diagonal().mean()")),
        ("signo", ("return (", "return -(")),
        ("sin-gradiente", ("F.cross_entropy(logits, pairs) + F.cross_entropy(logits.T, pairs)", "F.cross_entropy(logits.detach(), pairs) + F.cross_entropy(logits.detach().T, pairs)")),
    ),
    "clip-gradiente": (
        ("un-sentido", ("logits.softmax(1) + logits.softmax(0) - 2 * own) / (2 *", "logits.softmax(1) - own) / (")),
        ("resta-una", ("- 2 * own", "- own")),
        ("resta-una", (" - 2 * own", "")),
        ("entre-2n", ("/ (2 * len(logits))", "/ 2")),
        ("entre-2n", ("(2 * len(logits))", "len(logits)")),
        ("columnas-traspuestas", ("logits.softmax(0)", "logits.T.softmax(1)")),
        ("signo", ("return (", "return -(")),
    ),
    "clip-sigmoide": (
        ("sin-sesgo", ("scale * cosines + bias", "scale * cosines")),
        ("sin-sesgo", ("scale * cosines + bias", "scale * (cosines + bias)")),
        ("signo", ("signs = 2 *", "signs = -2 *"), (") - 1\n", ") + 1\n")),
        ("solo-las-parejas", ("F.logsigmoid(signs * (scale * cosines + bias)).sum()", "F.logsigmoid(signs * (scale * cosines + bias)).diagonal().sum()")),
        ("entre-casillas", (".sum() / len(cosines)", ".mean()")),
        ("entre-casillas", (".sum() / len(cosines)", ".sum()")),
        ("mitad-y-mitad", ("return -F.logsigmoid(signs * (scale * cosines + bias)).sum() / len(cosines)", "doubt = -F.logsigmoid(signs * (scale * cosines + bias))\n    return doubt.diagonal().mean() + doubt[signs < 0].mean()")),
        ("desborda", ("F.logsigmoid(signs * (scale * cosines + bias))", "torch.sigmoid(signs * (scale * cosines + bias)).log()")),
    ),
    "clip-trozos": (
        ("de-una-vez", ("for start in range(0, len(images), size)", "for start in [0]"), ("slice(start, start + size)", "slice(None)")),
        ("un-lado", ("        model.read(tokens[own], lengths[own]).backward(said.grad[own])\n", "")),
        ("un-lado", ("        model.see(images[own]).backward(seen.grad[own])\n", "")),
        ("sin-escala", ("model.scale() * seen", "model.scale().detach() * seen")),
        ("traspuesta", ("model.scale() * seen @ said.T", "model.scale() * said @ seen.T")),
        ("con-gradiente", ("whole.detach()", "whole")),
        ("guarda-todo", ("    with torch.no_grad():\n        seen", "    with torch.enable_grad():\n        seen"), ("    seen.requires_grad_()\n    said.requires_grad_()", "    seen, said = seen.detach().requires_grad_(), said.detach().requires_grad_()")),
        ("escala-de-mas", ("    for own in chunks:\n        model.see", "    model.log_scale.grad *= len(chunks)\n    for own in chunks:\n        model.see")),
        ("sin-gradientes", ("    whole.backward()\n    for own in chunks:\n        model.see(images[own]).backward(seen.grad[own])\n        model.read(tokens[own], lengths[own]).backward(said.grad[own])\n", "    whole = whole.detach()\n")),
    ),
}  # fmt: skip

WHOLE_WRONG = {
    "clip-gradiente": (
        ("prohibido", """
def symmetric_gradient(logits):
    x = logits.detach().clone().requires_grad_()
    symmetric_loss(x).backward()
    return x.grad
"""),
        ("prohibido", """
def symmetric_gradient(logits):
    return torch.func.grad(symmetric_loss)(logits)
"""),
        ("prohibido", """
def symmetric_gradient(logits):
    return torch.func.jacfwd(symmetric_loss)(logits)
"""),
        ("valores", """
def symmetric_gradient(logits):
    x, found, step = logits.double(), torch.zeros_like(logits), 1e-5
    for i in range(len(x)):
        for j in range(len(x)):
            e = torch.zeros_like(x)
            e[i, j] = step
            found[i, j] = (symmetric_loss(x + e) - symmetric_loss(x - e)) / (2 * step)
    return found
"""),
    ),
    "clip-trozos": (
        ("guarda-todo", """
def backward_in_chunks(model, images, tokens, lengths, loss, size):
    seen = torch.cat([model.see(part) for part in images.split(size)])
    pairs = zip(tokens.split(size), lengths.split(size))
    said = torch.cat([model.read(*pair) for pair in pairs])
    whole = loss(model.scale() * seen @ said.T)
    whole.backward()
    return whole.detach()
"""),
        ("por-trozos", """
def backward_in_chunks(model, images, tokens, lengths, loss, size):
    parts = list(zip(images.split(size), tokens.split(size), lengths.split(size)))
    total = 0.0
    for part in parts:
        own = loss(model(*part)) / len(parts)
        own.backward()
        total += own.item()
    return total
"""),
        ("por-trozos", """
def backward_in_chunks(model, images, tokens, lengths, loss, size):
    total = 0.0
    for part in zip(images.split(size), tokens.split(size), lengths.split(size)):
        own = loss(model(*part))
        own.backward()
        total += own.item()
    return torch.tensor(total)
"""),
        ("de-una-vez", """
def backward_in_chunks(model, images, tokens, lengths, loss, size):
    whole = loss(model(images, tokens, lengths))
    whole.backward()
    return whole.detach()
"""),
    ),
}  # fmt: skip

RIGHT = {
    "clip-etapa": """
class ConvStage(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for n, width in ((1, d_in), (2, d_out)):
            setattr(self, f"norm{n}", nn.BatchNorm2d(d_out))
            setattr(self, f"conv{n}", nn.Conv2d(width, d_out, kernel_size=3, padding="same", bias=False))

    def forward(self, x):
        for conv, norm in ((self.conv1, self.norm1), (self.conv2, self.norm2)):
            y = F.conv2d(x, conv.weight, padding=1)
            x = F.batch_norm(y, norm.running_mean, norm.running_var, norm.weight, norm.bias, self.training).clamp(min=0)
        return x
""",
    "clip-imagen": """
class ImageTower(nn.Module):
    def __init__(self, channels, widths, d_shared):
        super().__init__()
        self.stages = nn.Sequential()
        for width in widths:
            self.stages.append(ConvStage(channels, width))
            channels = width
        self.head = nn.Linear(channels, d_shared)

    def forward(self, images):
        for n, stage in enumerate(self.stages):
            if n:
                b, c, h, w = images.shape
                images = images.view(b, c, h // 2, 2, w // 2, 2).amax((3, 5))
            images = stage(images)
        return self.head(F.adaptive_avg_pool2d(images, 1).flatten(1))
""",
    "clip-atencion": """
class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for name in ("out_proj", "v_proj", "k_proj", "q_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, x, mask):
        q, k, v = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        size, mixed = x.shape[-1] // self.h, []
        for h in range(self.h):
            own = slice(h * size, (h + 1) * size)
            powers = torch.bmm(q[..., own], k[..., own].mT) * size**-0.5
            powers = torch.exp(powers - powers.amax(-1, keepdim=True)) * mask[:, None]
            mixed.append(powers @ v[..., own] / powers.sum(-1, keepdim=True))
        return self.out_proj(torch.cat(mixed, -1))
""",
    "clip-bloque": """
class TextBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.output = nn.Linear(d_hidden, d_model)
        self.hidden = nn.Linear(d_model, d_hidden)
        self.norm2 = nn.LayerNorm([d_model], 1e-12)
        self.norm1 = nn.LayerNorm([d_model], 1e-12)
        self.attention = SelfAttention(d_model, n_heads)

    def forward(self, x, mask):
        x = self.norm1(self.attention(x, mask=mask) + x)
        h = self.hidden(x)
        return self.norm2(self.output(h * 0.5 * (1 + torch.erf(h * 0.5**0.5))) + x)
""",
    "clip-texto": """
class TextTower(nn.Module):
    def __init__(self, n_tokens, max_length, d_model, n_heads, d_hidden, n_layers):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(n_layers):
            self.blocks.append(TextBlock(d_model, n_heads, d_hidden))
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        self.positions = nn.Embedding(max_length, d_model)
        self.embedding = nn.Embedding(n_tokens, d_model)

    def states(self, tokens, mask):
        places = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        x = self.norm(self.embedding(tokens) + self.positions(places))
        for block in self.blocks:
            x = block(x, mask) * mask[..., None]
        return x

    def forward(self, tokens, lengths):
        found = []
        for row, length in zip(tokens, lengths.tolist()):
            row = row[None, :length]
            found.append(self.states(row, torch.ones_like(row, dtype=torch.bool))[0].mean(0))
        return torch.stack(found)
""",
    "clip-modelo": """
class Clip(nn.Module):
    def __init__(self, channels, widths, d_shared, *text_sizes):
        super().__init__()
        self.log_scale = nn.Parameter(-torch.tensor(0.07).log())
        self.text_projection = nn.Linear(text_sizes[2], d_shared, bias=False)
        self.text_tower = TextTower(*text_sizes)
        self.image_tower = ImageTower(channels, widths, d_shared)

    def scale(self):
        return torch.clamp(torch.exp(self.log_scale), max=100.0)

    def see(self, images):
        y = self.image_tower(images)
        return y / y.norm(dim=-1, keepdim=True)

    def read(self, tokens, lengths):
        y = self.text_projection(self.text_tower(tokens, lengths))
        return y / y.square().sum(-1, keepdim=True).sqrt()

    def forward(self, images, tokens, lengths):
        table = torch.einsum("ne,me->nm", self.see(images), self.read(tokens, lengths))
        return table * self.scale()
""",
    "clip-pesos": """
def rename(weights):
    table = {"table": None, "around_attention": None, "around_feed_forward": None, "feed_forward": None}
    found = {}
    for name, value in weights.items():
        pieces = name.split(".")
        if pieces[1:2] == ["layers"]:
            place = int(pieces[2])
            part = ["conv1", "norm1", "", "conv2", "norm2"][place % 7]
            pieces = ["image_tower", "stages", str(place // 7), part, *pieces[3:]]
        elif "around_attention" in pieces or "around_feed_forward" in pieces:
            own = "norm1" if "around_attention" in pieces else "norm2"
            pieces = [*pieces[:3], own, pieces[-1]]
        elif "embedding" in pieces:
            pieces.remove("embedding" if pieces[2] != "table" else "table")
        pieces = [piece for piece in pieces if piece not in table]
        pieces = ["weight" if piece == "gain" else piece for piece in pieces]
        found[".".join(pieces)] = value.to(torch.float32)
    segments = found["text_tower.segments.weight"]
    del found["text_tower.segments.weight"]
    found["text_tower.positions.weight"] = found["text_tower.positions.weight"] + segments[:1]
    return found
""",
    "clip-recuerdo": """
def recall(scores, k):
    found = []
    for table in (scores.tolist(), scores.T.tolist()):
        ranks = [sum(value >= row[i] for value in row) for i, row in enumerate(table)]
        found.append(sum(rank <= k for rank in ranks) / len(ranks))
    return tuple(found)
""",
    "clip-clases": """
def class_vectors(vectors, owners, n_classes):
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    whose = F.one_hot(owners, n_classes).to(unit)
    sums = whose.T @ unit
    return sums / sums.norm(dim=1, keepdim=True)
""",
    "clip-perdida": """
def symmetric_loss(logits):
    own = logits.diagonal()
    by_row, by_column = logits.logsumexp(1) - own, logits.logsumexp(0) - own
    return torch.cat([by_row, by_column]).mean()
""",
    "clip-gradiente": """
def symmetric_gradient(logits):
    n = len(logits)
    found = torch.softmax(logits, 1) + torch.softmax(logits.T, 1).T
    found[range(n), range(n)] -= 2
    return found / n / 2
""",
    "clip-sigmoide": """
def sigmoid_loss(cosines, scale, bias):
    logits = cosines * scale + bias
    return F.softplus(logits).sum() / len(logits) - logits.diagonal().mean()
""",
    "clip-trozos": """
def backward_in_chunks(model, images, tokens, lengths, loss, size):
    pairs = list(zip(images.split(size), tokens.split(size), lengths.split(size)))
    with torch.no_grad():
        vectors = [(model.see(i), model.read(t, n)) for i, t, n in pairs]
    seen, said = (torch.cat(part).detach().requires_grad_() for part in zip(*vectors))
    whole = loss(seen @ said.T * model.scale())
    whole.backward()
    wanted = zip(seen.grad.split(size), said.grad.split(size))
    for (i, t, n), (of_seen, of_said) in zip(pairs, wanted):
        ((model.see(i) * of_seen).sum() + (model.read(t, n) * of_said).sum()).backward()
    return whole.item()
""",
}
