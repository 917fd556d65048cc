/** Writes a file of books for the benchmark, with random dates in one quarter and all treatments. The file is identical on every run. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { BOOKS_KINDS, TREATMENTS } from '@portal/domain/books/books-row.ts';
import { findBoxRule } from '@portal/domain/vat-returns/treatment-table.ts';

/** Half the rows are standard-rated. The rest cover the whole treatment table. */
const ALL_COMBINATIONS = TREATMENTS.flatMap((treatment) =>
  BOOKS_KINDS.filter((kind) => findBoxRule(kind, treatment)).map((kind) => ({ kind, treatment })),
);
const STANDARD_RATED = BOOKS_KINDS.map((kind) => ({ kind, treatment: 'standard' as const }));

/** Writes the given number of rows, of which one in a thousand repeats the previous row. */
export async function writeBooksFile(path: string, rows: number): Promise<void> {
  const outputStream = createWriteStream(path);
  const random = createRandom(20_260_331);
  outputStream.write('date,kind,reference,counterparty,description,net,vat,treatment\n');
  let line = '';
  let text = '';
  for (let index = 0; index < rows; index += 1) {
    if (index % 1000 !== 999) line = formatRow(index, random);
    text += line;
    if (text.length < 1_000_000) continue;
    if (!outputStream.write(text)) await once(outputStream, 'drain');
    text = '';
  }
  outputStream.end(text);
  await once(outputStream, 'finish');
}

function formatRow(index: number, random: (upperBound: number) => number): string {
  const choices = random(2) === 0 ? STANDARD_RATED : ALL_COMBINATIONS;
  const { kind, treatment } = choices[random(choices.length)] ?? { kind: 'sale', treatment: 'standard' };
  const net = random(500_000) + 1;
  const vat = Math.round(net / 5);
  const date = `2026-0${random(3) + 1}-${String(random(28) + 1).padStart(2, '0')}`;
  return `${date},${kind},INV-${100_000 + index},Counterparty ${random(3000)} Ltd,Goods and services lot ${index},${(net / 100).toFixed(2)},${(vat / 100).toFixed(2)},${treatment}\n`;
}

/** Seeded generator (mulberry32), so that every run measures the same file. */
function createRandom(seed: number): (upperBound: number) => number {
  let state = seed;
  return (upperBound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState;
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) % upperBound;
  };
}
