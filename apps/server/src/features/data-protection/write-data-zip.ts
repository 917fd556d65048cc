/** Writes a download of data: one JSON file for each table, and a page that shows its contents. */
import type { ZipFile } from '../exports/write-zip.ts';
import { writeZip } from '../exports/write-zip.ts';
import { writeIndexPage, PREVIEW_ROWS, type IndexedFile } from './index-page.ts';
import type { DataRow } from './stream-rows.ts';

export type DataSet = { readonly name: string; readonly title: string; readonly rows: AsyncIterable<DataRow> };

export type DataZip = {
  readonly title: string;
  /** Who requested the download, when, and what the reader should know. */
  readonly lead: readonly string[];
  readonly sets: readonly DataSet[];
  /** Files that users have uploaded, unchanged. */
  readonly attachments?: AsyncIterable<ZipFile>;
  /** The data left out of the download, with the reasons. */
  readonly missing: readonly { readonly what: string; readonly why: string }[];
};

export function writeDataZip({ title, lead, sets, missing, attachments }: DataZip): AsyncGenerator<Buffer> {
  const files: IndexedFile[] = [];
  return writeZip(listFiles());

  async function* listFiles(): AsyncGenerator<ZipFile> {
    for (const set of sets) yield { name: `data/${set.name}.json`, content: writeJson(set, files) };
    if (attachments) yield* attachments;
    yield { name: 'index.html', content: writeIndex() };
  }

  // Written last, because the number of rows in each file is known only then.
  async function* writeIndex(): AsyncGenerator<string> {
    yield* writeIndexPage({ title, lead, files, missing });
  }
}

async function* writeJson({ name, title, rows }: DataSet, files: IndexedFile[]): AsyncGenerator<string> {
  const preview: DataRow[] = [];
  let count = 0;
  yield '[';
  for await (const row of rows) {
    yield `${count === 0 ? '\n' : ',\n'}${JSON.stringify(row)}`;
    if (preview.length < PREVIEW_ROWS) preview.push(row);
    count += 1;
  }
  yield count === 0 ? ']\n' : '\n]\n';
  files.push({ name: `data/${name}.json`, title, count, preview });
}
