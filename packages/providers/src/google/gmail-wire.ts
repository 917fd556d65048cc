/** Gmail's `users.messages.send` (developers.google.com/gmail/api/reference/rest/v1/users.messages/send). */
import { z } from 'zod';

/** `raw` is the whole message in base64url, not base64. */
export type GmailSendWire = { readonly raw: string };

export const gmailSentWire = z.object({ id: z.string().min(1), threadId: z.string(), labelIds: z.array(z.string()).optional() });
export type GmailSentWire = z.infer<typeof gmailSentWire>;

export const gmailErrorWire = z.object({
  error: z.object({
    code: z.number(),
    message: z.string(),
    errors: z.array(z.object({ message: z.string(), domain: z.string(), reason: z.string() })).optional(),
    status: z.string().optional(),
  }),
});
export type GmailErrorWire = z.infer<typeof gmailErrorWire>;
