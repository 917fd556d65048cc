/** Switches a rule off, or on after showing whom it would remind in the next 30 days. */
import { reminderRulesApi, type PlannedReminder, type ReminderRule } from '@portal/contract/reminder-rules.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DateText } from '../../components/formats/date-text.tsx';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { TableSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';

type Props = { companyId: string; rule: ReminderRule; onClose: () => void };

export function SwitchRuleDialog({ companyId, rule, onClose }: Props) {
  const { rule_id: ruleId, name, is_on: isOn, tax, item, days_before: daysBefore, subject, body } = rule;
  const queryClient = useQueryClient();
  const preview = useQuery({
    ...apiQuery(reminderRulesApi.preview, { company_id: companyId, rule_id: ruleId, tax, item, days_before: daysBefore, subject, body }),
    enabled: !isOn,
    gcTime: 0,
  });
  const save = useMutation({
    mutationFn: () => apiRequest(reminderRulesApi.switchOn, { company_id: companyId, rule_id: ruleId, is_on: !isOn }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [reminderRulesApi.list.path] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      heading={isOn ? `Switch off ${name}?` : `Switch on ${name}?`}
      mutation={save}
      onConfirm={() => save.mutate()}
      onClose={onClose}
      confirmLabel={isOn ? 'Switch off' : 'Switch on'}
      missing={!isOn && preview.data === undefined ? 'Wait for the preview.' : undefined}
      wide
    >
      {isOn ? (
        <Text>The rule stops reminding clients. Messages already being sent will still arrive.</Text>
      ) : (
        <LoadState query={preview} skeleton={<TableSkeleton />}>
          {({ reminders, today, left_out: leftOut, planned, sample }) => (
            <Stack>
              <Text role="status">
                {formatCount(reminders, 'reminder')} in the next 30 days, {today.toLocaleString('en-GB')} of them today between 8am and 6pm.
                {leftOut > 0 && ` ${formatCount(leftOut, 'item')} left out.`}
              </Text>
              {sample !== null && (
                <Notice tone="info" title={`What ${sample.name} will receive: ${sample.subject}`}>
                  <Text style={{ whiteSpace: 'pre-line' }}>{sample.body}</Text>
                </Notice>
              )}
              {planned.length > 0 && <PlannedTable planned={planned} total={reminders + leftOut} />}
            </Stack>
          )}
        </LoadState>
      )}
    </ConfirmDialog>
  );
}

const formatCount = (count: number, noun: string): string => `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;

function PlannedTable({ planned, total }: { planned: readonly PlannedReminder[]; total: number }) {
  return (
    <>
      {total > planned.length && (
        <Text size="small">
          The first {planned.length} of {total.toLocaleString('en-GB')}:
        </Text>
      )}
      <RecordTable
        label="Who would be reminded"
        rows={planned}
        getKey={(item) => `${item.client_id} ${item.due_on} ${item.reminds_on}`}
        columns={[
          { title: 'Client', cell: ({ name }) => name },
          { title: 'Due', cell: (item) => <DateText date={item.due_on} /> },
          { title: 'Reminder', cell: (item) => <DateText date={item.reminds_on} /> },
          { title: 'To', cell: describeAddress },
        ]}
      />
    </>
  );
}

function describeAddress({ gap, email, missing }: PlannedReminder): string {
  switch (gap) {
    case null:
      return email ?? '';
    case 'no_email':
      return 'Excluded: no email address';
    case 'undeliverable':
      return 'Excluded: an earlier email to this address bounced';
    case 'own_reminders':
      return 'Excluded: has set their own reminders';
    case 'missing_fields':
      return `Skipped: we don’t have ${missing.map((field) => `{${field}}`).join(' and ')}`;
  }
}
