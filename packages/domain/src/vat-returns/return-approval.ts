/** A client's approval of the figures of a VAT return. It holds for exactly these figures. */
import type { PlainDate } from '../plain-date.ts';

/**
 * - `sent`: the client's people have been asked. `queried`: they have asked something. `approved`: by one of them, or outside the portal.
 * - `changed`: the figures have changed, so it is void. `withdrawn`: the practice took it back or sent new figures.
 */
export const APPROVAL_STATES = ['sent', 'queried', 'approved', 'changed', 'withdrawn'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Whether a client's people may still approve it. A question doesn't prevent that. */
export function canApprove(state: ApprovalState): boolean {
  return state === 'sent' || state === 'queried';
}

/** What a practice's list of returns is divided into, in the order of the work. */
export const RETURN_STAGES = ['to_prepare', 'sent', 'queried', 'approved', 'filed'] as const;
export type ReturnStage = (typeof RETURN_STAGES)[number];

/** Days after which the client's people are reminded once of figures without an answer. */
export const APPROVAL_REMINDER_DAYS = 3;

export type ApprovedFigures = {
  readonly periodStart: PlainDate;
  readonly periodEnd: PlainDate;
  /** The nine boxes, by their names. */
  readonly boxes: Readonly<Record<string, number | string>>;
};

/** The text whose hash identifies the figures. Two uploads of the same books have the same. */
export function toFiguresText({ periodStart, periodEnd, boxes }: ApprovedFigures): string {
  const names = Object.keys(boxes).toSorted();
  return [periodStart, periodEnd, ...names.map((name) => `${name}=${boxes[name]}`)].join('\n');
}
