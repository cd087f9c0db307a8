"""Faults planted in the samples: what may go wrong in a kernel for GPUs, or in its host."""

from msgspec import Struct
from msgspec.structs import replace

from .samples import SAMPLES, Sample


class Fault(Struct, frozen=True):
    """Replace `find`, which stands once in a sample's texts, by `put`: what is wrong then, in words."""

    sample: str
    what: str
    find: str
    put: str

    @property
    def id(self) -> str:
        """A name for it."""
        return f"{self.sample}-{self.what.replace(' ', '_')}"

    @property
    def spoilt(self) -> Sample:
        """The sample with the fault. Raises ValueError if its place is not unique."""
        found = next(s for s in SAMPLES if s.name == self.sample)
        texts = [found.host, found.device]
        if sum(text.count(self.find) for text in texts) != 1:
            raise ValueError(f"{self.id}: {self.find!r} does not stand once in {self.sample}")
        host, device = [text.replace(self.find, self.put) for text in texts]
        return replace(found, texts=(host, device))


def planted(sample: str, *faults: tuple[str, str, str]) -> list[Fault]:
    """The faults of a sample: each what it is, what is there, what is put there."""
    return [Fault(sample, *each) for each in faults]


ARRAY = "double *y_vals = gn_device_array(rows, sizeof(double), &status);"
CLEAR = "    gn_device_clear(y_vals, rows, sizeof(double), &status);\n"
STAGE = "if (i0 + row < rows && j0 + column < columns)"
FAULTS = [
    *planted(
        "spmv_rows",
        ("a guard off by one", "if (i < rows)", "if (i <= rows)"),
        ("a guard that is missing", "if (i < rows)", "if (rows > 0)"),
        ("blocks that overlap", "blockIdx.x * 64", "blockIdx.x * 63"),
        ("blocks with gaps", "blockIdx.x * 64", "blockIdx.x * 65"),
        ("the index of a thread in place of the grid's", "y_vals[i] = ty", "y_vals[threadIdx.x] = ty"),
        ("an end off by one", "pA2 < A2_pos[i + 1]", "pA2 <= A2_pos[i + 1]"),
        ("the end of another row", "pA2 < A2_pos[i + 1]", "pA2 < A2_pos[rows]"),
        ("a sum that begins with nothing", "double ty = 0.0", "double ty"),
        ("too few blocks", "(rows + 63) / 64", "rows / 64"),
        ("more threads than the kernel allows", "(rows + 63) / 64, 64", "(rows + 63) / 64, 128"),
        (
            "an operand that is not copied",
            "    gn_device_put(x_vals, x->vals, x->size, sizeof(double), &status);\n",
            "",
        ),
        ("an operand copied in part", "x->vals, x->size,", "x->vals, x->size / 2,"),
        ("an operand copied from elsewhere", "A2_crd, A->level[1].array[1]", "A2_crd, A->level[1].array[0]"),
        ("a result copied in part", "gn_device_get(y->vals, y_vals, rows", "gn_device_get(y->vals, y_vals, rows / 2"),
        ("a result that is too small", ARRAY, ARRAY.replace("rows", "rows / 2")),
        ("memory that is not given back", "    gn_device_free(y_vals);\n", ""),
        ("memory given back too early", "    gn_launch(", "    gn_device_free(y_vals);\n    gn_launch("),
        ("memory of the host for a kernel", ARRAY, "double *y_vals = y->vals;"),
        ("arguments in another order", "&A_vals, &x_vals, &y_vals", "&x_vals, &A_vals, &y_vals"),
    ),
    *planted(
        "spmv_warps",
        ("a mask that lacks lanes", "GN_WARP", "0xffffU"),
        ("a distance that is too small", "distance = 16", "distance = 8"),
        ("distances that are left out", "distance /= 2", "distance /= 4"),
        ("a last distance that is left out", "distance > 0", "distance > 1"),
        ("values from the wrong side", "__shfl_down_sync", "__shfl_up_sync"),
        ("a store by all lanes", "if (lane == 0)", "if (lane >= 0)"),
        ("a store by the wrong lane", "if (lane == 0)", "if (lane == 1)"),
        ("a row a lane", "blockIdx.x * 2 + warp", "blockIdx.x * 2 + lane"),
        ("lanes that begin together", "A2_pos[i] + lane", "A2_pos[i]"),
        ("a stride that is too small", "pA2 += GN_LANES", "pA2 += GN_LANES - 1"),
        ("a shuffle of some lanes", "ty += __shfl", "if (lane < distance)\n                ty += __shfl"),
        ("a shuffle that is left out", "ty += __shfl_down_sync(GN_WARP, ty, distance)", "ty += 0.0"),
        ("a loop whose count differs between lanes", "distance = 16", "distance = lane < 4 ? 16 : 8"),
    ),
    *planted(
        "spmv_nonzeros",
        (
            "an atomic that is dropped at the end",
            "gn_atomic_add_float64(&y_vals[i], ty);\n    }\n}",
            "y_vals[i] += ty;\n    }\n}",
        ),
        (
            "an atomic that is dropped inside",
            "gn_atomic_add_float64(&y_vals[i], ty);\n                ty",
            "y_vals[i] += ty;\n                ty",
        ),
        (
            "an atomic store in place of a sum",
            "gn_atomic_add_float64(&y_vals[i], ty);\n    }\n}",
            "gn_atomic_store_float64(&y_vals[i], ty);\n    }\n}",
        ),
        ("a sum that is not reset", "                ty = 0.0;\n", ""),
        ("a result that is not reset", CLEAR, ""),
        ("a result reset in part", CLEAR, CLEAR.replace("rows", "rows / 2")),
        ("empty rows that are forgotten", "while (pA2 == A2_pos[i + 1])", "if (pA2 == A2_pos[i + 1])"),
        ("a search that ends too early", "high - low > 1", "high - low > 2"),
        ("shares that overlap", "threadIdx.x) * 4;", "threadIdx.x) * 3;"),
        ("an end beyond the last share", "begin + 4 < A2_pos[rows] ? begin + 4 : A2_pos[rows]", "begin + 4"),
    ),
    *planted(
        "spmv_segments",
        ("segments that run into each other", "lane >= distance && above == i", "lane >= distance"),
        ("lanes that add their own", "lane >= distance && above == i", "above == i"),
        ("segments within a warp that are lost", "lane == GN_LANES - 1 || below != i", "lane == GN_LANES - 1"),
        ("segments at the end of a warp that are lost", "lane == GN_LANES - 1 || below != i", "below != i"),
        ("parts that are added again", "lane == GN_LANES - 1 || below != i", "lane >= 0"),
        ("lanes that leave before a shuffle", "        i = rows - 1;\n", "        return;\n"),
        (
            "keys that come from too far",
            "__shfl_up_sync(GN_WARP, i, distance)",
            "__shfl_up_sync(GN_WARP, i, 2 * distance)",
        ),
        ("a store in place of an atomic", "gn_atomic_add_float64(&y_vals[i], ty)", "y_vals[i] += ty"),
    ),
    *planted(
        "dot_blocks",
        ("a barrier that is dropped before the loop", ": 0.0;\n    __syncthreads();", ": 0.0;"),
        ("a barrier that is dropped in the loop", "half];\n        __syncthreads();", "half];"),
        (
            "a barrier of some threads",
            "        __syncthreads();\n    }",
            "        if (thread < half)\n            __syncthreads();\n    }",
        ),
        ("a warp's barrier in place of a block's", ": 0.0;\n    __syncthreads();", ": 0.0;\n    __syncwarp(GN_WARP);"),
        ("shared memory that is too small", "parts[64]", "parts[48]"),
        (
            "shared memory that is not set everywhere",
            "parts[thread] = i < size ? x_vals[i] * y_vals[i] : 0.0;",
            "if (i < size)\n        parts[thread] = x_vals[i] * y_vals[i];",
        ),
        (
            "threads that leave before a barrier",
            "    parts[thread] = i",
            "    if (i >= size)\n        return;\n    parts[thread] = i",
        ),
        ("half of the parts left out", "half = 32", "half = 16"),
        ("a part too much", "thread < half)", "thread <= half)"),
        (
            "an atomic between blocks that is dropped",
            "gn_atomic_add_float64(&a_vals[0], parts[0])",
            "a_vals[0] += parts[0]",
        ),
        ("a result that is not reset", "    gn_device_clear(a_vals, 1, sizeof(double), &status);\n", ""),
        ("two threads that add the result", "thread == 0", "thread < 2"),
    ),
    *planted(
        "dot_warps",
        ("a barrier between warps that is dropped", "    __syncthreads();\n", ""),
        ("shared memory for too few warps", "parts[3]", "parts[2]"),
        ("parts of warps that are not there", "lane < 3 ?", "lane < 4 ?"),
        ("every warp adds the result", "if (warp == 0)", "if (warp >= 0)"),
        ("a butterfly without its widest step", "lanes = 16", "lanes = 8"),
        ("a stride without the other blocks", "i += (int64_t)gridDim.x * blockDim.x", "i += blockDim.x"),
        ("a last warp that is forgotten", "distance = 2", "distance = 1"),
    ),
    *planted(
        "least_columns",
        (
            "a minimum that is no atomic",
            "gn_atomic_min_int16(&y_vals[A2_crd[pA2]], A_vals[pA2])",
            "y_vals[A2_crd[pA2]] = gn_min_int16(y_vals[A2_crd[pA2]], A_vals[pA2])",
        ),
        ("a maximum in place of a minimum", "gn_atomic_min_int16", "gn_atomic_max_int16"),
        (
            "a start that is not launched",
            "    gn_launch((const void *)least_columns_start, (columns + 31) / 32, 32, first, &status);\n",
            "",
        ),
        ("a start with another value", "INT16_MAX", "0"),
        ("a start that leaves the array", "if (j < columns)", "if (j <= columns + 1)"),
        ("nonzeros that nobody takes", "pA2 < size; pA2 += threads", "pA2 < size - 1; pA2 += threads"),
    ),
    *planted(
        "columns_staged",
        ("a barrier that is dropped after the first step", "+ column];\n        __syncthreads();", "+ column];"),
        ("a barrier that is dropped before the next round", "+ row];\n        __syncthreads();", "+ row];"),
        ("a barrier of those inside", STAGE, f"{STAGE}\n            __syncthreads();\n        {STAGE}"),
        ("a tile that is read as it was written", "tile[column * 8 + row]", "tile[row * 8 + column]"),
        ("a tile that is too small", "tile[64]", "tile[56]"),
        ("a guard of columns off by one", STAGE, STAGE.replace("column < columns", "column <= columns")),
        ("rows and columns that are taken for each other", "* rows + i0 + column", "* columns + i0 + column"),
    ),
    *planted(
        "row_sums_lanes",
        (
            "a warp that does not meet after its sums",
            "parts[thread] = ty;\n        __syncwarp(GN_WARP);",
            "parts[thread] = ty;",
        ),
        (
            "a warp that does not meet before the next round",
            "whole;\n        }\n        __syncwarp(GN_WARP);",
            "whole;\n        }",
        ),
        (
            "half a warp that meets",
            "parts[thread] = ty;\n        __syncwarp(GN_WARP);",
            "parts[thread] = ty;\n        __syncwarp(0xffffU);",
        ),
        (
            "shuffles taken for what orders memory",
            "parts[thread] = ty;\n        __syncwarp(GN_WARP);",
            "parts[thread] = ty;\n        ty = __shfl_sync(GN_WARP, ty, 0);",
        ),
        ("parts of the next row", "k < 8", "k < 9"),
        ("a guard that is missing inside", "if (part == 0 && i < rows)", "if (part == 0)"),
    ),
    *planted(
        "scan_block",
        ("a barrier that is dropped before the scan", "own;\n    __syncthreads();", "own;"),
        ("a barrier that is dropped in the scan", "from = 1 - from;\n        __syncthreads();", "from = 1 - from;"),
        ("a scan in place", "sums[1 - from][thread] = sums[from]", "sums[from][thread] = sums[from]"),
        ("a scan that takes too little", "thread >= distance ?", "thread > distance ?"),
        ("a scan that is inclusive", "thread > 0 ? sums[from][thread - 1] : 0", "sums[from][thread]"),
        ("shares rounded down", "(size + 63) / 64", "size / 64"),
        ("a share beyond the end", "begin + share < size ? begin + share : size", "begin + share"),
    ),
]
