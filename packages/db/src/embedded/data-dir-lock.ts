/**
 * Allows only one process per data folder. The embedded engine doesn't lock it, and two processes on one folder lose rows silently. The
 * lock is SQLite's operating system lock on an open file, which the system releases when the process ends.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '@portal/domain/app-error.ts';

export type DataDirLock = { release(): void };

const SQLITE_BUSY = 5;

export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true });
  const holderFile = join(dataDir, 'portal.pid');
  const file = new DatabaseSync(join(dataDir, 'portal.lock.sqlite'));
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
    throw createInUseError(dataDir, holderFile, error);
  }
  writeFileSync(holderFile, String(process.pid));
  return { release: () => file.close() };
}

function createInUseError(dataDir: string, holderFile: string, cause: Error): AppError {
  const holder = readHolder(holderFile);
  const holderText = holder === undefined ? 'another process' : `another process (${holder})`;
  const message = `The data folder ${dataDir} is in use by ${holderText}. Stop that process, or set DATA_DIR to a different folder for this one.`;
  return new AppError('conflict', 'database.in-use', message, { dataDir, holder }, cause);
}

function readHolder(holderFile: string): number | undefined {
  try {
    return Number(readFileSync(holderFile, 'utf8')) || undefined;
  } catch {
    // The ID is only a hint for the message, because the other process may not have written it yet.
    return undefined;
  }
}
