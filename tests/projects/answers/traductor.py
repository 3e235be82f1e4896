"""Respuestas a los pasos del proyecto del traductor con atención."""
# ruff: noqa: E501

WRONG = {
    "tr-celda": (
        ("al-reves", ("update * h + (1 - update) * new", "update * new + (1 - update) * h")),
        ("orden", ("x_reset, x_update, x_new", "x_update, x_reset, x_new"), ("h_reset, h_update, h_new", "h_update, h_reset, h_new")),
        ("reinicio-antes", ("torch.tanh(x_new + reset * h_new)", "torch.tanh(x_new + self.hidden_proj(reset * h).chunk(3, dim=-1)[2])")),
        ("reinicio", ("reset * h_new", "h_new")),
        ("reinicio", ("x_new + reset * h_new", "reset * (x_new + h_new)")),
        ("tangente", ("torch.tanh(x_new + reset * h_new)", "x_new + reset * h_new")),
        ("tangente", ("torch.tanh(", "torch.sigmoid(")),
        ("olvida", ("update * h + ", "")),
        ("prohibida", ("torch.tanh(x_new + reset * h_new)", "torch.gru_cell(x, h, self.input_proj.weight, self.hidden_proj.weight, self.input_proj.bias, self.hidden_proj.bias)")),
        ("sin-super", ("        super().__init__()\n", "")),
        ("parametros", ("self.hidden_proj = nn.Linear(d_hidden, 3 * d_hidden)", "self.hidden_proj = nn.Linear(d_hidden, 3 * d_hidden, bias=False)")),
    ),
    "tr-recorrido": (
        ("lee-el-relleno", ("real = mask[:, place, None]", "real = torch.ones_like(mask[:, place, None])")),
        ("sin-ceros", ("h * real", "h")),
        ("no-vuelve", (" if backwards else places", " if False else places"), ("if backwards:", "if False:")),
        ("sin-ordenar", ("states.reverse()", "pass")),
        ("ultima-columna", ("torch.stack(states, dim=1), h", "torch.stack(states, dim=1), states[-1]")),
        ("cuantas", ("return torch.stack(states, dim=1), h", "return torch.stack(states, dim=1)")),
        ("tensores", ("return torch.stack(states, dim=1), h", "return states, h")),
        ("sin-gradiente", ("cell(x[:, place], h)", "cell(x[:, place], h).detach()")),
    ),
    "tr-codificador": (
        ("sin-mascara", ("x, mask, start, False", "x, mask | True, start, False"), ("x, mask, start, True", "x, mask | True, start, True")),
        ("una-celda", ("unroll(self.back", "unroll(self.ahead")),
        ("dos-veces-adelante", ("start, True", "start, False")),
        ("resumen", ("torch.cat([last, first], dim=-1)", "torch.cat([ahead, back], dim=-1)[:, -1]")),
        ("orden", ("[ahead, back]", "[back, ahead]"), ("[last, first]", "[first, last]")),
        ("negada", ("dim=-1), mask", "dim=-1), ~mask")),
        ("prohibida", ("self.ahead = GRUCell(", "self.spare = nn.GRUCell(1, 1)\n        self.spare._parameters.clear()\n        self.ahead = GRUCell(")),
    ),
    "tr-atencion": (
        ("mascara", ("masked_fill(~mask", "masked_fill(mask")),
        ("mascara", ("scores.masked_fill(~mask, -math.inf).softmax(dim=-1)", "scores.softmax(dim=-1)")),
        ("mascara", ("scores.masked_fill(~mask, -math.inf).softmax(dim=-1)", "scores.softmax(dim=-1) * mask")),
        ("tapado-con-un-numero", ("-math.inf", "-20.0")),
        ("tapado-con-un-numero", ("-math.inf", "-100.0")),
        ("sin-tanh", ("torch.tanh(self.query_proj(query)[:, None] + keys)", "self.query_proj(query)[:, None] + keys")),
        ("multiplica", ("[:, None] + keys", "[:, None] * keys")),
        ("softmax-eje", ("softmax(dim=-1)", "softmax(dim=0)")),
        ("sigmoide", ("softmax(dim=-1)", "sigmoid()")),
        ("mezcla-claves", ("[:, None] @ states", "[:, None] @ keys")),
        ("parametros", ("self.query_proj = nn.Linear(d_query, d_hidden, bias=False)", "self.query_proj = nn.Linear(d_query, d_hidden)")),
        ("sin-metodo", ("def prepare(", "def claves(")),
    ),
    "tr-decodificador": (
        ("inicio", ("torch.tanh(self.start_proj(summary))", "self.start_proj(summary)")),
        ("sin-mascara", ("self.attention(h, keys, states, mask)", "self.attention(h, keys, states, mask | True)")),
        ("estado-viejo", ("        h = self.cell(", "        before, h = h, self.cell("), ("torch.cat([h, context]", "torch.cat([before, context]")),
        ("no-avanza", ("        h = self.cell(", "        before, h = h, self.cell("), ("dim=-1)), h, weights", "dim=-1)), before, weights")),
        ("mira-otra-vez", ("        return self.output", "        context = self.attention(h, keys, states, mask)[0]\n        return self.output")),
        ("orden", ("[self.embedding(token), context]", "[context, self.embedding(token)]")),
        ("orden", ("torch.cat([h, context]", "torch.cat([context, h]")),
        ("parametros", ("nn.Linear(3 * d_hidden, n_tokens)", "nn.Linear(2 * d_hidden, n_tokens)")),
    ),
    "tr-modelo": (
        ("sin-profesor", ("        for token in target.unbind(dim=1):\n            logits", "        token = target[:, 0]\n        for n in range(target.shape[1]):\n            token = token if n == 0 else logits.argmax(-1)\n            logits")),
        ("no-avanza", ("logits, h, _ = self.step(token, h, memory)", "logits, _, _ = self.step(token, h, memory)")),
        ("empieza-en-cero", ("self.decoder.start(summary)", "0 * self.decoder.start(summary)")),
        ("probabilidades", ("return torch.stack(every, dim=1)", "return torch.stack(every, dim=1).softmax(-1)")),
        ("memoria", ("return (keys, states, mask)", "return (states, keys, mask)"), ("token, h, *memory)", "token, h, memory[1], memory[0], memory[2])")),
        ("cuantas", ("return (keys, states, mask), self", "return keys, states, mask, self"), ("        memory, h = self.read(source)\n        every", "        *memory, h = self.read(source)\n        every")),
        ("sin-metodo", ("def read(", "def lee("), ("self.read(", "self.lee(")),
        ("guardado", ("        self.encoder = ", "        self.register_buffer('tri', torch.ones(1))\n        self.encoder = ")),
        ("constructor", ("d_embedding: int, d_hidden: int):", "d_hidden: int):"), ("d_embedding, d_hidden)", "d_hidden, d_hidden)")),
    ),
    "tr-pesos": (
        ("tipo-de-dato", (".float()", "")),
        ("direcciones", ('"encoder.back" if "reverse" in rest else "encoder.ahead"', '"encoder.ahead" if "reverse" in rest else "encoder.back"')),
        ("entrada-y-estado", ('{"ih": "input_proj", "hh": "hidden_proj"}', '{"hh": "input_proj", "ih": "hidden_proj"}')),
        ("alineamiento", ('.replace("alignment", "attention")', "")),
        ("traspuestas", ("value.float()", "value.float().T if value.ndim == 2 and 'embedding' not in name else value.float()")),
    ),
    "tr-perdida": (
        ("relleno", ("(logs * real).sum() / real.sum()", "logs.mean()")),
        ("relleno", ("/ real.sum()", "/ real.numel()")),
        ("por-frase", ("-(logs * real).sum() / real.sum()", "-((logs * real).sum(1) / real.sum(1)).mean()")),
        ("suma", (" / real.sum()", "")),
        ("base-dos", ("/ real.sum()", "/ real.sum() / math.log(2)")),
        ("sin-gradiente", ("logits.log_softmax", "logits.detach().log_softmax")),
    ),
    "tr-entrenador": (
        ("sin-desplazar", ("target[:, :-1]), target[:, 1:]", "target), target")),
        ("acumula", ("        optimizer.zero_grad()\n", "")),
        ("sin-recorte", ("clip_grad_norm_(model.parameters(), limit)", "clip_grad_norm_(model.parameters(), math.inf)")),
        ("recorta-siempre", ("        optimizer.step()", "        for p in model.parameters():\n            p.grad.mul_(limit / size.clamp(max=limit))\n        optimizer.step()")),
        ("por-valor", ("        optimizer.step()", "        nn.utils.clip_grad_value_(model.parameters(), limit)\n        optimizer.step()"), ("clip_grad_norm_(model.parameters(), limit)", "clip_grad_norm_(model.parameters(), math.inf)")),
        ("tamaño-recortado", ("size.item()", "size.clamp(max=limit).item()")),
        ("sin-adam", ("torch.optim.Adam", "torch.optim.SGD")),
        ("modo", ("    model.train()\n", "")),
        ("modo-final", ("    model.eval()\n", "")),
    ),
    "tr-voraz": (
        ("no-para", ("row[: row.index(stop)] if stop in row else row for", "row for"), ("if ended.all()", "if False")),
        ("con-inicio", ("[row[: row.index(stop)] if stop in row else row for row in rows]", "[[start, *(row[: row.index(stop)] if stop in row else row)] for row in rows]")),
        ("con-fin", ("row[: row.index(stop)]", "row[: row.index(stop) + 1]")),
        ("empieza-con-fin", ("torch.full_like(source[:, 0], start)", "torch.full_like(source[:, 0], stop)")),
        ("estado-quieto", ("logits, h, _ = model", "logits, _, _ = model")),
        ("indice", ("source[:, 0]", "source[:, 1]")),
        ("no-relee", ("model.step(token, h, memory)", "model.step(torch.full_like(token, start), h, memory)")),
        ("relee", ("        logits, h, _ = model", "        memory, _ = model.read(source)\n        logits, h, _ = model"), ("    memory, h = model.read(source)\n", "    h = model.read(source)[1]\n    model.reads -= 1\n")),
    ),
    "tr-haz": (
        ("voraz", ("[:width]", "[:1]")),
        ("sin-reordenar", ("h = h[torch.tensor([row for _, _, row in going], device=source.device)]", "h = h[torch.arange(len(going), device=source.device) % len(h)]")),
        ("suma-probabilidades", ("logits.log_softmax(dim=-1)", "logits.softmax(dim=-1)")),
        ("sin-dividir", ("score / len(tokens), tokens", "score, tokens")),
        ("sin-dividir", ("max((score / len(tokens), tokens) for", "max((score, tokens) for"), ("    return [token for token in tokens if token != stop], score", "    return [token for token in tokens if token != stop], score / len(tokens)")),
        ("divide-al-podar", ("key=lambda candidate: -candidate[0]", "key=lambda candidate: -candidate[0] / len(candidate[1])")),
        ("acabadas-aparte", ("[(score, tokens, None) for score, tokens in done]", "[]"), ("        done = [(score", "        done += [(score")),
        ("olvida-las-acabadas", ("[(score, tokens, None) for score, tokens in done]", "[]")),
        ("para-a-la-primera", ("        if not alive:", "        if done:\n            alive = []\n        if not alive:")),
        ("con-fin", ("[token for token in tokens if token != stop]", "tokens")),
    ),
    "tr-mapa": (
        ("traspuesto", ("torch.stack(rows, dim=1) * (target[:, 1:] != 0)[..., None]", "(torch.stack(rows, dim=1) * (target[:, 1:] != 0)[..., None]).mT")),
        ("desplazado", ("target[:, :-1].unbind", "target[:, 1:].unbind")),
        ("relleno", (" * (target[:, 1:] != 0)[..., None]", "")),
        ("estado-quieto", ("_, h, weights = model", "_, _, weights = model")),
    ),
}  # fmt: skip

