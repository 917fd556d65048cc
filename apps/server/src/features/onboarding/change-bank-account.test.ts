import { auditEntries, bankAccounts, memberships, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { getBankHoldEnd } from '@portal/domain/advances/evaluate-eligibility.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../identity/passwords.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { fileReturn, findAdvance } from '../../testing/take-advance.ts';
import { createBrowser, createConnectedTrader, signUp, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const change = (trader: Trader, proof: Record<string, unknown> = {}) =>
  trader.browser.post('/instant-vat/steps/bank-account', {
    company_id: trader.companyId,
    account_holder: 'Tess Exports Ltd',
    sort_code: '400000',
    account_number: '11112222',
    ...proof,
  });
const setPassword = async (email: string) =>
  portal.deps.database.db
    .update(users)
    .set({ passwordHash: await hashPassword('a long enough one') })
    .where(eq(users.email, email));
const countAccounts = async (trader: Trader) =>
  (await portal.deps.database.db.select().from(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId))).length;
const findUser = async (email: string) => {
  const [user] = await portal.deps.database.db.select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`no user ${email}`);
  return user;
};

it('makes an offer that was priced without an account eligible, without another click', async () => {
  const trader = await createConnectedTrader(portal, 'late-account@trader.example', 4_610);
  await portal.deps.database.db.delete(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId));
  await fileReturn(portal, trader);
  expect(await findAdvance(trader)).toMatchObject({ state: 'quoted', eligible: false, version: 1 });
  expect((await change(trader)).status).toBe(200);
  await portal.runJobs();
  expect(await findAdvance(trader)).toMatchObject({ state: 'quoted', eligible: true, version: 2 });
});

