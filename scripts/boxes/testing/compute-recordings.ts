import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VatBasis } from '@portal/domain/connected-books/books-document.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { toPoundsText } from '@portal/domain/money.ts';
import type { Recordings } from '@portal/sandbox/simulator/recordings.ts';
import { computeSourceBoxes } from '../source-boxes.ts';
import type { SourceName } from '../source-names.ts';

/** Writes recordings to files and computes the boxes for July to September 2026, as `npm run boxes` does. */
export async function computeRecordings(source: SourceName, recordings: Recordings, basis?: VatBasis) {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  try {
    for (const [name, objects] of Object.entries(recordings)) writeFileSync(join(folder, `${name}.json`), JSON.stringify(objects));
    const period = { from: plainDate('2026-07-01'), to: plainDate('2026-09-30') };
    const totals = await computeSourceBoxes({ source, folder, period, basis });
    if ('errors' in totals) return totals;
    const { boxes, direction, rows, outsidePeriod, flagged } = totals;
    return {
      boxes: [
        ...[boxes.box1, boxes.box2, boxes.box3, boxes.box4, boxes.box5].map(toPoundsText),
        boxes.box6,
        boxes.box7,
        boxes.box8,
        boxes.box9,
      ],
      direction,
      rows,
      outsidePeriod,
      flagged: flagged.map(({ document, flags }) => `${document.reference}: ${flags.join(', ')}`),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
