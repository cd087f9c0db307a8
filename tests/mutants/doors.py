"""Mutants of what a user meets first: names left open in schedules, texts of formats, files, a missing compiler."""

from __future__ import annotations

from mutant import Mutant

POSITION, FORMATS, TOKENS = (
    "reference/schedule/position.py",
    "reference/storage/named_formats.py",
    "reference/notation/tokens.py",
)
FORMAT, MAPS = "reference/storage/format.py", "reference/storage/coordinate_map.py"
FILES, CHECK = "reference/files/matrix_market.py", "properties/differential/check.py"
COMPILER, WORKER = "generator/runtime/compiler.py", "properties/backends/worker.py"
NAMED, READ = ("tests/reference/schedule/test_position.py",), ("tests/reference/files/test_suffix.py",)
TEXTS = ("tests/reference/storage/test_named_formats.py",)
PARSED = ("tests/reference/notation/test_parser.py::test_names_before_a_closing_parenthesis_call_nothing",)
PHASES = ("tests/generator/runtime/test_kernel.py::test_functions_for_two_phases_are_built_when_they_are_called",)
API = ("tests/test_api.py",)

MUTANTS = (
    Mutant("door.1", POSITION, "if len(forms) > 1:", "if not forms:", "a name means one of several accesses", NAMED),
    Mutant(
        "door.2",
        POSITION,
        "[a for a in there if originals <= set(a.levels)]",
        "[a for a in there if a]",
        "accesses that do not store the variable make a name ambiguous",
        NAMED,
    ),
    Mutant(
        "door.3",
        FORMATS,
        "return found if order in (None, found.order) else format_of_name(like, numbers, order)",
        "return found",
        "a level that is legal alone hides the name for other orders",
        TEXTS,
    ),
    Mutant("door.4", TOKENS, "if depth <= 0:", "if depth == 0:", "a closing parenthesis opens a call", PARSED),
    Mutant("door.5", FILES, "stored.values == np.iinfo", "stored.values > np.iinfo", "-2^63 is negated", READ),
    Mutant(
        "door.6",
        FILES,
        'if values != (INT,) or header.symmetry == "skew-symmetric":',
        "if values != (INT,):",
        "unsigned values are negated",
        READ,
    ),
    Mutant(
        "door.7",
        CHECK,
        "except (Unsupported, HostError) as error:",
        "except Unsupported as error:",
        "nothing is checked without a compiler",
        ("tests/test_cli.py::test_without_a_compiler_the_meaning_is_still_checked",),
    ),
    Mutant(
        "door.8",
        COMPILER,
        "if done.returncode == REJECTED and re.search(",
        "if done.returncode or re.search(",
        "a compiler that is killed has rejected the source",
        ("tests/properties/commands/test_check.py::test_a_host_that_lets_no_c_run_is_no_disagreement",),
    ),
    Mutant(
        "door.9",
        WORKER,
        "if isinstance(error, HostError):",
        "if isinstance(error, NotADirectoryError):",
        "a machine without a compiler is a finding",
        ("tests/properties/backends/test_worker.py::test_a_machine_that_lets_nothing_run_ends_the_run",),
    ),
    Mutant(
        "door.10",
        "generator/runtime/built.py",
        "    refuse_unloadable(request.tuning.flags)\n",
        "",
        "a folder that no library can be loaded from is blamed on the kernel",
        ("tests/properties/commands/test_check.py::test_a_host_that_lets_no_c_run_is_no_disagreement",),
    ),
    Mutant(
        "door.11",
        "generator/runtime/cache.py",
        "digest(header_digest(), *found)",
        "digest(*found)",
        "a kernel that is remembered goes on with another header",
        ("tests/generator/runtime/test_kernel.py::test_a_kernel_is_built_again_when_a_header_changes",),
    ),
    Mutant(
        "door.12",
        COMPILER,
        'INCLUDE.glob("*.h")',
        'INCLUDE.glob("gnomon.h")',
        "a header that others include is not looked at",
        ("tests/generator/runtime/test_compiler.py::test_every_header_counts",),
    ),
    Mutant("door.13", FORMAT, "if len(ranks) > 1:", "if len(ranks) > 2:", "a map has two ranks", TEXTS),
    Mutant(
        "door.14",
        FORMAT,
        "terms[r + 1 : r + 3] != diagonal(terms[r]) or ",
        "",
        "offsets of columns less rows are read as those of rows less columns",
        TEXTS,
    ),
    Mutant(
        "door.15",
        FORMAT,
        ' or format.levels[k].shared_lengths(range(k)) != {"offset": r}',
        "",
        "a range level below the rows reads offsets by the number of the row",
        TEXTS,
    ),
    Mutant(
        "door.16",
        FORMAT,
        "if format.dense_leaves and not any(",
        "if format.dense_leaves and any(",
        "a rank stands above levels that hold the same component several times",
        TEXTS,
    ),
    Mutant(
        "door.17",
        "reference/storage/validation.py",
        "tensor.extents[ranks[0] + 1 : ranks[0] + 3]",
        "tensor.extents[-2:]",
        "the last two levels are taken for rows and columns of the diagonals",
        TEXTS,
    ),
    Mutant("door.18", MAPS, "[^,]*\", tail[1]", "[^,]+\", tail[1]", "a map leaves out terms that are empty", TEXTS),
    Mutant(
        "door.19",
        "reference/files/text.py",
        " and (low < 0 or not word.startswith(\"-\"))",
        "",
        "that an unsigned integer has a minus sign is told in NumPy's words, without the line",
        READ,
    ),
    Mutant(
        "door.20",
        "generator/runtime/built.py",
        "tuple(mode for mode in source.modes if mode in purposes)",
        "source.modes",
        "kernels are compiled with functions that nobody calls",
        PHASES,
    ),
    Mutant(
        "door.21",
        "generator/runtime/runner.py",
        "(self.phases if mode in PHASES else self.library)",
        "self.library",
        "functions for two phases are sought where there are none",
        PHASES,
    ),
    Mutant(
        "door.22",
        COMPILER,
        "(?:min|max|floordiv|mod)_int64)",
        "(?:min|max|floordiv|floor|mod)_int64)",
        "kernels that divide values are compiled without arithmetic",
        ("tests/generator/runtime/test_compiler.py::test_what_calls_no_arithmetic_is_compiled_without",),
    ),
    Mutant(
        "door.23",
        COMPILER,
        'all(name.startswith("gn_") for name in other)',
        'any(name.startswith("gn_") for name in ("gn_", *other))',
        "kernels that call the C library are compiled without its headers",
        ("tests/generator/runtime/test_compiler.py::test_what_calls_no_arithmetic_is_compiled_without",),
    ),
    Mutant(
        "door.24",
        "generator/runtime/library.py",
        "        leave_teams(self.functions)\n",
        "",
        "kernels in forked processes wait for threads that are not there",
        ("tests/generator/runtime/test_forks.py",),
    ),
    Mutant("door.25", TOKENS, "> LONGEST:", "> 10**9:", "names of any length", API),
    Mutant(
        "door.26",
        "reference/schedule/application.py",
        "if len(schedule.commands) > MOST:",
        "if len(schedule.commands) > 10 * MOST:",
        "schedules of any length",
        API,
    ),
    Mutant(
        "door.27",
        "generator/kernel_source.py",
        "return print_functions(source, last)\n    except RecursionError:",
        "return print_functions(source, last)\n    except ZeroDivisionError:",
        "a kernel that is nested too deeply breaks down",
        API,
    ),
    Mutant(
        "door.29",
        "reference/storage/packing.py",
        "found = found.view(np.uint8) != 0",
        "pass",
        "C reads Booleans as numbers",
        ("tests/reference/storage/test_packing.py",),
    ),
    Mutant(
        "door.30",
        "reference/storage/validation.py",
        "odd_booleans(tensor.vals).nonzero()[0][:1]",
        "()",
        "a tensor may hold Booleans that C reads as numbers",
        ("tests/reference/storage/test_packing.py",),
    ),
    Mutant("door.28", "generator/runtime/kernel.py", "(replace(self.request),)", "()", "kernels are not pickled", API),
)  # fmt: skip
