"""Kernels for GPUs on the machine: samples mean what they say in any order, and what is wrong is found at its line."""

import numpy as np
import pytest
from depth import DEEP
from devices.faults import FAULTS, Fault
from devices.samples import SAMPLES, Sample
from gnomon.properties.machine import fault
from gnomon.properties.machine.fault import MachineError
from gnomon.properties.machine.program import host_program, kernels
from gnomon.properties.machine.run import Conditions, call, device_machine, refuse_leaks
from gnomon.properties.machine.runtime import Host
from gnomon.properties.machine.state import LIMIT
from gnomon.reference.errors import GnomonError, Unsupported

SEEDS, MOST = 200 if DEEP else 2, (40, 100)

HEAD = '#include "gnomon_device.h"\nGN_KERNEL void __launch_bounds__(96) k(double *out, int64_t n, double *wide)\n{\n'
HOST = """
#include "gnomon_cuda.h"
void k(double *out, int64_t n, double *wide);
int run(int64_t blocks, int64_t threads, int64_t n)
{
    int status = GN_OK;
    double *out = gn_device_array(n, sizeof(double), &status);
    double *wide = gn_device_array(64 * n, sizeof(double), &status);
    gn_device_clear(wide, 64 * n, sizeof(double), &status);
    void *arguments[3] = {&out, &n, &wide};
    gn_launch((const void *)k, blocks, (int)threads, arguments, &status);
    gn_device_finish(&status);
    gn_device_free(out);
    gn_device_free(wide);
    return status;
}
"""
SET = "__shared__ double s[64];\ns[t] = 0.0;\n__syncthreads();\n"
OWN = "const int64_t t = threadIdx.x, i = (int64_t)blockIdx.x * blockDim.x + t;\n"

# Bodies of `k` on two blocks of 64 threads with n = 100; the line that is wrong says `here`.
WRONG: list[tuple[type[MachineError], str]] = [
    (fault.OutOfBounds, "out[i] = 1.0; /* here */"),
    (fault.OutOfBounds, "__shared__ double s[63];\ns[t] = 1.0; /* here */"),
    (fault.OutOfBounds, "__shared__ double s[2][32];\ns[t / 16][t % 32] = 1.0; /* here */"),
    (fault.Uninitialised, "wide[i] = out[0]; /* here */"),
    (
        fault.Uninitialised,
        "__shared__ double s[64];\nif (t > 0)\ns[t] = 1.0;\n__syncthreads();\nwide[i] = s[t]; /* here */",
    ),
    (fault.Race, "wide[0] = 1.0; /* here */"),
    (fault.Race, "if (i == 3)\nwide[5] = 1.0; /* here */\nelse if (i == 70)\nwide[5] = 1.0; /* here */"),
    (
        fault.Race,
        "if (t == 0)\nwide[blockIdx.x] = 1.0; /* here */\n__syncthreads();\n"
        "if (t == 9)\nwide[1 - blockIdx.x] = 1.0; /* here */",
    ),
    (fault.Race, f"{SET}s[t] = 1.0; /* here */\nwide[i] = s[63 - t]; /* here */"),
    (fault.Race, f"{SET}s[t] = 1.0; /* here */\n__syncwarp(GN_WARP);\nwide[i] = s[63 - t]; /* here */"),
    (
        fault.Race,
        f"{SET}s[t] = 1.0; /* here */\nwide[i] = __shfl_sync(GN_WARP, 1.0, 3);\nwide[i] += s[t ^ 1]; /* here */",
    ),
    (fault.Race, "gn_atomic_add_float64(&wide[0], 1.0); /* here */\nif (i == 5)\nwide[0] = 1.0; /* here */"),
    (fault.Race, "if (i == 5)\nwide[0] = 1.0; /* here */\nwide[9 + i] = gn_atomic_load_float64(&wide[0]); /* here */"),
    (
        fault.Race,
        "if (t == 0)\nwide[blockIdx.x] = 1.0;\n__shfl_sync(GN_WARP, 1.0, 0);\n"
        "if (t == 1)\ngn_atomic_add_float64(&wide[blockIdx.x], 1.0); /* here */",
    ),
    (
        fault.Race,
        "double v = wide[blockIdx.x];\nv += __shfl_sync(GN_WARP, v, 0);\n"
        "if (t == 1)\ngn_atomic_add_float64(&wide[blockIdx.x], v); /* here */",
    ),
    (
        fault.Race,
        "double v = wide[blockIdx.x];\n__syncthreads();\nif (t == 0)\nv += wide[blockIdx.x];\n"
        "v += __shfl_sync(GN_WARP, v, 0);\nif (t == 1)\nwide[blockIdx.x] = v; /* here */",
    ),
    (fault.BadTeam, "if (t < 32)\n__syncthreads(); /* here */"),
    (fault.BadTeam, "if (t < 32)\n__syncthreads(); /* here */\nelse\n__syncthreads(); /* here */"),
    (fault.BadTeam, "for (int64_t k = 0; k < t; k++)\n__syncthreads(); /* here */"),
    (fault.BadTeam, "if (i >= n)\nreturn;\n__syncthreads(); /* here */"),
    (fault.BadTeam, "if (t % 32 > 0)\nwide[i] = __shfl_down_sync(GN_WARP, 1.0, 1); /* here */"),
    (fault.BadTeam, "wide[i] = __shfl_down_sync(0x7fffffffU, 1.0, 1); /* here */"),
    (fault.BadTeam, "if (t % 32 < 16)\nwide[i] = __shfl_xor_sync(0xffffU, 1.0, 16); /* here */"),
    (fault.BadTeam, "if (t < 48)\n__syncwarp(GN_WARP); /* here */\nelse\n__syncthreads(); /* here */"),
    (fault.BadTeam, "if (t % 32 == 0)\n__syncwarp(GN_WARP); /* here */\nelse\n__syncwarp(GN_WARP); /* here */"),
    (fault.Narrowed, "wide[i] = (int32_t)((int64_t)blockIdx.x << 40); /* here */"),
    (fault.TooLong, "while (n > 0) /* here */\nn = 5;"),
]


