/** Emails about a connection that has ended or soon will: one to each person who can reconnect, with a link to do so. */
import type { CompanyKind } from '@portal/domain/identity/roles.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, memberships, users, type ConnectionEndReason } from '@portal/db/schema/schema.ts';
import { londonDate, type Instant } from '@portal/domain/clock.ts';
import { daysBetween, formatDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { listRolesWith } from '../../http/policies.ts';
import { getReconnectPath } from '../connections/get-reconnect-path.ts';

export type ConnectionChange =
  | { readonly change: 'ended'; readonly reason: ConnectionEndReason; readonly connectedAt: Instant | null }
  | { readonly change: 'ending'; readonly endsAt: Instant };

/** Queues the emails in the caller's transaction, so that they are sent exactly when the change is recorded. */
export async function enqueueConnectionEmails(deps: AppDeps, tx: Tx, companyId: string, change: ConnectionChange): Promise<void> {
  const recipients = await tx
    .select({ email: users.email, name: companies.name, kind: companies.kind })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        inArray(memberships.role, [...listRolesWith('company.manage'), ...listRolesWith('practice.manage')]),
      ),
    )
    .orderBy(asc(users.email));
  const { brand, publicUrl } = deps.site;
  for (const { email, name, kind } of recipients) {
    const { subject, paragraphs } = composeEmail(change, { name, kind, brand, today: deps.clock.today() });
    const link = `${publicUrl}/portal${getReconnectPath(kind, companyId)}`;
    const reasonLine = `You get this because you may connect HMRC for ${name}.`;
    await deps.enqueue(tx, 'mail.send', {
      to: email,
      subject,
      text: [...paragraphs, `Connect HMRC again: ${link}`, reasonLine].join('\n\n'),
    });
  }
}

type EmailContext = {
  readonly name: string;
  readonly kind: CompanyKind;
  readonly brand: string;
  readonly today: ReturnType<typeof londonDate>;
};
type EmailText = { readonly subject: string; readonly paragraphs: readonly string[] };

function composeEmail(change: ConnectionChange, { name, kind, brand, today }: EmailContext): EmailText {
  if (change.change === 'ending') {
    const endsOn = londonDate(change.endsAt);
    return {
      subject: `${name}: HMRC’s permission ends on ${formatDate(endsOn)}`,
      paragraphs: [
        `HMRC ends every permission after 18 months, and it cannot be extended. The one that ${name} gave ${brand} ends on ${formatDate(endsOn)}, ${formatDaysAhead(daysBetween(today, endsOn))}.`,
        'Give it again before then, and nothing is interrupted.',
        `From that day on, ${CONSEQUENCES[kind]}`,
      ],
    };
  }
  const givenOn = change.connectedAt === null ? '' : ` on ${formatDate(londonDate(change.connectedAt))}`;
  return {
    subject: `${name}: the connection to HMRC has ended`,
    paragraphs: [
      END_EXPLANATIONS[change.reason](`${name} gave ${brand}${givenOn}`),
      `Until the permission is given again, ${CONSEQUENCES[kind]}`,
      `You can still see the figures we have, with their dates, but we can’t refresh them until you reconnect. Everything you filed is safe.`,
    ],
  };
}

const END_EXPLANATIONS: Readonly<Record<ConnectionEndReason, (givenOn: string) => string>> = {
  expired: (givenOn) => `HMRC ends every permission after 18 months. The one that ${givenOn} is over.`,
  refused: (givenOn) =>
    `HMRC no longer accepts the permission that ${givenOn}. Either it was taken back at HMRC, or the line broke while HMRC was renewing it.`,
  arn_changed: (givenOn) => `The agent reference number was changed, so the permission that ${givenOn} for the old one has ended here.`,
};

const CONSEQUENCES: Readonly<Record<CompanyKind, string>> = {
  trader: 'we can read nothing new from HMRC, file no return and offer no payment of a refund. Returns fall due as before.',
  client: 'nothing new is read from HMRC.',
  practice:
    'no client’s VAT or Self Assessment is read from HMRC, and clients can neither be asked for their authority nor heard. Returns fall due as before.',
};

function formatDaysAhead(days: number): string {
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}
