/** Asks how HMRC identifies the practice: the reference of its agent services account, and the agent codes of the older services. */
import { practiceApi } from '@portal/contract/practice.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { Button } from '../../ui/button.tsx';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { getLinkAfterStep } from '../../lib/practice-steps.ts';
import { useGoToStepAfter } from './use-practice.ts';
import styles from './arn-screen.module.css';

export function ArnScreen() {
  return (
    <PracticeStepPage
      step="arn"
      title="Agent references"
      lead="You’ll find the reference on the home page of your agent services account, the one you use for Making Tax Digital."
    >
      {(practice) => <References known={practice} />}
    </PracticeStepPage>
  );
}

type Values = { arn: string; agent_code_ct: string; agent_code_paye: string; agent_code_sa: string };

function References({ known }: { known: OwnPractice }) {
  const { company_id, practice } = known;
  const goToNextStep = useGoToStepAfter('arn');
  const form = useContractForm<typeof practiceApi.saveAccountantProfile, Values>(practiceApi.saveAccountantProfile, {
    defaults: {
      arn: practice.arn ?? '',
      agent_code_ct: practice.agent_code_ct ?? '',
      agent_code_paye: practice.agent_code_paye ?? '',
      agent_code_sa: practice.agent_code_sa ?? '',
    },
    fixed: { company_id },
    draft: { name: `agent-references:${company_id}`, fields: ['arn', 'agent_code_ct', 'agent_code_paye', 'agent_code_sa'] },
    checks: { arn: parseArn },
    send: async ({ arn, ...codes }) => {
      const { agent_code_ct = '', agent_code_paye = '', agent_code_sa = '' } = codes;
      await apiRequest(practiceApi.saveAccountantProfile, { company_id, arn, agent_code_ct, agent_code_paye, agent_code_sa });
      await goToNextStep(company_id);
    },
  });
  return (
    <FormPanel
      form={form}
      submitLabel="Save and continue"
      busyLabel="Saving…"
      otherActions={
        <Button to={getLinkAfterStep('arn', known)} variant="text">
          {practice.arn === null ? 'Do this later' : 'Continue without changes'}
        </Button>
      }
    >
      <FormField
        form={form}
        name="arn"
        label="Agent reference number"
        hint="A letter, ARN and 7 digits, for example AARN0000002"
        autoComplete="off"
        widthInCharacters={16}
      />
      <Stack gap={4} className={styles.codes}>
        <Heading level={2} size="part">
          Agent codes
        </Heading>
        <Text size="small" tone="quiet">
          HMRC gave you one for each of its older services. Your clients need them for form 64-8. We don’t share them.
        </Text>
      </Stack>
      <FormField form={form} name="agent_code_ct" label="Corporation tax" optional autoComplete="off" widthInCharacters={14} />
      <FormField form={form} name="agent_code_paye" label="PAYE" optional autoComplete="off" widthInCharacters={14} />
      <FormField form={form} name="agent_code_sa" label="Self Assessment" optional autoComplete="off" widthInCharacters={14} />
    </FormPanel>
  );
}
