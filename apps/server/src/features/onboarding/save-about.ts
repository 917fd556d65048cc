import type { ParsedEndpointInput } from '@portal/contract/endpoint.ts';
import type { onboardingApi } from '@portal/contract/onboarding.ts';
import { operators, users } from '@portal/db/schema/schema.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { createInvalidFieldError } from '@portal/domain/app-error.ts';
import { parseMobileNumber } from '@portal/providers/twilio/parse-mobile-number.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';

type AboutInput = ParsedEndpointInput<typeof onboardingApi.saveAbout>;

/** Saves a user's name and phone number. A mobile number is stored in one format and stays verified until it changes. */
export async function saveAbout(
  { database: { db } }: AppDeps,
  actor: Actor,
  { full_name: fullName, phone: phoneText }: AboutInput,
): Promise<{ done: true }> {
  const mobile = parseMobileNumber(phoneText ?? '');
  const phone = mobile.ok ? mobile.value : phoneText || null;
  await db.transaction(async (tx) => {
    const [operator] = await tx.select({ userId: operators.userId }).from(operators).where(eq(operators.userId, actor.userId));
    if (operator && fullName !== actor.fullName)
      throw createInvalidFieldError(
        'full_name',
        'Operators can’t change their own name, because we compare it with those of companies’ people. Ask the engineer on call to change it.',
      );
    await tx
      .update(users)
      .set({ fullName, phone, phoneVerifiedAt: sql`case when ${users.phone} = ${phone}::text then ${users.phoneVerifiedAt} end` })
      .where(eq(users.id, actor.userId));
  });
  return { done: true };
}
