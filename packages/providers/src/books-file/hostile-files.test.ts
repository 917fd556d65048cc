import { describe, expect, it } from 'vitest';
import { readBooksFile } from './read-books-file.ts';
import { HEADER, createGoodLine, readAll } from './testing/read-all.ts';

const CHUNK_BYTES = 64 * 1024;

/** Streams `start` and then repeats `filler` up to a total of `bytes`, as a 200 MB upload would arrive. */
async function readEndlessFile(start: string, filler: string, bytes: number) {
  const chunk = Buffer.from(filler.repeat(Math.ceil(CHUNK_BYTES / filler.length)));
  let sentBytes = 0;
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start);
    for (; sentBytes < bytes; sentBytes += chunk.byteLength) yield chunk;
  }
  const file = readBooksFile(stream(), { fileName: 'hostile.csv' });
  const before = performance.now();
  for await (const _ of file.batches);
  return { ...file.summary(), sent: sentBytes, tookMs: performance.now() - before };
}

describe('a hostile file', () => {
  it('stops early in a 200 MB file with an unclosed quote', async () => {
    const { errors, sent } = await readEndlessFile(
      `${HEADER}\n${createGoodLine('A')}\n2026-02-03,sale,B,"Acme`,
      `,x\n${'y'.repeat(100)}`,
      200_000_000,
    );
    expect(errors).toMatchObject([{ line: 3, reason: expect.stringContaining('quote') }]);
    expect(sent).toBeLessThan(1_000_000);
  });

  it('stops early in a line without an end', async () => {
    const { errors, sent } = await readEndlessFile(`${HEADER}\n`, 'aaaa,', 200_000_000);
    expect(errors).toMatchObject([{ line: 2, reason: expect.stringContaining('longer') }]);
    expect(sent).toBeLessThan(1_000_000);
  });

  it('stops early in a file of NUL bytes', async () => {
    const { errors, sent } = await readEndlessFile(HEADER, '\0', 200_000_000);
    expect(errors).toMatchObject([{ line: 1, reason: expect.stringContaining('NUL') }]);
    expect(sent).toBeLessThan(1_000_000);
  });

  it('lists the first thousand errors and counts the rest', async () => {
    const { rows, errors } = await readEndlessFile(`${HEADER}\n`, '31/02/2026,refund,,,,1 2,3 4,standrd\n', 4_000_000);
    expect(errors).toHaveLength(1001);
    expect(errors.at(-1)).toEqual({ line: 0, column: '', reason: `and ${(rows * 5 - 1000).toLocaleString('en-GB')} more errors` });
  });

  // A naive scanner would read all of the text again for every character.
  it.each([
    ['quotes in one line', '"a', ''],
    ['quotes and spaces', '" ', ''],
    ['doubled quotes', '""', ''],
    ['quoted line ends', '"\n"', ''],
    ['commas', ',', '\n'],
    ['line ends', '\n', ''],
    ['carriage returns', '\r', ''],
    ['quotes and commas', '",', ''],
    ['a quote a line', '"\n', ''],
    ['digits and spaces', '1 ', '\n'],
  ])(
    'reads %s in time proportional to the size',
    async (_, filler, end) => {
      const line = `${filler.repeat(Math.floor(250_000 / filler.length))}${end}`;
      // Measures this process's CPU time, so that other load on the machine doesn't affect the result.
      const measureCpuMs = async (lines: number): Promise<number> => {
        const text = `${HEADER}\n${line.repeat(lines)}`;
        const before = process.cpuUsage();
        await readAll(text);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      const smallCostMs = await measureCpuMs(4);
      // Four times the size. Linear code takes about four times a few tens of milliseconds; quadratic code takes sixteen times ten seconds.
      expect(await measureCpuMs(16)).toBeLessThan(500 + 8 * smallCostMs);
    },
    120_000,
  );

  it('closes the stream when it stops reading', async () => {
    let isClosed = false;
    async function* stream(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('%PDF-1.7 ');
        yield Buffer.from('more');
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of readBooksFile(stream(), { fileName: 'x.csv' }).batches);
    expect(isClosed).toBe(true);
  });

  it('rethrows the stream’s own error', async () => {
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${HEADER}\n${createGoodLine('A')}\n`);
      throw new Error('cut off');
    }
    const file = readBooksFile(stream(), { fileName: 'x.csv' });
    await expect(async () => {
      for await (const _ of file.batches);
    }).rejects.toThrow('cut off');
  });
});
