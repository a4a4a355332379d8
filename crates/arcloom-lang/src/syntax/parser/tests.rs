//! Tests of parsing: accepted text is checked as printed, rejected text as rendered.

use std::time::Instant;

use proptest::prelude::*;

use super::*;
use crate::syntax::{Assign, Source};

/// A snippet and its printed form.
#[track_caller]
fn check(text: &str, printed: &str) {
    let snippet = parse_snippet(text).map_err(|error| error.render(&Source::new("t", text)));
    assert_eq!(snippet.map(|snippet| snippet.print()), Ok(format!("{printed}\n")), "{text:?}");
}

/// A snippet and its error, as `line:column: message`.
#[track_caller]
fn check_error(text: &str, rendered: &str) {
    let error = parse_snippet(text).map(|snippet| snippet.print()).unwrap_err();
    assert_eq!(error.render(&Source::new("t", text)), format!("t:{rendered}"), "{text:?}");
}

/// A file, the names of what it defines, and its errors.
#[track_caller]
fn check_file(text: &str, names: &str, errors: &[&str]) {
    let file = parse_file(text);
    let constants = file.constants.iter().map(|constant| constant.target.text);
    let functions = file.functions.iter().map(|function| function.name.text);
    assert_eq!(constants.chain(functions).collect::<Vec<_>>().join(" "), names, "{text:?}");
    let source = Source::new("t", text);
    let found: Vec<_> = file.errors.iter().map(|error| error.render(&source)).collect();
    let errors: Vec<_> = errors.iter().map(|error| format!("t:{error}")).collect();
    assert_eq!(found, errors, "{text:?}");
}

#[test]
fn atoms() {
    check("x1", "x1");
    check("True, False, None", "(True, False, None)");
    check("7", "7");
    check("(((7)))", "7");
}

#[test]
fn integers() {
    check("-1, - 2, 00, 1_000", "(-1, -2, 0, 1000)");
    check("0xfF, 0o17, 0b1_01, 0x_1", "(255, 15, 5, 1)");
    check(
        "9223372036854775807, -9223372036854775808",
        "(9223372036854775807, -9223372036854775808)",
    );
}

#[test]
fn calls() {
    check("f()", "f()");
    check("f(a, g(b), k=v, l=(1,))", "f(a, g(b), k=v, l=(1,))");
    check("f(x)(y)(z)", "f(x)(y)(z)");
    check("f(\n  a, # why\n  b,\n)", "f(a, b)");
    check("(lambda x: x)(3)", "(lambda x: x)(3)");
    check("(-1)(x)", "(-1)(x)");
}

#[test]
fn displays() {
    check("()", "()");
    check("(1,)", "(1,)");
    check("1,", "(1,)");
    check("((1, 2), (3, 4))", "((1, 2), (3, 4))");
    check("frozenset({1, (2,),})", "frozenset({1, (2,)})");
    check("frozenset()", "frozenset()");
}

#[test]
fn lambdas() {
    check("lambda x, y: f(y, x)", "lambda x, y: f(y, x)");
    check("lambda: 1", "lambda: 1");
    check("apply(lambda x: lambda y: (x, y), I)", "apply(lambda x: lambda y: (x, y), I)");
}

#[test]
fn snippets() {
    check("x1 = rot90(I)\nO = hmirror(x1)", "x1 = rot90(I)\nO = hmirror(x1)");
    check("x1 = rot90(I)\nhmirror(x1)", "x1 = rot90(I)\nhmirror(x1)");
    check("x1 = f(I); return x1", "x1 = f(I)");
    check("    x1: Grid = f(I)\n    O = g(x1)\n", "x1 = f(I)\nO = g(x1)");
    check("'''Doc.'''\nO = I \\\n", "O = I");
    check("x = 1, 2;", "x = (1, 2)");
}

#[test]
fn spans_cover_what_was_written() {
    let text = "x = (f)(a, (1))";
    let snippet = parse_snippet(text).unwrap();
    let Assign { target, value } = snippet.body.lines[0];
    assert_eq!(target.span.slice(text), "x");
    assert_eq!(snippet.ast.span(value).slice(text), "(f)(a, (1))");
    let file = parse_file("\n\ndef f(I):\n  return I  # done\n\n");
    assert_eq!(file.functions[0].span, Span::new(2, 22));
}

