/** A practice's connected login: a different login that doesn't cover clients' organisations, renewed tokens, and why a login ended. */
import { booksGrants, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { connectGrant, getGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import { getOutcomeParam, type PracticeBooksSetup, RUN, setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';
import { acquireSlotFor } from '../books-connection/call-limits.ts';
import { getGrantToken } from '../books-connection/books-tokens.ts';
import { findBooksGrant } from '../books-connection/find-books-grant.ts';
import { lockTaxpayer } from '../vat-returns/taxpayer.ts';

const current = setUpPracticeBooks();

const getXeroGrant = ({ practice }: PracticeBooksSetup) => getGrant(practice.admin, practice.companyId, 'xero');

async function findGrant({ portal, practice }: PracticeBooksSetup) {
  const grant = await findBooksGrant(portal.deps.database.db, { companyId: practice.companyId, provider: 'xero' });
  if (!grant) throw new Error('not connected');
  return grant;
}

describe('another login', () => {
  it('that lacks clients’ organisations changes nothing and says which, until they are unlinked', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    const colleague = `colleague${setup.number}@oakline.example`;
    setup.seed('Quay Joinery', VRNS[1] ?? '', { ownerEmail: colleague });
    const before = await findGrant(setup);
    const location = await connectGrant(setup.portal, setup.person(), 'xero', colleague);
    expect(getOutcomeParam(location)).toBe('books_missing_organisations');
    expect(await findGrant(setup)).toMatchObject({ status: 'connected', connectedAt: before.connectedAt, accessToken: before.accessToken });
    expect(await getXeroGrant(setup)).toMatchObject({
      status: 'connected',
      refused_login: { organisations: [`Harbour Bakery ${setup.number} Ltd`], others: 0 },
    });
    await setup.permitMember();
    const grantView = await getGrant(setup.practice.member, setup.practice.companyId, 'xero');
    expect(grantView?.refused_login).toMatchObject({ organisations: [], others: 1 });
    await setup.readAgain(clientId);
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'connected', problem: null } });
    await setup.unlink(organisationId);
    expect((await getXeroGrant(setup))?.refused_login).toBeNull();
    expect(getOutcomeParam(await connectGrant(setup.portal, setup.person(), 'xero', colleague))).toBe('books_connected');
    await setup.portal.runJobs();
    const { organisations } = await listOrganisations(setup.practice.admin, setup.practice.companyId);
    expect(organisations.map(({ name }) => name)).toEqual(['Quay Joinery']);
  });

  it('may lack what was removed in Xero, and replaces an authorisation that has ended', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    setup.seed('Quay Joinery', VRNS[1] ?? '');
    // Neither login covers the organisation any more.
    setup.portal.identity.removeFromXero(organisationId);
    setup.portal.identity.books.xero.putOrganisation({
      id: organisationId,
      name: 'Moved',
      ownerEmail: 'someone@else.example',
      vatNumber: VRNS[0] ?? '',
    });
    await setup.connect();
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'lost', lost_reason: 'removed' } });
    setup.portal.identity.signIn.xero.revokeAccess(setup.email);
    await setup.db().update(booksGrants).set({ status: 'lost' }).where(eq(booksGrants.companyId, setup.practice.companyId));
    await setup
      .db()
      .update(practiceOrganisations)
      .set({ goneAt: null })
      .where(eq(practiceOrganisations.companyId, setup.practice.companyId));
    const colleague = `colleague${setup.number}@oakline.example`;
    setup.seed('Harbour Crafts', VRNS[2] ?? '', { ownerEmail: colleague });
    expect(getOutcomeParam(await connectGrant(setup.portal, setup.person(), 'xero', colleague))).toBe('books_connected');
  });
});

