"""Un modelo de mentira, para probar lo que se hace con lo que contesta un modelo."""

from torch import nn


class Says(nn.Module):
    """Un modelo que contesta siempre lo mismo."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def forward(self, images):
        return self.answer
