"""A matrix, a vector, and the product that the tests of kernels ask for."""

import gnomon as gn
import numpy as np

A = gn.tensor([[0, 0, 1, 3], [0, 2, 1, 3]], [5.0, 1.0, 7.0, 9.0], (4, 4), "CSR")
X = np.array([1.0, 2.0, 3.0, 4.0])
SPMV = "y(i) = A(i,j) * x(j)"
