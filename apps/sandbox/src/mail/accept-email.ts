/** Code shared by the mail APIs of Google and Microsoft: the sender, its limits, and the sandbox's mailbox. */
import type { FastifyRequest } from 'fastify';
import { toEpochMs } from '@portal/domain/clock.ts';
import type { Person } from '../oidc/identity-records.ts';
import { findGrant } from '../oidc/oidc-simulator.ts';
import type { IdentityContext } from '../oidc/provider-profile.ts';
import { openMailbox } from './mailbox.ts';
import { parseEmail } from './parse-email.ts';

export type MailLimits = { readonly perMinute: number; readonly perDay: number };

/** Returns the user whose mailbox a request may use, or the reason why it may not. */
export function findMailboxOwner(context: IdentityContext, request: FastifyRequest, scope: string): Person | 'no_token' | 'no_scope' {
  const tokenGrant = findGrant(context, request);
  const person = tokenGrant && context.records.people.get(tokenGrant.subject);
  if (!tokenGrant || !person) return 'no_token';
  return tokenGrant.scopes.includes(scope) ? person : 'no_scope';
}

/** Puts a message into the sandbox's mailbox. The sender is always the mailbox owner's email address, whatever the message says. */
export async function acceptEmail(
  context: IdentityContext,
  owner: Person,
  raw: Uint8Array,
  limits: MailLimits,
): Promise<'accepted' | 'over_limit' | 'no_recipient'> {
  const { store, clock, profile } = context;
  const mail = await parseEmail(raw);
  if (mail.to.length === 0) return 'no_recipient';
  const now = toEpochMs(clock.now());
  const sentTimes = store.collection<readonly number[]>(`${profile.provider}.sent_mail`);
  const lastDay = (sentTimes.get(owner.subject) ?? []).filter((at) => at > now - 86_400_000);
  if (lastDay.length >= limits.perDay || lastDay.filter((at) => at > now - 60_000).length >= limits.perMinute) return 'over_limit';
  sentTimes.put(owner.subject, [...lastDay, now]);
  const [, name] = /^(.*) <[^<>]*>$/.exec(mail.from) ?? [];
  openMailbox(store, clock).receive({ ...mail, from: name === undefined ? owner.email : `${name} <${owner.email}>` });
  return 'accepted';
}
