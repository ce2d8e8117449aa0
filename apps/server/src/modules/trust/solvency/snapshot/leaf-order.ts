import {
  compareHashes,
  copyEntry,
  ENTRY_BYTES,
  ENTRY_LANES,
  FormatError,
  lanesOf,
  wordsOf,
} from '@rif/solvency'

const ENTRY_WORDS = ENTRY_BYTES / 4
/** The entries of a bucket, some 230 KB, fit into a core's cache. */
const BUCKET_ENTRIES = 4_096
const PART_BITS = 12

/**
 * Creates the sorting of `count` entries by their hashes. Hashes are uniform, so their first bits divide
 * arriving entries into buckets of about the same size, and the next bits order each bucket.
 */
export function createLeafOrder(count: number) {
  const bits = Math.max(0, 32 - Math.clz32(count / BUCKET_ENTRIES))
  const buckets = 2 ** bits
  const mean = count / buckets
  // A bucket exceeds this about once in 10^20 trees.
  const capacity = bits === 0 ? count : Math.ceil(mean + 10 * Math.sqrt(mean))
  const bytes = new Uint8Array(buckets * capacity * ENTRY_BYTES)
  const lanes = lanesOf(bytes)
  const used = new Uint32Array(buckets)

  return {
    /** Adds copies of the first entries of a chunk. Throws Error if a bucket is full. */
    add(chunk: Uint8Array, entries: number): void {
      const [chunkWords, chunkLanes] = [wordsOf(chunk), lanesOf(chunk)]
      for (let entry = 0; entry < entries; entry++) {
        const bucket = bits === 0 ? 0 : keyOf(chunkWords[entry * ENTRY_WORDS]!) >>> (32 - bits)
        const place = used[bucket]!
        if (place === capacity) throw new Error('too many hashes of leaves begin with the same bits')
        copyEntry(chunkLanes, entry * ENTRY_LANES, lanes, (bucket * capacity + place) * ENTRY_LANES)
        used[bucket] = place + 1
      }
    },

    /** Returns all sorted entries as contiguous bytes. Throws FormatError if two hashes are equal. */
    sorted(): Uint8Array {
      const bucketBytes = new Uint8Array(capacity * ENTRY_BYTES)
      const bucketLanes = lanesOf(bucketBytes)
      const orderOf = createBucketOrder(bucketBytes, bits)
      let place = 0
      // In place: the sorted entries never overtake the buckets that follow.
      for (let bucket = 0; bucket < buckets; bucket++) {
        const [first, entries] = [bucket * capacity * ENTRY_BYTES, used[bucket]!]
        bucketBytes.set(bytes.subarray(first, first + entries * ENTRY_BYTES))
        const order = orderOf(entries)
        for (let entry = 0; entry < entries; entry++, place++)
          copyEntry(bucketLanes, order[entry]! * ENTRY_LANES, lanes, place * ENTRY_LANES)
      }
      return bytes.subarray(0, count * ENTRY_BYTES)
    },
  }
}

/**
 * Creates the function that returns the order of the first entries of a bucket, whose hashes are equal in the
 * first `bits`; valid until the next call.
 */
function createBucketOrder(bucket: Uint8Array, bits: number) {
  const words = wordsOf(bucket)
  const capacity = words.length / ENTRY_WORDS
  const keys = new Uint32Array(capacity)
  const order = new Uint32Array(capacity)
  const ends = new Uint32Array(2 ** PART_BITS)
  const partOf = (key: number) => (key << bits) >>> (32 - PART_BITS)
  return (count: number): Uint32Array => {
    ends.fill(0)
    for (let entry = 0; entry < count; entry++) {
      keys[entry] = keyOf(words[entry * ENTRY_WORDS]!)
      ends[partOf(keys[entry]!)]!++
    }
    for (let part = 1; part < ends.length; part++) ends[part]! += ends[part - 1]!
    for (let entry = count - 1; entry >= 0; entry--) order[--ends[partOf(keys[entry]!)]!] = entry
    // Nearly sorted now: entries of the same part are adjacent.
    for (let place = 1; place < count; place++) {
      const entry = order[place]!
      let to = place
      for (; to > 0; to--) {
        const before = order[to - 1]!
        const difference = keys[before]! - keys[entry]! || compareHashes(bucket, before, entry)
        if (difference === 0) throw new FormatError('two leaves have the same hash')
        if (difference < 0) break
        order[to] = before
      }
      order[to] = entry
    }
    return order
  }
}

/** Returns the first four bytes of a hash, a word in machine order, as a number that sorts like the bytes. */
function keyOf(word: number): number {
  return IS_LITTLE_ENDIAN
    ? ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0
    : word >>> 0
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1
