/** The position at which a PDF's next part is drawn, and functions that draw text, lines and page breaks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FONT_FOLDER = join(import.meta.dirname, 'fonts');
export const FONTS = {
  regular: readFileSync(join(FONT_FOLDER, 'work-sans-regular.ttf')),
  semibold: readFileSync(join(FONT_FOLDER, 'work-sans-semibold.ttf')),
};

type FontName = keyof typeof FONTS;

/** Design tokens of the web app (core/tokens.ts), on white. */
export const COLOURS = { text: '#1B2B29', quiet: '#52605E', heading: '#022F2A', accent: '#7440F5', line: '#D9D5CE' } as const;

export const MARGIN = 56;
/** The space at the bottom, which includes the footer. */
export const BOTTOM_MARGIN = 72;

/** A position on the pages, which moves down as blocks are drawn. */
export type Cursor = {
  readonly doc: PDFKit.PDFDocument;
  readonly root: PDFKit.PDFStructureElement;
  readonly left: number;
  readonly width: number;
  y: number;
};

export type TextStyle = {
  readonly font?: FontName;
  readonly size?: number;
  readonly colour?: string;
  readonly align?: 'left' | 'right';
};

const LINE_GAP = 2.5;

/** Draws text without moving the cursor. Figures all have the same width, so that amounts line up. */
export function drawText(cursor: Cursor, text: string, box: { x: number; y: number; width: number }, style: TextStyle = {}): void {
  setStyle(cursor, style)
    .fillColor(style.colour ?? COLOURS.text)
    .text(toPrintable(text), box.x, box.y, { width: box.width, align: style.align ?? 'left', lineGap: LINE_GAP });
}

/** Returns the height that `drawText` needs. */
export function measureText(cursor: Cursor, text: string, width: number, style: TextStyle = {}): number {
  return setStyle(cursor, style).heightOfString(toPrintable(text), { width, lineGap: LINE_GAP });
}

function setStyle({ doc }: Cursor, { font = 'regular', size = 10.5 }: TextStyle): PDFKit.PDFDocument {
  return doc.font(font).fontSize(size);
}

/** Starts a new page if the next part doesn't fit on this one, and returns true if it did. */
export function ensureSpace(cursor: Cursor, height: number): boolean {
  const { doc } = cursor;
  if (cursor.y + height <= doc.page.height - BOTTOM_MARGIN) return false;
  doc.addPage();
  cursor.y = MARGIN;
  return true;
}

/** Draws something that assistive technology skips. */
export function drawArtifact({ doc }: Cursor, type: 'Layout' | 'Pagination', draw: () => void): void {
  doc.markContent('Artifact', { type });
  draw();
  doc.endMarkedContent();
}

/** Work Sans has only Latin letters. A character without a glyph would be an empty box and make the page inaccessible. */
export function toPrintable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u2010\u2011]/g, '-')
    .replaceAll(
      /[^\n\u0020-\u007E\u00A0-\u0148\u014A-\u017F\u0218-\u021B\u1E80-\u1E85\u1EA0-\u1EF9\u2013\u2014\u2018-\u201A\u201C-\u201E\u2022\u2026\u20AC\u2212]/gu,
      '?',
    );
}
