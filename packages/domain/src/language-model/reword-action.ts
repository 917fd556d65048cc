/** Finds the part of a draft that can be reworded: its text, never its action or recipient. */
import type { ProposedAction } from '../agent/proposed-action.ts';

/**
 * Returns the text of the message, note, task or proposed early refund; null if the action has none. Subjects and titles aren't reworded.
 */
export function getRewordableText(action: ProposedAction): string | null {
  const description =
    action.kind === 'message'
      ? action.body
      : action.kind === 'note'
        ? action.text
        : action.kind === 'task'
          ? action.notes
          : action.kind === 'propose_advance'
            ? action.note
            : '';
  return description.trim() === '' ? null : description;
}

export function replaceRewordableText(action: ProposedAction, text: string): ProposedAction {
  switch (action.kind) {
    case 'message':
      return { ...action, body: text };
    case 'note':
      return { ...action, text };
    case 'task':
      return { ...action, notes: text };
    case 'propose_advance':
      return { ...action, note: text };
    default:
      return action;
  }
}