def launched(body: str, blocks: int = 2, threads: int = 64, n: int = 100, seed: int = 0, limit: int = LIMIT) -> int:
    """The status of a host that launches a kernel with some body."""
    state = Host(kernels(HEAD + OWN + body + "}\n"), seed, limit, None, 1)
    return run_host(HOST, [blocks, threads, n], state)


def run_host(text: str, args: list[int], state: Host) -> int:
    """The status of a host."""
    status: int = call(host_program(text), "run", args, state)
    refuse_leaks(state)
    return status


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: str(s.name))
def test_samples_mean_what_they_say(sample: Sample) -> None:
    for seed in range(SEEDS):
        assert seen(sample, seed) == ""


def seen(sample: Sample, seed: int) -> str:
    """What is seen to be wrong with a sample, on operands and in an order that a seed draws."""
    operands = sample.draw(np.random.default_rng(seed), MOST[seed % len(MOST)])
    wanted = sample.wanted(operands)
    kernel = device_machine(sample.host, sample.device, sample.layout(wanted))
    try:
        found = kernel.evaluate(operands, wanted.shape, Conditions(seed)).to_numpy()
    except GnomonError as error:
        return error.message
    return "" if np.array_equal(found, wanted) else "another result"


@pytest.mark.parametrize("planted", FAULTS[:: 1 if DEEP else 4], ids=lambda f: str(f.id))
def test_planted_faults_are_found(planted: Fault) -> None:
    assert any(seen(planted.spoilt, seed) for seed in range(20))


