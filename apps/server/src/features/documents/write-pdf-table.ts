/** Draws a table with tagged header cells. On a new page the header row is repeated only visually. */
import type { DocumentColumn, DocumentTable } from './printed-document.ts';
import { COLOURS, drawArtifact, drawText, ensureSpace, measureText, type Cursor, type TextStyle } from './pdf-cursor.ts';

const PADDING = 4;
const GUTTER = 10;
const HEADER_STYLE: TextStyle = { font: 'semibold', size: 9.5, colour: COLOURS.quiet };

/** Options of header cells that the library's types don't cover yet. */
const COLUMN_HEADER: object = { scope: 'Column' };
const ROW_HEADER: object = { scope: 'Row' };

export function drawTable(cursor: Cursor, { columns, rows, hidesHeader = false }: DocumentTable): void {
  const { doc, root } = cursor;
  const boxes = computeBoxes(cursor, columns);
  const table = doc.struct('Table');
  root.add(table);
  const titles = columns.map(({ title }) => title);
  const drawHeader = (addCell: (index: number, draw: () => void) => void): void => {
    const height = measureRow(cursor, titles, boxes, () => HEADER_STYLE);
    ensureSpace(cursor, height + 60);
    const { y } = cursor;
    boxes.forEach((box, index) => addCell(index, () => drawCell(cursor, titles[index] ?? '', { ...box, y }, HEADER_STYLE)));
    finishRow(cursor, height, COLOURS.heading);
  };
  if (!hidesHeader) {
    const row = doc.struct('TR');
    table.add(row);
    drawHeader((_index, draw) => row.add(doc.struct('TH', COLUMN_HEADER, [draw])));
    row.end();
  }
  for (const { cells, isTotal = false } of rows) {
    const getStyle = (index: number): TextStyle => ({
      ...(isTotal ? { font: 'semibold', colour: COLOURS.heading } : {}),
      ...(hidesHeader && index === 0 && !isTotal ? { colour: COLOURS.quiet } : {}),
    });
    const height = measureRow(cursor, cells, boxes, getStyle);
    if (ensureSpace(cursor, height) && !hidesHeader) drawHeader((_index, draw) => drawArtifact(cursor, 'Layout', draw));
    const row = doc.struct('TR');
    table.add(row);
    const { y } = cursor;
    boxes.forEach((box, index) => {
      const draw = (): void => drawCell(cursor, cells[index] ?? '', { ...box, y }, getStyle(index));
      // An empty cell is tagged too, so that the columns stay aligned for assistive technology.
      const isHeader = index === 0;
      row.add(doc.struct(isHeader ? 'TH' : 'TD', isHeader ? ROW_HEADER : {}, [draw]));
    });
    row.end();
    finishRow(cursor, height, isTotal ? COLOURS.heading : COLOURS.line);
  }
  table.end();
}

type Box = { readonly x: number; readonly width: number; readonly align: 'left' | 'right' };

function computeBoxes({ left, width }: Cursor, columns: readonly DocumentColumn[]): Box[] {
  let x = left;
  return columns.map(({ share, align }, index) => {
    const columnWidth = width * share;
    const box: Box = { x, width: columnWidth - (index === columns.length - 1 ? 0 : GUTTER), align: align ?? 'left' };
    x += columnWidth;
    return box;
  });
}

function measureRow(cursor: Cursor, cells: readonly string[], boxes: readonly Box[], getStyle: (index: number) => TextStyle): number {
  const heights = boxes.map((box, index) => measureText(cursor, cells[index] ?? '', box.width, getStyle(index)));
  return Math.max(...heights) + 2 * PADDING;
}

function drawCell(cursor: Cursor, text: string, { y, ...box }: Box & { readonly y: number }, style: TextStyle): void {
  if (text !== '') drawText(cursor, text, { x: box.x, y: y + PADDING, width: box.width }, { ...style, align: box.align });
}

function finishRow(cursor: Cursor, height: number, colour: string): void {
  const { doc, left, width } = cursor;
  cursor.y += height;
  drawArtifact(cursor, 'Layout', () =>
    doc
      .moveTo(left, cursor.y)
      .lineTo(left + width, cursor.y)
      .lineWidth(0.5)
      .stroke(colour),
  );
}
