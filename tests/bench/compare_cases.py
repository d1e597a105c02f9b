#!/usr/bin/env python3
"""Compares the programs that ExportDeck and upstream's Python make of the same small models, case by case.

    PYTHON tests/bench/compare_cases.py [--work DIR] [--build DIR] [--json FILE] [--list] [--fresh N] CASE_DIR...

PYTHON is the interpreter of an environment with torch 2.13 (CPU) and executorch 1.5.1. A case is a folder with model.pt2, case.json
and, where known, upstream.json (only cases that upstream has right are compared then). Upstream's programs are made once, each in a
process of its own, and kept in the work folder. Compared for each: multiply-adds in delegates, transposes (nodes and kernel
calls), delegates, bytes of the arena and of the file. --fresh N also runs both programs, and PyTorch, on N fresh random
inputs and compares their outputs.
"""
import argparse
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
TRANSPOSES = ("aten::permute_copy.out", "aten::transpose_copy.int_out", "aten::t_copy.out")
MEASURES = ("delegated_multiply_adds", "transposes", "delegates", "arena", "file")


def in_a_child(work, timeout):
    """Runs work() in a fork, so that a crash or an endless loop ends that alone. The imports are paid once."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            import signal
            signal.alarm(timeout)
            work()
            status = 0
        except BaseException as error:  # noqa: BLE001: whatever it is, the child ends here
            print(f"    {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def lower_upstream(source, out):
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower
    program = to_edge_transform_and_lower(torch.export.load(source), partitioner=[XnnpackPartitioner()]).to_executorch()
    temporary = out.with_suffix(".part")
    with open(temporary, "wb") as file:
        program.write_to_file(file)
    temporary.rename(out)


def measures(exporter, program):
    """What `exportdeck inspect` says of a program; none where it cannot be read."""
    done = subprocess.run([exporter, "inspect", program, "--json"], capture_output=True)
    if done.returncode != 0:
        return None
    report = json.loads(done.stdout)
    row = dict.fromkeys(MEASURES + ("kernel_calls",), 0)
    row["file"] = report["bytes"]
    for method in report["methods"]:
        row["arena"] += sum(method["arena_bytes"])
        row["delegates"] += len(method["delegates"])
        for delegate in method["delegates"]:
            row["delegated_multiply_adds"] += delegate["multiply_adds"]
            row["transposes"] += delegate["nodes"].count("StaticTranspose")
        row["transposes"] += sum(method["kernel_calls"].get(name, 0) for name in TRANSPOSES)
        row["kernel_calls"] += sum(method["kernel_calls"].values())
    return row


def worse(ours, theirs):
    """The measures in which ours is worse."""
    less_is_better = [name for name in MEASURES[1:] if ours[name] > theirs[name]]
    # Fewer may also be needed: what depends on constants alone is computed at export.
    fewer = ours[MEASURES[0]] < theirs[MEASURES[0]] and ours["left_to_kernels"] > 0
    return (["delegated_multiply_adds"] if fewer else []) + less_is_better


def fresh_inputs(case, generator):
    """Values for a case's inputs like its own: floats normal, integers drawn from those of its file (indices stay in range)."""
    import numpy
    import torch
    values = []
    for slot in case["inputs"]:
        if slot["kind"] != "tensor":
            values.append(slot.get("value"))
            continue
        dtype = getattr(torch, slot["dtype"])
        if dtype.is_floating_point:
            value = torch.randn(slot["shape"], generator=generator).to(dtype)
        else:
            raw = torch.from_numpy(numpy.fromfile(case["folder"] / slot["file"], dtype=numpy.uint8)).view(dtype)
            pick = torch.randint(max(raw.numel(), 1), (raw.numel(),), generator=generator)
            value = (raw[pick] if raw.numel() else raw).reshape(slot["shape"])
        strides = slot.get("orig_stride") or slot.get("stride")
        if strides and list(value.stride()) != strides:
            value = torch.empty_strided(value.shape, strides, dtype=dtype).copy_(value)
        values.append(value)
    return values


def differential(folder, programs, rounds):
    """Largest relative difference between the outputs of two programs, and of each to PyTorch, over fresh inputs."""
    import torch
    from executorch.runtime import Runtime
    case = json.loads((folder / "case.json").read_text()) | {"folder": folder}
    eager = torch.export.load(folder / "model.pt2").module()
    methods = [Runtime.get().load_program(program).load_method("forward") for program in programs]
    generator = torch.Generator().manual_seed(20)
    worst = {"ours to upstream": 0.0, "ours to PyTorch": 0.0, "upstream to PyTorch": 0.0}

    def difference(a, b):
        largest = 0.0
        for x, y in zip(a, b):
            if not isinstance(x, torch.Tensor) or not isinstance(y, torch.Tensor) or x.numel() == 0:
                continue
            x, y = x.double(), y.double()
            gap = torch.nan_to_num((x - y).abs(), nan=float("inf"))
            gap[(x == y) | (x.isnan() & y.isnan())] = 0
            scale = y[y.isfinite()].abs().mean().item() if y.isfinite().any() else 1.0
            largest = max(largest, gap.max().item() / max(scale, 1e-3))
        return largest

    for _ in range(rounds):
        inputs = fresh_inputs(case, generator)
        with torch.no_grad():
            flat, _ = torch.utils._pytree.tree_flatten(eager(*[i.clone() if isinstance(i, torch.Tensor) else i for i in inputs]))
        tensors = [value for value in inputs if value is not None]
        ours, theirs = ([o.clone() if isinstance(o, torch.Tensor) else o for o in m.execute(tensors)] for m in methods)
        for name, (a, b) in zip(worst, ((ours, theirs), (ours, flat), (theirs, flat))):
            worst[name] = max(worst[name], difference(a, b))
    return worst


