/**
 * Finds the documents that repeat an earlier one (reference, counterparty, date, net and VAT), among millions, in 12 bytes
 * a row and as many again while it looks.
 *
 * Each document leaves a 64-bit fingerprint and its line. Looking each one up at once would read all over a large table,
 * one wait for memory after the other; so they are only appended, and at the end sorted into buckets that fit the
 * processor's cache, where each is looked up among its few neighbours (a third of the time, on a million rows).
 *
 * Two different documents meet in one fingerprint about n squared / 2^65 times: once in 36 million files of 1,000,000 rows.
 * A repeat is only shown to a person, never dropped, so no exact second look is taken.
 */
import type { BooksRow } from './books-row.ts';

/** What makes two documents the same, besides the date. */
type Document = Pick<BooksRow, 'line' | 'reference' | 'counterparty' | 'net_pence' | 'vat_pence'>;

/** An entry is three words: low half, high half, line. */
const WORDS = 3;
const BLOCK_WORDS = WORDS * 16_384;
const ENTRIES_A_BUCKET = 2_048;
const MOST_BUCKET_BITS = 16;

/** Takes note of documents in the order of their file. */
export class RepeatFinder {
  readonly #full: Uint32Array[] = [];
  #block = new Uint32Array(BLOCK_WORDS);
  #used = 0;

  /** `dateNumber` stands for the date: equal for equal dates, any whole number. */
  note({ line, reference, counterparty, net_pence: net, vat_pence: vat }: Document, dateNumber: number): void {
    // Two lanes of multiply-and-mix, two characters a step; the constants are the odd primes of MurmurHash3 and xxHash32.
    let high = reference.length ^ 0x9e3779b9;
    let low = dateNumber ^ 0x85ebca6b;
    for (let index = 0; index < reference.length; index += 2) {
      const pair = pairAt(reference, index);
      high = Math.imul(high ^ pair, 0xcc9e2d51);
      low = Math.imul(low + pair, 0x9e3779b1) ^ (low >>> 15);
    }
    for (let index = 0; index < counterparty.length; index += 2) {
      const pair = pairAt(counterparty, index);
      high = Math.imul(high ^ pair, 0xcc9e2d51);
      low = Math.imul(low + pair, 0x9e3779b1) ^ (low >>> 15);
    }
    // Amounts reach beyond 32 bits: the upper parts go in beside the lower.
    const upper = Math.imul(Math.floor(net / 0x1_0000_0000), 31) + Math.floor(vat / 0x1_0000_0000);
    if (this.#used === BLOCK_WORDS) this.#startBlock();
    const block = this.#block;
    const at = this.#used;
    // Zero marks a free slot below.
    block[at] = mix(mix(mix(low + (vat | 0)) ^ (net | 0)) + upper + dateNumber) || 1;
    block[at + 1] = mix(mix(high ^ (net | 0)) + (vat | 0));
    block[at + 2] = line;
    this.#used = at + WORDS;
  }

  /** The lines of the documents that repeat an earlier one, ascending within the file; the first of equals is not among them. */
  findRepeatLines(): Uint32Array {
    const count = (this.#full.length * BLOCK_WORDS + this.#used) / WORDS;
    const bits = Math.min(MOST_BUCKET_BITS, Math.max(0, Math.ceil(Math.log2(count / ENTRIES_A_BUCKET))));
    const { sorted, ends } = this.#sortIntoBuckets(count, bits);
    const lines: number[] = [];
    let start = 0;
    for (const end of ends) {
      findInBucket(sorted, start, end, lines);
      start = end;
    }
    return Uint32Array.from(lines).sort();
  }

  #startBlock(): void {
    this.#full.push(this.#block);
    this.#block = new Uint32Array(BLOCK_WORDS);
    this.#used = 0;
  }

  /** Keeps the order of the file within each bucket; `ends` are positions in words. */
  #sortIntoBuckets(count: number, bits: number): { sorted: Uint32Array; ends: Uint32Array } {
    const blocks = [...this.#full, this.#block.subarray(0, this.#used)];
    // A shift by 32 would be a shift by 0, so a single bucket is taken by a mask.
    const mask = (1 << bits) - 1;
    const shift = bits === 0 ? 0 : 32 - bits;
    const ends = new Uint32Array(1 << bits);
    for (const block of blocks) for (let at = 1; at < block.length; at += WORDS) ends[((block[at] ?? 0) >>> shift) & mask]! += WORDS;
    let start = 0;
    for (let bucket = 0; bucket < ends.length; bucket += 1) {
      const size = ends[bucket] ?? 0;
      ends[bucket] = start;
      start += size;
    }
    const sorted = new Uint32Array(count * WORDS);
    for (const block of blocks) {
      for (let at = 0; at < block.length; at += WORDS) {
        const bucket = ((block[at + 1] ?? 0) >>> shift) & mask;
        const to = ends[bucket] ?? 0;
        sorted[to] = block[at] ?? 0;
        sorted[to + 1] = block[at + 1] ?? 0;
        sorted[to + 2] = block[at + 2] ?? 0;
        ends[bucket] = to + WORDS;
      }
    }
    return { sorted, ends };
  }
}

/** Open addressing over the entries of one bucket; adds the lines of repeats to `lines`. */
function findInBucket(sorted: Uint32Array, start: number, end: number, lines: number[]): void {
  const slots = 1 << Math.ceil(Math.log2(((end - start) / WORDS) * 2 + 1));
  const table = slots <= SMALL_TABLE.length ? SMALL_TABLE.fill(0, 0, slots) : new Uint32Array(slots);
  for (let at = start; at < end; at += WORDS) {
    let slot = (sorted[at] ?? 0) & (slots - 1);
    // A slot holds the position of its entry, plus one.
    for (let held = table[slot] ?? 0; ; held = table[slot] ?? 0) {
      if (held === 0) {
        table[slot] = at + 1;
        break;
      }
      if (sorted[held - 1] === sorted[at] && sorted[held] === sorted[at + 1]) {
        lines.push(sorted[at + 2] ?? 0);
        break;
      }
      slot = (slot + 1) & (slots - 1);
    }
  }
}

/** Scratch space, cleared before each use. */
const SMALL_TABLE = new Uint32Array(8 * ENTRIES_A_BUCKET);

/** The character at an index and, above it, the next one (0 where the text ends). */
function pairAt(text: string, index: number): number {
  const first = text.charCodeAt(index);
  return index + 1 < text.length ? first | (text.charCodeAt(index + 1) << 16) : first;
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