describe('rejected tokens', () => {
  /** Xero rejects every list; before the second response, another worker may have renewed the tokens. */
  async function listRejected(setup: PracticeBooksSetup, { isRenewed }: { readonly isRenewed: boolean }): Promise<void> {
    const { deps } = setup.portal;
    const { xero } = deps.practiceBooks;
    if (!xero) throw new Error('Xero isn’t set up');
    const grant = await findGrant(setup);
    let calls = 0;
    const reject = async (token: string): Promise<never> => {
      calls += 1;
      if (calls === 2 && isRenewed) await getGrantToken(deps, grant, token);
      throw new ProviderError('unauthorized', { provider: 'xero', operation: 'xero.connections', status: 401 });
    };
    const changedDeps = { ...deps, practiceBooks: { xero: { ...xero, listOrganisations: reject } } };
    await jobHandlers(changedDeps)['books.organisations']({ company_id: setup.practice.companyId, provider: 'xero' }, RUN);
    expect(calls).toBe(2);
  }

  it('end the authorisation, unless others have been stored since', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    await listRejected(setup, { isRenewed: true });
    expect(await getXeroGrant(setup)).toMatchObject({ status: 'connected', lost_reason: null });
    await listRejected(setup, { isRenewed: false });
    expect(await getXeroGrant(setup)).toMatchObject({ status: 'lost', lost_reason: 'refused' });
  });

  it('that weren’t used for 60 days are reported as expired, not as revoked', async () => {
    const setup = current();
    const { clientId } = await setup.connectClient();
    const unusedSince = addMilliseconds(setup.portal.deps.clock.now(), -61 * 24 * 3_600_000);
    await setup.db().update(booksGrants).set({ accessExpiresAt: unusedSince }).where(eq(booksGrants.companyId, setup.practice.companyId));
    setup.portal.identity.signIn.xero.revokeAccess(setup.email);
    await setup.readAgain(clientId);
    expect(await getXeroGrant(setup)).toMatchObject({ status: 'lost', lost_reason: 'expired' });
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'lost', lost_reason: 'expired' } });
    const email = setup.portal.sentEmails.findLast(({ subject }) => subject.includes('read clients’ books'));
    expect(email?.text).toContain('expired');
    expect(email?.text).not.toContain('withdrew');
  });
});

it('calls count for each organisation, and for the practice if they name none', () => {
  const bakery = acquireSlotFor({ provider: 'freeagent', organisationId: 'bakery' });
  expect(acquireSlotFor({ provider: 'freeagent', organisationId: 'bakery' })).toBe(bakery);
  expect(acquireSlotFor({ provider: 'freeagent', organisationId: 'joinery' })).not.toBe(bakery);
  const ofPractice = acquireSlotFor({ provider: 'freeagent', practiceId: 'p1' });
  expect(ofPractice).not.toBe(bakery);
  expect(acquireSlotFor({ provider: 'freeagent', practiceId: 'p1' })).toBe(ofPractice);
});

it('an authorisation that has ended leaves no access to end in the software', async () => {
  const setup = current();
  setup.seed('Harbour Bakery', VRNS[0] ?? '');
  await setup.connect();
  expect(await getXeroGrant(setup)).toMatchObject({ ends_at_program: true });
  await setup.db().update(booksGrants).set({ status: 'lost' }).where(eq(booksGrants.companyId, setup.practice.companyId));
  expect(await getXeroGrant(setup)).toMatchObject({ ends_at_program: false });
});

it('a client’s books aren’t disconnected while its return is being filed', async () => {
  const setup = current();
  const { clientId } = await setup.connectClient();
  const ids = { company_id: setup.practice.companyId, client_id: clientId };
  const order: string[] = [];
  const lockTaken = Promise.withResolvers<void>();
  const releaseSignal = Promise.withResolvers<void>();
  const filing = setup.db().transaction(async (tx) => {
    await lockTaxpayer(tx, { companyId: clientId, practiceId: setup.practice.companyId });
    lockTaken.resolve();
    await releaseSignal.promise;
    order.push('filed');
  });
  await lockTaken.promise;
  const disconnecting = setup.practice.admin.post('/client/books/connection/disconnect', ids).then(({ status }) => order.push(`${status}`));
  await new Promise((resolve) => setTimeout(resolve, 300));
  releaseSignal.resolve();
  await Promise.all([filing, disconnecting]);
  expect(order).toEqual(['filed', '200']);
});
