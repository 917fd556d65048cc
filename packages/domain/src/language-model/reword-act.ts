/** Finds the part of a draft that can be reworded: its text, never its action or recipient. */
import type { ProposedAct } from '../agent/proposed-act.ts';

/**
 * Returns the text of the message, note, task or proposed early refund; null if the action has none. Subjects and titles aren't changed.
 */
export function getRewordableText(act: ProposedAct): string | null {
  const text =
    act.kind === 'message'
      ? act.body
      : act.kind === 'note'
        ? act.text
        : act.kind === 'task'
          ? act.notes
          : act.kind === 'propose_advance'
            ? act.note
            : '';
  return text.trim() === '' ? null : text;
}

export function withRewordedText(act: ProposedAct, text: string): ProposedAct {
  switch (act.kind) {
    case 'message':
      return { ...act, body: text };
    case 'note':
      return { ...act, text };
    case 'task':
      return { ...act, notes: text };
    case 'propose_advance':
      return { ...act, note: text };
    default:
      return act;
  }
}