WHOLE_WRONG = {}

RIGHT = {
    "tr-celda": """
class GRUCell(nn.Module):
    def __init__(self, size, width):
        super().__init__()
        self.hidden_proj = nn.Linear(width, 3 * width)
        self.input_proj = nn.Linear(size, 3 * width)

    def forward(self, x, h):
        n = h.shape[-1]
        a, b = self.input_proj(x), self.hidden_proj(h)
        gates = (a[:, : 2 * n] + b[:, : 2 * n]).sigmoid()
        new = (a[:, 2 * n :] + gates[:, :n] * b[:, 2 * n :]).tanh()
        return torch.lerp(new, h, gates[:, n:])
""",
    "tr-recorrido": """
def unroll(cell, x, mask, h, backwards):
    rows, ends = [], []
    for text, real, first in zip(x, mask, h):
        length, state = int(real.sum()), first[None]
        found = [torch.zeros_like(first) for _ in real]
        order = list(range(length))
        for place in order[::-1] if backwards else order:
            state = cell(text[place][None], state)
            found[place] = state[0]
        rows.append(torch.stack(found))
        ends.append(state[0])
    return torch.stack(rows), torch.stack(ends)
""",
    "tr-codificador": """
class Encoder(nn.Module):
    def __init__(self, n_tokens, d_embedding, d_hidden):
        super().__init__()
        self.back, self.ahead = (GRUCell(d_embedding, d_hidden) for _ in range(2))
        self.embedding = nn.Embedding(n_tokens, d_embedding)

    def forward(self, source):
        mask = source.bool()
        vectors = self.embedding.weight[source]
        start = torch.zeros(len(source), self.ahead.hidden_proj.in_features, device=source.device)
        both = [unroll(cell, vectors, mask, start, turned) for cell, turned in ((self.ahead, False), (self.back, True))]
        states, summary = (torch.cat(parts, -1) for parts in zip(*both))
        return states, summary, mask
""",
    "tr-atencion": """
class AdditiveAttention(nn.Module):
    def __init__(self, d_query, d_key, d_hidden):
        super().__init__()
        self.score_proj = nn.Linear(d_hidden, 1, bias=False)
        self.key_proj = nn.Linear(d_key, d_hidden, bias=False)
        self.query_proj = nn.Linear(d_query, d_hidden, bias=False)

    def prepare(self, states):
        return torch.einsum("bsd,hd->bsh", states, self.key_proj.weight)

    def forward(self, query, keys, states, mask):
        mixed = (self.query_proj(query).unsqueeze(1) + keys).tanh()
        scores = mixed @ self.score_proj.weight[0]
        powers = torch.where(mask, (scores - scores.max(1, keepdim=True).values).exp(), 0.0)
        weights = powers / powers.sum(1, keepdim=True)
        return torch.einsum("bs,bsd->bd", weights, states), weights
""",
    "tr-decodificador": """
class Decoder(nn.Module):
    def __init__(self, n_tokens, d_embedding, d_hidden):
        super().__init__()
        self.output = nn.Linear(3 * d_hidden, n_tokens)
        self.cell = GRUCell(d_embedding + 2 * d_hidden, d_hidden)
        self.attention = AdditiveAttention(d_query=d_hidden, d_key=2 * d_hidden, d_hidden=d_hidden)
        self.start_proj = nn.Linear(2 * d_hidden, d_hidden)
        self.embedding = nn.Embedding(n_tokens, d_embedding)

    def start(self, summary):
        return self.start_proj(summary).tanh()

    def step(self, token, h, keys, states, mask):
        seen, weights = self.attention(h, keys, states, mask)
        new = self.cell(torch.hstack([self.embedding.weight[token], seen]), h)
        return self.output(torch.hstack([new, seen])), new, weights
""",
    "tr-modelo": """
class Translator(nn.Module):
    def __init__(self, n_source, n_target, d_embedding, d_hidden):
        super().__init__()
        self.decoder = Decoder(n_target, d_embedding, d_hidden)
        self.encoder = Encoder(n_source, d_embedding, d_hidden)

    def read(self, source):
        states, summary, mask = self.encoder(source)
        return (self.decoder.attention.prepare(states), states, mask), self.decoder.start(summary)

    def step(self, token, h, memory):
        keys, states, mask = memory
        return self.decoder.step(token, h, keys=keys, states=states, mask=mask)

    def forward(self, source, target):
        memory, h = self.read(source)
        found = None
        for n in range(target.shape[1]):
            logits, h, _ = self.step(target[:, n], h, memory)
            found = logits[:, None] if found is None else torch.cat([found, logits[:, None]], 1)
        return found
""",
    "tr-pesos": """
def rename(weights):
    changes = (
        ("alignment.", "attention."), ("rnn.weight_ih_l0_reverse", "back.input_proj.weight"),
        ("rnn.weight_hh_l0_reverse", "back.hidden_proj.weight"),
        ("rnn.bias_ih_l0_reverse", "back.input_proj.bias"),
        ("rnn.bias_hh_l0_reverse", "back.hidden_proj.bias"),
        ("rnn.weight_ih_l0", "ahead.input_proj.weight"), ("rnn.weight_hh_l0", "ahead.hidden_proj.weight"),
        ("rnn.bias_ih_l0", "ahead.input_proj.bias"), ("rnn.bias_hh_l0", "ahead.hidden_proj.bias"),
        ("cell.weight_ih", "cell.input_proj.weight"), ("cell.weight_hh", "cell.hidden_proj.weight"),
        ("cell.bias_ih", "cell.input_proj.bias"), ("cell.bias_hh", "cell.hidden_proj.bias"),
    )
    found = {}
    for name, value in weights.items():
        for before, after in changes:
            name = name.replace(before, after)
        found[name] = value.to(torch.float32)
    return found
""",
    "tr-perdida": """
def masked_loss(logits, target):
    return nn.functional.cross_entropy(logits.transpose(1, 2), target, ignore_index=0)
""",
    "tr-entrenador": """
def train(model, batches, lr, limit):
    parameters = list(model.parameters())
    optimizer, found = torch.optim.Adam(parameters, lr), []
    model.train(True)
    for source, target in batches:
        optimizer.zero_grad(set_to_none=False)
        loss = masked_loss(model(source, target[..., :-1]), target[..., 1:])
        loss.backward()
        size = torch.cat([p.grad.flatten() for p in parameters]).norm()
        if size > limit:
            for parameter in parameters:
                parameter.grad.mul_(limit / size)
        optimizer.step()
        found.append((loss.item(), size.item()))
    model.train(False)
    return tuple(map(list, zip(*found)))
""",
    "tr-voraz": """
@torch.no_grad()
def translate(model, source, start, stop, max_length):
    memory, h = model.read(source)
    found, rows = [[] for _ in source], list(range(len(source)))
    token = torch.tensor([start] * len(source), device=source.device)
    for _ in range(max_length):
        logits, h, _ = model.step(token, h, memory)
        token = logits.argmax(-1)
        going = [n for n, t in enumerate(token.tolist()) if t != stop]
        rows = [rows[n] for n in going]
        if not rows:
            break
        places = torch.tensor(going, device=source.device)
        token, h, memory = token[places], h[places], tuple(part[places] for part in memory)
        for row, t in zip(rows, token.tolist()):
            found[row].append(t)
    return found
""",
    "tr-haz": """
@torch.no_grad()
def beam_search(model, source, start, stop, width, max_length):
    memory, first = model.read(source)
    kept = [(0.0, (), first)]
    for _ in range(max_length):
        grown = []
        for score, tokens, h in kept:
            if tokens and tokens[-1] == stop:
                grown.append((score, tokens, h))
                continue
            last = torch.tensor([tokens[-1] if tokens else start], device=source.device)
            logits, new, _ = model.step(last, h, memory)
            for token, value in enumerate(torch.log(logits[0].softmax(-1))):
                grown.append((score + value.item(), (*tokens, token), new))
        grown.sort(key=lambda own: own[0], reverse=True)
        kept = grown[:width]
        if all(tokens[-1] == stop for _, tokens, _ in kept):
            break
    score, tokens, _ = max(kept, key=lambda own: own[0] / len(own[1]))
    mean = score / len(tokens)
    return list(tokens[:-1] if tokens[-1] == stop else tokens), mean
""",
    "tr-mapa": """
@torch.no_grad()
def alignment(model, source, target):
    memory, h = model.read(source)
    found = torch.zeros(len(source), target.shape[1] - 1, source.shape[1], device=source.device)
    for t in range(target.shape[1] - 1):
        _, h, weights = model.step(target[:, t], h, memory)
        found[:, t] = torch.where(target[:, t + 1, None] == 0, 0.0, weights)
    return found
""",
}