@pytest.mark.parametrize(("kind", "body"), WRONG)
def test_what_kernels_do_wrong_is_found(kind: type[MachineError], body: str) -> None:
    for seed in range(3):
        with pytest.raises(kind) as found:
            launched(body, seed=seed, limit=1000)
        assert "/* here */" in found.value.text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("if (t == 1)\nreturn;\n__syncthreads();", "has left the kernel"),
        ("if (t == 1)\nreturn;\n__syncwarp(0x3U);", "has left the kernel"),
        ("if (t == 1)\n__syncwarp(0x1U);", "is not in its own mask 0x1"),
    ],
)
def test_what_kernels_do_wrong_is_said(body: str, said: str) -> None:
    for seed in range(8):
        with pytest.raises(fault.BadTeam, match=said):
            launched(body, threads=2, seed=seed)


RIGHT = [
    "wide[i] = 1.0;",
    f"{SET}s[63 - t] = 1.0;\n__syncthreads();\nwide[i] = s[t] + s[0];",
    f"{SET}s[t] = 1.0;\n__syncwarp(GN_WARP);\nwide[i] = s[t ^ 1];\n__syncwarp(GN_WARP);\ns[t ^ 2] = 2.0;",
    f"{SET}if (t % 32 < 8) {{\ns[t] = 1.0;\n__syncwarp(0xffU);\nwide[i] = s[t ^ 1];\n}}",
    "gn_atomic_add_float64(&wide[0], 1.0);\ngn_atomic_store_float64(&wide[1], 1.0);",
    "__shared__ int most;\nif (t == 0)\nmost = 0;\n__syncthreads();\natomicMax(&most, (int)t);\n__syncthreads();\n"
    "if (most != 63)\nout[n] = 1.0;",
    "double sum = 0.0;\n#pragma unroll 4\nfor (int k = 0; k < 4; k++)\nsum += k;\nwide[i] = sum;",
    "for (int64_t k = 0; k < 3; k++) {\nif (t == k)\nwide[blockIdx.x] = 1.0;\n__syncthreads();\n}",
    "if (__any_sync(GN_WARP, t == 3))\nwide[i] = __shfl_down_sync(GN_WARP, 1.0, 16);",
    "int64_t k = 0;\ndo {\nk++;\nif (k == 5)\nbreak;\n} while (k < 9);\nwide[i] = (double)k;",
]


@pytest.mark.parametrize("body", RIGHT)
def test_what_is_right_is_not_blamed(body: str) -> None:
    for seed in range(2):
        assert launched(body, seed=seed) == 0


def test_words_give_what_they_should() -> None:
    """The bits of votes and shuffles, summed by all threads, as CUDA defines them."""
    asked = [
        ("__shfl_down_sync(GN_WARP, lane, 5)", lambda lane: lane + 5 if lane < 27 else lane),
        ("__shfl_up_sync(GN_WARP, lane, 5)", lambda lane: lane - 5 if lane > 4 else lane),
        ("__shfl_xor_sync(GN_WARP, lane, 5)", lambda lane: lane ^ 5),
        ("__shfl_sync(GN_WARP, lane, 37)", lambda lane: 5),
        ("(int)__ballot_sync(GN_WARP, lane < 3)", lambda lane: 7),
        ("__all_sync(GN_WARP, lane < 3) + __popc((unsigned int)lane)", lambda lane: lane.bit_count()),
        ("__ffs(lane) + __clz(lane)", lambda lane: (lane & -lane).bit_length() + 32 - lane.bit_length()),
    ]
    body = "const int lane = (int)(t % 32);\n"
    for k, (text, _) in enumerate(asked):
        body += f"if (n == {k + 1})\nwide[t] = {text};\n"
    for k, (_, meant) in enumerate(asked):
        checks = "".join(f"if (t == {lane} && wide[t] != {meant(lane)})\nout[n] = 1.0;\n" for lane in range(32))
        assert launched(body + checks, blocks=1, n=k + 1) == 0, asked[k][0]


@pytest.mark.parametrize(
    ("blocks", "threads", "memory", "devices", "status"),
    [
        (2, 96, None, 1, 0),
        (0, 96, None, 1, 0),
        (1, 97, None, 1, 9),
        (2**31, 96, None, 1, 9),
        (1, 0, None, 1, 9),
        (1, 96, 1, 1, 1),
        (1, 96, None, 0, 6),
    ],
)
def test_launches_that_cannot_be_say_so(
    blocks: int, threads: int, memory: int | None, devices: int, status: int
) -> None:
    state = Host(kernels(HEAD + "}"), 0, LIMIT, memory, devices)
    assert run_host(HOST, [blocks, threads, 5], state) == status


