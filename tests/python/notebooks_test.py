"""Tests that notebooks run completely, and are stored without outputs.

    notebooks_test.py GPP ROOFLINE
"""
import json
import os
import sys
import unittest

from place import PACKAGE, Folder, need, path

need("nbformat", "nbconvert", "ipykernel", "matplotlib", "pandas")
import nbformat  # noqa: E402
from nbconvert.preprocessors import ExecutePreprocessor  # noqa: E402

NOTEBOOKS = os.path.join(PACKAGE, "notebooks")


class Notebooks(Folder):
    def executed(self, name):
        """The printed texts of a notebook's cells, and the number of pictures."""
        os.environ.update(GPP_SOURCES=path(), IPYTHONDIR=os.path.join(self.folder, "ipython"),
                          JUPYTER_RUNTIME_DIR=os.path.join(self.folder, "jupyter"), MPLCONFIGDIR=self.folder)
        notebook = nbformat.read(os.path.join(NOTEBOOKS, name), as_version=4)
        nbformat.validate(notebook)
        ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(
            notebook, {"metadata": {"path": self.folder}})
        outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        kinds = [kind for output in outputs for kind in output.get("data", {})]
        texts = [output.get("text", "") or output.get("data", {}).get("text/html", "") for output in outputs]
        return "".join(texts), kinds.count("image/png") + kinds.count("image/svg+xml")

    def test_the_first_hour(self):
        said, pictures = self.executed("first_hour.ipynb")
        self.assertEqual(pictures, 3)
        for part in ("You said v2", "median_s", "Skipped: MEASURE is False", "percent_of_roof"):
            self.assertIn(part, said)

    def test_a_block_of_pytorch_says_why_it_is_skipped_and_shows_a_record(self):
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
        said, pictures = self.executed("pytorch_block.ipynb")
        self.assertEqual(said.count("Skipped: block: PyTorch"), 3)
        self.assertIn("NVIDIA H100", said)
        self.assertGreater(pictures, 0)

    def test_outputs_are_not_kept(self):
        for name in os.listdir(NOTEBOOKS):
            with open(os.path.join(NOTEBOOKS, name), encoding="utf-8") as file:
                cells = json.load(file)["cells"]
            for cell in cells:
                self.assertEqual((cell.get("outputs", []), cell.get("execution_count")), ([], None), name)


if __name__ == "__main__":
    os.environ["ROOFLINE_PROGRAM"], os.environ["GPP_PROGRAM"] = sys.argv.pop(), sys.argv.pop()
    unittest.main()
