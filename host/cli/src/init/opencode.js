// hookbox for OpenCode. Written by `hookbox init --agent opencode`, taken out by `hookbox init --agent opencode --remove`.
// It hands each event to `hookbox run` and does what it answers. Whatever goes wrong blocks: OpenCode itself would go on.
import { spawn } from "node:child_process"

const COMMAND = __COMMAND__
const EVENTS = new Set(__EVENTS__)
const TIMEOUT_MS = __TIMEOUT_MS__

// The exit code, the reason of a block, and the answer.
function ask(payload) {
  return new Promise((resolve) => {
    const blocked = (reason) => resolve({ reason, answer: {} })
    let child
    try {
      child = spawn("sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "pipe"], detached: true })
    } catch (error) {
      return blocked(`hookbox could not be started: ${error.message}`)
    }
    let stdout = ""
    let stderr = ""
    const timer = setTimeout(() => {
      try { process.kill(-child.pid, "SIGKILL") } catch {}
      blocked(`hookbox did not answer within ${TIMEOUT_MS} ms`)
    }, TIMEOUT_MS)
    child.stdout.on("data", (data) => { stdout += data })
    child.stderr.on("data", (data) => { stderr += data })
    child.stdin.on("error", () => {})
    child.on("error", (error) => { clearTimeout(timer); blocked(`hookbox could not be started: ${error.message}`) })
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code !== 0) return blocked(stderr.trim() || `hookbox ended with ${code}`)
      if (!stdout.trim()) return resolve({ answer: {} })
      try {
        const answer = JSON.parse(stdout)
        const specific = answer.hookSpecificOutput ?? {}
        if (specific.permissionDecision === "deny") return blocked(specific.permissionDecisionReason)
        if (answer.decision === "block") return blocked(answer.reason)
        resolve({ answer: specific })
      } catch (error) {
        blocked(`hookbox's answer cannot be read: ${error.message}`)
      }
    })
    child.stdin.end(JSON.stringify(payload) + "\n")
  })
}

export const Hookbox = async ({ directory }) => {
  const event = (name, session, fields) => ({ hook_event_name: name, session_id: session ?? "", cwd: directory, ...fields })
  return {
    "chat.message": async (input, output) => {
      if (!EVENTS.has("UserPromptSubmit")) return
      const prompt = output.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
      const { reason } = await ask(event("UserPromptSubmit", input.sessionID, { prompt }))
      if (reason !== undefined) throw new Error(reason)
    },
    "tool.execute.before": async (input, output) => {
      if (!EVENTS.has("PreToolUse")) return
      const call = { tool_name: input.tool, tool_input: output.args, tool_use_id: input.callID }
      const { reason, answer } = await ask(event("PreToolUse", input.sessionID, call))
      if (reason !== undefined) throw new Error(reason)
      if (answer.updatedInput) {
        // The object itself is what the tool gets.
        for (const key of Object.keys(output.args)) delete output.args[key]
        Object.assign(output.args, answer.updatedInput)
      }
    },
    "tool.execute.after": async (input, output) => {
      if (!EVENTS.has("PostToolUse")) return
      const call = { tool_name: input.tool, tool_input: input.args, tool_response: output.output, tool_use_id: input.callID }
      const { reason, answer } = await ask(event("PostToolUse", input.sessionID, call))
      for (const text of [reason, answer.additionalContext]) if (text) output.output += `\n${text}`
    },
    event: async ({ event: bus }) => {
      if (bus.type === "session.created" && EVENTS.has("SessionStart")) await ask(event("SessionStart", bus.properties?.info?.id, { source: "startup" }))
      if (bus.type === "session.idle" && EVENTS.has("Stop")) await ask(event("Stop", bus.properties?.sessionID, { stop_hook_active: false }))
    },
  }
}
