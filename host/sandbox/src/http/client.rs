//! Sends a request that is granted: one connection, to an address that was checked, without proxies and redirects.

use super::Call;
use crate::bindings::hookbox::hook::http::Response;
use crate::limits::{HTTP_BODY, HTTP_HEADERS};
use hookbox_protocol::hosts::{Host, may_connect};
use std::io::Read;
use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Instant;
use ureq::config::Config;
use ureq::http::{HeaderName, HeaderValue, Request, Uri};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{Connector, NextTimeout, RustlsConnector, TcpConnector};
use ureq::{Agent, Error};

/// Characters of a text of the system or of TLS that an error carries.
const DETAIL: usize = 200;

/// Gives the addresses that were checked, whatever the name stands for by now.
#[derive(Debug)]
struct Checked(Vec<SocketAddr>);

impl Resolver for Checked {
    fn resolve(&self, _: &Uri, _: &Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let mut addresses = self.empty();
        // As many as the array takes.
        self.0.iter().take(16).for_each(|address| addresses.push(*address));
        Ok(addresses)
    }
}

pub(super) fn send(call: &Call) -> Result<Response, String> {
    let begun = Instant::now();
    let addresses = addresses(call)?;
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_idle_connections(0)
        .max_response_header_size(HTTP_HEADERS)
        .user_agent("hookbox")
        .timeout_global(Some(call.timeout.saturating_sub(begun.elapsed())))
        .build();
    // No connector for a proxy in the chain: nothing of the environment leads a call elsewhere.
    let connector = TcpConnector::default().chain(RustlsConnector::default());
    let agent = Agent::with_parts(config, connector, Checked(addresses));
    let mut request = Request::builder().method(call.method.as_str()).uri(call.target.url());
    for (name, value) in &call.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| "the name of a header cannot be sent")?;
        let mut value = HeaderValue::from_str(value).map_err(|_| format!("the header `{name}` cannot be sent"))?;
        value.set_sensitive(true);
        request = request.header(name, value);
    }
    let unfit = "the request cannot be sent";
    let answer = if call.body.is_empty() {
        agent.run(request.body(()).map_err(|_| unfit)?)
    } else {
        agent.run(request.body(call.body.as_slice()).map_err(|_| unfit)?)
    };
    let answer = answer.map_err(|error| text(&error))?;
    let (parts, body) = answer.into_parts();
    let header = |(name, value): (&HeaderName, &HeaderValue)| {
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let mut bytes = Vec::new();
    let read = body.into_reader().take(HTTP_BODY as u64 + 1).read_to_end(&mut bytes);
    if let Err(error) = read {
        return Err(text(&Error::from(error)));
    }
    if bytes.len() > HTTP_BODY {
        return Err(format!("the answer has more than {HTTP_BODY} bytes"));
    }
    Ok(Response {
        status: parts.status.as_u16(),
        headers: parts.headers.iter().map(header).collect(),
        body: bytes,
    })
}

/// The addresses of the host that the call may connect to.
fn addresses(call: &Call) -> Result<Vec<SocketAddr>, String> {
    let target = &call.target;
    let found: Vec<SocketAddr> = match &target.host {
        Host::Address(address) => vec![SocketAddr::new(*address, target.port)],
        Host::Name(name) => match (name.as_str(), target.port).to_socket_addrs() {
            Ok(found) => found.collect(),
            Err(_) => Vec::new(),
        },
    };
    if found.is_empty() {
        return Err("the host is not found".into());
    }
    let allowed: Vec<SocketAddr> = found
        .into_iter()
        .filter(|address| may_connect(&call.grants, target, address.ip()))
        .collect();
    if allowed.is_empty() {
        return Err(
            "the host is at a private address, which was not granted\nhint: grant the address beside the name".into(),
        );
    }
    Ok(allowed)
}

/// What became of a request, without any of it.
fn text(error: &Error) -> String {
    let detail = |text: String| text.chars().take(DETAIL).collect::<String>();
    match error {
        Error::Timeout(_) => "no answer in time".into(),
        Error::LargeResponseHeader(..) => format!("the headers of the answer have more than {HTTP_HEADERS} bytes"),
        Error::Protocol(_) => "the answer is not HTTP".into(),
        Error::Tls(why) => format!("TLS: {why}"),
        Error::Rustls(why) => format!("TLS: {}", detail(why.to_string())),
        Error::Io(why) => detail(why.to_string()),
        _ => "the request failed".into(),
    }
}
