"""La guía y los pasos: casos con fórmula, y lo que no depende de con quién se dibuje."""

import pytest
import torch

from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.multimodal.flow.decoding import SOLVERS, flow_path, guided, noise_like

CONFIG = DiTConfig(3, image_size=4, patch_size=2, d_model=8, n_heads=2, n_layers=1, d_hidden=8)


def model():
    torch.manual_seed(0)
    made = DiT(CONFIG).eval()
    for value in made.parameters():
        torch.nn.init.normal_(value, std=0.4)
    return made


def asked():
    return noise_like(model(), 3, seed=1), torch.tensor([0.1, 0.5, 0.9]), torch.tensor([0, 1, 2])


@torch.no_grad()
def test_one_is_the_class_zero_is_nobody_and_the_rest_is_on_their_line():
    net, (x, times, classes) = model(), asked()
    told = net(x, times, classes)
    nobody = net(x, times, torch.full((3,), CONFIG.no_class))
    assert (told - nobody).abs().max() > 1e-3
    for guidance, wanted in ((0, nobody), (1, told), (3, 3 * told - 2 * nobody)):
        torch.testing.assert_close(guided(net, classes, guidance)(x, times), wanted)
    near_one = guided(net, classes, 1 + 1e-6)(x, times)
    torch.testing.assert_close(near_one, told, atol=1e-4, rtol=1e-4)


def test_it_counts_the_calls_and_gives_them_the_time():
    seen = []

    def field(x, times):
        seen.append(times.tolist())
        return torch.ones_like(x)

    path = flow_path(field, torch.zeros(2, 1), 4)
    assert path.shape == (5, 2, 1) and seen == [[step / 4] * 2 for step in range(4)]
    assert path[:, 0, 0].tolist() == [0, 0.25, 0.5, 0.75, 1]
    seen.clear()
    flow_path(field, torch.zeros(2, 1), 2, "Heun")
    assert seen == [[0.0] * 2, [0.5] * 2, [0.5] * 2]


@pytest.mark.parametrize("n_steps", [1, 2, 5])
def test_heun_never_asks_at_the_end_and_its_last_step_is_of_euler(n_steps):
    """Con x' = a · x, un paso de Heun multiplica por 1 + ah + (ah)²/2, y uno de Euler, por 1 + ah.

    Un campo que estalla en el instante 1, como el de unos datos sueltos, lo nota si se le pregunta.
    """
    asked_at, h = [], -0.7 / n_steps

    def field(x, times):
        asked_at.append(float(times[0]))
        assert times.max() < 1, "ha preguntado en el instante 1"
        return -0.7 * x

    x = torch.tensor([[1.0], [-2.0]]).double()
    end = flow_path(field, x, n_steps, "Heun")[-1]
    torch.testing.assert_close(end, x * (1 + h + h**2 / 2) ** (n_steps - 1) * (1 + h))
    assert len(asked_at) == 2 * n_steps - 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_field_that_only_depends_on_time_is_integrated(solver):
    """∫ 2t dt = 1: Euler se queda corto en 1/n, y Heun, el trapecio, solo al final: en 1/n²."""
    end = flow_path(
        lambda x, t: 2 * t[:, None].expand_as(x), torch.zeros(1, 1).double(), 10, solver
    )
    wanted = {"Euler": 0.9, "Heun": 0.99}[solver]
    assert float(end[-1]) == pytest.approx(wanted)


def test_noise_is_of_its_seed_and_each_drawing_is_on_its_own():
    net = model()
    assert torch.equal(noise_like(net, 4, 1), noise_like(net, 4, 1))
    assert not torch.equal(noise_like(net, 4, 1), noise_like(net, 4, 2))
    x, _, classes = asked()
    together = flow_path(guided(net, classes, 2.0), x, 3)[-1]
    alone = flow_path(guided(net, classes[1:2], 2.0), x[1:2], 3)[-1]
    torch.testing.assert_close(together[1:2], alone)


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="n_steps=0: hace falta al menos un paso"):
        flow_path(lambda x, t: x, torch.zeros(1, 1), 0)
    with pytest.raises(ValueError, match="solver='rk4': usa Euler o Heun"):
        flow_path(lambda x, t: x, torch.zeros(1, 1), 1, "rk4")
