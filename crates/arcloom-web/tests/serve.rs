//! The server from outside: what it shows, whom it refuses, and that nothing a client does ends it.
#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arcloom::archive::{Access, Archive};
use arcloom::{Catalog, Engine, Library, Stop};
use arcloom_web::{Contents, ServeOptions, Server, Site};

/// A server on a free port, ended when it is dropped.
struct Running {
    address: SocketAddr,
    stop: Arc<Stop>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.set();
        self.thread.take().unwrap().join().unwrap();
    }
}

/// An archive of the embedded programs with their results.
fn archive(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a.db");
    let (library, sets) = embedded();
    let engine = Engine::builder().threads(1).build().unwrap();
    let mut archive = Archive::create_or_open(&path, Access::Write).unwrap();
    archive.add(&engine.archive_records(&library, Some(&sets[0]), 1)).unwrap();
    path
}

fn embedded() -> (Library, Vec<arcloom::TaskSet>) {
    let catalog = Catalog::open(None);
    let specs = ["library:embedded".to_owned()];
    let library = Library::load(&catalog, &specs, &mut std::io::empty()).unwrap();
    (library, vec![catalog.resolve_tasks("embedded").unwrap()])
}

fn start(token: Option<&str>, archive: Option<std::path::PathBuf>) -> Running {
    let (library, sets) = embedded();
    let engine = Engine::builder().threads(1).build().unwrap();
    let palette = arcloom::draw::Palette::CLASSIC;
    let (library, others) = (library.programs, Vec::new());
    let contents = Contents { sets, library, archive, others, writable: false, engine, palette };
    let site = Site::new(contents);
    let options =
        ServeOptions { port: Some(0), token: token.map(str::to_owned), ..ServeOptions::default() };
    let server = Server::bind(site, &options).unwrap();
    let url = server.url();
    let address = url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap();
    let stop = Arc::new(Stop::default());
    let thread = std::thread::spawn({
        let stop = stop.clone();
        move || server.run(&stop).unwrap()
    });
    Running { address, stop, thread: Some(thread) }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Running {
    /// Sends bytes and reads until the server closes the connection.
    fn send(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let text = String::from_utf8_lossy(&all).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn ask(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let host = self.address.to_string();
        let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            text.push_str(&format!("Host: {host}\r\n"));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            text.push_str("Content-Type: application/x-www-form-urlencoded\r\n");
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        self.send(format!("{text}\r\n{body}").as_bytes())
    }

    fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), &[], "")
    }

    #[track_caller]
    fn serves(&self) {
        let answer = self.get("/task/ring_largest");
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(answer.body.contains("</html>"));
    }
}

fn form(task: &str, text: &str) -> String {
    let encode = |text: &str| text.bytes().map(|b| format!("%{b:02X}")).collect::<String>();
    format!("task={}&text={}", encode(task), encode(text))
}

#[test]
fn every_page_is_there_and_asks_no_one_else() {
    let server = start(None, Some(archive("pages")));
    let list = server.get("/programs").body;
    let at = list.find("/program/").unwrap() + "/program/".len();
    let id = &list[at..at + 12];
    for path in [
        "/tasks",
        "/tasks?set=embedded&state=right&q=ring&side=20&color=3",
        "/task/ring_largest",
        &format!("/task/ring_largest?program={id}"),
        "/programs",
        "/programs?q=fill&fits=1",
        "/programs?from=files&q=mirror",
        "/programs?task=ring_largest&page=9",
        &format!("/program/{id}"),
        "/program/new",
        "/program/new?task=ring_largest&pair=1",
        "/program/solve_ring_largest",
        &format!("/lineage/{id}"),
        "/runs",
        "/matrix",
        "/compare?a=solve_tally&b=solve_ring_largest&task=tally&pair=demo-2",
        "/tasks?scope=all&sort=doubt&origin=library:embedded",
        "/batt",
        "/batt?count=400",
        "/batt?ids=ring_largest,tally",
        "/batt?from=archive&count=3",
        "/dsl",
        "/dsl?q=grid",
        "/dsl/fill",
        "/dsl/objects",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert!(answer.body.ends_with("</html>"), "{path}");
        let policy = "content-security-policy: default-src 'none'; script-src 'self'";
        assert!(answer.head.contains(policy), "{path}: {}", answer.head);
        for part in ["src=\"http", "href=\"//", "@import", "style=\"", "<script>", "onclick"] {
            assert!(!answer.body.contains(part), "{path}: {part}");
        }
    }
    for name in [
        "style.css",
        "draw.css",
        "page.js",
        "thumbs.js",
        "steps.js",
        "events.js",
        "listen.js",
        "charts.js",
        "zoom.js",
    ] {
        let answer = server.get(&format!("/assets/{name}"));
        assert_eq!(answer.status, 200, "{name}");
        assert!(!answer.body.contains("http:") && !answer.body.contains("https:"), "{name}");
    }
}

