"""Mutants of settings: how they are read, what they choose, and what is told of it."""

from mutant import Mutant

HERE, TESTS = "reference/schedule/", "tests/reference/schedule/"
SETTINGS, SET = f"{HERE}settings.py", (f"{TESTS}test_settings.py",)
TEXT, READ = f"{HERE}text.py", (f"{TESTS}test_text.py",)
SCHEDULE = f"{HERE}schedule.py"
DIRECT, ASSEMBLED = f"{HERE}direct.py", (f"{TESTS}test_direct.py",)
ORIGIN, TOLD = f"{HERE}origin.py", (f"{TESTS}test_origin.py",)
TURNING, TURNED = f"{HERE}branched/turning.py", (f"{TESTS}branched/test_turning.py",)
UNASKED, CHOSEN = f"{HERE}branched/unasked.py", (f"{TESTS}branched/test_unasked.py",)
NOTES, NOTED = "generator/runtime/unasked.py", ("tests/generator/runtime/test_unasked.py",)
STRATEGY, DRAWN = "properties/strategies/settings.py", ("tests/properties/strategies/test_settings.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "settings.1",
        SETTINGS,
        "        return Workspaces.BOTH if is_automatic(settings) else Workspaces.OUTPUT\n",
        "        return Workspaces.OUTPUT\n",
        "what a kernel does unasked copies no inputs",
        SET,
    ),
    Mutant(
        "settings.2",
        SETTINGS,
        "        return Direction.AUTO if is_automatic(settings) else None\n",
        "        return Direction.AUTO\n",
        "masks turn though nobody has asked for it",
        SET,
    ),
    Mutant("settings.3", SETTINGS, "        seen.add(each.name)\n", "", "a setting is set twice", (*SET, *READ)),
    Mutant("settings.4", TEXT, "        elif found:\n", "        elif False:\n", "settings stand anywhere", READ),
    Mutant(
        "settings.5",
        TEXT,
        "(Setting(AUTO, span=span), span.stop) if word[0] == AUTO",
        "(Setting(AUTO), span.stop) if word[0] == AUTO",
        "nothing says where auto stands",
        (*READ, *ASSEMBLED),
    ),
    Mutant(
        "settings.6",
        SCHEDULE,
        "return bool(self.settings or self.commands)",
        "return bool(self.commands)",
        "a schedule that only sets something counts as none",
        SET,
    ),
    Mutant(
        "settings.7",
        SCHEDULE,
        "kept = tuple(each for each in self.settings if each == NO_WORKSPACES)",
        "kept: Settings = ()",
        "workspaces come in though none may",
        (*SET, *ASSEMBLED),
    ),
    Mutant(
        "settings.8",
        SCHEDULE,
        "kept, len(chosen))",
        "kept, 0)",
        "commands that settings have chosen count as asked for",
        (*SET, *TOLD),
    ),
    Mutant(
        "settings.9",
        DIRECT,
        "    bare = stage_result(dissolve(program))\n    if",
        "    bare = dissolve(program)\n    if False and",
        "results are appended to out of order",
        ASSEMBLED,
    ),
    Mutant(
        "settings.10",
        DIRECT,
        "    return (command,) if made.staging is None else ()",
        "    return ()",
        "an order of loops that needs no workspace is not found",
        ASSEMBLED,
    ),
    Mutant(
        "settings.11",
        ORIGIN,
        "schedule.commands[: schedule.chosen]",
        "schedule.commands",
        "workspaces of commands are said to be chosen",
        TOLD,
    ),
    Mutant(
        "settings.12",
        TURNING,
        "return (*own, *reducing) if direction is Direction.PULL else (*own[:last], *reducing, *own[last:])",
        "return (*own, *reducing) if direction is Direction.PULL else (*own[:-1], *reducing, *own[-1:])",
        "the mask of rows does not push",
        TURNED,
    ),
    Mutant(
        "settings.13",
        TURNING,
        "workspaces is not None and workspaces.value != Workspaces.BOTH",
        "False",
        "inputs are copied though no workspace but the output's may come in",
        TURNED,
    ),
    Mutant(
        "settings.14",
        TURNING,
        "        if section_at(dissolve(made.program).statement, path).loops:\n",
        "        if False:\n",
        "copies are made again in every iteration",
        TURNED,
    ),
    Mutant(
        "settings.15",
        TURNING,
        "        path = (*path, 1)\n",
        "        pass\n",
        "what is copied is reordered, not what reads it",
        TURNED,
    ),
    Mutant(
        "settings.16",
        TURNING,
        "    is_needed = direction is Direction.PUSH or ",
        "    is_needed = ",
        "a mask under which nothing is reduced is said to push",
        TURNED,
    ),
    Mutant(
        "settings.17",
        UNASKED,
        "    kept = every if is_certain else tuple(each for each in every if is_legal(program, each.schedule))\n",
        "    kept = every\n",
        "a call may choose a schedule to which the commands cannot be given",
        CHOSEN,
    ),
    Mutant(
        "settings.18",
        UNASKED,
        "if automatic and kept is Workspaces.BOTH else None",
        "if automatic else None",
        "products are taken apart though no inputs may get workspaces",
        CHOSEN,
    ),
    Mutant(
        "settings.19",
        UNASKED,
        "    if choice is None and kept is Workspaces.BOTH:\n",
        "    if choice is None:\n",
        "inputs are copied though only the output may have workspaces",
        CHOSEN,
    ),
    Mutant(
        "settings.20",
        UNASKED,
        "    finish = in_parallel if automatic else as_it_is\n",
        "    finish = in_parallel\n",
        "settings run loops in parallel",
        CHOSEN,
    ),
    Mutant(
        "settings.21",
        UNASKED,
        "        return direct_order(program) if workspaces_of(settings) is Workspaces.NONE else ()\n",
        "        return direct_order(program)\n",
        "loops are reordered though workspaces may come in",
        CHOSEN,
    ),
    Mutant(
        "settings.22",
        UNASKED,
        "raise error.at(asked.source, setting.span) from None",
        "raise",
        "nothing says which setting cannot be had",
        CHOSEN,
    ),
    Mutant(
        "settings.23",
        NOTES,
        "schedule.commands[: schedule.chosen]",
        "schedule.commands",
        "commands that are recalled are given twice",
        NOTED,
    ),
    Mutant(
        "settings.24",
        STRATEGY,
        "    return whole if can_have(program, whole, operands) else asked",
        "    return asked",
        "no commands follow settings",
        DRAWN,
    ),
)