ARRAY = "double *out = gn_device_array(n, sizeof(double), &status);"
HOSTS: list[tuple[type[MachineError], str, str]] = [
    (fault.WrongMemory, ARRAY, "double array[200], *out = array;"),
    (fault.WrongMemory, ARRAY, f"{ARRAY} out[0] = 1.0;"),
    (fault.WrongMemory, ARRAY, f"{ARRAY} memset(out, 0, 8);"),
    (fault.WrongMemory, ARRAY, f"{ARRAY} double from[1] = {{1.0}}; gn_device_get(out, from, 1, 8, &status);"),
    (fault.WrongMemory, ARRAY, f"{ARRAY} double p[1] = {{1.0}}, q[1]; gn_device_get(q, p, 1, 8, &status);"),
    (fault.OutOfBounds, ARRAY, f"{ARRAY} gn_device_clear(out, n + 1, 8, &status);"),
    (fault.BadFree, "gn_device_free(out);", "free(out);"),
    (fault.BadFree, ARRAY, f"{ARRAY} double *p = malloc(8); gn_device_free(p);"),
    (fault.DoubleFree, "gn_device_free(out);", "gn_device_free(out); gn_device_free(out);"),
    (fault.Leak, "gn_device_free(out);", ""),
    (fault.WrongType, "&n, &wide}", "&wide, &n}"),
    (fault.WrongType, "{&out, &n, &wide}", "{&out, &n}"),
    (fault.WrongType, "[3] = {&out, &n, &wide}", "[4] = {&out, &n, &wide, &n}"),
]


@pytest.mark.parametrize(("kind", "find", "replace"), HOSTS)
def test_what_hosts_do_wrong_is_found(kind: type[MachineError], find: str, replace: str) -> None:
    assert HOST.count(find) == 1
    state = Host(kernels(HEAD + OWN + "if (i < n)\nout[i] = 1.0;\n}\n"), 0, LIMIT, None, 1)
    with pytest.raises(kind):
        run_host(HOST.replace(find, replace), [2, 64, 100], state)


def test_complex_numbers_are_exchanged_bit_by_bit_and_added_in_their_precision() -> None:
    body = """
    __shared__ gn_complex128 held[1];
    __shared__ gn_complex64 sum[1];
    if (t == 0) {
        held[0] = CMPLX(1.0, 2.0);
        sum[0] = CMPLXF(16777216.0f, 1.0f);
        gn_complex128 seen = CMPLX(1.0, 3.0);
        bool wrong = gn_atomic_exchange_complex128(&held[0], &seen, CMPLX(4.0, 5.0)) || seen != held[0];
        wrong = wrong || !gn_atomic_exchange_complex128(&held[0], &seen, CMPLX(4.0, 5.0)) || cimag(held[0]) != 5.0;
        gn_atomic_add_complex64(&sum[0], CMPLXF(1.0f, 0.0f));
        wrong = wrong || sum[0] != CMPLXF(16777216.0f, 1.0f);
        out[wrong ? n : 0] = 1.0;
    }
    """
    assert launched(body, blocks=1) == 0


def test_structs_are_no_parameters_of_kernels() -> None:
    text = '#include "gnomon_device.h"\nGN_KERNEL void __launch_bounds__(32) k(gn_list held) { held.size; }'
    kernel = kernels(text)["k"]
    with pytest.raises(Unsupported, match="a member of held"):
        kernel.function.body(True)


def test_kernels_neither_allocate_nor_are_unknown() -> None:
    with pytest.raises(Unsupported, match="malloc"):
        launched("double *p = malloc(8);\nwide[i] = *p;")
    state = Host({}, 0, LIMIT, None, 1)
    assert run_host(HOST, [2, 64, 100], state) == 8
