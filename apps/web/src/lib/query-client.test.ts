import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

const QUERY_KEY = ['notes'];

/** Renders a screen with a query to which the test responds. */
function screen() {
  const client = createQueryClient();
  const resolvers: ((value: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: QUERY_KEY,
    queryFn: () => new Promise<string>((resolve) => void resolvers.push(resolve)),
  });
  const leave = observer.subscribe(() => undefined);
  return { client, answers: resolvers, leave, shown: () => observer.getCurrentResult().data };
}

it('a change made while the first response is in flight is shown', async () => {
  const { client, answers, leave, shown } = screen();
  const invalidation = client.invalidateQueries({ queryKey: QUERY_KEY });
  answers[0]?.('from before the change');
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.('with the change');
  await invalidation;
  expect(shown()).toBe('with the change');
  leave();
});

it('a first response that is not invalidated is kept', async () => {
  const { client, answers, leave, shown } = screen();
  await client.invalidateQueries({ queryKey: QUERY_KEY, refetchType: 'none' });
  answers[0]?.('the only one');
  await expect.poll(shown).toBe('the only one');
  expect(answers).toHaveLength(1);
  leave();
});
