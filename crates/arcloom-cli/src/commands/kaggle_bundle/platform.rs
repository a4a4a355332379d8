//! Whether a wheel runs where Kaggle's notebooks do: Linux on x86-64 with glibc, and CPython 3.12.

/// Minor version of Kaggle's Python 3.
const PYTHON: u32 = 12;
/// Minor version of Kaggle's glibc 2.
const GLIBC: u32 = 35;

/// What a zip file begins with, and what its directory ends with.
const BEGIN: &[u8] = b"PK\x03\x04";
const END: &[u8] = b"PK\x05\x06";
/// Names in a zip file are not compressed.
const MODULE: &[u8] = b"arcloom/_native";

/// Why a file is no wheel for Kaggle, for people.
pub(super) fn check(name: &str, bytes: &[u8]) -> Result<(), String> {
    const BUILD: &str = "`cargo xtask wheel` on Linux builds one and says where it is";
    let parts: Vec<&str> = name.strip_suffix(".whl").unwrap_or_default().split('-').collect();
    let ["arcloom", _version, .., python, abi, platform] = parts[..] else {
        return Err(format!("not a wheel of arcloom; {BUILD}"));
    };
    let is_whole = bytes.starts_with(BEGIN) && contains(tail(bytes), END);
    if !is_whole || !contains(bytes, MODULE) {
        return Err(format!("not a wheel of arcloom, or only a part of one; {BUILD}"));
    }
    if !platform.split('.').any(is_platform) {
        return Err(format!(
            "a wheel for {platform}, and Kaggle runs Linux on x86-64 with glibc 2.{GLIBC}; {BUILD}"
        ));
    }
    if !python.split('.').any(|python| is_python(python, abi)) {
        return Err(format!(
            "a wheel for {python} ({abi}), and Kaggle runs CPython 3.{PYTHON}; {BUILD}"
        ));
    }
    Ok(())
}

/// `manylinux_2_28_x86_64`, `manylinux2014_x86_64`, `linux_x86_64`.
fn is_platform(tag: &str) -> bool {
    let Some(system) = tag.strip_suffix("_x86_64") else { return false };
    match system.strip_prefix("manylinux_2_") {
        Some(glibc) => glibc.parse().is_ok_and(|glibc: u32| glibc <= GLIBC),
        None => ["linux", "manylinux1", "manylinux2010", "manylinux2014"].contains(&system),
    }
}

/// `cp310` with `abi3` is for 3.10 and later, `cp312` with `cp312` for 3.12 alone.
fn is_python(python: &str, abi: &str) -> bool {
    let Some(minor) = python.strip_prefix("cp3").and_then(|minor| minor.parse::<u32>().ok()) else {
        return false;
    };
    match abi {
        "abi3" => minor <= PYTHON,
        abi => minor == PYTHON && abi == python,
    }
}

/// Where the directory of a zip file ends, with a comment at most.
fn tail(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(66_000)..]
}

fn contains(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wheel() -> Vec<u8> {
        [BEGIN, b"...", MODULE, b".abi3.so ... ", END, &[0; 18]].concat()
    }

    #[test]
    fn wheels_for_kaggle_are_taken() {
        for tags in [
            "cp310-abi3-linux_x86_64",
            "cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64",
            "cp312-cp312-manylinux_2_28_x86_64",
            "cp312-abi3-manylinux_2_35_x86_64",
        ] {
            assert_eq!(check(&format!("arcloom-0.1.0-{tags}.whl"), &wheel()), Ok(()), "{tags}");
        }
    }

    #[test]
    fn what_is_none_is_refused_with_the_reason() {
        for (name, why) in [
            ("arcloom.zip", "not a wheel of arcloom"),
            ("numpy-2.0.0-cp312-cp312-linux_x86_64.whl", "not a wheel of arcloom"),
            ("arcloom-0.1.0-cp310-abi3-macosx_11_0_arm64.whl", "a wheel for macosx_11_0_arm64"),
            ("arcloom-0.1.0-cp310-abi3-win_amd64.whl", "a wheel for win_amd64"),
            (
                "arcloom-0.1.0-cp310-abi3-manylinux_2_28_aarch64.whl",
                "and Kaggle runs Linux on x86-64",
            ),
            ("arcloom-0.1.0-cp310-abi3-musllinux_1_2_x86_64.whl", "a wheel for musllinux"),
            ("arcloom-0.1.0-cp310-abi3-manylinux_2_39_x86_64.whl", "with glibc 2.35"),
            ("arcloom-0.1.0-cp313-cp313-linux_x86_64.whl", "a wheel for cp313 (cp313)"),
            ("arcloom-0.1.0-cp314-abi3-linux_x86_64.whl", "and Kaggle runs CPython 3.12"),
        ] {
            let reason = check(name, &wheel()).unwrap_err();
            assert!(reason.contains(why), "{name}: {reason}");
        }
        let name = "arcloom-0.1.0-cp310-abi3-linux_x86_64.whl";
        let whole = wheel();
        for bytes in [&b""[..], b"PK\x03\x04", &whole[..whole.len() - 22], &whole[1..]] {
            assert!(check(name, bytes).unwrap_err().contains("only a part of one"));
        }
    }
}
