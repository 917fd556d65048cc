import { languageModelCalls } from '@portal/db/schema/schema.ts';
import { lt } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { CALLS_RETENTION_DAYS } from '@portal/domain/language-model/rewording-request.ts';
import type { AppDeps } from '../../app-deps.ts';
import { DAY_MS } from './agree.ts';

export async function purgeModelCalls({ database, wallClock }: Pick<AppDeps, 'database' | 'wallClock'>): Promise<void> {
  const cutoff = addMilliseconds(wallClock.now(), -CALLS_RETENTION_DAYS * DAY_MS);
  await database.db.delete(languageModelCalls).where(lt(languageModelCalls.askedAt, cutoff));
}
