/** Actions that can be proposed for a client: the wire format of domain/agent/proposed-action.ts. */
import { DUTIES } from '@portal/domain/clients/client.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { MAX_WORK_NOTES_LENGTH } from '@portal/domain/work-items/work-item.ts';
import { z } from 'zod/mini';
import { proposalText } from './advance-proposals.ts';
import { noteText } from './client-notes.ts';
import { messageContent } from './messages.ts';
import { dateScalar, idScalar } from './scalars.ts';
import { workService, workTitle } from './work-items.ts';

const agentTax = z.enum(AGENT_TAXES);
const taskNotes = z
  .string()
  .check(z.trim(), z.maxLength(MAX_WORK_NOTES_LENGTH), z.regex(/^[^\0]*$/, 'Enter notes without control characters'));

/** The proposed action, applied to the proposal's client, with the exact text. */
export const proposedAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), ...messageContent }),
  z.object({ kind: z.literal('request_authorisation'), tax: agentTax }),
  z.object({ kind: z.literal('propose_advance'), obligation_id: idScalar, note: proposalText }),
  z.object({
    kind: z.literal('task'),
    title: workTitle,
    notes: taskNotes,
    service: workService,
    due_on: z.nullable(dateScalar),
    owner_id: z.nullable(idScalar),
  }),
  z.object({ kind: z.literal('assign'), user_id: idScalar, name: z.string(), duty: z.enum(DUTIES) }),
  z.object({ kind: z.literal('assign_task'), item_id: idScalar, title: z.string(), user_id: idScalar, name: z.string() }),
  z.object({ kind: z.literal('tag'), tag: z.string().check(z.trim(), z.minLength(1, 'Enter a tag'), z.maxLength(30)) }),
  z.object({ kind: z.literal('note'), text: noteText }),
  z.object({ kind: z.literal('refresh'), tax: agentTax }),
  z.object({ kind: z.literal('watch') }),
]);
