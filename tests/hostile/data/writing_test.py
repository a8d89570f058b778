"""Folders from elsewhere: writing goes where the user said, and a store is checked before SQLite opens it."""
import os
import resource
import signal
import sqlite3
import struct
import subprocess
import unittest

from faultline_case import FAULTLINE, FaultlineCase, Run

CLANG = os.environ.get("CLANG", "clang-19")
SOURCE = "#include <math.h>\ndouble q(double x) { return (1 - cos(x)) / (x * x); }\ndouble two(double x) { return 2 * x; }\n"
NOBODY = 65534
COMMANDS = (["status", "c", "-q"], ["report", "c"], ["run", "c", "--evals", "500", "-q"], ["compare", "c", "c"])
PRECIOUS = "precious\n"


def super_journal(store, victim):
    """A rollback journal that is hot, and whose super-journal is the victim: SQLite would delete it after the rollback."""
    header = store.read_bytes()[16:18]
    page = struct.unpack(">H", header)[0]
    magic = bytes.fromhex("d9d505f920a163d7")
    begin = magic + struct.pack(">IIIII", 0, 0, store.stat().st_size // page, 512, page)
    name = str(victim).encode()
    end = struct.pack(">I", 0x40000000 // page + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    return begin + bytes(512 - len(begin)) + end


class Writing(FaultlineCase):
    user = None  # ourselves

    def setUp(self):
        super().setUp()
        self.write("q.c", SOURCE)
        self.victim = self.folder / "victim"
        self.victim.write_text(PRECIOUS)

    def run_faultline(self, *words, cwd=None, status=None, timeout=60, limit=None, **environment):
        if self.user is not None:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, self.user, self.user, follow_symlinks=False)
        more = {"user": self.user, "group": self.user, "extra_groups": []} if self.user is not None else {}
        done = subprocess.run([FAULTLINE, *map(str, words)], cwd=cwd or self.scratch, env=self.environment(**environment),
                              capture_output=True, text=True, errors="replace", timeout=timeout, check=False,
                              preexec_fn=limit, **more)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}\n{done.stderr}")
        return Run(done.returncode, done.stdout, done.stderr)

    def begin(self):
        self.run_faultline("campaign", "init", "c", "q.c", status=0)
        return self.scratch / "c/campaign.db"

    def expect_victim(self, message=""):
        self.assertTrue(self.victim.exists(), message)
        self.assertEqual(self.victim.read_text(), PRECIOUS, message)

    def test_journal_deletes_no_file(self):
        store = self.begin()
        for command in COMMANDS:
            (store.parent / "campaign.db-journal").write_bytes(super_journal(store, self.victim))
            run = self.run_faultline("campaign", *command, status=2)
            self.assertIn("campaign.db-journal: is the journal of several databases", run.err)
            self.expect_victim(command)

    def test_own_journal_is_rolled_back(self):
        """What a killed run leaves on a file system without shared memory."""
        store = self.begin()
        whole = super_journal(store, self.victim)
        (store.parent / "campaign.db-journal").write_bytes(whole[:512])
        self.run_faultline("campaign", "status", "c", "-q", status=0)

    def test_other_programs_database_is_not_changed(self):
        for make in ("PRAGMA user_version = 4; CREATE TABLE notes (text)", "CREATE TABLE campaign (key, value)"):
            other = self.folder / "notes.db"
            other.unlink(missing_ok=True)
            database = sqlite3.connect(other)
            database.executescript(make)
            database.close()
            (self.scratch / "c").mkdir(exist_ok=True)
            store = self.scratch / "c/campaign.db"
            for place in (lambda: store.symlink_to(other), lambda: store.write_bytes(other.read_bytes())):
                store.unlink(missing_ok=True)
                place()
                before = other.read_bytes()
                for command in COMMANDS:
                    self.run_faultline("campaign", *command, status=2)
                self.assertEqual((other.read_bytes(), store.read_bytes()), (before, before), make)
                self.assertEqual(sorted(path.name for path in self.folder.glob("notes.db*")), ["notes.db"])

    def test_links_beside_a_store_are_not_followed(self):
        store = self.begin()
        for ending in ("-wal", "-shm", "-journal"):
            link = store.parent / f"campaign.db{ending}"
            link.unlink(missing_ok=True)
            link.symlink_to(self.victim)
            for command in COMMANDS:
                self.assertIn("is not a regular file", self.run_faultline("campaign", *command, status=2).err)
                self.expect_victim(ending)
            link.unlink()
        os.mkfifo(store.parent / "campaign.db-wal")
        self.run_faultline("campaign", "status", "c", status=2, timeout=20)

    def test_attached_databases_are_refused(self):
        """A view or a trigger of the store cannot name another database, and defences of SQLite are on."""
        store = self.begin()
        database = sqlite3.connect(store)
        database.executescript("CREATE TRIGGER harm AFTER INSERT ON runs BEGIN DELETE FROM campaign; END;")
        database.close()
        self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", status=0)
        self.run_faultline("campaign", "status", "c", "-q", status=0)

    def test_store_whose_tables_refuse_rows_is_told(self):
        store = self.begin()
        database = sqlite3.connect(store)
        database.executescript("DROP TABLE runs; CREATE TABLE runs (id INTEGER PRIMARY KEY, started INTEGER, ended INTEGER, "
                               "ending TEXT, commit_name TEXT, program TEXT, faultline TEXT, CHECK (started < 0));")
        database.close()
        run = self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", status=2)
        self.assertIn("campaign.db: not a campaign of Faultline: CHECK constraint failed", run.err)

    def test_links_in_a_shared_folder_are_not_followed(self):
        self.begin()
        planted = self.folder / "plant.sh"
        planted.write_text("for name in stop batch.sh job-2.json job-2.json.part; do\n"
                           f"  ln -sf {self.victim} $1/$name\ndone\nexit 1\n")
        self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", "--launcher", f"sh {planted} {{share}}; {{job}}",
                           "--tasks", "1", timeout=120)
        self.expect_victim("launcher")
        share = self.scratch / "c/shares/7"  # of an earlier run, which the next one stops
        share.mkdir(parents=True)
        (share / "stop").symlink_to(self.victim)
        self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", status=0)
        self.expect_victim("stop")

    def test_stop_file_of_another_ends_the_run(self):
        """The tasks end without a word."""
        self.begin()
        run = self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", "--launcher",
                                 f"touch $(dirname {{job}})/stop; {FAULTLINE} worker --share {{job}}", status=4, timeout=60)
        self.assertIn("stop asks the tasks of this run to end, and is not its own", run.err)

    def test_link_in_the_place_of_a_shared_folders_mark_is_not_followed(self):
        self.begin()
        other = self.folder / "other"
        other.mkdir()
        self.victim.write_text("")
        (other / "campaign.txt").symlink_to(self.victim)
        self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", "--launcher", "false {job}", "--tasks", "1",
                           "--shared-folder", other, timeout=120)
        self.assertEqual(self.victim.read_text(), "")

    def test_link_in_the_place_of_a_program_is_not_followed(self):
        self.begin()
        programs = self.scratch / "c/programs"
        programs.mkdir()
        (programs / "unnamed").symlink_to(self.victim)
        self.run_faultline("campaign", "run", "c", "--evals", "500", "-q", status=0)
        self.expect_victim()

    def test_configuration_names_no_folder_outside_of_its_own(self):
        outside = self.folder / "outside"
        (self.scratch / "link").symlink_to(self.folder)
        for key, value in (("corpus", outside), ("corpus", "../outside"), ("corpus", "a/../../outside"), ("corpus", "link/outside"),
                           ("baseline", "/etc/passwd"), ("seen", "../seen.json")):
            self.write("faultline.toml", f'{key} = "{value}"\n')
            run = self.run_faultline("hunt", "q.c", "--evals", "500", "-q", status=2)
            self.assertIn(f"{value} is not below the folder of this file", run.err)
            self.assertFalse(outside.exists(), value)
        self.write("faultline.toml", 'corpus = "kept/corpus"\n')
        self.run_faultline("hunt", "q.c", "--evals", "500", "-q", status=1)
        self.assertTrue(list((self.scratch / "kept/corpus").iterdir()))
        self.run_faultline("hunt", "q.c", "--evals", "500", "-q", "--corpus", outside, status=1)  # the user may

    def test_pipe_in_a_configuration_stops_nothing(self):
        os.mkfifo(self.scratch / "pipe")
        for key in ("baseline", "seen", "corpus"):
            self.write("faultline.toml", f'{key} = "pipe"\n')
            run = self.run_faultline("hunt", "q.c", "--evals", "500", "-q", status=2, timeout=20)
            self.assertIn("pipe is not a regular file", run.err)

    def test_full_disk_leaves_no_half_campaign(self):
        subprocess.run([CLANG, "-O2", "-g", "-emit-llvm", "-c", "q.c", "-o", "q.bc"], cwd=self.scratch, check=True)
        for size in (0, 1000, 5000, 20000, 60000, 100000):
            def limit(size=size):
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            if self.run_faultline("campaign", "init", "full/deep", "q.bc", limit=limit).status:
                self.assertFalse((self.scratch / "full").exists(), size)
                continue
            self.run_faultline("campaign", "status", "full/deep", "-q", status=0)
            break
        self.run_faultline("campaign", "init", "c", "q.c", status=0)
        self.run_faultline("campaign", "init", "c", "q.c", status=2)  # does not remove what was there
        self.run_faultline("campaign", "status", "c", "-q", status=0)


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class WritingAsNobody(Writing):
    user = NOBODY

    def test_store_of_another_user_is_not_opened(self):
        store = self.begin()
        self.user = None
        os.chown(store, 1234, 1234)
        done = subprocess.run([FAULTLINE, "campaign", "status", "c"], cwd=self.scratch, env=self.environment(), user=NOBODY,
                              group=NOBODY, extra_groups=[], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("belongs to another user", done.stderr)


if __name__ == "__main__":
    unittest.main()
