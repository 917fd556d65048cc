/** A separate in-memory file system, small enough to fill. Only root can mount one. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  readonly folder: string;
  /** Fills the disk until no block is free. */
  fill(): void;
  free(): void;
  close(): void;
};

const FILLER = 'filler';
const MB = 1024 * 1024;
const BLOCK_BYTES = 4096;

export const canMount = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'portal-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'portal-campaign', folder]);
  // PostgreSQL and the portal run as different users.
  chmodSync(folder, 0o777);
  const filler = join(folder, FILLER);
  return {
    folder,
    fill: () => {
      const file = openSync(filler, 'a');
      for (const size of [MB, BLOCK_BYTES]) writeUntilFull(file, Buffer.alloc(size, 1));
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    close: () => {
      // There's no need to wait for open files: the mount disappears once they are closed.
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) if (writeSync(file, chunk) < chunk.byteLength) return;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
