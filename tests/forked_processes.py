"""Processes that begin with climbfast imported and kernels loaded: children of a process that has done both.

To start Python, import all and load kernels takes longer than what most tests of processes ask for.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

__all__ = ["LOAD_KERNELS", "ForkedProcess", "Forks"]

# A run of all passes. It reads no file, since a child cannot use polars after its parent has.
LOAD_KERNELS = """
import random
columns = {i: random.Random(i).choices("xyz", k=40) for i in range(8)}
cf.markov_blankets(cf.Dataset.from_frame(columns), n_jobs=1, progress=False)
"""

# A request is code to run in a child, with its arguments and its outputs, or the number of a child that may have ended.
# The child answers itself, when it has a session of its own.
PARENT = """
import json
import os
import socket
import sys

import climbfast as cf
import climbfast.cli.main

{prepare}

control = socket.socket(fileno=int(sys.argv[1]))
while True:
    request, outputs, _, _ = socket.recv_fds(control, 100_000, 2)
    if not request:
        os._exit(0)
    request = json.loads(request)
    if not outputs:
        child, status = os.waitpid(request, os.WNOHANG)
        control.send(json.dumps(os.waitstatus_to_exitcode(status) if child else None).encode())
    elif os.fork() == 0:
        os.setsid()
        for output, number in zip(outputs, (1, 2)):
            os.dup2(output, number)
            os.close(output)
        sys.stdout, sys.stderr = open(1, "w"), open(2, "w", buffering=1)
        control.send(json.dumps(os.getpid()).encode())
        control.close()
        break
    else:
        for output in outputs:
            os.close(output)

code, sys.argv = request[0], ["-c", *request[1]]
exec(code)
"""


class ForkedProcess:
    """A child of the parent, with the methods of ``subprocess.Popen`` that tests use."""

    def __init__(self, forks: Forks, pid: int, outputs: Sequence[int]) -> None:
        self.pid, self.returncode = pid, None
        self._forks, self._outputs = forks, outputs

    def poll(self) -> int | None:
        """Return the exit code, None before the end."""
        if self.returncode is None:
            self.returncode = self._forks.ask(self.pid)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask the process to end."""
        self.send_signal(signal.SIGTERM)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Wait for the end, also of the children that write to the same; return what was printed, and the errors."""
        until = time.monotonic() + timeout
        out, err = [self._read(output, until) for output in self._outputs]
        while self.poll() is None:
            self._check_time(until)
            time.sleep(0.001)
        return out, err

    def _read(self, output: int, until: float) -> str:
        parts = []
        while not parts or parts[-1]:
            self._check_time(until)
            if select.select([output], [], [], 1.0)[0]:
                parts.append(os.read(output, 100_000))
        os.close(output)
        return b"".join(parts).decode()

    def _check_time(self, until: float) -> None:
        if time.monotonic() > until:
            raise subprocess.TimeoutExpired("a forked process", until)


class Forks:
    """The parent, which ends with the context.

    Parameters
    ----------
    prepare : str
        Code that loads the kernels of the children. What it names is there in the children too.
    """

    def __init__(self, prepare: str) -> None:
        self._control, other = socket.socketpair()
        with other:
            self._parent = subprocess.Popen(
                [sys.executable, "-c", PARENT.format(prepare=prepare), str(other.fileno())],
                stdin=subprocess.DEVNULL, pass_fds=[other.fileno()], start_new_session=True,
            )  # fmt: skip

    def __enter__(self) -> Forks:
        return self

    def __exit__(self, *raised: object) -> None:
        self._control.close()
        self._parent.wait(60)

    def start(self, code: str, *arguments: object) -> ForkedProcess:
        """Run code in a child with a session of its own."""
        readers, writers = zip(os.pipe(), os.pipe(), strict=True)
        socket.send_fds(self._control, [json.dumps([code, list(map(str, arguments))]).encode()], writers)
        for writer in writers:
            os.close(writer)
        return ForkedProcess(self, self._answer(), readers)

    def ask(self, pid: int) -> Any:
        """Return the exit code of a child, None before its end."""
        self._control.send(json.dumps(pid).encode())
        return self._answer()

    def _answer(self) -> Any:
        return json.loads(self._control.recv(1_000))