#[test]
fn what_is_not_there_is_said() {
    let server = start(None, None);
    for path in [
        "/nothing",
        "/task/nothing",
        "/program/nothing",
        "/program/ffffffffffffffff",
        "/lineage/solve_ring_largest",
        "/run/1",
        "/run/x",
        "/dsl/nothing",
        "/assets/nothing.js",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/../../../../etc/passwd",
        "/task/..%2f..%2f..%2fetc%2fpasswd",
        "/program/..%2F..%2Fa.db",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"), "{path}");
    }
    let injected = server.get("/task/%3Cscript%3Ealert(1)%3C%2Fscript%3E");
    assert!(!injected.body.contains("<script>alert"), "{}", injected.body);
    let runs = server.get("/runs");
    assert!(runs.status == 200 && runs.body.contains("arcloom serve archive.db"));
    server.serves();
}

#[test]
fn programs_are_answered_at_once() {
    let server = start(None, None);
    let trace = |text: &str| server.ask("POST /trace", &[], &form("anti_diagonal", text));
    let right = trace("def solve(I):\n    return cmirror(I)\n");
    assert_eq!(right.status, 200);
    assert!(right.body.contains("✓ right") && right.body.contains("data-step"), "{}", right.body);
    let wrong = trace("O = rot90(I)");
    assert!(
        wrong.body.contains("cells wrong") && !wrong.body.contains("✓ right"),
        "{}",
        wrong.body
    );
    let failing = trace("x1 = ofcolor(I, ZERO)\nO = first(x1)");
    assert!(failing.body.contains("✗ failed") && failing.body.contains("class=\"reason\""));
    for text in [
        "",
        "O = ",
        "O = vmiror(I)",
        "((((((",
        "\u{0}\u{1}",
        "O = \"<script>\"",
        "def solve(I):\n    return",
    ] {
        let answer = trace(text);
        assert_eq!(answer.status, 200, "{text:?}");
        assert!(answer.body.contains("data-error"), "{text:?}: {}", answer.body);
        assert!(!answer.body.contains("<script>"), "{}", answer.body);
    }
    // Work that never ends is ended by the budget.
    let endless = "x1 = lbind(interval, ZERO)\nx2 = interval(ZERO, 100000, ONE)\nx3 = product(x2, x2)\nO = product(x3, x3)";
    let begun = Instant::now();
    assert_eq!(trace(endless).status, 200);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let deep = format!("O = {}I{}", "hmirror(".repeat(1500), ")".repeat(1500));
    assert_eq!(trace(&deep).status, 200);
    let value = server.ask("POST /evaluate", &[], &form("", "hmirror(((1, 2), (3, 4)))"));
    assert!(value.body.contains("<svg"), "{}", value.body);
    assert_eq!(server.ask("POST /trace", &[], "task=nothing&text=O").status, 404);
    assert_eq!(server.ask("GET /trace", &[], "").status, 405);
    server.serves();
}

