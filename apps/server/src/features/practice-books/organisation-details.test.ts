/** Tests reading organisations' numbers while Xero rejects some of the calls. */
import { addMilliseconds } from '@portal/domain/clock.ts';
import { createXeroBooksProvider } from '@portal/providers/xero/xero-books-provider.ts';
import { expect, it } from 'vitest';
import { getGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import { type PracticeBooksSetup, setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';

const current = setUpPracticeBooks();

type FakeResponse = { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Makes Xero return these responses to calls for these organisations during the work. Returns the organisations that were called. */
async function withXeroResponses(
  { portal }: PracticeBooksSetup,
  responses: Readonly<Record<string, FakeResponse>>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const { practiceBooks } = portal.deps;
  const { xero } = practiceBooks;
  if (!xero) throw new Error('Xero isn’t set up');
  const requestedIds: string[] = [];
  const respondOrFetch: typeof fetch = (...input) => {
    const tenant = new Headers(input[1]?.headers).get('xero-tenant-id');
    if (tenant === null) return fetch(...input);
    requestedIds.push(tenant);
    const response = responses[tenant];
    return response ? Promise.resolve(new Response('', response)) : fetch(...input);
  };
  const client = { clientId: '', clientSecret: '', userAgent: 'test', serverUrl: `${portal.sandboxUrl}/xero` };
  Object.assign(practiceBooks, { xero: createXeroBooksProvider({ ...client, signIn: xero.signIn, fetch: respondOrFetch }) });
  try {
    await work();
  } finally {
    Object.assign(practiceBooks, { xero });
  }
  return requestedIds;
}

const listStates = async ({ practice }: PracticeBooksSetup) =>
  new Map(
    (await listOrganisations(practice.admin, practice.companyId)).organisations.map(({ name, state, waits_until: at }) => [
      name,
      [state, at],
    ]),
  );
const moveBy = ({ portal }: PracticeBooksSetup, seconds: number) =>
  portal.moveClock(addMilliseconds(portal.deps.clock.now(), seconds * 1_000));

it('one organisation over its limit, or failing, doesn’t delay the others, and is read when its limit allows', async () => {
  const setup = current();
  const limited = setup.seed('A limited', VRNS[0] ?? '');
  const brokenOrganisation = setup.seed('B broken', VRNS[1] ?? '');
  const hiddenOrganisationId = setup.seed('C hidden', null);
  setup.seed('D good', VRNS[2] ?? '');
  const minute = { status: 429, headers: { 'retry-after': '40', 'x-rate-limit-problem': 'minute' } };
  const responses = { [limited]: minute, [brokenOrganisation]: { status: 503 }, [hiddenOrganisationId]: { status: 403 } };
  await withXeroResponses(setup, responses, () => setup.connect());
  const states = await listStates(setup);
  expect([...states].map(([name, [state]]) => [name, state])).toEqual([
    ['C hidden', 'none'],
    ['D good', 'none'],
    ['A limited', 'reading'],
    ['B broken', 'reading'],
  ]);
  const waitsUntil = states.get('A limited')?.[1] ?? '';
  expect(Math.abs(Date.parse(waitsUntil) - Date.parse(setup.portal.deps.clock.now()) - 40_000)).toBeLessThan(20_000);
  const { organisations } = await listOrganisations(setup.practice.admin, setup.practice.companyId);
  expect(organisations.filter(({ is_unreadable: isUnreadable }) => isUnreadable).map(({ name }) => name)).toEqual(['C hidden']);
  expect(await getGrant(setup.practice.admin, setup.practice.companyId, 'xero')).toMatchObject({
    has_problem: false,
    waits_until: null,
    unread: 2,
  });
  expect(await withXeroResponses(setup, {}, () => setup.sweep())).toEqual([]);
  moveBy(setup, 60);
  expect(await withXeroResponses(setup, {}, () => setup.sweep())).toEqual([limited]);
  moveBy(setup, 15 * 60);
  expect(await withXeroResponses(setup, {}, () => setup.sweep())).toEqual([brokenOrganisation]);
});

it('the application’s limit, and an outage of Xero, delay all of them until it ends', async () => {
  const setup = current();
  const ids = ['A', 'B', 'C', 'D'].map((name) => setup.seed(`${name} organisation`, null));
  const [first = '', second = '', third = ''] = ids;
  const limit = { status: 429, headers: { 'retry-after': '30', 'x-rate-limit-problem': 'AppMinute' } };
  expect(await withXeroResponses(setup, { [first]: limit }, () => setup.connect())).toEqual([first]);
  const getXero = () => getGrant(setup.practice.admin, setup.practice.companyId, 'xero');
  expect(await getXero()).toMatchObject({ unread: 4, waits_until: expect.any(String) });
  expect(await withXeroResponses(setup, {}, () => setup.sweep())).toEqual([]);
  moveBy(setup, 31);
  const unavailableResponses = Object.fromEntries(ids.map((id) => [id, { status: 500 }]));
  expect(await withXeroResponses(setup, unavailableResponses, () => setup.sweep())).toEqual([first, second, third]);
  moveBy(setup, 16 * 60);
  expect(await withXeroResponses(setup, {}, () => setup.sweep())).toEqual(ids);
  expect(await getXero()).toMatchObject({ unread: 0, waits_until: null });
});
