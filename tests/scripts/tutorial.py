# SPDX-License-Identifier: MIT
"""Does what docs/tutorial.md tells its reader to do to the files of the game.

    tutorial.py PAGE FOLDER STEP

Applies the blocks "```diff FILE" of the section "## STEP. ..." to the files in FOLDER. "@@" separates places in a file.
Exit code 3: the page has no such step.
"""
import pathlib
import re
import sys


def require(condition, sentence):
    if not condition:
        sys.exit(sentence)


def apply(text, hunk, where):
    """Lines with "-" become those with "+", between lines with " ". What is to be replaced must be there once."""
    before = "".join(line[1:] for line in hunk if line[0] in " -")
    after = "".join(line[1:] for line in hunk if line[0] in " +")
    require(before != after, f"{where}: a place changes nothing:\n{''.join(hunk)}")
    require(text.count(before) == 1, f"{where}: this is there {text.count(before)} times, expected once:\n{before}")
    return text.replace(before, after)


def main(page, folder, step):
    section = re.search(rf"^## {step}\. .*?(?=^## |\Z)", page.read_text(encoding="utf-8"), re.M | re.S)
    if not section:
        sys.exit(3)
    for name, body in re.findall(r"^```diff (\S+)\n(.*?)^```$", section[0], re.M | re.S):
        file = folder / name
        text = file.read_text(encoding="utf-8")
        for place in re.split(r"^@@\n", body, flags=re.M):
            # An empty line of the page is an empty line of the file.
            hunk = [line if line.strip() else " \n" for line in place.splitlines(keepends=True)]
            require(all(line[0] in " -+" for line in hunk), f"{name}: expected lines that begin with a space, - or +:\n{place}")
            text = apply(text, hunk, name)
        file.write_text(text, encoding="utf-8")
        print(f"step {step}: {name}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3])