#[test]
fn other_sites_are_refused() {
    let server = start(None, None);
    let here = server.address.to_string();
    let get = |headers: &[(&str, &str)]| server.ask("GET /tasks", headers, "").status;
    let body = form("anti_diagonal", "O = I");
    let post = |headers: &[(&str, &str)]| server.ask("POST /trace", headers, &body).status;
    let rebound = format!("evil.example:{}", server.address.port());
    assert_eq!(get(&[("Host", &rebound)]), 403);
    assert_eq!(get(&[("Host", "127.0.0.1")]), 403);
    assert_eq!(get(&[("Host", &format!("localhost:{}", server.address.port()))]), 200);
    assert_eq!(post(&[("Origin", &format!("http://{here}"))]), 200);
    assert_eq!(post(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(post(&[("Origin", "null")]), 403);
    assert_eq!(post(&[("Host", &rebound), ("Origin", &format!("http://{rebound}"))]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]), 200);
    let events = server.ask("GET /events", &[("Origin", "http://evil.example")], "");
    assert_eq!(events.status, 403);
}

#[test]
fn a_token_is_asked_for() {
    let server = start(Some("a-good-token"), None);
    assert_eq!(server.get("/tasks").status, 401);
    assert_eq!(server.get("/tasks?token=a-bad-token").status, 401);
    assert_eq!(server.get("/assets/style.css").status, 401);
    let answer = server.get("/tasks?set=embedded&token=a-good-token");
    assert_eq!(answer.status, 303);
    assert!(answer.head.contains("location: /tasks?set=embedded\r\n"), "{}", answer.head);
    let cookie = "arcloom_token=a-good-token; path=/; httponly; samesite=strict";
    assert!(answer.head.contains(cookie), "{}", answer.head);
    let known = |token: &str| {
        server.ask("GET /tasks", &[("Cookie", &format!("x=1; arcloom_token={token}"))], "").status
    };
    assert_eq!((known("a-good-token"), known("a-bad-token")), (200, 401));
    // No way to lead a browser elsewhere.
    let away = server.get("//evil.example/?token=a-good-token");
    assert!(!away.head.contains("location: //"), "{}", away.head);
}

#[test]
fn others_than_this_machine_need_a_token() {
    let bind = |host: &str, token: Option<&str>| {
        let (library, sets) = embedded();
        let engine = Engine::builder().threads(1).build().unwrap();
        let palette = arcloom::draw::Palette::CLASSIC;
        let contents = Contents {
            sets,
            library: library.programs,
            archive: None,
            others: Vec::new(),
            writable: false,
            engine,
            palette,
        };
        let host: IpAddr = host.parse().unwrap();
        let token = token.map(str::to_owned);
        Server::bind(Site::new(contents), &ServeOptions { host, port: Some(0), token })
    };
    assert!(!bind("127.0.0.1", None).unwrap().url().contains("token"));
    let made_up = bind("0.0.0.0", None).unwrap().url();
    assert_eq!(made_up.split("token=").nth(1).map(str::len), Some(32), "{made_up}");
    assert!(bind("0.0.0.0", Some("short")).is_err());
    let taken = bind("127.0.0.1", None).unwrap();
    let port: u16 = taken.url().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let (library, sets) = embedded();
    let engine = Engine::builder().threads(1).build().unwrap();
    let palette = arcloom::draw::Palette::CLASSIC;
    let contents = Contents {
        sets,
        library: library.programs,
        archive: None,
        others: Vec::new(),
        writable: false,
        engine,
        palette,
    };
    let options = ServeOptions { port: Some(port), ..ServeOptions::default() };
    let error = Server::bind(Site::new(contents), &options).err().unwrap().to_string();
    assert!(error.contains("choose another with --port"), "{error}");
}

#[test]
fn a_huge_post_is_refused_and_forgotten() {
    let server = start(None, None);
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let size = 100 << 20;
    write!(
        stream,
        "POST /trace HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {size}\r\n\r\n",
        server.address
    )
    .unwrap();
    let chunk = vec![b'a'; 1 << 20];
    let sent = (0..100).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).unwrap_or(0);
    let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
    // The connection may be closed before the answer is read.
    assert!(answer.is_empty() || answer.contains("413"), "{sent} MB: {answer}");
    let small = server.ask("POST /trace", &[], &form("anti_diagonal", &"#".repeat(30_000)));
    assert_eq!(small.status, 413);
    server.serves();
}

