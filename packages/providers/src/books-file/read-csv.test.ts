import { formatBooksTemplate } from '@portal/domain/books/books-template.ts';
import { TREATMENTS } from '@portal/domain/books/books-row.ts';
import { describe, expect, it } from 'vitest';
import { HEADER, createGoodLine, readAll } from './testing/read-all.ts';

const createBadLine = (reference: string) => `2026-02-03,sale,${reference},Acme,Goods,x,20.00,standard`;

describe('a CSV file of business records', () => {
  it('reads the template that the portal offers', async () => {
    const { all, rows, errors, firstDate, lastDate } = await readAll(formatBooksTemplate());
    expect(errors).toEqual([]);
    expect(all.map(({ treatment }) => treatment)).toEqual([...TREATMENTS]);
    expect({ rows, firstDate, lastDate }).toEqual({ rows: TREATMENTS.length, firstDate: '2026-04-01', lastDate: '2026-04-17' });
    expect(all.find(({ treatment }) => treatment === 'imported_services')?.vat_pence).toBe(2400);
  });

  it.each([
    ['\n', 'LF'],
    ['\r\n', 'CRLF'],
    ['\r', 'CR'],
  ])('numbers lines with %j line ends (%s); blank lines count but give no row', async (end) => {
    const text = [HEADER, createGoodLine('A'), '', '   ', ',,,,,,,', createBadLine('B'), createGoodLine('C'), createBadLine('D'), ''].join(
      end,
    );
    for (const pieceBytes of [1, 7, 64, 65_536]) {
      const { rows, errors } = await readAll(text, pieceBytes);
      expect(rows).toBe(4);
      expect(errors.map(({ line, column }) => ({ line, column }))).toEqual([
        { line: 6, column: 'net' },
        { line: 8, column: 'net' },
      ]);
    }
  });

  it("uses the number of a record's first line when quoted fields contain line ends, commas and quotes", async () => {
    const text = [
      HEADER,
      createGoodLine('A', '"two\r\nlines, and ""quotes"""'),
      createGoodLine('B'),
      createGoodLine('C', '"\n\n\n"'),
      createBadLine('D'),
      createGoodLine('E'),
    ].join('\r\n');
    for (const pieceBytes of [1, 5, 65_536]) {
      const { errors } = await readAll(text, pieceBytes);
      expect(errors).toMatchObject([{ line: 9, column: 'net' }]);
      const { all } = await readAll(text.replace(createBadLine('D'), createGoodLine('D')), pieceBytes);
      expect(all.map(({ line, reference }) => `${line} ${reference}`)).toEqual(['2 A', '4 B', '5 C', '9 D', '10 E']);
      expect(all[0]?.description).toBe('two\nlines, and "quotes"');
    }
  });

  it('accepts mixed line ends and a last line without one', async () => {
    const { all } = await readAll(`${HEADER}\r\n${createGoodLine('A')}\n${createGoodLine('B')}\r${createGoodLine('C')}`);
    expect(all.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  it('drops a byte order mark and keeps multi-byte characters intact', async () => {
    for (const pieceBytes of [1, 2, 3, 100]) {
      const { all, errors } = await readAll(`\uFEFF${HEADER}\n${createGoodLine('Ä€𝄞')}`, pieceBytes);
      expect(errors).toEqual([]);
      expect(all[0]?.reference).toBe('Ä€𝄞');
    }
  });

  it('keeps a lone quote inside a value, and text that looks like a formula', async () => {
    const { all } = await readAll(`${HEADER}\n${createGoodLine('=SUM(A1)', '5" pipe')}\n${createGoodLine('@x', 'b')}`);
    expect(all.map(({ reference, description }) => [reference, description])).toEqual([
      ['=SUM(A1)', '5" pipe'],
      ['@x', 'b'],
    ]);
  });

  it('accepts a file with a header and no rows', async () => {
    expect(await readAll(HEADER)).toMatchObject({ rows: 0, errors: [], all: [] });
    expect(await readAll(`${HEADER}\n`)).toMatchObject({ rows: 0, errors: [], all: [] });
  });

  it('notes the columns that it does not read', async () => {
    const { all, notes } = await readAll(`${HEADER},project\n${createGoodLine('A')},P1`);
    expect(all).toHaveLength(1);
    expect(notes).toMatchObject([{ line: 1, column: 'project' }]);
  });

  it('returns no rows after an error, but reports all errors', async () => {
    const { all, rows, errors } = await readAll([HEADER, createBadLine('A'), createGoodLine('B'), createBadLine('C')].join('\n'));
    expect({ all, rows, lines: errors.map(({ line }) => line) }).toEqual({ all: [], rows: 3, lines: [2, 4] });
  });

  it('names the column missing from the header', async () => {
    const { errors, rows } = await readAll(`${HEADER.replace('treatment', 'treatmnt')}\n${createGoodLine('A')}`);
    expect(rows).toBe(0);
    expect(errors).toMatchObject([{ line: 1, column: 'treatment', reason: expect.stringContaining('treatmnt') }]);
  });

  it('reports every missing column of a header', async () => {
    const { errors } = await readAll('date,kind,reference,counterparty,description\n');
    expect(errors.map(({ column }) => column)).toEqual(['net', 'vat', 'treatment']);
  });

  it('rejects a row with unbalanced quotes and gives its line', async () => {
    const { errors } = await readAll([HEADER, createGoodLine('A'), createGoodLine('B', '"ab"c"'), createGoodLine('C')].join('\n'));
    expect(errors).toMatchObject([{ line: 3, reason: expect.stringContaining('quotes') }]);
  });

  it('gives the line where an unclosed quote opens', async () => {
    const { errors } = await readAll(
      [HEADER, createGoodLine('A'), createGoodLine('B', '"never closed'), createGoodLine('C'), createGoodLine('D')].join('\n'),
    );
    expect(errors).toMatchObject([{ line: 3, reason: expect.stringContaining('quote') }]);
  });
});

describe('a file in the wrong encoding or of the wrong kind', () => {
  const encodeLatin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));

  it('gives the line that is not UTF-8, wherever the chunks are cut', async () => {
    const bytes = encodeLatin1([HEADER, createGoodLine('A'), createGoodLine('Caf\u00e9'), createGoodLine('C')].join('\r\n'));
    for (const pieceBytes of [1, 3, 10, 65_536]) {
      const { errors } = await readAll(bytes, pieceBytes);
      expect(errors).toMatchObject([{ line: 3, reason: expect.stringContaining('CSV UTF-8') }]);
    }
  });

  it('also reports the errors of the lines before the one that is not UTF-8', async () => {
    const { errors } = await readAll(encodeLatin1([HEADER, createBadLine('A'), createGoodLine('\u00e9')].join('\n')));
    expect(errors.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('rejects a file that ends in the middle of a character', async () => {
    const bytes = new TextEncoder().encode(`${HEADER}\n${createGoodLine('A')}\n${createGoodLine('€')}`);
    const { errors } = await readAll(bytes.subarray(0, bytes.indexOf(0xe2) + 1));
    expect(errors).toMatchObject([{ line: 3, reason: expect.stringContaining('UTF-8') }]);
  });

  it.each([
    ['UTF-16 little endian', [0xff, 0xfe, 0x64, 0], 'UTF-16'],
    ['UTF-16 big endian', [0xfe, 0xff, 0, 0x64], 'UTF-16'],
    ['a PDF', [...Buffer.from('%PDF-1.7')], 'PDF'],
    ['an old Excel file', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], '.xls'],
    ['a gzip', [0x1f, 0x8b, 8, 0], 'gzip'],
    ['a picture', [0x89, 0x50, 0x4e, 0x47], 'image'],
    ['nothing', [], 'empty'],
    ['only a byte order mark', [0xef, 0xbb, 0xbf], 'line 1 is empty'],
  ])('recognises %s', async (_, bytes, reason) => {
    for (const pieceBytes of [1, 100]) {
      const { errors, rows } = await readAll(Uint8Array.from(bytes), pieceBytes);
      expect({ rows, errors }).toMatchObject({ rows: 0, errors: [{ line: 1, reason: expect.stringContaining(reason) }] });
    }
  });

  it('gives the line that contains a NUL byte', async () => {
    const { errors } = await readAll(`${HEADER}\n${createGoodLine('A')}\n${createGoodLine('B\0')}`);
    expect(errors).toMatchObject([{ line: 3, reason: expect.stringContaining('NUL') }]);
  });
});
