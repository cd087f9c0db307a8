"""Mutants of procedures: what names stand for, when loops end, what is refused; and of graph algorithms."""

from __future__ import annotations

from mutant import Mutant

SYNTAX = "reference/procedure/syntax.py"
PARSER = "reference/procedure/parser.py"
CHECK = "reference/procedure/check.py"
RUN = "reference/procedure/run.py"
STEPS = "generator/runtime/steps.py"
STATEMENTS = "reference/procedure/statements.py"
UNROLLING = "properties/programs/unrolling.py"
GRAPH = "generator/graphs/graph.py"
EDGES = "generator/graphs/edges.py"

PARSED = ("tests/reference/procedure/test_parser.py",)
CHECKED = ("tests/reference/procedure/test_check.py",)
RAN = ("tests/reference/procedure/test_run.py",)
COMPILED = ("tests/generator/runtime/test_steps.py",)
COMPARED = ("tests/properties/differential/test_procedures.py",)
UNROLLED = ("tests/properties/programs/test_unrolling.py",)
STATED = ("tests/reference/procedure/test_statements.py",)
GRAPHS = ("tests/generator/graphs/test_graph.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "procedure.1",
        SYNTAX,
        "self.before if name == a.target.tensor else name, name",
        "name, name",
        "a step that reads its own target is given it under the name that is assigned",
        PARSED,
    ),
    Mutant(
        "procedure.2",
        SYNTAX,
        "mask = a.mask if a.mask is None else replace(a.mask, value=rename_accesses(a.mask.value, names))",
        "mask = a.mask",
        "the mask reads the target that is assigned",
        PARSED,
    ),
    Mutant(
        "procedure.3",
        SYNTAX,
        "if a.merge or a.operator is not None else tuple(found)",
        "if a.operator is not None else tuple(found)",
        "a mask that merges has no previous contents",
        PARSED,
    ),
    Mutant(
        "procedure.4",
        RUN,
        "or done == most or self.has_ended(repeat.until, before):",
        "or done == most:",
        "loops end after a number of steps alone",
        RAN,
    ),
    Mutant(
        "procedure.5",
        RUN,
        "before = {name: self.values.get(name) for name in repeat.until.unchanged}",
        "before = {name: None for name in repeat.until.unchanged}",
        "nothing is ever unchanged",
        RAN,
    ),
    Mutant(
        "procedure.6",
        RUN,
        "return int(np.count_nonzero(tensor.vals != tensor.fill))",
        "return len(tensor.vals)",
        "what stores every component is never empty",
        RAN,
    ),
    Mutant(
        "procedure.7",
        RUN,
        "    return tensor.nnz\n",
        "    return int(np.count_nonzero(tensor.vals))\n",
        "stored zeros are nothing",
        RAN,
    ),
    Mutant(
        "procedure.8",
        RUN,
        "equal_nan=mine[1].dtype.kind in",
        "equal_nan=mine[1].dtype.kind not in",
        "NaN differs from itself",
        RAN,
    ),
    Mutant(
        "procedure.9",
        RUN,
        "format = step.format if step.format is not None else held",
        "format = step.format",
        "what a target has been stored as plays no part",
        RAN,
    ),
    Mutant(
        "procedure.10",
        RUN,
        "    return replace(tensor, fill=identity(tensor.dtype))\n",
        "    return tensor\n",
        "what stores every component keeps its fill in a semiring",
        RAN,
    ),
    Mutant(
        "procedure.11",
        RUN,
        "    missing = [name for name in procedure.parameters if name not in operands]\n",
        "    missing = list[str]()\n",
        "operands may be left out",
        RAN,
    ),
    Mutant(
        "procedure.12",
        RUN,
        'value.dtype.kind not in "iu" or int(value.to_numpy()) < least',
        'value.dtype.kind not in "iu"',
        "a loop may end after no rounds",
        RAN,
    ),
    Mutant(
        "procedure.13",
        CHECK,
        "for each in own) and changed.isdisjoint(",
        "for each in own) and not changed.issuperset(",
        "a loop whose end depends on something that does not change is refused",
        CHECKED,
    ),
    Mutant(
        "procedure.14",
        CHECK,
        "if name not in known and not begins:",
        "if name not in known and name != step.target:",
        "a step may read its target before anything was assigned to it",
        CHECKED,
    ),
    Mutant(
        "procedure.15",
        CHECK,
        '        if name not in known:\n            raise checker.error(f"{procedure.name} gives',
        '        if not known:\n            raise checker.error(f"{procedure.name} gives',
        "a result that nothing assigns is taken",
        CHECKED,
    ),
    Mutant(
        "procedure.16",
        PARSER,
        "            if line.depth != depth:\n",
        "            if line.depth < depth:\n",
        "lines of a block may be indented differently",
        PARSED,
    ),
    Mutant(
        "procedure.17",
        PARSER,
        "if last.depth != line.depth:",
        "if last.depth > line.depth:",
        "until may stand anywhere to the left",
        PARSED,
    ),
    Mutant(
        "procedure.18",
        STEPS,
        "key = (step.statement.source, step.semiring, out, stored, tuple(far.items()))",
        "key = (step.statement.source, step.semiring, out, tuple(far.items()))",
        "a kernel runs on tensors that are stored otherwise",
        COMPILED,
    ),
    Mutant(
        "procedure.19",
        "properties/differential/procedures.py",
        "        self.reports.append(report)\n",
        "        self.reports = [report]\n",
        "the last step alone is reported",
        COMPARED,
    ),
    Mutant(
        "procedure.20",
        RUN,
        "if self.block(repeat.body) or done == most",
        "if self.block(repeat.body) and done == most",
        "a loop goes on where it is stopped",
        RAN,
    ),
    Mutant(
        "procedure.21",
        RUN,
        "> self.number(n, 0,",
        ">= self.number(n, 0,",
        "as many as a number are above it",
        RAN,
    ),
    Mutant(
        "procedure.22",
        RUN,
        "< self.number(n, 1,",
        "<= self.number(n, 1,",
        "as many as a number are below it",
        RAN,
    ),
    Mutant(
        "procedure.23",
        CHECK,
        "own = [repeat.until, *(node.condition for node in repeat.body if isinstance(node, Stop))]",
        "own = [repeat.until]",
        "a loop that stops midway alone does not end",
        CHECKED,
    ),
    Mutant(
        "procedure.24",
        PARSER,
        "if condition.unchanged or condition.steps is not None:",
        "if condition.unchanged:",
        "a loop may be stopped after a number of steps",
        PARSED,
    ),
    Mutant(
        "procedure.25",
        "properties/proofs/procedures/symbolic_run.py",
        "        for run in runs[1:]:\n",
        "        for run in runs[:0]:\n",
        "loops that a loop chooses among may differ",
        ("tests/properties/proofs/procedures/test_symbolic_run.py",),
    ),
    Mutant(
        "procedure.26",
        "properties/proofs/procedures/symbolic_run.py",
        "        self.compare(before)\n",
        "",
        "steps beside loops may change what names stand for",
        ("tests/properties/proofs/procedures/test_symbolic_run.py",),
    ),
    Mutant(
        "procedure.27",
        UNROLLING,
        "except (MeaningError, SemiringError):",
        "except SemiringError:",
        "a step that has no meaning on its data is a problem",
        UNROLLED,
    ),
    Mutant(
        "procedure.28",
        UNROLLING,
        "        except Exception as error:\n            self.problems.append(problem)\n",
        "        except Exception as error:\n",
        "a step that the reference breaks down on is no problem",
        UNROLLED,
    ),
    Mutant(
        "procedure.29",
        STATEMENTS,
        "        while ways:\n",
        "        if ways:\n",
        "the formats of later rounds play no part",
        STATED,
    ),
    Mutant(
        "graph.1",
        EDGES,
        "return (held + held.T).tocsr()",
        "return held.tocsr()",
        "an undirected graph has the edges that are stored alone",
        GRAPHS,
    ),
    Mutant(
        "graph.2",
        EDGES,
        "kept = found.row != found.col",
        "kept = found.row >= 0",
        "loops count where they must not",
        GRAPHS,
    ),
    Mutant(
        "graph.3",
        GRAPH,
        'if not is_same(found["distance"], found["before"]):',
        "if False:",
        "negative cycles are not reported",
        GRAPHS,
    ),
    Mutant(
        "graph.4",
        "generator/graphs/bfs_levels.gn",
        "frontier(i) * A(i,j)",
        "frontier(i) * A(j,i)",
        "a search that pushes goes along edges backwards",
        GRAPHS,
    ),
    Mutant(
        "graph.5",
        "generator/graphs/pagerank.gn",
        " + damping * lost * share",
        "",
        "the rank of vertices that lead nowhere is lost",
        GRAPHS,
    ),
    Mutant(
        "graph.6",
        "generator/graphs/betweenness.gn",
        "between(s,v)<!$start(s,v)> = dependency(s,v)",
        "between(s,v) = dependency(s,v)",
        "paths count at their sources",
        GRAPHS,
    ),
    Mutant(
        "graph.7",
        "generator/graphs/k_truss.gn",
        "ge(S(i,j), support)",
        "gt(S(i,j), support)",
        "an edge needs a triangle more",
        GRAPHS,
    ),
    Mutant(
        "graph.8",
        "generator/graphs/bfs_parents.gn",
        "frontier(i) * A(i,j)  in min_first",
        "frontier(i) * A(i,j)  in max_first",
        "of several parents the greatest is taken",
        GRAPHS,
    ),
)