#[test]
fn bodies_that_stall_delay_nobody() {
    let server = start(None, None);
    let stalled: Vec<TcpStream> = (0..130)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            write!(
                stream,
                "POST /trace HTTP/1.1\r\nHost: {}\r\nContent-Type: \
                 application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\ntext=",
                server.address
            )
            .unwrap();
            stream
        })
        .collect();
    let begun = Instant::now();
    server.serves();
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    drop(stalled);
}

#[test]
fn pages_are_data_for_those_who_ask() {
    let server = start(None, Some(archive("data")));
    let ask = |path: &str, kind: &str| server.ask(&format!("GET {path}"), &[("Accept", kind)], "");
    for path in ["/tasks", "/task/ring_largest", "/programs", "/runs", "/matrix", "/dsl/fill"] {
        let data = ask(path, "application/json");
        assert_eq!(data.status, 200, "{path}");
        assert!(data.head.contains("content-type: application/json"), "{path}: {}", data.head);
        assert!(data.body.starts_with('{') && data.body.contains("\"schema\":"), "{}", data.body);
        // What a browser sends.
        let page = ask(path, "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8");
        assert!(page.body.ends_with("</html>"), "{path}");
    }
    let missing = ask("/task/nothing", "application/json");
    assert!(missing.status == 404 && missing.body.contains("\"error\""), "{}", missing.body);
}

#[test]
fn nothing_is_saved_unless_that_was_asked_for() {
    let path = archive("saving");
    let server = start(None, Some(path.clone()));
    let refused = server.ask("POST /save", &[], &form("tally", "O = rot90(I)"));
    assert_eq!(refused.status, 409, "{}", refused.body);
    drop(server);

    let (library, sets) = embedded();
    let engine = Engine::builder().threads(1).build().unwrap();
    let palette = arcloom::draw::Palette::CLASSIC;
    let (library, others, archive) = (library.programs, Vec::new(), Some(path.clone()));
    let contents = Contents { sets, library, archive, others, writable: true, engine, palette };
    let options = ServeOptions { port: Some(0), ..ServeOptions::default() };
    let server = Server::bind(Site::new(contents), &options).unwrap();
    let url = server.url();
    let token = url.split("token=").nth(1).unwrap().to_owned();
    let address = url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap();
    let stop = Arc::new(Stop::default());
    let thread = std::thread::spawn({
        let stop = stop.clone();
        move || server.run(&stop).unwrap()
    });
    let server = Running { address, stop, thread: Some(thread) };
    let cookie = format!("arcloom_token={token}");
    let save = |cookie: &str| {
        let body = form("tally", "x1 = rot90(I)\nO = rot180(x1)");
        server.ask("POST /save", &[("Cookie", cookie)], &body)
    };
    assert_eq!(save("").status, 401, "a token is needed on this machine too");
    let writer = Archive::create_or_open(&path, Access::Write).unwrap();
    let refused = save(&cookie);
    assert!(refused.status == 409 && refused.body.contains("Another process"), "{}", refused.body);
    drop(writer);
    let saved = save(&cookie);
    assert!(saved.status == 200 && saved.body.contains("/program/"), "{}", saved.body);
    let archive = Archive::create_or_open(&path, Access::Read).unwrap();
    let found =
        arcloom::archive::PageQuery { text: "rot180".to_owned(), limit: 5, ..Default::default() };
    let page = archive.page(&found).unwrap();
    assert!(page.programs.iter().any(|program| program.source == "viewer"));
}

#[test]
fn nonsense_leaves_it_serving() {
    let server = start(None, None);
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /trace HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(bytes).unwrap();
        drop(stream);
    }
    let long = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "a".repeat(100_000), server.address);
    let mut stream = TcpStream::connect(server.address).unwrap();
    let _ = stream.write_all(long.as_bytes());
    drop(stream);
    server.serves();
}

