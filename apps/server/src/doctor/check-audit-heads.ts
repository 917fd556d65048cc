/** Checks whether the portal could write the hashes of the audit trail (AUDIT_HEADS_FILE). Writes nothing. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DoctorCheck } from './check-providers.ts';

export function createAuditHeadsCheck(file: string): DoctorCheck {
  return {
    name: 'AUDIT_HEADS_FILE',
    fix: `Use a file that the portal’s user can write to, on a volume with free space, and run this as that user.`,
    run: async () => {
      const fileExists = await stat(file).then(
        (found) => {
          if (!found.isFile()) throw new Error(`${file} isn’t a file`);
          return true;
        },
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      );
      const target = fileExists ? file : dirname(file);
      await access(target, constants.W_OK);
      if ((await statfs(dirname(file))).bavail === 0) throw new Error(`the volume of ${file} is full`);
      return fileExists ? `${file} is writable` : `${file} can be created`;
    },
  };
}
