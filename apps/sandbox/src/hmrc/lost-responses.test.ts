/** Tests how the client reports lost, late or malformed responses. This decides whether a return is filed twice. */
import { describe, expect, it } from 'vitest';
import { createHmrcClient } from '@portal/providers/hmrc/hmrc-client.ts';
import { expectProviderError, findEndedObligation, REPAYMENT_BOXES } from './testing/filing.ts';
import { connectTrader, startHmrc } from './testing/start-hmrc.ts';

describe('a lost or malformed response', () => {
  it.each([
    ['timeout_after_work', 'unknown', 1],
    ['malformed_body', 'unknown', 1],
    ['server_error', 'unknown', 0],
    ['too_many', 'throttled', 0],
  ] as const)('to a submission (%s) is %s, and reading the return shows whether it was filed', async (kind, failure, accepted) => {
    const hmrc = await startHmrc();
    const { user, call } = await connectTrader(hmrc);
    const { periodKey } = await findEndedObligation(hmrc, call, user.vrn);
    hmrc.faults.set({ operation: 'hmrc.submit_return', kind, times: 1 });
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch });
    const error = await expectProviderError(client.submitReturn(call, user.vrn, periodKey, REPAYMENT_BOXES));
    expect(error.failure).toBe(failure);
    expect(await hmrc.client.findReturn(call, user.vrn, periodKey)).toEqual(accepted === 1 ? REPAYMENT_BOXES : undefined);
  });

  it.each(['timeout_after_work', 'malformed_body', 'server_error', 'html_page', 'cut_off', 'wrong_types'] as const)(
    'to a read (%s) is unavailable',
    async (kind) => {
      const hmrc = await startHmrc();
      const { user, call } = await connectTrader(hmrc);
      hmrc.faults.set({ operation: 'hmrc.obligations', kind, times: 1 });
      const client = createHmrcClient({ ...hmrc.clientDeps, fetch });
      expect((await expectProviderError(client.listObligations(call, user.vrn, { status: 'open' }))).failure).toBe('unavailable');
    },
  );

  it.each([
    ['3', 3],
    // The date is relative to the response's own Date header, which is a day behind our clock.
    ['Mon, 09 Nov 2026 09:00:20 GMT', 20],
    ['soon', undefined],
    ['Mon, 09 Nov 2026 08:59:59 GMT', undefined],
  ])('with status 429 contains how long HMRC asks to wait: %s', async (retryAfter, seconds) => {
    const hmrc = await startHmrc();
    const headers = { 'retry-after': retryAfter, date: 'Mon, 09 Nov 2026 09:00:00 GMT' };
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch: async () => new Response('', { status: 429, headers }) });
    const error = await expectProviderError(
      client.listObligations({ accessToken: 'any', fraudHeaders: {} }, '100190874', { status: 'open' }),
    );
    expect([error.failure, error.facts.retryAfterSeconds]).toEqual(['throttled', seconds]);
  });

  it('is unavailable, not unknown, when the submission was never sent', async () => {
    const hmrc = await startHmrc();
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch });
    await hmrc.close();
    const error = await expectProviderError(
      client.submitReturn({ accessToken: 'any', fraudHeaders: {} }, '100190874', '18A1', REPAYMENT_BOXES),
    );
    expect(error.failure).toBe('unavailable');
  });

  it('after a time-out is unknown for a submission and unavailable for a read', async () => {
    const hmrc = await startHmrc();
    const fetchWithoutResponse: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const client = createHmrcClient({ ...hmrc.clientDeps, fetch: fetchWithoutResponse, timeoutMs: 20 });
    const call = { accessToken: 'any', fraudHeaders: {} };
    expect((await expectProviderError(client.submitReturn(call, '100190874', '18A1', REPAYMENT_BOXES))).failure).toBe('unknown');
    expect((await expectProviderError(client.findReturn(call, '100190874', '18A1'))).failure).toBe('unavailable');
  });

  it('never counts a proxy’s empty 404 as proof that the return is unfiled', async () => {
    const hmrc = await startHmrc();
    const call = { accessToken: 'any', fraudHeaders: {} };
    const respondWith = (body: string, headers: Record<string, string>) =>
      createHmrcClient({ ...hmrc.clientDeps, fetch: async () => new Response(body, { status: 404, headers }) });
    expect((await expectProviderError(respondWith('', {}).findReturn(call, '100190874', '18A1'))).failure).toBe('unavailable');
    expect((await expectProviderError(respondWith('<h1>Not found</h1>', {}).findReturn(call, '100190874', '18A1'))).failure).toBe(
      'unavailable',
    );
    const ourTimeout = await expectProviderError(
      respondWith('{"code":"MATCHING_RESOURCE_NOT_FOUND","message":"x"}', {}).findReturn(call, '100190874', '18A1'),
    );
    expect(ourTimeout.failure).toBe('refused');
  });
});
