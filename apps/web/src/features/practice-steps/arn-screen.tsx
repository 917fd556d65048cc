/** How HMRC identifies the practice: the reference of its agent services account, and the agent codes of the older services. */
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { practiceApi } from '@portal/contract/practice.ts';
import { parseArn } from '@portal/domain/uk-tax/references/arn.ts';
import { Link } from 'react-router';
import { apiRequest } from '../../lib/api.ts';
import { useContractForm } from '../../lib/contract-form.ts';
import { FormField } from '../../ui/form-field.tsx';
import { FormPanel } from '../../ui/form-panel.tsx';
import { PracticeStepPage, type OwnPractice } from './practice-step-page.tsx';
import { getLinkAfterStep, useGoToStepAfter } from './use-practice.ts';

export function ArnScreen() {
  return (
    <PracticeStepPage
      step="arn"
      title="Agent references"
      lead="Your agent services account is the one you use for Making Tax Digital. Its reference is on its first page."
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
      busyLabel="Saving ..."
      otherActions={
        <Button component={Link} to={getLinkAfterStep('arn', known)} variant="text">
          {practice.arn === null ? 'Later' : 'Go on without changes'}
        </Button>
      }
    >
      <FormField
        form={form}
        name="arn"
        label="Agent reference number"
        hint="A letter, ARN and 7 digits, for example AARN0000002. We check its check letter as you type."
        autoComplete="off"
        widthInCharacters={16}
      />
      <Typography component="h2" variant="h3" sx={{ mb: 0.5 }}>
        Agent codes
      </Typography>
      <Typography variant="body2" sx={{ mb: 2, color: 'text.secondary' }}>
        HMRC gave one for each older service. Your clients need them on form 64-8. We never send them anywhere.
      </Typography>
      <FormField form={form} name="agent_code_ct" label="Corporation tax" optional autoComplete="off" widthInCharacters={14} />
      <FormField form={form} name="agent_code_paye" label="PAYE" optional autoComplete="off" widthInCharacters={14} />
      <FormField form={form} name="agent_code_sa" label="Self Assessment" optional autoComplete="off" widthInCharacters={14} />
    </FormPanel>
  );
}
