//! The grant `http` under a real `hookbox run`, against servers on loopback that are granted by name, and some that are not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod server;

use hookbox_tests::{Place, Ran};
use serde_json::{Value, json};
use server::{Request, Server, answer};
use std::io::Write;
use std::thread;
use std::time::Duration;

/// Runs the guest on an event, with these hosts granted.
fn run(request: &Request<'_>, hosts: &[&str], timeout: f64) -> (Ran, Value) {
    let place = Place::new();
    let file = place.write("guest.wasm", request.component());
    place.configure(&json!({
        "hooks": { "PreToolUse": [{ "hooks": [{ "type": "wasm", "plugin": "p", "timeout": timeout }] }] },
        "plugins": { "p": { "source": file, "grants": { "http": hosts } } },
    }));
    let mut command = place.command(&["run"]);
    // What would lead every request of another client to a server of the environment's choice.
    for name in [
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ] {
        command.env(name, "http://127.0.0.1:9");
    }
    let ran = place.end(command, place.tool_event("PreToolUse", "ls").to_string().as_bytes());
    let result = ran.result(0);
    (ran, result)
}

/// What the answer's body says.
fn said(request: &Request<'_>, hosts: &[&str]) -> String {
    let (ran, result) = run(request, hosts, 120.0);
    assert!(result["failure"].is_null() && result["decision"] == "deny", "{ran:?}");
    result["reason"].as_str().unwrap().trim_start_matches("p: ").to_string()
}

/// The error that the plugin got.
fn error(request: &Request<'_>, hosts: &[&str]) -> String {
    let (ran, result) = run(request, hosts, 120.0);
    assert_eq!(
        (ran.code, &result["failure"]["kind"]),
        (Some(2), &json!("Plugin")),
        "{ran:?}"
    );
    let message = result["failure"]["message"].as_str().unwrap().to_string();
    message.trim_start_matches("failed: ").to_string()
}

fn fine() -> Server {
    Server::start(|_, _| answer("200 OK", "", "fine"))
}

#[test]
fn a_granted_host_is_called() {
    let server = Server::start(|_, request| answer("201 Created", "x: y\r\n", request));
    let request = Request {
        method: "POST",
        url: &server.at("/a?b=c#d"),
        headers: &[("authorization", "Bearer SECRET"), ("x-a", "b")],
        body: 3,
        status: 201,
        times: 1,
    };
    let said = said(&request, &[&server.grant()]).to_ascii_lowercase();
    assert!(
        said.starts_with("post /a?b=c http/1.1\n") || said.starts_with("post /a?b=c http/1.1\r\n"),
        "{said}"
    );
    for header in [
        &format!("host: {}", server.grant()),
        "authorization: bearer secret",
        "x-a: b",
        "content-length: 3",
    ] {
        assert!(said.contains(header), "{header}: {said}");
    }
    assert_eq!(server.connections(), 1);
}

#[test]
fn localhost_is_loopback_by_name() {
    let server = fine();
    let url = format!("http://localhost:{}/", server.port);
    assert_eq!(
        said(&Request::get(&url), &[&format!("localhost:{}", server.port)]),
        "fine"
    );
}

