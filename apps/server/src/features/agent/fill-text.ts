import { fillInFields } from '@portal/domain/messages/message-fields.ts';

/** The values of the fields {client}, {practice} and {sender}. */
export type TextValues = { readonly client: string; readonly practice: string; readonly sender: string };

/** Fields of the next deadline in a user's draft stay in braces here. They are filled in when the draft is sent. */
export function fillText(text: string, names: TextValues): string {
  const filledText = fillInFields(text, { ...names, deadline: '{deadline}', 'due date': '{due date}', amount: '{amount}' });
  return 'text' in filledText ? filledText.text : text;
}
