"""Llamadas al sistema que el código de una entrega no puede hacer: crear procesos, espiar a otros…

El filtro se instala con `prctl` desde el propio proceso y ya no se puede quitar. Los hilos sí se
permiten: PyTorch los usa. Vale en x86-64 y en ARM de 64 bits; en otra arquitectura no se instala.
Formato: «Seccomp BPF», documentación del núcleo de Linux.
"""

import ctypes
import errno
import platform
import struct

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, JUMP_IF_SET, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, DENY, KILL = 0x7FFF0000, 0x00050000, 0x80000000
CLONE_THREAD = 0x00010000
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
X32_BIT = 0x40000000

# Arquitectura → su código y los números de sus llamadas.
TABLES = {
    "x86_64": (0xC000003E, {
        "clone": 56, "clone3": 435, "fork": 57, "vfork": 58, "execve": 59, "execveat": 322,
        "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "unshare": 272,
        "setns": 308, "mount": 165, "umount2": 166, "memfd_create": 319, "shmget": 29,
        "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248,
        "io_uring_setup": 425, "pidfd_getfd": 438, "kill": 62, "tkill": 200, "socket": 41,
        "socketpair": 53,
    }),
    "aarch64": (0xC00000B7, {
        "clone": 220, "clone3": 435, "execve": 221, "execveat": 281, "ptrace": 117,
        "process_vm_readv": 270, "process_vm_writev": 271, "unshare": 97, "setns": 268,
        "mount": 40, "umount2": 39, "memfd_create": 279, "shmget": 194, "bpf": 280,
        "perf_event_open": 241, "userfaultfd": 282, "keyctl": 219, "add_key": 217,
        "io_uring_setup": 425, "pidfd_getfd": 438, "kill": 129, "tkill": 130, "socket": 198,
        "socketpair": 199,
    }),
}  # fmt: skip


def _instruction(code: int, yes: int, no: int, value: int) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def build_filter(machine: str) -> bytes:
    """El programa del filtro. Errores: `KeyError` si no se conoce la arquitectura."""
    architecture, numbers = TABLES[machine]
    program = [
        _instruction(LOAD, 0, 0, ARCHITECTURE_AT),
        _instruction(JUMP_IF_EQUAL, 1, 0, architecture),
        _instruction(RETURN, 0, 0, KILL),
        _instruction(LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == "x86_64":  # la otra manera de numerar las llamadas
        program += [
            _instruction(JUMP_IF_SET, 0, 1, X32_BIT),
            _instruction(RETURN, 0, 0, KILL),
        ]
    program += [  # clone3 no deja ver sus banderas: se dice que no existe y la biblioteca usa clone
        _instruction(JUMP_IF_EQUAL, 0, 1, numbers["clone3"]),
        _instruction(RETURN, 0, 0, DENY | errno.ENOSYS),
    ]
    for name, number in numbers.items():
        if name not in ("clone", "clone3"):
            program += [
                _instruction(JUMP_IF_EQUAL, 0, 1, number),
                _instruction(RETURN, 0, 0, DENY | errno.EPERM),
            ]
    program += [
        _instruction(JUMP_IF_EQUAL, 0, 3, numbers["clone"]),
        _instruction(LOAD, 0, 0, FIRST_ARGUMENT_AT),
        _instruction(JUMP_IF_SET, 1, 0, CLONE_THREAD),
        _instruction(RETURN, 0, 0, DENY | errno.EPERM),
        _instruction(RETURN, 0, 0, ALLOW),
    ]
    return b"".join(program)


def forbid_dangerous_calls() -> bool:
    """Instala el filtro en este proceso; `False` si esta arquitectura no se conoce.

    Errores: `OSError` si el sistema lo rechaza.
    """
    if platform.machine() not in TABLES:
        return False
    program = build_filter(platform.machine())
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    options = (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, header, 0, 0)
    for option, *values in options:
        values = [v if isinstance(v, bytes) else ctypes.c_ulong(v) for v in values]
        if libc.prctl(option, *values) != 0:
            raise OSError(ctypes.get_errno(), "no se ha podido instalar el filtro de llamadas")
    return True
