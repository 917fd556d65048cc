/**
 * Remembers the documents seen, to tell which one repeats an earlier one: open addressing over typed arrays of 64-bit
 * fingerprints, 8 bytes a slot, at most 60% full, doubled when fuller: 14 to 27 bytes a row, 40 while it grows.
 * Two different documents are taken for a repeat when their 64-bit fingerprints meet: about n squared / 2^65, which is
 * 1 in 36 million files of 1,000,000 rows. A repeat is only flagged for a person to look at, never dropped, so no exact
 * second look is taken.
 */
import type { BooksRow } from './books-row.ts';

const FIRST_SLOTS = 1024;
const FULLEST = 0.6;

/** Answers, for each document in turn, whether an equal one (reference, counterparty, date, net and VAT) came before. */
export class RepeatFinder {
  #slots = FIRST_SLOTS;
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  #count = 0;

  /** `dateNumber` stands for the date: equal for equal dates, any whole number. */
  remember(row: Pick<BooksRow, 'reference' | 'counterparty' | 'net_pence' | 'vat_pence'>, dateNumber: number): boolean {
    const { reference, counterparty } = row;
    // Two independent multiply-and-mix lanes (the constants are MurmurHash3's and xxHash32's odd primes).
    let high = dateNumber ^ 0x9e3779b9;
    let low = reference.length ^ 0x85ebca6b;
    for (let index = 0; index < reference.length; index += 1) {
      const code = reference.charCodeAt(index);
      high = Math.imul(high ^ code, 0xcc9e2d51);
      high ^= high >>> 15;
      low = Math.imul(low + code, 0x9e3779b1);
      low ^= low >>> 13;
    }
    for (let index = 0; index < counterparty.length; index += 1) {
      const code = counterparty.charCodeAt(index);
      high = Math.imul(high ^ code, 0xcc9e2d51);
      high ^= high >>> 15;
      low = Math.imul(low + code, 0x9e3779b1);
      low ^= low >>> 13;
    }
    const net = row.net_pence;
    const vat = row.vat_pence;
    high = mix(mix(high ^ (net | 0)) ^ (vat | 0));
    low = mix(mix(low + (vat | 0)) + (net | 0) + Math.imul(Math.floor(net / 0x1_0000_0000), 31) + Math.floor(vat / 0x1_0000_0000));
    low = mix(low ^ dateNumber);
    return this.#insert(high >>> 0, low >>> 0 || 1);
  }

  #insert(high: number, low: number): boolean {
    if (this.#count >= this.#slots * FULLEST) this.#grow();
    const mask = this.#slots - 1;
    let slot = high & mask;
    while (this.#low[slot] !== 0) {
      if (this.#low[slot] === low && this.#high[slot] === high) return true;
      slot = (slot + 1) & mask;
    }
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#count += 1;
    return false;
  }

  #grow(): void {
    const oldHigh = this.#high;
    const oldLow = this.#low;
    this.#slots *= 2;
    this.#high = new Uint32Array(this.#slots);
    this.#low = new Uint32Array(this.#slots);
    const mask = this.#slots - 1;
    for (const [index, low] of oldLow.entries()) {
      if (low === 0) continue;
      const high = oldHigh[index] ?? 0;
      let slot = high & mask;
      while (this.#low[slot] !== 0) slot = (slot + 1) & mask;
      this.#high[slot] = high;
      this.#low[slot] = low;
    }
  }
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
