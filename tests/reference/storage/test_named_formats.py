"""Figures 2, 3 and 4: the exact arrays of the paper's matrix in every format, and how texts become formats."""

import gnomon as gn
import numpy as np
import pytest
from gnomon.reference.errors import FormatError
from gnomon.reference.storage.named_formats import BLOCKED, DESCRIPTIONS, FIXED, compose_format, format_of
from gnomon.reference.storage.tensor import Tensor

ENTRIES = {(0, 0): 5.0, (0, 1): 1.0, (1, 0): 7.0, (1, 1): 3.0, (3, 0): 8.0, (3, 3): 4.0, (3, 4): 9.0}


def matrix(format: str) -> Tensor:
    """The 4 by 6 matrix of Figure 2, as far as the text of the paper gives it."""
    return gn.tensor(list(zip(*ENTRIES, strict=True)), list(ENTRIES.values()), (4, 6), format)


def arrays(tensor: Tensor, level: int) -> dict[str, list[int]]:
    return {name: a.tolist() for name, a in tensor.levels[level - 1].items() if isinstance(a, np.ndarray)}


ROWS, COLUMNS = [0, 0, 1, 1, 3, 3, 3], [0, 1, 0, 1, 0, 3, 4]


def test_coo() -> None:
    tensor = matrix("COO")
    assert arrays(tensor, 1) == {"pos": [0, 7], "crd": ROWS}
    assert arrays(tensor, 2) == {"crd": COLUMNS}
    assert tensor.vals.tolist() == [5, 1, 7, 3, 8, 4, 9]


def test_coo_as_an_array_of_structs() -> None:
    tensor = matrix("COO_AoS")
    interleaved = [c for pair in zip(ROWS, COLUMNS, strict=True) for c in pair]
    assert tensor.shared["coords"].tolist() == interleaved


def test_csr() -> None:
    tensor = matrix("CSR")
    assert arrays(tensor, 2) == {"pos": [0, 2, 4, 4, 7], "crd": COLUMNS}


def test_csc() -> None:
    tensor = matrix("CSC")
    assert arrays(tensor, 2) == {"pos": [0, 3, 5, 5, 6, 7, 7], "crd": [0, 1, 3, 0, 1, 3, 3]}
    assert tensor.vals.tolist() == [5, 7, 8, 1, 3, 4, 9]


def test_dcsr() -> None:
    tensor = matrix("DCSR")
    assert arrays(tensor, 1) == {"pos": [0, 3], "crd": [0, 1, 3]}
    assert arrays(tensor, 2) == {"pos": [0, 2, 4, 7], "crd": COLUMNS}


def test_ell() -> None:
    tensor = matrix("ELL")
    assert tensor.extents == (3, 4, 6)
    assert arrays(tensor, 3) == {"crd": [0, 0, -1, 0, 1, 1, -1, 3, -1, -1, -1, 4]}
    assert tensor.vals.tolist() == [5, 7, 0, 8, 1, 3, 0, 4, 0, 0, 0, 9]


def test_dia() -> None:
    tensor = matrix("DIA")
    assert tensor.shared["offset"].tolist() == [-3, -1, 0, 1]
    _, rows, columns = tensor.bound_levels()
    assert rows.coord_bounds((1,)) == (1, 4)
    assert columns.pos_access(4 + 3, (1, 3)) == (2, True)
    assert tensor.vals.tolist() == [0, 0, 0, 8, 0, 7, 0, 0, 5, 3, 0, 4, 1, 0, 0, 9]


def test_bcsr() -> None:
    tensor = matrix("BCSR(2,3)")
    assert arrays(tensor, 2) == {"pos": [0, 1, 3], "crd": [0, 0, 1]}
    assert tensor.vals.tolist() == [5, 1, 0, 7, 3, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 4, 9, 0]


def test_csb() -> None:
    tensor = matrix("CSB(2,3)")
    assert arrays(tensor, 3) == {"pos": [0, 4, 4, 5, 7], "crd": [0, 0, 1, 1, 1, 1, 1]}
    assert arrays(tensor, 4) == {"crd": [0, 1, 0, 1, 0, 0, 1]}


