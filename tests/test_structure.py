"""The shape of the repository: layout, sizes, imports, words."""

import ast
import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import gnomon
import grimp
import pytest
from gnomon.properties.conformance import conform, suite

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("reference", "generator", "properties")
SOURCES = [p for package in PACKAGES for p in (ROOT / package).rglob("*.py")] + [
    ROOT / "__main__.py",
    ROOT / "api.py",
    ROOT / "cli.py",
]
TEXTS = {path: path.read_text() for path in SOURCES}
MODULES = sorted(m.name for m in pkgutil.walk_packages(gnomon.__path__, "gnomon.") if ".tests" not in m.name)


def test_root_holds_only_the_face() -> None:
    assert {p.name for p in ROOT.glob("*.py")} == {"__init__.py", "__main__.py", "api.py", "cli.py"}


def test_files_are_short_and_imports_relative() -> None:
    for path, text in TEXTS.items():
        assert len(text.splitlines()) <= 400, path
        assert not re.search(r"^\s*(from|import) gnomon", text, re.MULTILINE), path
        assert text.startswith('"""'), path


def test_files_that_are_named_are_there() -> None:
    files = {str(path.relative_to(ROOT)) for path in SOURCES}
    for path, text in TEXTS.items():
        for name in re.findall(r"`([\w/]+\.py)`", text):
            assert any(f"/{each}".endswith(f"/{name}") for each in files), (path, name)


def test_no_function_is_named_by_a_participle() -> None:
    """A function does something, or is the noun that it returns: what is `stored` or `made` says neither."""
    bare = {name for text in TEXTS.values() for name in re.findall(r"def ([a-z]+ed)\(", text)}
    assert not bare


@pytest.mark.parametrize(
    "package",
    [str(p.parent.relative_to(ROOT)) for package in PACKAGES for p in sorted((ROOT / package).rglob("__init__.py"))],
)
def test_package_docstrings_list_their_files(package: str) -> None:
    listed = set(re.findall(r"`(\w+)`", (ROOT / package / "__init__.py").read_text()))
    files = {p.stem for p in (ROOT / package).glob("*.py")} - {"__init__"}
    files |= {p.parent.name for p in (ROOT / package).glob("*/__init__.py")}
    assert files <= listed


def test_tests_mirror_the_packages() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        inside = path.relative_to(ROOT / "tests")
        source = ROOT / inside.parent / inside.name.removeprefix("test_")
        assert source.exists() or len(inside.parts) == 1 or inside.parts[0] == "spec", inside


def test_packages_have_what_they_export() -> None:
    for name in MODULES:
        if not name.endswith("__main__"):
            module = importlib.import_module(name)
            assert not [each for each in getattr(module, "__all__", ()) if not hasattr(module, each)], name


