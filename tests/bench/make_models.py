"""Makes the real-size models of the benchmark, each as a case folder: OUT/NAME/{model.pt2,case.json,*.bin}.

    python make_models.py OUT_DIR NAME...

Needs torch 2.13 and transformers. The architectures are transformers' defaults; weights are random (seeded), since only
their shapes matter to an exporter.
"""
import json
import sys
from pathlib import Path

import torch
import transformers


class FirstOutput(torch.nn.Module):
    """A model that returns a structure, reduced to its first tensor."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, **inputs):
        return self.model(**inputs)[0]


def pixels():
    return {"pixel_values": torch.randn(1, 3, 224, 224)}


def text(length):
    return {"input_ids": torch.randint(0, 1000, (1, length))}


def llama():
    config = transformers.LlamaConfig(
        vocab_size=49152, hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9,
        num_key_value_heads=3, tie_word_embeddings=True)
    return transformers.LlamaForCausalLM(config), text(32)


def distilbert():
    inputs = text(128) | {"attention_mask": torch.ones(1, 128, dtype=torch.long)}
    return transformers.DistilBertForSequenceClassification(transformers.DistilBertConfig()), inputs


MODELS = {
    "mobilenetv2": lambda: (transformers.MobileNetV2ForImageClassification(transformers.MobileNetV2Config()), pixels()),
    "resnet50": lambda: (transformers.ResNetForImageClassification(transformers.ResNetConfig()), pixels()),
    "vit_b16": lambda: (transformers.ViTForImageClassification(transformers.ViTConfig()), pixels()),
    "distilbert": distilbert,
    "llama_135m": llama,
}


def spread_weights(model):
    """Some initialisers leave the output almost zero; give every layer something to say."""
    for name, tensor in list(model.named_parameters()) + list(model.named_buffers()):
        if not tensor.is_floating_point():
            continue
        if "running_var" in name:
            tensor.uniform_(0.5, 1.5)
        elif tensor.dim() > 1:
            tensor.normal_(0.0, (2.0 / tensor[0].numel()) ** 0.5)
        else:
            tensor.normal_(1.0 if name.endswith("weight") else 0.0, 0.1)


def describe(folder, name, tensor):
    (folder / f"{name}.bin").write_bytes(tensor.detach().contiguous().numpy().tobytes())
    return {"name": name, "kind": "tensor", "dtype": str(tensor.dtype).split(".")[-1], "shape": list(tensor.shape),
            "file": f"{name}.bin"}


def make(name, folder):
    torch.manual_seed(0)
    model, inputs = MODELS[name]()
    model.config.use_cache = False
    module = FirstOutput(model.eval()).requires_grad_(False).eval()
    folder.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        spread_weights(model)
        expected = module(**inputs)
        torch.export.save(torch.export.export(module, (), inputs, strict=False), folder / "model.pt2")
    case = {
        "name": name,
        "inputs": [describe(folder, key, value) for key, value in inputs.items()],
        "outputs": [describe(folder, "output", expected)],
    }
    (folder / "case.json").write_text(json.dumps(case, indent=1))


if __name__ == "__main__":
    for wanted in sys.argv[2:]:
        make(wanted, Path(sys.argv[1]) / wanted)
