/** The fields that a message to clients can contain. A field is its name in braces: “Dear {client}”. */

export const MESSAGE_FIELDS = ['client', 'deadline', 'due date', 'amount', 'practice', 'sender'] as const;
export type MessageField = (typeof MESSAGE_FIELDS)[number];

/** The hint for each field, shown next to the button that adds it. */
export const MESSAGE_FIELD_HINTS: Readonly<Record<MessageField, string>> = {
  client: 'The client’s name',
  deadline: 'What’s due next, for example “VAT return”',
  'due date': 'When it’s due, for example “7 December 2026”',
  amount: 'The amount due, for example “£1,204.50”',
  practice: 'Your practice’s name',
  sender: 'Your own name',
};

/** A client’s values; null for unknown ones. */
export type FieldValues = Readonly<Record<MessageField, string | null>>;

const FIELD_PATTERN = /\{([^{}\n]*)\}/g;

function isField(name: string): name is MessageField {
  return (MESSAGE_FIELDS as readonly string[]).includes(name);
}

/** Lists the names in braces that aren't fields, in order and without duplicates. */
export function listUnknownFields(text: string): string[] {
  return [...new Set([...text.matchAll(FIELD_PATTERN)].map(([, name = '']) => name).filter((name) => !isField(name)))];
}

/** Lists the fields that a text uses, without duplicates. */
export function listUsedFields(text: string): MessageField[] {
  return [...new Set([...text.matchAll(FIELD_PATTERN)].map(([, name = '']) => name).filter(isField))];
}

export type FilledText = { readonly text: string } | { readonly missing: readonly MessageField[] };

/** Returns the text with its fields filled in, or the fields whose values are unknown. A message with a gap is never sent. */
export function fillInFields(text: string, values: FieldValues): FilledText {
  return prepareText(text)(values);
}

/** Prepares `fillInFields` for one text and many clients, so that fields are parsed only once. */
export function prepareText(text: string): (values: FieldValues) => FilledText {
  const usedFields = listUsedFields(text);
  // The odd parts are the names in braces.
  const parts = text.split(FIELD_PATTERN).map((part, place) => ({ part, isName: place % 2 === 1 }));
  return (values) => {
    const missingFields = usedFields.filter((field) => values[field] === null);
    if (missingFields.length > 0) return { missing: missingFields };
    let filledText = '';
    for (const { part, isName } of parts) filledText += !isName ? part : isField(part) ? (values[part] ?? '') : `{${part}}`;
    return { text: filledText };
  };
}
