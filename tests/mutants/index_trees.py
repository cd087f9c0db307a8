"""Mutants of index trees: domains, the nodes of a statement, and the statement of nodes."""

from __future__ import annotations

from mutant import Mutant

DOMAINS = "reference/loops/domains.py"
TERMS = "reference/statement/domain.py"
TREE = "reference/statement/index_tree.py"
PRINTER = "reference/statement/tree_printer.py"
PARSER = "reference/statement/tree_parser.py"

LATTICES = ("tests/reference/loops/test_domains.py",)
FIGURES = ("tests/reference/statement/test_index_tree.py",)
TEXTS = ("tests/reference/statement/test_tree_parser.py",)

PRINTED = ("tests/reference/statement/test_printed.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "printed.1",
        "reference/statement/printed.py",
        "and not (name in NAMES and self.is_indexed())",
        "",
        "a tensor with the name of a dtype is a conversion in texts",
        PRINTED,
    ),
    Mutant(
        "printed.2",
        PRINTER,
        'text = f"{operator.name}({scalar}())"',
        'text = f"{operator.name}({scalar})"',
        "the conversion of a scalar is printed as a component",
        PRINTED,
    ),
    Mutant(
        "printed.3",
        PARSER,
        " and not self.is_indexed():",
        ":",
        "a tensor that is called complex is a number",
        PRINTED,
    ),
    Mutant(
        "printed.4",
        "reference/schedule/parts.py",
        "return a.name == name and read.tensor == v and (not",
        "return False and (not",
        "the conversion of a scalar is no part of a value",
        PRINTED,
    ),
    Mutant(
        "index-tree.1",
        DOMAINS,
        "return intersection(*(of_presence(part, known) for part in parts))",
        "return union(*(of_presence(part, known) for part in parts))",
        "where all of several operands must be present, any is enough",
        LATTICES,
    ),
    Mutant(
        "index-tree.2",
        DOMAINS,
        "return union(*(self.of_statement(each, known) for each in statements))",
        "return self.of_statement(statements[0], known)",
        "of statements in order the first alone counts",
        LATTICES,
    ),
    Mutant(
        "index-tree.3",
        DOMAINS,
        "return not mask.complement or (mask",
        "return mask.complement or (mask",
        "complements exclude whole fibers, and other masks only the last level",
        LATTICES,
    ),
    Mutant(
        "index-tree.4",
        DOMAINS,
        "or (mask.structural and all(map(self.is_found, mask.reads)))",
        "or all(map(self.is_found, mask.reads))",
        "a complement by value excludes what is stored, whatever its value",
        LATTICES,
    ),
    Mutant(
        "index-tree.5",
        DOMAINS,
        "yield parts[0] if len(parts) == 1 else Nested(parts)",
        "yield parts[0]",
        "a loop over several variables has the domain of the first",
        LATTICES,
    ),
    Mutant(
        "index-tree.6",
        TERMS,
        "    if Dense() in kept:\n        return Dense()\n",
        "",
        "a union with the whole extent is not the whole extent",
        LATTICES,
    ),
    Mutant(
        "index-tree.7",
        DOMAINS,
        "return self.of_statement(consumer, {**known, **made})",
        "return self.of_statement(consumer, known)",
        "a workspace that a loop fills is there at each of its coordinates",
        LATTICES,
    ),
    Mutant(
        "index-tree.8",
        TREE,
        "return Where(consumer, producer, workspace), rest",
        "return Where(producer, consumer, workspace), rest",
        "what fills a workspace and what reads it change places",
        FIGURES,
    ),
    Mutant(
        "index-tree.9",
        TREE,
        "return InOrder(statements_of(children)), rest",
        "return in_order(children), rest",
        "a group of one node is that node",
        FIGURES,
    ),
    Mutant(
        "index-tree.10",
        PRINTER,
        "return own if access.levels == access.indices else",
        "return own if sorted(access.levels) == sorted(access.indices) else",
        "levels in another order than the index variables are not printed",
        TEXTS,
    ),
    Mutant(
        "index-tree.11",
        PRINTER,
        'return f"⊕{text}" if operator.structural or operator.absent is not None else text',
        "return text",
        "conversions in a semiring are printed as others",
        TEXTS,
    ),
    Mutant(
        "index-tree.12",
        PARSER,
        "            leaf = replace(leaf, target=insertion_target(target, line))\n",
        "            pass\n",
        "every result is appended to",
        TEXTS,
    ),
    Mutant(
        "index-tree.13",
        PARSER,
        "if own != depth + 1:",
        "if own < depth + 1:",
        "a node may be indented by more than a step",
        TEXTS,
    ),
    Mutant(
        "index-tree.14",
        PARSER,
        "return Literal(complex(real, imaginary))",
        "return Literal(complex(real, 0))",
        "complex numbers lose their imaginary part",
        TEXTS,
    ),
)
