//! Requests to the viewer, sent to a server of this process: each is answered or hung up on.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use arcloom::draw::Palette;
use arcloom::{Catalog, Engine, Library, Stop};
use arcloom_web::{Contents, ServeOptions, Server, Site};

/// A server with the tasks that are built in.
fn server() -> SocketAddr {
    static SERVER: OnceLock<SocketAddr> = OnceLock::new();
    *SERVER.get_or_init(|| {
        let catalog = Catalog::open(None);
        let tasks = catalog.resolve_tasks("embedded").expect("they are built in");
        let library = Library::load(&catalog, &["library:embedded".to_owned()], &mut std::io::empty());
        let contents = Contents {
            sets: vec![tasks],
            library: library.expect("it is built in").programs,
            archive: None,
            others: Vec::new(),
            writable: false,
            engine: Engine::builder().threads(1).build().expect("an engine"),
            palette: Palette::default(),
        };
        let options = ServeOptions { port: Some(0), ..ServeOptions::default() };
        let server = Server::bind(Site::new(contents), &options).expect("a free port");
        let url = server.url();
        let address = url.trim_start_matches("http://").trim_end_matches('/');
        let address = address.parse().expect("an address");
        std::thread::spawn(move || server.run(&Stop::default()));
        address
    })
}

pub(crate) fn run(data: &[u8]) {
    let address = server();
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(15))).expect("a timeout");
    // `HOST` in a request stands for the address, which only the server of this run has.
    let text = String::from_utf8_lossy(data).replace("HOST", &address.to_string());
    let _ = stream.write_all(text.as_bytes());
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = [0; 64];
    match stream.read(&mut answer) {
        Ok(n) if n >= 8 => assert!(answer.starts_with(b"HTTP/1."), "{answer:?}"),
        Ok(_) => {}
        Err(cause) => assert!(cause.kind() != std::io::ErrorKind::WouldBlock, "no answer"),
    }
}
