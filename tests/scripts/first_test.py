"""Tests that build/gpp-first records the same study as build/gpp, except for times, and that
build/gpp draws the same from that record."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FIRST, FULL = sys.argv[1:3]
ARGUMENTS = ["study", "--preset", "tiny", "--model", "serial,omp", "--only", "v1,v9,v12", "--repeat", "2",
             "--time-limit", "5"]


def keys(value, place=""):
    """A record's keys, with those of all results merged. Keys of samples are random."""
    if place.endswith("/code"):
        return set()
    if isinstance(value, dict):
        return {f"{place}/{key}" for key in value}.union(*(keys(value[key], f"{place}/{key}") for key in value))
    if isinstance(value, list):
        return set().union(*(keys(item, place) for item in value))
    return set()


def same_in_both(record):
    """The facts that are equal in all runs."""
    record["machine"].pop("load_average")
    record["reference"] = {key: value for key, value in record["reference"].items()
                           if key not in ("seconds", "kept")}
    whole = ("schema_version", "kernel", "complete", "git", "machine", "build", "input", "reference")
    return {name: record[name] for name in whole} | {"results": [
        {name: result[name] for name in ("variant", "step", "model", "kind", "status", "reason")}
        for result in record["results"]]}


class FirstProgram(unittest.TestCase):
    def test_records_what_the_program_records(self):
        with tempfile.TemporaryDirectory() as folder:
            # One program measures roofs, which the other one reuses.
            places = {"first": FIRST, "full": FULL}
            os.environ["XDG_CACHE_HOME"] = folder
            for name, program in places.items():
                done = subprocess.run([program, *ARGUMENTS, "-o", f"{folder}/{name}"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("Every check passed", done.stdout)
            records = [json.loads(pathlib.Path(folder, name, "study.json").read_text()) for name in places]
            self.assertEqual(*map(keys, records))
            self.assertEqual(*map(same_in_both, records))
            subprocess.run([FULL, "report", f"{folder}/first", "-o", f"{folder}/first"], check=True,
                           capture_output=True)
            self.assertEqual(*(sorted(os.listdir(f"{folder}/{name}")) for name in places))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
