"""Checks that no source file has over 500 lines and no C++ function over 60.

    style_test.py         checks the tree
    style_test.py FILE... checks these files
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = (".cpp", ".h", ".cu", ".cuh", ".js", ".mjs", ".css")
CXX = (".cpp", ".h", ".cu", ".cuh")
MOST_LINES, MOST_LINES_OF_A_FUNCTION = 500, 60
# Braces in comments, texts and preprocessor lines must not be counted.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                     r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
NO_FUNCTION = re.compile(r"\b(namespace|class|struct|union|enum)\b[^()]*$|\bextern\s*$|=\s*$")


def code_of(text):
    """The text with everything except code replaced by blanks, line by line."""
    return NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def functions(text):
    """Returns (first line, number of lines) of each function that is not inside another one."""
    code = code_of(text)
    kinds = []  # for each open brace, whether it starts a function
    head = 0  # start of the text before the next brace
    first = 0
    found = []
    for at in (match.start() for match in re.finditer(r"[{};]", code)):
        mark = code[at]
        words = code[head:at]
        if mark == "{" and re.match(r"[\w>]", code[at - 1:at]):  # an initialiser: S() : a_{1} {
            kinds.append(None)
            continue
        if mark == "}" and kinds and kinds[-1] is None:
            kinds.pop()
            continue
        if mark == "{":
            body = True in kinds
            is_function = not body and ")" in words and not NO_FUNCTION.search(words.strip())
            if is_function:
                first = code.count("\n", 0, head + len(words) - len(words.lstrip())) + 1
            kinds.append(is_function)
        elif mark == "}" and kinds and kinds.pop():
            found.append((first, code.count("\n", 0, at) + 2 - first))
        if not (mark == ";" and words.count("(") > words.count(")")):
            head = at + 1
    return found


def complaints(path, name):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lines = text.count("\n")
    if lines > MOST_LINES:
        yield f"{name}: {lines} lines, {MOST_LINES} at most"
    if name.endswith(CXX):
        for first, length in functions(text):
            if length > MOST_LINES_OF_A_FUNCTION:
                yield (f"{name}:{first}: a function of {length} lines, "
                       f"{MOST_LINES_OF_A_FUNCTION} at most")


def sources_of_the_tree():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], text=True, capture_output=True,
                            check=True).stdout.splitlines()
    return [name for name in listed if name.endswith(SOURCES)
            and os.path.exists(os.path.join(ROOT, name))]


class Style(unittest.TestCase):
    def found_in(self, text, name="made.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return list(complaints(path, name))

    def test_the_tree(self):
        names = sources_of_the_tree()
        self.assertGreater(len(names), 500)
        found = [one for name in names for one in complaints(os.path.join(ROOT, name), name)]
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_files_that_are_too_long_are_found(self):
        for name in ("made.cpp", "made.mjs", "made.css"):
            self.assertEqual(self.found_in("\n" * 500, name), [])
            self.assertEqual(self.found_in("\n" * 501, name), [f"{name}: 501 lines, 500 at most"])

    def test_functions_that_are_too_long_are_found(self):
        for before, head in (
                ("", "int f(int a) {"), ("", "TEST(A, B) {"), ("", 'extern "C" int f(int a) {'),
                ("namespace n {\nstruct S {\n", "S() : a_{1} {"),
                ("", "void f(\n    int a) const noexcept {"), ("", "auto f = [](int i) {"),
                ("", "template <class T>\nauto f(T t) -> decltype(t) {"),
                ("const char c = '{';  // {\n", 'int f(int a = "{"[0]) {')):
            for length in 60, 61:
                body = "  if (a) { g({1}); }\n" * (length - 2 - head.count("\n"))
                found = self.found_in(before + head + "\n" + body + "}\n" + "};\n" * before.count("n {"))
                line = before.count("\n") + 1
                self.assertEqual(found, [] if length == 60 else [
                    f"made.cpp:{line}: a function of 61 lines, 60 at most"], head)

    def test_what_is_no_function_may_be_long(self):
        for head, line in (("namespace n {", "void f(int a) { g(a); }"), ("struct S {", "int a = f();"),
                           ("const std::vector<int> all = {", "f(1),"),
                           ('extern "C" {', "int f(int a);"), ("enum class E {", "a,")):
            self.assertEqual(self.found_in(f"{head}\n" + f"{line}\n" * 100 + "};\n"), [], head)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        told = [one for name in sys.argv[1:] for one in complaints(name, name)]
        print("\n".join(told))
        sys.exit(bool(told))
    unittest.main()
