/** Reads a PDF like assistive technology: properties, bookmarks and the tagged structure with its text. */
import { getDocumentProxy } from 'unpdf';

/** A tagged element that contains text, in reading order. */
export type TaggedText = { readonly tag: string; readonly text: string };

export type ReadPdf = {
  readonly title: string;
  readonly language: string;
  readonly pages: number;
  readonly bookmarks: readonly string[];
  /** Headings, paragraphs and cells in reading order, without artifacts. */
  readonly texts: readonly TaggedText[];
  /** The rows of all tables. */
  readonly rows: readonly (readonly TaggedText[])[];
  /** The file's bytes as text, for its object dictionaries. */
  readonly source: string;
};

type Node = { readonly role?: string; readonly type?: string; readonly id?: string; readonly children?: readonly Node[] };

export async function readPdf(bytes: Buffer): Promise<ReadPdf> {
  try {
    return await readDocument(bytes);
  } catch (error) {
    // The library's errors have the stack and the empty first line of an error created when it was loaded, so a report wouldn't show the
    // cause.
    const { name, message } = error as Error;
    throw new Error(`Can't read the PDF (${bytes.length} bytes, from "${bytes.toString('latin1', 0, 40)}"): ${name}: ${message}`, {
      cause: error,
    });
  }
}

async function readDocument(bytes: Buffer): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const { info } = await document.getMetadata();
  const outline: readonly { title: string }[] = (await document.getOutline()) ?? [];
  const properties = info as { Title?: string; Language?: string };
  const taggedTexts: TaggedText[] = [];
  const rows: TaggedText[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    collect((await page.getStructTree()) as Node, await readMarkedTexts(page), taggedTexts, rows);
  }
  const pages = document.numPages;
  await document.loadingTask.destroy();
  return {
    title: properties.Title ?? '',
    language: properties.Language ?? '',
    pages,
    bookmarks: outline.map(({ title }) => title),
    texts: taggedTexts,
    rows,
    source: bytes.toString('latin1'),
  };
}

type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** Reads the text of each piece of marked content on a page. Artifacts have no id. */
async function readMarkedTexts(page: PdfPage): Promise<Map<string, string>> {
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const textsById = new Map<string, string>();
  const open: (string | undefined)[] = [];
  for (const item of items) {
    if ('str' in item) {
      const id = open.at(-1);
      if (id !== undefined) textsById.set(id, `${textsById.get(id) ?? ''}${item.str}${item.hasEOL ? ' ' : ''}`);
    } else if (item.type === 'endMarkedContent') open.pop();
    else open.push(item.id);
  }
  return textsById;
}

function collect(node: Node, byId: ReadonlyMap<string, string>, taggedTexts: TaggedText[], rows: TaggedText[][]): void {
  const { role = '', children = [] } = node;
  if (role === 'TR') {
    const cells: TaggedText[] = [];
    for (const child of children) collect(child, byId, cells, rows);
    // A table that continues on another page is listed on both pages, each time with the other page's rows empty.
    if (cells.length > 0) rows.push(cells);
    taggedTexts.push(...cells);
    return;
  }
  const contentNodes = children.filter(({ type }) => type === 'content');
  if (contentNodes.length > 0) {
    const text = contentNodes.map(({ id = '' }) => byId.get(id) ?? '').join('');
    taggedTexts.push({ tag: role, text: text.replaceAll(/\s+/g, ' ').trim() });
  }
  for (const child of children) if (child.role !== undefined) collect(child, byId, taggedTexts, rows);
}