@pytest.fixture(scope="module")
def few_drawn() -> Iterator[None]:
    """A conformance suite for which few programs are drawn: it takes long, and its own tests draw all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suite, "POOL", 40)
        few = cache(suite.suite.__wrapped__)
        for module in (suite, conform):
            patch.setattr(module, "suite", few)
        yield


def module_of(path: Path) -> str:
    """The module that a file is."""
    return ".".join(("gnomon", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.usefixtures("few_drawn")
@pytest.mark.parametrize("name", [module_of(path) for path, text in TEXTS.items() if ">>>" in text])
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


def test_imports_run_in_no_circle() -> None:
    graph = grimp.build_graph("gnomon")
    below = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(below).prepare()


def test_no_module_is_there_for_tests_alone() -> None:
    """Every module is imported by another, mounted or looked up by its name, or a program that the docs name."""
    graph = grimp.build_graph("gnomon")
    files = (*SOURCES, ROOT / "Makefile", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "site").glob("*.py"))
    text = "\n".join(path.read_text() for path in files).replace("{COMMANDS}", "gnomon.properties.commands")
    run = [f"properties.{name}." for name in ("algorithms", "benchmark", "gpu", "sparseauto")]
    programs = {f"gnomon.{package}__main__" for package in ("", *run)}
    for module in graph.modules - programs:
        used = graph.find_modules_that_directly_import(module) or graph.find_children(module)
        assert used or re.search(rf"{re.escape(module)}\b", text), f"{module} is used by tests only"


def test_import_is_light() -> None:
    """Other packages, and stages of ours that no tensor needs, load when they are first used."""
    heavy = {"z3", "hypothesis", "scipy", "matplotlib", "_cffi_backend", "pycparser", "mpmath"}
    stages = ("gnomon.generator.", *(f"gnomon.reference.{stage}." for stage in ("statement", "loops", "execution")))
    asked = [sys.executable, "-c", "import sys, gnomon; print(*sys.modules)"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert not heavy.intersection(found)
    assert not [name for name in found if name.startswith(stages)]


def test_kernels_for_a_cpu_load_nothing_that_only_those_for_a_gpu_need() -> None:
    asked = "import sys, gnomon as gn; gn.compile('y(i) = A(i,j) * x(j)', A='CSR').source; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert "gnomon.generator.kernel_source" in found
    assert "gnomon.generator.runtime.device" not in found
    of_gpus = {name.rpartition(".")[2] for name in found if name.startswith("gnomon.generator.cuda.")}
    assert of_gpus <= {"alone", "claims", "collective", "listing", "sizes"}


def test_what_loads_later_is_listed() -> None:
    assert set(gnomon.__all__) <= set(dir(gnomon))


WITHOUT_Z3 = """
import sys
sys.modules["z3"] = None
import gnomon as gn
from gnomon.cli import commands, guard
print(gn.check("a = x(i) * y(i)", x=[1.0, 2.0], y=[3.0, 4.0]))
for words in (["fuzz", "--backend", "einsum", "--examples", "2"], ["prove", "--list"], ["prove", "y(i) = x(i)"]):
    print(guard(lambda: commands(words, standalone_mode=False)))