#[test]
fn examples() {
    let text = "vmirror(((1, 2),)) == ((2, 1),)  # swapped";
    let example = parse_example(text).unwrap();
    assert_eq!(example.ast.print_expr(example.left), "vmirror(((1, 2),))");
    let ExpectedResult::Value(right) = example.right else { panic!("{:?}", example.right) };
    assert_eq!(example.ast.print_expr(right), "((2, 1),)");
    assert!(matches!(parse_example("first(()) fails").unwrap().right, ExpectedResult::Fails));
    assert!(matches!(parse_example("  first(\n()) fails\n").unwrap().right, ExpectedResult::Fails));
}

#[test]
fn bad_examples() {
    #[track_caller]
    fn check(text: &str, message: &str) {
        assert_eq!(parse_example(text).unwrap_err().to_string(), message);
    }
    check("f(1)", "expected `==` or `fails`, found the end of the text");
    check("f(1) == 2 == 3", "the operator `==` is not part of solver files: call `equality(a, b)`");
    check("f(1) fails 3", "expected the end of the example, found `3`");
    check("", "expected an expression, found the end of the text");
}

#[test]
fn lines_that_are_off_are_passed_over() {
    let inside = "def g(x):\n    if x:\n        return [x]\n";
    for (text, names) in [
        ("# arcloom: off\n{}# arcloom: on\ndef f(I): return I\n", "f"),
        ("def f(I): return I\n# arcloom: off \r\n{}# arcloom: on\r\nA = 1", "A f"),
        ("def f(I): return I\n\n# arcloom: off\n{}", "f"),
        ("def f(I):\n    x = g(I)\n    # arcloom: off\n{}# arcloom: on\n    return x\n", "f"),
    ] {
        check_file(&text.replace("{}", inside), names, &[]);
    }
    let error = "`if` is not part of solver files: call `branch(condition, a, b)`";
    let text = format!("# arcloom: offer\n{inside}");
    let file = parse_file(&text);
    assert_eq!(file.errors.iter().map(|e| e.kind.to_string()).collect::<Vec<_>>(), [error]);
}

#[test]
fn files() {
    check_file("", "", &[]);
    check_file("\u{feff}# only a comment", "", &[]);
    check_file("'''Doc.'''\nfrom a.b import (c,\n d)\nimport x as y; A = 1\n", "A", &[]);
    check_file("A = 1\nB: int = (-1, A)\ndef f(I): return A\n", "A B f", &[]);
    check_file(
        "def f(I):\r\n\tx = g(I)\r\n\r\n\treturn x\r\n\x0c\r\ndef g(I): return I",
        "f g",
        &[],
    );
    check_file("def f(I):\n    '''Doc.\n\nMore.\n'''\n# margin\n    return I", "f", &[]);
}

#[test]
fn annotations_are_read_over() {
    check_file(
        "def f(a: Tuple[int, ...], b: 'Grid', c: t.Callable[[int], int] | None,) -> Dict[str, A[B]]:\n  x: List[int] = a\n  return x",
        "f",
        &[],
    );
    check_file(
        "def f(a: 1 + 2): return a",
        "",
        &["1:12: the operator `+` is not part of solver files: call `add(a, b)`"],
    );
    check_file("def f(a: ): return a", "", &["1:10: expected a type, found `)`"]);
    check_file("def f(a: B[c) -> d: return a", "", &["1:13: expected `,` or `]`, found `)`"]);
}

#[test]
fn a_bad_function_leaves_the_others() {
    check_file(
        "def a(I):\n    return I\n\ndef b(I):\n    x = f(I]\n    return x\n\ndef c(I):\n    return I\n",
        "a c",
        &["5:12: expected `,` or `)`, found `]`"],
    );
    check_file(
        "def a(I:\n    return I\ndef b(I): return I",
        "b",
        &["2:5: expected a type, found `return`"],
    );
    check_file(
        "A = (1,\ndef b(I): return I",
        "b",
        &["1:5: `(` is never closed: expected `,` or `)`, found `def`"],
    );
    check_file(
        "if __name__ == '__main__':\n    main()\nB = 2\n",
        "B",
        &["1:1: `if` is not part of solver files: call `branch(condition, a, b)`"],
    );
    check_file(
        "def a(I):\n    return ?\n    '''\ndef no(I):\n'''\nB = 2",
        "B",
        &["2:12: unexpected character `?` (U+003F): remove it"],
    );
}

#[test]
fn unclosed_brackets_point_at_the_bracket() {
    check_file(
        "def a(I):\n    x = f(I\n    y = g(x)\n    return y\ndef b(I): return I",
        "b",
        &["2:10: `(` is never closed: expected `,` or `)`, found `y`"],
    );
    check_file(
        "def a(I):\n    return f(I,\n\ndef b(I): return I",
        "b",
        &["2:13: `(` is never closed: expected `,` or `)`, found `def`"],
    );
    check_error(
        "f({1, 2",
        "1:3: `{` is never closed: expected `,` or `}`, found the end of the text",
    );
    check_error("f(1))", "1:5: expected the end of the line, found `)`");
}

