/** The small world of the sandbox (product.md section 12): its people and companies, once, into an empty database; and Tessa's company made ready by the product's own verbs. */
import { randomUUID } from 'node:crypto';
import { booksFiles, companies, hmrcConnections, memberships, users, type Role } from '@portal/db/schema/schema.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { BRIGHTWELL, SANDBOX_PASSWORD } from '@portal/sandbox/seed-data.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { eq } from 'drizzle-orm';
import type { AppDeps } from '../../app-deps.ts';
import type { Actor } from '../../http/session.ts';
import { applyBooksFile } from '../books/apply-books-file.ts';
import { beginConsent } from '../hmrc-connection/begin-consent.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import type { Person } from '../hmrc-connection/use-hmrc.ts';
import { hashPassword } from '../identity/passwords.ts';
import { saveBankAccount } from '../onboarding/save-bank-account.ts';
import { writeBrightwellBooks } from './brightwell-books.ts';
import { consentAtTheDouble } from './consent-at-the-double.ts';
import { makeOaklineReady, OAKLINE_COMPANY } from './make-oakline-ready.ts';

const HARLOW = 'Harlow Joinery Ltd';

const PEOPLE = [
  { email: BRIGHTWELL.ownerEmail, fullName: BRIGHTWELL.ownerName, company: BRIGHTWELL.organisationName, role: 'trader_owner' },
  { email: 'priya@oakline.example', fullName: 'Priya Oakes', company: OAKLINE_COMPANY.name, role: 'practice_admin' },
  { email: 'tom@oakline.example', fullName: 'Tom Reed', company: OAKLINE_COMPANY.name, role: 'team_member' },
  { email: 'carl@harlow.example', fullName: 'Carl Harlow', company: HARLOW, role: 'client' },
  { email: 'olga@operator.example', fullName: 'Olga Marsh', isOperator: true },
  { email: 'omar@operator.example', fullName: 'Omar Finch', isOperator: true },
] as const satisfies readonly { email: string; fullName: string; company?: string; role?: Role; isOperator?: boolean }[];

/** Does nothing once people exist; a start that was killed between the two halves finishes the second one. */
export async function seedSandboxWorld(deps: AppDeps): Promise<void> {
  await seedPeople(deps);
  await makeBrightwellReady(deps);
  await makeOaklineReady(deps);
}

async function seedPeople(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const [anybody] = await db.select({ id: users.id }).from(users).limit(1);
  if (anybody) return;
  const passwordHash = await hashPassword(SANDBOX_PASSWORD);
  const createdAt = deps.clock.now();
  const seeded = [
    { id: randomUUID(), kind: 'trader', name: BRIGHTWELL.organisationName, companyNumber: '09482716', vrn: BRIGHTWELL.vrn },
    { id: randomUUID(), kind: 'practice', ...OAKLINE_COMPANY, vrn: null },
    { id: randomUUID(), kind: 'client', name: HARLOW, companyNumber: '05518273', vrn: null },
  ] as const;
  await db.transaction(async (tx) => {
    await tx.insert(companies).values(seeded.map((company) => ({ ...company, createdAt })));
    for (const person of PEOPLE) {
      const userId = randomUUID();
      const isOperator = 'isOperator' in person;
      await tx.insert(users).values({ id: userId, email: person.email, fullName: person.fullName, passwordHash, isOperator, createdAt });
      const company = 'company' in person ? seeded.find(({ name }) => name === person.company) : undefined;
      if (company && 'role' in person) await tx.insert(memberships).values({ companyId: company.id, userId, role: person.role, createdAt });
    }
  });
}

/** Tessa as she would have come here herself: consent at HMRC's double, books by file, a bank account. */
async function makeBrightwellReady(deps: AppDeps): Promise<void> {
  const { db } = deps.database;
  const [found] = await db
    .select({ userId: users.id, companyId: memberships.companyId, status: hmrcConnections.status })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .leftJoin(hmrcConnections, eq(hmrcConnections.companyId, memberships.companyId))
    .where(eq(users.email, BRIGHTWELL.ownerEmail));
  if (!found) return;
  const { userId, companyId } = found;
  const tessa: Actor = {
    userId,
    email: BRIGHTWELL.ownerEmail,
    fullName: BRIGHTWELL.ownerName,
    isOperator: false,
    signInMethod: 'password',
    role: 'trader_owner',
  };
  const [books] = await db.select({ id: booksFiles.id }).from(booksFiles).where(eq(booksFiles.companyId, companyId)).limit(1);
  if (books) return;
  // A seed has no browser; the double grades what is missing, as HMRC would.
  const person: Person = {
    actor: tessa,
    caller: { ip: '127.0.0.1', port: undefined, userAgent: 'sandbox seed', deviceId: undefined, device: undefined },
  };
  try {
    if (found.status === null) {
      await consentAtTheDouble(deps, person, BRIGHTWELL.hmrcUserId, await beginConsent(deps, person, companyId, 'dashboard'));
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The world can be used without it: Tessa connects HMRC by hand.
    deps.logger.warn({ err: error }, 'sandbox: Brightwell could not be connected to the double of HMRC');
  }
  await refreshHmrc(deps, companyId, person);
  await saveBankAccount(
    deps,
    tessa,
    { company_id: companyId, account_holder: BRIGHTWELL.organisationName, sort_code: '200000', account_number: '55779911' },
    '127.0.0.1',
  );
  const csv = writeBrightwellBooks(addDays(deps.clock.today(), -200), deps.clock.today());
  await applyBooksFile(deps, tessa, { companyId, fileName: 'brightwell-books.csv', bytes: onePiece(csv) }, '127.0.0.1');
}

async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
