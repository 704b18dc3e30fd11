"""The cache holds programs: what somebody else may have put there is neither loaded nor waited for."""

import ctypes
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from support import assert_same_bits
from test_cache import TEXT, X, Y, entries, finished, folder, is_from_the_cache, run, start  # noqa: F401  (folder is a fixture)

import mind_mlir as mind
from mind_mlir.lowering.gpu.artifacts import kept_artifact as kept
from mind_mlir.lowering.interface.doctor import doctor
from mind_mlir.lowering.store import cache
from mind_mlir.lowering.store.cache import CacheWarning
from mind_mlir.lowering.store.library import Library
from mind_mlir.lowering.toolchain import linker

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="compiled code is kept on Linux only"),
    pytest.mark.skipif(linker.find_linker() is None, reason="no linker on PATH: no compiled code is kept"),
]

M = mind.parse(TEXT)
OTHER = mind.parse(TEXT.replace("2.0]", "2.5]"))
SOMEBODY = 54321


def give_away(path, monkeypatch):
    """Another user's, as far as this process can tell: it is given away, or this process acts for another user."""
    if os.geteuid() == 0:
        os.chown(path, SOMEBODY, SOMEBODY, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)


@pytest.fixture
def filled(folder):  # noqa: F811
    """A cache with one entry, and the path of that."""
    assert run() is False
    assert run() is True
    (path,) = entries(folder)
    return folder, path


def replaced(path):
    """The entry is a plain file of the user's own again, and is used."""
    found = path.lstat()
    return stat.S_ISREG(found.st_mode) and found.st_mode & 0o077 == 0 and run()


# The folder


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o1777, 0o702])
def test_a_folder_that_others_can_write_is_neither_read_nor_written(filled, mode):
    folder, path = filled  # noqa: F811
    folder.chmod(mode)
    before = path.stat().st_mtime_ns
    with pytest.warns(CacheWarning, match=r"others may write to it \(chmod go-w\)") as remarks:
        assert [run(), run(), is_from_the_cache(mind.compile(OTHER))] == [False] * 3
    assert len(remarks) == 1
    assert (entries(folder), path.stat().st_mtime_ns) == ([path], before)
    folder.chmod(0o755)
    assert run() is True


def test_the_folder_of_another_user_is_neither_read_nor_written(filled, monkeypatch):
    folder, path = filled  # noqa: F811
    give_away(folder, monkeypatch)
    with pytest.warns(CacheWarning, match="it belongs to user 54321" if os.geteuid() == 0 else "it belongs to"):
        assert [run(), run()] == [False, False]
    assert entries(folder) == [path]


def test_a_folder_of_root_is_trusted(filled, monkeypatch):
    if os.geteuid() != 0:
        pytest.skip("only root has such a folder to try")
    monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)
    assert run() is True


def test_the_way_to_the_folder_may_be_a_link(filled, monkeypatch):
    folder, _ = filled  # noqa: F811
    link = folder.with_name("link")
    link.symlink_to(folder)
    monkeypatch.setenv("MIND_CACHE", str(link))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run() is True


def test_a_link_that_leads_nowhere_costs_a_remark(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_told", set())
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    monkeypatch.setenv("MIND_CACHE", str(tmp_path / "link"))
    with pytest.warns(CacheWarning, match="File exists"):
        assert [run(), run()] == [False, False]


@pytest.mark.parametrize("mode", [0o022, 0o002, 0o000])
def test_no_umask_makes_a_folder_or_file_that_others_can_write(folder, mode):  # noqa: F811
    before = os.umask(mode)
    try:
        assert [run(), run()] == [False, True]
    finally:
        os.umask(before)
    (path,) = entries(folder)
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(path.stat().st_mode)) == (0o700, 0o600)


def test_the_doctor_says_why_a_folder_is_not_used(filled, monkeypatch):
    folder, _ = filled  # noqa: F811
    folder.chmod(0o777)
    (found,) = [f for f in doctor() if f.what == "cache"]
    assert "1 file" in found.found
    assert found.found.endswith("; others may write to it (chmod go-w)")
    assert "a folder of your own" in found.fix
    folder.chmod(0o755)
    (found,) = [f for f in doctor() if f.what == "cache"]
    assert (found.ok, found.fix) == (True, "")
    give_away(folder, monkeypatch)
    (found,) = [f for f in doctor() if f.what == "cache"]
    assert "; it belongs to " in found.found


# Its files

