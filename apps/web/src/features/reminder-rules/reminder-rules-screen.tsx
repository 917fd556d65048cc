/** An admin's rules that remind clients of deadlines. */
import { reminderRulesApi, type ReminderRule } from '@portal/contract/reminder-rules.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PracticePage } from '../../components/practice/practice-page.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { usePracticeProfile } from '../../lib/practice-profile.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { NothingToReviewIllustration } from '../../ui/illustrations.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { SwitchRuleDialog } from './switch-rule-dialog.tsx';

export function ReminderRulesScreen() {
  const { companyId } = useCompanyId();
  const profile = usePracticeProfile(companyId);
  const backLink = <TextLink to={getPageLink('practiceMessages', { company_id: companyId })}>All messages</TextLink>;
  return (
    <PracticePage title="Reminder rules" lead={backLink}>
      <LoadState query={profile} skeleton={<TableSkeleton />}>
        {({ role }) =>
          role === 'admin' ? (
            <RuleList companyId={companyId} />
          ) : (
            <Notice tone="info" title="Only admins set reminder rules">
              Ask an admin of your practice. You can still send messages to your clients yourself.
            </Notice>
          )
        }
      </LoadState>
    </PracticePage>
  );
}

function RuleList({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(reminderRulesApi.list, { company_id: companyId }));
  const [editedRule, setEditedRule] = useState<ReminderRule | 'new' | null>(null);
  return (
    <Stack>
      <Text measure>
        A rule emails clients a set number of days before a deadline: once per return or payment, and only if it’s outstanding. Clients who
        set their own reminders get those instead.
      </Text>
      <div>
        <Button onClick={() => setEditedRule('new')}>New rule</Button>
      </div>
      <LoadState query={query} skeleton={<TableSkeleton />}>
        {({ rules }) => (
          <SectionCard>
            {rules.length === 0 ? (
              <EmptyState
                illustration={<NothingToReviewIllustration />}
                title="No rules yet"
                text="A new rule is off. You can see who it would remind before you switch it on."
              />
            ) : (
              <Stack as="ul" gap={24}>
                {rules.map((rule) => (
                  <RuleItem key={rule.rule_id} companyId={companyId} rule={rule} onEdit={() => setEditedRule(rule)} />
                ))}
              </Stack>
            )}
          </SectionCard>
        )}
      </LoadState>
      {editedRule !== null && (
        <RuleDialog companyId={companyId} rule={editedRule === 'new' ? undefined : editedRule} onClose={() => setEditedRule(null)} />
      )}
    </Stack>
  );
}

function RuleItem({ companyId, rule, onEdit }: { companyId: string; rule: ReminderRule; onEdit: () => void }) {
  const { rule_id: id, name, is_on: isOn, tax, item, days_before: days, escalate_days: escalateDays, author, reminded } = rule;
  const [isSwitching, setIsSwitching] = useState(false);
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => apiRequest(reminderRulesApi.remove, { company_id: companyId, rule_id: id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [reminderRulesApi.list.path] }),
  });
  const escalation =
    escalateDays === null ? '' : ` The colleague with the duty is notified ${formatDays(escalateDays)} if it still hasn’t been done.`;
  return (
    <Stack as="li" gap={8}>
      <Row gap={8}>
        <Text weight="medium">{name}</Text>
        <StateChip label={isOn ? 'On' : 'Off'} icon={isOn ? 'checkCircle' : 'info'} tone={isOn ? 'success' : 'secondary'} />
      </Row>
      <Text>
        {TAX_NAMES[tax]} {item}, {formatDays(days)}. Replies go to {author}.{escalation}
      </Text>
      <Text size="small" tone="quiet">
        {reminded === 0 ? 'No reminders' : `${reminded.toLocaleString('en-GB')} reminders`} in the last 30 days
      </Text>
      <Row>
        <Button size="small" variant="outlined" onClick={() => setIsSwitching(true)}>
          {isOn ? 'Switch off' : 'Preview and switch on'}
          <HiddenText> {name}</HiddenText>
        </Button>
        <Button size="small" variant="outlined" onClick={onEdit}>
          Edit<HiddenText> {name}</HiddenText>
        </Button>
        <Button size="small" variant="text" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete<HiddenText> {name}</HiddenText>
        </Button>
      </Row>
      {remove.error !== null && (
        <Text role="alert" tone="error">
          {getErrorText(remove.error)}
        </Text>
      )}
      {isSwitching && <SwitchRuleDialog companyId={companyId} rule={rule} onClose={() => setIsSwitching(false)} />}
    </Stack>
  );
}

const formatDays = (days: number): string => (days === 0 ? 'on the day' : `${days} ${days === 1 ? 'day' : 'days'} before`);
