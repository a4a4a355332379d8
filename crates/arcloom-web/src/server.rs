//! Connections: how many, how long, and how they end.
//!
//! | bound | why |
//! |---|---|
//! | [`CONNECTIONS`] at once, others wait to be accepted | a thousand requests in parallel |
//! | [`HEAD`] for the head of a request | a client that says nothing |
//! | [`WRITE`] in which not one byte can be sent | a client that stops reading |
//! | [`REQUEST`] for a whole answer, its body read | a client that sends slowly |
//!
//! `routes.rs` bounds the bodies and the work.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use arcloom::Stop;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep};

use crate::guard::Guard;
use crate::routes;
use crate::site::Site;

/// Most connections at once. Each may hold a page of a megabyte that its client does not read.
const CONNECTIONS: usize = 128;
/// Most that wait to be accepted; the system may allow fewer.
const WAITING: i32 = 4096;
/// Longest wait for the head of a request.
const HEAD: Duration = Duration::from_secs(5);
/// Longest time in which nothing can be sent.
const WRITE: Duration = Duration::from_secs(10);
/// Longest time for one answer, unless it is a stream of events.
pub(crate) const REQUEST: Duration = Duration::from_secs(30);
/// Largest head of a request.
const HEAD_BYTES: usize = 32 << 10;
/// The port that is tried first.
const PORT: u16 = 8732;

/// Where to listen, and who may come.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address to listen on. Any other than a loopback address makes a token necessary.
    pub host: IpAddr,
    /// The port; `None` for 8732, or any free one when that is taken.
    pub port: Option<u16>,
    /// What a visitor has to know. One is made up where it is necessary and not given: on other than
    /// loopback addresses, and where programs may be saved.
    pub token: Option<String>,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port: None, token: None }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or not this machine's.
    #[error("cannot listen on {address} ({cause}); choose another with --port or --host")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
    /// The caller's: a token that would not keep anyone out.
    #[error("the token is too short or has unusual characters; use 8 or more letters and digits")]
    Token,
    /// The system's.
    #[error("cannot start the server ({0})")]
    Start(io::Error),
}

/// A bound address, ready to serve a site.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    site: Arc<Site>,
}

impl Server {
    /// Takes the address.
    pub fn bind(site: Site, options: &ServeOptions) -> Result<Server, ServeError> {
        let token = match &options.token {
            Some(token) if !Guard::good(token) => return Err(ServeError::Token),
            Some(token) => Some(token.clone()),
            // Whoever writes has to be told apart from whoever is on this machine.
            None if options.host.is_loopback() && !site.writable => None,
            None => Some(Guard::make_token().map_err(ServeError::Start)?),
        };
        let listen = |port| TcpListener::bind(SocketAddr::new(options.host, port));
        let wanted = SocketAddr::new(options.host, options.port.unwrap_or(PORT));
        let bound = match (listen(wanted.port()), options.port) {
            (Err(cause), None) if cause.kind() == io::ErrorKind::AddrInUse => listen(0),
            (bound, _) => bound,
        };
        let listener = bound.map_err(|cause| ServeError::Bind { address: wanted, cause })?;
        // The usual queue of 128 resets some of a thousand that come at once.
        SockRef::from(&listener).listen(WAITING).map_err(ServeError::Start)?;
        let address = listener.local_addr().map_err(ServeError::Start)?;
        let guard = Guard::new(address, token);
        Ok(Server { listener, address, guard, site: Arc::new(site) })
    }

    /// The address to open, with the token if there is one.
    pub fn url(&self) -> String {
        // Nobody can open the address that means all addresses.
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        };
        let address = SocketAddr::new(host, self.address.port());
        match self.guard.token() {
            Some(token) => format!("http://{address}/?token={token}"),
            None => format!("http://{address}/"),
        }
    }

    /// Serves until `stop` is set.
    pub fn run(self, stop: &Stop) -> Result<(), ServeError> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(cores.min(4))
            .max_blocking_threads(2 * cores + 2)
            .enable_all()
            .build()
            .map_err(ServeError::Start)?;
        let served = runtime.block_on(self.accept(stop));
        // Streams of events never end by themselves.
        runtime.shutdown_timeout(Duration::from_millis(200));
        served.map_err(ServeError::Start)
    }

    async fn accept(self, stop: &Stop) -> io::Result<()> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let service = TowerToHyperService::new(routes::router(self.site, self.guard));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        loop {
            let next = async {
                let place = room.clone().acquire_owned().await;
                (place, listener.accept().await)
            };
            let (place, accepted) = tokio::select! {
                next = next => next,
                () = stopped(stop) => return Ok(()),
            };
            let Ok((stream, _)) = accepted else {
                // Out of file handles, or the client is gone: others may still come.
                sleep(Duration::from_millis(20)).await;
                continue;
            };
            let service = service.clone();
            tokio::spawn(async move {
                let _place = place;
                let _ = stream.set_nodelay(true);
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(HEAD)
                    .max_buf_size(HEAD_BYTES)
                    .serve_connection(TokioIo::new(Patient::new(stream)), service);
                // How a connection ends is the client's business.
                let _ = connection.await;
            });
        }
    }
}

async fn stopped(stop: &Stop) {
    while !stop.is_set() {
        sleep(Duration::from_millis(50)).await;
    }
}

/// A connection that is given up when nothing can be sent for a while.
struct Patient {
    stream: TcpStream,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream) -> Patient {
        Patient { stream, stuck: None }
    }

    fn wait<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stuck = None;
            return polled;
        }
        let until = self
            .stuck
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + WRITE)));
        match until.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wait(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.stream).poll_flush(context);
        self.wait(context, polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
