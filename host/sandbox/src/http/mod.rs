//! The import `http`: requests to hosts that the grant names, and to nothing else.
//!
//! What is asked for is checked here, before anything is opened; [`client`] connects to the addresses that were checked. No
//! message names more of a request than its host and port: the rest may be a secret.

mod client;

use crate::bindings::hookbox::hook::http::{Host, Request, Response};
use crate::limits::{HTTP_BODY, HTTP_HEADERS};
use crate::state::State;
use hookbox_protocol::hosts::{HostGrant, Target, may_call};
use std::time::Duration;

const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Headers that say how the message is carried, or who is called: they are hookbox's own.
const OWN_HEADERS: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// A request that is granted.
struct Call {
    target: Target,
    grants: Vec<HostGrant>,
    method: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// From the start of the call, looking the name up included.
    timeout: Duration,
}

impl Host for State {
    async fn send(&mut self, request: Request) -> wasmtime::Result<Result<Response, String>> {
        self.work(size(&request.headers) + request.url.len() + request.body.len(), 1)?;
        let call = match self.check(request) {
            Ok(call) => call,
            Err(why) => return Ok(Err(why)),
        };
        let called = call.target.to_string();
        // On a thread of its own: the deadline does not wait for a name server or a socket.
        let answer = tokio::task::spawn_blocking(move || client::send(&call)).await;
        let answer = answer
            .unwrap_or_else(|_| Err("the request broke off".into()))
            .map_err(|why| format!("{called}: {why}"));
        if let Ok(response) = &answer {
            self.work(size(&response.headers) + response.body.len(), 1)?;
        }
        Ok(answer)
    }
}

fn size(headers: &[(String, String)]) -> usize {
    headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum()
}

impl State {
    /// The request, where it may be sent.
    fn check(&mut self, request: Request) -> Result<Call, String> {
        // What `configure` leaves is kept for every event: it must not rest on what a server said once.
        if self.event.is_none() {
            return Err("no request is sent before there is an event".into());
        }
        let target = Target::parse(&request.url).map_err(|error| error.to_string())?;
        let grants: Vec<HostGrant> = self
            .grants
            .http
            .iter()
            .filter_map(|host| HostGrant::parse(host).ok())
            .collect();
        if !may_call(&grants, &target) {
            let scheme = if target.secure { "https" } else { "http" };
            return Err(format!("not granted: {target} by {scheme}"));
        }
        let method = request.method;
        if !METHODS.contains(&method.as_str()) {
            return Err(format!("the method is none of {}", METHODS.join(", ")));
        }
        if size(&request.headers) > HTTP_HEADERS {
            return Err(format!("the headers have more than {HTTP_HEADERS} bytes"));
        }
        let own = request
            .headers
            .iter()
            .find_map(|(name, _)| OWN_HEADERS.iter().find(|own| name.eq_ignore_ascii_case(own)));
        if let Some(own) = own {
            return Err(format!("the header `{own}` is hookbox's own"));
        }
        if request.body.len() > HTTP_BODY {
            return Err(format!("the body has more than {HTTP_BODY} bytes"));
        }
        self.requests_left = self
            .requests_left
            .checked_sub(1)
            .ok_or("no more requests are sent in this event")?;
        Ok(Call {
            target,
            grants,
            method,
            headers: request.headers,
            body: request.body,
            timeout: self.time_left(),
        })
    }
}
