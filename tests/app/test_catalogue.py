import json
import subprocess
import sys

import pytest

TOOLS = [
    {
        "name": f"tool_{n}",
        "title": f"Tool {n}",
        "description": f"Does thing {n}. It was added because users of the old interface asked for it again and again. "
        "The service behind it is described at length in the handbook of the platform team.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Path of the file. Must be absolute. " + "Long story. " * n,
                },
                "mode": {"type": "string", "enum": ["fast", "safe"]},
            },
            "required": ["path"],
        },
    }
    for n in range(1, 15)
]


@pytest.fixture
def shrink(home):
    def run(*args, data=b""):
        return subprocess.run(
            [sys.executable, "-c", "from caveman_app.catalogue import main; main()", *args],
            input=data, capture_output=True, timeout=60,
        )  # fmt: skip

    return run


def test_a_catalogue_gets_shorter_and_keeps_names_enums_and_what_is_required(shrink):
    data = json.dumps({"tools": TOOLS}).encode()
    done = shrink(data=data)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) < 0.8 * len(data)
    for tool in TOOLS:
        assert tool["name"].encode() in done.stdout
    assert b'"enum":["fast","safe"]' in done.stdout.replace(b" ", b"")
    handle = done.stdout.rpartition(b"ccr_")[2][:32].decode()
    assert shrink("recover", f"ccr_{handle}").stdout == data


def test_lint_counts_each_tool_dearest_first(shrink, tmp_path):
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(TOOLS))
    found = json.loads(shrink("lint", str(file), "--json").stdout)
    assert found["tools"][0]["name"] == "tool_14"
    assert found["tokens"] == sum(row["tokens"] for row in found["tools"])
    assert b"14 tools (inferred)" in shrink("lint", data=json.dumps(TOOLS).encode()).stdout


def test_openai_tools_are_counted_too(shrink):
    tools = [{"type": "function", "function": {"name": "a", "parameters": {"type": "object"}}}]
    assert b" a\n" in shrink("lint", data=json.dumps(tools).encode()).stdout


@pytest.mark.parametrize("args", [("lnit",), ("serve",), ("lint", "--jsn")])
def test_unknown_words_are_usage_errors_and_no_wait(shrink, args):
    assert shrink(*args).returncode == 2


@pytest.mark.parametrize("data", [b"not json", b"[]", b'{"a": 1}'])
def test_what_is_no_catalogue_is_told(shrink, data):
    done = shrink("lint", data=data)
    assert done.returncode == 2
    assert b"cave_usage" in done.stderr


def test_registered_as_a_server_it_says_at_once_what_to_register_agt_32(home):
    process = subprocess.Popen(
        [sys.executable, "-c", "from caveman_app.catalogue import main; main()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\n')
    process.stdin.flush()
    assert process.wait(30) == 2
    assert b"caveman tools mcp install" in process.stderr.read()
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
