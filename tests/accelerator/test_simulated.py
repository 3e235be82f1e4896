"""El acelerador de mentira: se niega a lo que se negaría CUDA, y a nada más.

Con una GPU, las mismas pruebas corren en ella: dicen si la mentira se le parece.
"""

import copy
import gc
import threading
import weakref

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from matplotlib import pyplot
from torch import nn

from tests.accelerator.pretend import accelerator_device, use_device
from tfcourse.training import Steps, loop


@pytest.fixture
def d():
    return accelerator_device()


@pytest.fixture
def x(d):
    return torch.arange(12.0, device=d).view(3, 4)


# Lo que no se puede hacer → con qué error y qué dice.
REFUSED = {
    "mezclar": (lambda x: x + torch.ones(4), RuntimeError, "same device"),
    "multiplicar": (lambda x: x @ torch.ones(4, 2), RuntimeError, "device"),
    "juntar": (lambda x: torch.cat([x, torch.ones(1, 4)]), RuntimeError, "device"),
    "apilar con un número suelto": (
        lambda x: torch.stack([x[0, 0], torch.tensor(1.0)]),
        RuntimeError,
        "device",
    ),
    "indexar uno de la CPU": (
        lambda x: torch.ones(5)[x[0].long()],
        RuntimeError,
        "indices should be",
    ),
    "elegir con índices de la CPU": (
        lambda x: x.gather(1, torch.zeros(3, 1, dtype=torch.long)),
        RuntimeError,
        "device",
    ),
    "buscar en una tabla de la CPU": (
        lambda x: F.embedding(x.long(), torch.ones(20, 2)),
        RuntimeError,
        "device",
    ),
    "poner valores de la CPU por índices": (
        lambda x: x.index_put((torch.tensor([0, 1]),), torch.ones(2, 4)),
        RuntimeError,
        "device",
    ),
    "acumular en uno de la CPU": (
        lambda x: torch.zeros(()).add_(x[0, 0]),
        RuntimeError,
        "device",
    ),
    "pasar a NumPy": (lambda x: x.numpy(), TypeError, "to numpy"),
    "pasar a NumPy sin querer": (lambda x: np.asarray(x), TypeError, "to numpy"),
    "pasar a NumPy una lista": (lambda x: np.array([x[0, 0], x[0, 1]]), TypeError, "to numpy"),
    "azar de la CPU": (
        lambda x: torch.rand(3, device=x.device, generator=torch.Generator()),
        RuntimeError,
        "type for generator",
    ),
    "sorteo con azar de la CPU": (
        lambda x: torch.multinomial(x + 1, 1, generator=torch.Generator()),
        RuntimeError,
        "type for generator",
    ),
    "azar del acelerador en la CPU": (
        lambda x: torch.rand(3, generator=torch.Generator(device=x.device)),
        RuntimeError,
        "type for generator",
    ),
    "permutación con azar del acelerador en la CPU": (
        lambda x: torch.randperm(3, generator=torch.Generator(device=x.device)),
        RuntimeError,
        "type for generator",
    ),
    "llenar con azar del acelerador en la CPU": (
        lambda x: torch.empty(3).normal_(generator=torch.Generator(device=x.device)),
        RuntimeError,
        "type for generator",
    ),
    "empaquetar con longitudes del acelerador": (
        lambda x: nn.utils.rnn.pack_padded_sequence(
            x.expand(2, 3, 4), torch.tensor([3, 2], device=x.device), batch_first=True
        ),
        RuntimeError,
        "CPU int64",
    ),
    "lo que CUDA no sabe": (lambda x: torch.histogram(x, 4), NotImplementedError, "histogram"),
    "comparar con uno de la CPU": (
        lambda x: torch.testing.assert_close(x, x.cpu()),
        AssertionError,
        "device",
    ),
    "dibujar": (
        lambda x: pyplot.figure().gca().plot(x[0]),
        TypeError,
        "to numpy",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_refuses_what_cuda_refuses(x, name):
    action, error, message = REFUSED[name]
    if "no sabe" in name and not torch.backends.cuda.is_built():
        pytest.skip("un PyTorch sin CUDA no sabe qué le falta a CUDA")
    with pytest.raises(error, match=message):
        action(x)


# Lo que sí se puede hacer → lo que sale.
ACCEPTED = {
    "sumar un número suelto de la CPU": (lambda x: x + torch.tensor(1.0), True),
    "taparlo con un número suelto": (lambda x: x.masked_fill(x > 3, torch.tensor(0.0)), True),
    "indexarlo con índices de la CPU": (lambda x: x[torch.tensor([0, 2])], True),
    "copiar de la CPU": (lambda x: x.clone().copy_(torch.ones(3, 4)), True),
    "copiar a la CPU": (lambda x: torch.zeros(3, 4).copy_(x), False),
    "leer un número": (lambda x: x[0, 1].item(), 1.0),
    "escribir un número": (lambda x: f"{x[0, 1]:.2f}", "1.00"),
    "hacer una lista": (lambda x: x[0].tolist(), [0.0, 1.0, 2.0, 3.0]),
    "volver": (lambda x: float(x.cpu().numpy().sum()), 66.0),
    "usar su azar": (
        lambda x: torch.rand(3, device=x.device, generator=torch.Generator(device=x.device)),
        True,
    ),
    "crear": (lambda x: torch.arange(2, 9, 3, device=x.device), True),
    "crear a partir de una lista": (lambda x: torch.tensor([1, 2], device=x.device), True),
    "crear a partir de sus números": (lambda x: torch.tensor([x[0, 0], x[0, 1]]), False),
    "trasponer en el sitio": (lambda x: tuple(x.clone().t_().shape), (4, 3)),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_it_accepts_what_cuda_accepts(x, name):
    action, wanted = ACCEPTED[name]
    made = action(x)
    if isinstance(wanted, bool):
        assert (made.device.type == x.device.type) is wanted
    else:
        assert made == wanted


def test_views_write_where_they_look(d):
    x = torch.zeros(3, 4, device=d)
    x[0] = 1
    x[:, 1].add_(2)
    x[x > 2] = 5
    x.T[3].fill_(7)
    assert x.tolist() == [[1, 5, 1, 7], [0, 2, 0, 7], [0, 2, 0, 7]]


def test_moving_a_model_keeps_its_parameters(d):
    """Por eso sirve el optimizador que se creó antes, también al volver."""
    model = nn.Sequential(nn.Linear(4, 3), nn.LayerNorm(3))
    before, optimizer = [id(p) for p in model.parameters()], torch.optim.AdamW(model.parameters())
    start = model[0].weight.detach().clone()
    model.to(d)(torch.ones(2, 4, device=d)).square().sum().backward()
    optimizer.step()
    twin = copy.deepcopy(model)
    assert model[0].weight.device.type == twin[0].weight.device.type == d.type
    assert [id(p) for p in model.cpu().parameters()] == before
    assert not torch.equal(model[0].weight, start) and model[0].weight.grad.device.type == "cpu"
    model.load_state_dict(twin.state_dict())
    assert isinstance(twin[0].weight, nn.Parameter) and model[0].weight.device.type == "cpu"


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_recurrent_networks_say_the_same(d, kind):
    torch.manual_seed(0)
    model = kind(4, 5, num_layers=2, batch_first=True, bidirectional=True)
    x = torch.randn(2, 6, 4)
    wanted, _ = model(x)
    packed = nn.utils.rnn.pack_padded_sequence(x.to(d), torch.tensor([6, 3]), batch_first=True)
    said, _ = model.to(d)(x.to(d))
    unpacked, _ = nn.utils.rnn.pad_packed_sequence(model(packed)[0], batch_first=True)
    said.sum().backward()
    torch.testing.assert_close(said.cpu(), wanted, rtol=1e-3, atol=2e-3)
    torch.testing.assert_close(unpacked[:1], said[:1], rtol=1e-3, atol=2e-3)
    assert all(p.grad is not None for p in model.parameters())


def test_ctc_takes_its_lengths_from_either_side(d):
    logits = torch.randn(6, 2, 5).log_softmax(dim=-1)
    words = torch.tensor([[1, 2], [3, 1]])
    wanted = F.ctc_loss(logits, words, torch.tensor([6, 6]), torch.tensor([2, 1]))
    for place in (torch.device("cpu"), d):
        sizes = torch.tensor([6, 6], device=place), torch.tensor([2, 1], device=place)
        said = F.ctc_loss(logits.to(d), words.to(d), *sizes)
        torch.testing.assert_close(said.cpu(), wanted)


# En precisión mixta: una operación → el tipo que sale.
LOW, HIGH = torch.bfloat16, torch.float32
MIXED = {
    "multiplicar": (lambda x: x @ x.T, LOW),
    "capa lineal": (lambda x: F.linear(x, x), LOW),
    "convolución": (lambda x: F.conv1d(x[None], x[:, :3, None]), LOW),
    "atención": (lambda x: F.scaled_dot_product_attention(*[x[None]] * 3), LOW),
    "softmax": (lambda x: (x @ x.T).softmax(dim=-1), HIGH),
    "normalizar": (lambda x: F.layer_norm(x.bfloat16(), (4,)), HIGH),
    "juntar lo bajo y lo alto": (lambda x: torch.cat([x.bfloat16(), x]), HIGH),
    "multiplicar lo bajo y lo alto": (lambda x: torch.dot(x[0].bfloat16(), x[0]), HIGH),
    "sumar lo bajo": (lambda x: x.bfloat16() + 1, LOW),
    "float64": (lambda x: x.double() @ x.double().T, torch.float64),
}


@pytest.mark.parametrize("name", MIXED)
def test_mixed_precision_lowers_and_raises_like_cuda(d, x, name):
    action, wanted = MIXED[name]
    with torch.autocast(d.type, dtype=torch.bfloat16):
        assert action(x).dtype == wanted


MIXED_MISTAKES = {
    "bf16 a NumPy": (lambda x, low: low.cpu().numpy(), TypeError, "BFloat16"),
    "poner bf16 en float32 por índices": (
        lambda x, low: x.index_put_((torch.tensor([0], device=x.device),), low[:1]),
        RuntimeError,
        "dtypes? match",
    ),
    "esparcir bf16 en float32": (
        lambda x, low: x.scatter(1, torch.zeros_like(low, dtype=torch.long), low),
        RuntimeError,
        "dtype",
    ),
    "invertir en bf16": (
        lambda x, low: torch.linalg.inv(low[:3, :3]),
        RuntimeError,
        "Low precision|not implemented",
    ),
    "entropía de probabilidades": (
        lambda x, low: F.binary_cross_entropy(low.sigmoid(), low.sigmoid()),
        RuntimeError,
        "unsafe to autocast",
    ),
}


@pytest.mark.parametrize("name", MIXED_MISTAKES)
def test_mixed_precision_shows_wrong_types(d, x, name):
    action, error, message = MIXED_MISTAKES[name]
    with torch.autocast(d.type, dtype=torch.bfloat16), pytest.raises(error, match=message):
        action(x, F.linear(x, torch.ones(4, 4, device=d)))


@pytest.mark.parametrize("precision", ["no", "bf16"])
def test_fit_trains_where_it_is_told(d, monkeypatch, precision):
    use_device(monkeypatch.setattr, d, precision)
    seen, model = [], nn.Linear(4, 3)
    before = model.weight.detach().clone()

    def loss(m, batch):
        seen.append((batch[0].device.type, batch[0].dtype))
        seen.append((m.weight.device.type, m(batch[0]).dtype))
        return F.cross_entropy(m(batch[0]), batch[1])

    options = {"optimizer": torch.optim.SGD(model.parameters(), lr=0.5)}
    batches = [(torch.randn(8, 4), torch.randint(3, (8,)))]
    loop.fit(model, batches, loss, budget=Steps(2), **options)
    assert set(seen) == {(d.type, torch.float32)}
    assert model.weight.device.type == "cpu" and not model.training, "vuelve a donde estaba"
    assert not torch.equal(model.weight.detach(), before)


@pytest.mark.parametrize("precision", ["no"])
def test_fit_keeps_no_model_when_it_ends(d, monkeypatch, precision):
    """Lo que entrenó se puede borrar: en una GPU, cada modelo olvidado son gigabytes.

    Tampoco lo guarda el hilo que adelanta lotes, que aquí sigue esperando uno cuando `fit` acaba.
    """
    use_device(monkeypatch.setattr, d, precision)
    model, enough = nn.Linear(4, 3), threading.Event()

    def batches():
        yield torch.randn(8, 4)
        yield torch.randn(8, 4)
        enough.wait(60)
        yield torch.randn(8, 4)

    try:
        loop.fit(
            model, batches(), lambda m, batch: m(batch).square().mean(),
            budget=Steps(2), optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
        )  # fmt: skip
        gone = weakref.ref(model)
        del model
        gc.collect()
        assert gone() is None
    finally:
        enough.set()


@pytest.mark.parametrize("precision", ["no"])
def test_fit_can_train_the_same_model_again(d, monkeypatch, precision):
    """La segunda vez, también en el acelerador y con la precisión que se pide."""
    use_device(monkeypatch.setattr, d, precision)
    model, seen = nn.Sequential(nn.Linear(4, 3)), set()
    model[0].register_forward_hook(lambda m, x, out: seen.add((out.device.type, out.dtype)))
    batches = [(torch.randn(8, 4), torch.randint(3, (8,)))]
    for _ in range(2):
        loop.fit(
            model, batches, lambda m, batch: F.cross_entropy(m(batch[0]), batch[1]),
            budget=Steps(2), optimizer=torch.optim.SGD(model.parameters(), lr=0.5),
        )  # fmt: skip
    assert seen == {(d.type, LOW if precision == "bf16" else HIGH)}
