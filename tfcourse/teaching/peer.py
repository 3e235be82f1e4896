"""Llamadas de un proceso a otro, en los dos sentidos, que dejan pasar el gradiente.

El corrector llama a la función del estudiante como si estuviera en su proceso; si le pasa una
función (un modelo de juguete), la del estudiante la llama de vuelta. El mismo código sirve a los
dos lados.
"""

import secrets
from collections.abc import Callable
from itertools import count

import torch
from torch import Tensor

from tfcourse.teaching.remote_errors import describe_error, raise_reported
from tfcourse.teaching.wire import Decoder, Encoder, WireError, pack, unpack

MAX_MESSAGES = 5_000


class Peer:
    """Un extremo de la conversación.

    `read(n)` y `write(bytes)` mueven los bytes. Los errores de lo que se ejecuta aquí se cuentan al
    otro lado; los de `fatal`, además, siguen su camino.
    """

    def __init__(self, read: Callable, write: Callable, fatal: tuple[type, ...] = ()):
        self.read, self.write, self.fatal = read, write, fatal
        self.functions: dict[int, Callable] = {}
        self.graphs: dict[int, tuple[list, list]] = {}
        self.numbers = count(1)

    def remember(self, function: Callable) -> int:
        """Apunta una función para que el otro lado pueda llamarla por su número."""
        number = next(self.numbers)
        self.functions[number] = function
        return number

    def send(self, message: dict, blob: bytes = b"") -> None:
        """Envía un mensaje."""
        self.write(pack(message, blob))

    def wait_answer(self, ticket: str) -> tuple[dict, bytes]:
        """Espera la respuesta a esa petición y, mientras tanto, atiende las del otro lado.

        Las respuestas con otro resguardo se tiran: alguien las ha escrito sin que se le pregunte.
        """
        for _ in range(MAX_MESSAGES):
            message, blob = unpack(self.read)
            if "answer" not in message:
                self.serve(message, blob)
            elif message.get("ticket") == ticket:
                return message, blob
        raise WireError("demasiados mensajes")

    def serve(self, message: dict, blob: bytes) -> None:
        """Atiende una petición: una llamada o la marcha atrás de una anterior."""
        try:
            if message.get("ask") == "call":
                answer, data = self._serve_call(message, blob)
            elif message.get("ask") == "backward":
                answer, data = self._serve_backward(message, blob)
            else:
                raise WireError("no se conoce la petición")
            self.send({"answer": answer, "ticket": message.get("ticket")}, data)
        except WireError:
            raise
        except BaseException as error:  # también sys.exit() o la tecla de interrumpir
            answer = {"error": describe_error(error)}
            self.send({"answer": answer, "ticket": message.get("ticket")})
            if isinstance(error, self.fatal):
                raise

    def _serve_call(self, message: dict, blob: bytes) -> tuple[dict, bytes]:
        function = self.functions[message["function"]]
        decoder = Decoder(blob, self.proxy)
        arguments = decoder.decode(message["arguments"])
        leaves = decoder.tensors
        for leaf, wanted in zip(leaves, message["grads"], strict=True):
            if wanted:
                leaf.requires_grad_()
        sent = Encoder()
        before = sent.encode([a for a in arguments if not callable(a)]), bytes(sent.blob)
        with torch.device("cpu"), torch.enable_grad():
            value = function(*arguments)
        encoder = Encoder(None)
        tree = encoder.encode(value)
        answer = {"value": tree, "changed": None}
        if any(tensor.requires_grad for tensor in encoder.tensors):
            number = next(self.numbers)
            self.graphs[number] = leaves, encoder.tensors
            answer["graph"] = number
        left = Encoder()
        after = left.encode([a for a in arguments if not callable(a)])
        if _values(after) != _values(before[0]) or bytes(left.blob) != before[1]:
            offset = len(encoder.blob)
            answer["changed"] = [offset, after]
            encoder.blob += left.blob
        return answer, bytes(encoder.blob)

    def _serve_backward(self, message: dict, blob: bytes) -> tuple[dict, bytes]:
        leaves, outputs = self.graphs[message["graph"]]
        upstream = Decoder(blob).decode(message["upstream"])
        pairs = [
            (out, up)
            for out, up in zip(outputs, upstream, strict=True)
            if out.requires_grad and up is not None
        ]
        inputs = [leaf for leaf in leaves if leaf.requires_grad]
        found = iter(
            torch.autograd.grad(
                [out for out, _ in pairs], inputs, [up for _, up in pairs],
                allow_unused=True, retain_graph=True,
            )
        )  # fmt: skip
        encoder = Encoder()
        tree = encoder.encode([next(found) if leaf.requires_grad else None for leaf in leaves])
        return {"value": tree}, bytes(encoder.blob)

    def ask(self, message: dict, blob: bytes = b"") -> tuple[dict, bytes]:
        """Pide algo y devuelve la respuesta. Errores: los que allí hayan saltado."""
        ticket = secrets.token_hex(8)
        self.send(message | {"ticket": ticket}, blob)
        reply, data = self.wait_answer(ticket)
        answer = reply["answer"]
        if type(answer) is not dict:
            raise WireError("la respuesta no es un objeto")
        if type(answer.get("error")) is dict:
            raise_reported(answer["error"])
        return answer, data

    def proxy(self, number: int) -> Callable:
        """Una función de aquí que llama a la de allí."""

        def remote(*arguments):
            return self.call(number, arguments)

        return remote

    def call(self, number: int, arguments: tuple) -> object:
        """Llama a una función del otro lado; el gradiente atraviesa la llamada."""
        tensors = _tensors_in(arguments)
        holder: dict = {}
        results = _RemoteCall.apply(self, number, arguments, holder, *tensors)
        return _rebuild(holder["value"], iter(results))


