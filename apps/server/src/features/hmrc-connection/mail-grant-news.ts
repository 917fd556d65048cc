/** Emails about a connection that has ended or soon will: one to each person who can reconnect, with a link to do so. */
import type { CompanyKind } from '@portal/domain/practice/roles.ts';
import type { Tx } from '@portal/db/database.ts';
import { companies, memberships, users, type GrantEnd } from '@portal/db/schema/schema.ts';
import { londonDate, type Instant } from '@portal/domain/clock.ts';
import { daysBetween, formatDate } from '@portal/domain/plain-date.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import { rolesWith } from '../../http/policies.ts';
import { reconnectPath } from '../connections/reconnect-path.ts';

export type GrantNews =
  | { readonly news: 'ended'; readonly because: GrantEnd; readonly connectedAt: Instant | null }
  | { readonly news: 'ending'; readonly endsAt: Instant };

/** Queued in the caller's transaction, so that emails are sent exactly when the change is recorded. */
export async function mailGrantNews(deps: AppDeps, tx: Tx, companyId: string, news: GrantNews): Promise<void> {
  const people = await tx
    .select({ email: users.email, name: companies.name, kind: companies.kind })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(companies, eq(companies.id, memberships.companyId))
    .where(
      and(
        eq(memberships.companyId, companyId),
        inArray(memberships.role, [...rolesWith('company.manage'), ...rolesWith('practice.manage')]),
      ),
    )
    .orderBy(asc(users.email));
  const { brand, publicUrl } = deps.site;
  for (const { email, name, kind } of people) {
    const { subject, paragraphs } = wordsOf(news, { name, kind, brand, today: deps.clock.today() });
    const link = `${publicUrl}/portal${reconnectPath(kind, companyId)}`;
    const why = `You get this because you may connect HMRC for ${name}.`;
    await deps.enqueue(tx, 'mail.send', { to: email, subject, text: [...paragraphs, `Connect HMRC again: ${link}`, why].join('\n\n') });
  }
}

type About = { readonly name: string; readonly kind: CompanyKind; readonly brand: string; readonly today: ReturnType<typeof londonDate> };
type Words = { readonly subject: string; readonly paragraphs: readonly string[] };

function wordsOf(news: GrantNews, { name, kind, brand, today }: About): Words {
  if (news.news === 'ending') {
    const endsOn = londonDate(news.endsAt);
    return {
      subject: `${name}: HMRC’s permission ends on ${formatDate(endsOn)}`,
      paragraphs: [
        `HMRC ends every permission after 18 months, and it cannot be extended. The one that ${name} gave ${brand} ends on ${formatDate(endsOn)}, ${inDays(daysBetween(today, endsOn))}.`,
        'Give it again before then, and nothing is interrupted.',
        `From that day on, ${WHAT_STOPS[kind]}`,
      ],
    };
  }
  const given = news.connectedAt === null ? '' : ` on ${formatDate(londonDate(news.connectedAt))}`;
  return {
    subject: `${name}: the connection to HMRC has ended`,
    paragraphs: [
      WHAT_HAPPENED[news.because](`${name} gave ${brand}${given}`),
      `Until the permission is given again, ${WHAT_STOPS[kind]}`,
      `What we have read stays to be seen, with its dates, and is not refreshed meanwhile. Nothing that was filed is lost.`,
    ],
  };
}

const WHAT_HAPPENED: Readonly<Record<GrantEnd, (given: string) => string>> = {
  expired: (given) => `HMRC ends every permission after 18 months. The one that ${given} is over.`,
  refused: (given) =>
    `HMRC no longer accepts the permission that ${given}. Either it was taken back at HMRC, or the line broke while HMRC was renewing it.`,
  arn_changed: (given) => `The agent reference number was changed, so the permission that ${given} for the old one has ended here.`,
};

const WHAT_STOPS: Readonly<Record<CompanyKind, string>> = {
  trader: 'we can read nothing new from HMRC, file no return and offer no payment of a refund. Returns fall due as before.',
  client: 'nothing new is read from HMRC.',
  practice:
    'no client’s VAT or Self Assessment is read from HMRC, and clients can neither be asked for their authority nor heard. Returns fall due as before.',
};

function inDays(days: number): string {
  return days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}
