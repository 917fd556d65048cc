import type { reminderRulesApi } from '@portal/contract/reminder-rules.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listRules, previewRule, removeRule, saveRule, setRuleOn } from './reminder-rules.ts';

export function reminderRulesHandlers(deps: AppDeps): Handlers<typeof reminderRulesApi> {
  return {
    list: async ({ tenant }) => ({ rules: await listRules(deps, tenant.practiceId) }),
    preview: (call) => previewRule(deps, call),
    save: (call) => saveRule(deps, call),
    switchOn: (call) => setRuleOn(deps, call),
    remove: (call) => removeRule(deps, call),
  };
}
