"""La recta y su pérdida, con números hechos a mano."""

import torch

from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.multimodal.flow.losses import Journey, along, flow_matching_loss, image_flow_loss


def test_the_line_starts_at_the_noise_and_ends_at_the_datum():
    noise, data = torch.randn(3, 2, 2), torch.randn(3, 2, 2)
    assert torch.equal(along(noise, data, torch.zeros(3)), noise)
    assert torch.equal(along(noise, data, torch.ones(3)), data)
    some = along(noise, data, torch.tensor([0.0, 0.25, 1.0]))
    torch.testing.assert_close(some[1], 0.75 * noise[1] + 0.25 * data[1])


def test_the_loss_is_the_mean_of_the_squares():
    noise, data = torch.tensor([[1.0, 0.0]]), torch.tensor([[3.0, -1.0]])
    seen = []

    def velocity(x, times):
        seen.append((x.tolist(), times.tolist()))
        return torch.tensor([[1.0, 1.0]])

    loss = flow_matching_loss(velocity, noise, data, torch.tensor([0.5]))
    assert seen == [([[2.0, -0.5]], [0.5])]
    assert float(loss) == ((1 - 2) ** 2 + (1 + 1) ** 2) / 2


def test_a_new_network_costs_what_saying_zero_costs():
    torch.manual_seed(0)
    net = DiT(DiTConfig(2, image_size=4, d_model=8, n_heads=2, n_layers=1, d_hidden=8))
    batch = Journey(
        torch.randn(5, 1, 4, 4), torch.randn(5, 1, 4, 4), torch.rand(5), torch.arange(5) % 3
    )
    wanted = (batch.images - batch.noise).square().mean()
    torch.testing.assert_close(image_flow_loss(net, batch), wanted)
