"""Trains the bundled sample, a small convolutional classifier of handwritten digits, and exports it.

    python make_digits.py        (needs torch >= 2.9 and scikit-learn; a minute on one core)

Writes, beside itself: digits.pt2 (torch.export), digits_case/ (five held-out images and the model's answers, as a case
folder that `exportdeck verify` reads) and README.md (what was measured). Runs with the same versions give the same
weights.
"""
import json
import shutil
import sysconfig
from collections import Counter
from pathlib import Path

import numpy
import sklearn
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

HERE = Path(__file__).resolve().parent
SEED = 7
EPOCHS = 40
BATCH = 32
TEST_SHARE = 0.25
CASE_IMAGES = 5


class ConvBlock(nn.Module):
    """Convolution, batch normalisation, ReLU; keeps height and width."""

    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, kernel_size=3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels_out)
        self.activation = nn.ReLU()

    def forward(self, x):
        return self.activation(self.norm(self.conv(x)))


class DigitClassifier(nn.Module):
    """8x8 grey images, float32 [N, 1, 8, 8] from 0 (paper) to 1 (ink) -> one score for each digit, float32 [N, 10]."""

    def __init__(self):
        super().__init__()
        self.strokes = ConvBlock(1, 16)
        self.corners = ConvBlock(16, 32)
        self.halve = nn.MaxPool2d(2)
        self.shapes = ConvBlock(32, 32)
        self.quarter = nn.MaxPool2d(2)
        self.scores = nn.Linear(32 * 2 * 2, 10)

    def forward(self, image):
        x = self.halve(self.corners(self.strokes(image)))
        x = self.quarter(self.shapes(x))
        return self.scores(torch.flatten(x, 1))


def load_split():
    """Images and labels for training and for the test; each digit has the same share in both."""
    digits = load_digits()
    images = (digits.images / 16.0).astype(numpy.float32).reshape(-1, 1, 8, 8)
    parts = train_test_split(images, digits.target, test_size=TEST_SHARE, random_state=SEED, stratify=digits.target)
    return [torch.from_numpy(part) for part in parts]


def train(model, images, labels):
    """A fixed number of epochs, chosen beforehand: nothing is selected by looking at the test images."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
    steps = EPOCHS * -(-len(images) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=steps)
    model.train()
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(images)).split(BATCH):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            schedule.step()
    return model.eval()


def export(model, example, path):
    program = torch.export.export(model, (example,), strict=False)
    # Recorded source files are named from the library's or this folder, whatever machine this runs on.
    prefixes = [sysconfig.get_paths()["purelib"] + "/", str(HERE) + "/"]
    for node in program.graph.nodes:
        for prefix in prefixes:
            if "stack_trace" in node.meta:
                node.meta["stack_trace"] = node.meta["stack_trace"].replace(prefix, "")
    torch.export.save(program, path)
    return program


def write_case(program, images, labels, folder):
    """case.json with raw little-endian tensors beside it; the first image is the case, the others are extra calls."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "model.pt2").symlink_to("../digits.pt2")
    model = program.module()

    def tensor(name, value, file):
        data = value.detach().contiguous().numpy()
        data.astype(data.dtype.newbyteorder("<")).tofile(folder / file)
        return {"name": name, "kind": "tensor", "dtype": "float32", "shape": list(value.shape),
                "stride": list(value.stride()), "file": file, "byte_order": "little"}

    calls = []
    for i, label in enumerate(labels.tolist()):
        image = images[i : i + 1].clone()
        calls.append({"note": f"a held-out image of the digit {label}", "sequential": False,
                      "inputs": [tensor("image", image, f"image_{i}.bin")],
                      "outputs": [tensor("scores", model(image), f"scores_{i}.bin")]})
    operators = Counter(str(n.target) for n in program.graph.nodes if n.op == "call_function")
    case = {"name": "digits", "family": "sample", "source": "resources/samples/make_digits.py", "torch": torch.__version__,
            "inputs": calls[0]["inputs"], "outputs": calls[0]["outputs"], "extra_sets": calls[1:],
            "labels": labels.tolist(), "stateful": False, "ops": dict(sorted(operators.items())), "dynamic": False, "ranges": {}}
    (folder / "case.json").write_text(json.dumps(case, indent=1) + "\n")


README = """# The bundled sample

`digits.pt2` is a small convolutional classifier of handwritten digits, made by `make_digits.py`
(torch {torch}, scikit-learn {sklearn}).

* **Model**: three blocks of convolution, batch normalisation and ReLU, two max-poolings, one linear layer;
  {parameters:,} parameters. Input `image`: float32 [1, 1, 8, 8], 0 is paper and 1 is ink (the data set's 0 to 16, divided
  by 16). Output `scores`: float32 [1, 10]; the highest is the digit.
* **Data**: scikit-learn's `load_digits`, 1,797 grey images of 8x8 (the test part of the UCI set "Optical Recognition of
  Handwritten Digits", E. Alpaydin and C. Kaynak, 1998, CC BY 4.0).
* **Accuracy**: **{accuracy:.1%}** on {test_count} held-out images ({right} right), after {epochs} epochs on the other
  {train_count:,} ({train_accuracy:.1%} there). The split is random, stratified by digit, with a fixed seed; the test
  images took no part in training or in any choice. One image is 0.2 %. The data set does not say who wrote which digit,
  so a writer may appear on both sides.

`digits_case/` holds {case_images} of the held-out images with the scores that PyTorch computes for them:

    exportdeck export digits.pt2 -o digits.pte --verify digits_case
    exportdeck verify digits.pte digits_case
"""


def main():
    torch.manual_seed(SEED)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)
    train_images, test_images, train_labels, test_labels = load_split()
    model = train(DigitClassifier(), train_images, train_labels)
    with torch.no_grad():
        right = int((model(test_images).argmax(1) == test_labels).sum())
        train_accuracy = (model(train_images).argmax(1) == train_labels).float().mean().item()
        program = export(model, test_images[:1].clone(), HERE / "digits.pt2")
        # One image of each of the first few different digits.
        chosen = sorted({int(label): i for i, label in reversed(list(enumerate(test_labels)))}.values())[:CASE_IMAGES]
        write_case(program, test_images[chosen], test_labels[chosen], HERE / "digits_case")
    accuracy = right / len(test_labels)
    parameters = sum(p.numel() for p in model.parameters())
    (HERE / "README.md").write_text(README.format(
        torch=torch.__version__.split("+")[0], sklearn=sklearn.__version__, parameters=parameters, accuracy=accuracy,
        test_count=len(test_labels), right=right, epochs=EPOCHS, train_count=len(train_labels),
        train_accuracy=train_accuracy, case_images=CASE_IMAGES))
    print(f"held-out accuracy {accuracy:.2%} ({right} of {len(test_labels)}), {parameters} parameters")


if __name__ == "__main__":
    main()
