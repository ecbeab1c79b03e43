"""Both ways to Chrome without one: real pipes, a real WebSocket server, and endpoints that are none."""

import contextlib
import json
import os
import socket
import threading

import pytest

from caveman_browser import errors
from caveman_browser.transport import PipeTransport, WebSocketTransport, endpoint


@pytest.fixture
def pipe():
    """A transport, and Chrome's two ends: what it reads its commands from, what it writes its answers to."""
    commands, our_write = os.pipe()
    our_read, answers = os.pipe()
    transport = PipeTransport(our_read, our_write)
    yield transport, commands, answers
    transport.close()
    for end in (commands, answers, our_read):
        with contextlib.suppress(OSError):
            os.close(end)


@pytest.fixture
def websocket():
    """The address of a server that sends back what it gets: text as it is, b after text starting with "bytes"."""
    from websockets.sync.server import serve

    def echo(connection):
        for message in connection:
            connection.send(message.encode() if message.startswith("bytes") else message)
            if message == "leave":
                return

    with serve(echo, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join(5)


@pytest.fixture
def speaker():
    """Give the address of a server that says the given bytes to whoever asks first."""
    open_sockets = []

    def speak(said):
        listening = socket.create_server(("127.0.0.1", 0))
        open_sockets.append(listening)

        def answer():
            with contextlib.suppress(OSError):
                connection, _ = listening.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}"

    yield speak
    for each in open_sockets:
        each.close()


def http(body):
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(body), body)


def test_a_message_is_written_with_its_nul(pipe):
    transport, commands, _ = pipe
    transport.send(b'{"id":1}')
    assert os.read(commands, 100) == b'{"id":1}\x00'


def test_a_message_larger_than_the_pipe_is_written_whole(pipe):
    transport, commands, _ = pipe
    sent = b"x" * 1_000_000
    writer = threading.Thread(target=transport.send, args=(sent,))
    writer.start()
    got = b""
    while not got.endswith(b"\x00"):
        got += os.read(commands, 65_536)
    writer.join(5)
    assert got == sent + b"\x00"


def test_messages_are_whole_however_they_were_cut_and_end_with_the_pipe(pipe):
    transport, _, answers = pipe
    for piece in (b'{"id"', b":1}\x00{", b'"id":2}\x00half'):
        os.write(answers, piece)
    os.close(answers)
    assert list(transport.messages()) == [b'{"id":1}', b'{"id":2}']


def test_after_the_end_our_reading_descriptor_is_closed(pipe):
    transport, _, answers = pipe
    os.close(answers)
    assert list(transport.messages()) == []
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(transport._read)


def test_closing_ends_chromes_input_and_may_be_done_twice(pipe):
    transport, commands, _ = pipe
    transport.close()
    transport.close()
    assert os.read(commands, 10) == b""


def test_sending_on_a_closed_pipe_and_to_a_chrome_that_has_gone_is_an_os_error(pipe):
    transport, commands, _ = pipe
    os.close(commands)
    with pytest.raises(OSError):
        transport.send(b"{}")
    transport.close()
    with pytest.raises(OSError):
        transport.send(b"{}")


def test_a_websocket_carries_messages_whatever_kind_they_are(websocket):
    transport = WebSocketTransport(websocket, 5)
    for message in (b'{"id":1}', b"bytes", b"leave"):
        transport.send(message)
    assert list(transport.messages()) == [b'{"id":1}', b"bytes", b"leave"]
    transport.close()


def test_sending_on_a_closed_websocket_is_an_os_error(websocket):
    transport = WebSocketTransport(websocket, 5)
    transport.close()
    with pytest.raises(OSError):
        transport.send(b"{}")
    assert list(transport.messages()) == []


def test_a_websocket_to_nobody_is_refused(speaker):
    with pytest.raises(OSError):
        WebSocketTransport("ws://127.0.0.1:1", 2)


@pytest.mark.parametrize("address", ["ws://127.0.0.1:9/x", "wss://h/devtools/browser/1"])
def test_a_websocket_address_is_taken_as_it_is(address):
    assert endpoint(address, 0.1) == address


@pytest.mark.parametrize("slash", ["", "/", "//"])
def test_an_http_address_is_asked_for_its_websocket_past_any_proxy(speaker, monkeypatch, slash):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    address = speaker(http(json.dumps({"webSocketDebuggerUrl": "ws://h/1"}).encode()))
    assert endpoint(address + slash, 5) == "ws://h/1"


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{",
        http(b"<html>"),
        http(b"\xff\xfe"),
        http(b"[]"),
        http(b"{}"),
        http(b"null"),
    ],
    ids=["hangs up", "another protocol", "404", "cut off", "a page", "no text", "a list", "no url", "null"],
)
def test_an_endpoint_that_is_none_says_what_was_tried(speaker, said):
    address = speaker(said)
    with pytest.raises(errors.AttachFailed, match=f"{address}/json/version") as failed:
        endpoint(address, 5)
    assert failed.value.hint


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1", "127.0.0.1:9222", "http://127.0.0.1:port", "x", ""]
)
def test_an_address_that_cannot_be_asked_is_the_same_error(address):
    with pytest.raises(errors.AttachFailed):
        endpoint(address, 1)
