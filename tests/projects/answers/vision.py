"""Respuestas a los pasos del proyecto de visión."""
# ruff: noqa: E501

WRONG = {
    "vis-parches": (
        ("sin-intercambiar", ("return rows.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)", "return images.reshape(len(images), -1, images.shape[1] * size**2)")),
        ("canal-al-final", ("permute(0, 2, 4, 1, 3, 5)", "permute(0, 2, 4, 3, 5, 1)")),
        ("por-columnas", ("permute(0, 2, 4, 1, 3, 5)", "permute(0, 4, 2, 1, 3, 5)")),
        ("traspuestos", ("permute(0, 2, 4, 1, 3, 5)", "permute(0, 2, 4, 1, 5, 3)")),
        ("forma", (".flatten(3).flatten(1, 2)", ".flatten(3)")),
        ("sin-gradiente", ("images.unflatten", "images.detach().unflatten")),
    ),
    "vis-entrada": (
        ("comienzo", ("torch.zeros(d_model)", "torch.randn(d_model)")),
        ("comienzo", ("0.02 * torch.randn", "torch.randn")),
        ("comienzo", ("0.02 * torch.randn", "0 * torch.randn")),
        ("comienzo", ("0.02 * torch.randn", "0.06 * torch.randn")),
        ("sin-posiciones", (" + self.positions", "")),
        ("clase-detras", ("[first, patches]", "[patches, first]")),
        ("clase-sin-posicion", ("torch.cat([first, patches], dim=1) + self.positions", "torch.cat([first, patches + self.positions[1:]], dim=1)")),
        ("posiciones-corridas", ("+ self.positions", "+ self.positions.roll(1, 0)")),
        ("sin-clase", ("torch.cat([first, patches], dim=1) + self.positions", "patches + self.positions[1:]")),
        ("parametros", ("n_patches + 1", "n_patches")),
        ("parametros", ("channels * patch_size**2", "patch_size**2")),
        ("constructor", ("d_model: int):", "d_model: int, dropout):")),
    ),
    "vis-atencion": (
        ("de-donde-sale", ("self.v_proj(values)", "self.v_proj(keys)")),
        ("de-donde-sale", ("self.k_proj(keys)", "self.k_proj(values)")),
        ("escala", (" / math.sqrt(q.shape[-1])", "")),
        ("escala", ("math.sqrt(q.shape[-1])", "math.sqrt(queries.shape[-1])")),
        ("softmax-eje", ("scores.softmax(-1)", "scores.softmax(-2)")),
        ("reparto", ("y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)", "y.reshape(len(y), self.n_heads, y.shape[1], -1)")),
        ("junta-mal", (".transpose(1, 2).flatten(2))", ".reshape(*queries.shape))")),
        ("sin-salida", ("self.out_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))", "(scores.softmax(-1) @ v).transpose(1, 2).flatten(2)")),
        ("prohibida", ("scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])\n        return self.out_proj((scores.softmax(-1) @ v)", "return self.out_proj(F.scaled_dot_product_attention(q, k, v)")),
    ),
    "vis-bloque": (
        ("norma-detras", ("y = self.norm1(x)\n        x = x + self.attention(y, y, y)", "x = self.norm1(x + self.attention(x, x, x))"), ("x + self.output(F.gelu(self.hidden(self.norm2(x))))", "self.norm2(x + self.output(F.gelu(self.hidden(x))))")),
        ("sin-residuo", ("x = x + self", "x = self"), ("return x + self", "return self")),
        ("residuo-normado", ("x = x + self", "x = y + self")),
        ("valores-sin-norma", ("(y, y, y)", "(y, y, x)")),
        ("activacion", ("F.gelu", "F.relu")),
        ("activacion", ("F.gelu(self.hidden(self.norm2(x)))", "F.gelu(self.hidden(self.norm2(x)), approximate='tanh')")),
        ("epsilon", (", eps=1e-6", "")),
        ("una-norma", ("self.norm2(x)", "self.norm1(x)")),
        ("parametros", ("eps=1e-6", "eps=1e-6, bias=False")),
    ),
    "vis-vit": (
        ("sin-norma", ("return self.norm(x)", "return x")),
        ("resumen", ("[:, 0]", "[:, -1]")),
        ("resumen", ("[:, 0]", ".mean(1)")),
        ("resumen", ("[:, 0]", "[:, 1:].mean(1)")),
        ("probabilidades", ("self.head(self.encode(images)[:, 0])", "self.head(self.encode(images)[:, 0]).softmax(-1)")),
        ("un-bloque", ("for block in self.blocks:", "for block in self.blocks[:1]:")),
        ("epsilon", ("nn.LayerNorm(d_model, eps=1e-6)", "nn.LayerNorm(d_model)")),
        ("sin-metodo", ("def encode(", "def lee("), ("self.encode(", "self.lee(")),
    ),
    "vis-objetos": (
        ("posicion-en-los-valores", ("(y + places, y + places, y)", "(y + places, y + places, y + places)"), ("memory + positions, memory)", "memory + positions, memory + positions)")),
        ("posicion-en-los-valores", ("memory + positions, memory)", "memory + positions, memory + positions)")),
        ("posicion-en-los-valores", ("(y + places, y + places, y)", "(y + places, y + places, y + places)")),
        ("sin-posicion", ("(y + places, y + places, y)", "(y, y, y)")),
        ("sin-posicion", ("self.norm2(x) + places", "self.norm2(x)")),
        ("sin-posicion", ("memory + positions", "memory")),
        ("orden", ("y = self.norm1(x)\n        x = x + self.attention(y + places, y + places, y)\n        x = x + self.cross_attention(self.norm2(x) + places, memory + positions, memory)", "x = x + self.cross_attention(self.norm2(x) + places, memory + positions, memory)\n        y = self.norm1(x)\n        x = x + self.attention(y + places, y + places, y)")),
        ("memoria-normada", ("x = x + self.cross", "memory = self.norm2(memory)\n        x = x + self.cross")),
        ("activacion", ("F.relu", "F.gelu")),
        ("sin-residuo", ("x = x + self.cross", "x = self.cross"), ("return x + self", "return self")),
    ),
    "vis-detector": (
        ("norma", ("y = self.norm(x)", "y = x")),
        ("norma", ("y = self.norm(x)", "x = y = self.norm(x)")),
        ("norma", ("y = self.norm(x)", "y = self.norm(x) if block is self.blocks[-1] else x")),
        ("contenido", ("torch.zeros_like(self.queries.weight)", "self.queries.weight")),
        ("cajas-sin-acotar", (".sigmoid()", "")),
        ("probabilidades", ("(self.class_head(y),", "(self.class_head(y).softmax(-1),")),
        ("parametros", ("n_classes + 1", "n_classes")),
        ("cuantas", ("return found", "return found[-1:]")),
        ("parejas", ("return found", "return found[-1]")),
        ("prohibida", ("self.norm = nn.LayerNorm(d_model)", "self.norm = nn.LayerNorm(d_model)\n        self.spare = nn.RMSNorm(d_model, elementwise_affine=False)")),
    ),
    "vis-cajas": (
        ("valores", ("[first - second / 2, first + second / 2], dim=-1)", "[first - second / 2, first + second / 2], dim=-1).clamp(0, 1)")),
        ("sin-mitad", ("second / 2", "second"), ("(first + second) / 2", "(first + second)")),
        ("desde-la-esquina", ("[first - second / 2, first + second / 2]", "[first, first + second]"), ("[(first + second) / 2, second - first]", "[first, second - first]")),
        ("intercaladas", ("boxes[..., :2], boxes[..., 2:]", "(boxes[..., :2], boxes[..., 2:]) if to == 'esquinas' else (boxes[..., ::2], boxes[..., 1::2])"), ("return torch.cat([first - second / 2, first + second / 2], dim=-1)", "return torch.stack([first - second / 2, first + second / 2], dim=-1).flatten(-2)")),
        ("un-solo-sentido", ('if to == "esquinas":', "if True:")),
        ("sin-return", ("return torch", "torch")),
    ),
    "vis-giou": (
        ("nan", ("union.clamp(min=1e-9)", "union"), ("hull.clamp(min=1e-9)", "hull")),
        ("sin-cortar", (".clamp(min=0)", "")),
        ("union-doble", (".prod(-1) - common", ".prod(-1)")),
        ("hueco", ("hull.clamp(min=1e-9)", "union.clamp(min=1e-9)")),
        ("hueco", ("(hull - union)", "(hull - common)")),
        ("hueco", ("iou - (hull", "iou + (hull")),
        ("solo-iou", ("return iou, iou - (hull - union) / hull.clamp(min=1e-9)", "return iou, iou")),
        ("una-a-una", ("first[..., :, None, :], second[..., None, :, :]", "first, second")),
        ("numero-de-salidas", ("return iou, iou", "return iou")),
    ),
    "vis-costes": (
        ("probabilidad", (".softmax(-1)", ".log_softmax(-1)")),
        ("probabilidad", (".softmax(-1)", "")),
        ("probabilidad", (".softmax(-1)", ".sigmoid()")),
        ("probabilidad", ("logits.softmax", "logits[..., :-1].softmax")),
        ("distancia", (".abs().sum(-1)", ".abs().mean(-1)")),
        ("distancia", (".abs().sum(-1)", ".norm(dim=-1)")),
        ("esquinas", ('convert(boxes, "esquinas"), convert(true_boxes, "esquinas")', "boxes, true_boxes")),
        ("iou", ("_, alike =", "alike, _ =")),
        ("signo", ("- likely", "+ likely")),
        ("signo", ("- 2 * alike", "+ 2 * alike")),
        ("pesos", ("5 * apart - likely - 2 * alike", "2 * apart - likely - 5 * alike")),
        ("pesos", ("5 * apart - likely - 2 * alike", "apart - likely - alike")),
        ("objetos-por-filas", ("return 5 * apart - likely - 2 * alike", "return (5 * apart - likely - 2 * alike).transpose(1, 2)")),
    ),
    "vis-parejas": (
        ("repite", ("predictions, things = linear_sum_assignment(plain[image, :, :count])", "things = list(range(count))\n        predictions = plain[image, :, :count].argmin(0)")),
        ("maximiza", ("[image, :, :count])", "[image, :, :count], maximize=True)")),
        ("relleno", ("plain[image, :, :count]", "plain[image]")),
        ("relleno", ("-1, device", "0, device")),
        ("tipo-de-dato", ("return found", "return found.float()")),
        ("numpy", ("table.detach().cpu().numpy()", "table.numpy()")),
    ),
    "vis-perdida": (
        ("nada-pesa-igual", ("weight[nothing] = 0.1", "")),
        ("solo-emparejadas", ("weight[nothing] = 0.1", "weight[nothing] = 0")),
        ("nada-es-la-cero", ("nothing = logits.shape[-1] - 1", "nothing = 0"), ("torch.ones(nothing + 1", "torch.ones(logits.shape[-1]")),
        ("media-de-las-clases", ("wanted.flatten(), weight)", "wanted.flatten(), weight, reduction='none').mean()")),
        ("media-de-cuatro", ("(own - true).abs().sum()", "(own - true).abs().mean(-1).sum()")),
        ("por-imagen", ("max(1, len(thing))", "len(logits)")),
        ("giou-al-reves", ("(1 - alike).sum()", "alike.sum()")),
        ("nan", ("max(1, len(thing))", "len(thing)")),
        ("valores", ("max(1, len(thing))", "max(2, len(thing))")),
        ("error", ("logits.shape[-1] - 1", "logits.shape[1] - 1")),
        ("sin-gradiente", ("own, true = boxes[image", "own, true = boxes.detach()[image")),
    ),
}  # fmt: skip