#[test]
fn errors_of_top_level_lines() {
    check_file(
        "  A = 1\nB = 2",
        "B",
        &["1:3: unexpected indentation: align the line with the one before"],
    );
    check_file(
        "@cache\n@other(\ndef f(I):\n  return I\ndef g(I): return I",
        "g",
        &["1:1: decorators are not part of solver files: remove the `@` line"],
    );
    check_file("return 1\n", "", &["1:1: expected a function or an assignment, found `return`"]);
    check_file(
        "f(1)\n",
        "",
        &["1:1: the value of this line is not used: assign it to a name, as in `x1 = ...`"],
    );
    check_file("A =\nB = 2", "B", &["1:4: expected an expression, found the end of the line"]);
    check_file(
        "class A:\n  b = 1\nB = 2",
        "B",
        &["1:1: classes are not part of solver files: write functions"],
    );
}

#[test]
fn top_level_errors_name_the_offending_token() {
    check_file("a b", "", &["1:3: expected the end of the line, found `b`"]);
    check_file(
        "A += 1",
        "",
        &[
            "1:3: augmented assignment is not part of solver files: assign to a new name, as in `x2 = add(x1, 1)`",
        ],
    );
}

#[test]
fn errors_of_functions() {
    check_file("def f(I):", "", &["1:5: the function has no body: indent its lines under `def`"]);
    check_file(
        "def f(I):\nA = 1",
        "A",
        &["1:5: the function has no body: indent its lines under `def`"],
    );
    check_file(
        "def f(I):\n  x = 1\nA = 1",
        "A",
        &["1:5: the function never returns: end it with `return` and an expression"],
    );
    check_file(
        "def f(I):\n  return I\n  x = 1",
        "",
        &["3:3: nothing may follow `return`: remove the line or move it up"],
    );
    check_file(
        "def f(I):\n  g(I)\n  return I",
        "",
        &["2:3: the value of this line is not used: assign it to a name, as in `x1 = ...`"],
    );
    check_file(
        "def f(I):\n  x = 1\n    return x",
        "",
        &["3:5: unexpected indentation: align the line with the one before"],
    );
    check_file(
        "def f(I):\n    x = 1\n  return x",
        "",
        &["3:3: inconsistent indentation: align the line with the first line of its function"],
    );
    check_file(
        "def f(I):\n    x = 1\n\treturn x",
        "",
        &["3:2: inconsistent indentation: align the line with the first line of its function"],
    );
    check_file(
        "def f(I):\n  def g(x): return x\n  return I",
        "",
        &[
            "2:3: functions inside functions are not part of solver files: move the `def` to the top level or use `lambda`",
        ],
    );
    check_file(
        "def f(I):\n  import g\n  return I",
        "",
        &[
            "2:3: `import` inside a function is not part of solver files: move the line to the top of the file",
        ],
    );
    check_file("def f(I, I): return I", "", &["1:10: `I` is given twice: rename or remove one"]);
    check_file(
        "def f(I, J=2): return I",
        "",
        &["1:11: default values of parameters are not part of solver files: pass every argument"],
    );
    check_file(
        "def f(*I): return I",
        "",
        &[
            "1:7: `*` and `**` before an argument or parameter are not part of solver files: write the arguments out",
        ],
    );
    check_file("def f(I) return I", "", &["1:10: expected `:`, found `return`"]);
    check_file("def (I): return I", "", &["1:5: expected a function name, found `(`"]);
    check_file(
        "def f(I):\n  return\n",
        "",
        &["2:9: expected an expression, found the end of the text"],
    );
    check_file("def f: return 1", "", &["1:6: expected `(`, found `:`"]);
}

#[test]
fn errors_of_snippets() {
    check_error("", "1:1: nothing to evaluate: give an expression, or lines such as `O = f(I)`");
    check_error(
        "def f(I): return I",
        "1:1: `def` and `import` in a snippet are not part of solver files: put them in a file, or give the lines alone",
    );
    check_error(
        "f(I)\nx = 1",
        "1:1: the value of this line is not used: assign it to a name, as in `x1 = ...`",
    );
    check_error("x = y = 1", "1:7: expected the end of the line, found `=`");
    check_error("f(x) = 1", "1:6: expected a single name before `=`, found `=`");
    check_error(
        "a, b = x",
        "1:1: unpacking is not part of solver files: assign the tuple to one name and call `first` or `last` on it",
    );
    check_error("x: Grid", "1:8: expected `=`, found the end of the text");
    check_error("x = 1\n y = 2", "2:2: unexpected indentation: align the line with the one before");
    check_error("print x", "1:7: expected the end of the line, found `x`");
}