#[test]
fn what_is_not_granted_is_not_connected_to() {
    let server = fine();
    let port = server.port;
    let other = port.wrapping_add(1).max(1);
    for (hosts, url, says) in [
        (
            vec!["example.com".to_string()],
            server.at("/"),
            "not granted: 127.0.0.1",
        ),
        (
            vec![format!("127.0.0.1:{other}")],
            server.at("/"),
            "not granted: 127.0.0.1",
        ),
        (vec!["127.0.0.1".into()], server.at("/"), "by http"),
        (
            vec![format!("127.0.0.2:{port}")],
            server.at("/"),
            "not granted: 127.0.0.1",
        ),
        (
            vec![format!("*.localhost:{port}")],
            format!("http://localhost:{port}/"),
            "not granted: localhost",
        ),
        (
            vec![format!("127.0.0.1:{port}")],
            format!("http://localhost:{port}/"),
            "not granted: localhost",
        ),
        (
            vec![format!("localhost:{port}")],
            server.at("/"),
            "not granted: 127.0.0.1",
        ),
        (
            vec![server.grant()],
            format!("http://{}@example.com/", server.grant()),
            "names a user",
        ),
        (
            vec![server.grant()],
            format!("http://user:SECRET@127.0.0.1:{port}/"),
            "names a user",
        ),
        (
            vec![server.grant()],
            format!("http://2130706433:{port}/"),
            "the host is not a name",
        ),
        (
            vec![server.grant()],
            format!("http://0x7f000001:{port}/"),
            "the host is not a name",
        ),
        (
            vec![server.grant()],
            format!("http://127.1:{port}/"),
            "the host is not a name",
        ),
        (
            vec![server.grant()],
            format!("http://0177.0.0.1:{port}/"),
            "the host is not a name",
        ),
        (
            vec![server.grant()],
            format!("http://127.0.0.1.:{port}/"),
            "the host is not a name",
        ),
        (
            vec![server.grant()],
            format!("http://127。0。0。1:{port}/"),
            "must be written as %XX",
        ),
        (
            vec![server.grant()],
            format!("http://127.0.0.1\\@example.com:{port}/"),
            "must be written as %XX",
        ),
        (
            vec![server.grant()],
            format!("http://127.0.0.1:0{port}/"),
            "the port is not a number",
        ),
        (
            vec![server.grant()],
            format!("http://127.0.0.1:{port}:80/"),
            "the port is not a number",
        ),
        (
            vec![server.grant()],
            format!("ftp://127.0.0.1:{port}/"),
            "does not begin with",
        ),
        (
            vec![server.grant()],
            format!("//127.0.0.1:{port}/"),
            "does not begin with",
        ),
        (vec![server.grant()], server.at("/a b"), "must be written as %XX"),
        (vec![server.grant()], server.at("/\r\nx: y"), "must be written as %XX"),
        (
            vec![server.grant()],
            server.at(&format!("/{}", "a".repeat(9000))),
            "more than 8192 bytes",
        ),
    ] {
        let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
        let why = error(&Request::get(&url), &hosts);
        assert!(why.contains(says), "{url}: {why}");
        assert!(!why.contains("SECRET"), "{url}: {why}");
    }
    assert_eq!(server.connections(), 0);
}

#[test]
fn a_name_at_a_private_address_is_refused_unless_the_address_is_granted_too() {
    let server = fine();
    let (name, address) = (hostname(), server.grant());
    let url = format!("http://{name}:{}/", server.port);
    let name = format!("{name}:{}", server.port);
    let why = error(&Request::get(&url), &[&name]);
    assert!(why.contains("private address") || why.contains("not found"), "{why}");
    assert_eq!(server.connections(), 0);
    // Where the machine's name is loopback's, naming both opens it.
    if why.contains("private address") {
        let (_, result) = run(&Request::get(&url), &[&name, &address], 120.0);
        let opened = result["reason"] == "p: fine";
        assert_eq!(server.connections(), usize::from(opened), "{result}");
    }
}

/// A name other than `localhost` that this machine may know as its own.
fn hostname() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plain && name.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        name
    } else {
        "ip6-localhost".into()
    }
}

#[test]
fn a_redirect_is_an_answer_and_is_not_followed() {
    let other = fine();
    let to = other.at("/");
    let server = Server::start(move |line, _| {
        let status = if line.starts_with("GET") {
            "302 Found"
        } else {
            "307 Temporary Redirect"
        };
        answer(status, &format!("location: {to}\r\n"), "moved")
    });
    let url = server.at("/");
    for (method, status) in [("GET", 302), ("POST", 307)] {
        let request = Request {
            method,
            status,
            body: usize::from(method == "POST"),
            ..Request::get(&url)
        };
        assert_eq!(said(&request, &[&server.grant(), &other.grant()]), "moved");
    }
    assert_eq!((server.connections(), other.connections()), (2, 0));
}

#[test]
fn an_answer_is_bounded() {
    let mib = 1 << 20;
    for (body, says) in [
        (
            answer("200 OK", "", &"x".repeat(mib + 1)),
            Some("the answer has more than 1048576 bytes"),
        ),
        (answer("200 OK", "", &"x".repeat(mib)), None),
        (
            answer("200 OK", &format!("x: {}\r\n", "y".repeat(40 << 10)), ""),
            Some("the headers of the answer"),
        ),
        (b"SSH-2.0-OpenSSH\r\n\r\n".to_vec(), Some("the answer is not HTTP")),
        (
            b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort".to_vec(),
            Some("127.0.0.1"),
        ),
        (Vec::new(), Some("127.0.0.1")),
    ] {
        let server = Server::start(move |_, _| body.clone());
        match says {
            Some(says) => {
                let why = error(&Request::get(&server.at("/")), &[&server.grant()]);
                assert!(why.contains(says), "{says}: {why}");
            }
            None => assert_eq!(
                said(&Request::get(&server.at("/")), &[&server.grant()]),
                "x".repeat(4096)
            ),
        }
    }
    let endless = Server::serve(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        while stream
            .write_all(b"1000\r\n")
            .and_then(|()| stream.write_all(&[b'x'; 4096]))
            .and_then(|()| stream.write_all(b"\r\n"))
            .is_ok()
        {}
    });
    let why = error(&Request::get(&endless.at("/")), &[&endless.grant()]);
    assert!(why.contains("the answer has more than 1048576 bytes"), "{why}");
}

