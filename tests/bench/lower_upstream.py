"""Lowers a .pt2 the way ExecuTorch's Python does, and prints what it took as one JSON line.

    python lower_upstream.py MODEL.pt2 OUT.pte

Needs torch 2.13 and executorch 1.5.1. "imports" is the part of the time that a long-lived process would not pay again.
"""
import json
import sys
import time

begin = time.perf_counter()
import torch  # noqa: E402
from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner  # noqa: E402
from executorch.exir import to_edge_transform_and_lower  # noqa: E402

imported = time.perf_counter()
lowered = to_edge_transform_and_lower(torch.export.load(sys.argv[1]), partitioner=[XnnpackPartitioner()])
program = lowered.to_executorch()
with open(sys.argv[2], "wb") as out:
    program.write_to_file(out)
print(json.dumps({"imports": imported - begin, "work": time.perf_counter() - imported}))
