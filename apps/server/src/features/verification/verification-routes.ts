/** Verifies users' email address and mobile number (docs/product/specification.md section 7.2). */
import type { verificationApi } from '@portal/contract/verification.ts';
import { users } from '@portal/db/schema/schema.ts';
import { AppError, createInvalidFieldError } from '@portal/domain/app-error.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { parseMobileNumber } from '@portal/providers/twilio/parse-mobile-number.ts';
import type { E164, PhoneVerification } from '@portal/providers/twilio/twilio-port.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Caller, Handlers } from '../../http/serve-contract.ts';
import type { Actor } from '../../http/session.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';
import { sendLink } from '../identity/sign-in-links.ts';

/** Text messages cost money and can annoy people, so they are limited per user, number and IP address in 15 minutes. */
const MAX_TEXTS = { person: 5, number: 5, address: 20 } as const;
const MAX_CODES_PER_PERSON = 30;

export function verificationHandlers(deps: AppDeps): Handlers<typeof verificationApi> {
  const { db } = deps.database;
  return {
    savePhone: async ({ input, actor }) => savePhone(deps, actor, parseMobile(input.phone)),
    sendEmailVerification: async ({ actor, caller }) => {
      await limitAttempts(db, deps.wallClock, { [`mail:${actor.email}`]: 5, [`mail-ip:${toNetwork(caller.ip)}`]: 60 });
      await sendLink(deps, { email: actor.email, purpose: 'verify' });
      return { done: true };
    },
    sendPhoneVerification: async ({ input, actor, caller }) => {
      if (input.phone !== undefined) await savePhone(deps, actor, parseMobile(input.phone));
      return sendCode(deps, actor, caller);
    },
    resendPhoneCode: ({ actor, caller }) => sendCode(deps, actor, caller),
    checkPhoneCode: async ({ input, actor, caller }) => {
      await limitAttempts(db, deps.wallClock, { [`phone-code:${actor.userId}`]: MAX_CODES_PER_PERSON });
      const phone = await getPhone(deps, actor);
      const outcome = await requirePhoneVerification(deps).check({ phone, code: input.code });
      if (outcome === 'approved') await savePhoneVerified(deps, actor, phone, caller.ip);
      return { outcome };
    },
  };
}

function parseMobile(text: string): E164 {
  const phone = parseMobileNumber(text);
  if (!phone.ok) throw createInvalidFieldError('phone', phone.reason);
  return phone.value;
}

/** A verified number stays verified until it changes. */
async function savePhone(deps: AppDeps, actor: Actor, phone: E164): Promise<{ phone: string; verified: boolean }> {
  const [row] = await deps.database.db
    .update(users)
    .set({ phone, phoneVerifiedAt: sql`case when ${users.phone} = ${phone} then ${users.phoneVerifiedAt} end` })
    .where(eq(users.id, actor.userId))
    .returning({ verifiedAt: users.phoneVerifiedAt });
  return { phone, verified: row?.verifiedAt !== null && row?.verifiedAt !== undefined };
}

async function sendCode(deps: AppDeps, actor: Actor, caller: Caller): Promise<{ sent_to: string }> {
  const phone = await getPhone(deps, actor);
  await limitAttempts(deps.database.db, deps.wallClock, {
    [`sms-user:${actor.userId}`]: MAX_TEXTS.person,
    [`sms:${phone}`]: MAX_TEXTS.number,
    [`sms-ip:${toNetwork(caller.ip)}`]: MAX_TEXTS.address,
  });
  try {
    const { sentTo } = await requirePhoneVerification(deps).start({ phone, locale: 'en-GB' });
    return { sent_to: sentTo };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'throttled') {
      throw new AppError(
        'tooMany',
        'phone.too_many_texts',
        error.facts.code === '60202'
          ? 'You’ve entered too many wrong codes for this number. Wait 10 minutes, then request a new code.'
          : 'We’ve sent too many codes to this number. Wait 10 minutes, then try again.',
        undefined,
        error,
      );
    }
    if (error.failure === 'refused')
      throw createInvalidFieldError('phone', 'This number can’t receive text messages. Enter another mobile number.');
    throw error;
  }
}

async function getPhone(deps: AppDeps, actor: Actor): Promise<E164> {
  const [user] = await deps.database.db.select({ phone: users.phone }).from(users).where(eq(users.id, actor.userId));
  if (!user?.phone) throw createInvalidFieldError('phone', 'Enter your mobile number first.');
  // A number entered at sign-up may not be normalised yet.
  return parseMobile(user.phone);
}

async function savePhoneVerified(deps: AppDeps, actor: Actor, phone: E164, ip: string): Promise<void> {
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [lockedUser] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, actor.userId)).for('update');
    // Another number may have been saved while the code was being checked.
    const currentPhone = parseMobileNumber(lockedUser?.phone ?? '');
    if (!currentPhone.ok || currentPhone.value !== phone)
      throw new AppError('conflict', 'phone.changed', 'The number has changed since we sent the code. Verify the new number.');
    await tx
      .update(users)
      .set({ phone, phoneVerifiedAt: at })
      .where(and(eq(users.id, actor.userId)));
    const entry = { companyId: NO_COMPANY, at, actor: actor.userId, action: 'identity.phone_verified', subject: actor.userId };
    await recordAudit(tx, { ...entry, after: { phone: `****${phone.slice(-4)}` }, ip });
  });
}

function requirePhoneVerification(deps: AppDeps): PhoneVerification {
  if (deps.phones) return deps.phones;
  throw new AppError('upstream', 'phone.not_set_up', 'Codes by text message aren’t set up here. You can continue without one.');
}