#[test]
fn a_thousand_requests_at_once_are_answered() {
    let server = start(None, None);
    let threads: Vec<JoinHandle<u16>> = (0..1000)
        .map(|n| {
            let address = server.address;
            let ask = move || {
                let path =
                    ["/task/ring_largest", "/dsl/fill", "/program/solve_tally", "/batt"][n % 4];
                let mut stream = TcpStream::connect(address).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                write!(
                    stream,
                    "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
                )
                .unwrap();
                let mut all = String::new();
                stream.read_to_string(&mut all).unwrap();
                all.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
            };
            std::thread::Builder::new().stack_size(128 << 10).spawn(ask).unwrap()
        })
        .collect();
    let statuses: Vec<u16> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    // Under load some may be told to come back; none is dropped.
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses.iter().filter(|status| **status == 200).count() >= 500);
    server.serves();
}

#[test]
fn clients_that_stop_reading_leave_it_serving() {
    let server = start(None, Some(archive("stalled")));
    let stalled: Vec<TcpStream> = (0..100)
        .map(|n| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let path = ["/dsl", "/tasks", "/batt?count=32"][n % 3];
            for _ in 0..20 {
                write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
            }
            stream
        })
        .collect();
    let silent: Vec<TcpStream> =
        (0..100).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let begun = Instant::now();
    for _ in 0..5 {
        server.serves();
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    drop((stalled, silent));
}

/// A program with more to do than it is given time for, every step within its budget.
fn long_program() -> String {
    let call = |n: usize| format!("valmax(a, chain(size, rbind(repeat, 3), rbind(add, x{n})))");
    let steps: String = (1..300).map(|n| format!("x{n} = {}\n", call(n - 1))).collect();
    format!("a = interval(0, 80000, 1)\nx0 = 0\n{steps}O = canvas(x299, (1, 1))")
}

/// Asks for the steps of a program and does not wait for the answer.
fn ask_for_trace(server: &Running, program: &str) -> TcpStream {
    let body = form("tally", program);
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(
        stream,
        "POST /trace HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: \
         application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    )
    .unwrap();
    stream
}

/// One request more than are worked on at once.
fn more_than_turns() -> usize {
    2 * std::thread::available_parallelism().map_or(2, usize::from) + 1
}

#[test]
fn slow_programs_are_stopped_and_leave_it_serving() {
    let server = start(None, None);
    let ranks = "a = asindices(canvas(0, (30, 30)))\np = product(a, a)\nf = lbind(get_rank, p)\n\
                 r = apply(f, interval(0, 100000, 1))\nO = canvas(size(r), (1, 1))";
    for (program, words) in [(ranks, "over budget"), (&long_program(), "Stopped after 3 s")] {
        let asked: Vec<TcpStream> =
            (0..more_than_turns()).map(|_| ask_for_trace(&server, program)).collect();
        for mut stream in asked {
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains(words), "{answer}");
        }
        assert_eq!(server.get("/tasks").status, 200);
    }
}

#[test]
fn whoever_leaves_gives_up_the_turn() {
    let server = start(None, None);
    let program = long_program();
    // If each of them took its three seconds, the page would have to wait longer than anybody may.
    let gone: Vec<TcpStream> =
        (0..20 * more_than_turns()).map(|_| ask_for_trace(&server, &program)).collect();
    std::thread::sleep(Duration::from_millis(300));
    // All turns are taken: as long as the others are there, the page waits behind them.
    let mut page = TcpStream::connect(server.address).unwrap();
    page.set_read_timeout(Some(Duration::from_millis(1_200))).unwrap();
    write!(page, "GET /tasks HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).unwrap();
    let waited = page.read(&mut [0]).unwrap_err();
    assert!(matches!(waited.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{waited}");
    drop((gone, page));
    let begun = Instant::now();
    assert_eq!(server.get("/tasks").status, 200);
    println!("answered {:?} after the others had left", begun.elapsed());
}
