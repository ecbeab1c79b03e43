"""Secrets: which shapes are known, what is no secret, and that no message repeats one."""

import pytest

from caveman_mem import secrets
from caveman_mem.errors import SecretFound


@pytest.mark.parametrize(
    "text",
    [
        "the lamp is teal",
        "the token budget is 2000 tokens",
        "the password is in the vault, ask Ann",
        "set API_KEY=${API_KEY} in the shell",
        "password=<your password here>",
        "key: value pairs are sorted",
        "the secret of good code is deletion",
        "see https://example.com/path?token=abc",
        "postgres://app:${PASSWORD}@db/x",
        "git@github.com:owner/repo.git",
        "session token: next-auth.session-token",
        "the key is under the doormat at number 12345678",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b fixes the key handling",
        "primary key is user_id_2",
        "basic understanding of bearers",
        "token path: /etc/service/token1",
    ],
)
def test_ordinary_talk_about_secrets_is_none(text):
    assert secrets.screen(text, "refuse") == text


SHAPES = [
    ("github-token", "token is {}", "ghp_" + "a" * 36, "mem-58"),
    ("aws-access-key", "key {}", "AKIA" + "QQQQWWWWEEEERRRR", "mem-58"),
    ("url-password", "db is postgres://app:{}@db.test/x", "s3cr3tpw99", "mem-58b"),
    ("bearer-token", "Authorization: Bearer {}", "b" * 40, "mem-58b"),
    ("github-token", "{}", "github_pat_" + "a1" * 20, None),
    ("gitlab-token", "{}", "glpat-" + "a1" * 12, None),
    ("slack-token", "use {} please", "xoxb-123456789012-abcdefABCDEF", None),
    ("stripe-key", "{}", "sk_live_" + "a1B2" * 6, None),
    ("api-key", "export OPENAI={}", "sk-proj-" + "a1B2" * 10, None),
    ("api-key", "{}", "sk-ant-api03-" + "a1B2" * 10, None),
    ("google-api-key", "{}", "AIza" + "a1B2c3D" * 5, None),
    ("json-web-token", "{}", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123456", None),
    ("package-token", "{}", "npm_" + "a1B2" * 9, None),
    ("secret-assignment", "password = '{}'", "kT9#mQ2!xW7p", None),
    ("secret-assignment", "the database password is {}", "kT9mQ2xW7p", None),
    ("secret-assignment", '"client_secret": "{}"', "Zx81nQpL00vTr5Yk2", None),
]


@pytest.mark.parametrize(
    ("rule", "around", "secret", "name"), SHAPES, ids=[f"{s[3] or ''} {s[0]} {s[2][:8]}" for s in SHAPES]
)
def test_a_known_shape_is_refused_by_its_rule_and_masked(rule, around, secret, name):
    text = "first line\n" + around.format(secret)
    with pytest.raises(SecretFound) as caught:
        secrets.screen(text, "refuse")
    assert rule in caught.value.what
    assert caught.value.where.startswith("line 2")
    assert caught.value.exit_status == 78
    assert secret not in str(caught.value)
    masked = secrets.screen(text, "mask")
    assert secret not in masked
    assert f"[masked: {rule}]" in masked
    assert secrets.screen(masked, "refuse") == masked
    assert secrets.screen(text, "allow") == text


@pytest.mark.parametrize("end", ["-----END PRIVATE KEY-----", ""], ids=["closed", "cut off"])
def test_mem_58b_the_body_of_a_private_key_is_masked(end):
    body = "MIIEvQIBADANBg\nkqhkiG9w0BAQEF\nAASCBKcwggSj"
    masked = secrets.screen(f"-----BEGIN PRIVATE KEY-----\n{body}\n{end}", "mask")
    assert not any(line in masked for line in body.splitlines())


def test_every_secret_of_a_text_is_found_in_order():
    text = "a ghp_" + "a" * 36 + " b AKIA" + "Q" * 16 + " c"
    assert [rule for rule, _, _ in secrets.find(text)] == ["github-token", "aws-access-key"]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape[2][:8])
def test_every_rule_has_its_mark(shape):
    assert secrets.suspicious(shape[1].format(shape[2]))
