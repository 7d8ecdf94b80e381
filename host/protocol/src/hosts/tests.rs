use super::*;

fn grants(list: &[&str]) -> Vec<HostGrant> {
    list.iter()
        .map(|text| HostGrant::parse(text).expect("a grant"))
        .collect()
}

fn allowed(list: &[&str], url: &str) -> bool {
    Target::parse(url).is_ok_and(|target| may_call(&grants(list), &target))
}

#[test]
fn an_entry_covers_what_it_names() {
    for (entry, url) in [
        ("example.com", "https://example.com/a?b#c"),
        ("example.com", "HTTPS://EXAMPLE.com"),
        ("Example.com", "https://example.com:443/"),
        ("example.com:8443", "https://example.com:8443/"),
        ("example.com:80", "http://example.com/"),
        ("example.com:443", "https://example.com/"),
        ("*.example.com", "https://a.example.com/"),
        ("*.example.com", "https://a.b.example.com/"),
        ("10.1.2.3:8080", "http://10.1.2.3:8080/"),
        ("[::1]:8080", "http://[::1]:8080/"),
        ("127.0.0.1:1", "http://[::ffff:127.0.0.1]:1/"),
        ("localhost:3000", "http://localhost:3000/"),
    ] {
        assert!(allowed(&[entry], url), "{entry} {url}");
    }
}

#[test]
fn an_entry_covers_nothing_else() {
    for (entry, url) in [
        ("example.com", "http://example.com/"),
        ("example.com", "https://example.com:8443/"),
        ("example.com", "http://example.com:443/"),
        ("example.com:8443", "https://example.com/"),
        ("example.com", "https://www.example.com/"),
        ("example.com", "https://example.com.evil.example/"),
        ("example.com", "https://evil-example.com/"),
        ("*.example.com", "https://example.com/"),
        ("*.example.com", "https://evil-example.com/"),
        ("*.example.com", "https://aexample.com/"),
        ("10.1.2.3", "https://10.1.2.4/"),
        ("127.0.0.1:80", "http://localhost/"),
        ("localhost:80", "http://127.0.0.1/"),
        ("localhost:80", "http://a.localhost/"),
        ("example.com", "https://evil.example/?https://example.com/"),
        ("example.com", "https://evil.example/#@example.com/"),
    ] {
        assert!(Target::parse(url).is_ok(), "{url}");
        assert!(!allowed(&[entry], url), "{entry} {url}");
    }
}

#[test]
fn a_url_that_could_be_read_in_two_ways_is_refused() {
    for (url, why) in [
        ("", HostError::Scheme),
        ("example.com", HostError::Scheme),
        ("//example.com/", HostError::Scheme),
        ("ftp://example.com/", HostError::Scheme),
        ("file:///etc/passwd", HostError::Scheme),
        ("https:/example.com/", HostError::Scheme),
        ("https:example.com", HostError::Scheme),
        (" https://example.com/", HostError::Scheme),
        ("https://example.com/ a", HostError::Character),
        ("https://example.com\\@evil.example/", HostError::Character),
        ("https://example.com/\r\nHost: evil.example", HostError::Character),
        ("https://example.com\t/", HostError::Character),
        ("https://exämple.com/", HostError::Character),
        ("https://example。com/", HostError::Character),
        ("https://example.com/ä", HostError::Character),
        ("https://example.com@evil.example/", HostError::User),
        ("https://user:secret@example.com/", HostError::User),
        ("https://@example.com/", HostError::User),
        ("https://example.com:80@evil.example/", HostError::User),
        ("https:///a", HostError::Host),
        ("https://?a", HostError::Host),
        ("https://.example.com/", HostError::Host),
        ("https://example.com./", HostError::Host),
        ("https://example..com/", HostError::Host),
        ("https://%65xample.com/", HostError::Host),
        ("https://ex_ample.com/", HostError::Host),
        ("https://-a.example/", HostError::Host),
        ("https://*.example.com/", HostError::Host),
        ("https://2130706433/", HostError::Host),
        ("https://0x7f000001/", HostError::Host),
        ("https://0x7f.1/", HostError::Host),
        ("https://127.1/", HostError::Host),
        ("https://0177.0.0.1/", HostError::Host),
        ("https://127.0.0.01/", HostError::Host),
        ("https://127.0.0.0x1/", HostError::Host),
        ("https://127.0.0.1.5/", HostError::Host),
        ("https://256.0.0.1/", HostError::Host),
        ("https://a.0x/", HostError::Host),
        ("https://::1/", HostError::Port),
        ("https://[::1/", HostError::Port),
        ("https://[::1]a/", HostError::Host),
        ("https://[::1%25lo]/", HostError::Host),
        ("https://[example.com]/", HostError::Host),
        ("https://example.com:/", HostError::Port),
        ("https://example.com:0/", HostError::Port),
        ("https://example.com:0443/", HostError::Port),
        ("https://example.com:+443/", HostError::Port),
        ("https://example.com:65536/", HostError::Port),
        ("https://example.com:443:80/", HostError::Port),
        ("https://example.com:a/", HostError::Port),
    ] {
        assert_eq!(Target::parse(url), Err(why), "{url}");
    }
    let long = format!("https://example.com/{}", "a".repeat(URL_BYTES));
    assert_eq!(Target::parse(&long), Err(HostError::TooLong));
}

