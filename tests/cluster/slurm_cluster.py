"""A Slurm cluster on this machine: munge, a controller and two nodes, in a temporary folder, and gone after use.

    with SlurmCluster(folder) as cluster: subprocess.run(["sinfo"], env=cluster.environment)

It needs root, as the daemons do, and Debian's packages munge and slurm-wlm (scripts/install-deps test).
"""
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
NODES = ("n1", "n2")
SHELL_PATH = "/usr/sbin:/sbin:" + os.environ["PATH"]

# Two partitions of the same nodes: what runs in `low` is ended and queued again when `high` wants its place. How long it
# then waits at least is cred_expire, which has two minutes by itself.
CONFIGURATION = """
ClusterName=faultline
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=10
CryptoType=crypto/munge
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SchedulerParameters=sched_interval=2,bf_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=10
ReturnToService=2
MpiDefault=none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=2000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=2000
PartitionName=low Nodes=n1,n2 Default=YES PriorityTier=1 MaxTime=60 State=UP
PartitionName=high Nodes=n1,n2 PriorityTier=10 PreemptMode=OFF MaxTime=60 State=UP
"""


class CannotStart(Exception):
    pass


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class SlurmCluster:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.environment = {**os.environ, "PATH": SHELL_PATH, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        missing = [name for name in DAEMONS if not shutil.which(name, path=SHELL_PATH)]
        if missing:
            raise CannotStart(f"not installed: {', '.join(missing)} (scripts/install-deps test)")
        if os.geteuid() != 0:
            raise CannotStart("the daemons of Slurm need root")
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        for name in ("munge", "state", *(f"spool.{node}" for node in NODES)):
            (self.folder / name).mkdir()
        self.folder.chmod(0o755)
        key = self.folder / "munge/key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(host=host, ports=free_ports(3), folder=self.folder))
        munge = self.folder / "munge"
        self.daemon("munged", "--force", f"--key-file={key}", f"--socket={munge}/socket", f"--pid-file={munge}/munged.pid",
                    f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.daemon("slurmctld", "-f", str(self.folder / "slurm.conf"))
        for node in NODES:
            self.daemon("slurmd", "-N", node, "-f", str(self.folder / "slurm.conf"))
        until = time.monotonic() + 20
        while self.ask("sinfo", "--noheader", "--partition=low", "--format=%T %D").split() != ["idle", str(len(NODES))]:
            if time.monotonic() > until:
                raise CannotStart(f"the nodes do not come up: {self.ask('sinfo')}{self.log('slurmctld.log')}")
            time.sleep(0.2)

    def daemon(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=30)
        if done.returncode != 0:
            raise CannotStart(f"{command[0]}: {done.stderr.strip()}")

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=30).stdout

    def log(self, name):
        try:
            return (self.folder / name).read_text()
        except OSError:
            return ""

    def stop(self):
        """By their files: nodes first, so that no task outlives them."""
        if (self.folder / "slurmctld.pid").exists():
            self.ask("scancel", "--me")
        files = [self.folder / f"slurmd.{node}.pid" for node in NODES] + [self.folder / "slurmctld.pid", self.folder / "munge/munged.pid"]
        for file in files:
            try:
                process = int(file.read_text())
            except (OSError, ValueError):
                continue
            self.end(process)

    @staticmethod
    def end(process):
        for number, seconds in ((signal.SIGTERM, 10), (signal.SIGKILL, 5)):
            try:
                os.kill(process, number)
                until = time.monotonic() + seconds
                while time.monotonic() < until:
                    os.kill(process, 0)
                    time.sleep(0.05)
            except ProcessLookupError:
                return