describe('changing the bank account', () => {
  it('needs the password, notifies every owner and is audited', async () => {
    const trader = await createConnectedTrader(portal, 'changer@trader.example');
    await setPassword('changer@trader.example');
    await signUp(portal, 'partner@trader.example');
    const partner = await findUser('partner@trader.example');
    const { db } = portal.deps.database;
    await db
      .insert(memberships)
      .values({ companyId: trader.companyId, userId: partner.id, role: 'trader_owner', createdAt: portal.deps.clock.now() });
    expect(await change(trader)).toMatchObject({ status: 403, body: { code: 'identity.confirmation_needed' } });
    expect((await change(trader, { confirm_password: 'not this one' })).body).toMatchObject({
      message: { confirm_password: 'This isn’t your password.' },
    });
    expect(await countAccounts(trader)).toBe(1);
    const emailCountBefore = portal.sentEmails.length;
    expect(await change(trader, { confirm_password: 'a long enough one' })).toMatchObject({ status: 200, body: { name_check: 'match' } });
    await portal.runJobs();
    const emails = portal.sentEmails
      .slice(emailCountBefore)
      .filter(({ subject }) => subject === 'Tess Exports Ltd: your bank account was changed');
    expect(emails.map(({ to }) => to).toSorted()).toEqual(['changer@trader.example', 'partner@trader.example']);
    const auditTrail = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, trader.companyId), eq(auditEntries.action, 'bank_account.saved')));
    expect(auditTrail.at(-1)).toMatchObject({
      before: { accountNumber: '****9911' },
      after: { accountNumber: '****2222', nameCheck: 'match' },
    });
  });

  it('needs no factor when nothing changes', async () => {
    const trader = await createConnectedTrader(portal, 'same@trader.example');
    const sameResponse = await change(trader, { sort_code: '20-00-00', account_number: '55779911' });
    expect(sameResponse.status).toBe(200);
    expect(await countAccounts(trader)).toBe(1);
  });

  it('to the same account is called “confirmed” and holds payments if it has no seal, and holds nothing if only the name is corrected', async () => {
    const trader = await createConnectedTrader(portal, 'again@trader.example');
    await setPassword('again@trader.example');
    const isOwn = eq(bankAccounts.companyId, trader.companyId);
    const { db } = portal.deps.database;
    const read = () => db.select().from(bankAccounts).where(isOwn).orderBy(bankAccounts.createdAt);
    const getNewestEmail = () =>
      portal.sentEmails.findLast(({ to, subject }) => to === 'again@trader.example' && subject.includes('bank account'))?.subject;
    const save = async (values: Record<string, unknown> = {}) => {
      portal.moveClock(addMilliseconds(portal.deps.clock.now(), 60_000));
      const sameAccount = { sort_code: '20-00-00', account_number: '55779911', confirm_password: 'a long enough one', ...values };
      const { body } = await change(trader, sameAccount);
      await portal.runJobs();
      const accounts = await read();
      const holdEnd = getBankHoldEnd(accounts, getAdvanceTerms(portal.deps.clock.today()));
      return { savedAs: body['saved_as'], isSealed: accounts.at(-1)?.seal !== null, holdEnd, mail: getNewestEmail() };
    };
    expect(await save()).toEqual({ savedAs: 'unchanged', isSealed: true, holdEnd: undefined, mail: undefined });
    expect(await save({ account_holder: 'Tess Exports Limited' })).toEqual({
      savedAs: 'renamed',
      isSealed: true,
      holdEnd: undefined,
      mail: 'Tess Exports Ltd: the name on your bank account was changed',
    });
    // An earlier version, or someone with SQL, could have left it like this.
    await db.update(bankAccounts).set({ seal: null }).where(isOwn);
    const confirmedResponse = await save({ account_holder: 'Tess Exports Limited' });
    const dayLater = addMilliseconds((await read()).at(-1)?.createdAt ?? portal.deps.clock.now(), 86_400_000);
    const subject = 'Tess Exports Ltd: your bank account was confirmed';
    expect(confirmedResponse).toEqual({ savedAs: 'confirmed', isSealed: true, holdEnd: dayLater, mail: subject });
    // Correcting a name neither ends the account's hold nor starts one.
    expect(await save()).toMatchObject({ savedAs: 'renamed', holdEnd: dayLater });
  });

  it('needs a code from the authenticator app if the user has one: the password isn’t enough', async () => {
    const connectedTrader = await createConnectedTrader(portal, 'factor@trader.example');
    await setPassword('factor@trader.example');
    const { browser: before } = connectedTrader;
    const { body } = await before.post('/v2/security/authenticator/begin', {});
    const secret = String(body['secret']);
    const now = Math.floor(Date.now() / 1_000);
    const { cookie } = await before.post('/v2/security/authenticator/confirm', { code: await generate({ secret, epoch: now }) });
    const trader = { ...connectedTrader, browser: createBrowser(portal, cookie) };
    expect((await change(trader, { confirm_password: 'a long enough one' })).status).toBe(403);
    expect((await change(trader, { confirm_code: '000000' })).body).toMatchObject({ message: { confirm_code: expect.any(String) } });
    expect((await change(trader, { confirm_code: await generate({ secret, epoch: now + 30 }) })).status).toBe(200);
  });

  it('needs an emailed code from a user without any other factor, which works once', async () => {
    const trader = await createConnectedTrader(portal, 'mailed@trader.example');
    expect((await change(trader)).body['message']).toContain('code that we email you');
    const { body } = await trader.browser.post('/instant-vat/steps/bank-account/code', { company_id: trader.companyId });
    await portal.runJobs();
    const email = portal.sentEmails.findLast(({ to, subject }) => to === 'mailed@trader.example' && subject.includes('is your'));
    const emailed_code = /^\d{6}/.exec(email?.subject ?? '')?.[0] ?? '';
    const wrongCode = emailed_code === '111111' ? '222222' : '111111';
    expect((await change(trader, { ...body, emailed_code: wrongCode })).body).toMatchObject({
      message: { emailed_code: expect.any(String) },
    });
    expect((await change(trader, { ...body, emailed_code })).status).toBe(200);
    const repeatedResponse = await change(trader, { ...body, emailed_code, account_number: '33334444' });
    expect(repeatedResponse.status).toBe(400);
    const otherTrader = await createConnectedTrader(portal, 'stranger@trader.example');
    const { body: codeResponse } = await trader.browser.post('/instant-vat/steps/bank-account/code', { company_id: trader.companyId });
    await portal.runJobs();
    const newestEmail = portal.sentEmails.findLast(({ to, subject }) => to === 'mailed@trader.example' && subject.includes('is your'));
    const stolenCode = /^\d{6}/.exec(newestEmail?.subject ?? '')?.[0] ?? '';
    expect((await change(otherTrader, { ...codeResponse, emailed_code: stolenCode })).status).toBe(400);
  });
});
