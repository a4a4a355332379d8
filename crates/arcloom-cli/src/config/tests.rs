use super::*;
use crate::args::values::Budget;

fn words(text: &str) -> Vec<OsString> {
    std::iter::once("arcloom").chain(text.split_whitespace()).map(OsString::from).collect()
}

fn config(text: &str) -> Result<Config> {
    Config::read(Path::new("mine.toml"), text)
}

#[track_caller]
fn args(file: &str, typed: &str) -> Args {
    let command = config(file).expect("a good file").apply(root());
    let matches = command.try_get_matches_from(words(typed)).expect("a good command line");
    Args::from_arg_matches(&matches).expect("a good command line")
}

#[track_caller]
fn problem(file: &str, expected: &str) {
    let error = format!("{:#}", config(file).expect_err("a wrong file"));
    assert_eq!(error, expected);
}

#[test]
fn what_was_typed_wins_over_the_file_and_the_file_over_the_default() {
    let file = "[evolve]\nchildren = 7\nbudget = '3g'\ntasks = ['a', 'b']\nwithhold = true\n";
    let evolve = |typed: &str| match args(file, typed).command {
        Some(crate::args::Command::Evolve(args)) => args,
        other => panic!("{other:?}"),
    };
    let plain = evolve("evolve");
    assert_eq!((plain.children, plain.budget, plain.seed.seed), (7, Budget::Generations(3), 0));
    assert_eq!((plain.tasks.tasks, plain.withhold), (vec!["a".to_owned(), "b".to_owned()], true));
    let typed = evolve("evolve --children 9 -t c --withhold=false");
    assert_eq!(
        (typed.children, typed.tasks.tasks, typed.withhold),
        (9, vec!["c".to_owned()], false)
    );
}

#[test]
fn what_a_command_needs_may_be_in_the_file() {
    let parsed = args("[run]\nprograms = 'library:embedded'\n", "run");
    let Some(crate::args::Command::Run(run)) = parsed.command else { panic!("run") };
    assert_eq!(run.programs.programs, ["library:embedded"]);
}

#[test]
fn underscores_are_dashes() {
    let settings = config("[evolve]\ncall_budget = 1_000\n").unwrap();
    assert_eq!(settings.entries[0].values, ["1000"]);
    problem(
        "[evolve]\ncall_budget = 1\ncall-budget = 2\n",
        "mine.toml:3: `call-budget` is in line 2 already",
    );
}

#[test]
fn mistakes_are_named_with_their_place() {
    problem(
        "[evolve]\nchildern = 7\n",
        "mine.toml:2: no setting `childern` of evolve: did you mean `children`?",
    );
    problem("[evolv]\nchildren = 7\n", "mine.toml:1: no command `evolv`: did you mean `evolve`?");
    problem("colour = 'never'\n", "mine.toml:1: no setting `colour`: did you mean `color`?");
    problem("[archive.prun]\nbest = 1\n", "mine.toml:1: no command `prun`: did you mean `prune`?");
    problem(
        "\n[evolve]\nislands = 65\n",
        "mine.toml:3: `islands`: invalid value '65' for '--islands <N>': must be 64 at most",
    );
    problem(
        "[evolve]\nquiet = 'yes'\n",
        "mine.toml:2: `quiet`: true or false is meant, not a text",
    );
    problem(
        "[evolve]\nseed = [1, 2]\n",
        "mine.toml:2: `seed`: a text or a number is meant, not a list",
    );
    problem(
        "config = 'other.toml'\n",
        "mine.toml:1: no setting `config`; there are color, palette, data-dir",
    );
    let error = format!("{:#}", config("[evolve\n").unwrap_err());
    assert!(error.starts_with("mine.toml:1: "), "{error}");
}

/// There is no second list of settings, so what is printed can only be all of them; this holds it to
/// that, and to being a file that can be read again.
#[test]
fn every_option_is_a_setting_and_what_is_printed_is_a_file() {
    fn count(command: &Command) -> usize {
        let own = command.get_arguments().filter(|arg| arg.get_long().is_some()).count();
        own + command.get_subcommands().map(count).sum::<usize>()
    }
    let mut command = Args::command();
    let printer = command.find_subcommand(OPTION).map_or(0, count);
    // `--config` and `--no-config` themselves.
    let expected = count(&command) - printer - 2;
    let settings = Config::default().settings(&words("")).unwrap();
    assert_eq!(settings.len(), expected);
    let text = crate::commands::config::text(&settings);
    let again = config(&text).expect("a file of settings");
    let set = |s: &&Setting| !s.values.is_empty();
    assert_eq!(again.entries.len(), settings.iter().filter(set).count(), "{text}");
    command.build();
}

/// A file that nobody named may have come with somebody else's tasks.
#[test]
fn a_file_that_nobody_named_says_not_where_things_go() {
    let harmless = config("color = 'never'\n[evolve]\nbudget = '10s'\n").unwrap().picked_up();
    assert_eq!(harmless.expect("a good file").entries.len(), 2);
    for (table, setting) in [
        ("", "data-dir = 'x'"),
        ("[evolve]", "archive = 'x'"),
        ("[solve]", "submission = 'x'"),
        ("[solve]", "save_programs = 'x'"),
        ("[solve]", "figure = 'x.svg'"),
        ("[report]", "output = 'x'"),
        ("[run]", "trace-file = 'x'"),
        ("[serve]", "host = '0.0.0.0'"),
    ] {
        let file = config(&format!("{table}\n{setting}\n")).expect("a good file");
        let error = format!("{:#}", file.picked_up().expect_err("a place"));
        assert!(error.contains("mine.toml:2: `") && error.contains("--config"), "{error}");
    }
}

/// Every option that takes a path says whether a file that nobody named may set it.
#[test]
fn no_option_for_a_path_is_forgotten() {
    const READ: &[&str] =
        &["config", "fragments", "more_pairs", "offline", "user_differs", "wheel"];
    fn paths(command: &Command, found: &mut Vec<String>) {
        for arg in command.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let names = arg.get_value_names().unwrap_or_default();
            if names.iter().any(|name| matches!(name.as_str(), "FILE" | "DIR")) {
                found.push(arg.get_id().to_string());
            }
        }
        command.get_subcommands().for_each(|sub| paths(sub, found));
    }
    let mut found = Vec::new();
    paths(&root(), &mut found);
    assert!(found.len() > 10, "{found:?}");
    for id in found {
        let (read, named) = (READ.contains(&id.as_str()), NAMED_ONLY.contains(&id.as_str()));
        assert!(read != named, "{id}");
    }
}

#[test]
fn origins_are_said() {
    let config = config("color = 'never'\n[evolve]\nchildren = 7\nseed = 1\n").unwrap();
    let settings = config.settings(&words("evolve --seed 5")).unwrap();
    let of = |name: &str| {
        let found = settings.iter().find(|s| s.name == name).expect("a setting");
        (found.values.join(" "), found.origin.to_string())
    };
    assert_eq!(of("color"), ("never".into(), "mine.toml:1".into()));
    assert_eq!(of("children"), ("7".into(), "mine.toml:3".into()));
    assert_eq!(of("seed"), ("5".into(), "flag --seed".into()));
    assert_eq!(of("islands"), ("1".into(), "default".into()));
    assert!(settings.iter().all(|s| s.command.first().is_none_or(|name| name == "evolve")));
}
