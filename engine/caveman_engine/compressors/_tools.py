"""What the lines of well-known tools are worth: test runners, compilers, linters, package managers, git, docker.

Owns one table: for each tool the lines that prove it, and rules (score, pattern) in order of precedence. Patterns
match from the start of a line without colour codes and time stamp. Knows no payload and chooses nothing.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from caveman_engine.compressors._standouts import ERROR, EXIT, FAILED_ID, PLAIN, ROUTINE, TOTAL, TROUBLE

HEADING, DETAIL, SOURCE = 4.0, 1.0, 0.5


@dataclass(frozen=True)
class Tool:
    """One tool: ``mark`` proves it, ``rules`` score its lines."""

    name: str
    mark: str
    rules: tuple[tuple[float, str], ...]

    @cached_property
    def proof(self) -> re.Pattern[str]:
        """Give the compiled mark."""
        return re.compile(self.mark)

    @cached_property
    def patterns(self) -> tuple[tuple[float, re.Pattern[str]], ...]:
        """Give the compiled rules."""
        return tuple((score, re.compile(pattern)) for score, pattern in self.rules)


TOOLS = (
    Tool(
        "ci",
        r"travis_(?:fold|time):|##\[(?:group|endgroup|command|error|section)\]|::(?:group|error|endgroup)|"
        r"\$ git (?:clone|checkout|fetch) |Script started on .*COMMAND=|\[Pipeline\] ",
        (
            (EXIT, r"##\[error\]|::error|.*\bexited with -?\d+\.?$|Script done on|.*COMMAND_EXIT_CODE"),
            (TOTAL, r"Done\. Your build exited|Script started on"),
            (TOTAL, r"(?:\$|\[command\]|##\[command\]) ?.*\b(?:checkout|fetch|clone|merge|refs/)"),
            (PLAIN, r"\$ \S|\[command\]|##\[command\]|\+ \S"),
            (ROUTINE, r"travis_(?:fold|time):\w+:\S*$|##\[(?:end)?group\]|::(?:end)?group|\[Pipeline\] [{}/]"),
        ),
    ),
    Tool(
        "pytest",
        r"=+ test session starts =+|=+ (?:FAILURES|ERRORS|short test summary info|warnings summary) =+|"
        r"\S+::\S+ (?:PASSED|FAILED|ERROR|SKIPPED)|(?:=+ )?\d+ (?:passed|failed|errors?|skipped)\b.* in [\d.]+s|E   +\S",
        (
            (TOTAL + 2, r"=+ (?=.*\d (?:passed|failed|errors?|skipped|deselected|xfailed)|no tests ran).* =+$"),
            (TOTAL + 2, r"\d+ (?:passed|failed|errors?|skipped)\b.* in [\d.]+s"),
            (FAILED_ID, r"(?:FAILED|ERROR) \S+|\S+::\S+ (?:FAILED|ERROR)"),
            (HEADING - 1, r"_{3,} .+ _{3,}$"),
            (ERROR, r"E   +(?:[\w.]+(?:Error|Exception|Warning|Exit|Interrupt|Failed)\b|assert\b|Failed|\S+Error)"),
            (DETAIL, r"E   "),
            (HEADING, r"=+ .+ =+$|\S+\.py:\d+: (?:\w+|in .+)$"),
            (ROUTINE, r"\S+::\S+ (?:PASSED|SKIPPED|XFAIL|XPASS)|\S+\.py [.sxXFE]+( |$)|[.sxXFE]{5,}(?: |$)"),
            (DETAIL, r"> "),
            (SOURCE, r"(?: {4}|\t)|\w+ += |Captured |-{5,}"),
        ),
    ),
    Tool(
        "unittest",
        r"Ran \d+ tests? in [\d.]+s|(?:FAIL|ERROR): \w+ \([\w.]+\)",
        (
            (TOTAL + 2, r"Ran \d+ tests?|(?:OK|FAILED)(?: \(.+\))?$"),
            (FAILED_ID, r"(?:FAIL|ERROR): \S+ \(|\w+ \([\w.]+\).* \.\.\. (?:FAIL|ERROR)"),
            (ROUTINE, r"[.sxFE]{5,}$|=+$|-+$|.* \.\.\. (?:ok|skipped)"),
        ),
    ),
    Tool(
        "javascript tests",
        r"\s+\d+ (?:passing|failing) ?\(?|\s*(?:Tests|Test Suites|Test Files): +|\s*(?:✓|✔|✕|✗|✖) \S|(?:PASS|FAIL) \S+\.\w?[jt]sx?|"
        r"\s*● .+ › |# (?:tests|pass|fail) \d+$|(?:not )?ok \d+ - ",
        (
            (TOTAL + 2, r"\s+\d+ (?:passing|failing|pending)\b|\s*(?:Tests|Test Suites|Test Files|Snapshots|Time|Duration)\b:? +\S*\d|# \w+ \d+"),
            (FAILED_ID, r"\s*(?:FAIL|❯|×|✕|✗|✖) \S|\s*● .+ › |\s+\d+\) |not ok \d+"),
            (ERROR, r"\s*(?:\w*Error|Uncaught|thrown|expect\()"),
            (TROUBLE, r"\s*(?:Expected|Received|expected|actual|operator)\b.*:"),
            (ROUTINE, r"\s*(?:✓|✔|√|PASS|↓) |ok \d+|\s+[-+] |\s+at .*node_modules|\s+at .*\(?node:internal"),
        ),
    ),
    Tool(
        "go",
        r"--- (?:FAIL|PASS|SKIP): |=== (?:RUN|CONT|PAUSE) |(?:ok|FAIL|\?) +\t\S+|ok  \t\S+\t|FAIL\t|go: downloading |# [\w./-]+/[\w./-]+$",
        (
            (FAILED_ID, r"\s*--- FAIL: |FAIL\t"),
            (TOTAL + 1, r"FAIL$|PASS$|coverage: |exit status \d+"),
            (ERROR, r"\s+\S+\.go:\d+:|\S+\.go:\d+:\d+: |panic: |fatal error: "),
            (HEADING, r"goroutine \d+ .*:$"),
            (ROUTINE, r"=== |\s*--- (?:PASS|SKIP)|ok  ?\t|\?   ?\t|go: (?:downloading|extracting|finding)"),
        ),
    ),
    Tool(
        "rust",
        r"(?:error|warning)(?:\[E\d+\])?: .+|\s*--> \S+:\d+:\d+|test result: |test \S+ \.\.\. (?:ok|FAILED)|\s+(?:Compiling|Checking|Finished|Downloaded) \S+",
        (
            (TOTAL + 2, r"test result: |error: (?:aborting|could not compile|test failed)|warning: .* generated \d+ warning|Some errors have"),
            (FAILED_ID, r"test .+ \.\.\. FAILED|---- .+ stdout ----"),
            (ERROR + 1, r"thread '.+' panicked|.*assertion .*failed"),
            (ERROR, r"error(?:\[E\d+\])?: "),
            (TROUBLE, r"warning(?:\[\w+\])?: "),
            (TOTAL, r"\s+(?:Finished|Running|Doc-tests) "),
            (ROUTINE, r"test .+ \.\.\. (?:ok|ignored)|\s+(?:Compiling|Checking|Fresh|Download\w+|Updat\w+|Lock\w+|Adding|Fetch\w*|Documenting) "),
            (SOURCE, r"\s*(?:-->|:::) |\s*(?:\d+ *)?\| |\s*\d* *\|$|\.\.\.$|\s*[~+-] "),
            (DETAIL, r"\s*= (?:help|note)|(?:help|note): "),
        ),
    ),
    Tool(
        "jvm",
        r"\[(?:INFO|ERROR|WARNING)\] |> Task :|BUILD (?:SUCCESS|FAIL)|Tests run: \d+|\S+ > .+ (?:PASSED|FAILED|SKIPPED)$|\[info\] |\[error\] ",
        (
            (TOTAL + 2, r".*BUILD (?:SUCCESS|FAIL)|\d+ tests completed|\[(?:INFO|ERROR|WARNING)\] Tests run: .*(?:\d$|Skipped: \d+$)"),
            (FAILED_ID, r"\S+ > .+ FAILED$|> Task \S+ FAILED|\[ERROR\] +\S+.*(?:FAILURE|:\d+)|.*<<< (?:FAILURE|ERROR)!"),
            (ERROR, r"\[(?:ERROR|error)\] |FAILURE: |\* What went wrong"),
            (TROUBLE, r"\[(?:WARNING|warn)\] "),
            (ROUTINE, r"\S+ > .+ (?:PASSED|SKIPPED|STARTED)$|> Task \S+( UP-TO-DATE| NO-SOURCE)?$|\[(?:INFO|info)\] ?(?:Download|-+|$|\s)|Download"),
        ),
    ),
    Tool(
        "c compilers and make",
        r"\S+:\d+(?::\d+)?: (?:fatal )?(?:error|warning|note): |make(?:\[\d+\])?: |(?:gcc|g\+\+|cc|clang|c\+\+) .*-[co]|\[ *\d+%\] |\[\d+/\d+\] ",
        (
            (EXIT, r"(?:make|ninja|cmake|CMake)(?:\[\d+\])?: ?(?:\*\*\*|Error|build stopped)|FAILED: "),
            (ERROR, r"\S+:\d+(?::\d+)?: (?:fatal )?error|.*undefined reference|collect2: |ld(?:\.\w+)?: |.*\bld returned"),
            (TROUBLE, r"\S+:\d+(?::\d+)?: warning"),
            (DETAIL, r"\S+:\d+(?::\d+)?: note|In file included|\S+: In (?:function|member)|\s+from "),
            (ROUTINE, r"(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang\S*|ar|ranlib|libtool|mkdir|rm|install|mv|cp) |make(?:\[\d+\])?: (?:Entering|Leaving)"),
            (ROUTINE, r"\[ *\d+%\] |\[\d+/\d+\] |checking |Checking "),
            (SOURCE, r"\s*\d* *\|"),
        ),
    ),
    Tool(
        "linters",
        r"\S+\(\d+,\d+\): error TS\d+|\S+:\d+:\d+ - error TS|\s+\d+:\d+ +(?:error|warning) |\S+:\d+(?::\d+)?: (?:error: |note: |[A-Z]{1,4}\d{3,4} )|"
        r"(?:✖ )?\d+ problems? \(|Found \d+ errors?",
        (
            (TOTAL + 2, r"(?:✖ )?\d+ problems? \(|Found \d+ error|\S+ reformatted|All checks"),
            (ERROR, r"\S+\(\d+,\d+\): error|\S+:\d+:\d+ - error|\s+\d+:\d+ +error |\S+:\d+(?::\d+)?: (?:error|[A-Z]{1,4}\d{3,4}) "),
            (TROUBLE, r"\s+\d+:\d+ +warning "),
            (HEADING, r"(?:/|[A-Z]:\\)\S+\.\w+$"),
        ),
    ),
    Tool(
        "pip",
        r"Collecting \S+|Requirement already satisfied|Successfully (?:installed|built|uninstalled) |Installing collected packages",
        (
            (TOTAL + 2, r"\s*Successfully |ERROR: |error: "),
            (ERROR, r"\S+ \S+ (?:requires|depends on) .*, (?:but|which)"),
            (TROUBLE, r"WARNING: |DEPRECATION: |\[notice\]"),
            (
                ROUTINE,
                r"\s*(?:Collecting|Downloading|Using cached|Requirement already|Obtaining|Preparing|Getting|Building|Stored|"
                r"Created|Processing|Looking in|Attempting uninstall|Found existing|Uninstalling|Resolved|Prepared|━+|\+ \S+==)",
            ),
            (DETAIL, r"Installing collected"),
        ),
    ),
    Tool(
        "npm",
        r"npm (?:ERR!|WARN|warn|error|notice|http)|(?:added|removed|changed|audited) \d+ packages|yarn (?:install|run) v|➤ YN\d+|\[\d/\d\] \S+ ",
        (
            (TOTAL + 2, r"(?:added|removed|changed|audited|up to date)\b|\d+ (?:\w+ )?vulnerabilit|Done in |✨"),
            (ERROR, r"npm (?:ERR!|error)|error "),
            (TROUBLE, r"npm (?:WARN|warn)|warning "),
            (ROUTINE, r"npm (?:http|timing|info|verb|sill)|\[\d/\d\]|info "),
        ),
    ),
    Tool(
        "apt",
        r"(?:Get|Hit|Ign|Err):\d+ |(?:Setting up|Unpacking|Preparing to unpack|Selecting previously unselected package) |Reading package lists",
        (
            (TOTAL + 2, r"\d+ upgraded, |After this operation|Need to get|Fetched "),
            (ERROR, r"E: |Err:\d+|dpkg: error"),
            (TROUBLE, r"W: |N: |dpkg: warning|The following "),
            (
                ROUTINE,
                r"(?:Get|Hit|Ign):\d+|Selecting previously|Preparing to|Unpacking|Setting up|Processing triggers|\(Reading|"
                r"Reading |Building dep|Adding |update-alternatives|Created symlink",
            ),
            (SOURCE, r"  \S"),
        ),
    ),
    Tool(
        "git log",
        r"[*|/\\ ]*commit [0-9a-f]{40}\b",
        (
            (HEADING + 1.5, r"[*|/\\ ]*commit [0-9a-f]{7,40}"),
            (PLAIN + 1, r"[*|/\\ ]*Merge: "),
            (DETAIL, r"[*|/\\ ]*(?:Author|AuthorDate|Commit|CommitDate|Date): "),
            (PLAIN, r"[*|/\\ ]* \d+ files? changed"),
            (SOURCE, r"[*|/\\ ]* \S+.* +\| +(?:\d+|Bin)"),
        ),
    ),
    Tool(
        "git",
        r"On branch |HEAD detached |Cloning into |remote: (?:Enumerating|Counting|Compressing) |Receiving objects: |Resolving deltas: |Your branch is |"
        r"Switched to |HEAD is now at ",
        (
            (TOTAL, r"On branch |HEAD detached|HEAD is now|Your branch|Receiving objects|Resolving deltas|Switched to|Updating |Fast-forward"),
            (ERROR, r"CONFLICT|error: |fatal: |\s*!? ?\[(?:rejected|remote rejected)\]"),
            (HEADING + 1, r"\s+(?:modified|new file|deleted|renamed|both \w+|copied|typechange): |(?:[ MADRCU?!]{2}) \S+$|[ \t]+\S+ +\| +\d+"),
            (ROUTINE, r"remote: (?:Enumerating|Counting|Compressing|Total)|(?:Counting|Compressing|Writing|Unpacking) objects| \* \[new (?:tag|branch)\]"),
        ),
    ),
    Tool(
        "docker",
        r"#\d+ (?:\[|DONE|CACHED|sha256:|\d+\.\d+ )|Step \d+/\d+ : |[0-9a-f]{12}: (?:Pull|Already|Download|Verif|Wait|Extract)|Successfully (?:built|tagged)",
        (
            (EXIT, r"#\d+ ERROR|ERROR: |failed to (?:solve|compute)|The command .* returned a non-zero"),
            (TOTAL, r"Successfully |.*(?:naming to|writing image|exporting to)|Status: |Digest: "),
            (HEADING, r"#\d+ \[|Step \d+/\d+"),
            (ROUTINE, r"#\d+ (?:DONE|CACHED|sha256:|extracting|resolve|transferring)|[0-9a-f]{12}: | ---> |Removing intermediate"),
        ),
    ),
    Tool(
        "terraform",
        r"(?:Plan: \d+ to add|Apply complete!|Terraform )|\S+: (?:Refreshing state|Still creating|Creating|Creation complete|Reading)\.{0,3}",
        (
            (TOTAL + 2, r"(?:Plan|Apply complete|Destroy complete|No changes|Outputs)\b"),
            (HEADING + 2, r"\s+# .+ (?:will be|must be|has )"),
            (ERROR, r"[╷│╵]|Error: "),
            (ROUTINE, r"\S+: (?:Refreshing|Still|Creating|Reading|Read complete|Destroying|Modifying)"),
            (PLAIN, r"\S+: (?:Creation|Destruction|Modifications) complete"),
        ),
    ),
)