#[test]
fn errors_of_expressions() {
    check_error("f(a b)", "1:5: expected `,` or `)`, found `b`");
    check_error("f(,)", "1:3: expected an expression, found `,`");
    check_error(
        "f(k=1, 2)",
        "1:8: a positional argument follows a keyword argument: move it before, or give it a keyword",
    );
    check_error("f(k=1, k=2)", "1:8: `k` is given twice: rename or remove one");
    check_error("f(True=1)", "1:7: expected `,` or `)`, found `=`");
    check_error(
        "-x",
        "1:1: `-` goes before an integer literal only: call a function, such as `invert(x)`",
    );
    check_error("-5(x)", "1:3: expected the end of the line, found `(`");
    check_error("lambda x y: 1", "1:10: expected `,` or `:`, found `y`");
    check_error(
        "lambda x=1: 1",
        "1:9: default values of parameters are not part of solver files: pass every argument",
    );
    check_error("x = …", "1:5: unexpected character `…` (U+2026): remove it");
    check_error("x\0", "1:2: unexpected character `\\0` (U+0000): remove it");
    check_error("x \\ y", "1:3: a backslash must be the last character of its line");
    check_error(
        "\"\"\"abc",
        "1:1: the string is never closed: end it with the quotes it starts with",
    );
    check_error(
        "f('abc\n)",
        "1:3: the string is never closed: end it with the quotes it starts with",
    );
}

#[test]
fn errors_of_integers() {
    check_error(
        "9223372036854775808",
        "1:1: the integer `9223372036854775808` is too large: it must fit in 64 bits",
    );
    check_error(
        "-9223372036854775809",
        "1:1: the integer `9223372036854775809` is too large: it must fit in 64 bits",
    );
    check_error(
        &"9".repeat(99),
        "1:1: the integer `99999999999999999999999999999999…` is too large: it must fit in 64 bits",
    );
    for bad in ["012", "1_", "1__0", "0x", "0b2", "3x", "0x_"] {
        check_error(
            bad,
            &format!(
                "1:1: `{bad}` is not an integer: write it in decimal, or in hexadecimal after `0x`"
            ),
        );
    }
    for float in ["1.5", ".5", "1.", "1e5", "2j", "1E-3"] {
        check_error(
            float,
            "1:1: floating-point numbers are not part of solver files: use integers",
        );
    }
}

#[test]
fn the_rest_of_python_is_refused_by_name() {
    #[track_caller]
    fn check(text: &str, start: &str) {
        let message = parse_snippet(text).unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("{start} not part of solver files: ")),
            "{text}: {message}"
        );
    }
    check("for i in x: y", "`for` and `while` loops are");
    check("while x: y", "`for` and `while` loops are");
    check("if x: y", "`if` is");
    check("a if x else b", "`if` is");
    check("a and b", "`and`, `or` and `not` are");
    check("not b", "`and`, `or` and `not` are");
    check("a in b", "`in` and `is` are");
    check("class A: b", "classes are");
    check("try: x", "exceptions are");
    check("raise x", "exceptions are");
    check("assert x", "`assert` is");
    check("pass", "`pass` is");
    check("del x", "`global`, `nonlocal` and `del` are");
    check("with x: y", "asynchronous code, `with` and `yield` are");
    check("x += 1", "augmented assignment is");
    check("x //= 1", "augmented assignment is");
    check("(x := 1)", "`:=` is");
    check("x.y", "attribute access with `.` is");
    check("f(1).y", "attribute access with `.` is");
    check("x[0]", "subscripts are");
    check("[1, 2]", "lists are");
    check("f(x for x in y)", "comprehensions are");
    check("{x for x in y}", "comprehensions are");
    check("{1: 2}", "dictionaries are");
    check("{}", "dictionaries are");
    check("f(*x)", "`*` and `**` before an argument or parameter are");
    check("f(**x)", "`*` and `**` before an argument or parameter are");
    check("f('x')", "strings other than docstrings are");
    check("x = f'{y}'", "strings other than docstrings are");
    check("'a' + b", "strings other than docstrings are");
    for operator in
        ["+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", ">=", "<<", "&", "|", "^", "@"]
    {
        check(&format!("a {operator} b"), &format!("the operator `{operator}` is"));
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    const DEEP: &str =
        "nested too deeply: at most 200 levels; name the inner parts on lines of their own";
    let n = 100_000;
    for text in [
        "(".repeat(n),
        "{".repeat(n),
        "f(".repeat(n),
        "f(k=".repeat(n),
        "(lambda: ".repeat(n),
        "lambda: ".repeat(n),
        format!("x: {} = 1", "A[".repeat(n)),
        format!("f{}", "(1)".repeat(n)),
        format!("{}x{}", "(".repeat(n), ")".repeat(n)),
    ] {
        assert_eq!(parse_snippet(&text).unwrap_err().to_string(), DEEP);
    }
    check(
        &format!("{}x{}", "f(".repeat(200), ")".repeat(200)),
        &format!("{}x{}", "f(".repeat(200), ")".repeat(200)),
    );
    // Long is not deep.
    assert!(parse_snippet(&format!("f({})", "(1, 2), ".repeat(n))).is_ok());
}

