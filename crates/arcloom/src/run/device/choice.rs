//! Who is asked to evaluate, and the word for it.

use std::fmt;
use std::str::FromStr;

/// Who is to evaluate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The CPU alone.
    #[default]
    Cpu,
    /// The faster one on a probe of the work.
    Auto,
    /// All devices, or one of them by number; the CPU does the rest.
    Gpu(Option<usize>),
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceChoice, String> {
        match text {
            "cpu" => Ok(DeviceChoice::Cpu),
            "auto" => Ok(DeviceChoice::Auto),
            "gpu" => Ok(DeviceChoice::Gpu(None)),
            _ => text
                .strip_prefix("gpu:")
                .and_then(|number| number.parse().ok())
                .map(|number| DeviceChoice::Gpu(Some(number)))
                .ok_or_else(|| format!("`{text}` is none of auto, cpu, gpu, gpu:N")),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Gpu(None) => f.write_str("gpu"),
            DeviceChoice::Gpu(Some(n)) => write!(f, "gpu:{n}"),
        }
    }
}
