//! The checksum that GitHub and npm put into their tokens: the last six characters are the CRC-32 of those before, in
//! base 62 (<https://github.blog/engineering/behind-githubs-new-authentication-token-formats/>).

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Characters of the checksum.
const LENGTH: usize = 6;

/// CRC-32 (IEEE 802.3, reflected), bit by bit: it is asked for thirty bytes at a time.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

fn base62(mut number: u32) -> [u8; LENGTH] {
    let mut text = [b'0'; LENGTH];
    for digit in text.iter_mut().rev() {
        *digit = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    text
}

/// Whether the end of a token's body (what follows the prefix) is the checksum of its beginning.
pub(crate) fn holds(body: &[u8]) -> bool {
    body.split_at_checked(body.len().saturating_sub(LENGTH))
        .is_some_and(|(random, sum)| sum == base62(crc32(random)))
}

/// A body with its right checksum, for tests: no real token is needed anywhere.
#[cfg(test)]
pub(crate) fn signed(random: &str) -> String {
    format!("{random}{}", String::from_utf8_lossy(&base62(crc32(random.as_bytes()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_checksum_holds_only_for_its_own_text() {
        let body = signed("0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT");
        assert!(holds(body.as_bytes()));
        assert!(!holds(body.replace("0a", "0b").as_bytes()));
        assert!(!holds(b"") && !holds(b"12345"));
    }
}
