/** The next step for a practice that has clients but no figures yet. Mentions only the first obstacle. */
import type { AgentTax } from '@portal/domain/uk-tax/tax.ts';

export type FiguresStep = {
  readonly kind: 'connect' | 'reconnect' | 'refresh' | 'authorise' | 'wait' | 'failed' | 'statements';
  readonly text: string;
  /** The taxes that the step applies to. */
  readonly taxes: readonly AgentTax[];
};

/** A tax that HMRC shares with software, as described by its sync data. */
export type TaxFacts = {
  readonly tax: AgentTax;
  readonly clients: number;
  /** True if an earlier refresh has ended. */
  readonly wasRefreshed: boolean;
  readonly authorised: number;
  readonly pending: number;
  readonly unauthorised: number;
  /** Why the last refresh failed, as text that includes the next step. */
  readonly failure: string | undefined;
};

type ConnectionStatus = 'connected' | 'not_connected' | 'lapsed';

export function findFiguresStep(connection: ConnectionStatus, facts: readonly TaxFacts[]): FiguresStep {
  const relevantFacts = facts.filter(({ clients }) => clients > 0);
  const taxes = relevantFacts.map(({ tax }) => tax);
  if (relevantFacts.length === 0) {
    return { kind: 'statements', taxes, text: 'HMRC doesn’t share these figures with software. Import statements to see amounts.' };
  }
  if (connection === 'not_connected') return { kind: 'connect', taxes, text: 'Connect HMRC to see amounts, or import statements.' };
  if (connection === 'lapsed') return { kind: 'reconnect', taxes, text: 'Your HMRC connection has ended. Reconnect it to see amounts.' };
  const unreadFacts = relevantFacts.filter(({ wasRefreshed, authorised }) => !wasRefreshed || authorised > 0);
  const failedFigure = unreadFacts.find(({ wasRefreshed, failure }) => wasRefreshed && failure !== undefined);
  if (failedFigure?.failure !== undefined)
    return { kind: 'failed', taxes: [failedFigure.tax], text: `The last refresh didn’t return any figures. ${failedFigure.failure}` };
  if (unreadFacts.length > 0) {
    return { kind: 'refresh', taxes: unreadFacts.map(({ tax }) => tax), text: 'HMRC is connected. Refresh to get your clients’ figures.' };
  }
  const toAuthorise = relevantFacts.filter(({ unauthorised }) => unauthorised > 0);
  if (toAuthorise.length > 0) {
    return {
      kind: 'authorise',
      taxes: toAuthorise.map(({ tax }) => tax),
      text: 'HMRC is connected, but none of these clients has authorised you yet. Create authorisation requests for them.',
    };
  }
  return relevantFacts.some(({ pending }) => pending > 0)
    ? { kind: 'wait', taxes, text: 'HMRC is connected. Your clients haven’t responded to your authorisation requests yet.' }
    : { kind: 'statements', taxes, text: 'HMRC shows no figures for these clients. Import statements to see amounts.' };
}
