"""Mutants of the prover: what is assumed, noted and asked, so that nothing is called proved that is not."""

from __future__ import annotations

from mutant import Mutant

FOLDER = "properties/proofs/"
TESTS = "tests/properties/proofs/"
LEVELS = tuple(
    f"{TESTS}levels/test_level_formats.py::test_{name}"
    for name in (
        "what_rests_on_unrolled_loops_or_on_false_invariants_is_bounded",
        "loops_without_an_invariant_are_bounded",
        "a_wrong_invariant_proves_nothing",
    )
)
KERNELS = (f"{TESTS}c/test_c_kernels.py", f"{TESTS}c/test_c_runs.py")
PROOFS = "properties/proofs/schedules/dominances.py"

PROVED = ("tests/properties/proofs/schedules/test_dominances.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "proof.1",
        f"{FOLDER}levels/level_formats.py",
        "verdict = as_far_as_unrolled(statement.proof(about), about.notes)",
        "verdict = statement.proof(about)",
        "what rests on unrolled loops of a function that a statement speaks of is called proved",
        LEVELS,
    ),
    Mutant(
        "proof.2",
        f"{FOLDER}levels/restricted_paths.py",
        "paths = Expressed(parse_level_function(type(scope.level), name)).paths(arguments, start)",
        "paths = Run(parse_level_function(type(scope.level), name)).paths(arguments, start)",
        "an invariant is relied upon in expressions, where nobody proves it",
        LEVELS,
    ),
    Mutant(
        "proof.3",
        f"{FOLDER}levels/level_access.py",
        'rests = (in_range(model, "locate"),) if function == "insert_coord" else ()',
        "rests = ()",
        "what locate claims of its loops is relied upon where something is inserted, and not proved",
        LEVELS,
    ),
    Mutant(
        "proof.4",
        f"{FOLDER}levels/level_insertion.py",
        "return together([establish(valid, [], notes), *found])",
        "return together(found)",
        "insertion rests on a search whose invariant nobody proves",
        LEVELS,
    ),
    Mutant(
        "proof.5",
        f"{FOLDER}levels/invariant_terms.py",
        "turn = without(inner, scope).bind({name: x})",
        "turn = scope.bind({name: x})",
        "what a turn of validation leaves to the next is taken to be what it was before the loop",
        (f"{TESTS}levels/test_storage_axioms.py",),
    ),
    Mutant(
        "proof.6",
        f"{FOLDER}verdict.py",
        'return of_each(found) if found else Unknown("nothing was asked")',
        "return of_each(found)",
        "an obligation that ranges over nothing is proved",
        (f"{TESTS}test_verdict.py", f"{TESTS}test_catalogue.py"),
    ),
    Mutant(
        "proof.7",
        f"{FOLDER}relations/relation_cases.py",
        "given = (size.term > 0, extent.term >= 0)\n    relation = Split(",
        "given = (size.term > 0, extent.term < 0)\n    relation = Split(",
        "hypotheses on splits leave no value",
        (f"{TESTS}relations/test_relations.py",),
    ),
    Mutant(
        "proof.8",
        f"{FOLDER}relations/race_freedom.py",
        "if taken != settles(strategy, race):",
        "if taken and not settles(strategy, race):",
        "a strategy that refuses every race is called right",
        (f"{TESTS}relations/test_race_freedom.py",),
    ),
    Mutant(
        "proof.9",
        f"{FOLDER}c/c_kernels.py",
        "return verdict if isinstance(verdict, Proved) else wrong_run(text, source, request) or verdict",
        "return verdict",
        "kernels are never refuted",
        KERNELS,
    ),
    Mutant(
        "proof.10",
        f"{FOLDER}c/c_safety.py",
        "        if self.unfinished_reasons:\n",
        "        if not self.open:\n",
        "what is not modelled counts as looked at",
        (f"{TESTS}c/test_c_safety.py::test_what_is_not_modelled_is_open",),
    ),
    Mutant(
        "proof.11",
        f"{FOLDER}schedules/schedule_judgement.py",
        "sizes=(*self.extents_of_tiles(), *map(self.extents_to_reach, failing.values()))",
        "sizes=tuple(map(self.reached, failing.values()))",
        "no operand reaches into a second tile of a large split",
        (f"{TESTS}schedules/test_schedule_judgement.py",),
    ),
    Mutant(
        "proof.12",
        f"{FOLDER}command.py",
        "if strict and not report.is_proved:",
        "if strict and report.refuted:",
        "strict runs do not ask that all is proved",
        (f"{TESTS}test_command.py",),
    ),
    Mutant(
        "proof.13",
        f"{FOLDER}levels/declared.py",
        "for each in kind.__mro__:",
        "for each in reversed(kind.__mro__):",
        "what a format declares is hidden by what is declared of the one that it is made from",
        (f"{TESTS}levels/test_declared.py",),
    ),
    Mutant(
        "proof.14",
        f"{FOLDER}levels/claims.py",
        "If(Negation(self.expression(said)), (Return((Constant(False),)),), ())",
        "If(self.expression(said), (Return((Constant(False),)),), ())",
        "all of a range is read as none of it",
        (f"{TESTS}levels/test_claims.py", f"{TESTS}levels/test_restricted_paths.py"),
    ),
    Mutant(
        "proof.15",
        f"{FOLDER}levels/restricted_paths.py",
        "return [path.replace(results=self.results(call, path))]",
        "return [path.replace(results=self.results(call, path)[:1])]",
        "a proof sees only the first result that a level function passes on",
        (f"{TESTS}levels/test_restricted_paths.py",),
    ),
    Mutant(
        "proof.16",
        f"{FOLDER}c/c_contracts.py",
        'return Array(zeros.length, Unset(know.unknown("room").at), zeros.type)',
        "return zeros",
        "memory that is not set is known to be zeros",
        (f"{TESTS}c/test_c_contracts.py", f"{TESTS}c/test_c_safety.py::test_room_is_known_as_far_as_it_is_set"),
    ),
    Mutant(
        "proof.17",
        f"{FOLDER}c/c_slices.py",
        "            return str(at.name())\n",
        '            return "anything"\n',
        "code is taken to count alike whatever it reads",
        (f"{TESTS}c/test_c_slices.py",),
    ),
    Mutant(
        "proof.18",
        f"{FOLDER}c/c_loops.py",
        "return is_term(status) and run.know.holds(state.here, status > 0)",
        "return is_term(status)",
        "whoever leaves a loop by a jump is taken to fail",
        (f"{TESTS}c/test_c_safety.py::test_loops_are_left_by_a_jump_with_a_status_only_where_it_says_so",),
    ),
    Mutant(
        "proof.19",
        "properties/proofs/lattices/fill_rule.py",
        "m.value if c is None or dtype == result else self.constant(c(result))",
        "m.value",
        "to a proof, what is absent in the dtype of operands is so in that of a comparison",
        ("tests/properties/proofs/lattices/test_fill_rule.py",),
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
        "taken.5",
        "properties/proofs/c/c_contracts.py",
        "zip(keys, reversed(args), strict=True)",
        "zip(keys, args, strict=True)",
        "arrays change places and are what they were",
        ("tests/properties/proofs/c/test_c_contracts.py",),
    ),
    Mutant(
        "threads.7",
        "properties/proofs/c/c_contracts.py",
        "<= own.length, needed[1] <= array.length)",
        "<= own.length)",
        "a result is taken to have room for what threads have appended",
        ("tests/properties/proofs/c/test_c_safety.py::test_mistakes_are_not_proved[threads move parts too far]",),
    ),
    Mutant(
        "dominances.1",
        PROOFS,
        "goal = z3.And(*(as_term(each, sizes) >= 0 for each in whole))",
        "goal = z3.Or(*(as_term(each, sizes) >= 0 for each in whole))",
        "one of time and memory need not be less",
        PROVED,
    ),
    Mutant(
        "dominances.2",
        PROOFS,
        "return is_nonnegative(what, known) or are_nonnegative([what], known, SECONDS) == Proved()",
        "return is_nonnegative(what, known)",
        "the solver is never asked",
        PROVED,
    ),
)
