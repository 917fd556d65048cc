/** Tests the command's arguments, output and waiting; loading itself needs a running portal. */
import { describe, expect, it } from 'vitest';
import { formatRate, formatSyncCounts } from './portfolio/format-figures.ts';
import { readCommand } from './portfolio/read-command.ts';
import { waitWhileProgressing } from './portfolio/wait-while-progressing.ts';

const read = (...args: string[]) => readCommand(args, '/home/priya');

describe('npm run portfolio', () => {
  it('needs only the number of clients', () => {
    expect(read('--clients', '300')).toEqual({
      clients: 300,
      seed: 1,
      shouldLoad: false,
      url: 'http://localhost:3000',
      sandbox: 'http://localhost:3001',
      folder: '/home/priya/.data/portfolio',
    });
  });

  it('accepts URLs with or without a path, and resolves the folder against the current directory', () => {
    const args = ['--clients', '1', '--seed', '9', '--load', '--url', 'http://localhost:4100/portal', '--folder', '../files'];
    expect(read(...args)).toMatchObject({ seed: 9, shouldLoad: true, url: 'http://localhost:4100', folder: '/home/files' });
  });

  it('prints its help', () => {
    expect(read('--help')).toBeUndefined();
  });

  it.each([
    [[], '--clients is missing'],
    [['--clients', '0'], '1 to 100000'],
    [['--clients', '100001'], '1 to 100000'],
    [['--clients', 'many'], 'a whole number'],
    [['--clients', '5', '--seed', '1.5'], '--seed is 1.5'],
    [['--clients', '5', '--url', 'localhost:3000'], '--url is localhost:3000'],
    [['--clients', '5', '--sandbox', 'ftp://x'], '--sandbox is ftp://x'],
    [['--clients', '5', 'now'], 'now'],
    [['--client', '5'], '--client'],
  ])('rejects %j', (args, reason) => {
    expect(() => read(...args)).toThrow(reason);
  });
});

describe('the summary of a sync', () => {
  const createFailure = (code: string, clients: number) => ({ code, clients, sentence: '', next: '', examples: [] });

  it('counts clients by result, with the most common reason first', () => {
    const states = { checking: 1, importing: 1, waiting: 0, completed: 31, failed: 4 };
    expect(formatSyncCounts({ states, failures: [createFailure('insolvent', 1), createFailure('not_authorised', 3)], never_read: 5 })).toBe(
      '31 read, 4 failed (not_authorised 3, insolvent 1), 2 still to come, 5 never read',
    );
  });

  it('omits what is zero', () => {
    expect(
      formatSyncCounts({ states: { checking: 0, importing: 0, waiting: 0, completed: 2, failed: 0 }, failures: [], never_read: 0 }),
    ).toBe('2 read, 0 failed');
    expect([formatRate(30, 2_000), formatRate(1, 0)]).toEqual(['15.0 a second', '']);
  });
});

describe('waiting for work to finish', () => {
  it('continues while there is progress', async () => {
    let count = 0;
    const readCount = async () => (count += 1);
    expect(
      await waitWhileProgressing(
        readCount,
        (progress) => progress === 5,
        (progress) => progress,
        { everyMs: 20, stillMs: 5 },
      ),
    ).toBe(5);
  });

  it('fails when progress stops, and says where', async () => {
    const waitResult = waitWhileProgressing(
      async () => 7,
      () => false,
      (progress) => progress,
      { everyMs: 1, stillMs: 10 },
    );
    await expect(waitResult).rejects.toThrow('no progress since 7');
  });
});