def test_csf() -> None:
    coords = [[0, 0, 0, 2, 2, 2, 2, 2], [0, 0, 2, 0, 2, 2, 3, 3], [0, 1, 1, 1, 0, 1, 0, 1]]
    tensor = gn.tensor(coords, [1.0, 7.0, 5.0, 2.0, 4.0, 8.0, 3.0, 9.0], (3, 4, 2), "CSF")
    assert arrays(tensor, 1) == {"pos": [0, 2], "crd": [0, 2]}
    assert arrays(tensor, 2) == {"pos": [0, 2, 5], "crd": [0, 2, 0, 2, 3]}
    assert arrays(tensor, 3) == {"pos": [0, 2, 3, 4, 6, 8], "crd": [0, 1, 1, 1, 0, 1, 0, 1]}


def test_hash_rows_find_every_coordinate() -> None:
    tensor = matrix("HashRows")
    rows, columns = tensor.bound_levels()
    for (i, j), value in ENTRIES.items():
        p, found = columns.locate(rows.locate(0, (i,))[0], (i, j))
        assert found
        assert tensor.vals[p] == value


@pytest.mark.parametrize("name", [*FIXED, *BLOCKED])
def test_every_matrix_format_holds_the_matrix(name: str) -> None:
    if format_of(name).order != 2:
        return
    entries = {(i, j): v for (i, j), v in ENTRIES.items() if name != "Skyline" or j <= i}
    tensor = gn.tensor(list(zip(*entries, strict=True)), list(entries.values()), (4, 6), name)
    tensor.validate()
    assert {i: v for i, v in tensor.entries() if v != 0} == entries