WHOLE_WRONG = {
    "vis-parejas": (
        ("voraz", """
def match(table, counts):
    found = torch.full((len(table), table.shape[2]), -1)
    for image, count in enumerate(counts.tolist()):
        costs = table[image].clone()
        for thing in range(count):
            found[image, thing] = costs[:, thing].argmin()
            costs[found[image, thing]] = math.inf
    return found
"""),
    ),
    "vis-perdida": (
        ("sin-emparejar", """
def set_loss(logits, boxes, true_classes, true_boxes, counts):
    places = torch.arange(true_classes.shape[1])
    image, thing = (places < counts[:, None]).nonzero(as_tuple=True)
    wanted = torch.full(logits.shape[:2], logits.shape[-1] - 1)
    wanted[image, thing] = true_classes[image, thing]
    weight = torch.ones(logits.shape[-1])
    weight[-1] = 0.1
    surprise = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), weight)
    own, true = boxes[image, thing], true_boxes[image, thing]
    n = max(1, len(thing))
    _, alike = giou(convert(own, "esquinas")[:, None], convert(true, "esquinas")[:, None])
    return surprise, (own - true).abs().sum() / n, (1 - alike).sum() / n
"""),
    ),
}  # fmt: skip

RIGHT = {
    "vis-parches": """
def split_patches(images, size):
    return F.unfold(images, kernel_size=size, stride=size).transpose(1, 2)
""",
    "vis-entrada": """
class PatchInput(nn.Module):
    def __init__(self, channels, image_size, patch_size, d_model):
        super().__init__()
        side = image_size // patch_size
        self.size = patch_size
        self.positions = nn.Parameter(torch.empty(side * side + 1, d_model).normal_(std=0.02))
        self.class_token = nn.Parameter(torch.zeros(d_model))
        self.projection = nn.Linear(channels * patch_size * patch_size, d_model)

    def forward(self, images):
        kernel = self.projection.weight.unflatten(1, (images.shape[1], self.size, self.size))
        x = F.conv2d(images, kernel, self.projection.bias, stride=self.size).flatten(2).mT
        x = x + self.positions[1:]
        first = self.class_token + self.positions[0]
        return torch.cat([first.repeat(x.shape[0], 1, 1), x], 1)
""",
    "vis-atencion": """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for name in ("out_proj", "v_proj", "k_proj", "q_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, queries, keys, values):
        q, k, v = self.q_proj(queries), self.k_proj(keys), self.v_proj(values)
        size, mixed = q.shape[-1] // self.h, []
        for h in range(self.h):
            own = slice(h * size, (h + 1) * size)
            scores = torch.bmm(q[..., own], k[..., own].mT) * size**-0.5
            mixed.append(torch.softmax(scores, dim=-1) @ v[..., own])
        return self.out_proj(torch.cat(mixed, -1))
""",
    "vis-bloque": """
class EncoderBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.output = nn.Linear(d_hidden, d_model)
        self.hidden = nn.Linear(d_model, d_hidden)
        self.norm2 = nn.LayerNorm([d_model], 1e-6)
        self.norm1 = nn.LayerNorm([d_model], 1e-6)
        self.attention = MultiHeadAttention(d_model, n_heads)

    def forward(self, x):
        x = x + self.attention(self.norm1(x), self.norm1(x), values=self.norm1(x))
        h = self.hidden(self.norm2(x))
        return x + self.output(h * 0.5 * (1 + torch.erf(h * 0.5**0.5)))
""",
    "vis-vit": """
class ViT(nn.Module):
    def __init__(self, n_classes, channels, image_size, patch_size, d_model, n_heads, d_hidden, n_layers):
        super().__init__()
        self.head = nn.Linear(d_model, n_classes)
        self.norm = nn.LayerNorm(d_model, eps=1e-6)
        self.input = PatchInput(channels, image_size, patch_size, d_model)
        blocks = [EncoderBlock(d_model, n_heads, d_hidden) for _ in range(n_layers)]
        self.blocks = nn.Sequential(*blocks)

    def encode(self, images):
        return self.norm(self.blocks(self.input(images)))

    def forward(self, images):
        first, *_ = self.encode(images).unbind(1)
        return self.head(first)
""",
    "vis-objetos": """
class ObjectBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        for name in ("norm1", "norm2", "norm3"):
            setattr(self, name, nn.LayerNorm(d_model))
        for name in ("attention", "cross_attention"):
            setattr(self, name, MultiHeadAttention(d_model, n_heads))
        self.output, self.hidden = nn.Linear(d_hidden, d_model), nn.Linear(d_model, d_hidden)

    def forward(self, x, memory, places, positions):
        a, q = self.norm1(x), self.norm1(x) + places
        x = x + self.attention(q, q, a)
        x = x + self.cross_attention(places + self.norm2(x), positions + memory, memory)
        return x + self.output(self.hidden(self.norm3(x)).clamp(min=0))
""",
    "vis-detector": """
class Detector(nn.Module):
    def __init__(self, n_classes, n_queries, d_model, n_heads, d_hidden, n_layers):
        super().__init__()
        self.class_head = nn.Linear(d_model, n_classes + 1)
        layers = []
        for width in (d_model, d_model):
            layers += [nn.Linear(d_model, width), nn.ReLU()]
        self.box_head = nn.Sequential(*layers, nn.Linear(d_model, 4))
        self.norm = nn.LayerNorm(d_model)
        self.queries = nn.Embedding(n_queries, d_model)
        self.blocks = nn.ModuleList()
        for _ in range(n_layers):
            self.blocks.append(ObjectBlock(d_model, n_heads, d_hidden))

    def forward(self, memory, positions):
        states = [memory.new_zeros(len(memory), self.queries.num_embeddings, memory.shape[-1])]
        for block in self.blocks:
            states.append(block(states[-1], memory, self.queries.weight, positions))
        y = self.norm(torch.stack(states[1:]))
        return list(zip(self.class_head(y), torch.sigmoid(self.box_head(y))))
""",
    "vis-cajas": """
def convert(boxes, to):
    half = 0.5 * torch.eye(2, dtype=boxes.dtype)
    one = 2 * half
    to_corners = torch.cat([torch.cat([one, one], 1), torch.cat([-half, half], 1)])
    to_center = torch.cat([torch.cat([half, -one], 1), torch.cat([half, one], 1)])
    return boxes @ (to_corners if to == "esquinas" else to_center)
""",
    "vis-giou": """
def giou(first, second):
    def area(low, high):
        return torch.relu(high[..., 0] - low[..., 0]) * torch.relu(high[..., 1] - low[..., 1])

    a, b = first.unsqueeze(-2), second.unsqueeze(-3)
    a_low, a_high, b_low, b_high = a[..., :2], a[..., 2:], b[..., :2], b[..., 2:]
    common = area(torch.max(a_low, b_low), torch.min(a_high, b_high))
    union = area(a_low, a_high) + area(b_low, b_high) - common
    hull = area(torch.min(a_low, b_low), torch.max(a_high, b_high))
    return common / (union + 1e-9), common / (union + 1e-9) - 1 + union / (hull + 1e-9)
""",
    "vis-costes": """
def costs(logits, boxes, true_classes, true_boxes):
    rows = []
    for b in range(len(boxes)):
        odds = torch.softmax(logits[b], -1)[:, true_classes[b]]
        apart = torch.cdist(boxes[b], true_boxes[b], p=1)
        _, alike = giou(convert(boxes[b], "esquinas"), convert(true_boxes[b], "esquinas"))
        rows.append(5 * apart - odds - 2 * alike)
    return torch.stack(rows)
""",
    "vis-parejas": """
def match(table, counts):
    rows = []
    for costs, count in zip(table, counts):
        things, predictions = linear_sum_assignment(costs[:, :count].T.detach().numpy())
        rows.append(predictions.tolist() + [-1] * (table.shape[2] - int(count)))
    return torch.tensor(rows)
""",
    "vis-perdida": """
def set_loss(logits, boxes, true_classes, true_boxes, counts):
    matched = match(costs(logits, boxes, true_classes, true_boxes).detach(), counts)
    images, queries, things = [], [], []
    for b, row in enumerate(matched.tolist()):
        for m, query in enumerate(row[: counts[b]]):
            images, queries, things = [*images, b], [*queries, query], [*things, m]
    logs = logits.log_softmax(-1)
    weight = torch.full(logs.shape[:2], 0.1)
    weight[images, queries] = 1.0
    said = logs[..., -1].clone()
    said[images, queries] = logs[images, queries, true_classes[images, things]]
    own, true = boxes[images, queries], true_boxes[images, things]
    n = len(images) or 1
    square = giou(convert(own, "esquinas"), convert(true, "esquinas"))[1]
    surprise = -(weight * said).sum() / weight.sum()
    return surprise, F.l1_loss(own, true, reduction="sum") / n, (1 - square.diagonal()).sum() / n
""",
}