#[test]
fn what_is_called_is_what_was_read() {
    for (url, called) in [
        ("https://example.com", "https://example.com/"),
        ("https://EXAMPLE.com:443?q=1#f", "https://example.com/?q=1"),
        ("http://example.com:8080/a/../b", "http://example.com:8080/a/../b"),
        ("http://[0:0:0:0:0:0:0:1]:80/", "http://[::1]/"),
        ("http://[::ffff:7f00:1]/", "http://127.0.0.1/"),
    ] {
        assert_eq!(Target::parse(url).expect("a URL").url(), called, "{url}");
        assert_eq!(Target::parse(called).expect("a URL").url(), called, "{url}");
    }
}

#[test]
fn a_private_address_is_called_only_where_it_is_named() {
    for (list, url, address, may) in [
        (&["example.com"][..], "https://example.com/", "1.1.1.1", true),
        (&["example.com"], "https://example.com/", "127.0.0.1", false),
        (&["example.com"], "https://example.com/", "10.0.0.1", false),
        (&["example.com"], "https://example.com/", "169.254.169.254", false),
        (&["example.com"], "https://example.com/", "::1", false),
        (&["example.com"], "https://example.com/", "::ffff:10.0.0.1", false),
        (&["*.example.com"], "https://a.example.com/", "192.168.1.1", false),
        (&["example.com", "10.0.0.1"], "https://example.com/", "10.0.0.1", true),
        (&["example.com", "10.0.0.1"], "https://example.com/", "10.0.0.2", false),
        (
            &["example.com", "10.0.0.1:80"],
            "https://example.com/",
            "10.0.0.1",
            false,
        ),
        (&["10.0.0.1:80"], "http://10.0.0.1/", "10.0.0.1", true),
        (&["10.0.0.1:80"], "https://example.com/", "1.1.1.1", false),
        (&["localhost:80"], "http://localhost/", "127.0.0.1", true),
        (&["localhost:80"], "http://localhost/", "::1", true),
        (&["localhost:80"], "http://localhost/", "10.0.0.1", false),
        (&["a.localhost:80"], "http://a.localhost/", "127.0.0.1", false),
    ] {
        let target = Target::parse(url).expect("a URL");
        let address = address.parse().expect("an address");
        assert_eq!(
            may_connect(&grants(list), &target, address),
            may,
            "{list:?} {url} {address}"
        );
    }
}

#[test]
fn what_is_no_host_cannot_be_granted() {
    for entry in [
        "",
        "*",
        "*.",
        "*.*.com",
        "a*.com",
        "https://example.com",
        "example.com/",
        "user@example.com",
        "bücher.example",
        "127.1",
        "*.1.2.3.4",
        "::1",
        "example.com:",
        "example.com:0",
        "example.com:x",
        "a b",
    ] {
        assert!(HostGrant::parse(entry).is_err(), "{entry}");
    }
}
