//! The formats of keys that can be told by their beginning. A table: prefix, what follows, how sure it makes us.

/// Classes of bytes, as bits.
pub(crate) const LOWER: u8 = 1;
pub(crate) const UPPER: u8 = 2;
pub(crate) const DIGIT: u8 = 4;
/// `a` to `f` in either case.
pub(crate) const HEX: u8 = 8;
/// `-` and `_`.
pub(crate) const DASH: u8 = 16;
/// `+`, `/` and `=`.
pub(crate) const BASE64: u8 = 32;
pub(crate) const DOT: u8 = 64;
/// What a word is made of: letters, digits, `_`.
pub(crate) const WORD: u8 = 128;

pub(crate) const ALNUM: u8 = LOWER | UPPER | DIGIT;
const URL: u8 = ALNUM | DASH;
const HEXES: u8 = DIGIT | HEX;

/// One format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    pub kind: &'static str,
    pub prefix: &'static str,
    /// Classes of the bytes that follow.
    pub body: u8,
    /// How many follow, at least and at most.
    pub length: (usize, usize),
    pub proof: Proof,
}

/// What makes a text of the right shape a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The shape is enough.
    Shape,
    /// A body of [`CHECKED`] bytes ends in its checksum.
    Checksum,
    /// The shape is common to other things: only likely.
    Weak,
}

/// The length of a body with a checksum.
pub(crate) const CHECKED: usize = 36;
const MANY: usize = 4096;

const fn row(kind: &'static str, prefix: &'static str, body: u8, length: (usize, usize), proof: Proof) -> Format {
    Format {
        kind,
        prefix,
        body,
        length,
        proof,
    }
}

use Proof::{Checksum, Shape, Weak};

