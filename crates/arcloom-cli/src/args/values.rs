//! What people type as a number, a time or a size, and what they are told when it is none.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

const POSITIVE: &str = "must be positive";
const TIME: &str = "write a time as in 90s, 10m or 2h";
const SIZE: &str = "write a size as in 500kB, 20MB or 2GB";

/// How long a command works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// This long in all.
    Time(Duration),
    /// This long for each task.
    PerTask(Duration),
    /// To this generation.
    Generations(u64),
}

/// A time such as `90s`, `1.5m` or `2h`. A number alone is refused: it could be of anything.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Err(match number <= 0.0 {
            true => format!("{POSITIVE}; {TIME}"),
            false => format!("has no unit; {TIME}"),
        });
    }
    let place = text.find(|c: char| c.is_ascii_alphabetic()).ok_or(TIME)?;
    let (number, unit) = text.split_at(place);
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("no unit `{unit}`; {TIME}")),
    };
    let number: f64 = number.trim().parse().map_err(|_| TIME)?;
    let time = Duration::try_from_secs_f64(number * scale).unwrap_or(Duration::ZERO);
    if time.is_zero() { Err(POSITIVE.to_owned()) } else { Ok(time) }
}

/// Whether the text is a number without a unit, as `--budget` was given before it was a time.
fn is_bare(text: &str) -> bool {
    text.trim().parse::<u64>().is_ok_and(|number| number > 0)
}

/// `60s` of all, or `0.5s/task`.
pub(crate) fn task_budget(text: &str) -> Result<Budget, String> {
    const FORMS: &str = "write 0.5s/task for each task, or 10m for all of them";
    if is_bare(text) {
        return Err(format!("has no unit; {FORMS}; work units of one call are --call-budget"));
    }
    match text.strip_suffix("/task") {
        Some(time) => duration(time).map(Budget::PerTask).map_err(|e| e.replace(TIME, FORMS)),
        None => duration(text).map(Budget::Time).map_err(|e| e.replace(TIME, FORMS)),
    }
}

/// `0.5s/task`, for what there is no whole of.
pub(crate) fn per_task(text: &str) -> Result<Duration, String> {
    const FORM: &str = "write 0.5s/task";
    match text.strip_suffix("/task") {
        Some(time) => duration(time).map_err(|error| error.replace(TIME, FORM)),
        None => Err(format!("is not per task; {FORM}")),
    }
}

/// `60s` of all.
pub(crate) fn time_budget(text: &str) -> Result<Duration, String> {
    if is_bare(text) {
        return Err(format!("has no unit; {TIME}; work units of one call are --call-budget"));
    }
    match text.strip_suffix("/task") {
        Some(_) => Err(format!("is for each task, here it is for all; {TIME}")),
        None => duration(text),
    }
}

/// `60s` of all, or `50g`.
pub(crate) fn generation_budget(text: &str) -> Result<Budget, String> {
    const FORMS: &str = "write a time as in 60s or 10m, or a number of generations as in 50g";
    if is_bare(text) {
        return Err(format!("has no unit; {FORMS}; work units of one call are --call-budget"));
    }
    let number =
        ["generations", "generation", "g"].into_iter().find_map(|end| text.strip_suffix(end));
    match number {
        Some(number) => {
            // None is the library alone.
            let number = whole::<u64>(number.trim()).map(Budget::Generations);
            number.map_err(|_| format!("`{text}` is not a number of generations; {FORMS}"))
        }
        None if text.ends_with("/task") => {
            Err(format!("is for each task, here it is for all; {FORMS}"))
        }
        None => duration(text).map(Budget::Time).map_err(|e| e.replace(TIME, FORMS)),
    }
}

/// A whole number above 0.
pub(crate) fn positive<N: FromStr + Default + PartialOrd>(text: &str) -> Result<N, String> {
    match whole::<N>(text) {
        Ok(number) if number > N::default() => Ok(number),
        Ok(_) => Err(POSITIVE.to_owned()),
        Err(_) if text.parse::<f64>().is_ok_and(|number| number <= 0.0) => Err(POSITIVE.to_owned()),
        Err(error) => Err(error),
    }
}

/// A whole number from 0 on.
pub(crate) fn whole<N: FromStr>(text: &str) -> Result<N, String> {
    text.trim().replace('_', "").parse().map_err(|_| match text.trim().parse::<f64>() {
        Ok(number) if number < 0.0 => "must not be negative".to_owned(),
        Ok(_) => "must be a whole number, and not that large".to_owned(),
        Err(_) => "is not a number".to_owned(),
    })
}

