-- Signed requests as GitHub sends them, for wrk. Each has a delivery id of its own; the body, and
-- so the signature, stays the same, because GitHub signs only the body.
-- Usage: wrk -s github.lua URL -- SIGNATURE BODYFILE

local thread_count = 0

function setup(thread)
  thread:set("number", thread_count)
  thread_count = thread_count + 1
end

function init(args)
  local file = assert(io.open(args[2], "rb"))
  body = file:read("*a")
  file:close()
  signature = args[1]
  run = string.format("%x-%x", os.time(), math.random(0, 0x7fffffff))
  count = 0
  refused = 0
  wrk.method = "POST"
  wrk.body = body
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["User-Agent"] = "GitHub-Hookshot/sample"
  wrk.headers["X-GitHub-Event"] = "push"
  wrk.headers["X-Hub-Signature-256"] = signature
end

function request()
  count = count + 1
  wrk.headers["X-GitHub-Delivery"] = string.format("%s-%d-%d", run, number, count)
  return wrk.format()
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    "RESULT %.1f %.3f %d %d\n",
    summary.requests / (summary.duration / 1e6),
    latency:percentile(99) / 1000,
    summary.requests,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
