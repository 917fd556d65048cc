/**
 * Writes a document as a tagged PDF (PDF 1.7, structured as required by PDF/UA-1): title, language, headings, tables with header cells,
 * bookmarks and embedded fonts. The same document always gives the same bytes.
 */
import { toEpochMs } from '@portal/domain/clock.ts';
import PDFDocument from 'pdfkit';
import type { DocumentBlock, PrintedDocument } from './printed-document.ts';
import {
  COLOURS,
  drawArtifact,
  drawText,
  ensureSpace,
  FONTS,
  BOTTOM_MARGIN,
  MARGIN,
  measureText,
  toPrintable,
  type Cursor,
  type TextStyle,
} from './pdf-cursor.ts';
import { drawTable } from './write-pdf-table.ts';

/** Specifies the standard in the metadata (ISO 14289-1), for which the library has no types yet. */
const PDF_UA: object = { subset: 'PDF/UA' };

export async function writePdf(printedDocument: PrintedDocument): Promise<Buffer> {
  const createdAt = new Date(toEpochMs(printedDocument.createdAt));
  const doc = new PDFDocument({
    ...PDF_UA,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: 'en-GB',
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: BOTTOM_MARGIN },
    bufferPages: true,
    info: {
      Title: toPrintable(printedDocument.title),
      Author: printedDocument.brand,
      Subject: printedDocument.subject,
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  const bytes = collect(doc);
  for (const [name, file] of Object.entries(FONTS)) doc.registerFont(name, file);
  const root = doc.struct('Document');
  doc.addStructure(root);
  const cursor: Cursor = { doc, root, left: MARGIN, width: doc.page.width - 2 * MARGIN, y: MARGIN };
  drawHead(cursor, printedDocument);
  for (const block of printedDocument.blocks) drawBlock(cursor, block);
  root.end();
  drawFooters(cursor, printedDocument);
  doc.end();
  return bytes;
}

function collect(doc: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
}

function drawHead(cursor: Cursor, { brand, title, lead }: PrintedDocument): void {
  const { doc, left } = cursor;
  drawArtifact(cursor, 'Layout', () => doc.roundedRect(left, cursor.y + 1, 12, 12, 3).fill(COLOURS.accent));
  const brandBox = { x: left + 19, y: cursor.y - 1, width: cursor.width - 19 };
  cursor.root.add(doc.struct('P', {}, [() => drawText(cursor, brand, brandBox, { font: 'semibold', size: 12, colour: COLOURS.heading })]));
  cursor.y += 44;
  addText(cursor, 'H1', title, { font: 'semibold', size: 22, colour: COLOURS.heading });
  cursor.y += 4;
  addText(cursor, 'P', lead, { size: 12, colour: COLOURS.quiet });
  cursor.y += 18;
}

function drawBlock(cursor: Cursor, block: DocumentBlock): void {
  switch (block.kind) {
    case 'heading':
      // Keeps a heading together with the first lines below it.
      ensureSpace(cursor, 90);
      cursor.y += 8;
      cursor.doc.outline.addItem(toPrintable(block.text));
      addText(cursor, 'H2', block.text, { font: 'semibold', size: 12.5, colour: COLOURS.heading });
      cursor.y += 4;
      return;
    case 'paragraph':
      addText(cursor, 'P', block.text, block.tone === 'quiet' ? { size: 9.5, colour: COLOURS.quiet } : {});
      cursor.y += 8;
      return;
    case 'table':
      drawTable(cursor, block);
      cursor.y += 16;
  }
}

/** Adds tagged text over the full width. Text longer than the page continues on the next one. */
function addText(cursor: Cursor, tag: 'H1' | 'H2' | 'P', text: string, style: TextStyle): void {
  const { doc, left: x, width } = cursor;
  ensureSpace(cursor, Math.min(measureText(cursor, text, width, style), 200));
  cursor.root.add(doc.struct(tag, {}, [() => drawText(cursor, text, { x, y: cursor.y, width }, style)]));
  cursor.y = doc.y;
}

/** The number of pages is known only at the end, so the footers are drawn last. */
function drawFooters(cursor: Cursor, { footer }: PrintedDocument): void {
  const { doc, left, width } = cursor;
  const { start, count } = doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    // The footer is below the bottom margin, where the library would start a new page.
    doc.page.margins.bottom = 0;
    const y = doc.page.height - 44;
    const style = { size: 8.5, colour: COLOURS.quiet };
    drawArtifact(cursor, 'Pagination', () => {
      doc
        .moveTo(left, y - 8)
        .lineTo(left + width, y - 8)
        .lineWidth(0.5)
        .stroke(COLOURS.line);
      drawText(cursor, footer, { x: left, y, width: width - 80 }, style);
      drawText(cursor, `Page ${index + 1} of ${count}`, { x: left + width - 80, y, width: 80 }, { ...style, align: 'right' });
    });
  }
}