/// A whole number from 1 to `MOST`.
pub(crate) fn up_to<const MOST: u16>(text: &str) -> Result<u16, String> {
    match positive::<u16>(text)? {
        number if number <= MOST => Ok(number),
        _ => Err(at_most(MOST)),
    }
}

fn at_most(most: impl Display) -> String {
    format!("must be {most} at most")
}

/// A size such as `500kB`, `20MB` or `2GB`. A number alone is refused: five bytes are never meant.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Err(match number <= 0.0 {
            true => format!("{POSITIVE}; {SIZE}"),
            false => format!("has no unit; {SIZE}"),
        });
    }
    let place = text.find(|c: char| c.is_ascii_alphabetic()).ok_or(SIZE)?;
    let (number, unit) = text.split_at(place);
    let scale: f64 = match unit.to_ascii_lowercase().as_str() {
        "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        _ => return Err(SIZE.to_owned()),
    };
    let number: f64 = number.trim().parse().map_err(|_| SIZE)?;
    match number.is_finite() && number > 0.0 {
        true => Ok((number * scale) as u64),
        false => Err(POSITIVE.to_owned()),
    }
}

/// One of several names with commas between them; spaces around it do not count.
pub(crate) fn trimmed(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("an empty id; write them without spaces, as in --ids a,b".to_owned()),
        id => Ok(id.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("90s"), Ok(90.0));
        assert_eq!(seconds("1.5m"), Ok(90.0));
        assert_eq!(seconds("2h"), Ok(7200.0));
        assert!(seconds("7").unwrap_err().contains("has no unit"));
        assert!(seconds("5 days").is_err() && seconds("").is_err() && seconds("soon").is_err());
        for text in ["-1s", "0s", "-3", "0"] {
            assert!(seconds(text).unwrap_err().contains(POSITIVE), "{text}");
        }
    }

    #[test]
    fn budgets_are_of_all_per_task_or_generations() {
        let second = Duration::from_secs(1);
        assert_eq!(task_budget("1s"), Ok(Budget::Time(second)));
        assert_eq!(task_budget("1s/task"), Ok(Budget::PerTask(second)));
        assert_eq!(generation_budget("50g"), Ok(Budget::Generations(50)));
        assert_eq!(generation_budget("3 generations"), Ok(Budget::Generations(3)));
        assert_eq!(generation_budget("10m"), Ok(Budget::Time(600 * second)));
        assert_eq!(time_budget("10m"), Ok(600 * second));
        assert_eq!(per_task("1s/task"), Ok(second));
        let bare =
            [task_budget("60").err(), generation_budget("60").err(), time_budget("60").err()];
        for error in bare {
            let error = error.expect("a number alone is refused");
            assert!(error.contains("has no unit") && error.contains("--call-budget"), "{error}");
        }
        assert!(per_task("1s").is_err() && time_budget("1s/task").is_err());
        assert!(generation_budget("many").is_err() && generation_budget("xg").is_err());
        assert_eq!(generation_budget("0g"), Ok(Budget::Generations(0)));
        assert_eq!(task_budget("-1s/task"), Err(POSITIVE.to_owned()));
    }

    #[test]
    fn numbers_say_what_they_may_be() {
        assert_eq!(positive::<usize>("12"), Ok(12));
        assert_eq!(positive::<usize>("-1"), Err(POSITIVE.to_owned()));
        assert_eq!(positive::<usize>("0"), Err(POSITIVE.to_owned()));
        assert_eq!(whole::<u64>("-1"), Err("must not be negative".to_owned()));
        assert_eq!(whole::<u64>("x"), Err("is not a number".to_owned()));
        assert_eq!(up_to::<64>("65"), Err("must be 64 at most".to_owned()));
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("500kB"), Ok(500_000));
        assert_eq!(bytes("1.5 MB"), Ok(1_500_000));
        assert_eq!(bytes("2G"), Ok(2_000_000_000));
        assert!(bytes("77").unwrap_err().contains("has no unit"));
        assert!(bytes("-1").is_err() && bytes("lots").is_err() && bytes("1 TiB").is_err());
    }

    #[test]
    fn ids_have_no_spaces_around_them() {
        assert_eq!(trimmed(" tally "), Ok("tally".to_owned()));
        assert!(trimmed(" ").is_err());
    }
}