PLANTED = r"""
#include <stdio.h>
__attribute__((constructor)) static void begin(void) { FILE *f = fopen("PROOF", "w"); fclose(f); }
long main_is_missing(void) { return 0; }
"""


def plant(path, proof):
    """A whole entry in the place of one: an object that shows when it is loaded, and has no `main`."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler is on PATH")
    made = path.with_name("planted.so")
    source = PLANTED.replace("PROOF", str(proof))
    command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(made)]
    subprocess.run(command, input=source, text=True, check=True)
    data = made.read_bytes()
    made.unlink()
    path.unlink()
    path.write_bytes(data + cache._digest(path.stem, data))
    path.chmod(0o600)


def test_planted_code_of_another_user_does_not_run(filled, tmp_path, monkeypatch):
    _, path = filled
    plant(path, tmp_path / "proof")
    with monkeypatch.context() as patch:
        give_away(path, patch)
        with pytest.warns(CacheWarning, match="it belongs to"):
            assert run() is False
        assert not (tmp_path / "proof").exists()
    assert replaced(path)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_code_that_others_can_write_does_not_run(filled, tmp_path, mode):
    _, path = filled
    plant(path, tmp_path / "proof")
    path.chmod(mode)
    with pytest.warns(CacheWarning, match="others may write to it"):
        assert run() is False
    assert not (tmp_path / "proof").exists()
    assert replaced(path)


def test_an_object_without_main_is_compiled_again_and_replaced(filled, tmp_path):
    _, path = filled
    plant(path, tmp_path / "proof")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run() is False
    assert (tmp_path / "proof").exists()  # it is the user's own, so it was opened
    assert replaced(path)


@pytest.mark.parametrize("target", ["a copy", "nothing", "itself"])
def test_a_link_in_place_of_an_entry_is_not_followed(filled, target):
    folder, path = filled  # noqa: F811
    copy = folder.parent / "copy.so"
    shutil.copy(path, copy)
    path.unlink()
    path.symlink_to({"a copy": copy, "nothing": folder / "nothing", "itself": path}[target])
    with pytest.warns(CacheWarning, match="it is a link"):
        assert run() is False
    assert replaced(path)
    assert copy.exists()


def test_a_pipe_in_place_of_an_entry_is_not_waited_for(filled):
    folder, path = filled  # noqa: F811
    path.unlink()
    os.mkfifo(path)
    assert cache.load_data(str(folder), path.stem) is None
    with pytest.warns(CacheWarning, match="it is no plain file"):
        assert run() is False
    assert replaced(path)


def test_a_pipe_in_place_of_the_folder_is_not_waited_for(folder):  # noqa: F811
    os.mkfifo(folder)
    with pytest.warns(CacheWarning):
        assert [run(), run()] == [False, False]


def test_a_socket_in_place_of_an_entry_is_compiled_again(filled, tmp_path, monkeypatch):
    _, path = filled
    path.unlink()
    monkeypatch.chdir(path.parent)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as s:
        s.bind("s")
        os.rename("s", path.name)
        assert run() is False
    assert replaced(path)


def test_code_for_a_gpu_of_another_user_is_not_read(filled, monkeypatch):
    folder, _ = filled  # noqa: F811
    key = "ab" * 32
    cache.store_data(str(folder), key, b"data")
    assert cache.load_data(str(folder), key) == b"data"
    (path,) = folder.glob("*.gpu")
    path.chmod(0o666)
    with pytest.warns(CacheWarning, match="others may write to it"):
        assert cache.load_data(str(folder), key) is None
    path.chmod(0o600)
    give_away(path, monkeypatch)
    monkeypatch.setattr(cache, "_told", set())
    with pytest.warns(CacheWarning, match="it belongs to"):
        assert cache.load_data(str(folder), key) is None


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"[]\n", b"{", b"[" * 100_000, b'{"a": -1}\n', b'{"a": 2}\nb', b'{"a": 1.0}\nb', b'{"a": "b"}\n'],
)
def test_data_that_is_no_artifact_is_a_miss(data):
    assert kept._unpacked(data) is None
    files = {"a": b"1", "b": b"", "c": json.dumps([1]).encode()}
    assert kept._unpacked(kept._packed(files)) == files


# What was checked is what is opened


def test_the_file_that_was_checked_is_loaded_though_another_has_its_name_by_now(filled, tmp_path, monkeypatch):
    _, path = filled
    read = cache.read_all

    def read_and_plant(file):
        data = read(file)
        if not (tmp_path / "planted").exists():
            (tmp_path / "planted").touch()
            plant(path, tmp_path / "proof")
        return data

    monkeypatch.setattr(cache, "read_all", read_and_plant)
    assert run() is True
    assert not (tmp_path / "proof").exists()


def test_a_folder_that_is_exchanged_while_code_is_written_takes_none(folder):  # noqa: F811
    other = folder.with_name("other")

    def link(path):
        folder.rename(other)
        folder.mkdir(0o700)
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as f:
            f.write(b"planted")

    with pytest.warns(CacheWarning, match="No such file"):
        cache.store(str(folder), "0" * 64, link)
    assert entries(folder) == entries(other) == []


def test_libraries_that_are_opened_by_the_same_descriptor_are_told_apart(folder, tmp_path):  # noqa: F811
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler is on PATH")
    libraries, used = [], set()
    for n in range(5):
        path = tmp_path / f"{n}.so"
        command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(path)]
        subprocess.run(command, input=f"int number(void) {{ return {n}; }}", text=True, check=True)
        descriptor = os.open(path, os.O_RDONLY)
        used.add(descriptor)
        libraries.append(Library.of_file(descriptor))
        os.close(descriptor)
    assert len(used) == 1
    assert [ctypes.CFUNCTYPE(ctypes.c_int)(x.address("number"))() for x in libraries] == [0, 1, 2, 3, 4]


def test_loading_leaves_no_descriptor_open(filled):
    before = os.listdir("/proc/self/fd")
    exes = [mind.compile(M) for _ in range(20)]
    assert len(os.listdir("/proc/self/fd")) <= len(before)
    assert_same_bits(exes[-1](X)[0], Y)


# Many at once, and no room


def test_twenty_processes_that_fill_one_cache_at_once_all_give_their_results(folder):  # noqa: F811
    processes = [start(folder) for _ in range(20)]
    assert all(err == "" for _, err in map(finished, processes))
    (path,) = entries(folder)
    assert sorted(p.suffix for p in folder.iterdir()) == [".kernel", path.suffix]
    assert finished(start(folder)) == (False, "")


def test_twenty_writers_of_many_entries_stay_within_the_limit(folder, monkeypatch):  # noqa: F811
    monkeypatch.setenv("MIND_CACHE_SIZE", "200KB")
    program = (
        "import hashlib, sys; from mind_mlir.lowering.store import cache\n"
        "for n in range(40):\n"
        "    key = hashlib.sha256(str(n).encode()).hexdigest()\n"
        "    cache.store_data(sys.argv[1], key, bytes([n]) * 9000)\n"
        "    found = cache.load_data(sys.argv[1], key)\n"
        "    assert found is None or found == bytes([n]) * 9000, n\n"
    )
    command = [sys.executable, "-W", "error", "-c", program, str(folder)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(20)]
    assert [p.communicate()[1] for p in processes] == [""] * 20
    assert cache.usage(str(folder))[1] <= (200 << 10) + 20 * 10_000
    assert all(p.suffix == ".gpu" for p in folder.iterdir())


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 64 KB."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "none", str(place)]
    try:
        done = subprocess.run(command, capture_output=True)
    except OSError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("this user may mount nothing")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)  # code from there may still be loaded


def test_a_disk_that_is_full_costs_one_remark_and_keeps_no_part(small_disk, monkeypatch):
    monkeypatch.setattr(cache, "_told", set())
    monkeypatch.setenv("MIND_CACHE", str(small_disk))
    (small_disk / "much").write_bytes(bytes(60 << 10))
    with pytest.warns(CacheWarning, match="No space left|ended with") as remarks:
        assert [run(), run()] == [False, False]
    assert len(remarks) == 1
    assert os.listdir(small_disk) == ["much"]
    (small_disk / "much").unlink()
    assert [run(), run()] == [False, True]


@pytest.mark.parametrize("room", [0, 1, 4096, 9000])
def test_a_disk_that_fills_within_an_entry_keeps_no_part(folder, monkeypatch, room):  # noqa: F811
    monkeypatch.setattr(cache, "_told", set())
    program = (
        "import resource, sys; from mind_mlir.lowering.store import cache\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))\n"
        "cache.store_data(sys.argv[1], '0' * 64, bytes(9000))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr.count("CacheWarning: ") == 1
    assert os.listdir(folder) == []


def test_threads_that_compile_the_same_at_once_all_give_the_result(folder):  # noqa: F811
    found = []
    threads = [threading.Thread(target=lambda: found.append(mind.compile(M)(X)[0])) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 8
    for y in found:
        assert_same_bits(y, np.asarray(Y))
    assert len(entries(folder)) == 1