"""


def test_only_proofs_need_the_solver() -> None:
    found = subprocess.run([sys.executable, "-c", WITHOUT_Z3], capture_output=True, text=True, check=True)
    assert re.search(r"^1 of 1 points agree.*nothing was found\n0\n2\n2\n$", found.stdout, re.DOTALL)
    assert found.stderr.count("hint: pip install 'gnomon[prove]' brings it") == 2


def test_everything_is_packaged() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    folders = {p.parent for package in PACKAGES for p in (ROOT / package).rglob("__init__.py")} | {ROOT}
    named = {".".join(("gnomon", *folder.relative_to(ROOT).parts)) for folder in folders}
    assert set(project["tool"]["setuptools"]["packages"]) == named
    for package, files in project["tool"]["setuptools"]["package-data"].items():
        assert all(any(ROOT.joinpath(*package.split(".")[1:]).glob(file)) for file in files)
    assert "py.typed" in project["tool"]["setuptools"]["package-data"]["gnomon"]


def test_readme_and_docs_name_no_machine_paths() -> None:
    forbidden = re.compile("/(" + "|".join(["wor" + "k", "tm" + "p", "roo" + "t"]) + ")/")
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *SOURCES]:
        assert not forbidden.search(path.read_text()), path


def test_every_link_in_the_docs_leads_somewhere() -> None:
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_the_table_of_folders_names_every_stage() -> None:
    named = set(re.findall(r"`((?:reference|generator|properties)/[a-z_/]*)`", (ROOT / "README.md").read_text()))
    inside = {f"{p.parent.relative_to(ROOT)}/" for package in PACKAGES for p in (ROOT / package).glob("*/__init__.py")}
    assert named - {"generator/"} == {folder for folder in inside if not folder.startswith("generator/")}


SPEC = [page for page in sorted((ROOT / "docs" / "spec").rglob("*.md")) if "```python" in page.read_text()]
GUIDES = ["README.md", *(f"docs/{name}.md" for name in ("scheduling", "branched", "backends", "graphs"))]


@pytest.mark.usefixtures("few_drawn")
@pytest.mark.parametrize("page", [*(str(page.relative_to(ROOT)) for page in SPEC), *GUIDES])
def test_the_python_of_the_docs_runs(page: str) -> None:
    run_python(page)


@pytest.mark.usefixtures("kernels_as_they_ship")
def test_the_python_of_the_page_on_fast_kernels_runs() -> None:
    """Its products are large: kernels that are not optimised would take long."""
    run_python("docs/fast-kernel.md")


def run_python(page: str) -> None:
    """Run the parts of a page that are Python, one after another."""
    parts = python_parts(page)
    assert parts
    names: dict[str, object] = {}
    for part in parts:
        exec(compile(part, page, "exec"), names)


def python_parts(page: str) -> list[str]:
    """The parts of a page that are Python."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def tries(node: ast.AST) -> Iterator[ast.Try]:
    """What an example tries, outside of its functions."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Try):
            yield each
        if not isinstance(each, ast.FunctionDef):
            yield from tries(each)


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in SPEC])
def test_an_example_of_a_refusal_fails_where_nothing_is_refused(page: str) -> None:
    for each in (found for part in python_parts(page) for found in tries(ast.parse(part))):
        last = [each.body[-1], *each.orelse[-1:]]
        assert any(isinstance(s, ast.Raise | ast.Assert) for s in last), ast.unparse(each)


def level_and_operator_names() -> tuple[set[str], set[str], set[str]]:
    from gnomon.reference.algebra.operators import OPERATORS
    from gnomon.reference.levels import LEVELS

    classes = {kind.__name__ for kind in LEVELS}
    return {kind.name for kind in LEVELS} | classes, classes, set(OPERATORS)


def test_the_generator_knows_no_level_format_or_operator_by_name() -> None:
    """What it does follows from capabilities, properties and declarations (docs/architecture.md)."""
    for path in (ROOT / "generator").rglob("*.py"):
        refuse_names(path, *level_and_operator_names())


def refuse_names(path: Path, levels: set[str], classes: set[str], operators: set[str]) -> None:
    """Nothing in a file asks for a level format or an operator by name."""
    tree = ast.parse(TEXTS[path])
    docstrings = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=module, names=names) if module is not None and "levels" in module:
                about = ("level", "restricted", "restricted_parser", "restricted_syntax")
                assert module.endswith(about), f"{path.name}:{node.lineno} imports a level format"
            case ast.ImportFrom(module=module, names=names) if module is not None and module.endswith("operators"):
                assert {n.name for n in names} <= {"OPERATORS", "DUPLICATES", "conversion"}, (
                    f"{path.name}:{node.lineno}"
                )
            case ast.Constant(value=str() as text) if id(node) not in docstrings:
                assert text not in levels, f"{path.name}:{node.lineno} names the level format {text}"
            case ast.Attribute(attr=attr):
                assert attr not in classes, f"{path.name}:{node.lineno} names the level format {attr}"
            case ast.Compare(left=ast.Attribute(attr="name"), comparators=[ast.Constant(value=str() as text)]):
                assert text not in operators | levels, f"{path.name}:{node.lineno} asks for {text} by name"
            case _:
                pass


INFERENCE = {"infer_types", "infer_assignment", "apply_typed", "result_dtype", "operand_dtype"}
INFERRING = {
    "reference/algebra": "operators declare their types",
    "reference/notation": "expressions are typed where they are resolved",
    "reference/denotation": "the ground truth says itself what an operator computes in",
    "reference/statement/contributions.py": "contributions are counted, and these counts compared",
    "reference/statement/lowering.py": "an update joins two typed expressions",
    "generator/values/values.py": "beside a fill that its dtype does not hold, an operator computes in a wider one",
    "properties/strategies": "what is drawn is typed while it is drawn",
    "properties/backends": "other systems are given the expression as it is written, without conversions",
    "properties/proofs/operators/laws.py": "a law is about an operator on a dtype",
    "properties/specification/tables.py": "the specification lists what operators give",
}


def test_dtypes_are_inferred_where_expressions_are_resolved_and_nowhere_else() -> None:
    """Everybody else reads the dtype on the nodes (`dtype_of`)."""
    found = set()
    for path, text in TEXTS.items():
        if not any(name in text for name in INFERENCE):
            continue
        used = {getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(ast.parse(text))}
        if used & INFERENCE:
            found.add(path.relative_to(ROOT))
    unheard = {str(path) for path in found if not any(str(p) in INFERRING for p in (path, path.parent))}
    assert not unheard


def test_strategies_are_chosen_by_the_plan_and_nowhere_else() -> None:
    """Who runs, prints, proves or estimates loops takes them from the plan: one that chose might choose otherwise."""
    choosing = {path for path, text in TEXTS.items() if re.search(r"\bchoose_strategy\b", text)}
    assert {str(path.relative_to(ROOT)) for path in choosing} == {
        "reference/loops/fusing.py",
        "reference/loops/plan.py",
    }
