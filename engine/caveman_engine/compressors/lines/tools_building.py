"""What the lines of compilers, linters, package managers, git and containers are worth. Owns one table."""

from caveman_engine.compressors.lines.levels import (
    DETAIL,
    ERROR,
    EXIT,
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
        "c compilers and make",
        (
            r"\S+:\d+(?::\d+)?: (?:fatal )?(?:error|warning|note): |make(?:\[\d+\])?: |"
            r"(?:gcc|g\+\+|cc|clang|c\+\+) .*-[co]|\[ *\d+%\] |\[\d+/\d+\] "
        ),
        (
            (
                EXIT,
                (
                    r"(?:make|ninja|cmake|CMake)(?:\[\d+\])?: ?(?:\*\*\*|Error|build stopped)|"
                    r"FAILED: "
                ),
            ),
            (
                ERROR,
                (
                    r"\S+:\d+(?::\d+)?: (?:fatal )?error|.*undefined reference|collect2: |"
                    r"ld(?:\.\w+)?: |.*\bld returned"
                ),
            ),
            (TROUBLE, r"\S+:\d+(?::\d+)?: warning"),
            (
                DETAIL,
                (
                    r"\S+:\d+(?::\d+)?: note|In file included|\S+: In (?:function|member)|"
                    r"\s+from "
                ),
            ),
            (PLAIN, r"\s*(?:\S*/)?(?:\S+-)?(?:gcc|g\+\+|cc|c\+\+|clang\S*) .*-c "),
            (
                ROUTINE,
                (
                    r"(?:\S*/)?(?:gcc|g\+\+|cc|c\+\+|clang\S*|ar|ranlib|libtool|mkdir|"
                    r"rm|install|mv|cp) |make(?:\[\d+\])?: (?:Entering|Leaving)"
                ),
            ),
            (ROUTINE, r"\[ *\d+%\] |\[\d+/\d+\] |checking |Checking |-- "),
            (SOURCE, r"\s*\d* *\|"),
        ),
    ),
    Tool(
        "linters",
        (
            r"\S+\(\d+,\d+\): error TS\d+|\S+:\d+:\d+ - error TS|\s+\d+:\d+ +(?:error|"
            r"warning) |\S+:\d+(?::\d+)?: (?:error: |note: |[A-Z]{1,4}\d{3,4} )|(?:✖ )?\d+ problems? \("
            r"|Found \d+ errors?"
        ),
        (
            (TOTAL + 2, r"(?:✖ )?\d+ problems? \(|Found \d+ error|\S+ reformatted|All checks"),
            (
                ERROR,
                (
                    r"\S+\(\d+,\d+\): error|\S+:\d+:\d+ - error|\s+\d+:\d+ +error |"
                    r"\S+:\d+(?::\d+)?: (?:error|[A-Z]{1,4}\d{3,4}) "
                ),
            ),
            (TROUBLE, r"\s+\d+:\d+ +warning "),
            (HEADING, r"(?:/|[A-Z]:\\)\S+\.\w+$"),
        ),
    ),
    Tool(
        "pip",
        (
            r"Collecting \S+|Requirement already satisfied|Successfully (?:installed|"
            r"built|uninstalled) |Installing collected packages"
        ),
        (
            (TOTAL, r"\s*(?:Successfully |Created wheel )|ERROR: |error: "),
            (ERROR, r"\S+ \S+ (?:requires|depends on) .*, (?:but|which)"),
            (TROUBLE, r"WARNING: |DEPRECATION: |\[notice\]"),
            (
                ROUTINE,
                (
                    r"\s*(?:Collecting|Downloading|Using cached|Requirement already|"
                    r"Obtaining|Preparing|Getting|Building|Stored|Created|Processing|"
                    r"Looking in|Attempting uninstall|Found existing|Uninstalling|Resolved|"
                    r"Prepared|━+|\+ \S+==|copying|adding|creating|running|writing|reading|removing|"
                    r"installing|byte-compiling|Running command)"
                ),
            ),
            (DETAIL, r"Installing collected"),
        ),
    ),
    Tool(
        "npm",
        (
            r"npm (?:ERR!|WARN|warn|error|notice|http)|(?:added|removed|changed|audited) \d+ packages|"
            r"yarn (?:install|run) v|➤ YN\d+|\[\d/\d\] \S+ "
        ),
        (
            (
                TOTAL + 2,
                (
                    r"(?:added|removed|changed|audited|up to date)\b|\d+ (?:\w+ )?vulnerabilit|"
                    r"Done in |✨"
                ),
            ),
            (ERROR, r"npm (?:ERR!|error)|error "),
            (TROUBLE, r"npm (?:WARN|warn)|warning "),
            (ROUTINE, r"npm (?:http|timing|info|verb|sill)|\[\d/\d\]|info "),
        ),
    ),
    Tool(
        "apt",
        (
            r"(?:Get|Hit|Ign|Err):\d+ |(?:Setting up|Unpacking|Preparing to unpack|"
            r"Selecting previously unselected package) |Reading package lists"
        ),
        (
            (TOTAL, r"\d+ upgraded, |After this operation|Need to get|Fetched "),
            (ERROR, r"E: |Err:\d+|dpkg: error"),
            (TROUBLE, r"W: |N: |dpkg: warning|The following "),
            (
                ROUTINE,
                (
                    r"(?:Get|Hit|Ign):\d+|Selecting previously|Preparing to|Unpacking|"
                    r"Setting up|Processing triggers|\(Reading|Reading |Building dep|"
                    r"Adding |update-alternatives|Created symlink"
                ),
            ),
            (SOURCE, r"  \S"),
        ),
    ),
    Tool(
        "git log",
        r"[*|/\\ ]*(?:commit [0-9a-f]{40}\b|(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{7,12} (?:\([^)]*\) )?\S)",
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
        (
            r"On branch |HEAD detached |Cloning into |remote: (?:Enumerating|Counting|"
            r"Compressing) |Receiving objects: |Resolving deltas: |Your branch is |"
            r"Switched to |HEAD is now at "
        ),
        (
            (
                TOTAL,
                (
                    r"On branch |HEAD detached|HEAD is now|Your branch|Receiving objects|"
                    r"Resolving deltas|Switched to|Updating |Fast-forward"
                ),
            ),
            (ERROR, r"CONFLICT|error: |fatal: |\s*!? ?\[(?:rejected|remote rejected)\]"),
            (
                HEADING + 1,
                (
                    r"\s+(?:modified|new file|deleted|renamed|both \w+|copied|typechange): |"
                    r"(?:[ MADRCU?!]{2}) \S+$|[ \t]+\S+ +\| +\d+"
                ),
            ),
            (
                ROUTINE,
                (
                    r"remote: (?:Enumerating|Counting|Compressing|Total)|(?:Counting|"
                    r"Compressing|Writing|Unpacking) objects| \* \[new (?:tag|branch)\]"
                ),
            ),
        ),
    ),
    Tool(
        "docker",
        (
            r"#\d+ (?:\[|DONE|CACHED|sha256:|\d+\.\d+ )|Step \d+/\d+ : |[0-9a-f]{12}: (?:Pull|"
            r"Already|Download|Verif|Wait|Extract)|Successfully (?:built|tagged)"
        ),
        (
            (EXIT, r"#\d+ ERROR|ERROR: |failed to (?:solve|compute)|The command .* returned a non-zero"),
            (
                TOTAL,
                (
                    r"Successfully |.*(?:naming to|writing image|exporting to)|Status: |"
                    r"Digest: "
                ),
            ),
            (HEADING, r"#\d+ \[|Step \d+/\d+"),
            (
                ROUTINE,
                (
                    r"#\d+ (?:DONE|CACHED|sha256:|extracting|resolve|transferring)|"
                    r"[0-9a-f]{12}: | ---> |Removing intermediate"
                ),
            ),
        ),
    ),
    Tool(
        "terraform",
        (
            r"(?:Plan: \d+ to add|Apply complete!|Terraform )|\S+: (?:Refreshing state|"
            r"Still creating|Creating|Creation complete|Reading)\.{0,3}"
        ),
        (
            (TOTAL + 2, r"(?:Plan|Apply complete|Destroy complete|No changes|Outputs)\b"),
            (HEADING + 2, r"\s+# .+ (?:will be|must be|has )"),
            (ERROR, r"[╷│╵]|Error: "),
            (
                ROUTINE,
                (
                    r"\S+: (?:Refreshing|Still|Creating|Reading|Read complete|Destroying|"
                    r"Modifying)"
                ),
            ),
            (PLAIN, r"\S+: (?:Creation|Destruction|Modifications) complete"),
        ),
    ),
    Tool(
        "listings",
        (
            r"[-dlcbps][rwxsStT-]{9}[.+@]? +\d+ |total \d+$|[idurph][icnufhWt][ R] +\S+ +\S*\d\S* +\w+ |"
            r"\S+ +\d+ +\d+\.\d +\d+\.\d +\d+ +\d+ |(?:│ +)*[├└]── "
        ),
        ((DETAIL, r"total \d+$|d[rwxsStT-]{9}.* \.\.?$"),),
    ),
    Tool(
        "strace",
        r"(?:\[pid +\d+\] |\d+ +)?(?:[\d:.]+ )?\w+\(.*\) += (?:-?\d|0x|\?)",
        (
            (TROUBLE, r".* = -1 E\w+ \("),
            (TOTAL, r".*(?:\+\+\+ (?:exited|killed)|exit_group\()"),
            (ROUTINE, r".*\) += (?:\d|0x)"),
        ),
    ),
)
