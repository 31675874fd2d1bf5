/**
 * One script per move, each atomic by itself. A record is one value, so that a claim or an answer is one write: its first
 * line is `forget at:expires at:lease until:runs:owner`, its second the fingerprint, and the rest is the answer, which
 * only `redis-value.ts` reads. An answered record has no owner: nobody may write it any more.
 *
 * KEYS: the record, and its body where that is long; that one is dropped with the retention, the record with the tombstone.
 * ARGV[1]: the caller's clock, or empty for the server's, so that all machines agree.
 */
const opening = `
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
local value = redis.call('GET', KEYS[1])
local forget, expires, lease, runs, owner, print
if value then
  forget, expires, lease, runs, owner, print =
    string.match(value, '^(%d+):(%d+):(%d+):(%d+):([^\\n]*)\\n([^\\n]*)\\n')
  forget, expires, lease = tonumber(forget), tonumber(expires), tonumber(lease)
  if forget <= now then value = false end
end
`;

/** ARGV 2 owner, 3 fingerprint, 4 lease, 5 retention, 6 tombstone. */
const write = `
local function claim(runs)
  local until_, keep = now + ARGV[5], ARGV[5] + ARGV[6]
  redis.call('SET', KEYS[1], string.format('%.0f:%.0f:%.0f:%d:%s\\n%s\\n',
    until_ + ARGV[6], until_, now + ARGV[4], runs, ARGV[2], ARGV[3]), 'PX', string.format('%.0f', keep))
  return runs
end
if not value then return claim(1) end
`;

/** Whether ARGV[2] may still write. */
const owned = `
if not value or owner ~= ARGV[2] or expires <= now then return 0 end
`;

/** What is there, and when that was: `sight` in `record.ts` says what it means. */
const seen = 'return {now, value}';

export const redisScripts = {
  claim: `${opening}${write}${seen}`,
  /** ARGV 7: the owner to take over from. */
  takeOver: `${opening}${write}
if owner ~= '' and owner == ARGV[7] and print == ARGV[3] and lease <= now and expires > now then
  return claim(runs + 1)
end
${seen}`,
  /** ARGV 3: lease. */
  renew: `${opening}${owned}
redis.call('SET', KEYS[1], string.format('%.0f:%.0f:%.0f:%d:%s\\n%s\\n', forget, expires, now + ARGV[3], runs, owner, print),
  'PX', math.max(1, redis.call('PTTL', KEYS[1])))
return 1`,
  /** ARGV 3 retention, 4 tombstone, 5 the answer, 6 its body, if that is long. */
  finish: `${opening}${owned}
local until_, keep = now + ARGV[3], ARGV[3] + ARGV[4]
redis.call('SET', KEYS[1], string.format('%.0f:%.0f:0:%d:\\n%s\\n%.0f:', until_ + ARGV[4], until_, runs, print, now) .. ARGV[5],
  'PX', string.format('%.0f', keep))
if ARGV[6] then redis.call('SET', KEYS[2], ARGV[6], 'PX', ARGV[3]) end
return 1`,
  release: `${opening}${owned}
redis.call('DEL', KEYS[1])
return 1`,
  look: `${opening}${seen}`,
} as const;
