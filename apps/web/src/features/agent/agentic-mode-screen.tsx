/** The assistant: what it has noticed, what needs a decision, what has been done, and the rules behind it. */
import { AGENT_COLUMNS, agentModeApi } from '@portal/contract/agent.ts';
import { useQuery } from '@tanstack/react-query';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TOO_NARROW_FOR_ACTIONS, useMediaQuery } from '../../lib/use-media-query.ts';
import { useUrlFilters } from '../../lib/use-url-filters.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { ViewTabs } from '../../ui/view-tabs.tsx';
import styles from './agent.module.css';
import { LanguageModelView } from './language-model-view.tsx';
import { ModeCard } from './mode-card.tsx';
import { COLUMN_NAMES, ProposalColumn } from './proposal-columns.tsx';
import { RuleList } from './rule-list.tsx';

export function AgenticModeScreen() {
  const { companyId } = useCompanyId();
  const { filters } = useUrlFilters(['view']);
  const isNarrow = useMediaQuery(TOO_NARROW_FOR_ACTIONS);
  const mode = useQuery({ ...apiQuery(agentModeApi.mode, { company_id: companyId }), enabled: companyId !== '' });
  const toView = (view?: string) => getPageLink('agenticMode', { company_id: companyId, ...(view === undefined ? {} : { view }) });
  const showsRules = filters.view === 'rules';
  const showsModel = filters.view === 'model';
  const column = AGENT_COLUMNS.find((item) => item === filters.view) ?? 'drafts';
  const tabs = isNarrow
    ? AGENT_COLUMNS.map((key) => ({ key, name: COLUMN_NAMES[key], to: toView(key) }))
    : [{ key: 'drafts', name: 'Proposals', to: toView() }];
  return (
    <PracticePage
      title="Assistant"
      lead="Rules monitor your clients and suggest what to do. Each proposal shows its rule, its evidence and the exact text. Your team decides."
    >
      <LoadState query={mode} skeleton={<CardSkeleton lines={4} />}>
        {(state) => (
          <Stack gap={16}>
            <ModeCard companyId={companyId} state={state} />
            <ViewTabs
              current={showsRules || showsModel ? filters.view : isNarrow ? column : 'drafts'}
              tabs={[
                ...tabs,
                { key: 'rules', name: 'Rules', to: toView('rules') },
                { key: 'model', name: 'Language model', to: toView('model') },
              ]}
            />
            {showsModel ? (
              <LanguageModelView companyId={companyId} />
            ) : showsRules ? (
              <RuleList companyId={companyId} mayManage={state.may_manage} />
            ) : (
              // Narrow and wide windows render the same list, so that a column with an open dialog stays mounted when the window is
              // resized.
              <div className={styles.columns}>
                {AGENT_COLUMNS.filter((item) => !isNarrow || item === column).map((item) => (
                  <ProposalColumn
                    key={item}
                    companyId={companyId}
                    mayManage={state.may_manage}
                    mayReword={state.may_reword}
                    column={item}
                  />
                ))}
              </div>
            )}
          </Stack>
        )}
      </LoadState>
    </PracticePage>
  );
}
