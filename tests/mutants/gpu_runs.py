"""Mutants of what is measured on GPUs, and of what is said of it."""

from __future__ import annotations

from mutant import Mutant

FOLDER, TESTS = "properties/gpu/", "tests/properties/gpu/"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "gpu_runs.1",
        f"{FOLDER}page.py",
        "ratios.append(theirs[0] / min(own))",
        "ratios.append(min(own) / theirs[0])",
        "a peer that is slower counts as faster",
        (f"{TESTS}test_page.py",),
    ),
    Mutant(
        "gpu_runs.2",
        f"{FOLDER}page.py",
        "ratios.append(theirs[0] / min(own))",
        "ratios.append(theirs[0] / own[0])",
        "the first kernel of ours stands for the best",
        (f"{TESTS}test_page.py",),
    ),
    Mutant(
        "gpu_runs.3",
        f"{FOLDER}page.py",
        'if ratios else "not measured"',
        'if ratios else "1.00"',
        "what was not measured is claimed",
        (f"{TESTS}test_page.py",),
    ),
    Mutant(
        "gpu_runs.4",
        f"{FOLDER}cases.py",
        "return sum(array.nbytes for array in every) + sum(t.vals.nbytes for t in tensors)",
        "return sum(t.vals.nbytes for t in tensors)",
        "index arrays need not be moved",
        (f"{TESTS}test_contenders.py",),
    ),
    Mutant(
        "gpu_runs.5",
        f"{FOLDER}benchmark.py",
        "if time.monotonic() > until:\n                yield",
        "if False:\n                yield",
        "contenders begin when the time is over",
        (f"{TESTS}test_benchmark.py",),
    ),
    Mutant(
        "gpu_runs.6",
        f"{FOLDER}benchmark.py",
        "except (AbsentError, GnomonError) as error:",
        "except AbsentError as error:",
        "one kernel that does not run ends the benchmark",
        (f"{TESTS}test_benchmark.py",),
    ),
    Mutant(
        "gpu_runs.7",
        f"{FOLDER}sanitizer.py",
        'return Finding(tool, kernels, f"{found[2].strip()}{differing}", status != 0)',
        "return Finding(tool, kernels, found[2].strip(), False)",
        "what compute-sanitizer finds is nothing wrong",
        (f"{TESTS}test_sanitizer.py",),
    ),
    Mutant(
        "gpu_runs.8",
        f"{FOLDER}timing.py",
        "    if once() > LONGEST:\n        return once()\n",
        "",
        "the first call counts, which copies operands",
        (f"{TESTS}test_timing.py",),
    ),
    Mutant(
        "gpu_runs.9",
        f"{FOLDER}presence.py",
        "if not capability.isdigit() or CAPABILITY in os.environ:",
        "if not capability.isdigit():",
        "kernels are built for another GPU than was asked for",
        (f"{TESTS}test_presence.py",),
    ),
)
