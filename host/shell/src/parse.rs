//! The parser, with the guards it needs: bounded input, depth, stack and time, and no panic that gets out.
//!
//! Everything else in this crate sees a tree that is known to be clean, or a refusal. Which guards and why:
//! the parser was measured against bash before it was chosen.

use std::panic::{AssertUnwindSafe, catch_unwind};

use shuck_ast::File;
use shuck_parser::parser::{ParseStatus, Parser, ShellDialect, ShellProfile};

/// Bytes of a command that are parsed; nested braces cost quadratic time beyond it.
pub(crate) const MAX_SOURCE: usize = 16 * 1024;
/// Opening braces of a command that is parsed: looking for the end of each takes the parser quadratic time.
const MAX_BRACES: usize = 1_000;
/// Nesting that is parsed on the caller's own stack: about 50 KiB of stack a level.
const SHALLOW: usize = 8;
/// Nesting that is parsed at all; needs 2 MiB of stack.
const DEEP: usize = 40;
/// The stack of the thread that takes deep input: the parser's 2 MiB, then the walk and the drop of the tree.
const DEEP_STACK: usize = 64 * 1024 * 1024;
/// `&&`, `||` and `|` nest to the left in the tree: longer chains are dropped on the large stack.
const SHALLOW_CHAIN: usize = 60;
/// Operations of the parser; real commands use less than one a byte.
const FUEL: usize = 200_000;

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Longer than [`MAX_SOURCE`].
    TooLong,
    /// Deeper than this stack can take: to be tried again on a larger one.
    NeedsStack,
    /// Not what the parser takes for a shell command; bash might.
    NotClean,
}

/// How much stack there is to parse on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stack {
    /// The caller's, of which little is known.
    Callers,
    /// A thread's of [`DEEP_STACK`].
    Large,
}

/// The tree of `source`, where all of it was understood.
pub(crate) fn parse(source: &str, stack: Stack) -> Result<File, Refusal> {
    if source.len() > MAX_SOURCE {
        return Err(Refusal::TooLong);
    }
    if source.bytes().filter(|byte| *byte == b'{').count() > MAX_BRACES {
        return Err(Refusal::NotClean);
    }
    if stack == Stack::Callers && chain_links(source) > SHALLOW_CHAIN {
        return Err(Refusal::NeedsStack);
    }
    let depth = if stack == Stack::Large { DEEP } else { SHALLOW };
    // Aliases are expanded by our own walk, which keeps the spans of the source.
    let aliased = source
        .contains("expand_aliases")
        .then(|| source.replace("expand_aliases", "expand-aliases"));
    let read = aliased.as_deref().unwrap_or(source);
    let parsed = catch_unwind(AssertUnwindSafe(|| {
        Parser::with_limits_and_profile(read, depth, FUEL, ShellProfile::native(ShellDialect::Bash)).parse()
    }))
    .map_err(|_| Refusal::NotClean)?;
    if parsed.status == ParseStatus::Clean {
        return Ok(parsed.file);
    }
    let too_deep = |message: &str| message.contains("too deep") || message.contains("too long");
    let deep = parsed.terminal_error.is_some_and(|error| too_deep(&error.to_string()))
        || parsed
            .diagnostics
            .iter()
            .any(|diagnostic| too_deep(&diagnostic.message));
    Err(if deep && stack == Stack::Callers {
        Refusal::NeedsStack
    } else {
        Refusal::NotClean
    })
}

/// Runs `work` on the caller's stack and, where that asks for more, once again on a large one.
pub(crate) fn with_enough_stack<T: Send>(work: impl Fn(Stack) -> Result<T, Refusal> + Sync) -> Result<T, Refusal> {
    let guarded = |stack| catch_unwind(AssertUnwindSafe(|| work(stack))).unwrap_or(Err(Refusal::NotClean));
    match guarded(Stack::Callers) {
        Err(Refusal::NeedsStack) => {}
        other => return other,
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("shell-parse".into())
            .stack_size(DEEP_STACK);
        match thread.spawn_scoped(scope, || guarded(Stack::Large)) {
            Ok(handle) => handle.join().unwrap_or(Err(Refusal::NotClean)),
            Err(_) => Err(Refusal::NotClean),
        }
    })
}

/// An upper bound of the operators that could chain.
fn chain_links(source: &str) -> usize {
    source.bytes().filter(|byte| matches!(byte, b'&' | b'|')).count()
}
