"""Operands of cases that several chapters share, and the programs that exercise semirings."""

from __future__ import annotations

from ...reference.storage.packing import tensor
from .rule import matrix, section, vector

A = matrix([[1, 0, 2, 0], [0, 0, 0, 0], [0, 3, 0, 4]])
B = matrix([[0, 5, 0], [1, 0, 0], [0, 0, 2], [0, 7, 0]])
CUBE = tensor([[0, 0, 2, 2], [0, 2, 0, 1], [1, 0, 1, 1]], [1.0, 2.0, 3.0, 4.0], (3, 3, 2), "CSF")
S = matrix([[2, 1], [0, 3]])
X = vector({0: 2.0, 2: -1.0})
Y = vector({0: 3.0, 1: 5.0})
DENSE = vector({0: 1.0, 1: 2.0, 2: 3.0, 3: 4.0}, format="Dense")
BYTES = vector({0: 100, 1: 100, 2: 100}, dtype="int8")
SEMIRING = section("semirings")
