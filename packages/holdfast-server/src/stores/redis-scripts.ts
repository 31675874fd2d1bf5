/**
 * One script per move, each atomic by itself. Fields of a record's hash: `f` fingerprint, `o` owner, `r` runs, `l` lease
 * until, `x` expires at, `g` forget at, and once answered `a` answered at, `s` status, `h` headers, `k` the body (`y` kept, `n` none, `o`
 * omitted). The body has a key of its own, which Redis drops after the retention while the hash stays for the tombstone.
 *
 * KEYS: the hash, the body. ARGV[1]: the caller's clock, or empty for the server's, so that all machines agree.
 */
const clock = `
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
`;

/** What is there, as a flat list. `look` and the tail of a claim that found something. */
const sight = `
local function sight()
  local r = redis.call('HMGET', KEYS[1], 'f', 'o', 'l', 'x', 'g', 'a', 's', 'h', 'k')
  if not r[1] or tonumber(r[5]) <= now then return {'absent'} end
  if tonumber(r[4]) <= now then return {'gone'} end
  if r[6] then
    local body = r[9] == 'y' and redis.call('GET', KEYS[2])
    return {'done', r[1], r[6], r[7], r[8], r[9], body or false}
  end
  local left = tonumber(r[3]) - now
  if left <= 0 then return {'unknown', r[1], r[2]} end
  return {'running', r[1], tostring(left)}
end
`;

/** ARGV 2 owner, 3 fingerprint, 4 lease, 5 retention, 6 tombstone; `runs` is set by the caller. */
const write = `
local function write(runs)
  local lease, retention, tombstone = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[1], 'f', ARGV[3], 'o', ARGV[2], 'r', runs, 'l', now + lease,
    'x', now + retention, 'g', now + retention + tombstone)
  redis.call('PEXPIRE', KEYS[1], retention + tombstone)
  return {'claimed', tostring(runs)}
end
`;

/** Whether ARGV[2] may still write. */
const owned = `
local function owned()
  local r = redis.call('HMGET', KEYS[1], 'o', 'a', 'x')
  return r[1] == ARGV[2] and not r[2] and tonumber(r[3]) > now
end
`;

export const redisScripts = {
  claim: `${clock}${sight}${write}
local seen = sight()
if seen[1] == 'absent' then return write(1) end
return seen`,
  /** ARGV 7: the owner to take over from. */
  takeOver: `${clock}${sight}${write}
local seen = sight()
if seen[1] == 'absent' then return write(1) end
if seen[1] ~= 'unknown' or seen[3] ~= ARGV[7] or seen[2] ~= ARGV[3] then return seen end
return write(tonumber(redis.call('HGET', KEYS[1], 'r')) + 1)`,
  /** ARGV 3: lease. */
  renew: `${clock}${owned}
if not owned() then return 0 end
redis.call('HSET', KEYS[1], 'l', now + tonumber(ARGV[3]))
return 1`,
  /** ARGV 3 retention, 4 tombstone, 5 status, 6 headers, 7 `y`, `n` or `o`, 8 body. */
  finish: `${clock}${owned}
if not owned() then return 0 end
local retention, tombstone = tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('HSET', KEYS[1], 'a', now, 's', ARGV[5], 'h', ARGV[6], 'k', ARGV[7],
  'x', now + retention, 'g', now + retention + tombstone)
redis.call('PEXPIRE', KEYS[1], retention + tombstone)
if ARGV[7] == 'y' then redis.call('SET', KEYS[2], ARGV[8], 'PX', retention) end
return 1`,
  release: `${clock}${owned}
if not owned() then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
return 1`,
  look: `${clock}${sight}
return sight()`,
} as const;