/// The table. Where two prefixes fit, the longer one stands first.
pub(crate) const FORMATS: &[Format] = &[
    row("AWS access key", "AKIA", UPPER | DIGIT, (16, 16), Shape),
    row("AWS access key", "ASIA", UPPER | DIGIT, (16, 16), Shape),
    row("AWS access key", "ABIA", UPPER | DIGIT, (16, 16), Shape),
    row("AWS access key", "ACCA", UPPER | DIGIT, (16, 16), Shape),
    row("AWS Bedrock key", "ABSK", ALNUM | BASE64, (100, 300), Shape),
    row("GitHub token", "github_pat_", ALNUM | DASH, (40, 255), Shape),
    row("GitHub token", "ghp_", ALNUM, (CHECKED, 255), Checksum),
    row("GitHub token", "gho_", ALNUM, (CHECKED, 255), Checksum),
    row("GitHub token", "ghu_", ALNUM, (CHECKED, 255), Checksum),
    row("GitHub token", "ghs_", ALNUM | DASH | DOT, (CHECKED, MANY), Checksum),
    row("GitHub token", "ghr_", ALNUM, (CHECKED, 255), Checksum),
    row("npm token", "npm_", ALNUM, (CHECKED, CHECKED), Checksum),
    row("GitLab token", "glpat-", URL | DOT, (20, 400), Shape),
    row("GitLab token", "gldt-", URL, (20, 400), Shape),
    row("GitLab token", "glrt-", URL | DOT, (20, 400), Shape),
    row("GitLab token", "glptt-", HEXES, (40, 40), Shape),
    row("GitLab token", "glcbt-", URL, (20, 400), Shape),
    row("Slack token", "xoxb-", ALNUM | DASH, (20, 255), Shape),
    row("Slack token", "xoxp-", ALNUM | DASH, (20, 255), Shape),
    row("Slack token", "xoxa-", ALNUM | DASH, (20, 255), Shape),
    row("Slack token", "xoxr-", ALNUM | DASH, (20, 255), Shape),
    row("Slack token", "xoxs-", ALNUM | DASH, (20, 255), Shape),
    row("Slack token", "xoxe-", ALNUM | DASH, (20, 255), Shape),
    row("Slack token", "xoxe.xox", ALNUM | DASH, (20, 300), Shape),
    row("Slack token", "xapp-", ALNUM | DASH, (20, 255), Shape),
    row("Stripe key", "sk_live_", ALNUM, (16, 255), Shape),
    row("Stripe key", "rk_live_", ALNUM, (16, 255), Shape),
    row("Stripe test key", "sk_test_", ALNUM, (16, 255), Weak),
    row("Stripe test key", "rk_test_", ALNUM, (16, 255), Weak),
    row("Stripe webhook secret", "whsec_", ALNUM | BASE64, (24, 255), Shape),
    row("Anthropic key", "sk-ant-", URL, (24, 255), Shape),
    row("OpenRouter key", "sk-or-", URL, (32, 255), Shape),
    row("OpenAI key", "sk-proj-", URL, (40, 255), Shape),
    row("OpenAI key", "sk-svcacct-", URL, (40, 255), Shape),
    row("OpenAI key", "sk-admin-", URL, (40, 255), Shape),
    row("API key", "sk-", ALNUM, (32, 255), Weak),
    row("Google API key", "AIza", URL, (35, 35), Shape),
    row("Google OAuth token", "ya29.", URL, (40, MANY), Shape),
    row("Google OAuth secret", "GOCSPX-", URL, (24, 40), Shape),
    row("Hugging Face token", "hf_", ALNUM, (34, 40), Shape),
    row("Replicate token", "r8_", ALNUM, (37, 40), Shape),
    row("Groq key", "gsk_", ALNUM, (48, 64), Shape),
    row("xAI key", "xai-", ALNUM, (64, 100), Shape),
    row("Perplexity key", "pplx-", ALNUM, (40, 64), Shape),
    row("Databricks token", "dapi", HEXES, (32, 32), Shape),
    row("PyPI token", "pypi-AgE", URL, (50, MANY), Shape),
    row("RubyGems key", "rubygems_", HEXES, (48, 48), Shape),
    row("crates.io token", "cio", ALNUM, (32, 32), Weak),
    row("DigitalOcean token", "dop_v1_", HEXES, (64, 64), Shape),
    row("DigitalOcean token", "doo_v1_", HEXES, (64, 64), Shape),
    row("DigitalOcean token", "dor_v1_", HEXES, (64, 64), Shape),
    row("Docker token", "dckr_pat_", URL, (27, 40), Shape),
    row("Docker token", "dckr_oat_", URL, (27, 40), Shape),
    row("Doppler token", "dp.pt.", ALNUM, (40, 44), Shape),
    row("Doppler token", "dp.st.", ALNUM | DASH | DOT, (40, 80), Shape),
    row("Vault token", "hvs.", URL, (24, 300), Shape),
    row("Vault token", "hvb.", URL, (24, 300), Shape),
    row("SendGrid key", "SG.", URL | DOT, (60, 80), Shape),
    row("Twilio key", "SK", HEXES, (32, 32), Weak),
    row("Mailgun key", "key-", HEXES, (32, 32), Weak),
    row("Shopify token", "shpat_", HEXES, (32, 32), Shape),
    row("Shopify token", "shpss_", HEXES, (32, 32), Shape),
    row("Shopify token", "shpca_", HEXES, (32, 32), Shape),
    row("Shopify token", "shppa_", HEXES, (32, 32), Shape),
    row("Square token", "sq0atp-", URL, (22, 22), Shape),
    row("Square secret", "sq0csp-", URL, (43, 43), Shape),
    row("Linear key", "lin_api_", ALNUM, (40, 48), Shape),
    row("Notion token", "ntn_", ALNUM, (40, 50), Shape),
    row("Figma token", "figd_", URL, (38, 60), Shape),
    row("Postman key", "PMAK-", URL, (40, 80), Shape),
    row("New Relic key", "NRAK-", ALNUM, (27, 27), Shape),
    row("Grafana token", "glsa_", ALNUM | DASH, (40, 44), Shape),
    row("Grafana token", "glc_", ALNUM | BASE64, (40, 400), Shape),
    row("Sentry token", "sntrys_", ALNUM | DASH | BASE64, (60, MANY), Shape),
    row("Sentry token", "sntryu_", HEXES, (64, 64), Shape),
    row("Supabase key", "sbp_", HEXES, (40, 40), Shape),
    row("Supabase key", "sb_secret_", URL, (24, 60), Shape),
    row("PlanetScale token", "pscale_tkn_", URL | DOT, (32, 64), Shape),
    row("PlanetScale password", "pscale_pw_", URL | DOT, (32, 64), Shape),
    row("Tailscale key", "tskey-", URL, (20, 100), Shape),
    row("Pulumi token", "pul-", HEXES, (40, 40), Shape),
    row("Terraform token", "atlasv1.", URL, (60, 70), Shape),
    row("Atlassian token", "ATATT3", URL | BASE64, (100, 300), Shape),
    row("1Password token", "ops_eyJ", URL, (100, MANY), Shape),
    row("age key", "AGE-SECRET-KEY-1", UPPER | DIGIT, (58, 58), Shape),
    row("Dynatrace token", "dt0c01.", ALNUM | DOT, (80, 100), Shape),
    row("Fly token", "fm2_", ALNUM | BASE64, (80, MANY), Shape),
    row("Airtable token", "pat", ALNUM | DOT, (79, 79), Weak),
    row("LangSmith key", "lsv2_", ALNUM | DASH, (40, 60), Shape),
    row("Cloudflare token", "v1.0-", URL, (140, 200), Weak),
];
