import type { workTemplatesApi } from '@portal/contract/work-templates.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listTemplates, removeTemplate, saveTemplate, setTemplateOn } from './work-templates.ts';

export function workTemplatesHandlers(deps: AppDeps): Handlers<typeof workTemplatesApi> {
  return {
    list: async ({ tenant }) => ({ templates: await listTemplates(deps.database.db, tenant.practiceId) }),
    save: (call) => saveTemplate(deps, call),
    remove: (call) => removeTemplate(deps, call),
    switchOn: (call) => setTemplateOn(deps, call),
  };
}
