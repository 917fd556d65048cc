/** Whether TOKEN_ENCRYPTION_KEYS opens what the portals have sealed in the database, and which key still seals how much. */
import type { Database } from '@portal/db/database.ts';
import { runAsSystem } from '../run-as-system.ts';
import { describeMissingKeys, listKeyUses } from '../secrets/sealed-values.ts';
import { createTokenCipher } from '../secrets/token-cipher.ts';
import type { Check } from './check-providers.ts';

/** None without keys in the settings: the portal then creates its own, for trying out. */
export function listSealedValueChecks(database: Database, keys: readonly string[] | undefined): Check[] {
  if (keys === undefined) return [];
  const { keyIds } = createTokenCipher(keys);
  return [
    {
      name: 'TOKEN_ENCRYPTION_KEYS',
      fix: 'Compare it with the other portals’ setting before you start this one.',
      run: async () => {
        const uses = await runAsSystem('command', () => listKeyUses(database.db, { keyIds }));
        const problem = describeMissingKeys(uses);
        if (problem !== undefined) throw new Error(problem);
        const counts = new Map(uses.map(({ keyId, values }) => [keyId, values]));
        const listed = keyIds.map((id, index) => `key ${index + 1} (${id}) seals ${counts.get(id) ?? 0} values`);
        return `opens what is stored: ${listed.join(', ')}`;
      },
    },
  ];
}
