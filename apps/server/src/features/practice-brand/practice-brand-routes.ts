/** Handlers for a practice's logo and colour. */
import { FILE_ENDPOINTS } from '@portal/contract/file-endpoints.ts';
import { MAX_LOGO_BYTES, type practiceBrandApi } from '@portal/contract/practice-brand.ts';
import type { Tx } from '@portal/db/database.ts';
import { practiceBrands } from '@portal/db/schema/schema.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { receiveFile } from '../../http/receive-file.ts';
import type { Handlers, ServeSettings } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { getBrand } from './get-brand.ts';
import { reencodeLogo } from './reencode-logo.ts';

export function practiceBrandHandlers(deps: AppDeps): Handlers<typeof practiceBrandApi> {
  const { db } = deps.database;
  return {
    get: ({ tenant }) => getBrand(db, tenant.practiceId),
    ofClient: ({ tenant }) => getBrand(db, tenant.practiceId),
    save: ({ input, tenant: { practiceId }, actor, caller }) => {
      const changedBrand = { colour: input.colour, ...(input.removes_logo ? { logo: null } : {}) };
      return saveBrand(deps, { practiceId, userId: actor.userId, ip: caller.ip }, changedBrand);
    },
  };
}

export async function serveLogoUpload(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): Promise<void> {
  await receiveFile(app, settings, {
    ...FILE_ENDPOINTS.practiceBrand.upload,
    maxFileBytes: MAX_LOGO_BYTES,
    tooLarge: { code: 'brand.logo_too_large', advice: 'Choose a smaller one. It’s displayed about 200 pixels wide.' },
    handle: async ({ tenant, bytes, actor, ip }) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) chunks.push(chunk);
      const logo = await reencodeLogo(Buffer.concat(chunks));
      return saveBrand(deps, { practiceId: tenant.practiceId, userId: actor.userId, ip }, { logo });
    },
  });
}

type BrandChange = { readonly practiceId: string; readonly userId: string; readonly ip: string };

function saveBrand(
  deps: AppDeps,
  { practiceId: companyId, userId, ip }: BrandChange,
  values: Partial<Pick<typeof practiceBrands.$inferInsert, 'colour' | 'logo'>>,
): Promise<{ done: true }> {
  const at = deps.clock.now();
  const changedBrand = { ...values, updatedBy: userId, updatedAt: at };
  return deps.database.db.transaction(async (tx: Tx) => {
    await tx
      .insert(practiceBrands)
      .values({ companyId, ...changedBrand })
      .onConflictDoUpdate({ target: practiceBrands.companyId, set: changedBrand });
    const after = {
      ...('colour' in values ? { colour: values.colour } : {}),
      ...('logo' in values ? { has_logo: values.logo !== null } : {}),
    };
    await recordAudit(tx, { companyId, at, actor: userId, action: 'practice.brand_changed', subject: companyId, after, ip });
    return { done: true };
  });
}
