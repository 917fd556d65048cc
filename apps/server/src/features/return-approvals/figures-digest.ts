import { createHash } from 'node:crypto';
import type { FiledBoxes } from '@portal/db/schema/schema.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { toFiguresText } from '@portal/domain/vat-returns/return-approval.ts';

type FiguresPeriod = { readonly periodStart: PlainDate; readonly periodEnd: PlainDate };

/** Identifies the figures that a client approves. */
export function getFiguresDigest({ periodStart, periodEnd }: FiguresPeriod, boxes: FiledBoxes): string {
  return createHash('sha256').update(toFiguresText({ periodStart, periodEnd, boxes })).digest('hex');
}
