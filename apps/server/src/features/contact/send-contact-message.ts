import { randomBytes, randomUUID } from 'node:crypto';
import type { contactApi } from '@portal/contract/contact.ts';
import type { ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import { contactMessages } from '@portal/db/schema/schema.ts';
import { formatInstant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { getRequestId } from '../../observability/request-scope.ts';
import { enqueueEmail } from '../../mail/enqueue-email.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';

type Message = ParsedEndpointInput<typeof contactApi.send>;

/** The limits for one email address and one network within 15 minutes. Only a script reaches them. */
const MAX_PER_ADDRESS = 5;
const MAX_PER_NETWORK = 20;

/**
 * Adds a message to the operators' queue and to our own mailbox. The sender doesn't get an automatic reply, because strangers could then
 * use us to email any address they type. The audit trail records that the message arrived, but not its text.
 */
export async function sendContactMessage(
  deps: AppDeps,
  message: Message,
  sender: { readonly userId: string | undefined; readonly ip: string },
): Promise<{ reference: string }> {
  const { db } = deps.database;
  await limitAttempts(db, deps.wallClock, {
    [`contact:${message.email}`]: MAX_PER_ADDRESS,
    [`contact-ip:${toNetwork(sender.ip)}`]: MAX_PER_NETWORK,
  });
  const reference = `M-${randomBytes(4).toString('hex').toUpperCase()}`;
  const at = deps.clock.now();
  await db.transaction(async (tx) => {
    await tx.insert(contactMessages).values({
      ...message,
      id: randomUUID(),
      reference,
      userId: sender.userId ?? null,
      receivedAt: at,
      state: 'open',
    });
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: sender.userId ?? 'visitor',
      action: 'contact_message.received',
      subject: reference,
      after: { topic: message.topic },
      ip: sender.ip,
    });
    await enqueueEmail(deps, tx, deps.site.contact.email, {
      subject: `${reference}: ${message.topic}, from ${message.name}`,
      preheader: message.message.slice(0, 120),
      heading: `Message from ${message.name}`,
      paragraphs: [message.message],
      facts: [
        ['From', `${message.name} <${message.email}>`],
        ['Account', sender.userId ?? 'not signed in; email address not verified'],
        ['About', message.topic],
        ['Received', formatInstant(at)],
        ['Reference', reference],
        // Used to find the log lines of this request.
        ['Request', getRequestId() ?? ''],
      ],
      reason: `A visitor sent this using the contact form. Reply to their email address above, because this email was sent from ${deps.site.brand}.`,
    });
  });
  return { reference };
}
