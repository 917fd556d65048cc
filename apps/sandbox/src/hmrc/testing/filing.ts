/** Helpers for filing tests: a return, its period, and the error of a failed call. */
import { pence, type WholePounds } from '@portal/domain/money.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { HmrcCall, Obligation } from '@portal/providers/hmrc/hmrc-types.ts';
import type { NineBoxes } from '@portal/domain/vat-returns/nine-boxes.ts';
import type { StartedHmrc } from './start-hmrc.ts';

export const toWholePounds = (amount: number) => amount as WholePounds;

/** An exporter's return: 1,234.56 on sales, 15,000.10 on purchases, so HMRC repays 13,765.54. */
export const REPAYMENT_BOXES: NineBoxes = {
  box1: pence(123_456),
  box2: pence(0),
  box3: pence(123_456),
  box4: pence(1_500_010),
  box5: pence(1_376_554),
  box6: toWholePounds(90_000),
  box7: toWholePounds(75_000),
  box8: toWholePounds(0),
  box9: toWholePounds(0),
};

/** Returns the open obligation whose period has ended. */
export async function findEndedObligation(hmrc: StartedHmrc, call: HmrcCall, vrn: string): Promise<Obligation> {
  const openObligations = await hmrc.client.listObligations(call, vrn, { status: 'open' });
  const endedObligation = openObligations.find(({ end }) => end < hmrc.clock.today());
  if (!endedObligation) throw new Error('no open obligation has ended');
  return endedObligation;
}

/** Returns the ProviderError of a failed call. Any other outcome fails the test. */
export async function expectProviderError(promise: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`expected a ProviderError, got ${String(error)}`);
  return error;
}
