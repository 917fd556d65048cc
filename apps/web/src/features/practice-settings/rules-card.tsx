/** The rules that assign imported clients, in order. Each change is saved immediately. */
import type { AssignmentRule } from '@portal/contract/assignment-rules.ts';
import { assignmentApi } from '@portal/contract/assignment.ts';
import { clientImportsApi } from '@portal/contract/client-imports.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeCondition } from '../../components/team/rule-text.ts';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { DUTY_NAMES } from '../../lib/client-labels.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { RuleDialog, type RuleChoice } from './rule-dialog.tsx';
import styles from './rules-card.module.css';

export function RulesCard({ companyId }: { companyId: string }) {
  const query = useQuery(apiQuery(assignmentApi.rules, { company_id: companyId }));
  const save = useSaveRules(companyId, query.data?.version ?? '');
  /** The index of the rule in the dialog, or the number of rules for a new rule. */
  const [openedIndex, setOpenedIndex] = useState<number>();
  const close = () => {
    setOpenedIndex(undefined);
    save.reset();
  };
  const rules = query.data?.rules ?? [];
  const replaceRules = (next: readonly RuleChoice[], onSaved?: () => void) => save.mutate(next, { onSuccess: onSaved ?? (() => {}) });
  return (
    <SectionCard
      title="Assignment rules"
      aside={
        <Button variant="outlined" size="small" onClick={() => setOpenedIndex(rules.length)} disabled={query.data === undefined}>
          Add a rule
        </Button>
      }
      source="For clients added by an import. For each duty, the first rule that matches applies. Existing clients don’t change."
    >
      {save.error && openedIndex === undefined && (
        <Notice tone="error" title="Nothing has changed" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
      <LoadState query={query} skeleton={<CardSkeleton lines={3} />}>
        {() =>
          rules.length === 0 ? (
            <Text tone="quiet">No rules yet. Imported clients stay unassigned until you assign them.</Text>
          ) : (
            <RuleList rules={rules} isBusy={save.isPending} onEdit={setOpenedIndex} onChange={replaceRules} />
          )
        }
      </LoadState>
      {openedIndex !== undefined && (
        <RuleDialog
          companyId={companyId}
          rule={rules[openedIndex]}
          error={save.error}
          isBusy={save.isPending}
          onSave={(rule) => replaceRules([...rules.slice(0, openedIndex), rule, ...rules.slice(openedIndex + 1)], close)}
          onClose={close}
        />
      )}
    </SectionCard>
  );
}

type RuleListProps = {
  rules: readonly AssignmentRule[];
  isBusy: boolean;
  onEdit: (place: number) => void;
  onChange: (rules: readonly AssignmentRule[]) => void;
};

function RuleList({ rules, isBusy, onEdit, onChange }: RuleListProps) {
  const moveUp = (place: number) => {
    const previousRule = rules[place - 1];
    const rule = rules[place];
    if (previousRule && rule) onChange([...rules.slice(0, place - 1), rule, previousRule, ...rules.slice(place + 1)]);
  };
  return (
    <Stack as="ol" gap={0} aria-label="Rules, in order">
      {rules.map((rule, place) => {
        const name = `rule ${place + 1}`;
        return (
          <li key={`${place}-${JSON.stringify(rule)}`} className={styles.rule}>
            <div>
              <Text weight="medium">
                {place + 1}. {describeCondition(rule)}
              </Text>
              <Row gap={8}>
                <Text as="span">
                  {DUTY_NAMES[rule.duty]}: {rule.full_name}
                </Text>
                {!rule.is_active && <StateChip label="Has left: rule not used" icon="warning" tone="warning" />}
              </Row>
            </div>
            <Row gap={4}>
              {place > 0 && (
                <Button variant="text" size="small" disabled={isBusy} onClick={() => moveUp(place)}>
                  Move up<HiddenText> {name}</HiddenText>
                </Button>
              )}
              <Button variant="text" size="small" disabled={isBusy} onClick={() => onEdit(place)}>
                Edit<HiddenText> {name}</HiddenText>
              </Button>
              <Button
                variant="text"
                size="small"
                tone="error"
                disabled={isBusy}
                onClick={() => onChange(rules.filter((other) => other !== rule))}
              >
                Remove<HiddenText> {name}</HiddenText>
              </Button>
            </Row>
          </li>
        );
      })}
    </Stack>
  );
}

function useSaveRules(companyId: string, version: string) {
  const queryClient = useQueryClient();
  const { queryKey } = apiQuery(assignmentApi.rules, { company_id: companyId });
  return useMutation({
    mutationFn: (rules: readonly RuleChoice[]) =>
      apiRequest(assignmentApi.saveRules, {
        company_id: companyId,
        version,
        rules: rules.map(({ by, values, duty, user_id: userId }) => ({ by, values: [...values], duty, user_id: userId })),
      }),
    onSuccess: async (savedRules) => {
      queryClient.setQueryData(queryKey, savedRules);
      await queryClient.invalidateQueries({ queryKey: [clientImportsApi.assignments.path] });
    },
  });
}