#[test]
fn a_request_is_bounded() {
    let server = fine();
    let url = server.at("/");
    let long = "x".repeat(16 << 10);
    for (request, says) in [
        (
            Request {
                method: "POST",
                body: (1 << 20) + 1,
                ..Request::get(&url)
            },
            "the body has more than 1048576 bytes",
        ),
        (
            Request {
                headers: &[("a", &long), ("b", &long)],
                ..Request::get(&url)
            },
            "the headers have more than 32768 bytes",
        ),
        (
            Request {
                headers: &[("Host", "example.com")],
                ..Request::get(&url)
            },
            "the header `host` is hookbox's own",
        ),
        (
            Request {
                headers: &[("Transfer-Encoding", "chunked")],
                ..Request::get(&url)
            },
            "`transfer-encoding` is hookbox's own",
        ),
        (
            Request {
                headers: &[("x", "SECRET\r\ny: z")],
                ..Request::get(&url)
            },
            "the header `x` cannot be sent",
        ),
        (
            Request {
                headers: &[("x y", "SECRET")],
                ..Request::get(&url)
            },
            "the name of a header cannot be sent",
        ),
        (
            Request {
                method: "CONNECT",
                ..Request::get(&url)
            },
            "the method is none of GET",
        ),
        (
            Request {
                method: "GET / HTTP/1.1\r\nx: y\r\n\r\n",
                ..Request::get(&url)
            },
            "the method is none of GET",
        ),
    ] {
        let why = error(&request, &[&server.grant()]);
        assert!(why.contains(says), "{says}: {why}");
        assert!(!why.contains("SECRET"), "{why}");
    }
    assert_eq!(server.connections(), 0);
    let many = Request {
        times: 17,
        ..Request::get(&url)
    };
    assert!(error(&many, &[&server.grant()]).contains("no more requests are sent in this event"));
    assert_eq!(server.connections(), 16);
}

#[test]
fn a_slow_server_is_left_at_the_deadline() {
    let silent = Server::serve(|stream| {
        thread::sleep(Duration::from_secs(600));
        drop(stream);
    });
    let dripping = Server::serve(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    for server in [silent, dripping] {
        let (ran, result) = run(&Request::get(&server.at("/")), &[&server.grant()], 0.5);
        let kind = result["failure"]["kind"].as_str().unwrap_or_default();
        let message = result["failure"]["message"].as_str().unwrap_or_default();
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(kind == "TimedOut" || message.contains("no answer in time"), "{ran:?}");
    }
}

#[test]
fn a_closed_port_is_an_error() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let why = error(
        &Request::get(&format!("http://127.0.0.1:{port}/")),
        &[&format!("127.0.0.1:{port}")],
    );
    assert!(why.starts_with(&format!("127.0.0.1:{port}: ")), "{why}");
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_refused() {
    let made = rcgen::generate_simple_self_signed(["localhost".into(), "127.0.0.1".into()]).unwrap();
    let key = rustls::pki_types::PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let config = std::sync::Arc::new(config);
    let (heard, hears) = std::sync::mpsc::channel();
    let server = Server::serve(move |mut stream| {
        let mut connection = rustls::ServerConnection::new(std::sync::Arc::clone(&config)).unwrap();
        let mut tls = rustls::Stream::new(&mut connection, &mut stream);
        let mut bytes = [0; 1];
        let _ = heard.send(std::io::Read::read(&mut tls, &mut bytes).unwrap_or(0));
    });
    for host in ["localhost", "127.0.0.1"] {
        let url = format!("https://{host}:{}/SECRET", server.port);
        let why = error(&Request::get(&url), &[&format!("{host}:{}", server.port)]);
        assert!(why.contains("certificate") && !why.contains("SECRET"), "{why}");
        assert_eq!(
            hears.recv_timeout(Duration::from_secs(60)).unwrap(),
            0,
            "nothing of the request is sent"
        );
    }
}