def compare(folder, args):
    name = folder.name
    theirs, ours = args.work / f"{name}.upstream.pte", args.work / f"{name}.pte"
    verdict = folder / "upstream.json"
    if verdict.exists() and json.loads(verdict.read_text())["verdict"] != "ok":
        return None
    failed = theirs.with_suffix(".failed")
    if not theirs.exists() and not failed.exists():
        print(f"  {name}", file=sys.stderr, flush=True)
        if not in_a_child(lambda: lower_upstream(folder / "model.pt2", theirs), args.timeout):
            failed.touch()
    if not theirs.exists():
        return None
    done = subprocess.run([args.exporter, "export", folder / "model.pt2", "-o", ours, "--force", "--progress", "none", "--json"],
                          capture_output=True)
    if done.returncode != 0:
        return {"name": name, "refused": json.loads(done.stdout)["error"]["message"]}
    row = {"name": name, "ours": measures(args.exporter, ours), "upstream": measures(args.exporter, theirs)}
    coverage = json.loads(done.stdout)["coverage"]
    row["ours"]["left_to_kernels"] = coverage["multiply_adds"] - coverage["delegated_multiply_adds"]
    row["worse"] = worse(row["ours"], row["upstream"])
    if args.fresh:
        report = args.work / f"{name}.fresh.json"
        report.unlink(missing_ok=True)
        in_a_child(lambda: report.write_text(json.dumps(differential(folder, (ours, theirs), args.fresh))), args.timeout)
        row["fresh"] = json.loads(report.read_text()) if report.exists() else None
    return row


def show(rows, args):
    refused = [row for row in rows if "refused" in row]
    both = [row for row in rows if "refused" not in row]
    print(f"{len(both)} cases that both export, {len(refused)} that only upstream does")
    for row in refused:
        print(f"  {row['name']:32} {row['refused'][:120]}")
    print(f"\n{'':26}{'ours':>16} {'upstream':>16}   cases worse")
    for name in MEASURES:
        count = sum(name in row["worse"] for row in both)
        print(f"{name:26}{sum(r['ours'][name] for r in both):16,} {sum(r['upstream'][name] for r in both):16,}   {count}"
              f" ({100 * count / max(len(both), 1):.1f} %)")
    if args.list:
        for row in both:
            # What is in a delegate here and a kernel call there costs bytes of a blob, and transposes that a kernel hides.
            kernels = [row[who]["kernel_calls"] for who in ("ours", "upstream")]
            why = f"   kernel calls {kernels[0]}, upstream {kernels[1]}" if kernels[0] != kernels[1] else ""
            for name in row["worse"]:
                print(f"  {row['name']:32} {name:24} {row['ours'][name]:12,} {row['upstream'][name]:12,}{why}")
    if args.fresh:
        tried = [row for row in both if row["fresh"]]
        print(f"\n{len(tried)} cases run on {args.fresh} fresh inputs; largest difference over the mean of the outputs:")
        for row in sorted(tried, key=lambda row: -row["fresh"]["ours to PyTorch"]):
            gaps = row["fresh"]
            if gaps["ours to upstream"] > args.gap or gaps["ours to PyTorch"] > args.gap:
                print(f"  {row['name']:32} " + "  ".join(f"{who} {gap:.1e}" for who, gap in gaps.items()))
        for row in both:
            if not row["fresh"]:
                print(f"  {row['name']:32} could not be run")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="+", type=Path, help="case folders, or folders of them")
    parser.add_argument("--work", type=Path, default=REPOSITORY / "build" / "bench" / "cases")
    parser.add_argument("--build", type=Path, default=REPOSITORY / "build" / "release")
    parser.add_argument("--timeout", type=int, default=400, help="seconds for upstream and for the fresh runs of a case")
    parser.add_argument("--list", action="store_true", help="name each case in which ours is worse")
    parser.add_argument("--fresh", type=int, default=0, metavar="N", help="run both on N fresh inputs")
    parser.add_argument("--gap", type=float, default=1e-3, help="differences above this are listed")
    parser.add_argument("--json", type=Path, help="write all figures there")
    args = parser.parse_args()
    args.exporter = args.build / "bin" / "exportdeck"
    args.work.mkdir(parents=True, exist_ok=True)
    warnings.filterwarnings("ignore")
    # Imported before the forks: every child has them then.
    import torch  # noqa: F401
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner  # noqa: F401
    from executorch.exir import to_edge_transform_and_lower  # noqa: F401
    import logging
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    folders = []
    for given in args.cases:
        folders += [given] if (given / "model.pt2").exists() else sorted(p.parent for p in given.glob("*/model.pt2"))
    rows = [row for row in (compare(folder, args) for folder in folders) if row]
    show(rows, args)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
