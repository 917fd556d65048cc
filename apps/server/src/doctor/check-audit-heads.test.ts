import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuditHeadsCheck } from './check-audit-heads.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctor-heads-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the doctor’s check of AUDIT_HEADS_FILE', () => {
  it('passes for a file that can be written, or created', async () => {
    const file = join(folder, 'heads.jsonl');
    expect(await createAuditHeadsCheck(file).run()).toBe(`${file} can be created`);
    writeFileSync(file, '');
    expect(await createAuditHeadsCheck(file).run()).toBe(`${file} is writable`);
  });

  it('fails in a folder that doesn’t exist, and for a folder in place of the file', async () => {
    await expect(createAuditHeadsCheck(join(folder, 'nowhere', 'heads.jsonl')).run()).rejects.toThrow('ENOENT');
    await expect(createAuditHeadsCheck(folder).run()).rejects.toThrow('isn’t a file');
  });
});
