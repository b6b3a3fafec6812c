-- Signed requests as GitHub sends them, for wrk. Each has a delivery id of its own; the bodies, of
-- many repositories, come round again, since GitHub signs only the body.
-- Usage: wrk -s github.lua URL -- FILE, which has a signature and a body in each line

local thread_count = 0

function setup(thread)
  thread:set("number", thread_count)
  thread_count = thread_count + 1
end

function init(args)
  samples = {}
  for line in io.lines(args[1]) do
    local signature, body = line:match("^(%S+) (.*)$")
    samples[#samples + 1] = { signature = signature, body = body }
  end
  run = string.format("%x-%x", os.time(), math.random(0, 0x7fffffff))
  count = 0
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["User-Agent"] = "GitHub-Hookshot/sample"
  wrk.headers["X-GitHub-Event"] = "push"
end

function request()
  count = count + 1
  local sample = samples[count % #samples + 1]
  wrk.body = sample.body
  wrk.headers["X-Hub-Signature-256"] = sample.signature
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
