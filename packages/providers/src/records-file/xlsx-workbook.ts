/** Finds the first sheet of an XLSX file, its shared strings and its date system (ECMA-376 part 1, sections 12 and 18). */
import { parseXml } from './parse-xml.ts';
import { UnreadableFileError } from './unreadable-file-error.ts';
import type { ZipEntry } from './zip-entries.ts';
import { DAMAGED_MESSAGE, readZipEntry } from './zip-entries.ts';

export type Workbook = {
  /** The first sheet. */
  readonly sheet: ZipEntry;
  /** The visible sheets in order. */
  readonly sheets: readonly WorkbookSheet[];
  readonly sharedStrings: readonly string[];
  /** Dates are counted from 1904 instead of 1900 (older Excel for Mac). */
  readonly uses1904Dates: boolean;
};

export type WorkbookSheet = { readonly name: string; readonly entry: ZipEntry };

export type Entries = ReadonlyMap<string, ZipEntry>;

/** Limits how many sheets are searched for a list. */
const MAX_SHEETS = 50;
const MAX_INDEX_BYTES = 10_000_000;
const MAX_SHARED_STRINGS_BYTES = 150_000_000;
/** The strings stay in memory while the file is read. A list of 100,000 clients uses a tenth of either limit. */
const MAX_SHARED_STRINGS = 1_000_000;
const MAX_SHARED_CHARACTERS = 60_000_000;

/** Opens the workbook. Throws UnreadableFileError with a clear message for a ZIP file that isn't XLSX. */
export async function openWorkbook(entries: Entries): Promise<Workbook> {
  const workbook = entries.get('xl/workbook.xml');
  if (!workbook) throw new UnreadableFileError(1, '', describeOtherZip(entries));
  const listedSheets: { readonly id: string; readonly name: string; readonly isHidden: boolean }[] = [];
  let uses1904Dates = false;
  const open = (name: string, attributes: () => Record<string, string>): void => {
    if (name === 'sheet') listedSheets.push(toListedSheet(attributes()));
    if (name === 'workbookPr') uses1904Dates = /^(1|true)$/.test(attributes()['date1904'] ?? '');
  };
  await drain(parseXml(readZipEntry(workbook, MAX_INDEX_BYTES), { open }));
  const { targets, texts } = await readRelations(entries);
  const findEntry = (id: string) => entries.get(targets.get(id) ?? '');
  const sheet = findEntry(listedSheets[0]?.id ?? '');
  if (!sheet) throw new UnreadableFileError(1, '', 'the first sheet of the XLSX file is empty: move the list to the first sheet');
  // Two names may refer to the same sheet, which must not be read twice.
  const usedEntries = new Set<ZipEntry>();
  const sheets = listedSheets.flatMap(({ id, name, isHidden }) => {
    const entry = findEntry(id);
    if (entry === undefined || isHidden || usedEntries.has(entry)) return [];
    usedEntries.add(entry);
    return [{ name, entry }];
  });
  if (sheets.length > MAX_SHEETS) {
    const advice = `the workbook has ${sheets.length} sheets, but the portal checks at most ${MAX_SHEETS}: save the sheet with the list as a separate file`;
    throw new UnreadableFileError(1, '', advice);
  }
  return { sheet, sheets, uses1904Dates, sharedStrings: await readSharedStrings(entries.get(texts)) };
}

function toListedSheet(attributes: Record<string, string>) {
  const { name = '', state = 'visible' } = attributes;
  return { id: getRelationId(attributes) ?? '', name, isHidden: state !== 'visible' };
}

async function readRelations(entries: Entries): Promise<{ targets: ReadonlyMap<string, string>; texts: string }> {
  const relations = entries.get('xl/_rels/workbook.xml.rels');
  if (!relations) throw new UnreadableFileError(1, '', DAMAGED_MESSAGE);
  const targets = new Map<string, string>();
  let sharedStringsPath = 'xl/sharedStrings.xml';
  const open = (name: string, attributes: () => Record<string, string>): void => {
    if (name !== 'Relationship') return;
    const { Id = '', Target = '', Type = '' } = attributes();
    const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target.replace(/^\.\//, '')}`;
    targets.set(Id, path);
    if (Type.endsWith('/sharedStrings')) sharedStringsPath = path;
  };
  await drain(parseXml(readZipEntry(relations, MAX_INDEX_BYTES), { open }));
  return { targets, texts: sharedStringsPath };
}

async function readSharedStrings(entry: ZipEntry | undefined): Promise<string[]> {
  const sharedStringTexts: string[] = [];
  if (!entry) return sharedStringTexts;
  let text = '';
  let characters = 0;
  let isInText = false;
  let isInPhonetics = false;
  const listener = {
    open: (name: string) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isInPhonetics = true;
      isInText = name === 't' && !isInPhonetics;
    },
    close: (name: string) => {
      if (name === 'si') sharedStringTexts.push(text);
      if (sharedStringTexts.length > MAX_SHARED_STRINGS) throw createTooMuchTextError();
      if (name === 'rPh') isInPhonetics = false;
      isInText = false;
    },
    text: (part: string) => {
      if (!isInText) return;
      text += part;
      characters += part.length;
      if (characters > MAX_SHARED_CHARACTERS) throw createTooMuchTextError();
    },
  };
  await drain(parseXml(readZipEntry(entry, MAX_SHARED_STRINGS_BYTES), listener));
  return sharedStringTexts;
}

function createTooMuchTextError(): UnreadableFileError {
  return new UnreadableFileError(1, '', 'the XLSX file has more text than the portal can read: save it as CSV UTF-8, or split it');
}

export async function drain(steps: AsyncIterable<void>): Promise<void> {
  const iterator = steps[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
}

function getRelationId(attributes: Record<string, string>): string | undefined {
  const name = Object.keys(attributes).find((key) => key.endsWith(':id'));
  return name === undefined ? undefined : attributes[name];
}

function describeOtherZip(entries: Entries): string {
  if (entries.has('xl/workbook.bin')) return 'this is a binary workbook (.xlsb): save it as XLSX or CSV UTF-8';
  if (entries.has('mimetype')) return 'this is an OpenDocument file: save it as XLSX or CSV UTF-8';
  if (entries.has('word/document.xml')) return 'this is a Word document: export the list as CSV or XLSX from the software that created it';
  return 'this is a ZIP file, not a workbook: unzip it and choose the CSV or XLSX file inside';
}
