"""What the lines of CI systems, test runners and compilers of one language are worth. Owns one table."""

from caveman_engine.compressors.lines.levels import (
    DETAIL,
    ERROR,
    EXIT,
    FAILED_ID,
    HEADING,
    PLAIN,
    ROUTINE,
    SOURCE,
    TOTAL,
    TROUBLE,
)
from caveman_engine.compressors.lines.tool import Tool

TOOLS = (
    Tool(
        "ci",
        (
            r"travis_(?:fold|time):|##\[(?:group|endgroup|command|error|section)\]|"
            r"::(?:group|error|endgroup)|\$ git (?:clone|checkout|fetch) |Script started on .*COMMAND=|"
            r"\[Pipeline\] "
        ),
        (
            (
                EXIT,
                (r"##\[error\]|::error|Script done on"),
            ),
            (TOTAL, r"Done\. Your build exited|Script started on"),
            (
                TOTAL,
                (
                    r"(?:\$|\[command\]|##\[command\]) ?.*\b(?:checkout|fetch|clone|"
                    r"merge|refs/)"
                ),
            ),
            (PLAIN + 1, r"##\[group\]Run |::group::Run |\[Pipeline\] stage"),
            (PLAIN, r"\$ \S|\[command\]|##\[command\]|\+ \S"),
            (
                ROUTINE,
                (
                    r"travis_(?:fold|time):\w+:\S*$|##\[(?:end)?group\]|::(?:end)?group|"
                    r"\[Pipeline\] [{}/]"
                ),
            ),
        ),
    ),
    Tool(
        "pytest",
        (
            r"=+ test session starts =+|=+ (?:FAILURES|ERRORS|short test summary info|"
            r"warnings summary) =+|\S+::\S+ (?:PASSED|FAILED|ERROR|SKIPPED)|(?:=+ )?\d+ (?:passed|"
            r"failed|errors?|skipped)\b.* in [\d.]+s|E   +\S"
        ),
        (
            (
                TOTAL + 2,
                (
                    r"=+ (?=.*\d (?:passed|failed|errors?|skipped|deselected|xfailed)|"
                    r"no tests ran).* =+$"
                ),
            ),
            (TOTAL + 2, r"\d+ (?:passed|failed|errors?|skipped)\b.* in [\d.]+s"),
            (FAILED_ID, r"(?:FAILED|ERROR) \S+|\S+::\S+ (?:FAILED|ERROR)"),
            (PLAIN + 1, r"_{3,} .+ _{3,}$"),
            (
                ERROR,
                (
                    r"E   +(?:[\w.]+(?:Error|Exception|Warning|Exit|Interrupt|Failed)\b|"
                    r"assert\b|Failed|\S+Error)"
                ),
            ),
            (DETAIL, r"E   "),
            (ERROR, r"\S+\.py:\d+: [A-Z]\w+$"),
            (HEADING, r"=+ .+ =+$|\S+\.py:\d+: (?:\w+|in .+)$"),
            (
                ROUTINE,
                (
                    r"\S+::\S+ ?(?:$|PASSED|SKIPPED|XFAIL|XPASS)|\S+\.py [.sxXFE]+( |$)|"
                    r"[.sxXFE]{5,}(?: |$)"
                ),
            ),
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
        (
            r"\s+\d+ (?:passing|failing) ?\(?|\s*(?:Tests|Test Suites|Test Files): +|"
            r"\s*(?:✓|✔|✕|✗|✖) \S|(?:PASS|FAIL) \S+\.\w?[jt]sx?|\s*● .+ › |# (?:tests|"
            r"pass|fail) \d+$|(?:not )?ok \d+ - "
        ),
        (
            (
                TOTAL + 2,
                (
                    r"\s+\d+ (?:passing|failing|pending)\b|\s*(?:Tests|Test Suites|"
                    r"Test Files|Snapshots|Time|Duration)\b:? +\S*\d|# \w+ \d+"
                ),
            ),
            (FAILED_ID, r"\s*(?:FAIL|❯|×|✕|✗|✖) \S|\s*● .+ › |\s+\d+\) |not ok \d+"),
            (ERROR, r"\s*(?:\w*Error|Uncaught|thrown|expect\()"),
            (TROUBLE, r"\s*(?:Expected|Received|expected|actual|operator)\b.*:"),
            (
                ROUTINE,
                (
                    r"\s*(?:✓|✔|√|PASS|↓) |ok \d+|\s+[-+] |\s+at .*node_modules|\s+at .*\(?node:interna"
                    r"l"
                ),
            ),
        ),
    ),
    Tool(
        "go",
        (
            r"--- (?:FAIL|PASS|SKIP): |=== (?:RUN|CONT|PAUSE) |(?:ok|FAIL|\?) +\t\S+|"
            r"ok  \t\S+\t|FAIL\t|go: downloading |# [\w./-]+/[\w./-]+$"
        ),
        (
            (FAILED_ID, r"\s*--- FAIL: |FAIL\t"),
            (TOTAL + 1, r"FAIL$|PASS$|coverage: |exit status \d+"),
            (ERROR, r"\s+\S+\.go:\d+:|\S+\.go:\d+:\d+: |panic: |fatal error: "),
            (HEADING, r"goroutine \d+ .*:$"),
            (
                ROUTINE,
                (
                    r"=== |\s*--- (?:PASS|SKIP)|ok  ?\t|\?   ?\t|go: (?:downloading|"
                    r"extracting|finding)"
                ),
            ),
        ),
    ),
    Tool(
        "rust",
        (
            r"(?:error|warning)(?:\[E\d+\])?: .+|\s*--> \S+:\d+:\d+|test result: |"
            r"test \S+ \.\.\. (?:ok|FAILED)|\s+(?:Compiling|Checking|Finished|Downloaded) \S+"
        ),
        (
            (
                TOTAL + 2,
                (
                    r"test result: |error: (?:aborting|could not compile|test failed)|"
                    r"warning: .* generated \d+ warning|Some errors have"
                ),
            ),
            (FAILED_ID, r"test .+ \.\.\. FAILED|---- .+ stdout ----"),
            (ERROR + 1, r"thread '.+' panicked|.*assertion .*failed"),
            (ERROR, r"error(?:\[E\d+\])?: "),
            (TROUBLE, r"warning(?:\[\w+\])?: "),
            (TOTAL, r"\s+(?:Finished|Running|Doc-tests) "),
            (
                ROUTINE,
                (
                    r"test .+ \.\.\. (?:ok|ignored)|\s+(?:Compiling|Checking|Fresh|"
                    r"Download\w+|Updat\w+|Lock\w+|Adding|Fetch\w*|Documenting) "
                ),
            ),
            (SOURCE, r"\s*(?:-->|:::) |\s*(?:\d+ *)?\| |\s*\d* *\|$|\.\.\.$|\s*[~+-] "),
            (DETAIL, r"\s*= (?:help|note)|(?:help|note): "),
        ),
    ),
    Tool(
        "jvm",
        (
            r"\[(?:INFO|ERROR|WARNING)\] |> Task :|BUILD (?:SUCCESS|FAIL)|Tests run: \d+|"
            r"\S+ > .+ (?:PASSED|FAILED|SKIPPED)$|\[info\] |\[error\] "
        ),
        (
            (
                TOTAL + 2,
                (
                    r".*BUILD (?:SUCCESS|FAIL)|\d+ tests completed|\[(?:INFO|ERROR|"
                    r"WARNING)\] Tests run: .*(?:\d$|Skipped: \d+$)"
                ),
            ),
            (
                FAILED_ID,
                (
                    r"\S+ > .+ FAILED$|> Task \S+ FAILED|\[ERROR\] +\S+.*(?:FAILURE|"
                    r":\d+)|.*<<< (?:FAILURE|ERROR)!"
                ),
            ),
            (ERROR, r"\[(?:ERROR|error)\] |FAILURE: |\* What went wrong"),
            (TROUBLE, r"\[(?:WARNING|warn)\] "),
            (
                ROUTINE,
                (
                    r"\S+ > .+ (?:PASSED|SKIPPED|STARTED)$|> Task \S+( UP-TO-DATE| NO-SOURCE)?$|"
                    r"\[(?:INFO|info)\] ?(?:Download|-+|$|\s)|Download"
                ),
            ),
        ),
    ),
    Tool(
        "ruby and php tests",
        (
            r"\d+ examples?, \d+ failures?|rspec \./|\d+ runs, \d+ assertions|PHPUnit \d|"
            r"Tests: \d+, Assertions: \d+|OK \(\d+ tests?"
        ),
        (
            (
                TOTAL + 2,
                r"\d+ examples?, \d+|\d+ runs, \d+|Tests: \d+, Assertions|OK \(\d+ test|FAILURES!|ERRORS!",
            ),
            (FAILED_ID, r"rspec \./|\d+\) \S+::\S+|\s+\d+\) "),
            (ERROR, r"\s*(?:Failure|Error)(?:/Error)?:"),
            (TROUBLE, r"\s+(?:expected|got):"),
            (ROUTINE, r"[.FESI*]{5,}( |$)"),
        ),
    ),
    Tool(
        "ansible",
        r"(?:TASK|PLAY|RUNNING HANDLER) \[|PLAY RECAP ",
        (
            (ERROR, r"fatal: |failed: |ERROR! "),
            (TOTAL, r"PLAY RECAP|\S+ +: ok=\d+"),
            (PLAIN, r"changed: |(?:PLAY|RUNNING HANDLER) \["),
            (DETAIL, r"TASK \["),
            (ROUTINE, r"ok: \[|skipping: |included: |\.\.\.ignoring"),
        ),
    ),
)
