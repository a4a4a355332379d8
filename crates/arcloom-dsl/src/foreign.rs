//! Why functions of a host language failed.
//!
//! An [`crate::EvalError`] is small and `Copy`, so it holds the number of a text. Equal texts have
//! one number. This is the one table of the crate that grows; it is touched only where a foreign
//! function fails, and it stops growing at `MOST`.

use std::sync::{Mutex, PoisonError};

/// Most different texts that are kept.
const MOST: usize = 10_000;

static REASONS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The number of a text.
pub(crate) fn number(reason: String) -> u16 {
    let mut reasons = REASONS.lock().unwrap_or_else(PoisonError::into_inner);
    // The newest first: a function that fails tends to fail the same way again.
    if let Some(place) = reasons.iter().rposition(|known| *known == reason) {
        return place as u16;
    }
    if reasons.len() < MOST {
        reasons.push(reason);
        return (reasons.len() - 1) as u16;
    }
    u16::MAX
}

/// The text with this number.
pub fn reason(number: u16) -> String {
    let reasons = REASONS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = reasons.get(usize::from(number)).cloned();
    known.unwrap_or_else(|| "a function from outside failed".to_string())
}