#[test]
fn a_deep_function_leaves_the_others() {
    let text = format!("def a(I):\n    return {}\ndef b(I): return I", "(".repeat(100_000));
    check_file(
        &text,
        "b",
        &[
            "2:212: nested too deeply: at most 200 levels; name the inner parts on lines of their own",
        ],
    );
}

#[test]
fn names_are_limited() {
    let names: Vec<_> = (0..300).map(|i| format!("x{i}")).collect();
    let file = format!("def f({}): return 1", names.join(", "));
    assert_eq!(parse_file(&file).errors[0].kind, SyntaxErrorKind::TooManyNames);
    let call = format!("f({}=1)", names.join("=1, "));
    assert_eq!(parse_snippet(&call).unwrap_err().kind, SyntaxErrorKind::TooManyNames);
}

#[test]
fn a_list_of_errors_ends_somewhere() {
    let text = format!("{}def f(I): return I", "A =\n".repeat(MAX_ERRORS + 5));
    let file = parse_file(&text);
    assert_eq!(file.errors.len(), MAX_ERRORS + 1);
    assert_eq!(file.errors[MAX_ERRORS].kind, SyntaxErrorKind::TooManyErrors);
    assert_eq!(file.functions.len(), 1);
}

#[test]
fn bytes_that_are_not_text() {
    let bytes = b"A = 1\nB = \xc3\xa9\xff\n";
    let error = parse_bytes(bytes).unwrap_err();
    let source = Source::from_bytes("t", bytes);
    assert_eq!(error.render(&source), "t:2:6: the byte 0xff is not UTF-8: save the file as UTF-8");
    assert_eq!(parse_bytes(b"A = 1").unwrap().constants.len(), 1);
}

/// Four times the text takes about four times as long, not sixteen; the bound leaves room for noise.
#[test]
fn time_is_linear_on_hostile_text() {
    for piece in [
        "\\\"\"\"", "'''\\", "A = (\n", "def f(\n", "\n\"", "((((", ")", "\\\n", "x;", "a\n b\n",
        "#\n", "1_",
    ] {
        let seconds = |times: usize| {
            let text = piece.repeat(times / piece.len());
            let start = Instant::now();
            parse_file(&text);
            start.elapsed().as_secs_f64()
        };
        let (small, large) = (seconds(250_000), seconds(1_000_000));
        assert!(large < 10.0 * small + 0.2, "{piece:?}: {small} s, then {large} s");
    }
}

proptest! {
    #[test]
    fn any_text_is_survived(text in "\\PC{0,60}") {
        survive(&text)?;
    }

    #[test]
    fn any_tokens_are_survived(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30)) {
        survive(&pieces.concat())?;
    }
}

const PIECES: &[&str] = &[
    "def ", "return ", "f(", "(", ")", "{", "}", "[", "]", ",", "=", "==", ":", ";", "x", " ",
    "\n", "\n  ", "\n    ", "\t", "\r\n", "\r", "\\", "\\\n", "'", "\"\"\"", "#", "1", "-", "0x",
    ".", "lambda ", "é", "\0", "\x0c", "\u{feff}", "fails", "import ", "@", "->", "for ", "None",
];

/// Parses in every way; errors must point into the text, and what loads must print and load again.
fn survive(text: &str) -> Result<(), TestCaseError> {
    let source = Source::new("t", text);
    let file = parse_file(text);
    let errors = [parse_snippet(text).err(), parse_example(text).err()];
    for error in file.errors.iter().chain(errors.iter().flatten()) {
        prop_assert!(text.get(error.span.start as usize..error.span.end as usize).is_some());
        prop_assert!(!error.render(&source).contains('\n'));
        prop_assert_eq!(error.render_with_line(&source).lines().count(), 4);
    }
    prop_assert!(parse_file(&file.print()).same_as(&file));
    Ok(())
}
