"""The page that rows of the benchmark on a GPU make."""

from gnomon.properties.gpu.benchmark import Row
from gnomon.properties.gpu.page import page
from gnomon.properties.gpu.presence import Gpu
from gnomon.properties.gpu.sanitizer import Finding

GPU = Gpu("a made-up GPU", "nvcc", 1e12)
ROWS = (
    Row("SpMV", "a", "gnomon, rows", 4e-3, 10**9),
    Row("SpMV", "a", "gnomon, warps", 2e-3, 10**9),
    Row("SpMV", "a", "cuSPARSE", 1e-3, 10**9),
    Row("SpMV", "b", "gnomon, rows", 1e-3, 10**9),
    Row("SpMV", "b", "cuSPARSE", 8e-3, 10**9),
    Row("SpMM", "a", "gnomon, unasked", 1e-3, 10**9),
    Row("SpMM", "a", "cuSPARSE", None, 10**9, "not installed"),
)


def test_the_page_tells_aims_rows_and_findings() -> None:
    text = page(GPU, ROWS, [Finding("memcheck", 17, "0 errors", False)], "10 agrees; 0 findings.")
    assert "| SpMV | cuSPARSE | 1.0 | 2.00 | 2 |" in text  # the mean of 1/2 and 8
    assert "| SpMM | cuSPARSE | 0.9 | not measured | 0 |" in text
    assert "| SpMV | a | gnomon, warps | 2.000 | 50% |" in text
    assert "| SpMM | a | cuSPARSE | not installed |  |" in text
    assert "| memcheck | 17 | 0 errors |" in text and "10 agrees; 0 findings." in text and "1000 GB/s" in text
