#!/usr/bin/env python3
"""A proxy and, behind it, a server with a certificate, for tests: everything is on this machine.

  tls_way.py READY CERTIFICATE KEY STUB_PORT BEHAVIOUR

Writes the proxy's port to READY. The server unpacks TLS and hands everything to the stub at STUB_PORT. The proxy takes
CONNECT to any host for that server. BEHAVIOUR: "tunnel"; "secure": the same over TLS with the same certificate; a
status, with which the proxy refuses. What the proxy sees is in way.log, the heads that the server gets are in
server.log.
"""
import os
import socket
import ssl
import sys
import threading

ready, certificate, key, stub_port, behaviour = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
way_log = open("way.log", "ab", buffering=0)
server_log = open("server.log", "ab", buffering=0)


def pipe(source, sink, log=None):
    try:
        while data := source.recv(65536):
            if log:
                log.write(data)
            sink.sendall(data)
    except OSError:
        pass
    for one in (source, sink):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def both_ways(left, right, log):
    back = threading.Thread(target=pipe, args=(right, left), daemon=True)
    back.start()
    pipe(left, right, log)


def serve(client):
    try:
        secure = context.wrap_socket(client, server_side=True)
    except (ssl.SSLError, OSError):
        return  # the client does not trust it
    both_ways(secure, socket.create_connection(("127.0.0.1", int(stub_port))), server_log)


def let_through(client):
    if behaviour == "secure":
        try:
            client = context.wrap_socket(client, server_side=True)
        except (ssl.SSLError, OSError):
            return
    head = b""
    while b"\r\n\r\n" not in head:
        data = client.recv(4096)
        if not data:
            return
        head += data
    way_log.write(head)
    if behaviour.isdigit():
        reason = {"403": "Forbidden", "407": "Proxy Authentication Required"}.get(behaviour, "No")
        more = 'Proxy-Authenticate: Basic realm="x"\r\n' if behaviour == "407" else ""
        client.sendall(f"HTTP/1.1 {behaviour} {reason}\r\n{more}Content-Length: 6\r\n\r\nnever\n".encode())
        client.close()
        return
    client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    both_ways(client, socket.create_connection(server.getsockname()), way_log)


def accept(listener, handle):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=handle, args=(client,), daemon=True).start()


server, proxy = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
threading.Thread(target=accept, args=(server, serve), daemon=True).start()
with open(ready + ".new", "w") as file:
    file.write(str(proxy.getsockname()[1]))
os.rename(ready + ".new", ready)
accept(proxy, let_through)
