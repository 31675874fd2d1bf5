/** Where `needle` starts in `bytes` at or after `from`; -1 if nowhere. `needle` has at least one byte. */
export function indexOfBytes(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  const first = needle[0] as number;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + needle.length > bytes.length) return -1;
    let same = 1;
    while (same < needle.length && bytes[at + same] === needle[same]) same += 1;
    if (same === needle.length) return at;
  }
  return -1;
}
