"""What compilers, linters, package managers, git and containers say."""

import pytest

from caveman_engine.compressors.lines import tools_building
from caveman_engine.compressors.lines.levels import ERROR, EXIT, HEADING, ROUTINE, TOTAL, TROUBLE

TOOLS = {tool.name: tool for tool in tools_building.TOOLS}


def score(tool, line):
    return next((score for score, pattern in TOOLS[tool].patterns if pattern.match(line)), None)


@pytest.mark.parametrize("tool", TOOLS)
def test_prose_proves_no_tool(tool):
    assert not TOOLS[tool].proof.match("The quick brown fox jumps over the lazy dog.")


@pytest.mark.parametrize(
    ("tool", "line", "least"),
    [
        ("c compilers and make", "src/w.c:88:13: error: 'pen' undeclared", ERROR),
        ("c compilers and make", "src/w.c:88:13: warning: unused", TROUBLE),
        ("c compilers and make", "make: *** [all] Error 1", EXIT),
        ("linters", "a.ts(12,7): error TS2322: no", ERROR),
        ("linters", "Found 3 errors.", TOTAL),
        ("pip", "Successfully installed a-1.0", TOTAL),
        ("npm", "npm ERR! code ERESOLVE", ERROR),
        ("npm", "added 71 packages in 6s", TOTAL),
        ("apt", "E: Unable to locate package x", ERROR),
        ("apt", "15 upgraded, 115 newly installed, 0 to remove", TOTAL),
        ("git log", "* commit 4f8cdc2a1ea53e42955af758aabffee67cb455dd", HEADING),
        ("git", "HEAD detached at 4f8cdc2", TOTAL),
        ("git", "\tmodified:   src/a.py", HEADING),
        ("docker", "#9 ERROR: process did not complete", EXIT),
        ("terraform", "Plan: 1 to add, 0 to change, 1 to destroy.", TOTAL),
        ("strace", 'openat(AT_FDCWD, "/x", O_RDONLY) = -1 ENOENT (No such file)', TROUBLE),
    ],
)
def test_what_went_wrong_and_how_it_ended_counts(tool, line, least):
    assert score(tool, line) >= least


@pytest.mark.parametrize(
    ("tool", "line"),
    [
        ("c compilers and make", "ar rcs liba.a a.o"),
        ("pip", "  Downloading a-1.0-py3-none-any.whl (3 kB)"),
        ("npm", "npm http fetch GET 200 https://registry"),
        ("apt", "Setting up libx:amd64 (1.0-1) ..."),
        ("git", "remote: Counting objects: 100% (7/7), done."),
        ("docker", "#7 DONE 0.3s"),
        ("terraform", "aws_instance.web: Refreshing state... [id=i-1]"),
        ("strace", "close(3) = 0"),
    ],
)
def test_steps_that_went_well_are_routine(tool, line):
    assert score(tool, line) == ROUTINE
