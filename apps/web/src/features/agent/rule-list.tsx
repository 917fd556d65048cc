/** The published rules with their versions, and the practice's settings for each. */
import { agentModeApi, type AgentRuleState } from '@portal/contract/agent.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, apiRequest } from '../../lib/api.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { FieldFrame } from '../../ui/form-field.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatThresholdUnit, parseThreshold, toInputValue } from './threshold-text.ts';
import { useInvalidateAgent } from './use-agent.ts';

export function RuleList({ companyId, mayManage }: { companyId: string; mayManage: boolean }) {
  const query = useQuery({ ...apiQuery(agentModeApi.rules, { company_id: companyId }), enabled: companyId !== '' });
  const invalidate = useInvalidateAgent();
  const include = useMutation({
    mutationFn: (pair: { client_id: string; rule_id: string }) =>
      apiRequest(agentModeApi.exclude, { company_id: companyId, ...pair, is_off: false }),
    onSettled: invalidate,
  });
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={8} />}>
      {({ version, rules, exclusions }) => (
        <Stack gap={16}>
          <Text>
            {rules.length} rules, version {version} of the list. The same facts always lead to the same proposals. A rule gets a new version
            when we change what it finds or proposes.
          </Text>
          {exclusions.length > 0 && (
            <SectionCard title="Clients with rules turned off">
              <Stack as="ul" gap={8}>
                {exclusions.map((exclusion) => (
                  <Row as="li" gap={8} key={`${exclusion.client_id} ${exclusion.rule_id}`}>
                    <Text as="span">
                      {exclusion.client}: {exclusion.rule_name}, by {exclusion.by}
                    </Text>
                    <Button size="small" variant="outlined" onClick={() => include.mutate(exclusion)} disabled={include.isPending}>
                      Switch on again<HiddenText> for {exclusion.client}</HiddenText>
                    </Button>
                  </Row>
                ))}
              </Stack>
            </SectionCard>
          )}
          {rules.map((rule) => (
            <Rule key={rule.rule_id} companyId={companyId} rule={rule} mayManage={mayManage} />
          ))}
        </Stack>
      )}
    </LoadState>
  );
}

type RuleProps = { companyId: string; rule: AgentRuleState; mayManage: boolean };

function Rule({ companyId, rule, mayManage }: RuleProps) {
  const { name, version, looks_for: looksFor, reads, proposes_text: proposalText, law, threshold, is_on: isOn } = rule;
  return (
    <SectionCard
      title={name}
      aside={isOn ? <StateChip label="On" icon="checkCircle" tone="success" /> : <StateChip label="Off" icon="close" tone="secondary" />}
      source={`${rule.rule_id}, version ${version}. Last 90 days: ${rule.done} done, ${rule.rejected} rejected, including ${rule.wrong} as wrong.`}
    >
      <Stack gap={12}>
        <Text>{looksFor}</Text>
        <FactList
          facts={[
            { label: 'Reads', value: reads.join(', ') },
            { label: 'Proposes', value: rule.is_safe ? `${proposalText}: stays within your practice and can be undone` : proposalText },
            ...(threshold === null ? [] : [{ label: formatThresholdUnit(threshold), value: toInputValue(threshold) }]),
            ...(law === null ? [] : [{ label: 'Law', value: <TextLink href={law.url}>{law.text}</TextLink> }]),
          ]}
        />
        {mayManage && <RuleForm companyId={companyId} rule={rule} />}
      </Stack>
    </SectionCard>
  );
}

function RuleForm({ companyId, rule }: Omit<RuleProps, 'mayManage'>) {
  const { rule_id: id, threshold, is_on: isOn, taxes, off_taxes: offTaxes } = rule;
  const [number, setNumber] = useState<string | null>(null);
  const invalidate = useInvalidateAgent();
  const save = useMutation({
    mutationFn: (changes: Partial<Pick<AgentRuleState, 'is_on' | 'off_taxes'>>) =>
      apiRequest(agentModeApi.saveRule, {
        company_id: companyId,
        rule_id: id,
        is_on: isOn,
        off_taxes: offTaxes,
        threshold: threshold === null ? null : parseThreshold(threshold, number ?? toInputValue(threshold)),
        ...changes,
      }),
    onSuccess: async () => {
      await invalidate();
      setNumber(null);
    },
  });
  return (
    <Stack gap={8}>
      {save.error && (
        <Notice tone="error" title="The rule wasn’t changed" role="alert">
          {getErrorText(save.error)}
        </Notice>
      )}
      {taxes.length > 1 && isOn && (
        <Row gap={16}>
          {taxes.map((tax) => (
            <Checkbox
              key={tax}
              label={TAX_NAMES[tax]}
              checked={!offTaxes.includes(tax)}
              disabled={save.isPending}
              onChange={({ target }) =>
                save.mutate({ off_taxes: target.checked ? offTaxes.filter((item) => item !== tax) : [...offTaxes, tax] })
              }
            />
          ))}
        </Row>
      )}
      {threshold !== null && number !== null && (
        <FieldFrame id={`threshold-${id}`} label={formatThresholdUnit(threshold)}>
          <TextInput
            id={`threshold-${id}`}
            inputMode="numeric"
            widthInCharacters={8}
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
        </FieldFrame>
      )}
      <Row gap={8}>
        <Button size="small" variant="outlined" onClick={() => save.mutate({ is_on: !isOn })} disabled={save.isPending}>
          {isOn ? 'Switch off' : 'Switch on'}
          <HiddenText> {rule.name}</HiddenText>
        </Button>
        {threshold !== null && (
          <Button
            size="small"
            variant={number === null ? 'text' : 'filled'}
            onClick={() => (number === null ? setNumber(toInputValue(threshold)) : save.mutate({}))}
            disabled={save.isPending}
          >
            {number === null ? 'Change threshold' : 'Save threshold'}
            <HiddenText> of {rule.name}</HiddenText>
          </Button>
        )}
      </Row>
    </Stack>
  );
}
