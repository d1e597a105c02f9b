#!/usr/bin/env python3
"""Writes schemas.txt and kernels.txt beside this file: the facts about operators that the exporter is built with.

Run it with a Python that has torch and executorch when either gets a new version; the product and its tests never
need it.

schemas.txt   one schema a line, as torch's registry states it, sorted by name: every operator that an exported program
              may hold, and the out variant of every kernel.
kernels.txt   one kernel a line: its registry name, its group, and the functional operators that it computes. The groups:
              prim (in the runtime itself), portable (in the SDK's optimized library, and declared by
              kernels/portable/functions.yaml, from which the portable library is generated), optimized (in the
              optimized library alone), quantized (in the quantized library). An operator fits a kernel when each operand of the kernel (outs aside) has a
              namesake of the same type or a default, and the operator's other arguments only describe where and how the
              result is stored (dtype, layout, device, pin_memory, memory_format): the out tensor carries that.
"""
import ctypes
import pathlib
import re

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  registers quantized_decomposed
import executorch
import executorch.exir.passes._quant_patterns_and_replacements  # noqa: F401  registers its embedding operators
import executorch.exir.passes.dim_order_ops_registry  # noqa: F401
import executorch.exir.passes.executorch_prim_ops_registry  # noqa: F401
from executorch.version import __version__ as executorch_version

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(executorch.__path__[0])
# Kernels of the runtime whose arguments only its source states (kernels/prim_ops/register_prim_ops.cpp).
OF_THE_RUNTIME = ("executorch_prim::floordiv.int(Scalar a, Scalar b) -> Scalar",
                  "executorch_prim::mod.int(Scalar a, Scalar b) -> Scalar",
                  "executorch_prim::et_view(Tensor self, SymInt[] size) -> Tensor")
# torchao 0.18 registers these when it is imported (quantization/quant_primitives.py); an archive may hold them.
OF_TORCHAO = ("torchao::choose_qparams_affine(Tensor? input, str mapping_type, SymInt[] block_size, ScalarType target_dtype, "
              "Scalar? quant_min=None, Scalar? quant_max=None, float? eps=None, ScalarType? scale_dtype=None, "
              "ScalarType? zero_point_dtype=None, bool keepdim=False) -> (Tensor, Tensor)",
              "torchao::quantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType output_dtype, "
              "Scalar? quant_min=None, Scalar? quant_max=None) -> Tensor",
              "torchao::dequantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType input_dtype, "
              "Scalar? quant_min=None, Scalar? quant_max=None, ScalarType output_dtype=6) -> Tensor")
NAMESPACES = ("aten", "dim_order_ops", "quantized_decomposed", "executorch_prim", "et_copy")
# Never in an exported program, or of no meaning without other hardware or storage kinds.
LEFT_OUT = re.compile(
    r"aten::(_foreach|_fused|_amp_|_test_|_cudnn|cudnn|miopen|_miopen|mkldnn|_mkldnn|_mps|_nested|_sparse|_cslt|_coalesce|_thnn"
    r"|_cufft|_nnpack|_spsolve|_use_|_validate_|_unpack_dual|_fw_|_make_dual|q_per|q_scale|q_zero|_dirichlet_grad|_to_sparse"
    r"|to_sparse|sparse_|_weight_norm_interface_b|_rowwise_prune|_flash|_efficient|_triton|_scaled_grouped|_jagged|_padded_dense)"
    r"|backward")
LEFT_OUT_TYPES = re.compile(r"Storage|Stream|__torch__|Dimname|QScheme|ConstQuantizerPtr")
# Arguments of functional operators that out variants lack, and that the out tensor states.
OF_THE_RESULT = {"dtype", "layout", "device", "pin_memory", "memory_format"}


def key(schema):
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


