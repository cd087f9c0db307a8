from gnomon.properties.backends.ssa import Lines


def test_names_of_tensors_are_kept_unless_they_mean_something():
    lines = Lines("import numpy as np", ["A", "np", "lambda", "lambda_", "t1"], ["Matrix"])
    lines.bind("A", "1")
    lines.bind("lambda", "2")
    name = lines.let("A + lambda__")
    assert name == "t2"
    assert lines.finish(name) == "import numpy as np\nA = 1\nlambda__ = 2\nt2 = A + lambda__\nresult = t2\n"
