import type { languageModelApi } from '@portal/contract/language-model.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getLanguageModelStatus, setAgreement } from './agree.ts';
import { listModelCalls } from './call-queries.ts';
import { chooseWording } from './choose-wording.ts';
import { rewordDraft } from './reword-draft.ts';

export function languageModelHandlers(deps: AppDeps): Handlers<typeof languageModelApi> {
  return {
    status: ({ tenant, actor }) => getLanguageModelStatus(deps, tenant.practiceId, actor),
    agree: (call) => setAgreement(deps, call),
    calls: (call) => listModelCalls(deps, call),
    reword: (call) => rewordDraft(deps, call),
    choose: (call) => chooseWording(deps, call),
  };
}
