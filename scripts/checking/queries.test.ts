import { expect, it } from 'vitest';
import { listTrackedFiles, readTrackedFile } from './tracked-files.ts';

const WRITES = /\b(db|tx)\s*\.(insert|update|delete)\(|\b(insert into|delete from|update \w+ set)\b/;

it('no query of a feature writes to the database', () => {
  const files = listTrackedFiles(/^apps\/server\/src\/features\/.*-queries\.ts$/);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((path) => WRITES.test(readTrackedFile(path)))).toEqual([]);
});
