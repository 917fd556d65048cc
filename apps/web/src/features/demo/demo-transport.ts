/**
 * Responds to API requests from a story in memory, without the network. Actions that belong to the story move its clock; all others fail
 * with a message that this is a demo.
 */
import { advancesApi } from '@portal/contract/advances.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { shortfallsApi } from '@portal/contract/shortfalls.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { ApiError } from '../../lib/api.ts';
import type { Transport } from '../../lib/http-transport.ts';
import { describeAdvance } from './answer-advance.ts';
import { describeDashboard } from './answer-dashboard.ts';
import { describeReturn, listTransactions, NO_CORRECTIONS } from './answer-returns.ts';
import { parseStoryBooks } from './read-story-books.ts';
import type { Story, StoryMoment } from './stories/story.ts';
import { createStoryClock, type StoryClock } from './story-clock.ts';
import { getStoryFacts, type ReturnFacts } from './story-facts.ts';

type EndpointHandler = (input: Readonly<Record<string, unknown>>) => unknown;

export function createDemoTransport(story: Story, from: string | null = null): { transport: Transport; clock: StoryClock } {
  const books = parseStoryBooks(story.books.rows);
  const clock = createStoryClock(story, from);
  const buildFacts = () => getStoryFacts(story, books, clock.now());
  const findReturn = (input: Readonly<Record<string, unknown>>): ReturnFacts => {
    const storyReturn = buildFacts().returns.find(({ period }) => period.obligation_id === input['obligation_id']);
    if (!storyReturn) throw new ApiError({ status: 404, code: 'obligation.not_found', message: 'This return is not part of the demo.' });
    return storyReturn;
  };
  /** Moves the clock to the moment in the story when this action happens, but never backwards. */
  const moveClockTo = (momentName: StoryMoment['what']): void => {
    const moment = story.moments.find((candidate) => candidate.what === momentName);
    if (moment && moment.at > clock.now()) clock.moveTo(moment.at);
  };
  const handlers = new Map<Endpoint, EndpointHandler>([
    [dashboardApi.get, () => describeDashboard(story, buildFacts())],
    [dashboardApi.refresh, () => ({ status: 'refreshed', message: 'This is a demo, so the figures are always up to date.' })],
    [identityApi.dashboardCompanyName, () => ({ name: story.company.name })],
    [identityApi.companyName, () => ({ name: story.company.name })],
    [vatReturnsApi.get, (input) => describeReturn(story, buildFacts(), findReturn(input))],
    [vatReturnsApi.corrections, () => NO_CORRECTIONS],
    [vatReturnsApi.transactions, (input) => listDemoTransactions(findReturn(input), input)],
    [
      vatReturnsApi.file,
      (input) => {
        if (input['obligation_id'] !== story.mainObligationId) {
          const filedAt = story.periods.find(({ obligation_id }) => obligation_id === input['obligation_id'])?.filedAt;
          if (filedAt === undefined || filedAt <= clock.now()) throw createDemoOnlyError('we haven’t filed anything');
          clock.moveTo(filedAt);
          return describeReturn(story, buildFacts(), findReturn(input));
        }
        // The offer follows the filing immediately.
        moveClockTo('quoted');
        return describeReturn(story, buildFacts(), findReturn(input));
      },
    ],
    [
      advancesApi.find,
      (input) => {
        const isHero = input['obligation_id'] === undefined || input['obligation_id'] === story.mainObligationId;
        const advance = isHero ? describeAdvance(story, buildFacts()) : null;
        return { advance, reason: advance ? null : 'The demo follows one refund. You’ll get an offer when you file its return.' };
      },
    ],
    [shortfallsApi.find, () => ({ shortfall: null })],
    [
      advancesApi.quote,
      () => ({ advance: describeAdvance(story, buildFacts()), reason: 'You’ll get the demo’s offer when you file its return.' }),
    ],
    [
      advancesApi.accept,
      () => {
        moveClockTo('accepted');
        return describeAdvance(story, buildFacts());
      },
    ],
    [
      advancesApi.confirmCollectionAccount,
      () => {
        moveClockTo('in_review');
        return describeAdvance(story, buildFacts());
      },
    ],
  ]);
  const transport: Transport = async (endpoint, input) => {
    const handler = handlers.get(endpoint);
    if (!handler) throw createDemoOnlyError('nothing has changed');
    return handler(input);
  };
  return { transport, clock };
}

function listDemoTransactions(returnFacts: ReturnFacts, { box, after_line: afterLine, search }: Readonly<Record<string, unknown>>) {
  return listTransactions(returnFacts, String(box), Number(afterLine ?? 0), typeof search === 'string' ? search : '');
}

function createDemoOnlyError(consequence: string): ApiError {
  return new ApiError({
    status: 409,
    code: 'demo.no_effect',
    message: `This is a demo, so ${consequence}. Sign up to do this with your own VAT account.`,
  });
}
