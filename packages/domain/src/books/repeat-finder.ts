/**
 * Finds documents that repeat an earlier one (same reference, counterparty, date, net and VAT) among millions, in 12 bytes
 * per row.
 *
 * Each document adds a 64-bit fingerprint and its line to one of 64 buckets, chosen by the first bits. Looking up each one
 * immediately would access a large table at random and miss the processor's cache every time. So entries are only appended, and
 * looked up at the end, bucket by bucket, in a table that fits the cache (a third of the time for a million rows).
 *
 * Two different documents share a fingerprint about n squared / 2^65 times: once in 36 million files of 1,000,000 rows.
 * Repeats are only shown to the user and never dropped, so we don't compare the full text.
 */
import type { BooksRow } from './books-row.ts';

/** The fields that identify a document, besides the date. */
type RepeatCandidate = Pick<BooksRow, 'line' | 'reference' | 'counterparty' | 'net_pence' | 'vat_pence'>;

const BUCKET_BITS = 6;
/** Each entry has three words: low half, high half, line. */
const WORDS_PER_ENTRY = 3;
const BLOCK_ENTRIES_BITS = 9;
const BLOCK_WORDS = WORDS_PER_ENTRY << BLOCK_ENTRIES_BITS;
const BLOCK_MASK = (1 << BLOCK_ENTRIES_BITS) - 1;
const NO_BLOCK = new Uint32Array(0);

/** Entries in blocks of equal size. `block` is the last one and holds `used` words so far. */
type Bucket = { readonly blocks: Uint32Array[]; block: Uint32Array; used: number };

/** Records documents in file order. */
export class RepeatFinder {
  readonly #buckets = Array.from({ length: 1 << BUCKET_BITS }, (): Bucket => ({ blocks: [], block: NO_BLOCK, used: BLOCK_WORDS }));

  /** `dateNumber` represents the date: any whole number that is equal for equal dates. */
  note({ line, reference, counterparty, net_pence: net, vat_pence: vat }: RepeatCandidate, dateNumber: number): void {
    // Uses two hashes, each multiplying and mixing two characters per step; the constants are the odd primes of MurmurHash3 and xxHash32.
    let highHash = reference.length ^ 0x9e3779b9;
    let lowHash = dateNumber ^ 0x85ebca6b;
    for (let index = 0; index < reference.length; index += 2) {
      const pair = readPair(reference, index);
      highHash = Math.imul(highHash ^ pair, 0xcc9e2d51);
      lowHash = Math.imul(lowHash + pair, 0x9e3779b1) ^ (lowHash >>> 15);
    }
    for (let index = 0; index < counterparty.length; index += 2) {
      const pair = readPair(counterparty, index);
      highHash = Math.imul(highHash ^ pair, 0xcc9e2d51);
      lowHash = Math.imul(lowHash + pair, 0x9e3779b1) ^ (lowHash >>> 15);
    }
    // Amounts can exceed 32 bits, so mix in their upper parts too.
    const upper = Math.imul(Math.floor(net / 0x1_0000_0000), 31) + Math.floor(vat / 0x1_0000_0000);
    highHash = mixHash(mixHash(highHash ^ (net | 0)) + (vat | 0));
    const bucket = this.#buckets[highHash >>> (32 - BUCKET_BITS)] as Bucket;
    if (bucket.used === BLOCK_WORDS) startBlock(bucket);
    const { block, used } = bucket;
    block[used] = mixHash(mixHash(mixHash(lowHash + (vat | 0)) ^ (net | 0)) + upper + dateNumber);
    block[used + 1] = highHash;
    block[used + 2] = line;
    bucket.used = used + WORDS_PER_ENTRY;
  }

  /** Returns the lines of documents that repeat an earlier one, ascending, excluding the first of each group. */
  findRepeatLines(): Uint32Array {
    const lines: number[] = [];
    const largestBucket = Math.max(...this.#buckets.map(countEntries));
    // The table is at most half full, so that searches stay short.
    const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * largestBucket + 1)));
    for (const bucket of this.#buckets) {
      collectFromBucket(bucket, table, lines);
      table.fill(0);
    }
    return Uint32Array.from(lines).sort();
  }
}

function startBlock(bucket: Bucket): void {
  bucket.block = new Uint32Array(BLOCK_WORDS);
  bucket.blocks.push(bucket.block);
  bucket.used = 0;
}

function countEntries({ blocks, used }: Bucket): number {
  return blocks.length === 0 ? 0 : ((blocks.length - 1) * BLOCK_WORDS + used) / WORDS_PER_ENTRY;
}

/** Uses open addressing in a cleared table whose slots hold entry numbers starting at one; adds the lines of repeats to `lines`. */
function collectFromBucket(bucket: Bucket, table: Uint32Array, lines: number[]): void {
  const { blocks } = bucket;
  const mask = table.length - 1;
  const count = countEntries(bucket);
  for (let number = 1; number <= count; number += 1) {
    const block = blocks[(number - 1) >>> BLOCK_ENTRIES_BITS] as Uint32Array;
    const offset = ((number - 1) & BLOCK_MASK) * WORDS_PER_ENTRY;
    const lowHash = block[offset] as number;
    const highHash = block[offset + 1] as number;
    let slot = lowHash & mask;
    for (let entryNumber = table[slot] as number; ; entryNumber = table[slot] as number) {
      if (entryNumber === 0) {
        table[slot] = number;
        break;
      }
      const otherBlock = blocks[(entryNumber - 1) >>> BLOCK_ENTRIES_BITS] as Uint32Array;
      const otherIndex = ((entryNumber - 1) & BLOCK_MASK) * WORDS_PER_ENTRY;
      if (otherBlock[otherIndex] === lowHash && otherBlock[otherIndex + 1] === highHash) {
        lines.push(block[offset + 2] as number);
        break;
      }
      slot = (slot + 1) & mask;
    }
  }
}

/** Returns the character at an index combined with the next one (0 at the end of the text). */
function readPair(text: string, index: number): number {
  const first = text.charCodeAt(index);
  return index + 1 < text.length ? first | (text.charCodeAt(index + 1) << 16) : first;
}

function mixHash(hash: number): number {
  let mixedHash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixedHash = Math.imul(mixedHash ^ (mixedHash >>> 13), 0xc2b2ae35);
  return mixedHash ^ (mixedHash >>> 16);
}
