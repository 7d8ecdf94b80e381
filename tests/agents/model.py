"""A fake model on loopback: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini.

It plays a script of shell commands. It keeps no state: a request that carries the results of n calls is answered with command n, and with
the final text after the last one. A request that offers no tools (a title, a summary) is answered with text. Every request is kept, so that a
test can say what reached the model. Standard library only.
"""
import http.server
import json
import threading

FINAL = "all done"
# What each client calls its shell, and the argument that holds the command.
SHELLS = {"Bash": "command", "bash": "command", "run_shell_command": "command", "exec_command": "cmd", "shell_command": "command"}


class Model:
    """`with Model(commands) as model`: serves at `model.url`; `model.requests` are (path, body) in the order in which they came."""

    def __init__(self, commands):
        self.commands = commands
        self.requests = []
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.reply(404, "application/json", "{}")

            do_HEAD = do_GET

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                path = self.path.split("?")[0]
                model.requests.append((path, body))
                for ending, answer in ROUTES:
                    if ending in path:
                        stream = body.get("stream") is True or ":stream" in path
                        kind, text = answer(model, body, stream)
                        return self.reply(200, kind, text)
                self.reply(404, "application/json", "{}")

            def reply(self, status, kind, text):
                data = text.encode()
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def turns(self):
        """The requests in which a client with tools asks what to do next."""
        return [body for path, body in self.requests if offered(body) and "count" not in path]

    def heard(self, text):
        """Did this text reach the model?"""
        return any(text in json.dumps(body, ensure_ascii=False) for body in self.turns())

    def next(self, tools, results):
        """(shell tool, arguments) of the next call, or none for the final text."""
        if not tools or results >= len(self.commands):
            return None
        name = next((name for name in SHELLS if name in tools), None)
        if name is None:
            return None
        arguments = {SHELLS[name]: self.commands[results]}
        if "description" in tools[name]:
            arguments["description"] = "the next step"
        return name, arguments


def offered(body):
    """The tools that a request offers: name to the names of its arguments."""
    found = {}

    def add(tool):
        tool = tool.get("function") or tool
        schema = tool.get("input_schema") or tool.get("parameters") or tool.get("parametersJsonSchema") or {}
        if tool.get("name"):
            found[tool["name"]] = list((schema or {}).get("properties") or {})
        for inner in (tool.get("functionDeclarations") or []) + (tool.get("tools") or []):
            add(inner)

    for tool in body.get("tools") or []:
        add(tool)
    return found


def sse(events, named):
    lines = []
    for event in events:
        if named:
            lines.append("event: %s\n" % event["type"])
        lines.append("data: %s\n\n" % (event if isinstance(event, str) else json.dumps(event)))
    return "text/event-stream", "".join(lines)


def plain(value):
    return "application/json", json.dumps(value)


def anthropic(model, body, stream):
    blocks = [block for message in body.get("messages", []) if isinstance(message.get("content"), list) for block in message["content"]]
    results = sum(block.get("type") == "tool_result" for block in blocks)
    call = model.next(offered(body), results)
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": "msg_%d" % len(model.requests), "type": "message", "role": "assistant", "model": body.get("model"), "stop_sequence": None, "usage": usage}
    if call:
        name, arguments = call
        block = {"type": "tool_use", "id": "toolu_%d" % results, "name": name, "input": arguments}
        empty, delta, stop = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(arguments)}, "tool_use"
    else:
        block = {"type": "text", "text": FINAL}
        empty, delta, stop = {"type": "text", "text": ""}, {"type": "text_delta", "text": FINAL}, "end_turn"
    if not stream:
        return plain({**message, "content": [block], "stop_reason": stop})
    return sse(
        [
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        ],
        named=True,
    )


def responses(model, body, stream):
    items = body.get("input") if isinstance(body.get("input"), list) else []
    results = sum(str(item.get("type", "")).endswith("_output") for item in items)
    call = model.next(offered(body), results)
    if call:
        name, arguments = call
        item = {"type": "function_call", "id": "fc_%d" % results, "call_id": "call_%d" % results, "name": name, "arguments": json.dumps(arguments), "status": "completed"}
    else:
        content = [{"type": "output_text", "text": FINAL, "annotations": []}]
        item = {"type": "message", "role": "assistant", "id": "m_%d" % len(model.requests), "status": "completed", "content": content}
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}
    whole = {"id": "resp_%d" % len(model.requests), "object": "response", "created_at": 1, "model": body.get("model"), "status": "completed", "output": [item], "usage": usage}
    if not stream:
        return plain(whole)
    return sse(
        [
            {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ],
        named=True,
    )


def chat(model, body, stream):
    results = sum(message.get("role") == "tool" for message in body.get("messages", []))
    call = model.next(offered(body), results)
    whole = {"id": "c_%d" % len(model.requests), "created": 1, "model": body.get("model")}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    if call:
        name, arguments = call
        tool = {"id": "call_%d" % results, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        message, end = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, **tool}]}, "tool_calls"
    else:
        message, end = {"role": "assistant", "content": FINAL}, "stop"
    if not stream:
        return plain({**whole, "object": "chat.completion", "usage": usage, "choices": [{"index": 0, "message": message, "finish_reason": end}]})
    whole["object"] = "chat.completion.chunk"
    return sse(
        [
            {**whole, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**whole, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]},
            {**whole, "choices": [], "usage": usage},
            "[DONE]",
        ],
        named=False,
    )


def gemini(model, body, stream):
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    results = sum("functionResponse" in part for part in parts)
    call = model.next(offered(body), results)
    part = {"functionCall": {"id": "call_%d" % results, "name": call[0], "args": call[1]}} if call else {"text": FINAL}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    candidate = {"content": {"parts": [part], "role": "model"}, "finishReason": "STOP", "index": 0}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "model", "responseId": "r%d" % len(model.requests)}
    return sse([whole], named=False) if stream else plain(whole)


ROUTES = [
    ("/count_tokens", lambda *_: plain({"input_tokens": 10})),
    (":countTokens", lambda *_: plain({"totalTokens": 10})),
    ("/messages", anthropic),
    ("/responses", responses),
    ("/chat/completions", chat),
    ("enerateContent", gemini),
]
