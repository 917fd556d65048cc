import { fillIn } from '@portal/domain/messages/message-fields.ts';

/** What the fields {client}, {practice} and {sender} say. */
export type TextNames = { readonly client: string; readonly practice: string; readonly sender: string };

/** A person's draft may use fields of the next deadline, which are filled in when it is sent; they stay in braces here. */
export function fillText(text: string, names: TextNames): string {
  const filled = fillIn(text, { ...names, deadline: '{deadline}', 'due date': '{due date}', amount: '{amount}' });
  return 'text' in filled ? filled.text : text;
}
