/** The part of a draft that can be reworded: what it says, never what it does or to whom. */
import type { ProposedAct } from '../agent/proposed-act.ts';

/** The message's, note's or task's text; null if the act has none. Subjects and titles stay as they are. */
export function getRewordableText(act: ProposedAct): string | null {
  const text = act.kind === 'message' ? act.body : act.kind === 'note' ? act.text : act.kind === 'task' ? act.notes : '';
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
    default:
      return act;
  }
}
