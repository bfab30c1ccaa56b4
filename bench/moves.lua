-- Load for floor_http.py against bench/serve_http.py: every request is a legal move of the seat that is to move,
-- with its token and the version it has seen, in another game than the requests before it.
local requests, games, position = {}, {}, 0

local function ask()
  local note = assert(io.open((os.getenv("TMPDIR") or "/tmp") .. "/bench-moves-" .. wrk.port))
  local command = note:read("*l")
  note:close()
  local sent = {}
  for i = math.max(1, #games - 64), #games do sent[games[i]] = true end  -- may still be under way
  requests, games, position = {}, {}, 0
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do
    local path, token, version, body, key = line:match("([^\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)")
    if not sent[path] then
      local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. token,
                        ["If-Match"] = '"' .. version .. '"' }
      if key ~= "-" then headers["Idempotency-Key"] = key end
      games[#games + 1] = path
      requests[#requests + 1] = wrk.format("POST", path, headers, body)
    end
  end
  pipe:close()
  assert(#requests > 0, "no game is left to move in")
end

init = function()
  ask()
end

request = function()
  if position == #requests then ask() end
  position = position + 1
  return requests[position]
end

done = function(summary, latency, _)
  local e = summary.errors
  io.write(string.format(
    '\nJSON {"rps": %f, "p50": %f, "p99": %f, "errors": %d, "requests": %d}\n',
    summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout, summary.requests))
end
