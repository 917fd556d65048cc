import type { messageTemplatesApi } from '@portal/contract/message-templates.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listTemplates, removeTemplate, saveTemplate } from './message-templates.ts';

export function messageTemplatesHandlers(deps: AppDeps): Handlers<typeof messageTemplatesApi> {
  return {
    list: async ({ tenant }) => ({ templates: await listTemplates(deps.database.db, tenant.practiceId) }),
    save: (call) => saveTemplate(deps, call),
    remove: (call) => removeTemplate(deps, call),
  };
}