class _RemoteCall(torch.autograd.Function):
    """Nodo del grafo cuya ida y cuya vuelta se calculan en el otro proceso."""

    @staticmethod
    def forward(ctx, peer: Peer, number: int, arguments: tuple, holder: dict, *tensors):
        ctx.peer = peer
        encoder = Encoder(peer.remember)
        tree = encoder.encode(list(arguments))
        grads = [bool(tensor.requires_grad) for tensor in encoder.tensors]
        request = {"ask": "call", "function": number, "arguments": tree, "grads": grads}
        answer, blob = peer.ask(request, bytes(encoder.blob))
        decoder = Decoder(blob)
        holder["value"] = decoder.decode(answer.get("value"))
        flags = _grad_flags(answer.get("value"))
        if len(flags) != len(decoder.tensors):
            raise WireError("no cuadran los gradientes")
        ctx.graph = answer.get("graph")
        ctx.mark_non_differentiable(
            *(t for t, flag in zip(decoder.tensors, flags, strict=True) if not flag)
        )
        ctx.set_materialize_grads(False)
        if answer.get("changed"):
            _bring_changes(answer["changed"], blob, arguments)
        return tuple(decoder.tensors)

    @staticmethod
    def backward(ctx, *upstream):
        encoder = Encoder()
        tree = encoder.encode(list(upstream))
        request = {"ask": "backward", "graph": ctx.graph, "upstream": tree}
        answer, blob = ctx.peer.ask(request, bytes(encoder.blob))
        return None, None, None, None, *Decoder(blob).decode(answer.get("value"))


def _tensors_in(value: object) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in _tensors_in(item)]
    if isinstance(value, dict):
        return [tensor for item in value.values() for tensor in _tensors_in(item)]
    return []


def _grad_flags(tree: object) -> list[bool]:
    """Qué tensores de una respuesta llevan gradiente, en el orden en que se decodifican."""
    if type(tree) is list:
        return [flag for item in tree for flag in _grad_flags(item)]
    if type(tree) is not dict:
        return []
    if tree.get("t") == "tensor":
        return [bool(tree.get("g")) and "float" in str(tree.get("d"))]
    return _grad_flags(tree.get("v"))


def _rebuild(value: object, tensors) -> object:
    """El mismo valor con los tensores que salen del nodo, que llevan el gradiente."""
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, list | tuple):
        return type(value)([_rebuild(item, tensors) for item in value])
    if isinstance(value, dict):
        return {key: _rebuild(item, tensors) for key, item in value.items()}
    return value


def _values(tree: object) -> object:
    """El árbol sin lo que no es su valor: dónde están los números y si llevan gradiente."""
    if type(tree) is list:
        return [_values(item) for item in tree]
    if type(tree) is dict:
        return {key: _values(item) for key, item in tree.items() if key not in ("g", "i", "at")}
    return tree


def _bring_changes(changed: list, blob: bytes, arguments: tuple) -> None:
    """Escribe en los argumentos de aquí lo que la llamada cambió en los de allí."""
    offset, tree = changed
    if type(offset) is not int or not 0 <= offset <= len(blob):
        raise WireError("los cambios no están donde dicen")
    values = Decoder(blob[offset:]).decode(tree)
    own = [argument for argument in arguments if not callable(argument)]
    if type(values) is not list or len(values) != len(own):
        raise WireError("los cambios no cuadran con los argumentos")
    for mine, new in zip(own, values, strict=True):
        if isinstance(mine, Tensor) and isinstance(new, Tensor):
            mine.data = new
        elif isinstance(mine, list) and isinstance(new, list):
            mine[:] = new
        elif isinstance(mine, dict) and isinstance(new, dict):
            mine.clear()
            mine.update(new)
