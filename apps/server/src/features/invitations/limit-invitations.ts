/** Prevents a practice or a company from sending thousands of our emails to strangers: anyone can create one. */
import type { Tx } from '@portal/db/database.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { countToday, subtractFromDayCount } from '../identity/limit-attempts.ts';
import { isConnectedToHmrc } from '../practice/is-connected-to-hmrc.ts';

/** The largest practices have 200 members and 10,000 clients. */
const MAX_PER_DAY = { team: 300, clients: 12_000, company: 20 } as const;
const MAX_PER_DAY_UNCONNECTED = { team: 50, clients: 50, company: 20 } as const;
/** The limit for one email address across all practices and companies: one invitation, resent at most twice. */
const MAX_TO_ADDRESS_PER_DAY = 3;

type InvitedAddresses = { readonly companyId: string; readonly whom: keyof typeof MAX_PER_DAY; readonly emails: readonly string[] };

const getSenderSubject = ({ whom, companyId }: Omit<InvitedAddresses, 'emails'>): string => `invitations:${whom}:${companyId}`;
const getAddressSubject = (email: string): string => `invited:${email}`;

/** Counts emails that are about to be sent. Throws `tooMany` with advice on what to do. */
export async function limitInvitations({ wallClock }: AppDeps, tx: Tx, { companyId, whom, emails }: InvitedAddresses): Promise<void> {
  const isConnected = await isConnectedToHmrc(tx, companyId);
  const max = (isConnected ? MAX_PER_DAY : MAX_PER_DAY_UNCONNECTED)[whom];
  if ((await countToday(tx, wallClock, getSenderSubject({ companyId, whom }), emails.length)) > max) {
    const advice = isConnected || whom === 'company' ? '' : ' Once you’ve connected HMRC, you can send more.';
    const message = `${whom === 'company' ? 'A company' : 'A practice'} can send ${max} invitations a day, and this would exceed the limit. No one was invited. Invite fewer people, or try again tomorrow.${advice}`;
    throw new AppError('tooMany', 'invitation.too_many', message);
  }
  for (const email of emails.toSorted()) {
    if ((await countToday(tx, wallClock, getAddressSubject(email), 1)) <= MAX_TO_ADDRESS_PER_DAY) continue;
    const message = `${email} has been sent ${MAX_TO_ADDRESS_PER_DAY} invitations today, so we didn’t send another one. No one was invited. Leave that email address out, or try again tomorrow.`;
    throw new AppError('tooMany', 'invitation.too_often', message);
  }
}

/** Subtracts the counts of emails that were definitely not sent. `countedAt` is by the wall clock. */
export async function reverseInvitationCount(tx: Tx, { emails, ...sender }: InvitedAddresses, countedAt: Instant): Promise<void> {
  await subtractFromDayCount(tx, countedAt, getSenderSubject(sender), emails.length);
  for (const email of emails.toSorted()) await subtractFromDayCount(tx, countedAt, getAddressSubject(email), 1);
}
