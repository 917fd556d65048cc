import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { fetchAfterChange } from './fetch-after-change.ts';
import { createQueryClient } from './query-client.ts';

it.each(['first', 'second'] as const)('returns what is true after the change, while the %s request is in flight', async (inFlight) => {
  const client = createQueryClient();
  const resolvers: ((value: string) => void)[] = [];
  const query = { queryKey: ['progress', {}], queryFn: () => new Promise<string>((resolve) => void resolvers.push(resolve)) };
  const observer = new QueryObserver(client, query);
  const leave = observer.subscribe(() => undefined);
  if (inFlight === 'second') {
    resolvers[0]?.('before the change');
    await expect.poll(() => observer.getCurrentResult().data).toBe('before the change');
    void observer.refetch();
  }
  const count = resolvers.length;
  const result = fetchAfterChange(client, query);
  await expect.poll(() => resolvers.length).toBe(count + 1);
  resolvers[count - 1]?.('before the change');
  resolvers[count]?.('after the change');
  expect(await result).toBe('after the change');
  expect(observer.getCurrentResult().data).toBe('after the change');
  leave();
});
