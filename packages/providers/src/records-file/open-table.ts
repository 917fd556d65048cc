/**
 * Opens a table of unknown origin: CSV with any common delimiter and encoding, or the sheets of an XLSX file. The whole file is in memory,
 * so that it can be read again once its header and columns are known.
 */
import { splitCsv } from './csv-records.ts';
import { decodeTable } from './decode-table.ts';
import { detectDelimiter } from './detect-delimiter.ts';
import { detectFormat } from './detect-format.ts';
import { readSheetRows } from './read-sheet-rows.ts';
import type { TableRow } from './table-row.ts';
import { readDateStyles } from './xlsx-date-styles.ts';
import { openWorkbook } from './xlsx-workbook.ts';
import { listZipEntries } from './zip-entries.ts';

/** An open file. `readRows` can be called repeatedly. `firstBytes`: stop, without an error, after that much of an unpacked sheet. */
export type OpenTable = {
  readonly sheets: readonly string[];
  readRows(sheet: number, firstBytes?: number): AsyncIterable<readonly TableRow[]>;
};

/** Throws UnreadableFileError for an unsupported format. Reading the rows can also throw it. */
export async function openTable(bytes: Uint8Array, fileName: string): Promise<OpenTable> {
  const { format } = await detectFormat(toStream(bytes), fileName, { acceptsUtf16: true });
  return format === 'xlsx' ? openXlsx(bytes) : openCsv(bytes, fileName);
}

async function openXlsx(bytes: Uint8Array): Promise<OpenTable> {
  const entries = listZipEntries(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const workbook = await openWorkbook(entries);
  const dateStyles = await readDateStyles(entries);
  return {
    sheets: workbook.sheets.map(({ name }) => name),
    readRows: (sheet, firstBytes) => {
      const entry = workbook.sheets[sheet]?.entry;
      return entry === undefined ? listNoRows() : readSheetRows({ workbook, dateStyles, entry, firstBytes });
    },
  };
}

function openCsv(bytes: Uint8Array, fileName: string): OpenTable {
  const text = decodeTable(bytes);
  const delimiter = detectDelimiter(text.slice(0, 64 * 1024));
  return { sheets: [fileName], readRows: (sheet) => (sheet === 0 ? readCsvRows(text, delimiter) : listNoRows()) };
}

const CHUNK_LENGTH = 256 * 1024;

async function* readCsvRows(text: string, delimiter: string): AsyncGenerator<readonly TableRow[]> {
  async function* streamChunks() {
    for (let start = 0; start < text.length; start += CHUNK_LENGTH) yield { text: text.slice(start, start + CHUNK_LENGTH) };
  }
  for await (const { records, getLine, misquotedRows } of splitCsv(streamChunks(), delimiter)) {
    const rows = records.flatMap((cells, index) =>
      cells.some((cell) => cell.trim() !== '') ? [{ line: getLine(index), cells, isMisquoted: misquotedRows.has(index) }] : [],
    );
    if (rows.length > 0) yield rows;
    // Lets other requests run between chunks.
    await new Promise(setImmediate);
  }
}

async function* listNoRows(): AsyncGenerator<readonly TableRow[]> {}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
}
