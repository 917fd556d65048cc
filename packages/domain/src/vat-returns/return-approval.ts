/** A client's approval of the figures in a VAT return. Valid only for exactly these figures. */
import type { PlainDate } from '../plain-date.ts';

/**
 * - `sent`: the client's users were asked to approve. `queried`: a user has a question. `approved`: by a user, or outside the portal.
 * - `changed`: void, because the figures have changed. `withdrawn`: the practice cancelled it or sent new figures.
 */
export const APPROVAL_STATES = ['sent', 'queried', 'approved', 'changed', 'withdrawn'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Returns true if a client's users may still approve it. A question doesn't prevent that. */
export function canApprove(state: ApprovalState): boolean {
  return state === 'sent' || state === 'queried';
}

/** The stages in a practice's list of returns, in working order. */
export const RETURN_STAGES = ['to_prepare', 'sent', 'queried', 'approved', 'filed'] as const;
export type ReturnStage = (typeof RETURN_STAGES)[number];

/** Days after which the client's users get one reminder about figures that they haven't approved. */
export const APPROVAL_REMINDER_DAYS = 3;

export type ApprovedFigures = {
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  /** The nine boxes, by name. */
  readonly boxes: Readonly<Record<string, number | string>>;
};

/** Returns the text whose hash identifies the figures. Uploading the same books twice gives the same text. */
export function toFiguresText({ periodStart, periodEnd, boxes }: ApprovedFigures): string {
  const names = Object.keys(boxes).toSorted();
  return [periodStart, periodEnd, ...names.map((name) => `${name}=${boxes[name]}`)].join('\n');
}