class Span(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Kernel(ctypes.Structure):
    """runtime/kernel/operator_registry.h: the name, the text of its key, the function."""
    _fields_ = [("name", ctypes.c_char_p), ("key", ctypes.c_char_p), ("run", ctypes.c_void_p)]


def registered_kernels():
    """Registry name -> group. Each library of the SDK registers its kernels when it is loaded."""
    folder = PACKAGE / "lib"
    runtime = ctypes.CDLL(str(folder / "libexecutorch.so"), ctypes.RTLD_GLOBAL)
    listed = runtime._ZN10executorch7runtime22get_registered_kernelsEv
    listed.restype = Span
    groups = {}
    for group in ("prim", "optimized", "quantized"):
        if group != "prim":
            ctypes.CDLL(str(folder / f"libexecutorch_kernels_{group}.so"), ctypes.RTLD_GLOBAL)
        span = listed()
        for kernel in (Kernel * span.size).from_address(span.data):
            groups.setdefault(kernel.name.decode(), group)
    portable = portable_kernels()
    return {name: "portable" if group == "optimized" and name in portable else group for name, group in groups.items()}


def portable_kernels():
    """Names that the wheel's list of the portable library has; the library itself is not in the wheel."""
    text = (PACKAGE / "kernels/portable/functions.yaml").read_text()
    names = re.findall(r"^- (?:op|func): ([\w:.]+)", text, re.MULTILINE)
    return {name if "::" in name else f"aten::{name}" for name in names}


def from_executorch():
    """Schemas that torch's registry does not know: the wheel ships most of them beside the kernels."""
    for name in ("kernels/quantized/quantized.yaml", "kernels/portable/et_copy_ops.yaml"):
        for line in (PACKAGE / name).read_text().splitlines():
            if line.startswith("- func: "):
                text = line[len("- func: "):].split(" #")[0].strip()
                yield torch._C.parse_schema(text)
    for text in OF_THE_RUNTIME + OF_TORCHAO:
        yield torch._C.parse_schema(text)


def all_schemas():
    schemas = {key(s): s for s in from_executorch()}
    known = set(torch._C._dispatch_get_all_op_names())
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.split("::")[0] in NAMESPACES and (key(schema) in known or "aten" not in schema.name):
            schemas[key(schema)] = schema
    return schemas


def is_out(argument):
    return argument.kwarg_only and argument.alias_info is not None and argument.alias_info.is_write


def may_be_exported(schema):
    line = str(schema)
    return not (any(map(is_out, schema.arguments)) or LEFT_OUT.search(line) or LEFT_OUT_TYPES.search(line))


def operands(schema):
    return {a.name: a for a in schema.arguments if not is_out(a)}


def computes(kernel, functional):
    """Whether the out variant `kernel` computes what the functional operator does."""
    if any(a.alias_info is not None for a in functional.arguments):
        return False
    wanted, given = operands(kernel), operands(functional)
    for name, argument in wanted.items():
        if name in given:
            if str(given[name].type) != str(argument.type):
                return False
        elif not argument.has_default_value():
            return False
    return set(given) - set(wanted) <= OF_THE_RESULT


def distance(kernel, functional):
    """Operands that only one of the two has: of several kernels that fit an operator, the nearest is its own."""
    return len(set(operands(kernel)) ^ set(operands(functional)))


def main():
    schemas = all_schemas()
    kernel_names = registered_kernels()
    by_base = {}
    for schema in schemas.values():
        by_base.setdefault(schema.name, []).append(schema)

    nearest = {}  # operator -> (distance, kernel)
    missing = sorted(kernel_names.keys() - schemas.keys())
    for name in sorted(kernel_names.keys() & schemas.keys()):
        kernel = schemas[name]
        # In-place and scalar kernels are called as they are.
        fits = [kernel]
        if any(map(is_out, kernel.arguments)):
            fits = [s for s in by_base[kernel.name] if not any(map(is_out, s.arguments)) and computes(kernel, s)]
        for functional in fits:
            op = f"{functional.name.replace('::', '.')}.{functional.overload_name or 'default'}"
            nearest[op] = min(nearest.get(op, (99, "")), (distance(kernel, functional), name))
    computed = {}
    for op, (_, name) in sorted(nearest.items()):
        computed.setdefault(name, []).append(op)
    kernel_lines = [f"{name}\t{kernel_names[name]}\t{','.join(computed.get(name, []))}"
                    for name in sorted(kernel_names.keys() & schemas.keys())]

    lines = [str(s) for name, s in schemas.items() if name in kernel_names or may_be_exported(s)]
    versions = f"torch {torch.__version__.split('+')[0]}, executorch {executorch_version.split('+')[0]}"
    order = lambda line: line.split("(")[0]  # noqa: E731
    (HERE / "schemas.txt").write_text(f"# Operator schemas of {versions}; written by make_schemas.py\n"
                                      + "".join(line + "\n" for line in sorted(lines, key=order)))
    (HERE / "kernels.txt").write_text(f"# Kernels of the ExecuTorch SDK ({versions}): name, group, operators that it computes; "
                                      "written by make_schemas.py\n" + "".join(line + "\n" for line in kernel_lines))
    print(f"{len(lines)} schemas, {len(kernel_lines)} kernels, without a schema: {missing}")


if __name__ == "__main__":
    main()
