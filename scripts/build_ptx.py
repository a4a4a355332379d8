"""Compiles the kernel text to PTX with NVRTC 11.8.

    python3 scripts/build_ptx.py KERNEL.c LIBNVRTC OUT_FOLDER

Writes sm_60.ptx, sm_75.ptx and sm_89.ptx, and what they hash to (SHA-256) as sums.txt. The same text and
library give the same bytes. NVRTC 11.8 is
the last that knows compute capability 6.0 by a PTX version that drivers from 2022 on take.
"""
import ctypes
import hashlib
import pathlib
import sys

TARGETS = ["60", "75", "89"]


def check(lib, code, program=None):
    if code == 0:
        return
    text = ""
    if program is not None:
        size = ctypes.c_size_t()
        lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        lib.nvrtcGetProgramLog(program, log)
        text = log.value.decode()
    lib.nvrtcGetErrorString.restype = ctypes.c_char_p
    sys.exit(f"NVRTC: {lib.nvrtcGetErrorString(code).decode()}\n{text}")


def digest(source):
    """FNV-1a, as `source.rs` has it: the first line says what text this was made from."""
    value = 0xCBF29CE484222325
    for byte in source:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def compile_ptx(lib, source, target):
    program = ctypes.c_void_p()
    check(lib, lib.nvrtcCreateProgram(ctypes.byref(program), source, b"loom.cu", 0, None, None))
    options = [f"--gpu-architecture=compute_{target}".encode(), b"-DARCLOOM_CUDA", b"--std=c++14"]
    given = (ctypes.c_char_p * len(options))(*options)
    check(lib, lib.nvrtcCompileProgram(program, len(options), given), program)
    size = ctypes.c_size_t()
    check(lib, lib.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(lib, lib.nvrtcGetPTX(program, ptx))
    # Comments name the compiler's build; without them the text is smaller and says the same.
    lines = [line.rstrip() for line in ptx.value.decode().splitlines()]
    head = f"// kernel text {digest(source):016x}"
    return "\n".join([head] + [line for line in lines if line and not line.startswith("//")]) + "\n"


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1]).read_bytes()
    lib = ctypes.CDLL(sys.argv[2])
    out = pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    sums = ""
    for target in TARGETS:
        text = compile_ptx(lib, source, target)
        (out / f"sm_{target}.ptx").write_text(text)
        sums += f"{hashlib.sha256(text.encode()).hexdigest()}  sm_{target}.ptx\n"
        print(f"sm_{target}.ptx: {len(text)} bytes")
    (out / "sums.txt").write_text(sums)


main()