@pytest.mark.parametrize("name", list(DESCRIPTIONS))
def test_names_and_texts_are_found_again(name: str) -> None:
    format = format_of(name)
    assert format_of(str(format), format.order) == format


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CSRR", "unknown format 'CSRR'"),
        ("singleton,dense", r"level 1 \(singleton\).*the top level has no parent"),
        ("dense,offset", "reads the offset of the diagonal"),
        ("hashed,compressed", r"level 2 \(compressed\).*filled in no order"),
        ("dense,singleton", "some parents hold nothing; write singleton"),
        ("compressed,singleton", r"write compressed\(nonunique\)"),
        ("compressed(nonunique),compressed", "is not unique"),
        ("dense,compressed(branchless)", "has no property 'branchless'"),
        ("ds:1,1", "not a permutation"),
        ("dx", "unknown"),
        ("dense,dense,dense; (i,j)->(j,i)", "3 levels cannot store the 2 level coordinates"),
        ("dense,dense,dense; (i,j)->(i,i//2,j)", "mode i must occur once"),
        ("BCSR(0,2)", "not positive"),
        ("compressed,banded", "exactly one dense level"),
        ("hashed(full),banded", "exactly one dense level"),
        ("hashed(full),skyline", "exactly one dense level"),
        ("dense,banded,singleton", r"below a unique banded level .*; use a level that is not unique"),
        ("dense,range(nonunique),singleton", r"level 3 \(singleton\) .*below a range level some parents hold nothing"),
        (
            "dense,singleton(padded),offset(nonunique),singleton",
            r"level 4 .*below a padded singleton level some parents",
        ),
        ("dense,bitmap,offset(nonunique),singleton_aos", r"level 4 .*below a bitmap level some parents hold nothing"),
        ("dense,compressed,offset(nonunique),singleton", r"level 4 .*below a unique compressed level .*several coord"),
        ("hashed(width=²)", "does not give a positive integer"),
        ("hashed(width=" + "9" * 5000 + ")", "is larger than 2147483647"),
        ("hashed(width=2147483648)", "is larger than 2147483647"),
        ("hashed(width)", "property 'width' wants an integer"),
        ("compressed(unique=3)", "property 'unique=3'"),
        ("hashed(width=3,width=4)", "width=4.* contradicts"),
        ("hashed(width=3,)", "expected a property, but found ''"),
        ("compressed(,unordered)", "expected a property, but found ''"),
        ("dense,compressed;", "expected a map"),
        ("dense,compressed(unique,nonunique)", "'nonunique' contradicts"),
        ("dense,compressed(unordered,ordered)", "'ordered' contradicts"),
        ("CSB(99999999999999999999,1)", "is larger than 2147483647"),
        ("BCSR(" + "9" * 5000 + ",1)", "is larger than 2147483647"),
        ("BCSR(2,)", r"expected a number, but found '' in BCSR\(2,\)"),
        ("CSF(0,,1)", "expected a number, but found ''"),
        ("CSF(0 1)", "expected a number, but found '0 1'"),
        ("BCSR(-1,2)", r"block size -1 is not positive in BCSR\(-1,2\)"),
        ("bcsr(2,2,2)", r"BCSR takes two block sizes, but BCSR\(2,2,2\) has 3"),
        ("BCSR(2)", r"BCSR takes two block sizes, but BCSR\(2\) has 1"),
        ("coo(3)", r"COO takes no numbers, but found COO\(3\)"),
        ("BCSR(2,2", r"'BCSR\(2,2' lacks a '\)'"),
        ("CSF(" + "9" * 5000 + ")", "is larger than 2147483647"),
        ("d:" + "9" * 5000, "is larger than 2147483647"),
        ("d:²", "expected a mode order"),
        ("dense,dense; (i)->(i//" + "9" * 5000 + ",i%2)", "is larger than 2147483647"),
        ("d" * 33, "at most 32"),
        ("dense,compressed; (i,j)->(i,,j)", "'' is not a level coordinate"),
        ("dense,compressed; (i,j)->(i,j,)", "'' is not a level coordinate"),
        ("dense,range,offset; (i,j)->(#(i-j),i,j)", r"level 2 \(range\) .*gives it no offsets"),
        ("dense,range,offset; (i,j)->(i,#(j-i),j)", r"level 2 \(range\) .*gives it no offsets"),
        ("dense,range,offset; (i,j)->(#,i,j)", r"level 2 \(range\) .*gives it no offsets"),
        ("dense,dense,range,offset; (i,j)->(#(j-i),#(i-j),i,j)", "has 2 ranks"),
        ("dense,range,range,offset; (i,j,k)->(#(j-i),i,j,k)", r"level 3 \(range\) .*gives it no offsets"),
        ("dense,dense,dense; (i,j)->(#(j-i),i,j)", r"level 3 \(dense\) .*the same component several times"),
        ("dense,compressed,dense; (i,j)->(#,i,j)", r"level 3 \(dense\) .*the same component several times"),
        ("dense,range,dense; (i,j)->(#(j-i),i,j)", r"level 3 \(dense\) .*the same component several times"),
        ("dense,skyline; (i)->(i//2,i%2)", r"level 2 \(skyline\) .*places beyond the shape"),
        ("dense,banded; (i)->(i//2,i%2)", r"level 2 \(banded\) .*places beyond the shape"),
        ("dense,range,offset; (i,j)->(i//2,i%2,j)", r"level 2 \(range\) .*places beyond the shape"),
        ("dense,range,offset; (i,j)->(i,j//2,j%2)", r"level 3 \(offset\) .*places beyond the shape"),
    ],
)
def test_illegal_formats_say_which_level_and_why(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        format_of(text)


@pytest.mark.parametrize("text", [None, 5, b"CSR", ["dense"], [1, 2]])
def test_what_is_no_format_is_refused(text: object) -> None:
    with pytest.raises(FormatError, match="expected a format"):
        format_of(text)  # type: ignore[arg-type]


def test_properties_may_be_repeated() -> None:
    assert format_of("dense,compressed(nonunique,nonunique)") == format_of("dense,compressed(nonunique)")


def test_blanks_stand_around_everything_but_letters() -> None:
    assert format_of("dense ( )") == format_of("dense")
    assert format_of("dense , compressed ( nonunique )\n; (i, j) -> (j, i)") == format_of("du:1,0")
    assert format_of(" ds:1,\n0 ") == format_of("CSC")


def test_orders_have_a_maximum() -> None:
    assert format_of("COO", 32).order == 32
    for name in ("COO", "CSF", "Dense", "COO_AoS", "ModeGeneric"):
        with pytest.raises(FormatError, match="at most 32"):
            format_of(name, 10**9)


def test_orders_must_match() -> None:
    with pytest.raises(FormatError, match="CSR stores tensors of order 2, but this one has order 3"):
        format_of("CSR", 3)


@pytest.mark.parametrize(
    ("text", "names"), [("crs", "CSR or"), ("cssr", "CSR or DCSR"), ("ooc", "COO"), ("dsr", "DCSR or CSR")]
)
def test_letters_that_do_not_fit_may_have_been_meant_as_a_name(text: str, names: str) -> None:
    with pytest.raises(FormatError) as found:
        format_of(text, 2)
    assert f"'{text}' is read as letters, one a level; did you mean {names}" in str(found.value)


@pytest.mark.parametrize("text", ["ds", "csr", "CSR", "dss:2,0,1"])
def test_what_is_read_as_it_looks_is_not_asked_about(text: str) -> None:
    with pytest.raises(FormatError, match="this one has order 5") as found:
        format_of(text, 5)
    assert found.value.hint is None


def test_no_format_is_said_to_be_missing() -> None:
    assert format_of("", 0).order == 0
    with pytest.raises(FormatError, match="expected a format for a tensor of order 2, but found none"):
        format_of("", 2)


@pytest.mark.parametrize("name", list(DESCRIPTIONS))
def test_names_may_be_written_in_any_case(name: str) -> None:
    order = format_of(name).order
    for written in (name.lower(), name.upper()):
        assert format_of(written, order) == format_of(name, order)
    assert format_of("bcsr(2, 3)") == format_of("BCSR(2,3)")


def test_what_is_legal_as_letters_or_levels_stays_so() -> None:
    assert format_of("ds") == format_of("CSR")
    assert format_of("dense").order == format_of("dense", 1).order == 1
    assert format_of("dense", 3) == format_of("Dense", 3)
    clashing = {name for name in DESCRIPTIONS if name.lower() != name and is_legal(name.lower())}
    assert clashing == {"Dense"}


def is_legal(text: str) -> bool:
    """Whether a text is a format by its letters or levels."""
    try:
        compose_format(text)
    except FormatError:
        return False
    return True


@pytest.mark.parametrize(
    "text", ["dense,skyline,dense; (i,j)->(i//2,j,i%2)", "dense,range,offset,dense; (i,j,k)->(i,j//2,k,j%2)"]
)
def test_blocks_end_at_the_shape_whatever_is_above(text: str) -> None:
    format = format_of(text)
    coords, shape = np.array([[4, 2], [0, 1], [1, 3]])[: format.order], (5, 5, 4)[: format.order]
    held = gn.tensor(coords, [1.0, 2.0], shape, format)
    held.validate()
    modes = "ijk"[: format.order]
    copied = gn.evaluate(f"C({','.join(modes)}) = A({','.join(modes)})", A=held, out="CSF")
    assert np.array_equal(copied.to_numpy(), gn.tensor(coords, [1.0, 2.0], shape, "COO").to_numpy())


@pytest.mark.parametrize(
    "text",
    [
        "dense,range,offset; (i,j)->(#(i-j),j,i)",
        "dense,range,compressed; (i,j)->(#(j-i),i,j)",
        "dense,range,offset,dense; (i,j,k)->(#(j-i),i,j,k)",
        "dense,dense,range,offset; (i,j,k)->(k,#(j-i),i,j)",
        "dense,dense,bitmap; (i,j)->(#,i,j)",
    ],
)
def test_ranks_that_levels_serve_hold_every_component_once(text: str) -> None:
    format = format_of(text)
    coords, shape = np.array([[0, 1, 2, 2], [3, 2, 2, 0], [0, 1, 1, 1]])[: format.order], (3, 4, 2)[: format.order]
    held = gn.tensor(coords, [1.0, 2.0, 3.0, 4.0], shape, format)
    held.validate()
    assert np.array_equal(held.to_numpy(), gn.tensor(coords, [1.0, 2.0, 3.0, 4.0], shape, "COO").to_numpy())


@pytest.mark.parametrize(
    ("name", "order", "least"),
    [("COO", 0, 1), ("coo", 0, 1), ("COO_AoS", 0, 1), ("ModeGeneric", 0, 2), ("modegeneric", 1, 2)],
)
def test_formats_of_any_order_say_from_which_one_on(name: str, order: int, least: int) -> None:
    said = f"stores tensors of order {least} or more, but this one has order {order}"
    with pytest.raises(FormatError, match=said) as found:
        format_of(name, order)
    assert found.value.hint is not None and "Dense" in found.value.hint
    assert format_of(name, least).order == least and format_of("Dense", order).order == order
